"""Goals, through HTTP: fields, statuses, criteria, links, hierarchy, activity."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.goals.operations import do, goal, ids, mutation, project, read, refused, task
from tests.servers import TestClock


async def activity(person: Person, id: str) -> list[Any]:
    found = await read(
        person, "goal", id, "activity(limit: 100) { items { type title relatedEntityId } }"
    )
    return list(found["activity"]["items"])


async def kinds(person: Person, id: str) -> list[str]:
    return [each["type"] for each in await activity(person, id)]


async def test_keeps_every_field(ada: Person) -> None:
    made = await goal(
        ada,
        "Save",
        id="goal-" + ada.nickname,
        description="d",
        area="Wealth",
        subCategory="Savings",
        timeHorizon="Yearly",
        priority="P1",
        status="Active",
        targetDate="2026-12-31",
        notes="n",
        tags=["Money", "money"],
        successCriteria=[{"text": "10k", "id": "criteria-1", "targetDate": "2026-06-01"}],
        progressConfig={"criteriaWeight": 50},
    )
    expected = {
        "title": "Save",
        "area": "Wealth",
        "subCategory": "Savings",
        "timeHorizon": "Yearly",
        "priority": "P1",
        "status": "Active",
        "targetDate": "2026-12-31",
        "completedDate": None,
        "notes": "n",
        "tags": ["money"],
        "cachedProgress": 0,
        "parentGoalId": None,
    }
    assert {name: made[name] for name in expected} == expected
    assert made["successCriteria"] == [
        {
            "id": "criteria-1",
            "text": "10k",
            "isCompleted": False,
            "completedAt": None,
            "linkedMetricId": None,
            "linkedTaskId": None,
            "targetDate": "2026-06-01",
            "order": 1,
        }
    ]
    assert made["progressConfig"] == {
        "criteriaWeight": 50,
        "tasksWeight": 30,
        "metricsWeight": 20,
        "habitsWeight": 10,
        "manualOverride": None,
    }
    assert made["lastActivityAt"] >= made["createdAt"]
    assert await read(ada, "goal", made["id"]) == made
    assert await kinds(ada, made["id"]) == ["goal_created"]


async def test_a_new_goal_has_the_documented_weights(ada: Person) -> None:
    made = await goal(ada)
    assert list(made["progressConfig"].values()) == [40, 30, 20, 10, None]
    assert (made["status"], made["priority"]) == ("Planning", "P3")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", " "),
        ("status", "Done"),
        ("timeHorizon", "Century"),
        ("targetDate", "2026-13-01"),
        ("tags", [str(i) for i in range(21)]),
        ("progressConfig", {"criteriaWeight": -1}),
        ("progressConfig", {"manualOverride": 101}),
        ("progressConfig", {"tasksWeight": None}),
        ("successCriteria", [{"text": ""}]),
        ("cachedProgress", 50),
        ("completedDate", "2026-01-01"),
    ],
)
async def test_invalid_input_is_refused(ada: Person, field: str, value: object) -> None:
    assert await refused(ada, "createGoal", **{"title": "x", field: value}) == "BAD_INPUT"
    assert (await ada.gql("{ goals { items { id } } }"))["goals"]["items"] == []


async def test_null_clears_and_absent_keeps(ada: Person) -> None:
    made = await goal(ada, description="d", notes="n", area="Health", timeHorizon="Weekly")
    after = await do(ada, "updateGoal", id=made["id"], description=None, timeHorizon=None)
    assert (after["description"], after["timeHorizon"]) == (None, None)
    assert (after["notes"], after["area"]) == ("n", "Health")
    for field in ("title", "status", "priority", "tags", "progressConfig"):
        assert await refused(ada, "updateGoal", id=made["id"], **{field: None}) == "BAD_INPUT"


async def test_an_achieved_goal_has_a_completed_date_until_it_is_reopened(
    api: Api, clock: TestClock
) -> None:
    clock.set(datetime(2026, 1, 10, 12, 0, tzinfo=UTC))
    eva = await api.sign_up(timeZone="Pacific/Auckland")
    linked = await task(eva)
    made = await goal(eva, status="Active")
    await do(eva, "linkToGoal", goalId=made["id"], taskId=linked["id"])
    achieved = await do(eva, "updateGoal", id=made["id"], status="Achieved")
    assert achieved["completedDate"] == "2026-01-11"
    assert (await do(eva, "updateGoal", id=made["id"], title="t"))["completedDate"] == "2026-01-11"
    left = await do(eva, "updateGoal", id=made["id"], status="Abandoned")
    assert left["completedDate"] is None
    tasks = await read(eva, "goal", made["id"], "tasks { items { id } }")
    assert tasks["tasks"]["items"] == [{"id": linked["id"]}]
    assert (await kinds(eva, made["id"]))[:3] == [
        "status_changed",
        "goal_updated",
        "status_changed",
    ]


async def test_stale_version(ada: Person) -> None:
    made = await goal(ada)
    await do(ada, "updateGoal", id=made["id"], title="Two", expectedVersion=1)
    for name in ("updateGoal", "deleteGoal"):
        failed = await ada.refused(mutation(name), input={"id": made["id"], "expectedVersion": 1})
        assert (failed.code, failed.info["currentVersion"]) == ("CONFLICT", 2)


async def test_every_change_is_one_activity(ada: Person, clock: TestClock) -> None:
    clock.freeze(clock.now())
    made = await goal(ada)
    for i in range(5):
        await do(ada, "addCriterion", goalId=made["id"], text=str(i))
    found = await activity(ada, made["id"])
    assert [each["title"] for each in found] == ["4", "3", "2", "1", "0", made["title"]]


async def test_reading_and_recomputing_add_no_activity(ada: Person, clock: TestClock) -> None:
    made = await goal(ada)
    clock.move(hours=1)
    await read(ada, "goal", made["id"], "progress { percent } tasks { items { id } }")
    again = await do(ada, "recomputeGoalProgress", id=made["id"])
    assert again == made
    assert await kinds(ada, made["id"]) == ["goal_created"]


# Criteria.


async def criteria(person: Person, goal_id: str) -> list[Any]:
    return list((await read(person, "goal", goal_id))["successCriteria"])


async def test_criteria_are_added_changed_ordered_and_removed(ada: Person) -> None:
    made = await goal(ada, successCriteria=[{"text": "a", "id": "a"}, {"text": "b", "id": "b"}])
    id = made["id"]
    await do(ada, "addCriterion", goalId=id, text="c", id="c", order=1)
    assert [(each["id"], each["order"]) for each in await criteria(ada, id)] == [
        ("c", 1),
        ("a", 2),
        ("b", 3),
    ]
    await do(ada, "reorderCriteria", goalId=id, ids=["b", "a"])
    assert [each["id"] for each in await criteria(ada, id)] == ["b", "a", "c"]
    await do(ada, "updateCriterion", goalId=id, id="c", text="C", order=1, targetDate="2026-05-01")
    assert [each["text"] for each in await criteria(ada, id)] == ["C", "b", "a"]
    await do(ada, "updateCriterion", goalId=id, id="c", targetDate=None)
    assert (await criteria(ada, id))[0]["targetDate"] is None
    after = await do(ada, "removeCriterion", goalId=id, id="b")
    assert [(each["id"], each["order"]) for each in after["successCriteria"]] == [
        ("c", 1),
        ("a", 2),
    ]


async def test_a_criterion_is_completed_and_reopened(ada: Person) -> None:
    made = await goal(ada, successCriteria=[{"text": "a", "id": "a"}, {"text": "b", "id": "b"}])
    done = await do(ada, "completeCriterion", goalId=made["id"], id="a")
    assert done["successCriteria"][0]["isCompleted"] is True
    assert done["successCriteria"][0]["completedAt"] is not None
    assert done["cachedProgress"] == 50
    again = await do(ada, "completeCriterion", goalId=made["id"], id="a")
    assert again["version"] == done["version"]
    back = await do(ada, "reopenCriterion", goalId=made["id"], id="a")
    assert (back["successCriteria"][0]["completedAt"], back["cachedProgress"]) == (None, 0)
    assert (await kinds(ada, made["id"]))[:2] == ["criterion_reopened", "criterion_completed"]


async def test_twenty_concurrent_clients_lose_no_criterion(ada: Person) -> None:
    wishes = [{"text": str(i), "id": f"c{i}"} for i in range(20)]
    made = await goal(ada, successCriteria=wishes)
    query = mutation("completeCriterion")
    answers = await asyncio.gather(
        *(
            ada.api.post(query, headers=ada.headers, input={"goalId": made["id"], "id": f"c{i}"})
            for i in range(20)
        )
    )
    assert [each.json()["errors"] for each in answers if "errors" in each.json()] == []
    after = await read(ada, "goal", made["id"])
    assert all(each["isCompleted"] for each in after["successCriteria"])
    assert after["cachedProgress"] == 100


async def test_a_missing_criterion_is_not_found(ada: Person) -> None:
    made = await goal(ada, successCriteria=[{"text": "a", "id": "a"}])
    for name in ("completeCriterion", "reopenCriterion", "removeCriterion", "updateCriterion"):
        assert await refused(ada, name, goalId=made["id"], id="nobody") == "NOT_FOUND"
    assert await refused(ada, "reorderCriteria", goalId=made["id"], ids=["x"]) == "NOT_FOUND"
    assert await refused(ada, "addCriterion", goalId=made["id"], text="x", id="a") == "CONFLICT"
    for field in ("linkedTaskId", "linkedMetricId"):
        request = {"goalId": made["id"], "text": "x", field: "nobody"}
        assert await refused(ada, "addCriterion", **request) == "NOT_FOUND"
    assert await read(ada, "goal", made["id"]) == made


async def test_a_criterion_follows_its_task(ada: Person) -> None:
    linked = await task(ada)
    made = await goal(
        ada, successCriteria=[{"text": "a", "linkedTaskId": linked["id"]}, {"text": "b"}]
    )
    await do(ada, "completeTask", id=linked["id"])
    after = await read(ada, "goal", made["id"])
    assert [each["isCompleted"] for each in after["successCriteria"]] == [True, False]
    assert after["cachedProgress"] == 50
    await do(ada, "reopenTask", id=linked["id"])
    after = await read(ada, "goal", made["id"])
    assert [each["isCompleted"] for each in after["successCriteria"]] == [False, False]
    assert (await kinds(ada, made["id"]))[:2] == ["criterion_reopened", "criterion_completed"]


async def test_a_criterion_takes_the_state_of_its_task_when_linked(ada: Person) -> None:
    done = await task(ada, status="Done")
    made = await goal(ada, successCriteria=[{"text": "a", "id": "a"}])
    after = await do(ada, "updateCriterion", goalId=made["id"], id="a", linkedTaskId=done["id"])
    assert after["successCriteria"][0]["isCompleted"] is True
    free = await do(ada, "updateCriterion", goalId=made["id"], id="a", linkedTaskId=None)
    assert free["successCriteria"][0]["linkedTaskId"] is None
    await do(ada, "reopenTask", id=done["id"])
    assert (await criteria(ada, made["id"]))[0]["isCompleted"] is True


# Links.


async def test_links_are_visible_from_both_sides(ada: Person, table: Gateway) -> None:
    made, work = await goal(ada), await task(ada)
    for _ in range(2):
        await do(ada, "linkToGoal", goalId=made["id"], taskId=work["id"])
    assert (await read(ada, "task", work["id"], "goals { id }"))["goals"] == [{"id": made["id"]}]
    seen = await read(ada, "goal", made["id"], "tasks { items { id goalIds } }")
    assert seen["tasks"]["items"] == [{"id": work["id"], "goalIds": [made["id"]]}]
    inside = [each["SK"]["S"] async for each in table.partition(f"GOAL#{made['id']}")]
    assert f"TASK#{work['id']}" in inside
    for _ in range(2):
        await do(ada, "unlinkFromGoal", goalId=made["id"], taskId=work["id"])
    assert (await read(ada, "task", work["id"]))["goalIds"] == []
    inside = [each["SK"]["S"] async for each in table.partition(f"GOAL#{made['id']}")]
    assert f"TASK#{work['id']}" not in inside
    assert (await kinds(ada, made["id"])) == ["task_unlinked", "task_linked", "goal_created"]


async def test_changing_goal_ids_of_a_task_changes_its_links(ada: Person) -> None:
    one, two, three = [await goal(ada, title) for title in ("1", "2", "3")]
    work = await task(ada, goalIds=[one["id"], two["id"], one["id"]], goalId=two["id"])
    assert work["goalIds"] == [one["id"], two["id"]]
    await do(ada, "updateTask", id=work["id"], goalIds=[two["id"], three["id"]])
    counts = [
        len((await read(ada, "goal", each["id"], "tasks { items { id } }"))["tasks"]["items"])
        for each in (one, two, three)
    ]
    assert counts == [0, 1, 1]


async def test_a_task_has_at_most_ten_goals(ada: Person) -> None:
    goals = [(await goal(ada, str(i)))["id"] for i in range(11)]
    request = {"title": "x", "goalIds": goals[:10], "goalId": goals[10]}
    assert await refused(ada, "createTask", **request) == "BAD_INPUT"
    work = await task(ada, goalIds=goals[:10])
    assert await refused(ada, "linkToGoal", goalId=goals[10], taskId=work["id"]) == "BAD_INPUT"


async def test_linking_needs_exactly_one_id(ada: Person) -> None:
    made, work = await goal(ada), await task(ada)
    both = {"goalId": made["id"], "taskId": work["id"], "projectId": "x"}
    for request in ({"goalId": made["id"]}, both):
        assert await refused(ada, "linkToGoal", **request) == "BAD_INPUT"
    for field in ("taskId", "metricId", "habitId", "projectId"):
        for name in ("linkToGoal", "unlinkFromGoal"):
            code = await refused(ada, name, **{"goalId": made["id"], field: "nobody"})
            assert code == "NOT_FOUND"
    assert await read(ada, "goal", made["id"]) == made


async def test_a_project_is_linked_to_goals(ada: Person) -> None:
    made, garden = await goal(ada), await project(ada)
    await do(ada, "linkToGoal", goalId=made["id"], projectId=garden["id"])
    assert (await read(ada, "project", garden["id"], "goals { id }"))["goals"] == [
        {"id": made["id"]}
    ]
    assert (await read(ada, "goal", made["id"], "projects { id }"))["projects"] == [
        {"id": garden["id"]}
    ]
    await do(ada, "unlinkFromGoal", goalId=made["id"], projectId=garden["id"])
    assert (await read(ada, "project", garden["id"]))["goalIds"] == []
    assert (await read(ada, "goal", made["id"], "projects { id }"))["projects"] == []


# Hierarchy.


async def test_parents_children_and_their_roll_up(ada: Person) -> None:
    top = await goal(ada, "top")
    one = await goal(ada, "one", parentGoalId=top["id"], progressConfig={"manualOverride": 40})
    two = await goal(ada, "two", progressConfig={"manualOverride": 80})
    await do(ada, "updateGoal", id=two["id"], parentGoalId=top["id"])
    more = "children { items { id } } rollUp { percent goals achieved } parent { id }"
    seen = await read(ada, "goal", top["id"], more)
    assert ids([seen["children"]["items"]]) == [one["id"], two["id"]]
    assert seen["rollUp"] == {"percent": 60, "goals": 2, "achieved": 0}
    assert (await read(ada, "goal", one["id"], more))["parent"] == {"id": top["id"]}
    await do(ada, "updateGoal", id=two["id"], parentGoalId=None)
    seen = await read(ada, "goal", top["id"], more)
    assert (ids([seen["children"]["items"]]), seen["rollUp"]["percent"]) == ([one["id"]], 40)
    assert (await kinds(ada, top["id"]))[:2] == ["child_removed", "child_added"]


async def test_a_goal_cannot_be_its_own_ancestor(ada: Person) -> None:
    a = await goal(ada, "a")
    b = await goal(ada, "b", parentGoalId=a["id"])
    c = await goal(ada, "c", parentGoalId=b["id"])
    for parent in (a, b, c):
        code = await refused(ada, "updateGoal", id=a["id"], parentGoalId=parent["id"])
        assert code == "CIRCULAR"
    assert await refused(ada, "updateGoal", id=a["id"], parentGoalId="nobody") == "NOT_FOUND"
    assert (await read(ada, "goal", a["id"]))["parentGoalId"] is None


async def test_concurrent_edges_cannot_close_a_cycle(ada: Person) -> None:
    for _ in range(5):
        a, b = await goal(ada, "a"), await goal(ada, "b")
        query = mutation("updateGoal")
        await asyncio.gather(
            *(
                ada.api.post(
                    query, headers=ada.headers, input={"id": x["id"], "parentGoalId": y["id"]}
                )
                for x, y in ((a, b), (b, a))
            )
        )
        parents = [(await read(ada, "goal", x["id"]))["parentGoalId"] for x in (a, b)]
        assert None in parents
