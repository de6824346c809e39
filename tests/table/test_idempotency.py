"""Service.once: one key, one effect, one answer, whatever happens in between."""

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable
from uuid import uuid4

import pytest
import strawberry
from graphql import GraphQLInputObjectType, get_named_type, is_non_null_type

from app.core.caller import Caller, acting_for, anonymous
from app.core.clock import epoch_seconds
from app.core.errors import (
    AppError,
    BadInput,
    Conflict,
    IdempotencyMismatch,
    OutcomeUnknown,
    Unauthenticated,
    Unavailable,
)
from app.domains.receipts import RECEIPT_SECONDS
from app.domains.service import Decision, Scope
from app.resources import Resources, open_resources
from app.settings import Settings
from app.table import gateway as gateway_module
from app.table.conditions import present
from app.table.gateway import ATTEMPTS, Gateway
from app.table.keys import receipt_of_request
from app.table.types import Receipt
from app.table.writes import Check, Put, put_if_unchanged
from app.web.schema import build_schema
from tests.servers import TestClock
from tests.table.faults import (
    Crash,
    Fault,
    FaultyClient,
    after,
    before,
    broken,
    dropped,
    held,
    throttled,
)
from tests.table.shop import PlaceInput, Shop, order, placed_on
from tests.table.things import MADE, Thing, key, new_shelf, thing

TRANSACT = "transact_write_items"


@pytest.fixture(scope="session")
async def engine_resources(
    engine_endpoint: str,
    engine_table: Gateway,
    clock: TestClock,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[Resources]:
    settings = Settings(
        _env_file=None,
        endpoint_url=engine_endpoint,
        table_name=engine_table.table,
        data_dir=tmp_path_factory.mktemp("idempotency"),
    )
    async with open_resources(settings, clock) as resources:
        yield resources


@pytest.fixture
def client(engine_table: Gateway) -> FaultyClient:
    return FaultyClient(engine_table.client)


@pytest.fixture
def resources(
    engine_resources: Resources, client: FaultyClient, monkeypatch: pytest.MonkeyPatch
) -> Resources:
    monkeypatch.setattr(gateway_module, "FIRST_PAUSE", 0.0)
    table = Gateway(client, engine_resources.table.table)
    return dataclasses.replace(engine_resources, table=table)


@pytest.fixture
def ada_calls() -> Caller:
    return acting_for(uuid4().hex)


@pytest.fixture
def shop(resources: Resources, ada_calls: Caller) -> Shop:
    return Shop(Scope(resources, ada_calls))


@pytest.fixture
def shelf() -> str:
    return new_shelf()


async def receipt_of(table: Gateway, caller: Caller, key: str = "key-1") -> Receipt | None:
    return await table.get(receipt_of_request(caller.user_id, key))


async def test_the_same_key_gets_the_same_answer_and_has_one_effect(
    shop: Shop, engine_table: Gateway, shelf: str
) -> None:
    answers = [await shop.place(order(shelf, name="a")) for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert await placed_on(engine_table, shelf) == [answers[0]]
    assert shop.decided == 1


async def test_another_server_gives_the_same_answer(
    resources: Resources, ada_calls: Caller, engine_table: Gateway, shelf: str
) -> None:
    first = await Shop(Scope(resources, ada_calls)).place(order(shelf))
    again = await Shop(Scope(resources, ada_calls)).place(order(shelf))
    assert again == first
    assert await placed_on(engine_table, shelf) == [first]


async def test_the_answer_stays_though_the_thing_has_changed(
    shop: Shop, engine_table: Gateway, shelf: str
) -> None:
    first = await shop.place(order(shelf))
    await engine_table.write(Put(first.evolve(MADE, name="changed")))
    assert await shop.place(order(shelf)) == first


async def test_another_key_or_none_is_another_request(
    shop: Shop, engine_table: Gateway, shelf: str
) -> None:
    keys = ["key-1", "key-2", None, None]
    placed = [await shop.place(order(shelf, idempotency_key=each)) for each in keys]
    without = PlaceInput(shelf=shelf)
    placed += [await shop.place(without), await shop.place(without)]
    assert len({each.id for each in placed}) == 6
    assert len(await placed_on(engine_table, shelf)) == 6


async def test_the_same_key_with_another_input_is_refused_and_does_nothing(
    shop: Shop, engine_table: Gateway, shelf: str
) -> None:
    first = await shop.place(order(shelf, name="a"))
    for other in (order(shelf, name="b"), order(shelf, name=None), order(shelf)):
        with pytest.raises(IdempotencyMismatch) as mismatch:
            await shop.place(other)
        assert mismatch.value.code == "IDEMPOTENCY_MISMATCH"
    assert await placed_on(engine_table, shelf) == [first]
    assert await shop.place(order(shelf, name="a")) == first


async def test_the_same_key_for_another_kind_of_request_is_refused(
    shop: Shop, engine_table: Gateway, shelf: str
) -> None:
    @strawberry.input
    class RemoveInput(PlaceInput):
        pass

    first = await shop.place(order(shelf))
    with pytest.raises(IdempotencyMismatch):
        await shop.place(RemoveInput(shelf=shelf, idempotency_key="key-1"))
    assert await placed_on(engine_table, shelf) == [first]


async def test_the_same_key_of_another_user_is_another_request(
    resources: Resources, engine_table: Gateway, shelf: str
) -> None:
    ada, bob = (Shop(Scope(resources, acting_for(uuid4().hex))) for _ in range(2))
    placed = [await ada.place(order(shelf)), await bob.place(order(shelf))]
    assert placed[0].id != placed[1].id
    assert len(await placed_on(engine_table, shelf)) == 2


async def test_an_anonymous_caller_cannot_use_an_idempotency_key(
    resources: Resources, engine_table: Gateway, shelf: str
) -> None:
    with pytest.raises(Unauthenticated):
        await Shop(Scope(resources, anonymous())).place(order(shelf))
    assert await placed_on(engine_table, shelf) == []


@pytest.mark.parametrize("bad", ["", "a#b", "a\n"])
async def test_a_key_that_could_be_taken_for_something_else_is_refused(
    shop: Shop, engine_table: Gateway, shelf: str, bad: str
) -> None:
    with pytest.raises(BadInput):
        await shop.place(order(shelf, idempotency_key=bad))
    assert await placed_on(engine_table, shelf) == []


# At the same time


async def test_fifty_at_once_with_one_key_have_one_effect_and_one_answer(
    resources: Resources, ada_calls: Caller, engine_table: Gateway, shelf: str
) -> None:
    answers = await asyncio.gather(
        *(Shop(Scope(resources, ada_calls)).place(order(shelf)) for _ in range(50))
    )
    assert await placed_on(engine_table, shelf) == [answers[0]]
    assert all(answer == answers[0] for answer in answers)


async def test_of_two_inputs_at_once_with_one_key_one_is_refused(
    resources: Resources, ada_calls: Caller, engine_table: Gateway, shelf: str
) -> None:
    outcomes = await asyncio.gather(
        *(
            Shop(Scope(resources, ada_calls)).place(order(shelf, name="ab"[number % 2]))
            for number in range(20)
        ),
        return_exceptions=True,
    )
    [winner] = await placed_on(engine_table, shelf)
    wins = [outcome for outcome in outcomes if isinstance(outcome, Thing)]
    losses = [outcome for outcome in outcomes if isinstance(outcome, IdempotencyMismatch)]
    assert (len(wins), len(losses)) == (10, 10)
    assert all(each == winner for each in wins)


async def test_a_request_refused_because_its_repetition_succeeded_gets_that_answer(
    resources: Resources, ada_calls: Caller, engine_table: Gateway, shelf: str
) -> None:
    """The later one decides when the other has done it, and finds the shop closed by that."""
    later = Shop(Scope(resources, ada_calls))
    later.deciding, later.opening, later.closed = asyncio.Event(), asyncio.Event(), True
    waiting = asyncio.create_task(later.place(order(shelf)))
    await later.deciding.wait()
    first = await Shop(Scope(resources, ada_calls)).place(order(shelf))
    later.opening.set()
    assert await waiting == first
    assert await placed_on(engine_table, shelf) == [first]


# Refusals


async def test_a_refused_decision_leaves_no_receipt_and_may_be_tried_again(
    shop: Shop, engine_table: Gateway, ada_calls: Caller, shelf: str
) -> None:
    shop.closed = True
    for _ in range(2):
        with pytest.raises(Conflict, match="The shop is closed"):
            await shop.place(order(shelf))
    assert await receipt_of(engine_table, ada_calls) is None
    assert await placed_on(engine_table, shelf) == []
    shop.closed = False
    placed = await shop.place(order(shelf))
    assert await placed_on(engine_table, shelf) == [placed]


async def test_a_refused_write_leaves_no_receipt_either(
    shop: Shop, engine_table: Gateway, ada_calls: Caller, shelf: str
) -> None:
    error = Conflict("no such parent")

    async def decide() -> Decision[Thing]:
        placed = thing(shelf, "x")
        parent = Check(key(shelf, "parent"), when=present(), otherwise=error)
        return Decision(placed, [Put(placed), parent])

    with pytest.raises(Conflict) as refusal:
        await shop.once(order(shelf), Thing, decide)
    assert refusal.value is error
    assert await receipt_of(engine_table, ada_calls) is None
    assert await engine_table.get(key(shelf, "x")) is None


async def test_a_request_that_loses_a_race_decides_again_on_the_new_state(
    shop: Shop, engine_table: Gateway, shelf: str
) -> None:
    await engine_table.write(Put(thing(shelf)))
    seen: list[int] = []

    async def decide() -> Decision[Thing]:
        old = await engine_table.get(key(shelf))
        assert old
        seen.append(old.version)
        if len(seen) < 3:
            await engine_table.write(put_if_unchanged(old.evolve(MADE), old, "thing"))
        new = old.evolve(MADE, name="mine")
        return Decision(new, [put_if_unchanged(new, old, "thing")])

    answer = await shop.once(order(shelf), Thing, decide)
    assert (seen, answer.version, answer.name) == ([1, 2, 3], 4, "mine")
    assert await engine_table.get(key(shelf)) == answer


# Thirty days


async def test_a_receipt_is_kept_for_thirty_days(
    shop: Shop, engine_table: Gateway, ada_calls: Caller, clock: TestClock, shelf: str
) -> None:
    now = epoch_seconds(clock.now())
    first = await shop.place(order(shelf))
    receipt = await receipt_of(engine_table, ada_calls)
    assert receipt
    assert 0 <= receipt.ttl - (now + 30 * 24 * 3600) <= 5
    clock.move(seconds=RECEIPT_SECONDS - 60)
    assert await shop.place(order(shelf)) == first
    assert await placed_on(engine_table, shelf) == [first]


async def test_after_thirty_days_a_key_is_free_again_though_the_item_is_still_there(
    shop: Shop, engine_table: Gateway, ada_calls: Caller, clock: TestClock, shelf: str
) -> None:
    first = await shop.place(order(shelf))
    clock.move(seconds=RECEIPT_SECONDS + 1)
    second = await shop.place(order(shelf, name="other input"))
    assert second.id != first.id
    assert await shop.place(order(shelf, name="other input")) == second
    assert len(await placed_on(engine_table, shelf)) == 2
    receipt = await receipt_of(engine_table, ada_calls)
    assert receipt
    assert receipt.ttl > epoch_seconds(clock.now())


# Faults


@pytest.mark.parametrize("side", [before, after])
@pytest.mark.parametrize("call", range(3))
async def test_a_request_killed_at_any_call_may_be_repeated(
    resources: Resources,
    ada_calls: Caller,
    client: FaultyClient,
    engine_table: Gateway,
    shelf: str,
    side: Callable[[BaseException], Fault],
    call: int,
) -> None:
    """A third call there is only when the retry is killed too: the sweep goes over both tries."""
    client.at_call[call] = side(Crash())
    answers = []
    for _ in range(3):
        try:
            answers.append(await Shop(Scope(resources, ada_calls)).place(order(shelf)))
        except Crash:
            continue
    assert 2 <= len(answers) <= 3
    assert all(answer == answers[0] for answer in answers)
    assert await placed_on(engine_table, shelf) == [answers[0]]


async def test_an_undisturbed_request_is_one_read_and_one_write(
    shop: Shop, client: FaultyClient, shelf: str
) -> None:
    await shop.place(order(shelf))
    assert client.operations() == ["get_item", TRANSACT]
    await shop.place(order(shelf))
    assert client.operations() == ["get_item", TRANSACT, "get_item"]


async def test_a_lost_answer_that_can_be_looked_up_is_no_failure(
    shop: Shop, client: FaultyClient, engine_table: Gateway, shelf: str
) -> None:
    client.meet(TRANSACT, *(after(dropped()) for _ in range(ATTEMPTS)))
    placed = await shop.place(order(shelf))
    assert await placed_on(engine_table, shelf) == [placed]


async def test_an_unknown_outcome_is_cleared_up_by_asking_again(
    shop: Shop, client: FaultyClient, engine_table: Gateway, shelf: str
) -> None:
    client.meet(TRANSACT, *(before(broken()) for _ in range(ATTEMPTS)))
    with pytest.raises(OutcomeUnknown):
        await shop.place(order(shelf))
    placed = await shop.place(order(shelf))
    assert await placed_on(engine_table, shelf) == [placed]


@pytest.mark.parametrize("side", [before, after])
async def test_an_outcome_that_cannot_be_looked_up_stays_unknown(
    shop: Shop,
    client: FaultyClient,
    engine_table: Gateway,
    shelf: str,
    side: Callable[[BaseException], Fault],
) -> None:
    """UNAVAILABLE would say that nothing was changed."""
    client.meet(TRANSACT, *(side(dropped()) for _ in range(ATTEMPTS)))
    for call in range(1 + ATTEMPTS, 1 + 2 * ATTEMPTS):
        client.at_call[call] = before(throttled())
    with pytest.raises(OutcomeUnknown):
        await shop.place(order(shelf))
    placed = await shop.place(order(shelf))
    assert await placed_on(engine_table, shelf) == [placed]


async def test_a_store_out_of_reach_is_unavailable_and_nothing_is_decided(
    shop: Shop, client: FaultyClient, engine_table: Gateway, shelf: str
) -> None:
    client.meet("get_item", *(before(throttled()) for _ in range(ATTEMPTS)))
    with pytest.raises(Unavailable):
        await shop.place(order(shelf))
    assert shop.decided == 0
    assert await placed_on(engine_table, shelf) == []


async def test_a_cancelled_request_is_still_committed(
    resources: Resources, ada_calls: Caller, client: FaultyClient, engine_table: Gateway, shelf: str
) -> None:
    gate, reached = asyncio.Event(), asyncio.Event()
    client.meet(TRANSACT, held(gate, reached))
    caller = asyncio.create_task(Shop(Scope(resources, ada_calls)).place(order(shelf)))
    await reached.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    gate.set()
    await resources.table.drain()
    again = Shop(Scope(resources, ada_calls))
    placed = await again.place(order(shelf))
    assert again.decided == 0
    assert await placed_on(engine_table, shelf) == [placed]


async def test_retries_in_a_storm_of_faults_happen_once(
    resources: Resources, ada_calls: Caller, client: FaultyClient, engine_table: Gateway
) -> None:
    """As a client would: ask with the same key until there is an answer."""
    faults = [after(dropped()), before(throttled()), before(broken()), after(broken())]
    client.meet(TRANSACT, *(faults * 40))
    client.meet("get_item", *(faults[:2] * 20))
    shelves = [new_shelf() for _ in range(12)]

    async def until_answered(shelf: str) -> Thing:
        while True:
            try:
                return await Shop(Scope(resources, ada_calls)).place(
                    order(shelf, idempotency_key=shelf)
                )
            except AppError as error:
                if error.info != {"retryable": True}:
                    raise

    answers = await asyncio.gather(*(until_answered(each) for each in [*shelves, *shelves]))
    for shelf, one, twin in zip(shelves, answers, answers[12:], strict=False):
        assert one == twin
        assert await placed_on(engine_table, shelf) == [one]


# A convention


def test_a_fingerprint_tells_any_two_requests_apart() -> None:
    """It knows the input only: so that must be all there is, and be that of one mutation. A word of
    it may be given instead of it."""
    mutation = build_schema()._schema.mutation_type
    assert mutation
    seen: dict[str, str] = {}
    for name, mutation_field in mutation.fields.items():
        for argument in mutation_field.args.values():
            kind = get_named_type(argument.type)
            if isinstance(kind, GraphQLInputObjectType) and "idempotencyKey" in kind.fields:
                # A condition is refused together with an idempotencyKey.
                alone = mutation_field.args.keys() - {"input", "condition"}
                assert alone <= kind.fields.keys(), f"{name} has more than its input"
                assert not (alone and is_non_null_type(argument.type)), name
                other = seen.setdefault(kind.name, name)
                assert other == name, f"{kind.name} serves {other} and {name}"
