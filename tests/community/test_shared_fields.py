"""Field by field, what a partner reads of a shared record: its own fields and its numbers, worked
out as its owner does it, and nothing of what hangs on it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from graphql import GraphQLObjectType, get_named_type, is_leaf_type

from app.table.gateway import Gateway
from app.web.schema import build_schema
from tests.api import Api, Person
from tests.community.test_assist import JOIN, OPEN
from tests.community.test_company_goals import put
from tests.community.test_market import new_company
from tests.community.test_sharing import SHARE
from tests.goals.operations import create, do, goal, log, project, task
from tests.servers import TestClock
from tests.tracking.test_habits import held, with_freezes
from tests.travel import travel

# Noon of Monday, 12 January in London is Tuesday for Ada, and still Monday for Bob.
NOON = datetime(2026, 1, 12, 12, tzinfo=UTC)
PARTS = "parts { name weight value count total }"
# As its owner sees it.
SAME = {
    "Goal": {
        "progress": f"progress {{ percent isManual {PARTS} }}",
        "progressConfig": "progressConfig { criteriaWeight tasksWeight manualOverride }",
        "rollUp": "rollUp { percent goals achieved }",
        "successCriteria": "successCriteria { text isCompleted }",
    },
    "Habit": {"pauses": "pauses { since until }"},
    "Project": {"health": "health { health progress expected overdue reason }"},
}
# For its owner alone.
HIDDEN: dict[str, dict[str, tuple[str, Any]]] = {
    "Goal": {
        "activity": ("activity { items { title } }", {"items": []}),
        "children": ("children { items { id } }", {"items": []}),
        "habits": ("habits { id }", []),
        "metrics": ("metrics { id }", []),
        "milestones": ("milestones { id }", []),
        "parent": ("parent { id }", None),
        "projects": ("projects { id }", []),
        "tasks": ("tasks { items { id } }", {"items": []}),
    },
    "Habit": {
        "calendar": ("calendar { date }", []),
        "streakParts": ("streakParts { __typename }", None),
        "strengthParts": ("strengthParts { __typename }", None),
        "today": ("today { __typename }", None),
        "chartUrl": ("chartUrl", None),
        "logs": ("logs { items { notes } }", {"items": []}),
    },
    "Project": {
        "goals": ("goals { id }", []),
        "tasks": ("tasks { items { id } }", {"items": []}),
    },
}
SCHEMA = build_schema()._schema


def plain_fields(kind: str) -> list[str]:
    found = SCHEMA.type_map[kind]
    assert isinstance(found, GraphQLObjectType)
    return [
        name
        for name, field in found.fields.items()
        if is_leaf_type(get_named_type(field.type)) and name not in HIDDEN[kind]
    ]


def everything(kind: str) -> str:
    hidden = [text for text, _ in HIDDEN[kind].values()]
    return " ".join([*plain_fields(kind), *SAME[kind].values(), *hidden])


def card(kind: str) -> str:
    fragment = f"... on {kind} {{ {everything(kind)} }}"
    return f"{{ sharedWithMe {{ items {{ record {{ {fragment} }} }} }} }}"


async def own(person: Person, kind: str, id: str) -> Any:
    query = f"query ($id: ID!) {{ {kind.lower()}(id: $id) {{ {everything(kind)} }} }}"
    return (await person.gql(query, id=id))[kind.lower()]


async def seen(person: Person, kind: str) -> Any:
    (found,) = (await person.gql(card(kind)))["sharedWithMe"]["items"]
    return found["record"]


def check(owners: Any, partners: Any, kind: str) -> None:
    for name, (_, nothing) in HIDDEN[kind].items():
        assert owners[name] != nothing, f"{name}: there must be something to hide"
        assert partners[name] == nothing
    rest = owners.keys() - HIDDEN[kind].keys()
    assert {name: partners[name] for name in rest} == {name: owners[name] for name in rest}


@pytest.fixture
async def ada(api: Api, clock: TestClock) -> Person:
    clock.freeze(NOON)
    return await api.sign_up(timeZone="Pacific/Auckland")


@pytest.fixture
async def bob(api: Api, clock: TestClock) -> Person:
    clock.freeze(NOON)
    return await api.sign_up(timeZone="America/Los_Angeles")


@pytest.mark.parametrize("kind", SAME)
def test_every_field_of_shared_records_is_classified(kind: str) -> None:
    found = SCHEMA.type_map[kind]
    assert isinstance(found, GraphQLObjectType)
    assert {*found.fields} == {*plain_fields(kind), *SAME[kind], *HIDDEN[kind]}


async def rich_goal(ada: Person) -> str:
    """With everything a goal can have."""
    above = await goal(ada, title="Above")
    made = await goal(
        ada,
        title="Run",
        parentGoalId=above["id"],
        successCriteria=[{"text": "a", "id": "first-of-ada"}, {"text": "b"}],
    )
    id = str(made["id"])
    await do(ada, "completeCriterion", goalId=id, id="first-of-ada")
    for status in ("Done", "NotStarted", "NotStarted", "NotStarted"):
        await task(ada, goalIds=[id], status=status)
    metric = await create(ada, "Metric", name="Steps", targetValue="10", direction="Higher")
    await log(ada, "Metric", metricId=metric, value="0")
    await do(ada, "linkToGoal", goalId=id, metricId=metric)
    await log(ada, "Metric", metricId=metric, value="4")
    habit = await create(ada, "Habit", name="Walk", startDate="2026-01-10")
    await do(ada, "linkToGoal", goalId=id, habitId=habit)
    for day in (10, 11, 13):
        await log(ada, "Habit", habitId=habit, date=f"2026-01-{day}")
    below = await goal(ada, parentGoalId=id, progressConfig={"manualOverride": 30})
    await goal(ada, parentGoalId=below["id"], progressConfig={"manualOverride": 60})
    await do(ada, "createMilestone", goalId=id, name="Half", percentage=50)
    await project(ada, goalIds=[id])
    return id


async def test_partners_see_the_same_progress_as_the_owner(ada: Person, bob: Person) -> None:
    id = await rich_goal(ada)
    await ada.gql(SHARE, user=bob.id, kind="GOAL", id=id)
    owners, partners = await own(ada, "Goal", id), await seen(bob, "Goal")
    check(owners, partners, "Goal")
    # For Bob it is the 12th: he would count three days of the habit, not four.
    assert partners["progress"]["parts"] == [
        {"name": "criteria", "weight": 40, "value": 50.0, "count": 1, "total": 2},
        {"name": "tasks", "weight": 30, "value": 25.0, "count": 1, "total": 4},
        {"name": "metrics", "weight": 20, "value": 40.0, "count": 0, "total": 1},
        {"name": "habits", "weight": 10, "value": 75.0, "count": 3, "total": 4},
    ]
    assert partners["progress"]["percent"] == 43
    assert partners["rollUp"] == {"percent": 60, "goals": 2, "achieved": 0}


async def test_helpers_and_admins_see_the_same_as_partners(ada: Person, bob: Person) -> None:
    id = await rich_goal(ada)
    company = await new_company(bob, ada)
    await put(ada, company, id)
    wanted = {"title": "How?", "subjectKind": "GOAL", "subjectId": id}
    thread = (await ada.gql(OPEN, input=wanted))["openAssistThread"]["id"]
    await bob.gql(JOIN, id=thread)
    query = f"""
    query ($thread: ID!, $company: ID!) {{
      assistThread(id: $thread) {{ subject {{ ... on Goal {{ {everything("Goal")} }} }} }}
      company(id: $company) {{ goals {{ items {{ goal {{ {everything("Goal")} }} }} }} }}
    }}
    """
    found = await bob.gql(query, thread=thread, company=company)
    owners = await own(ada, "Goal", id)
    check(owners, found["assistThread"]["subject"], "Goal")
    (link,) = found["company"]["goals"]["items"]
    check(owners, link["goal"], "Goal")
    assert link["goal"]["progress"]["percent"] == 43


async def test_partners_see_the_same_health_as_the_owner(ada: Person, bob: Person) -> None:
    served = await goal(ada)
    made = await project(
        ada, startDate="2026-01-03", endDate="2026-01-23", goalIds=[served["id"]], status="Active"
    )
    for status in ("Done", "NotStarted", "NotStarted", "NotStarted"):
        await task(ada, projectIds=[made["id"]], status=status)
    await ada.gql(SHARE, user=bob.id, kind="PROJECT", id=made["id"])
    owners, partners = await own(ada, "Project", made["id"]), await seen(bob, "Project")
    check(owners, partners, "Project")
    # The 13th, Ada's today, is the middle; Bob's would be 45.
    assert (partners["health"]["progress"], partners["health"]["expected"]) == (25, 50)


async def test_overdue_tasks_of_a_shared_project_are_counted(ada: Person, bob: Person) -> None:
    made = await project(ada, status="Active")
    for due in ("2026-01-11", "2026-01-12", "2026-01-13"):
        await task(ada, projectIds=[made["id"]], dueDate=due)
    await ada.gql(SHARE, user=bob.id, kind="PROJECT", id=made["id"])
    owners, partners = await own(ada, "Project", made["id"]), await seen(bob, "Project")
    assert owners["health"] == partners["health"]
    assert partners["health"]["overdue"] == 2


async def test_partners_see_the_same_streak_as_the_owner(ada: Person, bob: Person) -> None:
    habit = await create(ada, "Habit", name="Walk", startDate="2026-01-10")
    for day in (10, 11, 12, 13):
        await log(ada, "Habit", habitId=habit, date=f"2026-01-{day}", notes="Secret")
    await ada.gql(SHARE, user=bob.id, kind="HABIT", id=habit)
    owners, partners = await own(ada, "Habit", habit), await seen(bob, "Habit")
    check(owners, partners, "Habit")
    assert (partners["streak"], partners["longestStreak"]) == (4, 4)
    assert (partners["cachedStreak"], partners["strength"]) == (4, owners["strength"])


async def test_a_partners_read_uses_none_of_the_owners_freezes(
    ada: Person, bob: Person, clock: TestClock, table: Gateway
) -> None:
    await with_freezes(ada, 2)
    habit = await create(ada, "Habit", name="Walk", startDate="2026-01-12")
    for day in (12, 13):
        await log(ada, "Habit", habitId=habit, date=f"2026-01-{day}")
    await ada.gql(SHARE, user=bob.id, kind="HABIT", id=habit)
    await travel(clock, NOON + timedelta(days=2), ada, bob)
    before = [item async for item in table.partition(f"USER#{ada.id}")]
    first = await seen(bob, "Habit")
    assert [item async for item in table.partition(f"USER#{ada.id}")] == before
    assert (first["streak"], await held(ada)) == (2, 2)
    owners = await own(ada, "Habit", habit)
    assert (owners["streak"], await held(ada)) == (2, 1)
    assert (await seen(bob, "Habit"))["streak"] == 2
