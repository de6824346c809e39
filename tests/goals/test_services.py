"""What the domains above use: tasks inside their own transactions, and being told of them."""

import dataclasses
from collections.abc import Callable

import pytest

from app.core.caller import acting_for
from app.core.errors import Conflict
from app.domains.goals.inputs import CompleteTaskInput, CreateTaskInput, ReopenTaskInput
from app.domains.goals.types import Task
from app.domains.people.keys import user
from app.resources import Resources
from app.services import Services
from app.table.conditions import present
from app.table.gateway import Gateway
from app.table.writes import Check, Write
from tests.api import Person
from tests.goals.world import balance, goal, payments, read, task
from tests.servers import RunningServer


@pytest.fixture
def services(server: RunningServer, table: Gateway) -> Callable[[Person], Services]:
    """Someone's services, on this process's own door to the table."""
    resources: Resources = server.app.state.resources
    mine = dataclasses.replace(resources, table=table)
    return lambda person: Services(mine, acting_for(person.id))


async def test_a_task_is_made_in_another_s_transaction(
    ada: Person, services: Callable[[Person], Services], table: Gateway
) -> None:
    target = await goal(ada)
    mine = services(ada)
    wish = CreateTaskInput(title="From a quest", goal_ids=[target["id"]])
    made, writes = await mine.tasks.create_writes(wish, action_id="action-1")
    assert await read(ada, "task", made.id) is None
    await table.write(*writes)
    found = await read(ada, "task", made.id, "actionId")
    assert (found["title"], found["goalIds"], found["actionId"]) == (
        "From a quest",
        [target["id"]],
        "action-1",
    )


async def test_a_task_is_completed_in_another_s_transaction(
    ada: Person, services: Callable[[Person], Services], table: Gateway
) -> None:
    work = await task(ada, size=60, priority="P2")
    mine = services(ada)
    done, writes = await mine.tasks.complete_writes(work["id"])
    assert (done.is_done, await balance(ada)) == (True, 0)
    await table.write(*writes)
    assert await balance(ada) == 120
    again, nothing = await mine.tasks.complete_writes(work["id"])
    assert (again.is_done, nothing) == (True, [])


async def test_the_domains_above_are_told_and_join_in(
    ada: Person, services: Callable[[Person], Services]
) -> None:
    work = await task(ada, size=10, priority="P4")
    mine = services(ada)
    told: list[tuple[bool, bool]] = []

    async def hook(old: Task, new: Task) -> list[Write]:
        told.append((old.is_done, new.is_done))
        return []

    mine.tasks.when_turned.append(hook)
    await mine.tasks.complete(CompleteTaskInput(id=work["id"]))
    await mine.tasks.complete(CompleteTaskInput(id=work["id"]))
    await mine.tasks.reopen(ReopenTaskInput(id=work["id"]))
    assert told == [(False, True), (True, False)]


async def test_what_a_hook_refuses_does_not_happen(
    ada: Person, services: Callable[[Person], Services]
) -> None:
    work = await task(ada, size=10, priority="P4")
    mine = services(ada)

    async def hook(old: Task, new: Task) -> list[Write]:
        return [Check(user("nobody"), present(), Conflict("The action is gone."))]

    mine.tasks.when_turned.append(hook)
    with pytest.raises(Conflict):
        await mine.tasks.complete(CompleteTaskInput(id=work["id"]))
    assert (await read(ada, "task", work["id"]))["done"] is False
    assert await payments(ada) == []
