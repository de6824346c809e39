"""Concurrent changes of tasks, goals and projects: in the end all views agree."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.api import Failed, Person
from tests.goals.operations import (
    GOAL,
    PROJECT,
    TASK,
    balance,
    do,
    goal,
    pages,
    payments,
    project,
    read,
    task,
)

STATUSES = ["NotStarted", "InProgress", "Blocked", "OnHold", "Done", "Cancelled"]
REFUSALS = {"NOT_FOUND", "DEPENDENCY_OPEN", "CIRCULAR", "BAD_INPUT"}
RandomRequest = tuple[str, dict[str, object]]


class ConcurrentClients:
    """Several clients of one person. Each sends random mutations."""

    def __init__(self, person: Person, seed: int) -> None:
        self.person = person
        self.random = random.Random(seed)
        self.ids: dict[str, list[str]] = {"task": [], "goal": [], "project": []}

    async def fill(self) -> None:
        for kind, make, count in (("goal", goal, 3), ("project", project, 2), ("task", task, 5)):
            self.ids[kind] = [(await make(self.person))["id"] for _ in range(count)]

    def one(self, kind: str) -> str:
        return self.random.choice(self.ids[kind])

    def some(self, kind: str) -> list[str]:
        return self.random.sample(self.ids[kind], k=self.random.randint(0, 2))

    def day(self) -> str | None:
        return self.random.choice([None, *(f"2040-12-0{number}" for number in range(1, 9))])

    def random_request(self) -> RandomRequest:
        rule = {"frequency": "DAILY"}
        requests: list[Callable[[], RandomRequest]] = [
            lambda: ("createTask", {"title": "n", "goalIds": self.some("goal"),
                                    "projectIds": self.some("project"), "dueDate": "2040-12-05",
                                    "recurrenceRule": rule, "dependsOnIds": [self.one("task")]}),
            lambda: ("updateTask", {"id": self.one("task"), "goalIds": self.some("goal"),
                                    "projectIds": self.some("project"), "dueDate": self.day()}),
            lambda: ("updateTask", {"id": self.one("task"), "dueDate": self.day(),
                                    "status": self.random.choice(STATUSES)}),
            lambda: ("toggleTask", {"id": self.one("task"), "done": self.random.random() < 0.7}),
            lambda: ("skipOccurrence", {"id": self.one("task")}),
            lambda: ("deleteTask", {"id": self.one("task")}),
            lambda: ("linkToGoal", {"goalId": self.one("goal"), "taskId": self.one("task")}),
            lambda: ("unlinkFromGoal", {"goalId": self.one("goal"), "taskId": self.one("task")}),
            lambda: ("addTaskDependency", {"taskId": self.one("task"),
                                           "dependsOnTaskId": self.one("task")}),
            lambda: ("addCriterion", {"goalId": self.one("goal"), "text": "c",
                                      "linkedTaskId": self.one("task")}),
            lambda: ("createMilestone", {"goalId": self.one("goal"), "name": "m",
                                         "percentage": self.random.randint(0, 100)}),
        ]  # fmt: skip
        return self.random.choice(requests)()

    async def act(self, name: str, fields: dict[str, object]) -> None:
        try:
            answer = await do(self.person, name, **fields)
        except Failed as failed:
            if failed.code not in REFUSALS:
                raise
            return
        created = [answer.get("nextTaskId"), answer["id"] if name == "createTask" else None]
        self.ids["task"] += [each for each in created if each and each not in self.ids["task"]]

    async def run(self, *, rounds: int) -> None:
        for _ in range(rounds):
            await asyncio.gather(*(self.act(*self.random_request()) for _ in range(5)))
        await do(self.person, "deleteGoal", id=self.ids["goal"][0])
        await do(self.person, "deleteProject", id=self.ids["project"][0])


async def every(person: Person, field: str, inner: str) -> dict[str, Any]:
    found = await pages(person, field, limit=100, inner=inner)
    return {each["id"]: each for page in found for each in page}


@pytest.mark.parametrize("seed", range(3))
async def test_all_views_agree_after_concurrent_changes(ada: Person, seed: int) -> None:
    clients = ConcurrentClients(ada, seed)
    await clients.fill()
    await clients.run(rounds=15)
    tasks = await every(ada, "tasks", TASK)
    goals = await every(ada, "goals", GOAL)
    projects = await every(ada, "projects", PROJECT)
    assert (len(goals), len(projects)) == (2, 1)
    for each in tasks.values():
        check_task(each, tasks, goals, projects)
    for kind, owners in (("goal", goals), ("project", projects)):
        for id in owners:
            await check_list(ada, kind, id, tasks)
    for each in goals.values():
        assert await do(ada, "recomputeGoalProgress", id=each["id"]) == each
        for criterion in each["successCriteria"]:
            linked = criterion["linkedTaskId"]
            assert linked is None or criterion["isCompleted"] == tasks[linked]["done"]
    assert await balance(ada) == sum(each["amount"] for each in await payments(ada))


def check_task(each: Any, tasks: Any, goals: Any, projects: Any) -> None:
    assert set(each["goalIds"]) <= goals.keys()
    assert set(each["projectIds"]) <= projects.keys()
    assert {each["nextTaskId"]} - {None} <= tasks.keys()
    assert all(each["id"] in tasks[other]["blocksIds"] for other in each["dependsOnIds"])
    assert all(each["id"] in tasks[other]["dependsOnIds"] for other in each["blocksIds"])
    if any(not tasks[other]["done"] for other in each["dependsOnIds"]):
        assert each["status"] not in ("NotStarted", "InProgress")
    assert each["pointsAwarded"] == each["done"]


async def check_list(person: Person, kind: str, id: str, tasks: Any) -> None:
    listed = await read(person, kind, id, "tasks(limit: 100) { items { id } }")
    mine = [each for each in tasks.values() if id in each[f"{kind}Ids"]]
    mine.sort(key=lambda each: (each["dueAt"] or "~", each["id"]))
    assert [each["id"] for each in listed["tasks"]["items"]] == [each["id"] for each in mine]
    counted = [each for each in mine if each["status"] != "Cancelled"]
    if kind == "project":
        share = sum(each["done"] for each in counted) / max(len(counted), 1)
        assert abs(listed["cachedProgress"] - 100 * share) < 1
