"""Each subscription sends its records, with every selected field, to their owner."""

import asyncio
from typing import Any

import pytest

from app.core.caller import acting_for
from app.domains.notifications.types import Announcement, AnnouncementSubject, NotificationKind
from app.services import Services
from app.web.schema import build_schema
from tests.api import Api, Person
from tests.characters.operations import new_goal, record
from tests.realtime.sockets import TransportClient
from tests.servers import RunningServer

CREATE_GOAL = "mutation ($t: String!) { createGoal(input: {title: $t}) { id } }"
CREATE_TASK = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }"
CREATE_QUEST = "mutation ($input: CreateQuestInput!) { createQuest(input: $input) { id } }"


async def first(
    server_url: str, person: Person, query: str, act: Any, **variables: str
) -> dict[str, Any]:
    """What the subscription tells when this is done."""
    async with TransportClient.signed_in(server_url, person) as socket:
        await socket.subscribe(query, **variables)
        await socket.silent(0.2)
        await act()
        data: dict[str, Any] = await socket.data()
        return data


async def test_goals(server_url: str, ada: Person) -> None:
    received = await first(
        server_url,
        ada,
        "subscription { onGoalChanged { title cachedProgress tasks { items { id } } } }",
        lambda: ada.gql(CREATE_GOAL, t="Run a marathon"),
    )
    assert received["onGoalChanged"] == {
        "title": "Run a marathon",
        "cachedProgress": 0,
        "tasks": {"items": []},
    }


async def test_goal_activity(server_url: str, ada: Person) -> None:
    goal = (await ada.gql(CREATE_GOAL, t="Read more"))["createGoal"]["id"]
    received = await first(
        server_url,
        ada,
        "subscription ($g: ID) { onGoalActivity(goalId: $g) { goalId type title } }",
        lambda: ada.gql(
            "mutation ($g: ID!) { updateGoal(input: {id: $g, status: Active}) { id } }", g=goal
        ),
        g=goal,
    )
    assert received["onGoalActivity"]["goalId"] == goal


async def test_habits(server_url: str, ada: Person) -> None:
    made = await ada.gql(
        'mutation { createHabit(input: {name: "Stretch", frequency: Daily}) { id } }'
    )
    habit = made["createHabit"]["id"]
    received = await first(
        server_url,
        ada,
        "subscription { onHabitLogged { habitId completed habit { id } } }",
        lambda: ada.gql(
            "mutation ($h: ID!) { logHabit(input: {habitId: $h, completed: true}) { id } }", h=habit
        ),
    )
    assert received["onHabitLogged"] == {
        "habitId": habit,
        "completed": True,
        "habit": {"id": habit},
    }


async def test_metrics(server_url: str, ada: Person) -> None:
    made = await ada.gql('mutation { createMetric(input: {name: "Weight", unit: "kg"}) { id } }')
    metric = made["createMetric"]["id"]
    received = await first(
        server_url,
        ada,
        "subscription ($m: ID) { onMetricLogged(metricId: $m) { metricId value } }",
        lambda: ada.gql(
            "mutation ($m: ID!) { logMetric(input: {metricId: $m, value: 71.5}) { id } }", m=metric
        ),
        m=metric,
    )
    assert received["onMetricLogged"]["metricId"] == metric
    assert float(received["onMetricLogged"]["value"]) == 71.5


async def test_the_wallet(server_url: str, ada: Person) -> None:
    task = (await ada.gql(CREATE_TASK, input={"title": "Earn", "size": 10}))["createTask"]["id"]
    received = await first(
        server_url,
        ada,
        "subscription { onWalletChanged { balance transactions { items { amount } } } }",
        lambda: ada.gql("mutation ($t: ID!) { completeTask(input: {id: $t}) { id } }", t=task),
    )
    wallet = received["onWalletChanged"]
    assert wallet["balance"] == sum(each["amount"] for each in wallet["transactions"]["items"]) > 0


async def test_quests(server_url: str, ada: Person, bob: Person) -> None:
    quest = {
        "title": "Paint the fence",
        "description": "All of it, and in white.",
        "rewardXp": 100,
        "rewardReputation": 10,
    }
    async with TransportClient.signed_in(server_url, bob) as socket:
        await socket.subscribe("subscription { onQuestChanged(status: CLAIMED) { id status } }")
        await socket.silent(0.2)
        made = (await ada.gql(CREATE_QUEST, input=quest))["createQuest"]["id"]
        claim = "mutation ($q: ID!) { claimQuest(input: {questId: $q}) { id } }"
        await bob.gql(claim, q=made)
        received = (await socket.data())["onQuestChanged"]
        assert received == {"id": made, "status": "CLAIMED"}


async def test_values(server_url: str, ada: Person) -> None:
    received = await first(
        server_url,
        ada,
        "subscription { onValuesCommitted { branch head revision { message } roots { title } } }",
        lambda: ada.gql(COMMIT_VALUES),
    )
    commit = received["onValuesCommitted"]
    assert commit["branch"] == "main"
    assert commit["revision"]["message"] == "The first"


COMMIT_VALUES = """
mutation {
  commitValues(input: {
    message: "The first", operations: [{add: {id: "n1", nodeType: DRIVER, title: "Health"}}]
  }) { head }
}
"""


async def test_plans(server_url: str, ada: Person) -> None:
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe(
            "subscription ($d: AWSDate) { onPlanCommitted(date: $d) { date revision { id } } }",
            d="2031-05-02",
        )
        await socket.silent(0.2)
        await ada.gql(COMMIT_PLAN, d="2031-05-03")
        await ada.gql(COMMIT_PLAN, d="2031-05-02")
        received = (await socket.data())["onPlanCommitted"]
        assert received["date"] == "2031-05-02"
        assert received["revision"]["id"]
        await socket.silent()


COMMIT_PLAN = "mutation ($d: AWSDate!) { commitPlan(input: {date: $d, todos: []}) { date } }"


async def test_progress(server_url: str, ada: Person) -> None:
    goal = await new_goal(ada, targetType="level", targetValue=10)
    received = await first(
        server_url,
        ada,
        "subscription ($g: ID) { onProgressRecorded(goalId: $g) { goalId progressValue } }",
        lambda: record(ada, goal["id"], 12),
        g=goal["id"],
    )
    assert received["onProgressRecorded"] == {"goalId": goal["id"], "progressValue": 12}


async def test_notifications(server: RunningServer, ada: Person) -> None:
    """Written by background work, not by a mutation."""

    async def announce() -> None:
        inbox = Services(server.app.state.resources, acting_for(ada.id)).inbox
        subject = AnnouncementSubject("a-subject", "2031-01-01")
        wanted = Announcement(
            kind=NotificationKind.REMINDER, title="A title", body="A body", subjects=[subject]
        )
        _, writes = await inbox.announcement_writes(wanted)
        await server.app.state.resources.table.write(*writes)

    received = await first(
        server.url,
        ada,
        "subscription { onNotification { title body readAt } }",
        lambda: server.run(announce()),
    )
    assert received["onNotification"] == {"title": "A title", "body": "A body", "readAt": None}


async def test_an_argument_that_is_left_out_or_null(server_url: str, ada: Person) -> None:
    query = "subscription ($g: ID) { onGoalActivity(goalId: $g) { goalId } }"
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.send(type="subscribe", id="any", payload={"query": query})
        variables = {"g": None}
        await socket.send(
            type="subscribe", id="null", payload={"query": query, "variables": variables}
        )
        await socket.silent(0.2)
        await ada.gql(CREATE_GOAL, t="Anything")
        frame = await socket.expect("next")
        assert frame["id"] == "any"
        await socket.silent()


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ({"title": {"contains": "b"}}, ["ab", "bc"]),
        ({"title": {"eq": "ab"}}, ["ab"]),
        ({"title": {"ne": "ab"}}, ["bc", "cd"]),
        ({"title": {"in": ["cd", "ab"]}}, ["ab", "cd"]),
        ({"title": {"notIn": ["cd"]}}, ["ab", "bc"]),
        ({"title": {"between": ["b", "c"]}}, ["bc"]),
        ({"title": {"beginsWith": "c"}}, ["cd"]),
        ({"title": {"notContains": "b"}}, ["cd"]),
        ({"description": {"beginsWith": "b"}}, []),
        ({"size": {"ge": 20}}, ["bc", "cd"]),
        ({"size": {"lt": 20}}, ["ab"]),
        ({"size": {"lt": 20, "gt": 20}}, ["ab", "cd"]),
        ({"size": {"ge": 20}, "title": {"contains": "d"}}, ["cd"]),
        ({"and": [{"size": {"ge": 20}}, {"title": {"contains": "b"}}]}, ["bc"]),
        ({"or": [{"size": {"eq": 10}}, {"title": {"eq": "cd"}}]}, ["ab", "cd"]),
        ({"priority": {"eq": "P1"}}, ["cd"]),
        ({"description": {"eq": None}}, ["ab", "bc"]),
        ({"description": {"gt": "a"}}, ["cd"]),
        ({}, ["ab", "bc", "cd"]),
        (None, ["ab", "bc", "cd"]),
    ],
)
async def test_filters(
    server_url: str, ada: Person, filter: dict[str, Any] | None, expected: list[str]
) -> None:
    query = """
    subscription ($filter: ModelSubscriptionTaskFilterInput) {
      onTaskChanged(filter: $filter) { title }
    }
    """
    tasks: list[dict[str, Any]] = [
        {"title": "ab", "size": 10},
        {"title": "bc", "size": 20},
        {"title": "cd", "size": 30, "priority": "P1", "description": "long"},
    ]
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe(query, filter=filter)
        await socket.silent(0.1)
        for task in tasks:
            await ada.gql(CREATE_TASK, input=task)
        received = [(await socket.data())["onTaskChanged"]["title"] for _ in expected]
        assert received == expected
        await socket.silent(0.1)


async def test_a_filter_that_cannot_work_is_refused(server_url: str, ada: Person) -> None:
    query = 'subscription { onTaskChanged(filter: {title: {between: ["a"]}}) { id } }'
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe(query)
        error = (await socket.expect("error"))["payload"][0]
        assert error["extensions"]["code"] == "BAD_INPUT"


async def test_a_failed_transaction_publishes_nothing(server_url: str, ada: Person) -> None:
    task = (await ada.gql(CREATE_TASK, input={"title": "Steady"}))["createTask"]["id"]
    rename = """
    mutation ($t: ID!) { updateTask(input: {id: $t, title: "X", expectedVersion: 99}) { id } }
    """
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe("subscription { onTaskChanged { id } }")
        await socket.silent(0.2)
        assert (await ada.refused(rename, t=task)).code == "CONFLICT"
        await socket.silent()


async def test_versions_rise(server_url: str, ada: Person) -> None:
    task = (await ada.gql(CREATE_TASK, input={"title": "0"}))["createTask"]["id"]
    rename = "mutation ($t: ID!, $n: String!) { updateTask(input: {id: $t, title: $n}) { id } }"
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe("subscription { onTaskChanged { version title } }")
        await socket.silent(0.2)
        await asyncio.gather(*(ada.gql(rename, t=task, n=f"{n}") for n in range(1, 6)))
        final = await ada.gql("query ($t: ID!) { task(id: $t) { version title } }", t=task)
        versions: list[int] = []
        while not versions or versions[-1] != final["task"]["version"]:
            versions.append((await socket.data())["onTaskChanged"]["version"])
        assert versions == sorted(set(versions))


async def test_every_subscription_refuses_anonymous_callers(api: Api, server_url: str) -> None:
    schema = build_schema()._schema
    assert schema.subscription_type is not None
    async with TransportClient.signed_in(server_url, None) as socket:
        for name, field in schema.subscription_type.fields.items():
            needed = [arg for arg, each in field.args.items() if str(each.type).endswith("!")]
            arguments = f'({needed[0]}: "x")' if needed else ""
            await socket.subscribe(f"subscription {{ {name}{arguments} {{ __typename }} }}")
            error = (await socket.expect("error"))["payload"][0]
            assert error["extensions"]["code"] == "UNAUTHENTICATED", name
