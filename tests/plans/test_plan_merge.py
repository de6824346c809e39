"""Two clients change one day: merged field by field, or the conflicts as data."""

import asyncio
from typing import Any

import pytest

from app.domains.plans.rules.plan_merge import merge_days
from app.domains.plans.types import Block, DayPlan, MergeSide, Todo
from app.table.gateway import Gateway
from tests.api import Person
from tests.plans.operations import HEALTH, add, commit
from tests.plans.test_plans import (
    COMPLETE,
    CONTENT,
    FRIDAY,
    HISTORY,
    block,
    commit_plan,
    plan,
    planned,
    todo,
)
from tests.plans.test_values import items

MERGE = (
    """
mutation ($input: CommitPlanInput!) {
  commitPlan(input: $input) {
    ...Plan conflicts { actionId blockId field base ours theirs }
  }
}
"""
    + CONTENT
)


def day(*ids: str, **notes: str | None) -> DayPlan:
    return DayPlan(tuple(Todo(action_id=each, notes=notes.get(each)) for each in ids))


def meeting(title: str | None = None, start: str = "09:00", kind: str = "MEETING") -> DayPlan:
    at = f"2026-01-23T{start}:00.000Z"
    end = "2026-01-23T12:00:00.000Z"
    return DayPlan((), (Block(id="m", block_type=kind, start=at, end=end, title=title),))


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged"),
    [
        (day("a"), day("a"), day("a", "b"), day("a", "b")),
        (day("a"), day("a", "b"), day("a"), day("a", "b")),
        (day("a"), day("a", "b"), day("a", "c"), day("a", "b", "c")),
        (day("a", "b"), day("a"), day("a", "b"), day("a")),
        (day("a", "b"), day("a", "b"), day("b"), day("b")),
        (day("a", "b"), day("b", "a"), day("a", "b", "c"), day("b", "c", "a")),
        (day("a", "b"), day("a", "b", a="x"), day("a", "b", b="y"), day("a", "b", a="x", b="y")),
        (day("a"), day("a", a="x"), day("a", a="x"), day("a", a="x")),
        (day(), day("a", a="x"), day("a", a="x"), day("a", a="x")),
        (meeting(), meeting("t"), meeting(start="10:00"), meeting("t", "10:00")),
        (meeting(), DayPlan(), meeting(), DayPlan()),
        (DayPlan(), meeting("t"), DayPlan(), meeting("t")),
    ],
)
def test_what_only_one_side_changed_is_taken(
    base: DayPlan, ours: DayPlan, theirs: DayPlan, merged: DayPlan
) -> None:
    assert merge_days(base, ours, theirs, {}) == (merged, [])


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "clash"),
    [
        (day("a"), day("a", a="x"), day("a", a="y"), ("todo#a", "notes", None, "x", "y")),
        (day(), day("a", a="x"), day("a", a="y"), ("todo#a", "notes", None, "x", "y")),
        (day("a"), day(), day("a", a="y"), ("todo#a", "exists", "true", "false", "true")),
        (day("a"), day("a", a="x"), day(), ("todo#a", "exists", "true", "true", "false")),
        (
            day("a", "b", "c"),
            day("b", "a", "c"),
            day("a", "c", "b"),
            ("", "order", "a,b,c", "b,a,c", "a,c,b"),
        ),
        (meeting(), meeting("x"), meeting("y"), ("block#m", "title", None, "x", "y")),
        (meeting(), DayPlan(), meeting("y"), ("block#m", "exists", "true", "false", "true")),
        (
            meeting(),
            meeting(kind="BREAK"),
            meeting(kind="BUFFER"),
            ("block#m", "blockType", "MEETING", "BREAK", "BUFFER"),
        ),
    ],
)
def test_what_both_sides_changed_is_a_conflict(
    base: DayPlan, ours: DayPlan, theirs: DayPlan, clash: tuple[str, str, Any, Any, Any]
) -> None:
    _, found = merge_days(base, ours, theirs, {})
    shown = [(each.node, each.field, each.base, each.ours, each.theirs) for each in found]
    assert shown == [clash]
    for side, wanted in ((MergeSide.OURS, ours), (MergeSide.THEIRS, theirs)):
        merged, left = merge_days(base, ours, theirs, {clash[:2]: side})
        assert (merged, left) == (wanted, [])


async def merge(person: Person, seen: str | None, **more: object) -> dict[str, Any]:
    wanted = {"date": FRIDAY, "expectedHead": seen, "merge": True, **more}
    done: dict[str, Any] = (await person.gql(MERGE, input=wanted))["commitPlan"]
    return done


async def prepared(person: Person) -> str:
    await commit(person, *HEALTH, add("eat", driverId="health"))
    done = await commit_plan(
        person, todos=[todo("run"), todo("sleep")], blocks=[block("09:00", "10:00", id="m")]
    )
    return str(done["revision"]["id"])


async def test_a_merge_records_both_parents(ada: Person) -> None:
    seen = await prepared(ada)
    theirs = await commit_plan(ada, todos=[todo("run", notes="far"), todo("sleep"), todo("eat")])
    head = theirs["revision"]["id"]
    late = [block("09:00", "10:00", id="m", title="Stand-up")]
    done = await merge(ada, seen, todos=[todo("sleep"), todo("run")], blocks=late)
    assert done["conflicts"] == []
    assert done["revision"]["parentIds"] == [head, seen]
    assert planned(done) == ["sleep", "eat", "run"]
    assert done["todos"][2]["notes"] == "far"
    assert done["blocks"][0]["title"] == "Stand-up"
    assert (await plan(ada))["revision"]["parentIds"] == [head, seen]


async def test_what_was_completed_meanwhile_stays_completed(ada: Person) -> None:
    seen = await prepared(ada)
    await ada.gql(COMPLETE, input={"actionId": "run", "date": FRIDAY})
    done = await merge(ada, seen, todos=[todo("run", notes="far"), todo("sleep")])
    assert (done["todos"][0]["notes"], done["warnings"]) == ("far", [])
    assert done["todos"][0]["completedAt"] is not None


async def test_conflicts_are_data_and_can_be_resolved(ada: Person, table: Gateway) -> None:
    seen = await prepared(ada)
    moved = [block("11:00", "12:00", id="m")]
    await commit_plan(ada, todos=[todo("run", notes="theirs"), todo("sleep")], blocks=moved)
    before = await items(table, ada, f"#PLAN#{FRIDAY}")
    wanted: dict[str, Any] = {
        "todos": [todo("run", notes="ours"), todo("sleep")],
        "blocks": [block("13:00", "14:00", id="m")],
        "idempotencyKey": "k",
    }
    stopped = await merge(ada, seen, **wanted)
    assert stopped["conflicts"] == [
        {
            "actionId": "run",
            "blockId": None,
            "field": "notes",
            "base": None,
            "ours": "ours",
            "theirs": "theirs",
        },
        {
            "actionId": None,
            "blockId": "m",
            "field": "time",
            "base": f"{FRIDAY}T09:00:00.000Z,{FRIDAY}T10:00:00.000Z",
            "ours": f"{FRIDAY}T13:00:00.000Z,{FRIDAY}T14:00:00.000Z",
            "theirs": f"{FRIDAY}T11:00:00.000Z,{FRIDAY}T12:00:00.000Z",
        },
    ]
    assert stopped["todos"][0]["notes"] == "theirs", "the plan at the head"
    assert await items(table, ada, f"#PLAN#{FRIDAY}") == before
    choices = [
        {"actionId": "run", "field": "notes", "take": "OURS"},
        {"blockId": "m", "field": "time", "take": "THEIRS"},
    ]
    done = await merge(ada, seen, **wanted, resolve=choices)
    assert (done["conflicts"], done["todos"][0]["notes"]) == ([], "ours")
    assert done["blocks"][0]["startTimeIso"] == f"{FRIDAY}T11:00:00.000Z"


async def test_a_merge_is_checked_again(ada: Person) -> None:
    """Each side is sound; together two meetings overlap."""
    seen = await prepared(ada)
    kept = block("09:00", "10:00", id="m")
    await commit_plan(ada, blocks=[kept, block("11:00", "12:00", id="theirs")])
    late = {
        "date": FRIDAY,
        "expectedHead": seen,
        "merge": True,
        "blocks": [kept, block("11:30", "12:30", id="ours")],
    }
    assert (await ada.refused(MERGE, input=late)).code == "BLOCKS_OVERLAP"


async def test_merging_with_a_day_that_had_no_plan(ada: Person) -> None:
    await prepared(ada)
    done = await merge(ada, None, todos=[todo("eat")])
    assert planned(done) == ["eat", "run", "sleep"], "the first of ours has no neighbour before it"


async def test_an_unknown_revision_is_not_found(ada: Person) -> None:
    await prepared(ada)
    unknown = {"date": FRIDAY, "expectedHead": "01ARZ3NDEKTSV4RRFFQ69G5FAV", "todos": []}
    assert (await ada.refused(MERGE, input=unknown)).code == "CONFLICT"
    assert (await ada.refused(MERGE, input=unknown | {"merge": True})).code == "NOT_FOUND"


async def test_twenty_merges_at_once_all_count(ada: Person) -> None:
    actions = [add(f"a{number}", driverId="d") for number in range(20)]
    await commit(ada, add("d", "DRIVER"), *actions)
    seen = (await commit_plan(ada, todos=[]))["revision"]["id"]
    await asyncio.gather(*(merge(ada, seen, todos=[todo(f"a{n}")]) for n in range(20)))
    assert sorted(planned(await plan(ada))) == sorted(f"a{number}" for number in range(20))
    history = (await ada.gql(HISTORY, date=FRIDAY, limit=100))["planHistory"]["items"]
    assert len(history) == 21
