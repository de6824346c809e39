"""The schema explains itself: everything in it has a description, with the limits of its rule."""

from collections.abc import Iterator
from enum import Enum
from typing import Any

import pytest
from graphql import (
    GraphQLEnumType,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLObjectType,
    is_specified_scalar_type,
)

from app.core.enums import enum_type
from app.web.schema import build_schema, export_schema

SCHEMA = build_schema()._schema


def elements() -> Iterator[tuple[str, str | None]]:
    """Everything that can be described, with its description."""
    for name, kind in SCHEMA.type_map.items():
        if name.startswith("__") or is_specified_scalar_type(kind):
            continue
        yield name, kind.description
        if isinstance(kind, GraphQLEnumType):
            yield from (
                (f"{name}.{each}", value.description) for each, value in kind.values.items()
            )
        elif isinstance(kind, GraphQLInputObjectType):
            yield from (
                (f"{name}.{each}", given.description) for each, given in kind.fields.items()
            )
        elif isinstance(kind, GraphQLObjectType | GraphQLInterfaceType):
            for each, field in kind.fields.items():
                yield f"{name}.{each}", field.description
                for argument, taken in field.args.items():
                    yield f"{name}.{each}({argument}:)", taken.description


def _inside(name: str, parts: dict[str, Any]) -> Iterator[tuple[str, str | None]]:
    return ((f"{name}.{each}", part.description) for each, part in parts.items())


def test_everything_has_a_description() -> None:
    found = dict(elements())
    assert len(found) > 3_000
    assert [name for name, description in found.items() if not description] == []


@pytest.mark.parametrize(
    ("type_name", "field", "ending"),
    [
        ("CreateTaskInput", "title", " 1 to 200 characters."),
        ("CreateTaskInput", "size", " 0 to 100,000."),
        ("CreateTaskInput", "tags", " At most 10 entries."),
        ("CreateQuestInput", "rewardXp", " 10 to 10,000."),
        ("UpdateTasksInput", "ids", " 1 to 25 entries."),
    ],
)
def test_limits_are_those_of_the_rule(type_name: str, field: str, ending: str) -> None:
    kind = SCHEMA.type_map[type_name]
    assert isinstance(kind, GraphQLInputObjectType)
    description = kind.fields[field].description or ""
    assert description.endswith(ending)
    assert description.count(ending.strip()) == 1


def test_an_input_field_means_what_the_records_field_means() -> None:
    task, given = SCHEMA.type_map["Task"], SCHEMA.type_map["CreateTaskInput"]
    assert isinstance(task, GraphQLObjectType)
    assert isinstance(given, GraphQLInputObjectType)
    assert given.fields["notes"].description == (
        f"{task.fields['notes'].description} At most 50,000 characters."
    )


def test_what_may_be_left_out_has_no_null_for_a_default() -> None:
    assert "= null" not in export_schema()


def test_a_value_without_a_description_is_refused() -> None:
    with pytest.raises(TypeError, match="Light: describe each value once: RED"):

        @enum_type("A light.", GREEN="Go.")
        class Light(Enum):
            GREEN = "GREEN"
            RED = "RED"


def test_a_deprecated_argument_says_what_to_use() -> None:
    deprecated = {
        f"{name}({argument}:)": taken.deprecation_reason
        for name, field in SCHEMA.mutation_type.fields.items()  # type: ignore[union-attr]
        for argument, taken in field.args.items()
        if taken.deprecation_reason
    }
    assert deprecated == {
        "quickAddTask(text:)": "Send input: {text: …} instead.",
        "refreshCharacter(name:)": "Send input: {name: …} instead.",
    }
