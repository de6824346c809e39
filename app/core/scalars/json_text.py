"""JSON in a string."""

import json
import re
from typing import Any

import orjson

LARGEST_JSON, DEEPEST_JSON = 64 * 1024, 32
# An unfinished string ends with the text, so that each character is visited once.
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)


def read_json(raw: str | bytes, *, deepest: int) -> object:
    """Strict JSON, or ValueError. Integers stay exact; a repeated key is refused."""
    # orjson refuses bad UTF-8, lone surrogates, NaN and overflow, but rounds integers of
    # 20 digits and lets the last of two equal keys win; the second reading does neither.
    orjson.loads(raw)
    text = raw if isinstance(raw, str) else raw.decode()
    try:
        value = json.loads(text, object_pairs_hook=_distinct)
    except RecursionError:
        raise ValueError(f"it is nested more than {deepest} levels deep") from None
    # No value is deeper than its text has brackets: most need no walk.
    if text.count("[") + text.count("{") > deepest and _is_deeper(value, deepest):
        raise ValueError(f"it is nested more than {deepest} levels deep")
    return value


def holds_more_values(raw: bytes, most: int) -> bool:
    """Without building any of them: a value takes a hundred times the memory of its text.

    Every value but the first follows a comma or opens a container. Most texts have few enough of
    these signs in all; only for the others the strings, where they mean nothing, are left out."""
    if _signs(raw) <= most:
        return False
    # At most half of the strings are keys.
    quotes = raw.count(b'"') - raw.count(b'\\"')
    return quotes > 4 * most or _signs(_STRING.sub(b"", raw)) > most


def _signs(raw: bytes) -> int:
    return raw.count(b",") + raw.count(b"[") + raw.count(b"{")


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _is_deeper(value: object, deepest: int) -> bool:
    level = _containers([value])
    for _ in range(deepest):
        level = [child for parent in level for child in _containers(parent)]
    return bool(level)


def _containers(parent: dict[str, object] | list[object]) -> list[Any]:
    children = parent.values() if isinstance(parent, dict) else parent
    return [child for child in children if isinstance(child, dict | list)]


def read_json_text(value: str) -> str:
    if len(value) > LARGEST_JSON or len(value.encode("utf-8", "replace")) > LARGEST_JSON:
        raise ValueError(f"it is larger than {LARGEST_JSON // 1024} KB")
    try:
        read = read_json(value, deepest=DEEPEST_JSON)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"the string holds no valid JSON ({error.msg})") from None
    return json.dumps(read, ensure_ascii=False, separators=(",", ":"))
