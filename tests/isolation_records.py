"""Records of one owner for tests/test_isolation.py: at least one of every kind that has an id.

Each domain has a function that creates records and returns their ids by GraphQL type.
"""

import dataclasses
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import strawberry

from app.core.clock import instant
from app.domains.quests.types import FailedReward, RewardType
from app.domains.tracking.types import InsightType, MetricInsight
from app.table.gateway import Gateway
from app.table.writes import Put
from tests.api import Person
from tests.characters.operations import add as add_character
from tests.characters.operations import goal_of as character_goal
from tests.community import test_assist as assist
from tests.community.rooms import DELETE as DELETE_MESSAGE
from tests.community.rooms import new_room, send
from tests.community.test_company_goals import put as add_to_company
from tests.community.test_market import new_company, new_offer
from tests.goals.operations import create, do, goal, project, task
from tests.notifications.operations import inbox
from tests.plans.operations import add as add_node
from tests.plans.operations import commit as commit_values
from tests.plans.test_plans import block, commit_plan, todo
from tests.quests import operations
from tests.quests.test_catalogue import category
from tests.rewards.test_rewards import REDEEM, new_reward, rich
from tests.tracking.test_logbook import save as save_logbook_entry
from tests.tracking.test_metrics import log as log_metric
from tests.tracking.test_metrics import new_metric

NOW = instant(datetime(2026, 1, 1, tzinfo=UTC))
TIMES: dict[str, Any] = {"created_at": NOW, "updated_at": NOW}
TEMPLATE = {
    "title": "Water the plants",
    "description": "While I am away, twice a week.",
    "defaultRewards": {"xp": 10, "reputation": 1},
}


@dataclasses.dataclass(frozen=True)
class Owner:
    """`performer` and `moderator` are other users, for records that take several."""

    person: Person
    performer: Person
    moderator: Person
    table: Gateway


Ids = Mapping[str, list[str]]


async def people(owner: Owner) -> Ids:
    return {"User": [owner.person.id]}


async def goals(owner: Owner) -> Ids:
    ada = owner.person
    criterion = {"text": "c", "id": "criterion-of-ada"}
    target = await goal(ada, tags=["a"], successCriteria=[criterion])
    child = await goal(ada, parentGoalId=target["id"])
    garden = await project(ada, goalIds=[target["id"]])
    blocker = await task(ada, "blocker")
    work = await task(
        ada,
        area="Health",
        goalIds=[target["id"]],
        projectIds=[garden["id"]],
        dependsOnIds=[blocker["id"]],
        recurrenceRule={"frequency": "DAILY"},
    )
    mark = await do(ada, "createMilestone", goalId=target["id"], name="m", percentage=50)
    query = "query ($id: ID!) { goal(id: $id) { activity { items { id } } } }"
    activity = (await ada.gql(query, id=target["id"]))["goal"]["activity"]["items"]
    return {
        "Goal": [target["id"], child["id"]],
        "SuccessCriterion": [criterion["id"]],
        "Project": [garden["id"]],
        "Task": [blocker["id"], work["id"]],
        "Milestone": [mark["id"]],
        "GoalActivity": [activity[0]["id"]],
    }


async def tracking(owner: Owner) -> Ids:
    ada = owner.person
    metric = await new_metric(ada, targetValue=10, thresholdHigh=20)
    logged = await log_metric(ada, metric, 21)
    query = "query ($id: ID!) { metric(id: $id) { alerts { items { id } } } }"
    alerts = (await ada.gql(query, id=metric["id"]))["metric"]["alerts"]["items"]
    habit = await create(ada, "Habit", name="h")
    query = "mutation ($id: ID!) { logHabit(input: {habitId: $id}) { id } }"
    done = (await ada.gql(query, id=habit))["logHabit"]
    entry = await save_logbook_entry(ada, notes="A quiet day")
    return {
        "Metric": [metric["id"]],
        "MetricLog": [logged["id"]],
        "MetricMilestone": [logged["metric"]["milestones"]["items"][0]["id"]],
        "MetricAlert": [alerts[0]["id"]],
        "MetricInsight": [await stored_insight(owner, metric["id"])],
        "Habit": [habit],
        "HabitLog": [done["id"]],
        "LogbookEntry": [entry["id"]],
    }


async def stored_insight(owner: Owner, metric_id: str) -> str:
    """Written directly: a real one takes weeks of logs."""
    insight = MetricInsight(
        **TIMES,
        id=strawberry.ID("insight-of-ada"),
        user_id=owner.person.id,
        metric_id=strawberry.ID(metric_id),
        type=InsightType.pattern,
        summary="Steps rise.",
        confidence=Decimal("0.9"),
        content={},
        cached_at=NOW,
        expires_at=NOW,
        basis="b",
        ttl=4_000_000_000,
    )
    await owner.table.write(Put(insight))
    return insight.id


async def rewards(owner: Owner) -> Ids:
    ada = owner.person
    await rich(ada)
    reward = await new_reward(ada)
    redeemed = (await ada.gql(REDEEM, rewardId=reward["id"]))["redeemReward"]
    wallet = (await ada.gql("{ wallet { transactions { items { id } } } }"))["wallet"]
    return {
        "Reward": [reward["id"]],
        "Redemption": [redeemed["id"]],
        "WalletTransaction": [wallet["transactions"]["items"][0]["id"]],
    }


async def plans(owner: Owner) -> Ids:
    ada = owner.person
    driver, milestone, action = (f"{name}-of-ada" for name in ("driver", "milestone", "action"))
    values = await commit_values(
        ada,
        add_node(driver, "DRIVER"),
        add_node(milestone, "MILESTONE", driverId=driver),
        add_node(action, driverId=driver, parentMilestoneId=milestone),
    )
    day = await commit_plan(ada, todos=[todo(action)], blocks=[block("09:00", "10:00")])
    return {
        "DriverNode": [driver],
        "MilestoneNode": [milestone],
        "ActionNode": [action],
        "ValuesRevision": [values["revision"]["id"]],
        "PlanRevision": [day["revision"]["id"]],
        "PlanBlock": [day["blocks"][0]["id"]],
    }


async def quests(owner: Owner) -> Ids:
    """The quest has its only performer, so that nobody else may claim it."""
    ada = owner.person
    quest = await operations.create(ada)
    await operations.do(owner.performer, "claimQuest", questId=quest["id"])
    history = await operations.history(owner.table, quest["id"])
    query = operations.mutation("createQuestTemplate", "id")
    template = (await ada.gql(query, input=TEMPLATE))["createQuestTemplate"]
    return {
        "Quest": [quest["id"]],
        "QuestListing": [quest["id"]],
        "QuestTransition": [history[0].id],
        "QuestCategory": [(await category(owner.moderator))["id"]],
        "QuestTemplate": [template["id"]],
        "FailedReward": [await stored_failed_reward(owner, quest["id"])],
    }


async def stored_failed_reward(owner: Owner, quest_id: str) -> str:
    """Written directly: a payment fails only for an account without counters."""
    reward = FailedReward(
        **TIMES,
        quest_id=strawberry.ID(quest_id),
        user_id=strawberry.ID(owner.person.id),
        reward_type=RewardType.XP,
        reward_amount=10,
        reason="The account cannot take the reward.",
        last_attempt_at=NOW,
    )
    await owner.table.write(Put(reward))
    return reward.id()


async def community(owner: Owner) -> Ids:
    """A private room and thread, a draft, and a company whose only member is the owner."""
    ada = owner.person
    room = await new_room(ada, owner.performer)
    kept = await send(ada, room)
    removed = await send(owner.performer, room)
    await ada.gql(DELETE_MESSAGE, room=room, message=removed["id"], reason="Off topic")
    thread = await assist.new_thread(ada, isPublic=False)
    asked = await assist.send(ada, thread)
    company = await new_company(ada)
    target = await assist.new_goal(ada)
    await add_to_company(ada, company, target)
    query = "query ($id: ID!) { room(id: $id) { moderationLog { items { id } } } }"
    entries = (await ada.gql(query, id=room))["room"]["moderationLog"]["items"]
    return {
        "Room": [room],
        "Message": [kept["id"], removed["id"]],
        "ModerationEntry": [entries[0]["id"]],
        "AssistThread": [thread],
        "AssistMsg": [asked["id"]],
        "Company": [company],
        "Goal": [target],
        "Offer": [await new_offer(ada, company, status="DRAFT")],
    }


async def notifications(owner: Owner) -> Ids:
    metric = await new_metric(owner.person, thresholdHigh=20)
    await log_metric(owner.person, metric, 21)
    return {"Notification": [(await inbox(owner.person))[0]["id"]]}


async def characters(owner: Owner) -> Ids:
    character = await add_character(owner.person)
    target = await character_goal(owner.person, character["name"])
    return {"Character": [character["id"]], "CharacterGoal": [target["id"]]}


DOMAINS: dict[str, Callable[[Owner], Awaitable[Ids]]] = {
    "characters": characters,
    "community": community,
    "goals": goals,
    "notifications": notifications,
    "people": people,
    "plans": plans,
    "quests": quests,
    "rewards": rewards,
    "tracking": tracking,
}


async def create_records(owner: Owner) -> dict[str, list[str]]:
    """The ids of all domains, by GraphQL type."""
    found: dict[str, list[str]] = {}
    for create_of_domain in DOMAINS.values():
        for kind, ids in (await create_of_domain(owner)).items():
            found.setdefault(kind, []).extend(ids)
    return found
