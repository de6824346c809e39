"""Quests with several seats."""

import asyncio
from typing import Any

import pytest

from app.domains.quests.types import QuestStatus
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.quests.missing_counters import remove_counters
from tests.quests.operations import (
    SUBMISSION,
    code,
    create,
    do,
    get,
    grants,
    history,
    partition,
    stats,
    stored,
)


async def finished(creator: Person, team: list[Person], **fields: object) -> Any:
    quest = await create(creator, maxPerformers=len(team), **fields)
    for person in team:
        await do(person, "joinTeamQuest", questId=quest["id"])
    await do(team[-1], "submitQuest", questId=quest["id"], **SUBMISSION)
    return await do(creator, "attestQuest", questId=quest["id"], rating=5)


async def earned(people: list[Person]) -> list[tuple[int, int, int]]:
    found = [await stats(person) for person in people]
    return [(e["experiencePoints"], e["reputation"], e["questsCompleted"]) for e in found]


async def test_a_team_shares_what_it_earns(
    ada: Person, bob: Person, cleo: Person, api: Api, table: Gateway
) -> None:
    team = [bob, cleo, await api.sign_up()]
    quest = await finished(ada, team, rewardXp=10, rewardReputation=1)
    assert quest["performers"] == [person.id for person in team]
    assert quest["performerId"] == bob.id
    assert await earned(team) == [(4, 1, 1), (3, 0, 1), (3, 0, 1)]
    assert sum([sum((await grants(table, p.id)).values()) for p in team]) == 11
    assert (await stats(cleo))["attestationsReceived"] == 1


async def test_or_each_gets_all(ada: Person, bob: Person, cleo: Person) -> None:
    await finished(ada, [bob, cleo], rewardXp=10, rewardReputation=1, individualRewards=True)
    assert await earned([bob, cleo]) == [(10, 1, 1), (10, 1, 1)]


async def test_open_until_the_last_seat_is_taken(
    ada: Person, bob: Person, cleo: Person, table: Gateway
) -> None:
    quest = await create(ada, maxPerformers=2)
    joined = await do(bob, "claimQuest", questId=quest["id"])
    assert (joined["status"], joined["performers"], joined["claimedAt"]) == ("OPEN", [bob.id], None)
    assert await code(bob, "submitQuest", questId=quest["id"], **SUBMISSION) == "QUEST_STATUS"
    assert await code(ada, "updateQuest", questId=quest["id"], rewardXp=10) == "ALREADY_CLAIMED"
    again = await do(bob, "claimQuest", questId=quest["id"])
    assert again["performers"] == [bob.id]
    full = await do(cleo, "claimQuest", questId=quest["id"])
    assert (full["status"], full["performers"]) == ("CLAIMED", [bob.id, cleo.id])
    seats = await partition(table, f"QUEST#{quest['id']}")
    assert {f"PERFORMER#{bob.id}", f"PERFORMER#{cleo.id}"} <= set(seats)


async def test_leaving_frees_the_seat(ada: Person, bob: Person, cleo: Person) -> None:
    quest = await create(ada, maxPerformers=2)
    for person in (bob, cleo):
        await do(person, "claimQuest", questId=quest["id"])
    left = await do(bob, "unclaimQuest", questId=quest["id"])
    assert (left["status"], left["performers"], left["performerId"]) == (
        "OPEN",
        [cleo.id],
        cleo.id,
    )
    back = await do(bob, "claimQuest", questId=quest["id"])
    assert (back["status"], back["performers"]) == ("CLAIMED", [cleo.id, bob.id])


async def test_the_creator_can_start_without_the_rest(ada: Person, bob: Person) -> None:
    quest = await create(ada, maxPerformers=5)
    assert await code(ada, "startQuest", questId=quest["id"]) == "BAD_INPUT"
    await do(bob, "claimQuest", questId=quest["id"])
    assert await code(bob, "startQuest", questId=quest["id"]) == "FORBIDDEN"
    assert (await do(ada, "startQuest", questId=quest["id"]))["status"] == "CLAIMED"
    await do(bob, "submitQuest", questId=quest["id"], **SUBMISSION)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    assert await earned([bob]) == [(100, 5, 1)]


async def test_cancelling_sends_the_team_home(ada: Person, bob: Person, table: Gateway) -> None:
    quest = await create(ada, maxPerformers=3)
    await do(bob, "claimQuest", questId=quest["id"])
    assert (await do(ada, "cancelQuest", questId=quest["id"]))["performers"] == []
    mine = await partition(table, f"USER#{bob.id}")
    assert [sk for sk in mine if sk.startswith("QUEST")] == []


@pytest.mark.parametrize("seats", [1, 7, 20])
async def test_the_last_seat_is_raced_for(
    api: Api, ada: Person, table: Gateway, seats: int
) -> None:
    quest = await create(ada, maxPerformers=seats)
    people = await asyncio.gather(*(api.sign_up() for _ in range(25)))

    async def join(person: Person) -> str:
        answer = await api.post(
            "mutation ($input: JoinTeamQuestInput!) { joinTeamQuest(input: $input) { id } }",
            headers=person.headers,
            input={"questId": quest["id"]},
        )
        errors = answer.json().get("errors")
        return errors[0]["extensions"]["code"] if errors else "ok"

    answers = await asyncio.gather(*(join(person) for person in people))
    assert answers.count("ok") == seats
    assert answers.count("ALREADY_CLAIMED") == 25 - seats
    record = await stored(table, quest["id"])
    winners = {p.id for p, answer in zip(people, answers, strict=True) if answer == "ok"}
    assert set(record.performers) == winners
    assert len(record.performers) == seats
    assert record.status is QuestStatus.CLAIMED
    rows = await partition(table, f"QUEST#{quest['id']}")
    assert {k.removeprefix("PERFORMER#") for k in rows if k.startswith("PERFORMER#")} == winners
    assert len(await history(table, quest["id"])) == 1 + seats


async def test_twenty_are_paid_in_one_step(api: Api, ada: Person, table: Gateway) -> None:
    team = list(await asyncio.gather(*(api.sign_up() for _ in range(20))))
    quest = await finished(ada, team, rewardXp=10_000, rewardReputation=100)
    assert quest["status"] == "COMPLETE"
    assert await earned(team) == [(500, 5, 1)] * 20


async def test_one_who_cannot_be_paid_does_not_hold_up_the_others(
    ada: Person, bob: Person, cleo: Person, table: Gateway
) -> None:
    quest = await create(ada, maxPerformers=2)
    for person in (bob, cleo):
        await do(person, "claimQuest", questId=quest["id"])
    await do(bob, "submitQuest", questId=quest["id"], **SUBMISSION)
    await remove_counters(table, bob)
    done = await do(ada, "attestQuest", questId=quest["id"], rating=5)
    assert done["status"] == "COMPLETE"
    assert await earned([cleo]) == [(50, 2, 1)]
    assert await grants(table, bob.id) == {}
    waiting = await partition(table, "REWARD#FAILED")
    mine = [sk for sk in waiting if sk.startswith(f"QUEST#{quest['id']}#")]
    assert len(mine) == 2
    assert all(f"#USER#{bob.id}#" in sk for sk in mine)


async def test_a_team_of_two_attestations(ada: Person, bob: Person, cleo: Person) -> None:
    quest = await create(ada, maxPerformers=2, dualAttestation=True)
    for person in (bob, cleo):
        await do(person, "claimQuest", questId=quest["id"])
    await do(bob, "submitQuest", questId=quest["id"], **SUBMISSION)
    assert (await do(cleo, "attestQuest", questId=quest["id"], rating=3))["status"] == (
        "PENDING_REVIEW"
    )
    assert (await do(ada, "attestQuest", questId=quest["id"], rating=3))["status"] == "COMPLETE"
    assert (await get(ada, quest["id"]))["completedAt"] is not None
