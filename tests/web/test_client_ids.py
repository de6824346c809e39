"""Ids that clients choose: one refusal for one's own id and another's. Through HTTP."""

from typing import Any

import pytest

from app.web.schema import export_schema
from tests.api import Person

KINDS: dict[str, dict[str, Any]] = {
    "Task": {"title": "t"},
    "Goal": {"title": "g"},
    "Project": {"name": "p"},
    "Metric": {"name": "m"},
    "Habit": {"name": "h"},
    "Room": {"name": "r"},
}


def creation(kind: str) -> str:
    return (
        f"mutation ($input: Create{kind}Input!) {{ create{kind}(input: $input) {{ id version }} }}"
    )


@pytest.mark.parametrize("kind", KINDS)
async def test_an_id_in_use_is_refused_with_the_same_words(
    kind: str, ada: Person, bob: Person
) -> None:
    fields = {"id": f"chosen-{ada.nickname}", **KINDS[kind]}
    await ada.gql(creation(kind), input=fields)
    own = await ada.refused(creation(kind), input=fields)
    foreign = await bob.refused(creation(kind), input=fields)
    assert own.info == foreign.info
    assert own.errors[0]["message"] == foreign.errors[0]["message"]
    assert (own.code, own.info["field"]) == ("CONFLICT", "input.id")
    assert "ULID" in own.errors[0]["message"]


@pytest.mark.parametrize("kind", [*KINDS, "Quest"])
def test_the_schema_says_that_ids_are_global(kind: str) -> None:
    _, _, after = export_schema().partition(f"input Create{kind}Input {{")
    described = after.partition("\n}")[0]
    assert "also those of other users, so use a ULID or a UUID" in " ".join(described.split())
