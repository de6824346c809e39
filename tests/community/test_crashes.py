"""Requests that are interrupted at any call to the table and repeated: each happens once."""

import asyncio
import dataclasses
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any
from unittest.mock import patch

import pytest
import strawberry

from app.core.caller import acting_for
from app.domains.community import keys
from app.domains.community.inputs import RemoveFromRoomInput, SendMessageInput
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Person
from tests.community.rooms import everything, new_room, read
from tests.rewards.test_wallet_machine import PowerCut
from tests.servers import RunningServer

sides = pytest.mark.parametrize("after", [False, True], ids=["before", "after"])


@contextmanager
def cut_at_call(table: Gateway, number: int, *, after: bool) -> Iterator[None]:
    """That very call, also when several are under way at once."""
    real, calls = table._call, count(1)

    async def call(operation: str, **parameters: object) -> dict[str, Any]:
        mine = next(calls)
        if mine == number and not after:
            raise PowerCut
        answer = await real(operation, **parameters)
        if mine == number:
            raise PowerCut
        return answer

    with patch.object(table, "_call", call):
        yield


def request(room: str, key: str) -> SendMessageInput:
    return SendMessageInput(room_id=strawberry.ID(room), text=key, idempotency_key=key)


@sides
async def test_an_interrupted_and_repeated_message_is_sent_once(
    ada: Person, server: RunningServer, table: Gateway, after: bool
) -> None:
    resources = dataclasses.replace(server.app.state.resources, table=table)
    room = await new_room(ada)
    number = 0
    while True:
        number += 1
        wanted = request(room, f"key-{number}")
        try:
            with cut_at_call(table, number, after=after):
                sent = await Services(resources, acting_for(ada.id)).messages.send(wanted)
            break
        except PowerCut:
            sent = await Services(resources, acting_for(ada.id)).messages.send(wanted)
        assert sent.number == number
    seen = await everything(ada, room, order="OLDEST_FIRST")
    assert [each["text"] for each in seen] == [f"key-{i + 1}" for i in range(number)]
    assert number > 3
    assert (await read(ada, room))["unreadCount"] == 0


@sides
async def test_an_interrupted_and_repeated_batch_of_messages_is_sent_once(
    ada: Person, bob: Person, server: RunningServer, table: Gateway, after: bool
) -> None:
    resources = dataclasses.replace(server.app.state.resources, table=table)
    room = await new_room(ada, bob)
    cut, number = True, 0
    while cut:
        number += 1
        wanted = [(who, request(room, f"{number}-{i}")) for i in range(3) for who in (ada, bob)]

        async def send_all(wanted: list[tuple[Person, SendMessageInput]] = wanted) -> list[object]:
            return await asyncio.gather(
                *(
                    Services(resources, acting_for(who.id)).messages.send(each)
                    for who, each in wanted
                ),
                return_exceptions=True,
            )

        with cut_at_call(table, number, after=after):
            first = await send_all()
        cut = any(isinstance(each, PowerCut) for each in first)
        again = await send_all()
        assert not [each for each in again if isinstance(each, BaseException)]
    seen = await everything(ada, room, limit=100)
    assert len({(each["userId"], each["text"]) for each in seen}) == len(seen) == number * 6
    assert [each["number"] for each in seen] == list(range(len(seen), 0, -1))
    assert number > 6


@sides
async def test_an_interrupted_removal_happens_whole_or_not_at_all(
    ada: Person, bob: Person, server: RunningServer, table: Gateway, after: bool
) -> None:
    resources = dataclasses.replace(server.app.state.resources, table=table)
    number, cut = 0, True
    while cut:
        number += 1
        room = await new_room(ada, bob)
        wanted = RemoveFromRoomInput(room_id=strawberry.ID(room), user_id=strawberry.ID(bob.id))
        members = Services(resources, acting_for(ada.id)).room_members
        try:
            with cut_at_call(table, number, after=after):
                await members.remove(wanted)
            cut = False
        except PowerCut:
            await members.table.drain()
        stored = await table.get(keys.room(room))
        assert stored is not None
        stored_members = await table.count(keys.members_of_room(room))
        banned = await table.get(keys.room_ban(room, bob.id)) is not None
        logged = await table.count(keys.moderation_log(room))
        outcome = (stored.member_count, stored_members, banned, logged)
        assert outcome in [(2, 2, False, 0), (1, 1, True, 1)]
    assert number > 2
