"""Goals whose criteria have linked their metrics, as release 0.1 stored them."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import pytest
from strawberry import ID

from app.core.caller import acting_for
from app.domains.goals import keys
from app.domains.goals.inputs import (
    CreateGoalInput,
    LinkToGoalInput,
    SuccessCriterionInput,
    UnlinkFromGoalInput,
)
from app.domains.goals.types import Goal, GoalMetric
from app.domains.tracking.inputs import CreateMetricInput, LogMetricInput
from app.domains.tracking.types import Metric
from app.migration import Migration
from app.resources import Resources, open_resources
from app.services import Services
from app.settings import Settings
from app.table.writes import Delete


@pytest.fixture
async def resources(endpoint: str, tmp_path: Path) -> AsyncIterator[Resources]:
    """On a table of its own: a migration looks at everything."""
    settings = Settings(
        _env_file=None,
        endpoint_url=endpoint,
        table_name=f"migration_{uuid4().hex[:8]}",
        data_dir=tmp_path,
        password_memory_kib=1024,
        rate_factor=100_000,
    )
    async with open_resources(settings) as resources:
        yield resources
        await resources.table.client.delete_table(TableName=settings.table_name)


@pytest.fixture
async def services(resources: Resources) -> Services:
    services = Services(resources, acting_for("ada"))
    await services.profiles.ensure_profile()
    return services


async def make_metric(services: Services, name: str) -> Metric:
    request = CreateMetricInput(name=name, target_value="10")  # type: ignore[arg-type]
    return await services.metrics.create(request.validate())


async def as_release_0_1(services: Services, goal: Goal, metric_ids: list[str]) -> None:
    """The metrics of the criteria are linked to the goal, and no item tells of the criteria."""
    table, stamp = services.resources.table, services.goals.stamp
    linked = [ID(each) for each in metric_ids]
    await table.put_many(
        [
            replace(goal, metric_ids=linked, criteria_apart=False, version=goal.version),
            *(GoalMetric(**stamp(), goal_id=goal.id, metric_id=each) for each in metric_ids),
        ]
    )
    for metric_id in metric_ids:
        metric = await services.metrics.require(metric_id)
        await table.put_many([replace(metric, goal_ids=[goal.id])])
        await table.write(Delete(keys.criterion_metric(goal.user_id, metric_id, goal.id)))


async def old_goal(services: Services) -> tuple[Goal, Metric, Metric]:
    """Two criteria; the owner has linked the metric of the second one to the goal, too."""
    weight, steps = await make_metric(services, "Weight"), await make_metric(services, "Steps")
    criteria = [
        SuccessCriterionInput(text="a", linked_metric_id=weight.id),
        SuccessCriterionInput(text="b", linked_metric_id=steps.id),
    ]
    request = CreateGoalInput(title="Fit", success_criteria=criteria)
    goal = await services.goals.create(request.validate())
    await services.links.link_to_goal(LinkToGoalInput(goal_id=goal.id, metric_id=steps.id))
    stored = await services.goals.own_goal(goal.id)
    await as_release_0_1(services, stored, [weight.id, steps.id])
    return await services.goals.own_goal(goal.id), weight, steps


async def log(services: Services, metric: Metric, value: str) -> None:
    request = LogMetricInput(metric_id=metric.id, value=value)  # type: ignore[arg-type]
    await services.metric_logs.log(request.validate())


async def test_an_old_goal_follows_its_metrics_before_the_migration(services: Services) -> None:
    goal, weight, _ = await old_goal(services)
    await log(services, weight, "10")
    criteria = (await services.goals.own_goal(goal.id)).success_criteria
    assert [each.is_completed for each in criteria] == [True, False]
    unlink = UnlinkFromGoalInput(goal_id=goal.id, metric_id=weight.id)
    await services.links.unlink_from_goal(unlink)
    await log(services, weight, "9")
    criteria = (await services.goals.own_goal(goal.id)).success_criteria
    assert [each.is_completed for each in criteria] == [False, False]


async def test_metrics_that_only_criteria_follow_are_unlinked(
    resources: Resources, services: Services
) -> None:
    goal, weight, steps = await old_goal(services)
    dry = await Migration(resources, dry_run=True).run()
    assert dry.counts["Goal"] == [1, 1]
    report = await Migration(resources).run()
    assert report.counts["Goal"] == [1, 1]
    after = await services.goals.own_goal(goal.id)
    assert (after.metric_ids, after.version) == ([steps.id], goal.version + 1)
    assert after.success_criteria == goal.success_criteria
    assert (await services.metrics.require(weight.id)).goal_ids == []
    assert (await services.metrics.require(steps.id)).goal_ids == [goal.id]
    assert await resources.table.get(keys.goal_metric(goal.id, weight.id)) is None
    await log(services, weight, "10")
    completed = await services.goals.own_goal(goal.id)
    assert [each.is_completed for each in completed.success_criteria] == [True, False]
    # Criteria: one of two, 40 %. Metrics: Steps, at 0 of 1, 20 %.
    assert completed.cached_progress == 33


async def test_a_second_migration_changes_nothing(resources: Resources, services: Services) -> None:
    await old_goal(services)
    await Migration(resources).run()
    assert (await Migration(resources).run()).changed == 0
