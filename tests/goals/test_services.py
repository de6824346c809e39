"""Services: tasks inside the transactions of other domains, their observer, and their number."""

import dataclasses
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from app.core.caller import acting_for
from app.core.errors import Conflict
from app.domains.goals.inputs import CompleteTaskInput, ReopenTaskInput
from app.domains.goals.service.ports import TaskObserver
from app.domains.goals.types import Task
from app.domains.people.keys import user
from app.domains.service import Scope
from app.resources import Resources
from app.services import Services
from app.table.conditions import present
from app.table.gateway import Gateway
from app.table.writes import Check, Write
from tests.api import Person
from tests.goals.operations import goal, payments, project, read, task
from tests.servers import RunningServer


@pytest.fixture
def services(server: RunningServer, table: Gateway) -> Callable[[Person], Services]:
    """Someone's services, on this process's own door to the table."""
    resources: Resources = server.app.state.resources
    mine = dataclasses.replace(resources, table=table)
    return lambda person: Services(mine, acting_for(person.id))


def observe(services: Services, observer: type[TaskObserver]) -> None:
    services.ports = {**services.ports, TaskObserver: observer}  # type: ignore[misc]


async def test_a_task_is_created_in_a_transaction_of_another_domain(
    ada: Person, services: Callable[[Person], Services], table: Gateway
) -> None:
    target = await goal(ada)
    task, writes = await services(ada).tasks.create_writes_for_goal(
        target["id"], "From a quest", "Water the plants", None
    )
    assert await read(ada, "task", task.id) is None
    await table.write(*writes)
    found = await read(ada, "task", task.id)
    assert (found["title"], found["goalIds"]) == ("From a quest", [target["id"]])


async def test_the_observer_is_called_once_per_change(
    ada: Person, services: Callable[[Person], Services]
) -> None:
    work = await task(ada, size=10, priority="P4")
    mine = services(ada)
    told: list[bool] = []

    class Recording(TaskObserver):
        async def on_done_changed(self, task: Task) -> list[Write]:
            told.append(task.is_done)
            return []

    observe(mine, Recording)
    await mine.tasks.complete(CompleteTaskInput(id=work["id"]))
    await mine.tasks.complete(CompleteTaskInput(id=work["id"]))
    await mine.tasks.reopen(ReopenTaskInput(id=work["id"]))
    assert told == [True, False]


async def test_a_completion_that_the_observer_refuses_writes_nothing(
    ada: Person, services: Callable[[Person], Services]
) -> None:
    work = await task(ada, size=10, priority="P4")
    mine = services(ada)

    class Refusing(TaskObserver):
        async def on_done_changed(self, task: Task) -> list[Write]:
            return [Check(user("nobody"), present(), Conflict("The action is gone."))]

    observe(mine, Refusing)
    with pytest.raises(Conflict):
        await mine.tasks.complete(CompleteTaskInput(id=work["id"]))
    assert (await read(ada, "task", work["id"]))["done"] is False
    assert await payments(ada) == []


@pytest.mark.parametrize(
    ("kind", "create", "expected"),
    [
        # The day on which a task is due depends on the user's time zone.
        ("task", task, {"Tasks", "Profiles"}),
        ("goal", goal, {"Goals"}),
        ("project", project, {"Projects"}),
    ],
)
async def test_reading_one_record_builds_two_services_at_most(
    ada: Person,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    create: Callable[[Person], Awaitable[Any]],
    expected: set[str],
) -> None:
    created = await create(ada)
    built: list[set[str]] = []
    release = Scope.release

    def record_services(scope: Scope) -> None:
        built.append({each.__name__ for each in scope._services})
        release(scope)

    monkeypatch.setattr(Scope, "release", record_services)
    assert (await read(ada, kind, created["id"]))["id"] == created["id"]
    assert built == [expected]
