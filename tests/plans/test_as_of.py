"""`asOf`: what readers got at an instant. A commit that takes long counts from its end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

import pytest

from app.core.scalars import AWSDate
from app.domains.plans.inputs import (
    CommitPlanInput,
    CommitValuesInput,
    CompleteActionInput,
    NodeIdInput,
    ValuesOperationInput,
)
from app.services import Services
from app.table.codec import Wire
from app.table.gateway import Gateway
from tests.api import Person
from tests.plans.operations import HEALTH, commit, tree
from tests.plans.test_commits import BRANCH
from tests.plans.test_plans import FRIDAY, commit_plan, plan, todo
from tests.servers import TestClock
from tests.travel import travel

TEN, NOON = datetime(2026, 1, 23, 10, tzinfo=UTC), datetime(2026, 1, 23, 12, tzinfo=UTC)
BEFORE = ["2026-01-23T12:00:00.000Z", "2026-01-23T12:00:01Z", "2026-01-23T12:00:02.999Z"]
AFTER = ["2026-01-23T12:00:03.000Z", "2026-01-23T15:00:00Z"]


@contextmanager
def slow_snapshots(table: Gateway, clock: TestClock) -> Iterator[None]:
    """A snapshot takes three seconds to be written."""
    put = table.items.put

    async def slowly(items: list[Wire]) -> None:
        await put(items)
        clock.freeze(clock.now() + timedelta(seconds=3))

    with patch.object(table.items, "put", slowly):
        yield


async def values_head(person: Person, moment: str, **more: object) -> str:
    return str((await tree(person, asOf=moment, **more))["revision"]["id"])


async def plan_head(person: Person, moment: str) -> str:
    return str((await plan(person, asOf=moment))["revision"]["id"])


async def in_values(services: Services) -> str:
    archive = ValuesOperationInput(archive=NodeIdInput(id="run"))  # type: ignore[arg-type]
    done = await services.values.commit_values(CommitValuesInput(operations=[archive]))
    return str(done.head)


async def in_plan(services: Services) -> str:
    done = await services.plans.commit_plan(CommitPlanInput(date=AWSDate(FRIDAY), todos=[]))
    assert done.revision
    return done.revision.rev_id


async def on_branch(services: Services) -> str:
    archive = ValuesOperationInput(archive=NodeIdInput(id="run"))  # type: ignore[arg-type]
    done = await services.values.commit_values(
        CommitValuesInput(operations=[archive], branch="b").validate()
    )
    return str(done.head)


@pytest.mark.parametrize(
    ("change", "head_at"),
    [
        (in_values, values_head),
        (in_plan, plan_head),
        (on_branch, lambda person, moment: values_head(person, moment, branch="b")),
    ],
)
async def test_a_commit_counts_from_the_moment_the_head_moved(
    ada: Person,
    table: Gateway,
    services: Callable[[Person], Services],
    clock: TestClock,
    change: Callable[[Services], Any],
    head_at: Callable[[Person, str], Any],
) -> None:
    await travel(clock, TEN, ada)
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run")])
    await ada.gql(BRANCH, input={"name": "b"})
    await travel(clock, NOON, ada)
    first = await head_at(ada, BEFORE[0])
    with slow_snapshots(table, clock):
        second = await change(services(ada))
    assert [await head_at(ada, each) for each in BEFORE] == [first] * 3
    assert [await head_at(ada, each) for each in AFTER] == [second] * 2


async def test_values_and_plan_of_one_commit_count_from_one_moment(
    ada: Person, table: Gateway, services: Callable[[Person], Services], clock: TestClock
) -> None:
    await travel(clock, TEN, ada)
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run")])
    await travel(clock, NOON, ada)
    first = (await values_head(ada, BEFORE[0]), await plan_head(ada, BEFORE[0]))
    with slow_snapshots(table, clock):
        done = await services(ada).completion.complete_action(
            CompleteActionInput(action_id="run", date=FRIDAY)  # type: ignore[arg-type]
        )
    assert done.plan.revision
    second = (done.values.rev_id, done.plan.revision.rev_id)
    late, end = "2026-01-23T12:00:05.999Z", "2026-01-23T12:00:06Z"
    assert (await values_head(ada, late), await plan_head(ada, late)) == first
    assert (await values_head(ada, end), await plan_head(ada, end)) == second


async def test_a_commit_of_the_release_before_counts_from_its_beginning(
    ada: Person, table: Gateway, clock: TestClock
) -> None:
    await travel(clock, TEN, ada)
    done = await commit(ada, *HEALTH)
    rev, ts = done["revision"]["id"], done["revision"]["createdAt"]
    await table.client.update_item(
        TableName=table.table,
        Key={"PK": {"S": f"U#{ada.id}"}, "SK": {"S": f"REV#VALUES#{ts}#{rev}"}},
        UpdateExpression="REMOVE movedAt",
    )
    assert await values_head(ada, ts) == rev
