"""GraphQL operations of this domain, for tests."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from tests.api import PASSWORD, Person
from tests.servers import TestClock

TASK = """
  id title description extendedDescription area subCategory priority status size dueDate dueAt
  scheduledDate completedDate isRecurring nextTaskId pointValue pointsAwarded notes nlpPlan tags
  goalIds goalId projectIds dependsOnIds blocksIds done version createdAt updatedAt
  recurrenceRule { frequency interval endDate rrule mode count }
"""
GOAL = """
  id title description area subCategory timeHorizon priority status targetDate completedDate
  cachedProgress parentGoalId lastActivityAt notes tags metricIds habitIds version createdAt
  updatedAt
  successCriteria { id text isCompleted completedAt linkedMetricId linkedTaskId targetDate order }
  progressConfig { criteriaWeight tasksWeight metricsWeight habitsWeight manualOverride }
"""
PROJECT = """
  id name description area subCategory priority status impact startDate endDate completedDate notes
  cachedHealth cachedProgress goalIds version createdAt updatedAt
"""
MILESTONE = "id goalId name percentage achieved achievedAt description version"
MANY = f"tasks {{ {TASK} }} refusals {{ id code message }}"
ANSWERS = {
    "Task": TASK,
    "Goal": GOAL,
    "Project": PROJECT,
    "Milestone": MILESTONE,
    "ManyTasks": MANY,
}
MUTATIONS = {
    "Task": "createTask updateTask completeTask reopenTask toggleTask deleteTask skipOccurrence "
    "quickAddTask addTaskDependency removeTaskDependency",
    "Goal": "createGoal updateGoal deleteGoal linkToGoal unlinkFromGoal recomputeGoalProgress "
    "addCriterion updateCriterion completeCriterion reopenCriterion removeCriterion "
    "reorderCriteria",
    "Project": "createProject updateProject deleteProject linkToProject unlinkFromProject",
    "Milestone": "createMilestone updateMilestone deleteMilestone",
    "ManyTasks": "completeTasks updateTasks",
}
KINDS = {name: kind for kind, names in MUTATIONS.items() for name in names.split()}


def mutation(name: str) -> str:
    kind = f"{name[0].upper()}{name[1:]}Input"
    return f"mutation ($input: {kind}!) {{ {name}(input: $input) {{ {ANSWERS[KINDS[name]]} }} }}"


async def do(person: Person, name: str, /, **fields: object) -> Any:
    return (await person.gql(mutation(name), input=fields))[name]


async def refused(person: Person, name: str, /, **fields: object) -> str:
    """The code of the error that this must give."""
    return (await person.refused(mutation(name), input=fields)).code


async def task(person: Person, title: str = "Review", **fields: object) -> Any:
    return await do(person, "createTask", title=title, **fields)


async def goal(person: Person, title: str = "Run a marathon", **fields: object) -> Any:
    return await do(person, "createGoal", title=title, **fields)


async def project(person: Person, name: str = "Garden", **fields: object) -> Any:
    return await do(person, "createProject", name=name, **fields)


async def read(person: Person, kind: str, id: str, more: str = "") -> Any:
    query = f"query ($id: ID!) {{ {kind}(id: $id) {{ {ANSWERS[kind.title()]} {more} }} }}"
    return (await person.gql(query, id=id))[kind]


async def balance(person: Person) -> int:
    return int((await person.gql("{ wallet { balance } }"))["wallet"]["balance"])


async def payments(person: Person) -> list[Any]:
    query = "{ wallet { transactions(limit: 100) { items { amount type taskId } } } }"
    return list((await person.gql(query))["wallet"]["transactions"]["items"])


async def pages(
    person: Person, field: str, arguments: str = "", *, limit: int = 5, inner: str = "id"
) -> list[list[Any]]:
    """Every page of a list, to its end."""
    found: list[list[Any]] = []
    token = None
    while not found or token:
        query = (
            f"query ($token: String) {{ {field}({arguments} limit: {limit}, nextToken: $token) "
            f"{{ items {{ {inner} }} nextToken }} }}"
        )
        page = (await person.gql(query, token=token))[field]
        found.append(page["items"])
        token = page["nextToken"]
    return found


def ids(pages: Sequence[Sequence[Any]]) -> list[str]:
    return [each["id"] for page in pages for each in page]


async def later(person: Person, clock: TestClock, moment: datetime) -> None:
    """Some time passes, and the person signs in again."""
    clock.set(moment)
    query = "mutation ($input: SignInInput!) { signIn(input: $input) { accessToken } }"
    credentials = {"email": person.email, "password": PASSWORD}
    person.session |= (await person.api.gql(query, input=credentials))["signIn"]


# Records of any kind, e.g. of the tracking domain.


async def create(person: Person, kind: str, **fields: object) -> str:
    query = f"mutation ($input: Create{kind}Input!) {{ create{kind}(input: $input) {{ id }} }}"
    return str((await person.gql(query, input=fields))[f"create{kind}"]["id"])


async def log(person: Person, kind: str, **fields: object) -> None:
    await person.gql(
        f"mutation ($input: Log{kind}Input!) {{ log{kind}(input: $input) {{ __typename }} }}",
        input=fields,
    )


async def delete(person: Person, kind: str, id: str) -> None:
    await person.gql(
        f"mutation ($input: Delete{kind}Input!) {{ delete{kind}(input: $input) {{ id }} }}",
        input={"id": id},
    )
