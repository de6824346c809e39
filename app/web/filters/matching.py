"""Whether a record matches a filter.

Several operators on one field: in a list all must hold, in a subscription one is enough, as in
AppSync. Different fields, `and`, `or` and `not` must all hold.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from inspect import isawaitable
from typing import Any, TypeVar

from strawberry.types.field import StrawberryField

from app.graph.context import Info
from app.graph.fields import fields_with_added
from app.web.filters.types import CONNECTIVES, UNSET, sent, sent_not_null

R = TypeVar("R")

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "eq": lambda value, operand: _equals(value, operand),
    "ne": lambda value, operand: not _equals(value, operand),
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
    "attribute_type": lambda value, operand: _stored_type(value) == operand,
    "size": lambda value, operand: all(
        _holds(name, len(value), each) for name, each in sent(operand)
    ),
}
Combine = Callable[[Iterable[bool]], bool]
KnownValues = Mapping[str, Any]
NO_VALUES: KnownValues = {}
_COMPUTED_FIELDS: dict[type, dict[str, StrawberryField]] = {}
# The types of DynamoDB, by those of Python. A bool is an int too, so it comes first.
STORED_TYPES = ((bool, "bool"), (int | float | Decimal, "number"), (str, "string"), (list, "list"))


async def choose_matching(
    info: Info, records: Sequence[R], filter: Any, *, combine: Combine = any
) -> list[bool]:
    """For each record whether it matches. KnownValues that take a service are asked for."""
    names = _fields_to_ask(filter, type(records[0])) if records else set()
    values = await asyncio.gather(*(_ask(info, each, names) for each in records))
    return [
        matches_filter(each, filter, combine=combine, values=known)
        for each, known in zip(records, values, strict=True)
    ]


def matches_filter(
    record: Any, filter: Any, *, combine: Combine = any, values: KnownValues = NO_VALUES
) -> bool:
    """`combine`: whether any or all of several operators on one field must hold. `values`: of the
    fields that take a service. Without them the answer is whether the record may match."""
    return _Match(record, combine, values).holds(filter, unknown=True)


@dataclass(frozen=True, slots=True)
class _Match:
    record: Any
    combine: Combine
    values: KnownValues

    def holds(self, filter: Any, *, unknown: bool) -> bool:
        """`unknown`: what counts for a field whose value is not known."""
        if filter is None or filter is UNSET:
            return True
        parts = sent_not_null(filter)
        return all(self._part_holds(name, part, unknown=unknown) for name, part in parts)

    def _part_holds(self, name: str, part: Any, *, unknown: bool) -> bool:
        if name == "and_":
            return all(self.holds(each, unknown=unknown) for each in part)
        if name == "or_":
            return any(self.holds(each, unknown=unknown) for each in part)
        if name == "not_":
            return not self.holds(part, unknown=not unknown)
        if name in self.values:
            return operators_hold(self.values[name], part, self.combine)
        field = _computed_fields(type(self.record)).get(name)
        if field is not None and _takes_service(field):
            return unknown
        return operators_hold(_read(self.record, name, field), part, self.combine)


def operators_hold(value: Any, part: Any, combine: Combine) -> bool:
    plain, operators = _comparable(value), list(sent(part))
    return not operators or combine(_holds(each, plain, operand) for each, operand in operators)


def _holds(operator: str, value: Any, operand: Any) -> bool:
    """False for values that cannot be compared, such as null."""
    try:
        return OPERATORS[operator](value, _comparable(operand))
    except TypeError:
        return False


def _comparable(value: Any) -> Any:
    if isinstance(value, list):
        return [_comparable(each) for each in value]
    return value.value if isinstance(value, Enum) else value


def _equals(value: Any, operand: Any) -> bool:
    """A list equals one of its values: so Amplify asks for the tasks of a goal."""
    if isinstance(value, list) and not isinstance(operand, list):
        return operand in value
    return bool(value == operand)


def _stored_type(value: Any) -> str:
    if value is None:
        return "_null"
    return next((name for kind, name in STORED_TYPES if isinstance(value, kind)), "map")


def _computed_fields(cls: type) -> dict[str, StrawberryField]:
    if cls not in _COMPUTED_FIELDS:
        fields = fields_with_added(cls)
        _COMPUTED_FIELDS[cls] = {each.python_name: each for each in fields if each.base_resolver}
    return _COMPUTED_FIELDS[cls]


def _takes_service(field: StrawberryField) -> bool:
    return bool(field.base_resolver and field.base_resolver.info_parameter)


def _read(record: Any, name: str, field: StrawberryField | None) -> Any:
    if field is None or field.base_resolver is None:
        return getattr(record, name)
    return field.base_resolver.wrapped_func(record)  # type: ignore[operator]


def _fields_to_ask(filter: Any, cls: type) -> set[str]:
    if filter is None or filter is UNSET:
        return set()
    computed, names = _computed_fields(cls), set[str]()
    for name, part in sent_not_null(filter):
        if name in CONNECTIVES:
            inner = part if isinstance(part, list) else [part]
            names.update(*(_fields_to_ask(each, cls) for each in inner))
        elif name in computed and _takes_service(computed[name]):
            names.add(name)
    return names


async def _ask(info: Info, record: Any, names: Iterable[str]) -> dict[str, Any]:
    computed = _computed_fields(type(record))
    values = {}
    for name in names:
        value: Any = computed[name].base_resolver.wrapped_func(record, info)  # type: ignore[union-attr,operator]
        values[name] = await value if isawaitable(value) else value
    return values
