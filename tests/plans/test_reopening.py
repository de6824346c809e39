"""A completion that is taken back reopens the todo in the plan of its day, in the same commit."""

import asyncio
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from app.domains.plans.inputs import UndoValuesInput
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Person
from tests.plans.faults import PowerCut, power_cut
from tests.plans.operations import HEALTH, add, by_id, commit, revisions, tree
from tests.plans.test_plans import (
    COMPLETE,
    FRIDAY,
    MONDAY,
    SATURDAY,
    commit_plan,
    plan,
    planned,
    roll,
    todo,
)
from tests.plans.test_plans import HISTORY as PLAN_HISTORY
from tests.plans.test_plans import RESTORE as RESTORE_PLAN
from tests.plans.test_task_links import COMPLETE_TASK, REOPEN_TASK, linked
from tests.plans.test_values import FINISH, RESTORE, UNDO
from tests.servers import TestClock
from tests.travel import travel

UPDATE_TASK = "mutation ($input: UpdateTaskInput!) { updateTask(input: $input) { id } }"


async def complete(person: Person, action: str = "run", day: str = FRIDAY, **more: object) -> None:
    await person.gql(COMPLETE, input={"actionId": action, "date": day, **more})


async def completed_at(person: Person, day: str = FRIDAY, action: str = "run") -> Any:
    todos = (await plan(person, day))["todos"]
    return next(each["completedAt"] for each in todos if each["actionId"] == action)


async def reasons(person: Person, day: str = FRIDAY) -> list[str]:
    found = await person.gql(PLAN_HISTORY, date=day, limit=100)
    return [each["reason"] for each in found["planHistory"]["items"]]


async def undo(person: Person, before: str) -> None:
    await person.gql(UNDO)


async def restore_revision(person: Person, before: str) -> None:
    await person.gql(RESTORE, input={"revisionId": before})


async def restore_one_node(person: Person, before: str) -> None:
    await person.gql(RESTORE, input={"revisionId": before, "nodeId": "run"})


async def reopen_by_operation(person: Person, before: str) -> None:
    await commit(person, {"reopen": {"id": "run"}})


async def reopen_in_a_review(person: Person, before: str) -> None:
    await person.gql(FINISH, input={"operations": [{"reopen": {"id": "run"}}]})


async def reopen_by_merge(person: Person, before: str) -> None:
    """The branch has the completion, and reopened it."""
    await person.gql('mutation { createValuesBranch(input: {name: "b"}) { name } }')
    await commit(person, {"reopen": {"id": "run"}}, branch="b")
    assert await completed_at(person), "a branch has no plans"
    await person.gql('mutation { mergeValuesBranch(input: {name: "b"}) { head } }')


async def the_task_of_run(person: Person) -> str:
    return str(by_id(await tree(person))["run"]["taskId"])


async def reopen_the_task(person: Person, before: str) -> None:
    await person.gql(REOPEN_TASK, id=await the_task_of_run(person))


async def set_the_task_back(person: Person, before: str) -> None:
    wanted = {"id": await the_task_of_run(person), "status": "InProgress"}
    await person.gql(UPDATE_TASK, input=wanted)


@pytest.mark.parametrize(
    "take_back",
    [
        undo,
        restore_revision,
        restore_one_node,
        reopen_by_operation,
        reopen_in_a_review,
        reopen_by_merge,
        reopen_the_task,
        set_the_task_back,
    ],
)
async def test_taking_a_completion_back_reopens_the_todo(
    ada: Person, take_back: Callable[[Person, str], Any]
) -> None:
    await linked(ada)
    await commit_plan(ada, todos=[todo("run", notes="far"), todo("sleep")])
    before = (await tree(ada))["revision"]["id"]
    await complete(ada)
    assert planned(await roll(ada, MONDAY)) == ["sleep"]
    commits = len(await revisions(ada))
    await take_back(ada, before)
    assert len(await revisions(ada)) == commits + 1
    assert by_id(await tree(ada))["run"]["completedAt"] is None
    shown = await plan(ada)
    assert [each["completedAt"] for each in shown["todos"]] == [None, None]
    assert (planned(shown), shown["todos"][0]["notes"]) == (["run", "sleep"], "far")
    assert shown["warnings"] == []
    assert await reasons(ada) == ["completion", "completion", "morning_plan"]
    assert planned(await roll(ada, MONDAY)) == ["sleep", "run"]


async def test_a_second_undo_completes_it_again(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run")])
    await complete(ada)
    done = await completed_at(ada)
    await ada.gql(UNDO)
    assert await completed_at(ada) is None
    await ada.gql(UNDO)
    assert await completed_at(ada) == done == by_id(await tree(ada))["run"]["completedAt"]


async def test_completed_by_its_task_the_todo_of_today_follows(
    ada: Person, clock: TestClock
) -> None:
    await travel(clock, datetime(2026, 1, 23, 10, tzinfo=UTC), ada)
    task = await linked(ada)
    await commit_plan(ada, todos=[todo("run")])
    await ada.gql(COMPLETE_TASK, id=task)
    assert await completed_at(ada) == "2026-01-23T10:00:00.000Z"
    await travel(clock, datetime(2026, 1, 26, 10, tzinfo=UTC), ada)
    await ada.gql(REOPEN_TASK, id=task)
    assert await completed_at(ada) is None
    assert (await plan(ada, MONDAY))["revision"] is None, "only the day of the completion changes"


async def test_a_completion_that_two_days_show_is_reopened_on_both(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await complete(ada)
    first = await completed_at(ada)
    await complete(ada, day=SATURDAY)
    assert await completed_at(ada, SATURDAY) == first, "the first time counts"
    commits = len(await revisions(ada))
    await complete(ada, day=SATURDAY)
    assert len(await revisions(ada)) == commits, "nothing new"
    await commit(ada, {"reopen": {"id": "run"}})
    assert (await completed_at(ada), await completed_at(ada, SATURDAY)) == (None, None)


async def test_what_is_done_anew_shows_the_new_time(ada: Person) -> None:
    """Even where an old plan was restored that shows the time before."""
    await commit(ada, *HEALTH)
    await complete(ada, completedAt="2026-01-23T10:00:00Z")
    done = (await plan(ada))["revision"]["id"]
    await commit(ada, {"reopen": {"id": "run"}})
    await ada.gql(RESTORE_PLAN, input={"date": FRIDAY, "revisionId": done})
    assert planned(await roll(ada, MONDAY)) == ["run"], "rollover looks at the values"
    assert await completed_at(ada, MONDAY) is None
    await complete(ada, completedAt="2026-01-23T12:00:00Z")
    assert await completed_at(ada) == "2026-01-23T12:00:00.000Z"


async def forget_the_day(table: Gateway, person: Person) -> None:
    """As the release before stored a completion."""
    head = (await tree(person))["revision"]["id"]
    await table.client.update_item(
        TableName=table.table,
        Key={"PK": {"S": f"U#{person.id}#VALUES#{head}"}, "SK": {"S": "NODE#run"}},
        UpdateExpression="REMOVE completedDays",
    )


async def test_a_completion_of_the_release_before_is_on_the_users_day(
    ada: Person, table: Gateway, clock: TestClock
) -> None:
    await travel(clock, datetime(2026, 1, 23, 23, 30, tzinfo=UTC), ada)
    await ada.gql('mutation { updateProfile(input: {timeZone: "Asia/Tokyo"}) { id } }')
    await commit(ada, *HEALTH)
    await ada.gql(COMPLETE, input={"actionId": "run"})
    await forget_the_day(table, ada)
    await commit(ada, {"reopen": {"id": "run"}})
    assert await completed_at(ada, SATURDAY) is None


async def test_a_completion_in_the_values_alone_changes_no_plan(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run"), todo("sleep")])
    await commit(ada, {"complete": {"id": "run"}})
    assert planned(await roll(ada, MONDAY)) == ["sleep"]
    await commit(ada, {"reopen": {"id": "run"}})
    assert await reasons(ada) == ["morning_plan"]
    assert planned(await roll(ada, MONDAY)) == ["sleep", "run"]
    await commit_plan(ada, MONDAY, todos=[])
    assert planned(await roll(ada, MONDAY)) == [], "what was struck out must not come back"


async def test_a_rollover_of_the_release_before_is_not_repeated(
    ada: Person, table: Gateway
) -> None:
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run"), todo("sleep")])
    await complete(ada)
    assert planned(await roll(ada, MONDAY)) == ["sleep"]
    await table.client.update_item(
        TableName=table.table,
        Key={"PK": {"S": f"U#{ada.id}#PLAN#{MONDAY}"}, "SK": {"S": "HEAD"}},
        UpdateExpression="REMOVE rolledActionIds",
    )
    await commit_plan(ada, MONDAY, todos=[])
    assert planned(await roll(ada, MONDAY)) == []
    await ada.gql(UNDO)
    assert planned(await roll(ada, MONDAY)) == ["run"]


async def agree(person: Person, day: str = FRIDAY) -> bool:
    in_values = by_id(await tree(person))["run"]["completedAt"]
    return bool(await completed_at(person, day) == in_values)


@pytest.mark.parametrize("carried_out", [False, True], ids=["before", "after"])
async def test_an_undo_interrupted_at_every_call(
    ada: Person, table: Gateway, services: Callable[[Person], Services], carried_out: bool
) -> None:
    """The plan and the values say the same at every moment; the same key completes it once."""
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run")])
    await complete(ada)
    cuts = 0
    while True:
        wanted = UndoValuesInput(idempotency_key=f"cut-{cuts}")
        try:
            with power_cut(table, cuts, carried_out=carried_out):
                await services(ada).values.undo(wanted)
            break
        except PowerCut:
            cuts += 1
        assert await agree(ada)
        await services(ada).values.undo(wanted)
        count = len(await revisions(ada, limit=100))
        await services(ada).values.undo(wanted)
        assert len(await revisions(ada, limit=100)) == count
        assert await completed_at(ada) is None
        assert await agree(ada)
        await complete(ada)
    assert cuts >= 8
    assert await agree(ada)


async def test_completions_and_undos_at_once(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run"), todo("sleep")])
    await complete(ada, "sleep")
    tries: list[Any] = [complete(ada) for _ in range(6)]
    tries += [commit(ada, {"reopen": {"id": "run"}}) for _ in range(6)]
    tries += [commit_plan(ada, todos=[todo("sleep"), todo("run", notes=str(i))]) for i in range(6)]
    await asyncio.gather(*tries)
    assert await agree(ada)
    assert await completed_at(ada, action="sleep") is not None


async def test_of_very_many_days_the_newest_are_reopened_and_the_others_warn(ada: Person) -> None:
    days = [str(date(2026, 1, 1) + timedelta(days=number)) for number in range(24)]
    actions = [add(f"a{number}", driverId="d") for number in range(24)]
    before = (await commit(ada, add("d", "DRIVER"), *actions))["head"]
    for number, day in enumerate(days):
        await complete(ada, f"a{number}", day)
    await ada.gql(RESTORE, input={"revisionId": before})
    opened = [await completed_at(ada, day, f"a{n}") is None for n, day in enumerate(days)]
    assert opened == [False] * 2 + [True] * 22
    warnings = (await plan(ada, days[0]))["warnings"]
    assert warnings == ["ACTION_REOPENED: a0 is open again in your values."]
