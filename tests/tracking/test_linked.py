"""What the goals hang on to metrics and habits, and that they hear of every change."""

import dataclasses
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any, ClassVar

import pytest
import strawberry

from app.core.caller import acting_for
from app.core.errors import LimitExceeded, NotFound, StaleVersion
from app.domains.tracking import keys
from app.domains.tracking.inputs import (
    DeleteHabitInput,
    DeleteHabitLogInput,
    DeleteMetricInput,
    DeleteMetricLogInput,
    LogHabitInput,
    LogMetricInput,
    UpdateMetricInput,
    UpdateMetricLogInput,
)
from app.domains.tracking.service.ports import LinkedGoals
from app.domains.tracking.types import HabitCompletion, MetricProgress
from app.services import Services
from app.table.gateway import CALLS, Gateway
from app.table.writes import Write
from tests.api import Api, Person
from tests.servers import RunningServer, TestClock
from tests.tracking.test_habits import HABITS, new_habit
from tests.tracking.test_habits import log as log_habit
from tests.tracking.test_metrics import METRICS, log, new_metric

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@dataclasses.dataclass(eq=False)
class RecordingGoals(LinkedGoals):
    heard: list[list[str]] = dataclasses.field(default_factory=list)
    removed: list[tuple[str, list[str]]] = dataclasses.field(default_factory=list)

    async def refresh(self, goal_ids: Sequence[str]) -> None:
        self.heard.append(list(goal_ids))

    def metric_links(
        self, metric_id: str, *, linked: Sequence[str], following: Sequence[str]
    ) -> list[Write]:
        self.removed.append((metric_id, list(linked)))
        return []

    def habit_links(self, habit_id: str, goal_ids: Sequence[str]) -> list[Write]:
        return self.metric_links(habit_id, linked=goal_ids, following=[])


class RecordingServices(Services):
    ports: ClassVar[Mapping[type, type]] = {**Services.ports, LinkedGoals: RecordingGoals}


class TrackedGoals:
    """One user's services, with goals that record what they are told."""

    def __init__(self, server: RunningServer, table: Gateway, person: Person) -> None:
        resources = dataclasses.replace(server.app.state.resources, table=table)
        services = RecordingServices(resources, acting_for(person.id))
        goals = services.get(LinkedGoals)
        assert isinstance(goals, RecordingGoals)
        self.heard, self.removed = goals.heard, goals.removed
        self.metrics, self.habits = services.metrics, services.habits
        self.metric_logs, self.habit_logs = services.metric_logs, services.habit_logs


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    clock.freeze(NOW)
    return await api.sign_up()


@pytest.fixture
def tracked(server: RunningServer, table: Gateway, person: Person) -> TrackedGoals:
    return TrackedGoals(server, table, person)


async def test_progress_of_many_metrics_at_once(
    person: Person, bob: Person, tracked: TrackedGoals
) -> None:
    half = await new_metric(person, targetValue=100)
    reached = await new_metric(person, targetValue=10, direction="Lower")
    empty = await new_metric(person, targetValue=10)
    aimless = await new_metric(person)
    foreign = await new_metric(bob, targetValue=1)
    for value in (0, 50):
        await log(person, half, value)
    for value in (20, 10):
        await log(person, reached, value)
    ids = [half["id"], reached["id"], empty["id"], aimless["id"], foreign["id"], "absent"]
    before = calls()
    assert await tracked.metrics.progress_of([*ids, half["id"]]) == {
        half["id"]: MetricProgress(0.5, reached=False),
        reached["id"]: MetricProgress(1.0, reached=True),
        empty["id"]: MetricProgress(0.0, reached=False),
    }
    assert calls() - before == 1


def calls() -> int:
    return int(
        sum(
            sample.value
            for metric in CALLS.collect()
            for sample in metric.samples
            if sample.name.endswith("_total")
        )
    )


async def test_completion_of_many_habits_at_once(
    person: Person, bob: Person, tracked: TrackedGoals
) -> None:
    habit = await new_habit(person, startDate="2026-02-20")
    fresh = await new_habit(person)
    foreign = await new_habit(bob)
    for number in (20, 21, 28):
        await log_habit(person, habit, date=f"2026-02-{number}")
    before = calls()
    found = await tracked.habits.completion_of([habit["id"], fresh["id"], foreign["id"], "absent"])
    assert found == {habit["id"]: HabitCompletion(3, 9), fresh["id"]: HabitCompletion(0, 0)}
    assert calls() - before == 2


@pytest.mark.parametrize("kind", ["metrics", "habits"])
async def test_links_are_kept_on_the_record(
    person: Person, tracked: TrackedGoals, table: Gateway, kind: str
) -> None:
    made = await (new_metric(person) if kind == "metrics" else new_habit(person))
    service: Any = getattr(tracked, kind)
    await table.write(*await service.link_goal(made["id"], "g1"))
    await table.write(*await service.link_goal(made["id"], "g2"))
    assert await service.link_goal(made["id"], "g1") == []
    assert (await service.require(made["id"])).goal_ids == ["g1", "g2"]
    await table.write(*await service.unlink_goal(made["id"], "g1"))
    assert await service.unlink_goal(made["id"], "g1") == []
    assert await service.unlink_goal("absent", "g1") == []
    assert (await service.require(made["id"])).goal_ids == ["g2"]
    for id in ("absent", "01ARZ3NDEKTSV4RRFFQ69G5FAV"):
        with pytest.raises(NotFound):
            await service.link_goal(id, "g1")


async def test_a_link_made_twice_at_once_is_decided_by_version(
    person: Person, tracked: TrackedGoals, table: Gateway
) -> None:
    metric = await new_metric(person)
    one, two = [await tracked.metrics.link_goal(metric["id"], goal) for goal in ("g1", "g2")]
    await table.write(*one)
    with pytest.raises(StaleVersion):
        await table.write(*two)
    assert (await tracked.metrics.require(metric["id"])).goal_ids == ["g1"]


async def test_a_metric_has_at_most_fifty_goals(
    person: Person, tracked: TrackedGoals, table: Gateway
) -> None:
    metric = await new_metric(person)
    old = await tracked.metrics.require(metric["id"])
    full = dataclasses.replace(old, goal_ids=[strawberry.ID(f"g{n}") for n in range(50)])
    await table.put_many([full])
    with pytest.raises(LimitExceeded):
        await tracked.metrics.link_goal(metric["id"], "one-more")


async def test_goals_are_refreshed_after_every_change_of_a_metric(
    person: Person, tracked: TrackedGoals, table: Gateway
) -> None:
    metric = await new_metric(person)
    metric_id = metric["id"]
    await table.write(*await tracked.metrics.link_goal(metric_id, "g1"))
    got = await tracked.metric_logs.log(LogMetricInput(metric_id=metric_id, value=Decimal(1)))
    change = UpdateMetricLogInput(metric_id=metric_id, id=got.id, value=Decimal(2))
    await tracked.metric_logs.update(change)
    await tracked.metric_logs.delete(DeleteMetricLogInput(metric_id=metric_id, id=got.id))
    await tracked.metrics.update(UpdateMetricInput(id=metric_id, target_value=Decimal(9)))
    await tracked.metrics.delete(DeleteMetricInput(id=metric_id))
    assert tracked.heard == [["g1"]] * 5
    assert tracked.removed == [(metric_id, ["g1"])]
    assert await table.get(keys.metric(person.id, metric_id)) is None


async def test_goals_are_refreshed_after_every_change_of_a_habit(
    person: Person, tracked: TrackedGoals, table: Gateway
) -> None:
    habit = await new_habit(person)
    habit_id = habit["id"]
    await table.write(*await tracked.habits.link_goal(habit_id, "g1"))
    log = await tracked.habit_logs.log(LogHabitInput(habit_id=habit_id))
    await tracked.habit_logs.delete(DeleteHabitLogInput(habit_id=habit_id, date=log.date))
    await tracked.habits.delete(DeleteHabitInput(id=habit_id))
    assert tracked.heard == [["g1"]] * 3
    assert tracked.removed == [(habit_id, ["g1"])]


async def test_lists_cost_the_same_however_long(person: Person) -> None:
    """Streaks and trends come with the records: no call for each of them."""

    async def cost(query: str) -> int:
        before = calls()
        await person.gql(query)
        return calls() - before

    spent = []
    for _ in range(2):
        for _ in range(5):
            metric, habit = await new_metric(person), await new_habit(person)
            await log(person, metric, 1)
            await log_habit(person, habit)
        spent.append((await cost(METRICS), await cost(HABITS)))
    assert spent[0] == spent[1]
    assert max(spent[0]) <= 3


async def test_a_goal_follows_its_metric_and_its_habit(person: Person) -> None:
    """Through the graph, as a client would see it."""
    goal = (await person.gql('mutation { createGoal(input: {title: "Fit"}) { id } }'))["createGoal"]
    metric = await new_metric(person, targetValue=100)
    link = """mutation ($goal: ID!, $metric: ID!) {
      linkToGoal(input: {goalId: $goal, metricId: $metric}) { __typename } }"""
    await person.gql(link, goal=goal["id"], metric=metric["id"])
    assert (await person.gql(METRIC_GOALS, id=metric["id"]))["metric"]["goalIds"] == [goal["id"]]
    for value, expected in ((0, 0), (50, 50), (100, 100)):
        await log(person, metric, value, loggedAt=(NOW + timedelta(seconds=value)).isoformat())
        seen = await person.gql(
            "query ($id: ID!) { goal(id: $id) { cachedProgress } }", id=goal["id"]
        )
        assert seen["goal"]["cachedProgress"] == expected


PROGRESS = "query ($id: ID!) { goal(id: $id) { cachedProgress } }"
METRIC_GOALS = "query ($id: ID!) { metric(id: $id) { goalIds } }"
