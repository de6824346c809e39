"""What sending a message means, in a room or in a thread: one order for all who read.

A message is written together with the count of its conversation, under the condition that no other
came meanwhile; its time is later than that of the one before, whatever the clocks of the servers
say. So nothing ever sorts before what a reader has already passed.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakKeyDictionary, WeakValueDictionary

from app.core.caller import Caller
from app.core.errors import Conflict
from app.domains.community.types import Conversation, Post
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.conditions import Condition, attr, present, version_is
from app.table.entity import Key
from app.table.gateway import Gateway
from app.table.writes import Otherwise, Put, Update, Write, create, stale

C = TypeVar("C", bound=Conversation)
T = TypeVar("T")


class Line:
    """Those of one process who write to one conversation."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.waiting: list[Any] = []


_LINES: WeakKeyDictionary[Gateway, WeakValueDictionary[str, Line]] = WeakKeyDictionary()


class InTurn(Service):
    """Writes to a conversation: those of one process queue up, instead of sending each other back
    to try again. The queue promises nothing; what decides, also between servers, is the condition
    on the conversation."""

    attempts = 12

    def __init__(self, resources: Resources, caller: Caller, conversation: Key[Any]) -> None:
        super().__init__(resources, caller)
        lines = _LINES.setdefault(self.table, WeakValueDictionary())
        self.line = lines.setdefault(conversation.pk, Line())

    async def commit(
        self,
        decide: Callable[[], Awaitable[Decision[T]]],
        receipt: Callable[[T], Write] | None = None,
    ) -> T:
        async with self.line.turn:
            return await super().commit(decide, receipt)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Where somebody's message goes, and under which conditions."""

    conversation: Key[Any]
    seat: Key[Any]
    is_open: Condition
    closed: Otherwise
    may_speak: Condition
    silent: Otherwise

    def of(self, post: Post) -> list[Write]:
        """Who sends has read what was there."""
        read = Update(
            self.seat,
            put={"readNumber": post.number, "readAt": post.created_at},
            when=present() & self.may_speak,
            otherwise=self.silent,
        )
        return [create(post, otherwise=Conflict("There is such a message already.")), read]


def delivered(before: Conversation, posts: Sequence[tuple[Delivery, Post]]) -> list[Write]:
    """Messages that follow each other, if none came in between."""
    delivery, last = posts[0][0], posts[-1][1]
    counted = Update(
        delivery.conversation,
        put={"lastMessageAt": last.created_at, "lastMessageId": last.id},
        add={"messageCount": len(posts)},
        when=attr("messageCount").equals(before.message_count) & delivery.is_open,
        otherwise=delivery.closed,
    )
    return [counted, *(write for delivery, post in posts for write in delivery.of(post))]


def rewritten(new: C, old: C, what: str) -> Put[C]:
    """Counters rise without a new version: they, too, must be as they were read."""
    same = attr("messageCount").equals(old.message_count) & attr("memberCount").equals(
        old.member_count
    )
    return Put(new, when=version_is(old.version) & same, otherwise=stale(what))


def resized(key: Key[Any], by: int, when: Condition, otherwise: Otherwise) -> Update[Any]:
    return Update(key, add={"memberCount": by}, when=present() & when, otherwise=otherwise)


def read_up_to(seat: Key[Any], number: int, at: str | None, otherwise: Otherwise) -> Update[Any]:
    """The marker only goes forward."""
    return Update(
        seat,
        put={"readNumber": number, "readAt": at},
        when=present() & attr("readNumber").below(number),
        otherwise=otherwise,
    )
