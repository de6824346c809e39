"""From the bytes of a request to the four things GraphQL needs, or one MalformedBody (HTTP 400)."""

from dataclasses import dataclass
from typing import TypeVar

from app.core.scalars import read_json, text_is_clean

T = TypeVar("T")

DEEPEST_BODY = 200
EMPTY = "Request body is empty."
UNREADABLE = "Unable to parse GraphQL query."


class MalformedBody(Exception):
    """The body is no GraphQL request; the message is made for the caller."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Params:
    query: str
    variables: dict[str, object] | None
    operation_name: str | None
    extensions: dict[str, object] | None


def decode_body(raw: bytes) -> object:
    """The JSON value of a body. UTF-8 only; each object's keys are distinct; no NUL anywhere."""
    if not raw or raw.isspace():
        raise MalformedBody(EMPTY)
    try:
        value = read_json(raw, deepest=DEEPEST_BODY)
    except ValueError:
        raise MalformedBody(UNREADABLE) from None
    # Valid JSON can spell a NUL in this way only, so most bodies need no walk.
    if b"\\u0000" in raw and not _is_clean(value):
        raise MalformedBody("The request holds a NUL character (\\u0000).")
    return value


def graphql_params(value: object) -> Params:
    """The parameters of one request; unknown keys are ignored, as AppSync does."""
    if isinstance(value, list) and value:
        raise MalformedBody("Batching is off: send one operation per request.")
    if not isinstance(value, dict) or not value:
        raise MalformedBody(UNREADABLE)
    return Params(
        query=_query(value),
        variables=_optional(value, "variables", dict, "an object"),
        operation_name=_optional(value, "operationName", str, "a string") or None,
        extensions=_optional(value, "extensions", dict, "an object"),
    )


def _query(value: dict[str, object]) -> str:
    query = _optional(value, "query", str, "a string")
    if query is None:
        raise MalformedBody("The request has no query.")
    if not query.strip():
        raise MalformedBody("The query is empty.")
    return query


def _optional(value: dict[str, object], key: str, kind: type[T], shape: str) -> T | None:
    found = value.get(key)
    if found is None or isinstance(found, kind):
        return found
    raise MalformedBody(f"{key} must be {shape}.")


def _is_clean(value: object) -> bool:
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            stack.extend((*node, *node.values()))
        elif isinstance(node, list):
            stack.extend(node)
        elif isinstance(node, str) and not text_is_clean(node):
            return False
    return True
