"""The limits that an annotation sets, for checks before coercion and for descriptions."""

import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Union, get_args, get_origin

LIMITS = ("min_length", "max_length", "ge", "le")


@dataclass(frozen=True, slots=True)
class Constraints:
    """`min_length` and `max_length`: of a text or list; `ge` and `le`: of a number."""

    is_list: bool = False
    min_length: int | None = None
    max_length: int | None = None
    ge: int | float | None = None
    le: int | float | None = None

    def __str__(self) -> str:
        """As a sentence; empty if there is no limit."""
        if self.min_length is not None or self.max_length is not None:
            unit = "entries" if self.is_list else "characters"
            return _range(self.min_length or None, self.max_length, f" {unit}")
        return _range(self.ge, self.le, "")


def constraints_of(hint: Any) -> Constraints:
    """Of the outermost annotation that has any; `| None` does not matter."""
    if get_origin(hint) in (Union, types.UnionType):
        found = (constraints_of(each) for each in get_args(hint))
        return next((each for each in found if each != Constraints()), Constraints())
    if get_origin(hint) is not Annotated:
        return Constraints(is_list=get_origin(hint) is list)
    inner, *metadata = get_args(hint)
    outer = constraints_of(inner)
    limits = {name: value for rule in _rules(metadata) for name, value in _limits(rule)}
    return Constraints(**{"is_list": outer.is_list, **_known(outer), **limits})


def _known(constraints: Constraints) -> dict[str, Any]:
    return dict(_limits(constraints))


def _rules(metadata: list[Any]) -> Iterator[Any]:
    """pydantic keeps what Field(...) is given in a list of its own."""
    for each in metadata:
        yield each
        yield from getattr(each, "metadata", ())


def _limits(rule: Any) -> Iterator[tuple[str, Any]]:
    for name in LIMITS:
        value = getattr(rule, name, None)
        if value is not None:
            yield name, value


def _range(least: float | None, most: float | None, unit: str) -> str:
    if least is not None and most is not None:
        return f"{least:,} to {most:,}{unit}."
    if most is not None:
        return f"At most {most:,}{unit}."
    return f"At least {least:,}{unit}." if least is not None else ""
