"""Decisions of a single line each: empty ids, times in the future, archived actions of a plan."""

from datetime import UTC, datetime
from typing import Any

import pytest

from app.table.gateway import Gateway
from tests.api import Person
from tests.plans import operations
from tests.plans.operations import HEALTH, by_id, commit, tree
from tests.plans.test_plans import (
    COMMIT,
    COMPLETE,
    FRIDAY,
    SUGGEST,
    block,
    commit_plan,
    plan,
    planned,
    todo,
)
from tests.plans.test_values import items
from tests.servers import TestClock
from tests.travel import travel

EMPTY_IDS = [
    ('{ valuesTree(revisionId: "") { branch } }', "revisionId"),
    ('{ valuesTree(branch: "") { branch } }', "branch"),
    ('{ valuesTree { node(id: "") { id } } }', "id"),
    ('{ valuesHistory(branch: "") { items { id } } }', "branch"),
    ('{ valuesChildren(nodeId: "") { items { id } } }', "nodeId"),
    ('{ valuesChildren(nodeId: "health", revisionId: "") { items { id } } }', "revisionId"),
    ('{ valuesDiff(from: "") { added { id } } }', "from"),
    ('{ valuesDiff(to: "") { added { id } } }', "to"),
    ('{ dailyPlan(date: "2026-01-23", revisionId: "") { date } }', "revisionId"),
    ('{ planDiff(date: "2026-01-23", from: "") { reordered } }', "from"),
    ('{ planDiff(date: "2026-01-23", to: "") { reordered } }', "to"),
]
EMPTY_INPUTS = [
    ("RestoreValuesInput!", "restoreValues", {"revisionId": ""}),
    ("RestorePlanInput!", "restorePlan", {"date": FRIDAY, "revisionId": ""}),
    ("CreateValuesBranchInput!", "createValuesBranch", {"name": "b", "revisionId": ""}),
    ("UndoValuesInput", "undoValues", {"expectedHead": ""}),
    ("CompleteActionInput!", "completeAction", {"actionId": ""}),
    ("CommitPlanInput!", "commitPlan", {"date": FRIDAY, "todos": [{"actionId": ""}]}),
    ("CommitValuesInput!", "commitValues", {"operations": [{"archive": {"id": ""}}]}),
]


@pytest.mark.parametrize(("query", "field"), EMPTY_IDS)
async def test_an_empty_id_is_no_id(ada: Person, query: str, field: str) -> None:
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run")])
    refused = await ada.refused(query)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", field)


@pytest.mark.parametrize(("kind", "name", "sent"), EMPTY_INPUTS)
async def test_an_empty_id_in_an_input_changes_nothing(
    ada: Person, table: Gateway, kind: str, name: str, sent: dict[str, Any]
) -> None:
    await commit(ada, *HEALTH)
    before = await items(table, ada)
    query = f"mutation ($input: {kind}) {{ {name}(input: $input) {{ __typename }} }}"
    assert (await ada.refused(query, input=sent)).code == "BAD_INPUT"
    assert await items(table, ada) == before


@pytest.mark.parametrize(
    ("at", "accepted"),
    [
        ("2026-01-23T10:05:00.000Z", True),
        ("2026-01-23T10:05:00.001Z", False),
        ("2026-01-23T19:05:00+09:00", True),
        ("2026-01-23T10:06:00+00:00", False),
        ("2027-01-23T10:00:00Z", False),
        ("2025-01-23T10:00:00Z", True),
    ],
)
async def test_nothing_is_completed_in_the_future(
    ada: Person, table: Gateway, clock: TestClock, at: str, accepted: bool
) -> None:
    await travel(clock, datetime(2026, 1, 23, 10, tzinfo=UTC), ada)
    await commit(ada, *HEALTH)
    before = await items(table, ada)
    by_action = {"actionId": "run", "date": FRIDAY, "completedAt": at}
    by_commit = {"operations": [{"complete": {"id": "sleep", "completedAt": at}}]}
    if accepted:
        await ada.gql(COMPLETE, input=by_action)
        await ada.gql(operations.COMMIT, input=by_commit)
        nodes = by_id(await tree(ada))
        assert nodes["run"]["completedAt"] == nodes["sleep"]["completedAt"]
        return
    refused = await ada.refused(COMPLETE, input=by_action)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.completedAt")
    refused = await ada.refused(operations.COMMIT, input=by_commit)
    field = "input.operations.0.complete.completedAt"
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", field)
    assert await items(table, ada) == before
    assert await items(table, ada, f"#PLAN#{FRIDAY}") == {}


ARCHIVED = ["ACTION_ARCHIVED: run is not a live action any more."]


async def test_a_todo_whose_action_was_archived_stays_and_gives_a_warning(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run"), todo("sleep")])
    await commit(ada, {"archive": {"id": "run"}})
    with_block = await commit_plan(ada, blocks=[block("09:00", "10:00")])
    assert (planned(with_block), with_block["warnings"]) == (["run", "sleep"], ARCHIVED)
    changed = await commit_plan(ada, todos=[todo("sleep"), todo("run", notes="later")])
    assert (planned(changed), changed["todos"][1]["notes"]) == (["sleep", "run"], "later")
    assert changed["warnings"] == ARCHIVED
    suggested = (await ada.gql(SUGGEST, date=FRIDAY))["suggestBlocks"]
    assert [each["actionId"] for each in suggested["blocks"]] == ["sleep"]
    await ada.gql(COMPLETE, input={"actionId": "sleep", "date": FRIDAY})
    removed = await commit_plan(ada, todos=[todo("sleep")])
    assert (planned(removed), removed["warnings"]) == (["sleep"], [])


async def test_a_new_todo_must_be_live(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run")])
    await commit(ada, {"archive": {"id": "run"}})
    await commit_plan(ada, todos=[])
    before = (await plan(ada))["revision"]
    again = {"date": FRIDAY, "todos": [todo("sleep"), todo("run")]}
    refused = await ada.refused(COMMIT, input=again)
    facts = (refused.code, refused.info["field"], refused.info["actionId"])
    assert facts == ("ACTION_NOT_LIVE", "input.todos.1.actionId", "run")
    assert (await plan(ada))["revision"] == before


async def test_one_pomodoro_is_planned_once(ada: Person, table: Gateway) -> None:
    await commit(ada, *HEALTH)
    work: dict[str, Any] = {"kind": "POMODORO", "actionId": "run"}
    first = block("09:00", "09:25", pomodoroIndex=1, **work)
    wanted: dict[str, Any] = {
        "date": FRIDAY,
        "todos": [todo("run", estimatedPomodoros=2)],
        "blocks": [first, block("09:30", "09:55", pomodoroIndex=1, **work)],
    }
    refused = await ada.refused(COMMIT, input=wanted)
    facts = (refused.code, refused.info["field"])
    assert facts == ("BAD_INPUT", "input.blocks.1.pomodoroIndex")
    assert await items(table, ada, f"#PLAN#{FRIDAY}") == {}
    second = block("09:30", "09:55", pomodoroIndex=2, **work)
    done = await commit_plan(ada, todos=wanted["todos"], blocks=[first, second])
    assert [each["pomodoroIndex"] for each in done["blocks"]] == [1, 2]


async def test_blocks_are_suggested_around_breaks_and_pomodoros(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await commit_plan(
        ada,
        todos=[todo("run", estimatedPomodoros=2), todo("sleep")],
        blocks=[
            block("09:00", "09:25", "POMODORO", actionId="run", pomodoroIndex=1),
            block("09:30", "10:30", "BREAK", title="Breakfast"),
            block("10:30", "12:00", "BUFFER"),
        ],
    )
    found = (await ada.gql(SUGGEST, date=FRIDAY))["suggestBlocks"]
    assert [
        (each["blockType"], each["startTimeIso"][11:16], each["actionId"], each["pomodoroIndex"])
        for each in found["blocks"]
    ] == [
        ("POMODORO", "10:30", "run", 2),
        ("BREAK", "10:55", None, None),
        ("POMODORO", "11:00", "sleep", 1),
    ]
