"""Requests that are repeated, against a dictionary: through faults, crashes and thirty days."""

import asyncio
import dataclasses
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from app.core.caller import acting_for
from app.core.errors import AppError, IdempotencyMismatch, OutcomeUnknown, Unavailable
from app.domains.service import Scope
from app.resources import Resources, open_resources
from app.settings import Settings
from app.table import gateway as gateway_module
from app.table.entity import ENTITIES
from app.table.gateway import ATTEMPTS, Gateway
from tests.servers import TestClock
from tests.table.faults import (
    Crash,
    Fault,
    FaultyClient,
    after,
    before,
    broken,
    dropped,
    none,
    throttled,
)
from tests.table.shop import Shop, order, placed_on
from tests.table.things import THING, Thing, new_shelf

T = TypeVar("T")
Request = tuple[str, str]  # user and key
FAULTS: dict[str, Callable[[], Fault]] = {
    "nothing": lambda: none,
    "before a crash": lambda: before(Crash()),
    "after a crash": lambda: after(Crash()),
    "throttled": lambda: before(throttled()),
    "broken before": lambda: before(broken()),
    "broken after": lambda: after(broken()),
    "lost request": lambda: before(dropped()),
    "lost answer": lambda: after(dropped()),
}
# What each call of a request meets; a request that is let through makes two.
lost = st.sampled_from([["nothing", "lost request"], ["nothing", "broken before"] * ATTEMPTS])
plans = lost | st.lists(st.sampled_from(list(FAULTS)), max_size=2 * ATTEMPTS)
people = st.sampled_from(["ada", "bob"])
keys = st.sampled_from(["one", "two", "three", "four"])
names = st.sampled_from(["x", "y"])


class Retries(RuleBasedStateMachine):
    """`done`: what was acknowledged, by user and key. `doubtful`: what may have happened."""

    resources: ClassVar[Resources]
    clock: ClassVar[TestClock]
    loop: ClassVar[asyncio.AbstractEventLoop]
    met: ClassVar[set[str]] = set()

    def __init__(self) -> None:
        super().__init__()
        self.shelf = new_shelf()
        self.done: dict[Request, tuple[str, Thing]] = {}
        self.doubtful: dict[Request, set[str]] = {}
        self.past: list[Thing] = []
        self.forgotten_doubts = 0

    def run_in_loop(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(30)

    @rule(user=people, key=keys, name=names, plan=plans, loses_tokens=st.booleans())
    def ask(self, user: str, key: str, name: str, plan: list[str], loses_tokens: bool) -> None:
        client = FaultyClient(self.resources.table.client)
        client.at_call = {call: FAULTS[fault]() for call, fault in enumerate(plan)}
        table = Gateway(client, self.resources.table.table, loses_tokens=loses_tokens)
        shop = Shop(
            Scope(
                dataclasses.replace(self.resources, table=table), acting_for(f"{user}-{self.shelf}")
            )
        )
        request = order(self.shelf, name=name, idempotency_key=key)
        try:
            answer = self.run_in_loop(shop.place(request))
        except (AppError, Crash) as error:
            self.refused((user, key), name, error)
        else:
            self.answered((user, key), name, answer)

    def answered(self, request: Request, name: str, answer: Thing) -> None:
        self.met.add("answered")
        assert answer.name == name
        assert self.done.setdefault(request, (name, answer)) == (name, answer)
        self.doubtful.pop(request, None)

    def refused(self, request: Request, name: str, error: BaseException) -> None:
        self.met.add(type(error).__name__)
        if isinstance(error, IdempotencyMismatch):
            known = {self.done[request][0]} if request in self.done else self.doubtful[request]
            assert known - {name}
        elif isinstance(error, OutcomeUnknown | Crash):
            if request not in self.done:
                self.doubtful.setdefault(request, set()).add(name)
        else:
            assert isinstance(error, Unavailable)

    @rule()
    def let_thirty_days_pass(self) -> None:
        self.clock.move(days=30, seconds=1)
        self.past += [answer for _, answer in self.done.values()]
        self.forgotten_doubts += len(self.doubtful)
        self.done.clear()
        self.doubtful.clear()

    @invariant()
    def what_was_said_is_what_is_there(self) -> None:
        there = self.run_in_loop(placed_on(self.resources.table, self.shelf))
        said = [*self.past, *(answer for _, answer in self.done.values())]
        assert all(there.count(each) == 1 for each in said)
        unsaid = len(there) - len(said)
        assert 0 <= unsaid <= len(self.doubtful) + self.forgotten_doubts


async def test_retries_have_one_effect_and_one_answer(
    endpoint: str, clock: TestClock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(ENTITIES, THING.name, THING)
    monkeypatch.setattr(gateway_module, "FIRST_PAUSE", 0.0)
    options = Settings(
        _env_file=None, endpoint_url=endpoint, table_name="stateful", data_dir=tmp_path
    )
    async with open_resources(options, clock) as resources:
        Retries.resources, Retries.clock = resources, clock
        Retries.loop = asyncio.get_running_loop()
        await asyncio.to_thread(
            run_state_machine_as_test,
            Retries,
            settings=settings(max_examples=30, stateful_step_count=15, deadline=None),
        )
    assert {"answered", "IdempotencyMismatch", "OutcomeUnknown", "Crash"} <= Retries.met
