"""The base of every service: it acts for one caller, and loads, decides, then writes once."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

import strawberry

from app.core.attempt import Attempt
from app.core.caller import Caller, acting_for
from app.core.clock import instant
from app.core.errors import AppError, NotFound, StaleVersion, Unavailable
from app.core.inputs import IdempotentInput, VersionedInput
from app.core.record import Record
from app.core.scalars import AWSDateTime
from app.domains.receipts import Done, Receipts
from app.resources import Resources
from app.table.gateway import Gateway, backoff_seconds
from app.table.writes import Write

T = TypeVar("T")
S = TypeVar("S")
R = TypeVar("R")
ATTEMPTS = 5


@dataclass(eq=False)
class Scope:
    """The services of one caller. Each is built when it is first used, once.

    A port is a class through which a domain calls one above it. `ports` names the service behind
    each port; a port without one is a null object: it is built itself and does nothing.
    """

    resources: Resources
    caller: Caller
    ports: ClassVar[Mapping[type, type]] = {}
    _services: dict[type, Any] = field(default_factory=dict, init=False, repr=False)

    @property
    def scope(self) -> "Scope":
        """So that a scope may declare services by `uses`, too."""
        return self

    def get(self, kind: type[S]) -> S:
        cls = self.ports.get(kind, kind)
        if cls not in self._services:
            self._services[cls] = cls(self)
        service: S = self._services[cls]
        return service

    def acting_for(self, user_id: str) -> "Scope":
        """The services of another user, for effects that the caller's request has on that user."""
        return type(self)(self.resources, acting_for(user_id))

    def release(self) -> None:
        """Breaks the reference cycle between a scope and its services, so that they are freed at
        once and not by the garbage collector."""
        self._services.clear()


class uses(Generic[S]):
    """Declares that a service calls another one: `wallets = uses(Wallets)`."""

    def __init__(self, kind: type[S]) -> None:
        self.kind = kind

    def __get__(self, owner: Any, cls: type) -> S:
        service: S = owner.scope.get(self.kind)
        return service


@dataclass(frozen=True, slots=True)
class Decision(Generic[T]):
    """The writes of a request, and the answer once they are committed."""

    answer: T
    writes: Sequence[Write] = field(default_factory=list)


Decide = Callable[[], Awaitable[Decision[T]]]


@dataclass(frozen=True, slots=True)
class Stamp:
    """The fields that every new record of a user begins with."""

    now: AWSDateTime
    user_id: str

    def __call__(self) -> dict[str, Any]:
        return {"created_at": self.now, "updated_at": self.now, "user_id": self.user_id}


@dataclass(eq=False)
class Service:
    """`attempts`: how often `commit` decides anew when other writers keep winning the race."""

    scope: Scope
    attempts: ClassVar[int] = ATTEMPTS

    @property
    def resources(self) -> Resources:
        return self.scope.resources

    @property
    def caller(self) -> Caller:
        return self.scope.caller

    @property
    def table(self) -> Gateway:
        return self.scope.resources.table

    @property
    def now(self) -> AWSDateTime:
        return instant(self.resources.clock.now())

    @property
    def stamp(self) -> Stamp:
        return Stamp(self.now, self.caller.user_id)

    def new_id(self, chosen: object = None) -> strawberry.ID:
        """The id that the client chose, or a new one."""
        return strawberry.ID(chosen) if isinstance(chosen, str) else self.resources.ids.new()

    async def once(self, request: IdempotentInput, kind: type[T], decide: Decide[T]) -> T:
        """As commit. With an idempotencyKey, a repeated request has no further effect and gets the
        same answer."""
        if not isinstance(request.idempotency_key, str):
            return await self.commit(decide)
        receipts = Receipts(self.table, self.resources.clock, self.caller.user_id)
        earlier = await receipts.answer_to(request, kind)
        if earlier is not None:
            return earlier
        try:
            return await self.commit(decide, partial(self._receipt, receipts, request))
        except AppError as refusal:
            # The same request may just have succeeded on another server: then this one was refused
            # because of its effect.
            try:
                earlier = await receipts.answer_to(request, kind)
            except Unavailable:
                raise refusal from None
            if earlier is None:
                raise
            return earlier

    async def do_once(self, request: IdempotentInput, decide: Decide[T]) -> T | None:
        """As once, but the receipt keeps no answer. None: it was done before, read the answer."""
        decided: list[tuple[Done, T]] = []

        async def decide_without_answer() -> Decision[Done]:
            decision = await decide()
            decided.append((Done(), decision.answer))
            return Decision(decided[-1][0], decision.writes)

        done = await self.once(request, Done, decide_without_answer)
        return next((answer for mine, answer in decided if mine is done), None)

    def _receipt(self, receipts: Receipts, request: IdempotentInput, answer: Any) -> Write:
        return receipts.put(request, self.receipt_answer(answer))

    def receipt_answer(self, answer: Any) -> Any:
        """The answer as the receipt keeps it, for 30 days."""
        return answer

    async def commit(self, decide: Decide[T], receipt: Callable[[T], Write] | None = None) -> T:
        """Decides and writes. If another writer was faster, decides anew on the new state. A client
        that sent expectedVersion gets CONFLICT instead: its `decide` raises it."""
        for number in range(self.attempts):
            await asyncio.sleep(backoff_seconds(number) if number > 1 else 0)
            decision = None
            try:
                async with Attempt():
                    decision = await decide()
                    receipts = [receipt(decision.answer)] if receipt else []
                    await self.table.write(*receipts, *decision.writes)
                    return decision.answer
            except StaleVersion as error:
                if decision is None:
                    raise
                stale = error
        raise stale


def expect_version(request: VersionedInput, record: Record, what: str) -> None:
    if isinstance(request.expected_version, int) and request.expected_version != record.version:
        raise StaleVersion(what, record.version)


def required(found: R | None, what: str) -> R:
    """The record, or NOT_FOUND."""
    if found is None:
        raise NotFound(what)
    return found
