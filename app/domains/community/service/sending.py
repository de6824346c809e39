"""Messages on their way. Those that wait for the same conversation travel together, in one
transaction: so a busy room takes many times as many as one after the other."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from app.core.caller import Caller
from app.core.errors import AppError, OutcomeUnknown, StaleVersion, Unavailable
from app.domains.community.service.conversation import Delivery, InTurn, delivered
from app.domains.community.types import Post
from app.domains.service import Decision, Receipt, Repeatable
from app.resources import Resources
from app.table.entity import entity_of
from app.table.gateway import pause
from app.table.writes import Put, Write

P = TypeVar("P", bound=Post)

# With its receipt and the sender's marker each is three writes, of a hundred.
MOST_TOGETHER = 25
TRIES_TOGETHER = 4

# Told the conversation and the sender's seat as they are, it makes the message or refuses.
Compose = Callable[[Any, Any], Post]


@dataclass(eq=False, slots=True)
class Parcel:
    sending: "Sending"
    receipt: Callable[[Any], Write] | None
    arrived: "asyncio.Future[Any]" = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def refuse(self, error: BaseException) -> None:
        if not self.arrived.done():
            self.arrived.set_exception(error)
            # Its sender may have gone away, and nobody ever ask.
            self.arrived.exception()

    def arrive(self, post: Post) -> None:
        if not self.arrived.done():
            self.arrived.set_result(post)


class Sending(InTurn):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        delivery: Delivery,
        *,
        compose: Compose,
        check: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(resources, caller, delivery.conversation)
        self.delivery = delivery
        self.compose = compose
        self.check = check

    async def send(self, request: Repeatable, kind: type[P]) -> P:
        """A repeated request gets the message as it is now, edited or deleted."""
        post = await self.once(request, kind, self.decide)
        if post.text is not None:
            return post
        return await self.table.get(entity_of(post).key_of(post)) or post

    def _keep_receipt(self, request: Repeatable, answer: Post) -> Put[Receipt]:
        """Without the text: where a message is deleted or expires, none may be left."""
        return super()._keep_receipt(request, replace(answer, text=None))

    async def decide(self) -> Decision[Any]:
        """For one message alone."""
        keys = (self.delivery.conversation, self.delivery.seat)
        conversation, seat = await self.table.get_many(keys)
        post = self.compose(conversation, seat)
        assert conversation is not None
        return Decision(post, delivered(conversation, [(self.delivery, post)]))

    async def commit(
        self,
        decide: Callable[[], Awaitable[Decision[Any]]],
        receipt: Callable[[Any], Write] | None = None,
    ) -> Any:
        await self.check()
        parcel = Parcel(self, receipt)
        self.line.waiting.append(parcel)
        try:
            async with self.line.turn:
                if parcel in self.line.waiting:
                    await self._take_all()
            return await parcel.arrived
        finally:
            if parcel in self.line.waiting:
                self.line.waiting.remove(parcel)

    async def _take_all(self) -> None:
        """Goes on when this sender goes away: the others wait for it."""
        parcels = self.line.waiting[:MOST_TOGETHER]
        del self.line.waiting[:MOST_TOGETHER]
        carrying = asyncio.create_task(self._carry(parcels))
        carrying.add_done_callback(partial(_tell, parcels))
        await asyncio.shield(carrying)

    async def _carry(self, parcels: list[Parcel]) -> None:
        if len(parcels) > 1:
            await self._carry_together(parcels)
        for parcel in parcels:
            if not parcel.arrived.done():
                await parcel.sending.carry_alone(parcel)

    async def carry_alone(self, parcel: Parcel) -> None:
        try:
            # The turn is ours already.
            parcel.arrive(await super(InTurn, self).commit(self.decide, parcel.receipt))
        except AppError as refusal:
            parcel.refuse(refusal)

    async def _carry_together(self, parcels: list[Parcel]) -> None:
        """Those that are refused stay behind, and are told why when they are carried alone."""
        for attempt in range(TRIES_TOGETHER):
            await asyncio.sleep(pause(attempt) if attempt else 0)
            before, ready = await self._packed(parcels)
            try:
                await self.table.write(*_receipts(ready), *_deliveries(before, ready))
            except StaleVersion:
                continue
            except (OutcomeUnknown, Unavailable):
                raise
            except AppError:
                return
            for parcel, post in ready:
                parcel.arrive(post)
            return

    async def _packed(self, parcels: list[Parcel]) -> tuple[Any, list[tuple[Parcel, Post]]]:
        seats = [parcel.sending.delivery.seat for parcel in parcels]
        before, *found = await self.table.get_many([self.delivery.conversation, *seats])
        ready: list[tuple[Parcel, Post]] = []
        conversation: Any = before
        taken: set[tuple[str, str]] = set()
        for parcel, seat in zip(parcels, found, strict=True):
            try:
                post = parcel.sending.compose(conversation, seat)
            except AppError:
                continue
            # Twins, with one idempotencyKey: one now, the other will find the first.
            receipts = {_place(write) for write in _receipts([(parcel, post)])}
            if not receipts & taken:
                taken |= receipts
                ready.append((parcel, post))
                conversation = replace(
                    conversation, message_count=post.number, last_message_at=post.created_at
                )
        return before, ready


def _receipts(ready: Sequence[tuple[Parcel, Post]]) -> list[Write]:
    return [parcel.receipt(post) for parcel, post in ready if parcel.receipt]


def _deliveries(before: Any, ready: Sequence[tuple[Parcel, Post]]) -> list[Write]:
    posts = [(parcel.sending.delivery, post) for parcel, post in ready]
    return delivered(before, posts) if posts else []


def _place(write: Write) -> tuple[str, str]:
    return write.key.pk, write.key.sk


def _tell(parcels: list[Parcel], carrying: "asyncio.Task[None]") -> None:
    """Whatever went wrong, nobody waits for ever."""
    if carrying.cancelled():
        error: BaseException | None = Unavailable()
    else:
        error = carrying.exception()
    for parcel in parcels if error else []:
        parcel.refuse(error or Unavailable())
