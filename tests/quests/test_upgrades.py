"""Index entries of older versions, after the migration."""

from dataclasses import replace

from app.domains.quests import keys
from app.domains.quests.types import QuestSeat, QuestTag
from app.migration.upgrades import upgrade
from app.table.gateway import Gateway
from app.table.writes import Put
from tests.api import Person
from tests.quests.operations import create, do, resources_of
from tests.quests.test_lists import OF_PERFORMER, QUESTS, ids, read
from tests.servers import RunningServer


async def test_tags_of_before_come_by_age(
    ada: Person, table: Gateway, server: RunningServer
) -> None:
    tag = f"t{ada.id.lower()}"
    made = [(await create(ada, id=f"{n}-{ada.id}", tags=[tag]))["id"] for n in ("z", "a", "m")]
    for quest_id in made:
        entry = await entry_of(table, quest_id, tag)
        assert entry.dated
        await table.write(Put(replace(entry, dated=False)))
    assert ids(await read(ada, QUESTS, 2, "quests", tag=tag)) == sorted(made, reverse=True)
    for quest_id in made:
        entry = await entry_of(table, quest_id, tag)
        await table.write(Put(await upgrade(resources_of(server, table), entry)))
    assert ids(await read(ada, QUESTS, 2, "quests", tag=tag)) == made[::-1]
    again = await entry_of(table, made[0], tag)
    assert await upgrade(resources_of(server, table), again) == again, "once"


async def entry_of(table: Gateway, quest_id: str, tag: str) -> QuestTag:
    entry = await table.get(keys.tag_of_quest(quest_id, tag))
    assert entry is not None
    return entry


async def test_seats_of_before_lead_to_their_quest(
    ada: Person, bob: Person, cleo: Person, table: Gateway, server: RunningServer
) -> None:
    quest = (await create(ada, maxPerformers=2))["id"]
    for person in (bob, cleo):
        await do(person, "claimQuest", questId=quest)
    right = [await seat_of(table, quest, person) for person in (bob, cleo)]
    for seat in right:
        await table.write(Put(replace(seat, moved_at=None, placed=False)))
    assert await read(ada, OF_PERFORMER, 5, "questsByPerformer", id=cleo.id) == []
    resources = resources_of(server, table)
    for seat in right:
        old = replace(seat, moved_at=None, placed=False)
        new = await upgrade(resources, old)
        assert replace(new, version=seat.version) == seat
        assert await upgrade(resources, new) == new, "once"
        await table.write(Put(new))
    for person in (bob, cleo):
        found = await read(ada, OF_PERFORMER, 5, "questsByPerformer", id=person.id)
        assert ids(found) == [quest]


async def seat_of(table: Gateway, quest_id: str, person: Person) -> QuestSeat:
    seat = await table.get(keys.seat(quest_id, person.id))
    assert seat is not None
    return seat
