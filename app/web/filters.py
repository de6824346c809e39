"""AppSync's filters, under the names that Amplify gives their types.

Of several operators on one field, lists want all to hold and subscriptions one, as AppSync has it;
fields, `and`, `or` and `not` must all agree.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any

import strawberry
from strawberry.types import get_object_definition
from strawberry.types.base import StrawberryList, StrawberryOptional
from strawberry.types.enum import StrawberryEnumDefinition

from app.core.errors import BadInput

DEEPEST = 5
MOST_PARTS = 100
UNSET: Any = strawberry.UNSET

WORDS: dict[object, str] = {
    str: "String",
    strawberry.ID: "ID",
    int: "Int",
    float: "Float",
    Decimal: "Decimal",
    bool: "Boolean",
}
EQUAL = ("eq", "ne")
ORDERED = (*EQUAL, "le", "lt", "ge", "gt", "between")
TEXTS = (*ORDERED, "contains", "not_contains", "begins_with")
OPERATORS_OF = {"Boolean": EQUAL, "String": TEXTS, "ID": TEXTS}
TAKE_A_LIST = frozenset({"between", "in_", "not_in"})
WAYS = ("and_", "or_", "not_")
# Words of Python's own.
NAMES = {"in_": "in"} | {way: way[:-1] for way in WAYS}
MADE: dict[str, Any] = {}

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda have, want: bool(have == want),
    "ne": lambda have, want: bool(have != want),
    "le": lambda have, want: bool(have <= want),
    "lt": lambda have, want: bool(have < want),
    "ge": lambda have, want: bool(have >= want),
    "gt": lambda have, want: bool(have > want),
    "contains": lambda have, want: want in have,
    "not_contains": lambda have, want: have is None or want not in have,
    "begins_with": lambda have, want: str.startswith(have, want),
    "between": lambda have, want: bool(want[0] <= have <= want[1]),
    "in_": lambda have, want: have in want,
    "not_in": lambda have, want: have not in want,
    "attribute_exists": lambda have, want: (have is not None) is want,
    "size": lambda have, want: all(_holds(name, len(have), each) for name, each in _given(want)),
}
Agree = Callable[[Iterable[bool]], bool]


def list_filter(record: type) -> Any:
    """The input type that filters a list of these records, by their plain fields."""
    name = f"Model{record.__name__}FilterInput"
    return _filter(name, record, _list_tests, WAYS, "Of several operators on one field, all hold.")


def subscription_filter(record: type) -> Any:
    name = f"ModelSubscription{record.__name__}FilterInput"
    says = "Of several operators on one field, one holds: as AppSync has it, other than in lists."
    return _filter(name, record, _subscription_tests, WAYS[:2], says)


def _filter(
    name: str, record: type, tests: Callable[[Any], Any], ways: tuple[str, ...], says: str
) -> Any:
    if name in MADE:
        return MADE[name]
    again = Annotated[name, strawberry.lazy(__name__)]  # type: ignore[valid-type]
    hints: dict[str, Any] = {
        field.python_name: kind
        for field in get_object_definition(record, strict=True).fields
        if field.is_basic_field and (kind := tests(field.type))
    }
    hints |= {way: again if way == "not_" else list[again] for way in ways}
    limits = f"At most {DEEPEST} deep, and {MOST_PARTS} parts in all."
    return _input(name, hints, f"{says} {limits}")


def _list_tests(annotation: Any) -> Any:
    plain = _plain(annotation)
    if isinstance(plain, StrawberryEnumDefinition):
        kind = plain.wrapped_cls
        return _input(f"Model{plain.name}Input", dict.fromkeys(EQUAL, kind))
    word = WORDS.get(plain)
    if word is None:
        return None
    hints = _hints(plain, OPERATORS_OF.get(word, ORDERED)) | {"attribute_exists": bool}
    if word in ("String", "ID"):
        hints["size"] = _input("ModelSizeInput", _hints(int, ORDERED))
    return _input(f"Model{word}Input", hints)


def _subscription_tests(annotation: Any) -> Any:
    plain = _plain(annotation)
    if isinstance(plain, StrawberryEnumDefinition):
        plain = str
    word = WORDS.get(plain)
    if word is None:
        return None
    operators = OPERATORS_OF.get(word, ORDERED)
    more = () if operators is EQUAL else ("in_", "not_in")
    return _input(f"ModelSubscription{word}Input", _hints(plain, (*operators, *more)))


def _plain(annotation: Any) -> Any:
    """What the field is or, if it is a list, what it holds: then `contains` is what fits."""
    holds = False
    while isinstance(annotation, StrawberryOptional | StrawberryList):
        holds |= isinstance(annotation, StrawberryList)
        annotation = annotation.of_type
    if holds and isinstance(annotation, StrawberryEnumDefinition):
        return None
    while hasattr(annotation, "__supertype__") and annotation is not strawberry.ID:
        annotation = annotation.__supertype__
    return annotation


def _hints(kind: Any, operators: tuple[str, ...]) -> dict[str, Any]:
    return {each: list[kind | None] if each in TAKE_A_LIST else kind for each in operators}


def _input(name: str, hints: dict[str, Any], says: str | None = None) -> Any:
    """An input type whose fields may all be left out, made once."""
    if name not in MADE:
        annotations = {each: hint | None for each, hint in hints.items()}
        fields = {each: strawberry.field(name=NAMES.get(each), default=UNSET) for each in hints}
        body = {**fields, "__annotations__": annotations, "__module__": __name__}
        MADE[name] = strawberry.input(type(name, (), body), name=name, description=says)
        setattr(sys.modules[__name__], name, MADE[name])
    return MADE[name]


def check(filter: Any) -> None:
    """Before anything is filtered: a mistake must not hide behind events that never come, and every
    part is looked at for every record."""
    if filter is not None and filter is not UNSET and _size(filter) > MOST_PARTS:
        raise BadInput(f"A filter has at most {MOST_PARTS} parts.", field="filter")


def _size(filter: Any, depth: int = 1) -> int:
    """How many parts it has at all depths: fields, and what stands in `and`, `or` and `not`."""
    if depth > DEEPEST:
        raise BadInput(f"A filter is at most {DEEPEST} deep.", field="filter")
    size = 0
    for name, tests in _parts(filter):
        if name in WAYS:
            parts = tests if isinstance(tests, list) else [tests]
            size += len(parts) + sum(_size(part, depth + 1) for part in parts)
        else:
            _check_field(name, tests)
            size += 1
    return size


def _check_field(name: str, tests: Any) -> None:
    for operator, value in _given(tests):
        if operator == "size" and value is not None:
            _check_field(name, value)
        if operator == "between" and len(value or []) != 2:
            raise BadInput(f"{name}: between takes two values.", field=f"filter.{name}")
        if isinstance(value, list) and len(value) > MOST_PARTS:
            raise BadInput(f"{name}: at most {MOST_PARTS} values.", field=f"filter.{name}")


def passes(record: Any, filter: Any, *, agree: Agree = any) -> bool:
    """`agree`: whether any or all of several operators on one field must hold."""
    if filter is None or filter is UNSET:
        return True
    return all(_agrees(record, name, tests, agree) for name, tests in _parts(filter))


def _agrees(record: Any, name: str, tests: Any, agree: Agree) -> bool:
    if name == "and_":
        return all(passes(record, part, agree=agree) for part in tests)
    if name == "or_":
        return any(passes(record, part, agree=agree) for part in tests)
    if name == "not_":
        return not passes(record, tests, agree=agree)
    have = _value(getattr(record, name))
    given = list(_given(tests))
    return not given or agree(_holds(operator, have, value) for operator, value in given)


def _holds(operator: str, have: Any, value: Any) -> bool:
    """What cannot be compared, null above all, does not pass."""
    try:
        return OPERATORS[operator](have, _value(value))
    except TypeError:
        return False


def _value(of: Any) -> Any:
    return of.value if isinstance(of, Enum) else of


def _parts(filter: Any) -> Iterator[tuple[str, Any]]:
    """A field, `and` or `or` that is null is left out; an operator's null is a value."""
    return (pair for pair in _given(filter) if pair[1] is not None)


def _given(fields: Any) -> Iterator[tuple[str, Any]]:
    return (pair for pair in vars(fields).items() if pair[1] is not UNSET)
