"""Descriptions that follow from something else, so that they are written once: an input field means
what the record's field means, and its limits are those of the rule that checks it."""

from copy import copy
from typing import Any, get_type_hints

from strawberry import UNSET
from strawberry.types import get_object_definition, has_object_definition
from strawberry.types.base import StrawberryContainer, StrawberryObjectDefinition
from strawberry.types.field import StrawberryField
from strawberry.utils.str_converters import to_camel_case

from app.core.constraints import constraints_of
from app.core.inputs import Input

# Fields and arguments that mean the same everywhere.
COMMON = {
    "id": "Its id.",
    "company_id": "The company.",
    "goal_id": "The goal.",
    "habit_id": "The habit.",
    "message_id": "The message.",
    "metric_id": "The metric.",
    "project_id": "The project.",
    "quest_id": "The quest.",
    "revision_id": "The id of a revision.",
    "room_id": "The room.",
    "task_id": "The task.",
    "thread_id": "The thread.",
    "user_id": "The user.",
    "idempotency_key": "1 to 128 letters, digits or _.:-. A request that is repeated with the same "
    "key within 30 days has no further effect and gets the first answer.",
    "expected_version": "The version that you have read. If the record has another one, nothing is "
    "changed and the answer is CONFLICT.",
}

# Arguments of lists and look-ups.
ARGUMENTS = COMMON | {
    "area": "Only those of this area; letter case does not matter.",
    "category": "Only those of this category.",
    "category_id": "Only those of this category.",
    "creator_id": "The user who created them.",
    "date": "The day, in your time zone.",
    "due_on": "Only those that are due on this day.",
    "email": "The e-mail address; letter case does not matter.",
    "ids": "Their ids.",
    "filter": "Only those that meet all of its conditions.",
    "name": "Its name; letter case does not matter.",
    "nickname": "The nickname; letter case does not matter.",
    "node_id": "The node.",
    "order_by": "How they are sorted.",
    "performer_id": "The user who performs them.",
    "status": "Only those with this status.",
    "text": "As it is typed.",
    "type": "Only those of this type.",
    "tag": "Only those with this tag.",
    "time_horizon": "Only those of this time horizon.",
}

_RECORD_OF_INPUT: dict[type, type] = {}


def describe_root_field(field: StrawberryField) -> None:
    """Remembers which record a mutation's input is about, and describes its `input`."""
    answer = _named(field.type)
    for argument in field.arguments:
        given = _named(argument.type)
        if not _is_input(given):
            continue
        text = f"What {_field_name(field)} takes."
        argument.description = argument.description or text
        definition = get_object_definition(given, strict=True)
        definition.description = definition.description or text
        if has_object_definition(answer):
            _RECORD_OF_INPUT.setdefault(given, answer)


def describe_arguments(field: StrawberryField) -> StrawberryField:
    """An argument that may be left out has no default in the schema: null would only repeat it."""
    for argument in field.arguments:
        argument.description = argument.description or ARGUMENTS.get(argument.python_name)
        if argument.default is None:
            argument.default = UNSET
    return field


def describe_input_fields(definition: StrawberryObjectDefinition) -> list[StrawberryField]:
    record = _RECORD_OF_INPUT.get(definition.origin)
    fields = get_object_definition(record, strict=True).fields if record else []
    known = COMMON | {each.python_name: each.description for each in fields if each.description}
    hints = get_type_hints(definition.origin, include_extras=True)
    return [
        _described(field, known.get(field.python_name), hints.get(field.python_name))
        for field in definition.fields
    ]


def _described(field: StrawberryField, inherited: str | None, hint: Any) -> StrawberryField:
    text = field.description or inherited
    if text is None:
        return field
    described = copy(field)
    described.description = f"{text} {constraints_of(hint)}".rstrip()
    return described


def _field_name(field: StrawberryField) -> str:
    return field.graphql_name or to_camel_case(field.python_name)


def _named(kind: Any) -> Any:
    while isinstance(kind, StrawberryContainer):
        kind = kind.of_type
    return kind


def _is_input(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Input)
