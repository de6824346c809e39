"""A performer's own task follows its quest, to whatever end that comes."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from typing import Any
from unittest.mock import patch

import pytest
import strawberry

from app.core.errors import Unavailable
from app.domains.quests.inputs import RequestChangesInput, SubmitQuestInput, UnclaimQuestInput
from app.domains.quests.service.performer_tasks import PerformerTasks
from app.domains.quests.types import PendingTaskChange, QuestStatus
from app.jobs.keys import sweep_of_job
from app.jobs.quests import EXPIRE, FOLLOW, expire_quests, follow_quests
from app.resources import Resources
from app.table.gateway import Gateway
from app.table.writes import Delete, Write
from tests.api import Api, Person
from tests.quests.operations import (
    REASON,
    SUBMISSION,
    create,
    do,
    get,
    partition,
    resources_of,
    sign_in_again,
    stored,
)
from tests.quests.test_exactly_once import PowerCut, as_person, power_cut
from tests.quests.test_fairness import delete_account
from tests.quests.test_lifecycle import later
from tests.quests.test_performer_tasks import goal_of, tasks_of
from tests.realtime.test_changes import now, quests_listed
from tests.servers import RunningServer, TestClock

ACTIVITY = """
query ($id: ID!) { goal(id: $id) { activity { items { type title description } } } }
"""
WALLET = "{ wallet { balance lifetimeEarned } }"


@pytest.fixture
async def resources(server: RunningServer, table: Gateway) -> AsyncIterator[Resources]:
    """With sweeps that start anew: other tests have moved the clock."""
    yield resources_of(server, table)
    await table.write(Delete(sweep_of_job(EXPIRE)), Delete(sweep_of_job(FOLLOW)))


async def why(person: Person, goal_id: str, kind: str) -> list[Any]:
    """What the goal tells about tasks, oldest first."""
    found = (await person.gql(ACTIVITY, id=goal_id))["goal"]["activity"]["items"]
    return [each["description"] for each in reversed(found) if each["type"] == kind]


async def status_of_task(person: Person, goal_id: str) -> str:
    (task,) = await tasks_of(person, goal_id)
    return str(task["status"])


async def claimed(creator: Person, performer: Person, **fields: object) -> tuple[str, str]:
    """A quest that is a task of the performer's goal; both ids."""
    goal = await goal_of(performer)
    quest: str = (await create(creator, **fields))["id"]
    await do(performer, "claimQuest", questId=quest, goalId=goal)
    return quest, goal


async def change_task(person: Person, goal_id: str, name: str) -> None:
    (task,) = await tasks_of(person, goal_id)
    kind = f"{name[0].upper()}{name[1:]}Input!"
    query = f"mutation ($input: {kind}) {{ {name}(input: $input) {{ id }} }}"
    await person.gql(query, input={"id": task["id"]})


async def assert_nothing_left(table: Gateway, *people: Person) -> None:
    for person in people:
        rows = await partition(table, f"USER#{person.id}")
        assert [sk for sk in rows if sk.startswith("QUEST_ERRAND#")] == []


async def test_given_back(ada: Person, bob: Person, table: Gateway) -> None:
    quest, goal = await claimed(ada, bob)
    await do(bob, "unclaimQuest", questId=quest)
    assert await status_of_task(bob, goal) == "Cancelled"
    assert await why(bob, goal, "task_cancelled") == ["You gave the quest back."]
    await assert_nothing_left(table, bob)


async def test_released(ada: Person, bob: Person, clock: TestClock) -> None:
    quest, goal = await claimed(ada, bob)
    clock.move(hours=73)
    await sign_in_again(ada, bob)
    await do(ada, "releaseQuest", questId=quest)
    assert await status_of_task(bob, goal) == "Cancelled"
    assert await why(bob, goal, "task_cancelled") == ["Its creator took the quest back."]


@pytest.mark.parametrize(
    ("hours", "days", "told"),
    [(None, 15, "Your claim on the quest ran out."), (48, 3, "The quest has expired.")],
)
async def test_ended_by_the_clock(
    ada: Person,
    bob: Person,
    table: Gateway,
    clock: TestClock,
    resources: Resources,
    hours: int | None,
    days: int,
    told: str,
) -> None:
    ends = {"expiresAt": later(clock, hours=hours)} if hours else {}
    _, goal = await claimed(ada, bob, **ends)
    clock.move(days=days)
    await expire_quests(resources)
    await sign_in_again(bob)
    assert await status_of_task(bob, goal) == "Cancelled"
    assert await why(bob, goal, "task_cancelled") == [told]
    await assert_nothing_left(table, bob)


async def test_taken_by_the_next_when_the_claim_ran_out(
    ada: Person, bob: Person, cleo: Person, clock: TestClock
) -> None:
    quest, goal = await claimed(ada, bob)
    clock.move(days=15)
    await sign_in_again(bob, cleo)
    await do(cleo, "claimQuest", questId=quest)
    assert await status_of_task(bob, goal) == "Cancelled"


async def test_a_team_is_sent_home(ada: Person, bob: Person, cleo: Person) -> None:
    quest, goal = await claimed(ada, bob, maxPerformers=3)
    other = await goal_of(cleo)
    await do(cleo, "claimQuest", questId=quest, goalId=other)
    await do(ada, "cancelQuest", questId=quest)
    for person, each in ((bob, goal), (cleo, other)):
        assert await status_of_task(person, each) == "Cancelled"
        assert await why(person, each, "task_cancelled") == ["Its creator cancelled the quest."]


async def test_one_of_a_team_leaves_and_the_others_go_on(
    ada: Person, bob: Person, cleo: Person
) -> None:
    quest, goal = await claimed(ada, bob, maxPerformers=2)
    other = await goal_of(cleo)
    await do(cleo, "claimQuest", questId=quest, goalId=other)
    await do(bob, "unclaimQuest", questId=quest)
    assert await status_of_task(bob, goal) == "Cancelled"
    assert await status_of_task(cleo, other) == "NotStarted"


async def test_the_creator_leaves(ada: Person, bob: Person) -> None:
    _, goal = await claimed(ada, bob)
    await delete_account(ada)
    assert await status_of_task(bob, goal) == "Cancelled"
    assert await why(bob, goal, "task_cancelled") == [
        "The account of the quest's creator was deleted, and the quest with it."
    ]


@pytest.mark.parametrize(("change", "left"), [("completeTask", ["Done"]), ("deleteTask", [])])
async def test_what_was_done_or_deleted_stays_so(
    ada: Person, bob: Person, table: Gateway, change: str, left: list[str]
) -> None:
    quest, goal = await claimed(ada, bob)
    await change_task(bob, goal, change)
    await do(bob, "unclaimQuest", questId=quest)
    assert [each["status"] for each in await tasks_of(bob, goal)] == left
    await assert_nothing_left(table, bob)


async def test_changes_open_the_task_again_and_it_is_paid_once(ada: Person, bob: Person) -> None:
    quest, goal = await claimed(ada, bob)
    await do(bob, "submitQuest", questId=quest, **SUBMISSION)
    assert await status_of_task(bob, goal) == "Done"
    paid = (await bob.gql(WALLET))["wallet"]
    assert paid["balance"] > 0
    await do(ada, "requestChanges", questId=quest, comments="The fern, too.")
    assert await status_of_task(bob, goal) == "NotStarted"
    assert await why(bob, goal, "task_reopened") == ["The creator of the quest requested changes."]
    assert (await bob.gql(WALLET))["wallet"]["balance"] == 0
    await do(bob, "submitQuest", questId=quest, **SUBMISSION)
    assert await status_of_task(bob, goal) == "Done"
    assert (await bob.gql(WALLET))["wallet"] == paid
    assert await why(bob, goal, "task_completed") == ["The work for the quest was submitted."] * 2


async def test_points_that_are_spent_do_not_stand_in_the_way_of_changes(
    ada: Person, bob: Person, table: Gateway
) -> None:
    quest, goal = await claimed(ada, bob)
    await do(bob, "submitQuest", questId=quest, **SUBMISSION)
    balance = (await bob.gql(WALLET))["wallet"]["balance"]
    spend = """mutation ($input: AdjustWalletInput!) { adjustWallet(input: $input) { balance } }"""
    await bob.gql(spend, input={"amount": -balance, "reason": "Spent it all"})
    back = await do(ada, "requestChanges", questId=quest)
    assert back["status"] == "CLAIMED"
    assert await status_of_task(bob, goal) == "Done", "what was paid for it is gone"
    await assert_nothing_left(table, bob)


@pytest.mark.parametrize(
    ("outcome", "status"), [("COMPLETE", "Done"), ("CLAIMED", "NotStarted"), ("CANCELLED", "Done")]
)
async def test_a_judge_decides(
    ada: Person, bob: Person, judge: Person, outcome: str, status: str
) -> None:
    quest, goal = await claimed(ada, bob)
    await do(bob, "submitQuest", questId=quest, **SUBMISSION)
    await do(bob, "disputeQuest", questId=quest, **REASON)
    await do(judge, "resolveDispute", questId=quest, outcome=outcome)
    assert await status_of_task(bob, goal) == status


async def test_a_task_that_is_open_ends_with_a_quest_that_a_judge_cancels(
    ada: Person, bob: Person, judge: Person
) -> None:
    quest, goal = await claimed(ada, bob)
    await do(bob, "submitQuest", questId=quest, **SUBMISSION)
    await change_task(bob, goal, "reopenTask")
    await do(bob, "disputeQuest", questId=quest, **REASON)
    await do(judge, "resolveDispute", questId=quest, outcome="CANCELLED")
    assert await status_of_task(bob, goal) == "Cancelled"
    assert await why(bob, goal, "task_cancelled") == ["A moderator cancelled the quest."]


async def test_twenty_with_tasks_hand_in_get_it_back_and_are_sent_home(
    api: Api, ada: Person, clock: TestClock, table: Gateway
) -> None:
    """With as many tags as a quest may have, when its creator leaves."""
    team = list(await asyncio.gather(*(api.sign_up() for _ in range(20))))
    tags = [f"t{number}" for number in range(20)]
    quest = await create(ada, maxPerformers=20, tags=tags)
    goals = {person.id: await goal_of(person) for person in team}
    for person in team:
        await do(person, "claimQuest", questId=quest["id"], goalId=goals[person.id])

    async def statuses() -> set[str]:
        return {await status_of_task(person, goals[person.id]) for person in team}

    await do(team[7], "submitQuest", questId=quest["id"], **SUBMISSION)
    assert await statuses() == {"Done"}
    await do(ada, "requestChanges", questId=quest["id"])
    assert await statuses() == {"NotStarted"}
    clock.move(hours=73)
    await sign_in_again(ada, *team)
    await do(ada, "releaseQuest", questId=quest["id"])
    assert await statuses() == {"Cancelled"}
    for person in team:
        await do(person, "claimQuest", questId=quest["id"])
    await delete_account(ada)
    assert await get(team[0], quest["id"]) is None
    await assert_nothing_left(table, *team)


async def test_the_largest_team_that_is_told_of_every_step_fits_into_one_transaction(
    api: Api, ada: Person, clock: TestClock
) -> None:
    team = list(await asyncio.gather(*(api.sign_up() for _ in range(18))))
    goals = {person.id: await goal_of(person) for person in team}
    tags = [f"t{number}" for number in range(20)]
    first, second = [(await create(ada, maxPerformers=18, tags=tags))["id"] for _ in range(2)]

    async def step(who: Person, name: str, **more: object) -> None:
        start = await now(team[17])
        await do(who, name, questId=first, idempotencyKey=name, **more)
        assert await quests_listed(team[17], start) == [(first, False)]

    for person in team:
        await do(person, "claimQuest", questId=first, goalId=goals[person.id])
        await do(person, "claimQuest", questId=second, goalId=goals[person.id])
    await step(team[0], "submitQuest", **SUBMISSION)
    await step(ada, "requestChanges")
    clock.move(hours=73)
    await sign_in_again(ada, *team)
    await step(ada, "releaseQuest")
    for person in team:
        await do(person, "claimQuest", questId=first)
    await do(team[0], "submitQuest", questId=first, **SUBMISSION)
    await step(ada, "attestQuest", rating=5)
    start = await now(team[17])
    await delete_account(ada)
    assert (second, True) in await quests_listed(team[17], start)


async def test_a_task_that_is_taken_on_in_the_middle_of_a_step_follows_it(
    ada: Person, bob: Person, table: Gateway, resources: Resources
) -> None:
    goal, quest = await goal_of(bob), (await create(ada))["id"]
    await do(bob, "claimQuest", questId=quest)
    real, taken = table._call, list[Any]()

    async def call(operation: str, **parameters: Any) -> dict[str, Any]:
        if operation == "transact_write_items" and not taken:
            taken.append(await do(bob, "claimQuest", questId=quest, goalId=goal))
        return await real(operation, **parameters)

    with patch.object(table, "_call", call):
        submit = SubmitQuestInput(quest_id=strawberry.ID(quest), submission="Done")
        await as_person(resources, bob).quest_claims.submit(submit)
    assert await status_of_task(bob, goal) == "Done"


@pytest.mark.parametrize("after", [False, True])
async def test_cut_off_anywhere_the_task_follows_all_the_same(
    api: Api, table: Gateway, resources: Resources, after: bool
) -> None:
    """Handed in, changes wanted, given back: after each cut the job does what is left, and what
    was asked for is asked for again."""
    cuts = 0
    while True:
        ada, bob = await api.sign_up(), await api.sign_up()
        quest, goal = await claimed(ada, bob)
        try:
            with power_cut(table, cuts, after=after):
                await play(resources, ada, bob, quest)
            break
        except PowerCut:
            cuts += 1
        await follow_quests(resources)
        status = (await stored(table, quest)).status
        assert await status_of_task(bob, goal) == TASK_OF[status]
        await assert_nothing_left(table, bob)
        await play(resources, ada, bob, quest)
        assert await status_of_task(bob, goal) == "Cancelled"
        assert (await bob.gql(WALLET))["wallet"]["balance"] == 0
        assert len(await why(bob, goal, "task_cancelled")) == 1
    assert cuts >= 20


TASK_OF = {
    QuestStatus.CLAIMED: "NotStarted",
    QuestStatus.PENDING_REVIEW: "Done",
    QuestStatus.OPEN: "Cancelled",
}


async def play(resources: Resources, ada: Person, bob: Person, quest_id: str) -> None:
    quest = strawberry.ID(quest_id)
    submit = SubmitQuestInput(quest_id=quest, submission="Done", idempotency_key="s")
    changes = RequestChangesInput(quest_id=quest, idempotency_key="r")
    leave = UnclaimQuestInput(quest_id=quest, idempotency_key="u")
    await as_person(resources, bob).quest_claims.submit(submit)
    await as_person(resources, ada).quest_reviews.request_changes(changes)
    await as_person(resources, bob).quest_claims.unclaim(leave)


async def down(self: PerformerTasks, errand: object) -> None:
    raise Unavailable


async def test_the_latest_step_counts(
    ada: Person, bob: Person, table: Gateway, resources: Resources
) -> None:
    """Nothing could be done to the task while the quest went on; then workers race for it."""
    quest, goal = await claimed(ada, bob)

    with patch.object(PerformerTasks, "finish", down):
        await do(bob, "submitQuest", questId=quest, **SUBMISSION)
        await do(ada, "requestChanges", questId=quest)
        sent = await do(bob, "submitQuest", questId=quest, **SUBMISSION)
    assert sent["status"] == "PENDING_REVIEW"
    assert await status_of_task(bob, goal) == "NotStarted"
    await asyncio.gather(*(follow_quests(resources) for _ in range(5)))
    assert await status_of_task(bob, goal) == "Done"
    assert len(await why(bob, goal, "task_completed")) == 1
    await assert_nothing_left(table, bob)


async def test_a_quest_that_changes_while_its_task_is_changed_is_not_lost(
    ada: Person, bob: Person, table: Gateway, resources: Resources
) -> None:
    """The work is submitted and returned; a worker has read only the submission."""
    quest, goal = await claimed(ada, bob)
    with patch.object(PerformerTasks, "finish", down):
        await do(bob, "submitQuest", questId=quest, **SUBMISSION)
    task_writes = PerformerTasks._task_writes
    late = True

    async def change_late(self: PerformerTasks, change: PendingTaskChange) -> Iterable[Write]:
        nonlocal late
        if late:
            late = False
            with patch.object(PerformerTasks, "finish", down):
                await do(ada, "requestChanges", questId=quest)
        return await task_writes(self, change)

    with patch.object(PerformerTasks, "_task_writes", change_late):
        await follow_quests(resources)
    assert not late
    assert await status_of_task(bob, goal) == "NotStarted"
    await assert_nothing_left(table, bob)
