"""AppSync's filters, under the names that Amplify gives their types.

Several operators on one field are alternatives; fields, `and` and `or` must all agree.
"""

import sys
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Annotated, Any

import strawberry
from strawberry.types import get_object_definition
from strawberry.types.base import StrawberryOptional
from strawberry.types.enum import StrawberryEnumDefinition

from app.core.errors import BadInput

DEEPEST = 5
MOST_PARTS = 100
UNSET: Any = strawberry.UNSET


@strawberry.input
class ModelSubscriptionStringInput:
    eq: str | None = UNSET
    ne: str | None = UNSET
    le: str | None = UNSET
    lt: str | None = UNSET
    ge: str | None = UNSET
    gt: str | None = UNSET
    contains: str | None = UNSET
    not_contains: str | None = UNSET
    begins_with: str | None = UNSET
    between: list[str | None] | None = UNSET
    in_: list[str | None] | None = strawberry.field(name="in", default=UNSET)
    not_in: list[str | None] | None = UNSET


@strawberry.input(name="ModelSubscriptionIDInput")
class ModelSubscriptionIDInput:
    eq: strawberry.ID | None = UNSET
    ne: strawberry.ID | None = UNSET
    le: strawberry.ID | None = UNSET
    lt: strawberry.ID | None = UNSET
    ge: strawberry.ID | None = UNSET
    gt: strawberry.ID | None = UNSET
    contains: strawberry.ID | None = UNSET
    not_contains: strawberry.ID | None = UNSET
    begins_with: strawberry.ID | None = UNSET
    between: list[strawberry.ID | None] | None = UNSET
    in_: list[strawberry.ID | None] | None = strawberry.field(name="in", default=UNSET)
    not_in: list[strawberry.ID | None] | None = UNSET


@strawberry.input
class ModelSubscriptionIntInput:
    eq: int | None = UNSET
    ne: int | None = UNSET
    le: int | None = UNSET
    lt: int | None = UNSET
    ge: int | None = UNSET
    gt: int | None = UNSET
    between: list[int | None] | None = UNSET
    in_: list[int | None] | None = strawberry.field(name="in", default=UNSET)
    not_in: list[int | None] | None = UNSET


@strawberry.input
class ModelSubscriptionBooleanInput:
    eq: bool | None = UNSET
    ne: bool | None = UNSET


OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda have, want: bool(have == want),
    "ne": lambda have, want: bool(have != want),
    "le": lambda have, want: bool(have <= want),
    "lt": lambda have, want: bool(have < want),
    "ge": lambda have, want: bool(have >= want),
    "gt": lambda have, want: bool(have > want),
    "contains": lambda have, want: want in have,
    "not_contains": lambda have, want: want not in have,
    "begins_with": lambda have, want: bool(have.startswith(want)),
    "between": lambda have, want: bool(want[0] <= have <= want[1]),
    "in_": lambda have, want: have in want,
    "not_in": lambda have, want: have not in want,
}
KINDS: dict[object, type] = {
    str: ModelSubscriptionStringInput,
    strawberry.ID: ModelSubscriptionIDInput,
    int: ModelSubscriptionIntInput,
    bool: ModelSubscriptionBooleanInput,
}


def filter_of(record: type) -> Any:
    """The input type that filters this record, by its plain fields."""
    name = f"ModelSubscription{record.__name__}FilterInput"
    again = list[Annotated[name, strawberry.lazy(__name__)]] | None  # type: ignore[valid-type]
    hints: dict[str, Any] = {
        field.python_name: kind | None
        for field in get_object_definition(record, strict=True).fields
        if field.is_basic_field and (kind := _kind(field.type))
    }
    parts = hints | {"and_": again, "or_": again}
    body: dict[str, Any] = dict.fromkeys(hints, UNSET)
    body["and_"] = strawberry.field(name="and", default=UNSET)
    body["or_"] = strawberry.field(name="or", default=UNSET)
    made = type(name, (), body | {"__annotations__": parts, "__module__": __name__})
    setattr(sys.modules[__name__], name, strawberry.input(made))
    return getattr(sys.modules[__name__], name)


def _kind(annotation: Any) -> type | None:
    if isinstance(annotation, StrawberryOptional):
        annotation = annotation.of_type
    if isinstance(annotation, StrawberryEnumDefinition):
        return ModelSubscriptionStringInput
    while hasattr(annotation, "__supertype__") and annotation is not strawberry.ID:
        annotation = annotation.__supertype__
    return KINDS.get(annotation)


def check(filter: Any, depth: int = 1) -> None:
    """Before anything is filtered: a mistake must not hide behind events that never come."""
    if filter is None or filter is UNSET:
        return
    if depth > DEEPEST:
        raise BadInput(f"A filter is at most {DEEPEST} deep.", field="filter")
    for name, tests in _given(filter):
        if name in ("and_", "or_"):
            for part in tests[:MOST_PARTS]:
                check(part, depth + 1)
        else:
            _check_field(name, tests)


def _check_field(name: str, tests: Any) -> None:
    for operator, value in _given(tests):
        if isinstance(value, list) and len(value) > MOST_PARTS:
            raise BadInput(f"{name}: at most {MOST_PARTS} values.", field=f"filter.{name}")
        if operator == "between" and len(value) != 2:
            raise BadInput(f"{name}: between takes two values.", field=f"filter.{name}")


def passes(record: Any, filter: Any) -> bool:
    if filter is None or filter is UNSET:
        return True
    return all(_agrees(record, name, tests) for name, tests in _given(filter))


def _agrees(record: Any, name: str, tests: Any) -> bool:
    if name == "and_":
        return all(passes(record, part) for part in tests)
    if name == "or_":
        return any(passes(record, part) for part in tests)
    have = getattr(record, name)
    have = have.value if isinstance(have, Enum) else have
    given = list(_given(tests))
    return not given or any(_holds(operator, have, value) for operator, value in given)


def _holds(operator: str, have: Any, value: Any) -> bool:
    """What cannot be compared, null above all, does not pass."""
    try:
        return OPERATORS[operator](have, value)
    except TypeError:
        return False


def _given(fields: Any) -> Iterator[tuple[str, Any]]:
    for name, value in vars(fields).items():
        if value is not UNSET and not (value is None and name in ("and_", "or_")):
            yield name, value
