"""Criteria that follow a metric: this does not link the metric to the goal. Through HTTP."""

import asyncio
from typing import Any

import pytest

from app.domains.goals import keys
from app.table.gateway import Gateway
from tests.api import Person
from tests.goals.operations import create, delete, do, goal, log, mutation, read, refused

CRITERIA = "progress { percent parts { name value count total } } metrics { id }"


@pytest.fixture
async def weight(ada: Person) -> str:
    return await create(ada, "Metric", name="Weight", targetValue="80", direction="Lower")


async def followed_by(table: Gateway, person: Person, metric_id: str) -> list[str]:
    query = keys.goals_following_metric(person.id, metric_id)
    return [each.goal_id async for each in table.query_all(query)]


async def goals_of_metric(person: Person, id: str) -> list[str]:
    query = "query ($id: ID!) { metric(id: $id) { goalIds } }"
    return list((await person.gql(query, id=id))["metric"]["goalIds"])


async def seen(person: Person, id: str) -> Any:
    found = await read(person, "goal", id, CRITERIA)
    assert found["cachedProgress"] == found["progress"]["percent"]
    return found


def parts(found: Any) -> dict[str, tuple[int, int]]:
    return {each["name"]: (each["count"], each["total"]) for each in found["progress"]["parts"]}


async def test_the_metric_counts_as_a_criterion_only(ada: Person, weight: str) -> None:
    """One criterion whose metric is not at its target and one that is completed: 50."""
    made = await goal(
        ada,
        successCriteria=[
            {"text": "80 kg", "linkedMetricId": weight},
            {"text": "Buy shoes", "isCompleted": True},
        ],
    )
    await log(ada, "Metric", metricId=weight, value="90")
    found = await seen(ada, made["id"])
    assert (found["metricIds"], found["metrics"], found["cachedProgress"]) == ([], [], 50)
    assert parts(found) == {
        "criteria": (1, 2),
        "tasks": (0, 0),
        "metrics": (0, 0),
        "habits": (0, 0),
    }
    assert await goals_of_metric(ada, weight) == []
    await log(ada, "Metric", metricId=weight, value="80")
    assert (await seen(ada, made["id"]))["cachedProgress"] == 100
    await log(ada, "Metric", metricId=weight, value="85")
    assert (await seen(ada, made["id"]))["cachedProgress"] == 50


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("removeCriterion", {}),
        ("updateCriterion", {"linkedMetricId": None}),
    ],
)
async def test_nothing_stays_after_it_is_removed(
    ada: Person, table: Gateway, weight: str, name: str, fields: dict[str, Any]
) -> None:
    made = await goal(ada)
    criterion = {"goalId": made["id"], "id": "w"}
    await do(ada, "addCriterion", **criterion, text="80 kg", linkedMetricId=weight)
    assert await followed_by(table, ada, weight) == [made["id"]]
    await do(ada, name, **criterion, **fields)
    assert await followed_by(table, ada, weight) == []
    before = await seen(ada, made["id"])
    await log(ada, "Metric", metricId=weight, value="70")
    assert await seen(ada, made["id"]) == before
    assert (before["metricIds"], before["cachedProgress"]) == ([], 0)


async def test_it_follows_another_metric_instead(ada: Person, table: Gateway, weight: str) -> None:
    steps = await create(ada, "Metric", name="Steps", targetValue="10")
    made = await goal(ada, successCriteria=[{"text": "x", "id": "x", "linkedMetricId": weight}])
    await log(ada, "Metric", metricId=steps, value="10")
    changed = await do(ada, "updateCriterion", goalId=made["id"], id="x", linkedMetricId=steps)
    assert changed["successCriteria"][0]["isCompleted"]
    assert (await followed_by(table, ada, weight), await followed_by(table, ada, steps)) == (
        [],
        [made["id"]],
    )


async def test_two_criteria_of_a_goal_follow_one_metric(
    ada: Person, table: Gateway, weight: str
) -> None:
    texts = [{"text": text, "id": text, "linkedMetricId": weight} for text in ("a", "b")]
    made = await goal(ada, successCriteria=texts)
    await do(ada, "removeCriterion", goalId=made["id"], id="a")
    assert await followed_by(table, ada, weight) == [made["id"]]
    await log(ada, "Metric", metricId=weight, value="80")
    assert (await seen(ada, made["id"]))["cachedProgress"] == 100


async def test_linking_and_unlinking_the_metric_is_another_matter(
    ada: Person, table: Gateway, weight: str
) -> None:
    made = await goal(ada, successCriteria=[{"text": "80 kg", "linkedMetricId": weight}])
    linked = await do(ada, "linkToGoal", goalId=made["id"], metricId=weight)
    assert (linked["metricIds"], await goals_of_metric(ada, weight)) == ([weight], [made["id"]])
    assert parts(await seen(ada, made["id"]))["metrics"] == (0, 1)
    unlinked = await do(ada, "unlinkFromGoal", goalId=made["id"], metricId=weight)
    assert (unlinked["metricIds"], await goals_of_metric(ada, weight)) == ([], [])
    assert unlinked["successCriteria"][0]["linkedMetricId"] == weight
    await log(ada, "Metric", metricId=weight, value="80")
    assert (await seen(ada, made["id"]))["cachedProgress"] == 100
    await do(ada, "linkToGoal", goalId=made["id"], metricId=weight)
    await do(ada, "removeCriterion", goalId=made["id"], id=made["successCriteria"][0]["id"])
    assert await goals_of_metric(ada, weight) == [made["id"]]
    assert await followed_by(table, ada, weight) == []


async def test_a_deleted_metric_leaves_the_criterion_as_it_was(ada: Person, weight: str) -> None:
    made = await goal(ada, successCriteria=[{"text": "80 kg", "linkedMetricId": weight}])
    await log(ada, "Metric", metricId=weight, value="80")
    await delete(ada, "Metric", weight)
    criterion = (await seen(ada, made["id"]))["successCriteria"][0]
    assert (criterion["linkedMetricId"], criterion["isCompleted"]) == (None, True)


async def test_a_deleted_goal_leaves_nothing_at_the_metric(
    ada: Person, table: Gateway, weight: str
) -> None:
    made = await goal(ada, successCriteria=[{"text": "80 kg", "linkedMetricId": weight}])
    await do(ada, "deleteGoal", id=made["id"])
    assert await followed_by(table, ada, weight) == []
    await log(ada, "Metric", metricId=weight, value="80")


async def test_a_metric_of_nobody_or_of_another_is_refused(
    ada: Person, bob: Person, table: Gateway, weight: str
) -> None:
    made = await goal(bob)
    request = {"goalId": made["id"], "text": "x", "linkedMetricId": weight}
    assert await refused(bob, "addCriterion", **request) == "NOT_FOUND"
    assert await followed_by(table, ada, weight) == []
    assert (await read(bob, "goal", made["id"]))["version"] == made["version"]


async def test_a_metric_that_is_deleted_meanwhile_leaves_no_link(
    ada: Person, table: Gateway
) -> None:
    for _ in range(5):
        metric = await create(ada, "Metric", name="Steps", targetValue="10")
        made = await goal(ada)
        request = {"goalId": made["id"], "text": "x", "linkedMetricId": metric}
        await asyncio.gather(
            ada.api.post(mutation("addCriterion"), headers=ada.headers, input=request),
            delete(ada, "Metric", metric),
        )
        assert await followed_by(table, ada, metric) == []
        criteria = (await read(ada, "goal", made["id"]))["successCriteria"]
        assert [each["linkedMetricId"] for each in criteria] in ([], [None])
