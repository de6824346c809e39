"""What every service is made of: bound to one caller, it loads, decides, then writes once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

import orjson
import strawberry

from app.core.caller import Caller
from app.core.clock import epoch, instant
from app.core.errors import AppError, IdempotencyMismatch, StaleVersion, Unavailable
from app.core.record import Record
from app.core.scalars import AWSDateTime
from app.resources import Resources
from app.table.codec import decoder_of, encode_fields
from app.table.conditions import absent, attr
from app.table.entity import Entity
from app.table.gateway import pause
from app.table.writes import Put, Write

T = TypeVar("T")
ATTEMPTS = 5
RECEIPT_SECONDS = 30 * 24 * 3600


@strawberry.type
class Receipt(Record):
    """That a request with an idempotencyKey was carried out, and its answer."""

    user_id: str
    key: str
    fingerprint: str
    answer: str
    ttl: int


RECEIPT = Entity(Receipt, pk="USER#{user_id}", sk="IDEMPOTENCY#{key}", secret=True)


class Repeatable(Protocol):
    """An input with an idempotencyKey."""

    idempotency_key: str | None

    def fingerprint(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Decision(Generic[T]):
    """What to answer once the writes have happened."""

    answer: T
    writes: Sequence[Write] = field(default_factory=list)


class Versioned(Protocol):
    """An input that may say which version of the record its sender has seen."""

    expected_version: int | None


def expect_version(request: Versioned, record: Record, what: str) -> None:
    if isinstance(request.expected_version, int) and request.expected_version != record.version:
        raise StaleVersion(what, record.version)


class AlreadyDone(AppError):
    """Met only inside: two requests with one key raced, and the other was first."""

    code = "CONFLICT"

    def __init__(self) -> None:
        super().__init__("This request is being carried out already.")


class Service:
    attempts = ATTEMPTS

    def __init__(self, resources: Resources, caller: Caller) -> None:
        self.resources = resources
        self.caller = caller
        self.table = resources.table

    @property
    def now(self) -> AWSDateTime:
        return instant(self.resources.clock.now())

    async def once(
        self, request: Repeatable, kind: type[T], decide: Callable[[], Awaitable[Decision[T]]]
    ) -> T:
        """Decides and writes; with an idempotencyKey, the same request gets the same answer."""
        if not isinstance(request.idempotency_key, str):
            return await self.commit(decide)
        earlier = await self._earlier(request, kind)
        return earlier if earlier is not None else await self._first_time(request, kind, decide)

    async def commit(
        self,
        decide: Callable[[], Awaitable[Decision[T]]],
        receipt: Callable[[T], Write] | None = None,
    ) -> T:
        """Decides and writes. If somebody else was faster, decides anew on what they left: only a
        client that sent expectedVersion is told (by its own `decide`) that it came too late."""
        for attempt in range(self.attempts):
            await asyncio.sleep(pause(attempt) if attempt > 1 else 0)
            decision = await decide()
            receipts = [receipt(decision.answer)] if receipt else []
            try:
                await self.table.write(*receipts, *decision.writes)
                return decision.answer
            except StaleVersion as error:
                late = error
        raise late

    async def _first_time(
        self, request: Repeatable, kind: type[T], decide: Callable[[], Awaitable[Decision[T]]]
    ) -> T:
        try:
            return await self.commit(decide, partial(self._keep_receipt, request))
        except AppError as refusal:
            # Perhaps refused only because a twin of this request has just succeeded.
            try:
                earlier = await self._earlier(request, kind)
            except Unavailable:
                raise refusal from None
            if earlier is None:
                raise
            return earlier

    async def _earlier(self, request: Repeatable, kind: type[T]) -> T | None:
        key = RECEIPT.key(user_id=self.caller.user_id, key=request.idempotency_key)
        receipt = await self.table.get(key)
        if receipt is None or receipt.ttl <= epoch(self.resources.clock.now()):
            return None
        if receipt.fingerprint != request.fingerprint():
            raise IdempotencyMismatch
        return decoder_of(kind)(orjson.loads(receipt.answer))

    def _keep_receipt(self, request: Repeatable, answer: Any) -> Put[Receipt]:
        now = epoch(self.resources.clock.now())
        receipt = Receipt(
            created_at=self.now,
            updated_at=self.now,
            user_id=self.caller.user_id,
            key=str(request.idempotency_key),
            fingerprint=request.fingerprint(),
            answer=orjson.dumps(encode_fields(answer)).decode(),
            ttl=now + RECEIPT_SECONDS,
        )
        # DynamoDB removes an outdated item days late: until then it must not be in the way.
        return Put(receipt, when=absent() | attr("ttl").at_most(now), otherwise=AlreadyDone())
