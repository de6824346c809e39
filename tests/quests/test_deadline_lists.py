"""A quest is in exactly one list by status at any time, also after its deadline and before the job
has written it."""

from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from app.core.clock import instant
from app.domains.quests.types import QuestStatus
from app.jobs.quests import expire_quests
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.quests.operations import create, do, moderator, mutation, resources_of, sign_in_again
from tests.quests.test_lists import QUESTS, ids, read
from tests.servers import RunningServer, TestClock

Start = Callable[..., RunningServer]


@asynccontextmanager
async def own_table(server: RunningServer) -> AsyncIterator[tuple[Api, Gateway]]:
    settings = server.settings
    async with (
        Api(server.url) as api,
        Gateway.open(
            table=settings.table_name, region="us-east-1", endpoint=settings.endpoint_url
        ) as table,
    ):
        yield api, table


async def lists(who: Person, limit: int, **scope: object) -> dict[str, list[str]]:
    return {
        status.value: ids(await read(who, QUESTS, limit, "quests", status=status.value, **scope))
        for status in QuestStatus
    }


def places(found: dict[str, list[str]]) -> dict[str, str]:
    """The status under which each quest is listed; each is listed once."""
    assert set(Counter(each for found_ in found.values() for each in found_).values()) <= {1}
    return {quest_id: status for status, listed in found.items() for quest_id in listed}


async def mixed_quests(ada: Person, bob: Person, clock: TestClock, **more: Any) -> dict[str, str]:
    """Six quests in turn: what they are called, by id."""
    soon = instant(clock.now() + timedelta(hours=2))
    made: dict[str, str] = {}
    for name in ("ends", "stays", "ends claimed", "lapses", "ends too", "claimed"):
        fields = {"expiresAt": soon} if name.startswith("ends") else {}
        quest = await create(ada, **fields, **more)
        made[quest["id"]] = name
        if name in ("ends claimed", "lapses"):
            await do(bob, "claimQuest", questId=quest["id"])
    return made


AFTER = {
    "ends": "EXPIRED",
    "ends claimed": "EXPIRED",
    "ends too": "EXPIRED",
    "stays": "OPEN",
    "lapses": "OPEN",
    "claimed": "CLAIMED",
}


@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize("in_category", [False, True])
async def test_every_quest_is_in_one_list_before_and_after_the_job(
    start_server: Start, clock: TestClock, shards: int, in_category: bool
) -> None:
    server = start_server(table_name=f"gg_{uuid4().hex}", demo=False, shards=shards)
    async with own_table(server) as (api, table):
        ada, bob = await api.sign_up(), await api.sign_up()
        scope: dict[str, object] = {}
        if in_category:
            judge = await moderator(api, server, table)
            query = mutation("createQuestCategory", "id")
            shelf = (await judge.gql(query, input={"name": "Ends"}))["createQuestCategory"]
            scope = {"categoryId": shelf["id"]}
        made = await mixed_quests(ada, bob, clock, **scope)
        resources = resources_of(server, table)
        clock.move(hours=server.settings.stale_claim_hours + 1)
        await sign_in_again(ada, bob)
        late = next(id for id, name in made.items() if name == "claimed")
        await do(bob, "claimQuest", questId=late)
        for written in (False, True):
            if written:
                await expire_quests(resources)
            for limit in (1, 2, 3, 50):
                found = await lists(ada, limit, **scope)
                assert {made[id]: status for id, status in places(found).items()} == AFTER
                for listed in found.values():
                    assert listed == [id for id in reversed(made) if id in listed], "newest first"


async def test_a_quest_that_the_job_writes_between_two_pages_is_shown_once(
    start_server: Start, clock: TestClock
) -> None:
    server = start_server(table_name=f"gg_{uuid4().hex}", demo=False)
    async with own_table(server) as (api, table):
        ada = await api.sign_up()
        soon = instant(clock.now() + timedelta(minutes=5))
        made = [(await create(ada, expiresAt=soon))["id"] for _ in range(5)]
        clock.move(minutes=6)
        first = (await ada.gql(QUESTS, status="EXPIRED", limit=2))["quests"]
        await expire_quests(resources_of(server, table))
        rest = await ada.gql(QUESTS, status="EXPIRED", limit=5, nextToken=first["nextToken"])
        assert ids(first["items"]) + ids(rest["quests"]["items"]) == made[::-1]
        assert rest["quests"]["nextToken"] is None


async def test_at_the_very_instant_of_its_end(start_server: Start, clock: TestClock) -> None:
    server = start_server(table_name=f"gg_{uuid4().hex}", demo=False)
    async with own_table(server) as (api, _):
        ada = await api.sign_up()
        end = clock.now().replace(microsecond=0) + timedelta(minutes=1)
        quest = await create(ada, expiresAt=instant(end))
        for moment, status in (
            (end - timedelta(milliseconds=1), "OPEN"),
            (end, "EXPIRED"),
            (end + timedelta(milliseconds=1), "EXPIRED"),
        ):
            clock.freeze(moment)
            assert places(await lists(ada, 10)) == {quest["id"]: status}
    clock.reset()
