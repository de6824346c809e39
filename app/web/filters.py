"""AppSync's filters, with the type names that Amplify expects.

Several operators on one field: in a list all must hold, in a subscription one is enough, as in
AppSync. Different fields, `and`, `or` and `not` must all hold.
"""

from collections.abc import Callable, Iterable, Iterator
from decimal import Decimal
from enum import Enum
from typing import Any

import strawberry
from strawberry.types import get_object_definition
from strawberry.types.base import StrawberryList, StrawberryOptional
from strawberry.types.enum import StrawberryEnumDefinition

from app.core.errors import BadInput

MAX_DEPTH = 5
MAX_PARTS = 100
UNSET: Any = strawberry.UNSET

SCALAR_NAMES: dict[object, str] = {
    str: "String",
    strawberry.ID: "ID",
    int: "Int",
    float: "Float",
    Decimal: "Decimal",
    bool: "Boolean",
}
EQUALITY = ("eq", "ne")
ORDERING = (*EQUALITY, "le", "lt", "ge", "gt", "between")
TEXT = (*ORDERING, "contains", "not_contains", "begins_with")
OPERATORS_OF_SCALAR = {"Boolean": EQUALITY, "String": TEXT, "ID": TEXT}
LIST_OPERATORS = frozenset({"between", "in_", "not_in"})
CONNECTIVES = ("and_", "or_", "not_")
# GraphQL names that are keywords in Python.
GRAPHQL_NAMES = {"in_": "in", "and_": "and", "or_": "or", "not_": "not"}

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda value, operand: bool(value == operand),
    "ne": lambda value, operand: bool(value != operand),
    "le": lambda value, operand: bool(value <= operand),
    "lt": lambda value, operand: bool(value < operand),
    "ge": lambda value, operand: bool(value >= operand),
    "gt": lambda value, operand: bool(value > operand),
    "contains": lambda value, operand: operand in value,
    "not_contains": lambda value, operand: value is None or operand not in value,
    "begins_with": lambda value, operand: str.startswith(value, operand),
    "between": lambda value, operand: bool(operand[0] <= value <= operand[1]),
    "in_": lambda value, operand: value in operand,
    "not_in": lambda value, operand: value not in operand,
    "attribute_exists": lambda value, operand: (value is not None) is operand,
    "size": lambda value, operand: all(
        _holds(name, len(value), each) for name, each in _sent(operand)
    ),
}
Combine = Callable[[Iterable[bool]], bool]
OperatorsOf = Callable[[Any], type | None]
# Every input type by its name: many filters use the same ones.
_INPUT_TYPES: dict[str, type] = {}


def list_filter(record: type) -> Any:
    """The input type that filters a list of these records by their plain fields."""
    name = f"Model{record.__name__}FilterInput"
    rule = "Of several operators on one field, all hold."
    return _filter_type(name, record, _list_operators, CONNECTIVES, rule)


def subscription_filter(record: type) -> Any:
    name = f"ModelSubscription{record.__name__}FilterInput"
    rule = "Of several operators on one field, one holds: as AppSync has it, other than in lists."
    return _filter_type(name, record, _subscription_operators, ("and_", "or_"), rule)


def _filter_type(
    name: str, record: type, operators_of: OperatorsOf, connectives: tuple[str, ...], rule: str
) -> type:
    if name in _INPUT_TYPES:
        return _INPUT_TYPES[name]
    filter_type = type(name, (), {})
    hints: dict[str, Any] = {
        field.python_name: operators
        for field in get_object_definition(record, strict=True).fields
        if field.is_basic_field and (operators := operators_of(field.type))
    }
    # A filter holds filters of its own type.
    for connective in connectives:
        hints[connective] = filter_type if connective == "not_" else list[filter_type]  # type: ignore[valid-type]
    limits = f"At most {MAX_DEPTH} deep, and {MAX_PARTS} parts in all."
    _INPUT_TYPES[name] = _as_input(filter_type, hints, f"{rule} {limits}")
    return filter_type


def _list_operators(annotation: Any) -> type | None:
    plain = _plain_type(annotation)
    if isinstance(plain, StrawberryEnumDefinition):
        return _operators_type(
            f"Model{plain.name}Input", dict.fromkeys(EQUALITY, plain.wrapped_cls)
        )
    scalar = SCALAR_NAMES.get(plain)
    if scalar is None:
        return None
    hints = _operand_hints(plain, OPERATORS_OF_SCALAR.get(scalar, ORDERING))
    hints["attribute_exists"] = bool
    if scalar in ("String", "ID"):
        hints["size"] = _operators_type("ModelSizeInput", _operand_hints(int, ORDERING))
    return _operators_type(f"Model{scalar}Input", hints)


def _subscription_operators(annotation: Any) -> type | None:
    plain = _plain_type(annotation)
    if isinstance(plain, StrawberryEnumDefinition):
        plain = str
    scalar = SCALAR_NAMES.get(plain)
    if scalar is None:
        return None
    operators = OPERATORS_OF_SCALAR.get(scalar, ORDERING)
    membership = () if operators is EQUALITY else ("in_", "not_in")
    hints = _operand_hints(plain, (*operators, *membership))
    return _operators_type(f"ModelSubscription{scalar}Input", hints)


def _plain_type(annotation: Any) -> Any:
    """The type of the field or, for a list, of its items, to which `contains` applies. None for a
    list of enum values."""
    is_list = False
    while isinstance(annotation, StrawberryOptional | StrawberryList):
        is_list |= isinstance(annotation, StrawberryList)
        annotation = annotation.of_type
    if is_list and isinstance(annotation, StrawberryEnumDefinition):
        return None
    while hasattr(annotation, "__supertype__") and annotation is not strawberry.ID:
        annotation = annotation.__supertype__
    return annotation


def _operand_hints(kind: Any, operators: tuple[str, ...]) -> dict[str, Any]:
    return {each: list[kind | None] if each in LIST_OPERATORS else kind for each in operators}


def _operators_type(name: str, hints: dict[str, Any]) -> type:
    if name not in _INPUT_TYPES:
        _INPUT_TYPES[name] = _as_input(type(name, (), {}), hints, None)
    return _INPUT_TYPES[name]


def _as_input(cls: type, hints: dict[str, Any], description: str | None) -> type:
    """Makes `cls` an input type whose fields may all be left out."""
    cls.__annotations__ = {name: hint | None for name, hint in hints.items()}
    for name in hints:
        field = strawberry.field(name=GRAPHQL_NAMES.get(name), default=UNSET)
        setattr(cls, name, field)
    return strawberry.input(cls, name=cls.__name__, description=description)


def check_filter(filter: Any) -> None:
    """Refuses a filter that is too large or malformed. Called before anything is filtered: if not,
    a subscription would report the mistake only with its first event."""
    if filter is not None and filter is not UNSET and _count_parts(filter) > MAX_PARTS:
        raise BadInput(f"A filter has at most {MAX_PARTS} parts.", field="filter")


def _count_parts(filter: Any, depth: int = 1) -> int:
    """The number of parts at all depths: fields, and filters in `and`, `or` and `not`."""
    if depth > MAX_DEPTH:
        raise BadInput(f"A filter is at most {MAX_DEPTH} deep.", field="filter")
    count = 0
    for name, part in _sent_not_null(filter):
        if name in CONNECTIVES:
            inner = part if isinstance(part, list) else [part]
            count += len(inner) + sum(_count_parts(each, depth + 1) for each in inner)
        else:
            _check_operators(name, part)
            count += 1
    return count


def _check_operators(name: str, operators: Any) -> None:
    for operator, operand in _sent(operators):
        if operator == "size" and operand is not None:
            _check_operators(name, operand)
        if operator == "between" and len(operand or []) != 2:
            raise BadInput(f"{name}: between takes two values.", field=f"filter.{name}")
        if isinstance(operand, list) and len(operand) > MAX_PARTS:
            raise BadInput(f"{name}: at most {MAX_PARTS} values.", field=f"filter.{name}")


def matches_filter(record: Any, filter: Any, *, combine: Combine = any) -> bool:
    """`combine`: whether any or all of several operators on one field must hold."""
    if filter is None or filter is UNSET:
        return True
    return all(_part_holds(record, name, part, combine) for name, part in _sent_not_null(filter))


def _part_holds(record: Any, name: str, part: Any, combine: Combine) -> bool:
    if name == "and_":
        return all(matches_filter(record, each, combine=combine) for each in part)
    if name == "or_":
        return any(matches_filter(record, each, combine=combine) for each in part)
    if name == "not_":
        return not matches_filter(record, part, combine=combine)
    value = _comparable(getattr(record, name))
    operators = list(_sent(part))
    return not operators or combine(_holds(each, value, operand) for each, operand in operators)


def _holds(operator: str, value: Any, operand: Any) -> bool:
    """False for values that cannot be compared, such as null."""
    try:
        return OPERATORS[operator](value, _comparable(operand))
    except TypeError:
        return False


def _comparable(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value


def _sent_not_null(filter: Any) -> Iterator[tuple[str, Any]]:
    """A field, `and` or `or` that is null counts as left out; an operator's null is a value."""
    return (pair for pair in _sent(filter) if pair[1] is not None)


def _sent(fields: Any) -> Iterator[tuple[str, Any]]:
    return (pair for pair in vars(fields).items() if pair[1] is not UNSET)
