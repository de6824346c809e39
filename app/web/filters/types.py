"""The input types of AppSync's filters, with the names that Amplify expects."""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from enum import Enum
from typing import Any

import strawberry
from strawberry.types.base import StrawberryList, StrawberryOptional
from strawberry.types.enum import StrawberryEnumDefinition
from strawberry.utils.str_converters import to_camel_case

# The fields that these add to records can be filtered too.
import app.domains.characters.schema
import app.domains.community.schema
import app.domains.goals.schema
import app.domains.notifications.schema
import app.domains.quests.schema
import app.domains.rewards.schema
import app.domains.tracking.schema  # noqa: F401
from app.core.errors import BadInput
from app.graph.fields import fields_with_added

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
MEMBERSHIP = ("contains", "not_contains")
ORDERING = (*EQUALITY, "le", "lt", "ge", "gt", "between")
TEXT = (*ORDERING, *MEMBERSHIP, "begins_with")
OPERATORS_OF_SCALAR = {"Boolean": EQUALITY, "String": TEXT, "ID": TEXT}
LIST_OPERATORS = frozenset({"between", "in_", "not_in"})
CONNECTIVES = ("and_", "or_", "not_")


@strawberry.enum(description="The type of a stored value, as DynamoDB calls it.")
class ModelAttributeTypes(Enum):
    binary = strawberry.enum_value("binary", description="Bytes: no field has them.")
    binarySet = strawberry.enum_value("binarySet", description="Several bytes: no field has them.")
    bool = strawberry.enum_value("bool", description="true or false.")
    list = strawberry.enum_value("list", description="A list.")
    map = strawberry.enum_value("map", description="An object.")
    number = strawberry.enum_value("number", description="A number.")
    numberSet = strawberry.enum_value(
        "numberSet", description="Several numbers: no field has them."
    )
    string = strawberry.enum_value("string", description="A text.")
    stringSet = strawberry.enum_value("stringSet", description="Several texts: no field has them.")
    _null = strawberry.enum_value("_null", name="_null", description="null.")


DESCRIPTIONS = {
    "eq": "Equal to this.",
    "ne": "Not equal to this.",
    "le": "At most this.",
    "lt": "Less than this.",
    "ge": "At least this.",
    "gt": "More than this.",
    "between": "From the first to the second of these, both included.",
    "contains": "A text that contains this, or a list that has it.",
    "not_contains": "A text that does not contain this, or a list that does not have it.",
    "begins_with": "A text that begins so.",
    "in_": "One of these.",
    "not_in": "None of these.",
    "attribute_exists": "true: it has a value; false: it is null.",
    "attribute_type": "A value of this type.",
    "size": "A text of this length.",
    "and_": "All of these hold.",
    "or_": "One of these holds.",
    "not_": "This does not hold.",
}
# GraphQL names that are keywords in Python.
GRAPHQL_NAMES = {"in_": "in", "and_": "and", "or_": "or", "not_": "not"}

OperatorsOf = Callable[[Any], type | None]
# Every input type by its name: many filters use the same ones.
_INPUT_TYPES: dict[str, type] = {}


def list_filter(record: type) -> Any:
    """The input type that filters a list of these records by their plain fields."""
    name = f"Model{record.__name__}FilterInput"
    rule = "Of several operators on one field, all hold."
    return _filter_type(name, record, _list_operators, CONNECTIVES, rule)


def condition(record: type) -> Any:
    """The input type of a condition under which a record is created, changed or deleted."""
    name = f"Model{record.__name__}ConditionInput"
    rule = "Of several operators on one field, all hold."
    return _filter_type(name, record, _list_operators, CONNECTIVES, rule, left_out=("id",))


def subscription_filter(record: type) -> Any:
    name = f"ModelSubscription{record.__name__}FilterInput"
    rule = "Of several operators on one field, one holds: as AppSync has it, other than in lists."
    return _filter_type(name, record, _subscription_operators, ("and_", "or_"), rule)


def sort_key_condition() -> Any:
    """The input type of a condition on the sort key of an index."""
    hints = _operand_hints(str, ("eq", "le", "lt", "ge", "gt", "between", "begins_with"))
    return _operators_type("ModelStringKeyConditionInput", hints)


def sort_key_range(condition: Any, *, field: str) -> tuple[str | None, str | None]:
    """The smallest and the largest value that can match. `field`: the argument."""
    if condition is None or condition is UNSET:
        return None, None
    _check_operators(condition, field)
    given = dict(sent_not_null(condition))
    first, last = given.get("between", (None, None))
    exact = given.get("eq")
    lower = [each for each in (exact, first, given.get("ge"), given.get("gt")) if each is not None]
    upper = [each for each in (exact, last, given.get("le"), given.get("lt")) if each is not None]
    return max(lower, default=None), min(upper, default=None)


def _filter_type(
    name: str,
    record: type,
    operators_of: OperatorsOf,
    connectives: tuple[str, ...],
    rule: str,
    *,
    left_out: tuple[str, ...] = (),
) -> type:
    if name in _INPUT_TYPES:
        return _INPUT_TYPES[name]
    filter_type = type(name, (), {})
    fields = [
        field
        for field in fields_with_added(record)
        if not field.arguments and field.python_name not in left_out
    ]
    hints: dict[str, Any] = {
        field.python_name: operators for field in fields if (operators := operators_of(field.type))
    }
    names = {field.python_name: field.graphql_name for field in fields}
    # A filter holds filters of its own type.
    for connective in connectives:
        hints[connective] = filter_type if connective == "not_" else list[filter_type]  # type: ignore[valid-type]
    limits = f"At most {MAX_DEPTH} deep, and {MAX_PARTS} parts in all."
    _INPUT_TYPES[name] = _as_input(filter_type, hints, f"{rule} {limits}", names)
    return filter_type


def _list_operators(annotation: Any) -> type | None:
    plain = plain_type(annotation)
    if isinstance(plain, StrawberryEnumDefinition):
        return _enum_operators(plain, is_list=is_list(annotation))
    scalar = SCALAR_NAMES.get(plain)
    if scalar is None:
        return None
    hints = _operand_hints(plain, OPERATORS_OF_SCALAR.get(scalar, ORDERING))
    hints |= {"attribute_exists": bool, "attribute_type": ModelAttributeTypes}
    if scalar in ("String", "ID"):
        hints["size"] = _operators_type("ModelSizeInput", _operand_hints(int, ORDERING))
    return _operators_type(f"Model{scalar}Input", hints)


def _enum_operators(enum: StrawberryEnumDefinition, *, is_list: bool) -> type:
    value: Any = enum.wrapped_cls
    if not is_list:
        return _operators_type(f"Model{enum.name}Input", dict.fromkeys(EQUALITY, value))
    hints = dict.fromkeys(EQUALITY, list[value]) | dict.fromkeys(MEMBERSHIP, value)
    return _operators_type(f"Model{enum.name}ListInput", hints)


def _subscription_operators(annotation: Any) -> type | None:
    plain = plain_type(annotation)
    if isinstance(plain, StrawberryEnumDefinition):
        plain = str
    scalar = SCALAR_NAMES.get(plain)
    if scalar is None:
        return None
    operators = OPERATORS_OF_SCALAR.get(scalar, ORDERING)
    membership = () if operators is EQUALITY else ("in_", "not_in")
    hints = _operand_hints(plain, (*operators, *membership))
    return _operators_type(f"ModelSubscription{scalar}Input", hints)


def plain_type(annotation: Any) -> Any:
    """The type of the field or, for a list, of its items, to which `contains` applies."""
    while isinstance(annotation, StrawberryOptional | StrawberryList):
        annotation = annotation.of_type
    while hasattr(annotation, "__supertype__") and annotation is not strawberry.ID:
        annotation = annotation.__supertype__
    return annotation


def is_list(annotation: Any) -> bool:
    while isinstance(annotation, StrawberryOptional):
        annotation = annotation.of_type
    return isinstance(annotation, StrawberryList)


def _operand_hints(kind: Any, operators: tuple[str, ...]) -> dict[str, Any]:
    return {each: list[kind | None] if each in LIST_OPERATORS else kind for each in operators}


def _operators_type(name: str, hints: dict[str, Any]) -> type:
    if name not in _INPUT_TYPES:
        about = "Comparisons; those that are left out do not count."
        _INPUT_TYPES[name] = _as_input(type(name, (), {}), hints, about, {})
    return _INPUT_TYPES[name]


def _as_input(
    cls: type, hints: dict[str, Any], description: str | None, names: Mapping[str, str | None]
) -> type:
    """Makes `cls` an input type whose fields may all be left out. `names`: those in GraphQL that
    do not follow from the names in Python."""
    cls.__annotations__ = {name: hint | None for name, hint in hints.items()}
    for name in hints:
        graphql_name = names.get(name) or GRAPHQL_NAMES.get(name)
        about = DESCRIPTIONS.get(name, f"Of {graphql_name or to_camel_case(name)}.")
        field = strawberry.field(name=graphql_name, default=UNSET, description=about)
        setattr(cls, name, field)
    return strawberry.input(cls, name=cls.__name__, description=description)


def check_filter(filter: Any, *, field: str = "filter") -> None:
    """Refuses a filter that is too large or malformed. Called before anything is filtered: if not,
    a subscription would report the mistake only with its first event. `field`: the argument."""
    if filter is not None and filter is not UNSET and _count_parts(filter, field) > MAX_PARTS:
        raise BadInput(f"A {field} has at most {MAX_PARTS} parts.", field=field)


def _count_parts(filter: Any, field: str, depth: int = 1) -> int:
    """The number of parts at all depths: fields, and filters in `and`, `or` and `not`."""
    if depth > MAX_DEPTH:
        raise BadInput(f"A {field} is at most {MAX_DEPTH} deep.", field=field)
    count = 0
    for name, part in sent_not_null(filter):
        if name in CONNECTIVES:
            inner = part if isinstance(part, list) else [part]
            count += len(inner) + sum(_count_parts(each, field, depth + 1) for each in inner)
        else:
            _check_operators(part, f"{field}.{to_camel_case(name)}")
            count += 1
    return count


def _check_operators(operators: Any, field: str) -> None:
    name = field.rpartition(".")[2]
    for operator, operand in sent(operators):
        if operator == "size" and operand is not None:
            _check_operators(operand, field)
        if operator == "between" and len(operand or []) != 2:
            raise BadInput(f"{name}: between takes two values.", field=field)
        if isinstance(operand, list) and len(operand) > MAX_PARTS:
            raise BadInput(f"{name}: at most {MAX_PARTS} values.", field=field)


def sent_not_null(filter: Any) -> Iterator[tuple[str, Any]]:
    """A field, `and` or `or` that is null counts as left out; an operator's null is a value."""
    return (pair for pair in sent(filter) if pair[1] is not None)


def sent(fields: Any) -> Iterator[tuple[str, Any]]:
    return (pair for pair in vars(fields).items() if pair[1] is not UNSET)
