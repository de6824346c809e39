"""Lists of quests: by status, tag, category, creator, performer; whole, in order, up to date."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest

from app.core.clock import instant
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.quests.operations import (
    INPUT,
    code,
    create,
    do,
    get,
    moderator,
    mutation,
    partition,
    sign_in_again,
    submitted,
)
from tests.servers import RunningServer, TestClock

QUESTS = """
query ($status: QuestStatus, $tag: String, $categoryId: ID, $limit: Int, $nextToken: String) {
  quests(status: $status, tag: $tag, categoryId: $categoryId, limit: $limit,
    nextToken: $nextToken) {
    items { id status title } nextToken
  }
}
"""
MINE = """
query ($limit: Int, $nextToken: String) { me {
  %s(limit: $limit, nextToken: $nextToken) { items { id status } nextToken }
} }
"""
OF = """
query ($id: ID!, $status: QuestStatus, $limit: Int, $nextToken: String) {
  %s(%s: $id, status: $status, limit: $limit, nextToken: $nextToken) {
    items { id status } nextToken
  }
}
"""
OF_CREATOR = OF % ("questsByCreator", "creatorId")
OF_PERFORMER = OF % ("questsByPerformer", "performerId")


async def read(who: Person, query: str, limit: int, *path: str, **variables: object) -> list[Any]:
    """Every page; only the last may be short."""
    found: list[Any] = []
    token = None
    while True:
        page = await who.gql(query, limit=limit, nextToken=token, **variables)
        for name in path:
            page = page[name]
        assert len(page["items"]) == limit or page["nextToken"] is None
        found += page["items"]
        token = page["nextToken"]
        if token is None:
            return found


def ids(quests: list[Any]) -> list[str]:
    return [quest["id"] for quest in quests]


async def test_by_tag_newest_first_in_pages(ada: Person, bob: Person) -> None:
    tag = f"t{ada.id.lower()}"
    made = [(await create(ada, tags=[tag, f"n{n}"]))["id"] for n in range(7)]
    await do(bob, "claimQuest", questId=made[2])
    open_ones = [each for each in reversed(made) if each != made[2]]
    assert ids(await read(bob, QUESTS, 2, "quests", tag=tag)) == open_ones
    assert ids(await read(bob, QUESTS, 50, "quests", tag=f"#{tag.upper()}")) == open_ones
    assert ids(await read(bob, QUESTS, 2, "quests", tag=tag, status="CLAIMED")) == [made[2]]
    assert await read(bob, QUESTS, 2, "quests", tag=f"{tag}x") == []


async def test_by_tag_newest_first_whatever_their_ids_and_no_old_entry_is_lost(
    ada: Person, table: Gateway
) -> None:
    """Entries of before stood in the index by the quest's id alone."""
    tag = f"t{ada.id.lower()}"
    wanted = ("zz", "aa", "mm", "bb", "kk", "cc")
    made = [(await create(ada, id=f"{n}-{ada.id}", tags=[tag]))["id"] for n in wanted]
    for quest_id in made[:3]:
        old = (await partition(table, f"QUEST#{quest_id}"))[f"TAG#{tag}"]
        del old["dated"]
        old["GSI5SK"] = {"S": f"Quest#{quest_id}"}
        await table.client.put_item(TableName=table.table, Item=old)
    by_id = sorted(made[:3], reverse=True)
    for limit in (1, 2, 3, 50):
        shown = ids(await read(ada, QUESTS, limit, "quests", tag=tag))
        assert [each for each in shown if each in made[3:]] == made[:2:-1]
        assert [each for each in shown if each in made[:3]] == by_id
        assert len(shown) == 6
    tagged = """query ($tag: String!) { byTag(tag: $tag, type: "Quest") { items { id } } }"""
    assert set(ids((await ada.gql(tagged, tag=tag))["byTag"]["items"])) == set(made)
    await do(ada, "updateQuest", questId=made[0], tags=[])
    assert made[0] not in ids(await read(ada, QUESTS, 2, "quests", tag=tag))


@pytest.fixture
def apart(start_server: Callable[..., RunningServer]) -> RunningServer:
    """A table without the quests of other tests, which move the clock."""
    return start_server(table_name=f"gg_{uuid4().hex}", demo=False)


async def test_by_status_in_order(apart: RunningServer) -> None:
    async with Api(apart.url) as api:
        await check_order(await api.sign_up(), await api.sign_up())


async def check_order(ada: Person, bob: Person) -> None:
    made = [(await create(ada))["id"] for _ in range(5)]
    await do(ada, "cancelQuest", questId=made[1])
    shown = ids(await read(bob, QUESTS, 3, "quests", status="OPEN"))
    assert [each for each in shown if each in made] == [made[4], made[3], made[2], made[0]]
    usual = ids(await read(bob, QUESTS, 100, "quests"))
    assert usual[:1] == [made[4]]
    cancelled = ids(await read(bob, QUESTS, 100, "quests", status="CANCELLED"))
    assert made[1] in cancelled
    assert not set(made) & (set(cancelled) - {made[1]})


async def test_a_quest_that_left_since_is_not_shown(apart: RunningServer) -> None:
    """It is claimed after the index was read and before it is shown."""
    async with Api(apart.url) as api:
        await check_freshness(api, await api.sign_up(), await api.sign_up(), apart)


async def check_freshness(api: Api, ada: Person, bob: Person, server: RunningServer) -> None:
    tag = f"t{ada.id.lower()}"
    made = [(await create(ada, tags=[tag]))["id"] for _ in range(4)]
    table: Gateway = server.app.state.resources.table
    real = table._query_page
    claimed = False

    async def late(query: Any, *rest: Any, **more: Any) -> Any:
        nonlocal claimed
        answer = await real(query, *rest, **more)
        if query.index == "GSI1" and query.pk == "STATUS#OPEN" and not claimed:
            claimed = True
            await asyncio.to_thread(asyncio.run, claim_apart(api.url, bob, made[3]))
        return answer

    with patch.object(table, "_query_page", late):
        page = (await ada.gql(QUESTS, limit=3))["quests"]
    assert claimed
    assert made[3] not in ids(page["items"])
    assert ids(page["items"]) == [made[2], made[1], made[0]], "and the page is full all the same"


async def claim_apart(url: str, person: Person, quest_id: str) -> None:
    async with Api(url) as api:
        await do(Person(api, person.session), "claimQuest", questId=quest_id)


async def test_what_has_expired_is_not_open(ada: Person, clock: TestClock) -> None:
    tag = f"t{ada.id.lower()}"
    made = await create(ada, tags=[tag], expiresAt=instant(clock.now() + timedelta(minutes=1)))
    assert ids(await read(ada, QUESTS, 5, "quests", tag=tag)) == [made["id"]]
    clock.move(minutes=2)
    assert await read(ada, QUESTS, 5, "quests", tag=tag) == []
    shown = await read(ada, QUESTS, 5, "quests", tag=tag, status="EXPIRED")
    assert [(e["id"], e["status"]) for e in shown] == [(made["id"], "EXPIRED")]
    assert made["id"] not in ids(await read(ada, QUESTS, 100, "quests"))


async def test_my_lists(ada: Person, bob: Person) -> None:
    made = [(await create(ada))["id"] for _ in range(5)]
    for each in made[:3]:
        await do(bob, "claimQuest", questId=each)
    created, performed = MINE % "createdQuests", MINE % "performedQuests"
    assert ids(await read(ada, created, 2, "me", "createdQuests")) == made[::-1]
    assert ids(await read(bob, performed, 2, "me", "performedQuests")) == made[2::-1]
    await do(bob, "unclaimQuest", questId=made[1])
    assert ids(await read(bob, performed, 9, "me", "performedQuests")) == [made[2], made[0]]
    assert await read(bob, created, 9, "me", "createdQuests") == []
    other = """query ($id: ID!) { user(id: $id) {
      createdQuests { items { id } } performedQuests { items { id } } } }"""
    seen = (await bob.gql(other, id=ada.id))["user"]
    assert seen == {"createdQuests": None, "performedQuests": None}


async def test_made_in_the_same_millisecond_both_are_listed(ada: Person, clock: TestClock) -> None:
    clock.freeze(clock.now())
    made = {(await create(ada))["id"] for _ in range(4)}
    listed = ids(await read(ada, MINE % "createdQuests", 3, "me", "createdQuests"))
    assert len(listed) == 4
    assert set(listed) == made


async def test_by_creator_and_performer(ada: Person, bob: Person, cleo: Person) -> None:
    made = [(await create(ada))["id"] for _ in range(4)]
    for each in made[:3]:
        await do(bob, "claimQuest", questId=each)
    assert ids(await read(cleo, OF_CREATOR, 3, "questsByCreator", id=ada.id)) == made[::-1]
    claimed = await read(cleo, OF_CREATOR, 1, "questsByCreator", id=ada.id, status="CLAIMED")
    assert ids(claimed) == made[2::-1]
    await do(bob, "submitQuest", questId=made[0], submission="Done")
    latest_first = [made[0], made[2], made[1]]
    assert ids(await read(cleo, OF_PERFORMER, 2, "questsByPerformer", id=bob.id)) == latest_first
    await do(bob, "unclaimQuest", questId=made[1])
    rest = ids(await read(cleo, OF_PERFORMER, 2, "questsByPerformer", id=bob.id))
    assert rest == [made[0], made[2]]
    assert await read(cleo, OF_PERFORMER, 2, "questsByPerformer", id="nobody") == []


async def test_by_performer_finds_every_member_of_a_team(
    ada: Person, bob: Person, cleo: Person
) -> None:
    """In the order in which their quests were changed, as if each had done them alone."""
    made = [(await create(ada, maxPerformers=1 + n % 3))["id"] for n in range(6)]
    for each in made[1:3] + made[4:]:
        await do(bob, "claimQuest", questId=each)
    for each in made[1:]:
        await do(cleo, "claimQuest", questId=each)
    await do(ada, "startQuest", questId=made[2])

    async def of(person: Person, **more: object) -> list[str]:
        pages = [
            ids(await read(ada, OF_PERFORMER, limit, "questsByPerformer", id=person.id, **more))
            for limit in (1, 2, 100)
        ]
        assert pages[0] == pages[1] == pages[2]
        return pages[0]

    assert await of(cleo) == [made[n] for n in (2, 5, 4, 3, 1)]
    assert await of(bob) == [made[n] for n in (2, 5, 4, 1)]
    assert await of(cleo, status="OPEN") == [made[5]]
    await do(bob, "submitQuest", questId=made[1], submission="Done")
    await do(ada, "requestChanges", questId=made[1])
    await do(ada, "extendQuest", questId=made[4], expiresAt="2099-01-01T00:00:00Z")
    assert await of(cleo) == [made[n] for n in (4, 1, 2, 5, 3)]
    assert await of(bob) == [made[n] for n in (4, 1, 2, 5)]
    await do(bob, "unclaimQuest", questId=made[4])
    assert await of(cleo) == [made[n] for n in (4, 1, 2, 5, 3)], "now the first of it, and once"
    assert await of(bob) == [made[n] for n in (1, 2, 5)]
    await do(bob, "claimQuest", questId=made[4])
    assert await of(bob) == [made[n] for n in (4, 1, 2, 5)]
    await do(ada, "cancelQuest", questId=made[5])
    assert await of(cleo) == [made[n] for n in (4, 1, 2, 3)]
    await do(cleo, "submitQuest", questId=made[2], submission="Done")
    await do(ada, "attestQuest", questId=made[2], rating=5)
    assert (await of(cleo))[0] == (await of(bob))[0] == made[2]


async def test_a_claim_that_ran_out_is_of_nobody(
    ada: Person, bob: Person, cleo: Person, clock: TestClock
) -> None:
    quest = await create(ada, maxPerformers=2)
    for person in (bob, cleo):
        await do(person, "claimQuest", questId=quest["id"])
    clock.move(days=15)
    await sign_in_again(ada, bob, cleo)
    for person in (bob, cleo):
        assert await read(ada, OF_PERFORMER, 5, "questsByPerformer", id=person.id) == []
        assert await read(person, MINE % "performedQuests", 5, "me", "performedQuests") == []


async def test_paging_while_things_move_ends_and_skips_nothing_that_stood_still(
    ada: Person, bob: Person
) -> None:
    made = [(await submitted(ada, bob))["id"] for _ in range(8)]
    seen: list[str] = []
    token = None
    for turn in range(20):
        page = await ada.gql(OF_PERFORMER, id=bob.id, limit=2, nextToken=token)
        page = page["questsByPerformer"]
        seen += ids(page["items"])
        if turn < 3:  # what was shown moves to the top
            await do(ada, "attestQuest", questId=page["items"][0]["id"], rating=5)
        token = page["nextToken"]
        if token is None:
            break
    assert token is None
    assert seen == made[::-1]


async def test_timeline_leads_to_quests(ada: Person, bob: Person) -> None:
    quest = await create(ada)
    await do(bob, "claimQuest", questId=quest["id"])
    query = """{ timeline(types: ["Quest"]) { items { __typename id
      ... on QuestListing { role quest { title status } } } nextToken } }"""
    expected = {"title": INPUT["title"], "status": "CLAIMED"}
    for person, role in ((ada, "CREATED"), (bob, "PERFORMED")):
        (item,) = (await person.gql(query))["timeline"]["items"]
        assert (item["__typename"], item["id"], item["role"]) == ("QuestListing", quest["id"], role)
        assert item["quest"] == expected


async def test_history_in_pages(ada: Person, bob: Person) -> None:
    quest = await create(ada)
    for _ in range(3):
        await do(bob, "claimQuest", questId=quest["id"])
        await do(bob, "unclaimQuest", questId=quest["id"])
    query = """query ($id: ID!, $limit: Int, $nextToken: String) { quest(id: $id) {
      history(limit: $limit, nextToken: $nextToken) {
        items { action fromStatus toStatus byUserId createdAt } nextToken } } }"""
    steps = await read(ada, query, 3, "quest", "history", id=quest["id"])
    assert [e["action"] for e in steps] == ["CREATE", *["CLAIM", "UNCLAIM"] * 3]
    assert (steps[0]["fromStatus"], steps[0]["toStatus"]) == (None, "OPEN")
    assert (steps[1]["fromStatus"], steps[1]["toStatus"], steps[1]["byUserId"]) == (
        "OPEN",
        "CLAIMED",
        bob.id,
    )


@pytest.fixture
def sharded(start_server: Callable[..., RunningServer]) -> RunningServer:
    return start_server(shards=4, table_name=f"gg_{uuid4().hex}", demo=False)


async def test_shards_are_one_list(
    sharded: RunningServer, start_server: Callable[..., RunningServer], clock: TestClock
) -> None:
    """Of a table that had no shards before."""
    before = start_server(table_name=sharded.settings.table_name, demo=False)
    async with Api(before.url) as old, Api(sharded.url) as new:
        ada = await old.sign_up()
        made = [(await create(ada, tags=["t"]))["id"] for _ in range(2)]
        ada = Person(new, ada.session)
        await sign_in_again(ada)
        made += [(await create(ada, tags=["t"]))["id"] for _ in range(9)]
        async with Gateway.open(
            table=sharded.settings.table_name,
            region="us-east-1",
            endpoint=sharded.settings.endpoint_url,
        ) as table:
            partitions = set()
            for quest_id in made:
                rows = [item async for item in table.partition(f"QUEST#{quest_id}")]
                partitions |= {row["GSI1PK"]["S"] for row in rows if "CREATED#" in str(row)}
        assert "STATUS#OPEN" in partitions
        assert len(partitions) > 2
        for limit in (1, 4, 100):
            assert ids(await read(ada, QUESTS, limit, "quests")) == made[::-1]
            assert ids(await read(ada, QUESTS, limit, "quests", tag="t")) == made[::-1]
        await do(ada, "cancelQuest", questId=made[0])
        await do(ada, "cancelQuest", questId=made[7])
        rest = [each for each in reversed(made) if each not in (made[0], made[7])]
        assert ids(await read(ada, QUESTS, 3, "quests")) == rest


async def test_a_category_over_shards_is_one_list(
    sharded: RunningServer, start_server: Callable[..., RunningServer]
) -> None:
    """What was in it before there were shards, too; with one cursor, whatever the page."""
    before = start_server(table_name=sharded.settings.table_name, demo=False)
    async with (
        Api(before.url) as old,
        Api(sharded.url) as new,
        Gateway.open(
            table=sharded.settings.table_name,
            region="us-east-1",
            endpoint=sharded.settings.endpoint_url,
        ) as table,
    ):
        judge = await moderator(old, before, table)
        query = mutation("createQuestCategory", "id")
        shelf = (await judge.gql(query, input={"name": "Sharded"}))["createQuestCategory"]["id"]
        ada = await old.sign_up()
        made = [(await create(ada, categoryId=shelf))["id"] for _ in range(3)]
        ada, bob = Person(new, ada.session), await new.sign_up()
        await sign_in_again(ada)
        made += [(await create(ada, categoryId=shelf))["id"] for _ in range(12)]
        rows = [(await partition(table, f"QUEST#{e}"))[f"QUEST#{e}"]["GSI6PK"]["S"] for e in made]
        assert rows[:3] == [f"CATEGORY#{shelf}"] * 3
        assert len(set(rows)) > 3
        for limit in (1, 2, 5, 100):
            found = await read(ada, QUESTS, limit, "quests", categoryId=shelf)
            assert ids(found) == made[::-1]
        taken = [made[1], made[6], made[13]]
        for each in taken:
            await do(bob, "claimQuest", questId=each)
        for limit in (1, 3, 100):
            left = await read(ada, QUESTS, limit, "quests", categoryId=shelf)
            assert ids(left) == [each for each in made[::-1] if each not in taken]
            claimed = await read(ada, QUESTS, limit, "quests", categoryId=shelf, status="CLAIMED")
            assert ids(claimed) == taken[::-1]


async def test_a_cursor_over_shards_stands_while_the_list_moves(sharded: RunningServer) -> None:
    """New quests come before what was read, and others leave: nothing is skipped or repeated."""
    async with Api(sharded.url) as api:
        ada, bob = await api.sign_up(), await api.sign_up()
        tag = f"t{ada.id.lower()}"
        made = [(await create(ada, tags=[tag]))["id"] for _ in range(12)]
        first = (await ada.gql(QUESTS, tag=tag, limit=4))["quests"]
        await create(ada, tags=[tag])
        for each in (made[10], made[5]):
            await do(bob, "claimQuest", questId=each)
        rest: list[str] = []
        token = first["nextToken"]
        while token:
            page = (await ada.gql(QUESTS, tag=tag, limit=3, nextToken=token))["quests"]
            rest += ids(page["items"])
            token = page["nextToken"]
        assert ids(first["items"]) == made[:7:-1]
        assert rest == [each for each in made[7::-1] if each != made[5]]


async def test_lists_need_few_calls(ada: Person, server: RunningServer) -> None:
    for _ in range(5):
        await create(ada, tags=["few"])
    table: Gateway = server.app.state.resources.table
    real, calls = table._call, []

    async def call(operation: str, **parameters: Any) -> Any:
        calls.append(operation)
        return await real(operation, **parameters)

    query = "{ quests(limit: 5) { items { id creator { nickname } performer { nickname } } } }"
    with patch.object(table, "_call", call):
        await ada.gql(query)
    assert calls.count("query") == 2, "open quests, and claims that have lapsed"
    assert calls.count("batch_get_item") <= 3


async def test_public_reads_with_an_api_key(api: Api, ada: Person, settings: Any) -> None:
    quest = await submitted(ada, await api.sign_up())
    headers = {"x-api-key": settings.api_keys[0]}
    got = await api.gql(
        "query ($id: ID!) { quest(id: $id) { title submission } }", headers=headers, id=quest["id"]
    )
    assert got["quest"] == {"title": INPUT["title"], "submission": None}
    assert (await api.gql("{ quests { items { id } } }", headers=headers))["quests"]["items"]
    answer = await api.post(
        "mutation ($input: ClaimQuestInput!) { claimQuest(input: $input) { id } }",
        headers=headers,
        input={"questId": quest["id"]},
    )
    assert answer.json()["errors"][0]["extensions"]["code"] == "FORBIDDEN"


async def test_get_by_id_is_the_same_for_everyone(ada: Person, bob: Person) -> None:
    quest = await create(ada)
    assert await get(bob, quest["id"]) == await get(ada, quest["id"])
    assert await code(bob, "startQuest", questId=quest["id"]) == "FORBIDDEN"
