"""Descriptions that follow from something else, so that they are written once: an input field means
what the record's field means, and its limits are those of the rule that checks it."""

from copy import copy
from typing import Any, get_type_hints

from strawberry.types import get_object_definition, has_object_definition
from strawberry.types.base import StrawberryContainer, StrawberryObjectDefinition
from strawberry.types.field import StrawberryField

from app.core.constraints import constraints_of
from app.core.inputs import Input

# The same in every input.
COMMON = {
    "idempotency_key": "1 to 128 letters, digits or _.:-. A request that is repeated with the same "
    "key within 30 days has no further effect and gets the first answer.",
    "expected_version": "The version that you have read. If the record has another one, nothing is "
    "changed and the answer is CONFLICT.",
}

_RECORD_OF_INPUT: dict[type, type] = {}


def describe_root_field(field: StrawberryField) -> None:
    """Remembers which record a mutation's input is about, and describes its `input`."""
    answer = _named(field.type)
    for argument in field.arguments:
        given = _named(argument.type)
        if _is_input(given):
            argument.description = argument.description or f"The values of {field.graphql_name}."
            if has_object_definition(answer):
                _RECORD_OF_INPUT.setdefault(given, answer)


def describe_input_fields(definition: StrawberryObjectDefinition) -> list[StrawberryField]:
    record = _RECORD_OF_INPUT.get(definition.origin)
    fields = get_object_definition(record, strict=True).fields if record else []
    known = {each.python_name: each.description for each in fields} | COMMON
    hints = get_type_hints(definition.origin, include_extras=True)
    return [
        _described(field, known.get(field.python_name), hints.get(field.python_name))
        for field in definition.fields
    ]


def _described(field: StrawberryField, inherited: str | None, hint: Any) -> StrawberryField:
    limits = str(constraints_of(hint))
    text = field.description or inherited
    described = copy(field)
    described.description = " ".join(part for part in (text, limits) if part) or None
    return described


def _named(kind: Any) -> Any:
    while isinstance(kind, StrawberryContainer):
        kind = kind.of_type
    return kind


def _is_input(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Input)
