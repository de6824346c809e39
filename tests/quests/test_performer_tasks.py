"""A quest as a task of one's own goal."""

import asyncio
from typing import Any

from app.core.caller import acting_for
from app.domains.quests.service import QuestAccountDeletion
from app.services import Services
from app.table.gateway import Gateway
from tests.api import PASSWORD, Api, Person
from tests.quests.operations import (
    SUBMISSION,
    code,
    create,
    do,
    get,
    partition,
    resources_of,
    stored,
)
from tests.quests.test_catalogue import category, count
from tests.servers import RunningServer

GOAL = "mutation ($input: CreateGoalInput!) { createGoal(input: $input) { id } }"
TASKS = """
query ($id: ID!) { goal(id: $id) { tasks { items { id title description status done dueAt } } } }
"""


async def goal_of(person: Person) -> str:
    made = await person.gql(GOAL, input={"title": "Be a good neighbour"})
    return str(made["createGoal"]["id"])


async def tasks_of(person: Person, goal_id: str) -> list[Any]:
    found: list[Any] = (await person.gql(TASKS, id=goal_id))["goal"]["tasks"]["items"]
    return found


async def test_claiming_makes_a_task_and_submitting_completes_it(ada: Person, bob: Person) -> None:
    goal = await goal_of(bob)
    quest = await create(ada, expiresAt="2099-01-01T00:00:00Z")
    await do(bob, "claimQuest", questId=quest["id"], goalId=goal)
    (task,) = await tasks_of(bob, goal)
    assert (task["title"], task["done"]) == (quest["title"], False)
    assert (task["description"], task["dueAt"]) == (quest["description"], quest["expiresAt"])
    await do(bob, "submitQuest", questId=quest["id"], **SUBMISSION)
    (task,) = await tasks_of(bob, goal)
    assert task["done"] is True
    await do(ada, "attestQuest", questId=quest["id"], rating=5)


async def test_a_foreign_goal_is_no_goal(ada: Person, bob: Person, table: Gateway) -> None:
    quest = await create(ada)
    foreign = await goal_of(ada)
    for goal in (foreign, "nope", ""):
        assert await code(bob, "claimQuest", questId=quest["id"], goalId=goal) == "NOT_FOUND"
    assert (await stored(table, quest["id"])).status.value == "OPEN"
    assert await tasks_of(ada, foreign) == []
    assert [sk for sk in await partition(table, f"USER#{bob.id}") if sk.startswith("QUEST")] == []


async def test_what_was_claimed_without_a_task_gets_one_later_and_only_once(
    ada: Person, bob: Person, table: Gateway
) -> None:
    goal = await goal_of(bob)
    quest = await create(ada)
    await do(bob, "claimQuest", questId=quest["id"])
    for wrong in ("nope", ""):
        assert await code(bob, "claimQuest", questId=quest["id"], goalId=wrong) == "NOT_FOUND"
    await asyncio.gather(
        *(do(bob, "claimQuest", questId=quest["id"], goalId=goal) for _ in range(5))
    )
    assert len(await tasks_of(bob, goal)) == 1
    assert (await stored(table, quest["id"])).version == 3, "once"
    await do(bob, "submitQuest", questId=quest["id"], **SUBMISSION)
    assert [task["done"] for task in await tasks_of(bob, goal)] == [True]


async def test_only_the_winner_gets_a_task(api: Api, ada: Person) -> None:
    quest = await create(ada)
    people = [await api.sign_up() for _ in range(20)]
    goals = [await goal_of(person) for person in people]
    await asyncio.gather(
        *(
            do(person, "claimQuest", questId=quest["id"], goalId=goal)
            for person, goal in zip(people, goals, strict=True)
        ),
        return_exceptions=True,
    )
    winner = (await get(ada, quest["id"]))["performerId"]
    for person, goal in zip(people, goals, strict=True):
        assert len(await tasks_of(person, goal)) == (1 if person.id == winner else 0)


async def test_giving_the_quest_back_cancels_the_task(ada: Person, bob: Person) -> None:
    goal = await goal_of(bob)
    quest = await create(ada)
    await do(bob, "claimQuest", questId=quest["id"], goalId=goal)
    await do(bob, "unclaimQuest", questId=quest["id"])
    (task,) = await tasks_of(bob, goal)
    assert task["status"] == "Cancelled"


async def test_a_task_that_was_done_or_deleted_does_not_hold_up(ada: Person, bob: Person) -> None:
    goal = await goal_of(bob)
    for change in ("completeTask", "deleteTask"):
        quest = await create(ada)
        await do(bob, "claimQuest", questId=quest["id"], goalId=goal)
        task = next(each for each in await tasks_of(bob, goal) if not each["done"])
        kind = f"{change[0].upper()}{change[1:]}Input!"
        await bob.gql(
            f"mutation ($input: {kind}) {{ {change}(input: $input) {{ id }} }}",
            input={"id": task["id"]},
        )
        sent = await do(bob, "submitQuest", questId=quest["id"], **SUBMISSION)
        assert sent["status"] == "PENDING_REVIEW"


async def test_the_whole_team_is_done(ada: Person, bob: Person, cleo: Person) -> None:
    quest = await create(ada, maxPerformers=2)
    goals = {person.id: await goal_of(person) for person in (bob, cleo)}
    for person in (bob, cleo):
        await do(person, "claimQuest", questId=quest["id"], goalId=goals[person.id])
    await do(cleo, "submitQuest", questId=quest["id"], **SUBMISSION)
    for person in (bob, cleo):
        (task,) = await tasks_of(person, goals[person.id])
        assert task["done"] is True


async def test_account_deletion_erases_own_quests_and_gives_back_claims(
    ada: Person,
    bob: Person,
    cleo: Person,
    judge: Person,
    table: Gateway,
    server: RunningServer,
) -> None:
    shelf = await category(judge)
    own = await create(bob, categoryId=shelf["id"], tags=["gone"])
    await do(cleo, "claimQuest", questId=own["id"])
    alone, team = await create(ada), await create(ada, maxPerformers=2)
    for quest in (alone, team):
        await do(bob, "claimQuest", questId=quest["id"])
    await do(cleo, "claimQuest", questId=team["id"])
    services = Services(resources_of(server, table), acting_for(bob.id))
    deletion = services.get(QuestAccountDeletion)
    await deletion.on_account_deleted()
    await deletion.on_account_deleted()
    assert await get(ada, own["id"]) is None
    assert await count(table, shelf["id"]) == 0
    rows = await partition(table, f"QUEST#{own['id']}")
    assert {sk.partition("#")[0] for sk in rows} == {"HISTORY", "OWNER"}, "erased with it"
    left = [sk for sk in await partition(table, f"USER#{cleo.id}") if own["id"] in sk]
    assert left == []
    assert (await get(ada, alone["id"]))["status"] == "OPEN"
    rest = await get(ada, team["id"])
    assert (rest["status"], rest["performers"]) == ("OPEN", [cleo.id])
    assert await code(cleo, "submitQuest", questId=own["id"], **SUBMISSION) == "NOT_FOUND"


async def test_a_deleted_account_leaves_no_quest_behind(
    ada: Person, bob: Person, table: Gateway
) -> None:
    own = await create(bob, tags=["gone"])
    theirs = await create(ada)
    await do(bob, "claimQuest", questId=theirs["id"])
    delete = """mutation ($input: DeleteAccountInput!) { deleteAccount(input: $input) { id } }"""
    await bob.gql(delete, input={"confirmNickname": bob.nickname, "password": PASSWORD})
    assert await get(ada, own["id"]) is None
    assert await partition(table, f"QUEST#{own['id']}") == {}
    left = await get(ada, theirs["id"])
    assert (left["status"], left["performerId"]) == ("OPEN", None)
    rows = await partition(table, f"QUEST#{theirs['id']}")
    assert f"PERFORMER#{bob.id}" not in rows
