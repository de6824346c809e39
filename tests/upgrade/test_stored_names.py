"""No name that an earlier release knew has vanished or become another one."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.upgrade.comparison import losses
from tests.upgrade.names import present_names

FILES = sorted(Path(__file__).parent.glob("stored-names-*.json"))


@pytest.fixture(scope="module")
def present() -> dict[str, Any]:
    return present_names()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_nothing_is_lost(file: Path, present: dict[str, Any]) -> None:
    assert losses(json.loads(file.read_text()), present) == []


def schema(**types: Any) -> dict[str, Any]:
    return {"schema": {"types": types}}


def one_field(kind: str, **arguments: str) -> dict[str, Any]:
    return {"fields": {"goal": {"type": kind, "arguments": arguments}}}


def test_a_name_that_is_gone_is_found() -> None:
    old = {"entities": {"Goal": {"attributes": ["id", "title"]}, "Task": {}}}
    new = {"entities": {"Goal": {"attributes": ["id", "name"]}}}
    assert losses(old, new) == ["entities: no Task", "entities.Goal.attributes: no title"]


def test_what_was_added_is_no_loss() -> None:
    old = schema(Goal=one_field("Goal", id="ID!"))
    new = schema(Goal=one_field("Goal", id="ID!", limit="Int! = 20", tag="String"), Task={})
    assert losses(old, new) == []


def test_a_field_of_a_root_may_become_nullable_and_no_other() -> None:
    strict, nullable = one_field("Goal!"), one_field("Goal")
    assert losses(schema(Query=strict), schema(Query=nullable)) == []
    assert losses(schema(Goal=strict), schema(Goal=nullable)) == [
        "schema.types.Goal.fields.goal.type: Goal! became Goal"
    ]
    assert losses(schema(Query=nullable), schema(Query=strict)) == [
        "schema.types.Query.fields.goal.type: Goal became Goal!"
    ]


def test_the_letter_case_may_cease_to_count_in_an_index_only() -> None:
    old = {"entities": {"Goal": {"keys": {"table": "A#{a} / B", "GSI3": "A#{a} / B"}}}}
    new = {"entities": {"Goal": {"keys": {"table": "A#{a} / B", "GSI3": "A#{a:folded} / B"}}}}
    assert losses(old, new) == []
    assert losses(new, old) == ["entities.Goal.keys.GSI3: A#{a:folded} / B became A#{a} / B"]
    new["entities"]["Goal"]["keys"]["table"] = "A#{a:folded} / B"
    assert losses(old, new) == ["entities.Goal.keys.table: A#{a} / B became A#{a:folded} / B"]


def test_a_number_may_become_larger_where_it_is_intended() -> None:
    def progress(kind: str, name: str) -> dict[str, Any]:
        return schema(**{name: {"fields": {"progressValue": {"type": kind, "arguments": {}}}}})

    old, new = (progress(kind, "ProgressRecord") for kind in ("Int!", "Float!"))
    assert losses(old, new) == []
    assert len(losses(old, progress("Float", "ProgressRecord"))) == 1
    assert len(losses(progress("Int!", "Other"), progress("Float!", "Other"))) == 1


def test_what_callers_must_say_now_is_found() -> None:
    old, new = schema(Query=one_field("Goal")), schema(Query=one_field("Goal", id="ID!"))
    assert losses(old, new) == ["schema.types.Query.fields.goal.arguments: id is required"]
    inputs: dict[str, Any] = {"schema": {"inputs": {"GoalInput": {}}}}
    added = {"schema": {"inputs": {"GoalInput": {"id": "ID!", "size": "Int! = 1"}}}}
    assert losses(inputs, added) == ["schema.inputs.GoalInput: id is required"]
