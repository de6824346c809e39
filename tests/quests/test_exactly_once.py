"""The power goes at every call to the table in turn: every reward is paid once, always."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from unittest.mock import patch

import pytest

from app.core.caller import acting_for
from app.domains.quests.errors import AlreadyAttested
from app.domains.quests.inputs import (
    AttestQuestInput,
    ClaimQuestInput,
    SubmitQuestInput,
    UnclaimQuestInput,
)
from app.domains.quests.types import Quest, QuestStatus
from app.jobs.keys import sweep_of_job
from app.jobs.quests import RETRY, retry_failed_rewards
from app.resources import Resources
from app.services import Services
from app.table.gateway import Gateway
from app.table.writes import Delete
from tests.api import Api, Person
from tests.quests.missing_counters import remove_counters, restore_counters
from tests.quests.operations import (
    create,
    do,
    grants,
    history,
    partition,
    quest_input,
    resources_of,
    stats,
    stored,
    submitted,
)
from tests.servers import RunningServer, TestClock


class PowerCut(BaseException):
    """The process ends here, whatever it was doing."""


@contextmanager
def power_cut(table: Gateway, number: int, *, after: bool) -> Iterator[list[str]]:
    """At the call of this number, before it is sent or after it was carried out."""
    real = table._call
    calls: list[str] = []

    async def call(operation: str, **parameters: Any) -> dict[str, Any]:
        calls.append(operation)
        if len(calls) > number and not after:
            raise PowerCut
        answer = await real(operation, **parameters)
        if len(calls) > number:
            raise PowerCut
        return answer

    with patch.object(table, "_call", call):
        yield calls


@pytest.fixture
async def resources(server: RunningServer, table: Gateway) -> AsyncIterator[Resources]:
    resources = resources_of(server, table)
    await retry_failed_rewards(resources)
    yield resources
    await table.write(Delete(sweep_of_job(RETRY)))


def as_person(resources: Resources, person: Person) -> Services:
    return Services(resources, acting_for(person.id))


def attesting(quest: Any) -> AttestQuestInput:
    return AttestQuestInput(quest_id=quest["id"], rating=5, idempotency_key="attest-1")


async def attest_until_done(resources: Resources, ada: Person, quest: Any) -> None:
    done = await as_person(resources, ada).quest_reviews.attest(attesting(quest))
    assert done.status is QuestStatus.COMPLETE


async def assert_paid_once(table: Gateway, ada: Person, bob: Person, quest: Any) -> None:
    assert await grants(table, bob.id) == {
        f"GRANT#{quest['id']}#XP": 100,
        f"GRANT#{quest['id']}#REPUTATION": 5,
    }
    earned = await stats(bob)
    assert (earned["experiencePoints"], earned["reputation"]) == (100, 5)
    assert (earned["questsCompleted"], earned["attestationsReceived"]) == (1, 1)
    assert (await stats(ada))["attestationsGiven"] == 1
    record = await stored(table, quest["id"])
    assert (record.status, len(record.attestations)) == (QuestStatus.COMPLETE, 1)
    assert [e.action.value for e in await history(table, quest["id"])].count("ATTEST") == 1


@pytest.mark.parametrize("after", [False, True])
async def test_attesting_cut_off_anywhere(
    api: Api, table: Gateway, resources: Resources, after: bool
) -> None:
    cuts = 0
    while True:
        ada, bob = await api.sign_up(), await api.sign_up()
        quest = await submitted(ada, bob)
        try:
            with power_cut(table, cuts, after=after):
                await as_person(resources, ada).quest_reviews.attest(attesting(quest))
            break
        except PowerCut:
            cuts += 1
        paid = await grants(table, bob.id)
        complete = (await stored(table, quest["id"])).status is QuestStatus.COMPLETE
        assert len(paid) == (2 if complete else 0), "together or not at all"
        await attest_until_done(resources, ada, quest)
        await assert_paid_once(table, ada, bob, quest)
    assert cuts >= 4


@pytest.mark.parametrize("after", [False, True])
async def test_failing_to_pay_cut_off_anywhere(
    api: Api, table: Gateway, resources: Resources, clock: TestClock, after: bool
) -> None:
    """Attest while the performer cannot be paid, then pay by the job: cut in either."""
    cuts, whole_attest = 0, False
    while True:
        ada, bob = await api.sign_up(), await api.sign_up()
        quest = await submitted(ada, bob)
        away = await remove_counters(table, bob)
        try:
            with power_cut(table, cuts, after=after):
                await as_person(resources, ada).quest_reviews.attest(attesting(quest))
                whole_attest = True
                await restore_counters(table, away)
                clock.move(seconds=90)
                await retry_failed_rewards(resources)
            break
        except PowerCut:
            cuts += 1
        if not whole_attest:
            await attest_until_done(resources, ada, quest)
        await give_back_stats_if_absent(table, away)
        for _ in range(3):
            clock.move(seconds=400)
            await retry_failed_rewards(resources)
        clock.reset()
        await assert_paid_once(table, ada, bob, quest)
        whole_attest = False
    clock.reset()
    await assert_paid_once(table, ada, bob, quest)
    assert cuts >= 12


async def give_back_stats_if_absent(table: Gateway, item: dict[str, Any]) -> None:
    there = await partition(table, item["PK"]["S"])
    if item["SK"]["S"] not in there:
        await restore_counters(table, item)


@pytest.mark.parametrize("after", [False, True])
async def test_claiming_and_leaving_cut_off_anywhere(
    api: Api, table: Gateway, resources: Resources, after: bool
) -> None:
    """Quest, seat, list and slot agree, whatever was cut off."""
    cuts = 0
    while True:
        ada, bob = await api.sign_up(), await api.sign_up()
        quest = await create(ada)
        claims = as_person(resources, bob).quest_claims
        claim = ClaimQuestInput(quest_id=quest["id"], idempotency_key="c")
        leave = UnclaimQuestInput(quest_id=quest["id"], idempotency_key="u")
        try:
            with power_cut(table, cuts, after=after):
                await claims.claim(claim)
                await claims.unclaim(leave)
            break
        except PowerCut:
            cuts += 1
        record = await stored(table, quest["id"])
        held = bool(record.performers)
        seats = [k for k in await partition(table, f"QUEST#{quest['id']}") if "PERFORMER" in k]
        mine = [k for k in await partition(table, f"USER#{bob.id}") if k.startswith("QUEST")]
        assert (len(seats), len(mine)) == ((1, 2) if held else (0, 0))
        await claims.claim(claim)
        await claims.unclaim(leave)
        mine = [k for k in await partition(table, f"USER#{bob.id}") if k.startswith("QUEST")]
        assert mine == []
        assert (await stored(table, quest["id"])).status is QuestStatus.OPEN
    assert cuts >= 6


async def test_200_completions_at_once_are_all_counted(
    api: Api, ada: Person, table: Gateway, resources: Resources
) -> None:
    """Of one performer by one creator, each asked for twice: every counter is what a recount of
    the grants and attestations says."""
    bob = await api.sign_up()
    quests = [await handed_in(resources, ada, bob) for _ in range(200)]
    reviews = as_person(resources, ada).quest_reviews

    async def attest(quest: Quest) -> None:
        with suppress(AlreadyAttested):
            await reviews.attest(AttestQuestInput(quest_id=quest.id, rating=5))

    await asyncio.gather(*(attest(quest) for quest in quests for _ in range(2)))
    paid = await grants(table, bob.id)
    assert set(paid) == {f"GRANT#{q.id}#{kind}" for q in quests for kind in ("XP", "REPUTATION")}
    xp, reputation = (
        sum(amount for place, amount in paid.items() if place.endswith(f"#{kind}"))
        for kind in ("XP", "REPUTATION")
    )
    earned = await stats(bob)
    assert (earned["experiencePoints"], earned["reputation"]) == (xp, reputation) == (20_000, 1_000)
    assert (earned["questsCompleted"], earned["attestationsReceived"]) == (200, 200)
    given = await stats(ada)
    assert (given["attestationsGiven"], given["questsCreated"]) == (200, 200)


async def handed_in(resources: Resources, creator: Person, performer: Person) -> Quest:
    quest = await as_person(resources, creator).quests.create(quest_input())
    claims = as_person(resources, performer).quest_claims
    await claims.claim(ClaimQuestInput(quest_id=quest.id))
    return await claims.submit(SubmitQuestInput(quest_id=quest.id, submission="Done"))


async def test_a_submission_cut_off_frees_the_slot_or_keeps_it(
    api: Api, table: Gateway, resources: Resources
) -> None:
    for after in (False, True):
        cuts = 0
        while True:
            ada, bob = await api.sign_up(), await api.sign_up()
            quest = await create(ada)
            await do(bob, "claimQuest", questId=quest["id"])
            claims = as_person(resources, bob).quest_claims
            request = SubmitQuestInput(quest_id=quest["id"], submission="Done", idempotency_key="s")
            try:
                with power_cut(table, cuts, after=after):
                    await claims.submit(request)
                break
            except PowerCut:
                cuts += 1
            status = (await stored(table, quest["id"])).status
            slots = [k for k in await partition(table, f"USER#{bob.id}") if "QUEST_CLAIM" in k]
            assert len(slots) == (1 if status is QuestStatus.CLAIMED else 0)
            await claims.submit(request)
            assert (await stored(table, quest["id"])).status is QuestStatus.PENDING_REVIEW
        assert cuts >= 3
