"""Progress of goals, through HTTP: parts, metrics, habits, milestones."""

import asyncio
import random
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.api import Api, Person
from tests.goals.operations import create, delete, do, goal, log, mutation, read, refused, task
from tests.quests.operations import create as create_quest
from tests.servers import TestClock

PROGRESS = "progress { percent isManual parts { name weight value count total } }"


async def progress(person: Person, id: str) -> Any:
    """As it is told; the stored one must be the same."""
    found = await read(person, "goal", id, PROGRESS)
    assert found["cachedProgress"] == found["progress"]["percent"]
    return found["progress"]


async def test_the_parts_add_up_to_the_progress(api: Api, clock: TestClock) -> None:
    clock.set(datetime(2026, 3, 31, 12, tzinfo=UTC))
    eva = await api.sign_up()
    habit = await create(eva, "Habit", name="Walk", startDate="2026-03-22")
    made = await goal(eva, successCriteria=[{"text": "a", "id": "a"}, {"text": "b"}])
    for i in range(4):
        await task(eva, goalIds=[made["id"]], status="Done" if i < 3 else "NotStarted")
    await do(eva, "completeCriterion", goalId=made["id"], id="a")
    await do(eva, "linkToGoal", goalId=made["id"], habitId=habit)
    for day in range(22, 30):
        await log(eva, "Habit", habitId=habit, date=f"2026-03-{day}")
    found = await progress(eva, made["id"])
    assert found["parts"][:3] == [
        {"name": "criteria", "weight": 40, "value": 50.0, "count": 1, "total": 2},
        {"name": "tasks", "weight": 30, "value": 75.0, "count": 3, "total": 4},
        {"name": "metrics", "weight": 20, "value": 0.0, "count": 0, "total": 0},
    ]
    habits = found["parts"][3]
    assert (habits["weight"], habits["count"]) == (10, 8)
    expected = (40 * 50 + 30 * 75 + 10 * 100 * 8 / habits["total"]) / 80
    assert found["percent"] == int(expected + 0.5)


async def test_an_override_of_0_counts_and_null_computes_again(ada: Person) -> None:
    made = await goal(ada)
    await task(ada, goalIds=[made["id"]], status="Done")
    assert (await progress(ada, made["id"]))["percent"] == 100
    zero = await do(ada, "updateGoal", id=made["id"], progressConfig={"manualOverride": 0})
    assert zero["cachedProgress"] == 0
    assert (await progress(ada, made["id"]))["isManual"] is True
    back = await do(ada, "updateGoal", id=made["id"], progressConfig={"manualOverride": None})
    assert (back["cachedProgress"], back["progressConfig"]["tasksWeight"]) == (100, 30)


async def test_without_weights_there_is_no_progress(ada: Person) -> None:
    nothing = {f"{part}Weight": 0 for part in ("criteria", "tasks", "metrics", "habits")}
    made = await goal(ada, progressConfig=nothing)
    await task(ada, goalIds=[made["id"]], status="Done")
    assert (await progress(ada, made["id"]))["percent"] == 0


async def test_cancelled_tasks_do_not_count_until_they_are_reopened(ada: Person) -> None:
    made = await goal(ada)
    await task(ada, goalIds=[made["id"]], status="Done")
    other = await task(ada, goalIds=[made["id"]])
    assert (await progress(ada, made["id"]))["percent"] == 50
    await do(ada, "updateTask", id=other["id"], status="Cancelled")
    assert (await progress(ada, made["id"]))["percent"] == 100
    await do(ada, "updateTask", id=other["id"], status="InProgress")
    assert (await progress(ada, made["id"]))["percent"] == 50
    await do(ada, "deleteTask", id=other["id"])
    assert (await progress(ada, made["id"]))["percent"] == 100


async def test_a_metric_changes_its_goals_and_is_unlinked_when_deleted(ada: Person) -> None:
    metric = await create(ada, "Metric", name="Steps", targetValue="10", direction="Higher")
    made = await goal(ada)
    for _ in range(2):
        linked = await do(ada, "linkToGoal", goalId=made["id"], metricId=metric)
    assert linked["metricIds"] == [metric]
    await log(ada, "Metric", metricId=metric, value="0")
    assert (await progress(ada, made["id"]))["percent"] == 0
    await log(ada, "Metric", metricId=metric, value="5")
    found = await progress(ada, made["id"])
    assert found["parts"][2] == {
        "name": "metrics",
        "weight": 20,
        "value": 50.0,
        "count": 0,
        "total": 1,
    }
    await log(ada, "Metric", metricId=metric, value="10")
    assert (await progress(ada, made["id"]))["percent"] == 100
    seen = await read(ada, "goal", made["id"], "metrics { id goalIds }")
    assert seen["metrics"] == [{"id": metric, "goalIds": [made["id"]]}]
    await delete(ada, "Metric", metric)
    gone = await read(ada, "goal", made["id"], "metrics { id }")
    assert (gone["metricIds"], gone["metrics"], gone["cachedProgress"]) == ([], [], 0)


async def test_unlinking_a_metric_or_habit_updates_the_progress(ada: Person) -> None:
    metric = await create(ada, "Metric", name="Steps", targetValue="1")
    habit = await create(ada, "Habit", name="Walk")
    made = await goal(ada)
    await log(ada, "Metric", metricId=metric, value="1")
    await do(ada, "linkToGoal", goalId=made["id"], metricId=metric)
    await do(ada, "linkToGoal", goalId=made["id"], habitId=habit)
    await log(ada, "Habit", habitId=habit)
    assert (await progress(ada, made["id"]))["percent"] == 100
    for field, id in (("metricId", metric), ("habitId", habit)):
        after = await do(ada, "unlinkFromGoal", **{"goalId": made["id"], field: id})
    assert (after["metricIds"], after["habitIds"], after["cachedProgress"]) == ([], [], 0)
    await progress(ada, made["id"])


async def test_a_criterion_follows_its_metric(ada: Person) -> None:
    metric = await create(ada, "Metric", name="Weight", targetValue="80", direction="Lower")
    made = await goal(ada, successCriteria=[{"text": "80 kg", "linkedMetricId": metric}])
    for value, completed in (("90", False), ("80", True), ("85", False)):
        await log(ada, "Metric", metricId=metric, value=value)
        after = await read(ada, "goal", made["id"])
        assert after["successCriteria"][0]["isCompleted"] is completed
        await progress(ada, made["id"])
    late = await goal(ada, successCriteria=[{"text": "x", "id": "x"}])
    await log(ada, "Metric", metricId=metric, value="79")
    linked = await do(ada, "updateCriterion", goalId=late["id"], id="x", linkedMetricId=metric)
    assert linked["successCriteria"][0]["isCompleted"] is True


async def test_the_cached_progress_is_right_after_any_changes(ada: Person) -> None:
    """A walk over what moves it: after each step the stored one is what a recount gives."""
    pick = random.Random(7)
    goals = [await goal(ada, str(i), successCriteria=[{"text": "c", "id": "c"}]) for i in range(2)]
    tasks = [await task(ada, str(i), goalIds=[goals[0]["id"]]) for i in range(3)]
    for _ in range(25):
        work, target = pick.choice(tasks)["id"], pick.choice(goals)["id"]
        steps: list[tuple[str, dict[str, Any]]] = [
            ("completeTask", {"id": work}),
            ("reopenTask", {"id": work}),
            ("updateTask", {"id": work, "status": "Cancelled"}),
            ("updateTask", {"id": work, "goalIds": [each["id"] for each in goals]}),
            ("linkToGoal", {"goalId": target, "taskId": work}),
            ("unlinkFromGoal", {"goalId": target, "taskId": work}),
            ("completeCriterion", {"goalId": target, "id": "c"}),
            ("reopenCriterion", {"goalId": target, "id": "c"}),
        ]
        name, request = pick.choice(steps)
        await do(ada, name, **request)
        for each in goals:
            stored = await read(ada, "goal", each["id"])
            assert await do(ada, "recomputeGoalProgress", id=each["id"]) == stored, name


# Milestones.


async def milestones(person: Person, id: str) -> list[tuple[int, bool]]:
    found = await read(person, "goal", id, "milestones { percentage achieved achievedAt }")
    assert all((each["achievedAt"] is not None) == each["achieved"] for each in found["milestones"])
    return [(each["percentage"], each["achieved"]) for each in found["milestones"]]


async def test_milestones_are_achieved_once_and_stay_achieved(ada: Person) -> None:
    made = await goal(ada)
    tasks = [await task(ada, goalIds=[made["id"]]) for _ in range(4)]
    for percentage in (100, 0, 50, 25):
        await do(ada, "createMilestone", goalId=made["id"], name="m", percentage=percentage)
    assert await milestones(ada, made["id"]) == [
        (0, True),
        (25, False),
        (50, False),
        (100, False),
    ]
    for each in tasks[:2]:
        await do(ada, "completeTask", id=each["id"])
    assert await milestones(ada, made["id"]) == [(0, True), (25, True), (50, True), (100, False)]
    for each in tasks[:2]:
        await do(ada, "reopenTask", id=each["id"])
    assert (await progress(ada, made["id"]))["percent"] == 0
    assert await milestones(ada, made["id"]) == [(0, True), (25, True), (50, True), (100, False)]
    found = await read(ada, "goal", made["id"], "activity(limit: 50) { items { type } }")
    kinds = [each["type"] for each in found["activity"]["items"]]
    assert kinds.count("milestone_achieved") == 3


async def test_a_milestone_is_found_changed_and_deleted(ada: Person) -> None:
    made = await goal(ada, progressConfig={"manualOverride": 40})
    one = await do(
        ada, "createMilestone", goalId=made["id"], name="half", percentage=50, description="d"
    )
    assert (one["achieved"], one["goalId"], one["version"]) == (False, made["id"], 1)
    query = "query ($g: ID!, $m: ID!) { milestone(goalId: $g, id: $m) { name percentage } }"
    found = await ada.gql(query, g=made["id"], m=one["id"])
    assert found["milestone"] == {"name": "half", "percentage": 50}
    moved = await do(ada, "updateMilestone", id=one["id"], percentage=30, description=None)
    assert (moved["achieved"], moved["description"], moved["name"]) == (True, None, "half")
    assert moved["version"] == 2
    up = await do(ada, "updateMilestone", id=one["id"], goalId=made["id"], percentage=90)
    assert up["achieved"] is True
    request = {"id": one["id"], "name": "x", "expectedVersion": 1}
    assert await refused(ada, "updateMilestone", **request) == "CONFLICT"
    await do(ada, "deleteMilestone", id=one["id"])
    assert await milestones(ada, made["id"]) == []
    assert await refused(ada, "deleteMilestone", id=one["id"]) == "NOT_FOUND"


@pytest.mark.parametrize("percentage", [-1, 101])
async def test_a_percentage_out_of_range_is_refused(ada: Person, percentage: int) -> None:
    made = await goal(ada)
    request = {"goalId": made["id"], "name": "m", "percentage": percentage}
    assert await refused(ada, "createMilestone", **request) == "BAD_INPUT"
    assert await read(ada, "goal", made["id"]) == made


async def test_milestones_are_in_the_timeline_by_date(ada: Person) -> None:
    made = await goal(ada)
    names = ["b", "a", "c"]
    for name in names:
        await do(ada, "createMilestone", goalId=made["id"], name=name, percentage=50)
    query = '{ timeline(types: ["Milestone"]) { items { ... on Milestone { name } } } }'
    found = (await ada.gql(query))["timeline"]["items"]
    assert [each["name"] for each in found] == list(reversed(names))
    mixed = (await ada.gql("{ timeline { items { __typename } } }"))["timeline"]["items"]
    assert [each["__typename"] for each in mixed][:4] == ["Milestone"] * 3 + ["Goal"]


@pytest.mark.parametrize("name", ["MILESTONE", "milestone", "Milestone"])
async def test_types_are_named_in_any_letter_case(ada: Person, name: str) -> None:
    made = await goal(ada)
    await do(ada, "createMilestone", goalId=made["id"], name="m", percentage=50)
    query = "query ($types: [String!]) { timeline(types: $types) { items { __typename } } }"
    found = (await ada.gql(query, types=[name, "goal", "GOAL"]))["timeline"]["items"]
    assert [each["__typename"] for each in found] == ["Milestone", "Goal"]


async def test_an_unknown_type_is_refused_with_the_known_ones(ada: Person) -> None:
    failed = await ada.refused('{ timeline(types: ["Goal", "Miles"]) { nextToken } }')
    message = failed.errors[0]["message"]
    assert (failed.code, failed.info["field"]) == ("BAD_INPUT", "types")
    assert message.startswith("There is no type Miles. Known: ")
    for each in ("Goal", "Milestone", "Task", "Project", "Quest"):
        assert f" {each}," in message


async def test_a_quest_in_the_timeline_leads_to_the_quest(ada: Person) -> None:
    made = await create_quest(ada)
    query = '{ timeline(types: ["QUEST"]) { items { ... on QuestListing { role quest { id } } } } }'
    found = (await ada.gql(query))["timeline"]["items"]
    assert found == [{"role": "CREATED", "quest": {"id": made["id"]}}]


async def test_a_goal_has_at_most_twenty_milestones_under_concurrency(ada: Person) -> None:
    made = await goal(ada)
    request = {"goalId": made["id"], "name": "m", "percentage": 50}
    answers = await asyncio.gather(
        *(
            ada.api.post(mutation("createMilestone"), headers=ada.headers, input=request)
            for _ in range(24)
        )
    )
    codes = [each.json().get("errors", [{}])[0].get("extensions", {}) for each in answers]
    assert [each["code"] for each in codes if each] == ["BAD_INPUT"] * 4
    assert len(await milestones(ada, made["id"])) == 20
    for _ in range(2):
        work = await task(ada, goalIds=[made["id"]], status="Done")
    assert work["goalIds"] == [made["id"]]
    assert all(achieved for _, achieved in await milestones(ada, made["id"]))
