"""What does not fit its type is refused with its field, for a form, in our own words."""

from typing import Any

import pytest

from tests.api import Person

CREATE = "mutation ($wanted: CreateTaskInput!) { createTask(input: $wanted) { id } }"
INTEGER = "must be a whole number from -2147483648 to 2147483647"
DATE = "it must look like YYYY-MM-DD, an offset may follow. Example: 2026-01-10"

VARIABLES: list[tuple[Any, str, str]] = [
    ({"title": "t", "dueDate": "soon"}, "input.dueDate", f"cannot be 'soon': {DATE}"),
    ({"title": 5}, "input.title", "must be a string, not '5'."),
    ({"title": None}, "input.title", "cannot be null."),
    ({}, "input.title", "is required."),
    (None, "input", "cannot be null."),
    (5, "input", "must be an object, not '5'."),
    ({"title": "t", "size": "big"}, "input.size", f"{INTEGER}, not 'big'."),
    ({"title": "t", "size": 2**40}, "input.size", f"{INTEGER}, not '{2**40}'."),
    (
        {"title": "t", "priority": "P9"},
        "input.priority",
        "must be one of P1, P2, P3, P4, not 'P9'.",
    ),
    ({"title": "t", "tags": ["a", 5]}, "input.tags.1", "must be a string, not '5'."),
    (
        {"title": "t", "titel": "u"},
        "input.titel",
        "is not a field of CreateTaskInput. Did you mean title?",
    ),
    (
        {"title": "t", "recurrenceRule": {"frequency": "SOMETIMES"}},
        "input.recurrenceRule.frequency",
        "must be one of DAILY, WEEKLY, MONTHLY, YEARLY, not 'SOMETIMES'.",
    ),
    # These two fit their type; the rules of the input refuse them, in the same form.
    ({"title": ""}, "input.title", "cannot be empty."),
    ({"title": "t", "size": -1}, "input.size", "must be at least 0."),
]


@pytest.mark.parametrize(("wanted", "field", "message"), VARIABLES)
async def test_a_variable_names_the_field_that_is_wrong(
    ada: Person, wanted: Any, field: str, message: str
) -> None:
    failed = await ada.refused(CREATE, wanted=wanted)
    assert failed.errors[0]["message"] == f"{field}: {message}"
    assert failed.info == {
        "code": "BAD_INPUT",
        "field": field,
        "fields": [{"field": field, "message": message}],
    }
    assert (await ada.gql("{ tasks { items { id } } }"))["tasks"]["items"] == []


async def test_every_field_that_is_wrong_is_named_at_once(ada: Person) -> None:
    failed = await ada.refused(CREATE, wanted={"dueDate": "soon", "size": "big"})
    fields = [each["field"] for each in failed.info["fields"]]
    assert sorted(fields) == ["input.dueDate", "input.size", "input.title"]
    assert failed.info["field"] == fields[0]


async def test_a_variable_that_is_missing_is_named_by_its_argument(ada: Person) -> None:
    failed = await ada.refused("query ($most: Int!) { tasks(limit: $most) { nextToken } }")
    assert failed.errors[0]["message"] == "limit: is required."
    assert failed.info["field"] == "limit"


LITERALS = [
    ('{title: "t", dueDate: "soon"}', "input.dueDate", f"cannot be 'soon': {DATE}"),
    ('{title: "t", size: "big"}', "input.size", f"{INTEGER}, not 'big'."),
    ('{title: "t", tags: ["a", 5]}', "input.tags.1", "must be a string, not '5'."),
    ("{}", "input.title", "is required."),
    (
        '{title: "t", priority: "P1"}',
        "input.priority",
        "must be one of P1, P2, P3, P4, without quotes.",
    ),
    (
        '{title: "t", titel: 1}',
        "input.titel",
        "is not a field of CreateTaskInput. Did you mean title?",
    ),
]


@pytest.mark.parametrize(("wanted", "field", "message"), LITERALS)
async def test_a_literal_names_the_field_that_is_wrong(
    ada: Person, wanted: str, field: str, message: str
) -> None:
    failed = await ada.refused(f"mutation {{ createTask(input: {wanted}) {{ id }} }}")
    assert failed.errors[0]["message"] == f"{field}: {message}"
    assert failed.info["field"] == field
    assert failed.errors[0]["locations"] != []


WRONG_VARIABLE = "Variable '$size' of type 'String' used in position expecting type 'Int'."


@pytest.mark.parametrize(
    ("wanted", "field", "message"),
    [
        ('{title: "t", size: $size}', None, WRONG_VARIABLE),
        ("{titel: 1, size: $size}", "input.title", "input.title: is required."),
    ],
)
async def test_a_literal_with_a_variable_inside(
    ada: Person, wanted: str, field: str | None, message: str
) -> None:
    query = f"mutation ($size: String) {{ createTask(input: {wanted}) {{ id }} }}"
    failed = await ada.refused(query, size="5")
    assert {each["extensions"]["code"] for each in failed.errors} == {"GRAPHQL_VALIDATION_FAILED"}
    told = {each["message"]: each["extensions"].get("field") for each in failed.errors}
    assert told[message] == field
