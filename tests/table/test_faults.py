"""What the gateway makes of an engine that fails: before, in the middle and after."""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import aiohttp
import pytest
from botocore.exceptions import (
    ClientError,
    ConnectTimeoutError,
    EndpointConnectionError,
    HTTPClientError,
    ReadTimeoutError,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.errors import AppError, Conflict, OutcomeUnknown, Unavailable
from app.table import gateway as gateway_module
from app.table.conditions import absent
from app.table.definition import create_table
from app.table.engine import EmbeddedEngine, answers
from app.table.gateway import ATTEMPTS, Gateway, backoff_seconds
from app.table.writes import Check, Put, Update, put_if_absent
from tests.engines import NODE_MODULES
from tests.table.faults import (
    URL,
    Crash,
    Fault,
    FaultyClient,
    after,
    before,
    broken,
    cancelled,
    carried_out_by,
    client_error,
    dropped,
    held,
    listening,
    no_connection,
    none,
    port_of,
    some_unprocessed,
    throttled,
    unreachable,
)
from tests.table.things import Thing, key, new_shelf, thing, things_of

TRANSACT = "transact_write_items"
THROTTLING = [
    "ProvisionedThroughputExceededException",
    "RequestLimitExceeded",
    "ThrottlingException",
    "TransactionInProgressException",
]


def read_timeout() -> ReadTimeoutError:
    return ReadTimeoutError(endpoint_url=URL, error=TimeoutError())


def reset_line() -> EndpointConnectionError:
    """As aiobotocore tells of a connection that was up and is reset."""
    return EndpointConnectionError(endpoint_url=URL, error=aiohttp.ClientOSError(104, "reset"))


def connect_timeout() -> ConnectTimeoutError:
    return ConnectTimeoutError(endpoint_url=URL, error=aiohttp.ConnectionTimeoutError())


def overloaded() -> ClientError:
    """A load balancer's word, in no form that DynamoDB uses."""
    return client_error("503", 503)


def hung_up() -> HTTPClientError:
    return HTTPClientError(error=aiohttp.ServerDisconnectedError())


def nonsense() -> HTTPClientError:
    return HTTPClientError(error=ValueError("not JSON"))


def refused_connection() -> HTTPClientError:
    return HTTPClientError(error=no_connection())


def met_another() -> ClientError:
    return cancelled("TransactionConflict")


MAY_HAVE_HAPPENED: list[Callable[[], Exception]] = [
    broken, overloaded, dropped, hung_up, nonsense, read_timeout, reset_line,
    ConnectionResetError, TimeoutError,
]  # fmt: skip
HAS_NOT_HAPPENED: list[Callable[[], Exception]] = [
    throttled, met_another, unreachable, refused_connection, connect_timeout,
]  # fmt: skip


@pytest.fixture(autouse=True)
def no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gateway_module, "FIRST_PAUSE", 0.0)


@pytest.fixture
def client(engine_table: Gateway) -> FaultyClient:
    return FaultyClient(engine_table.client)


@pytest.fixture
def faulty(engine_table: Gateway, client: FaultyClient) -> Gateway:
    return Gateway(client, engine_table.table)


@pytest.fixture
async def shelf(engine_table: Gateway) -> str:
    """With one thing on it, whose size counts what happened."""
    shelf = new_shelf()
    await engine_table.write(Put(thing(shelf)))
    return shelf


def count_one(shelf: str) -> Update[Thing]:
    return Update(key(shelf), add={"size": 1})


async def size_of(table: Gateway, shelf: str) -> int:
    found = await table.get(key(shelf))
    assert found
    return found.size


def same_token(client: FaultyClient) -> bool:
    return len({each["ClientRequestToken"] for each in client.parameters(TRANSACT)}) == 1


# A write that is told it failed


@pytest.mark.parametrize("code", THROTTLING)
async def test_a_throttled_write_is_repeated_until_it_happens(
    engine_table: Gateway, faulty: Gateway, client: FaultyClient, shelf: str, code: str
) -> None:
    client.meet(TRANSACT, *(before(client_error(code)) for _ in range(ATTEMPTS - 1)))
    await faulty.write(count_one(shelf))
    assert (await size_of(engine_table, shelf), len(client.calls)) == (1, ATTEMPTS)
    assert same_token(client)


@pytest.mark.parametrize("error", MAY_HAVE_HAPPENED)
async def test_a_write_whose_answer_was_lost_happens_once(
    engine_table: Gateway,
    faulty: Gateway,
    client: FaultyClient,
    shelf: str,
    error: Callable[[], Exception],
) -> None:
    client.meet(TRANSACT, after(error()), before(error()), after(error()))
    await faulty.write(
        count_one(shelf), put_if_absent(thing(shelf, "b"), otherwise=Conflict("there"))
    )
    assert (await size_of(engine_table, shelf), len(client.calls)) == (1, 4)
    assert same_token(client)


@pytest.mark.parametrize("error", HAS_NOT_HAPPENED)
async def test_a_write_that_never_gets_through_is_unavailable_and_has_not_happened(
    engine_table: Gateway,
    faulty: Gateway,
    client: FaultyClient,
    shelf: str,
    error: Callable[[], Exception],
) -> None:
    client.meet(TRANSACT, *(before(error()) for _ in range(9)))
    with pytest.raises(Unavailable) as silence:
        await faulty.write(count_one(shelf))
    assert (silence.value.code, silence.value.info) == ("UNAVAILABLE", {"retryable": True})
    assert (await size_of(engine_table, shelf), len(client.calls)) == (0, ATTEMPTS)


@pytest.mark.parametrize("fault", [before, after])
@pytest.mark.parametrize("error", MAY_HAVE_HAPPENED)
async def test_a_write_whose_answers_are_all_lost_has_an_unknown_outcome(
    engine_table: Gateway,
    faulty: Gateway,
    client: FaultyClient,
    shelf: str,
    fault: Callable[[Exception], Fault],
    error: Callable[[], Exception],
) -> None:
    client.meet(TRANSACT, *(fault(error()) for _ in range(ATTEMPTS)))
    with pytest.raises(OutcomeUnknown) as unknown:
        await faulty.write(count_one(shelf))
    assert (unknown.value.code, unknown.value.info) == ("OUTCOME_UNKNOWN", {"retryable": True})
    assert await size_of(engine_table, shelf) == (1 if fault is after else 0)
    assert len(client.calls) == ATTEMPTS


async def test_one_lost_answer_leaves_a_doubt_that_later_clear_failures_do_not_remove(
    engine_table: Gateway, faulty: Gateway, client: FaultyClient, shelf: str
) -> None:
    client.meet(TRANSACT, after(dropped()), *(before(throttled()) for _ in range(ATTEMPTS - 1)))
    with pytest.raises(OutcomeUnknown):
        await faulty.write(count_one(shelf))
    assert await size_of(engine_table, shelf) == 1


@pytest.mark.parametrize(
    "code", ["ValidationException", "AccessDeniedException", "ResourceNotFoundException"]
)
async def test_what_no_repetition_can_mend_is_raised_at_once(
    faulty: Gateway, client: FaultyClient, shelf: str, code: str
) -> None:
    error = client_error(code)
    client.meet(TRANSACT, before(error))
    client.meet("get_item", before(error))
    for attempt in (faulty.write(count_one(shelf)), faulty.get(key(shelf))):
        with pytest.raises(ClientError) as raised:
            await attempt
        assert raised.value is error
    assert client.operations() == [TRANSACT, "get_item"]


# Cancelled transactions


@pytest.mark.parametrize(
    "reasons",
    [
        ("TransactionConflict", "None"),
        ("None", "TransactionConflict"),
        ("ThrottlingError", "ProvisionedThroughputExceeded"),
        (),
    ],
)
async def test_a_write_that_met_another_is_repeated(
    engine_table: Gateway,
    faulty: Gateway,
    client: FaultyClient,
    shelf: str,
    reasons: tuple[str, ...],
) -> None:
    client.meet(TRANSACT, before(cancelled(*reasons)), before(cancelled(*reasons)))
    await faulty.write(count_one(shelf), Put(thing(shelf, "b")))
    assert (await size_of(engine_table, shelf), len(client.calls)) == (1, 3)


async def test_among_mixed_reasons_the_refusal_counts(
    engine_table: Gateway, faulty: Gateway, client: FaultyClient, shelf: str
) -> None:
    client.meet(TRANSACT, before(cancelled("TransactionConflict", "ConditionalCheckFailed")))
    error = Conflict("there is one")
    with pytest.raises(Conflict) as refusal:
        await faulty.write(count_one(shelf), Check(key(shelf, "b"), when=absent(), otherwise=error))
    assert refusal.value is error
    assert (await size_of(engine_table, shelf), len(client.calls)) == (0, 1)


async def test_a_refusal_after_a_lost_answer_is_not_taken_for_the_truth(
    engine_table: Gateway, faulty: Gateway, client: FaultyClient, shelf: str
) -> None:
    """It may be the work of the first try, if that happened and its token is not known any more."""
    client.meet(TRANSACT, before(dropped()))
    with pytest.raises(OutcomeUnknown):
        await faulty.write(
            put_if_absent(thing(shelf), otherwise=Conflict("there")), Put(thing(shelf, "b"))
        )
    assert await engine_table.get(key(shelf, "b")) is None


# The token


def request(table: Gateway, shelf: str, token: str, add: int = 1) -> dict[str, Any]:
    update = Update(key(shelf), add={"size": add}).request(table.table)
    return {"TransactItems": [update], "ClientRequestToken": token}


async def test_the_engine_does_once_what_is_asked_twice_under_one_token(
    engine_table: Gateway, shelf: str
) -> None:
    token = uuid4().hex
    for _ in range(3):
        await engine_table.client.transact_write_items(**request(engine_table, shelf, token))
    assert await size_of(engine_table, shelf) == 1
    await engine_table.client.transact_write_items(**request(engine_table, shelf, uuid4().hex))
    assert await size_of(engine_table, shelf) == 2


async def test_the_engine_does_once_what_is_asked_in_parallel_under_one_token(
    engine_table: Gateway, shelf: str
) -> None:
    token = uuid4().hex
    asked = (
        engine_table.client.transact_write_items(**request(engine_table, shelf, token))
        for _ in range(20)
    )
    outcomes = await asyncio.gather(*asked, return_exceptions=True)
    codes = {each.response["Error"]["Code"] for each in outcomes if isinstance(each, ClientError)}
    assert codes <= {"TransactionInProgressException", "TransactionCanceledException"}
    assert await size_of(engine_table, shelf) == 1


async def test_the_engine_refuses_a_token_that_was_used_for_something_else(
    engine_table: Gateway, shelf: str
) -> None:
    token = uuid4().hex
    await engine_table.client.transact_write_items(**request(engine_table, shelf, token))
    with pytest.raises(ClientError, match="IdempotentParameterMismatch"):
        await engine_table.client.transact_write_items(**request(engine_table, shelf, token, add=2))
    assert await size_of(engine_table, shelf) == 1


async def test_a_refused_transaction_does_not_use_up_its_token(engine_table: Gateway) -> None:
    """So a write that was cancelled by another may be repeated as it is."""
    shelf, token = new_shelf(), uuid4().hex
    with pytest.raises(ClientError, match="ConditionalCheckFailed"):
        await engine_table.client.transact_write_items(**request(engine_table, shelf, token))
    await engine_table.write(Put(thing(shelf)))
    await engine_table.client.transact_write_items(**request(engine_table, shelf, token))
    assert await size_of(engine_table, shelf) == 1


# An engine that forgets its tokens when it is killed


@pytest.mark.parametrize("fault", [before, after])
async def test_an_engine_that_loses_tokens_and_stops_answering_is_not_retried(
    engine_table: Gateway,
    client: FaultyClient,
    shelf: str,
    fault: Callable[[Exception], Fault],
) -> None:
    engine_that_loses_tokens = Gateway(client, engine_table.table, loses_tokens=True)
    client.meet(TRANSACT, before(throttled()), fault(dropped()))
    with pytest.raises(OutcomeUnknown):
        await engine_that_loses_tokens.write(count_one(shelf))
    assert len(client.calls) == 2
    assert await size_of(engine_table, shelf) == (1 if fault is after else 0)


async def test_an_engine_that_loses_tokens_is_retried_as_long_as_it_answers(
    engine_table: Gateway, client: FaultyClient, shelf: str
) -> None:
    engine_that_loses_tokens = Gateway(client, engine_table.table, loses_tokens=True)
    client.meet(TRANSACT, after(broken()), before(throttled()))
    await engine_that_loses_tokens.write(count_one(shelf))
    client.meet(TRANSACT, after(broken()), before(unreachable()))
    with pytest.raises(OutcomeUnknown):
        await engine_that_loses_tokens.write(count_one(shelf))
    assert (len(client.calls), await size_of(engine_table, shelf)) == (5, 2)


async def test_an_engine_that_loses_tokens_and_was_not_reached_is_retried(
    engine_table: Gateway, client: FaultyClient, shelf: str
) -> None:
    engine_that_loses_tokens = Gateway(client, engine_table.table, loses_tokens=True)
    client.meet(TRANSACT, before(unreachable()), before(unreachable()))
    await engine_that_loses_tokens.write(count_one(shelf))
    assert (len(client.calls), await size_of(engine_table, shelf)) == (3, 1)


async def test_an_engine_on_this_machine_counts_as_loses_tokens(tmp_path: Path) -> None:
    """The embedded engine keeps its data when it is killed, but not its tokens."""
    engine = EmbeddedEngine(tmp_path, NODE_MODULES)
    async with (
        engine as endpoint,
        Gateway.open(table="kept", region="us-east-1", endpoint=endpoint) as table,
    ):
        await create_table(table)
        shelf = new_shelf()
        await table.write(Put(thing(shelf)))
        client = FaultyClient(table.client)
        killed = Gateway(client, table.table, loses_tokens=table._loses_tokens)
        client.meet(TRANSACT, killing(engine))
        with pytest.raises(OutcomeUnknown):
            await killed.write(count_one(shelf))
        for _ in range(500):
            if await answers(port_of(endpoint)):
                break
            await asyncio.sleep(0.01)
        assert await size_of(table, shelf) == 1


def killing(engine: EmbeddedEngine) -> Fault:
    """It is killed when it has done the work, before it can say so."""

    async def fault(call: Callable[[], Awaitable[Any]], _: dict[str, Any]) -> Any:
        await call()
        assert engine.process
        engine.process.kill()
        await engine.process.wait()
        raise dropped()

    return fault


# Updates, which have no token


async def test_an_update_that_was_not_carried_out_is_repeated(
    faulty: Gateway, client: FaultyClient, shelf: str
) -> None:
    client.meet("update_item", before(throttled()), before(unreachable()))
    assert (await faulty.update(count_one(shelf))).size == 1
    assert len(client.calls) == 3


@pytest.mark.parametrize("fault", [before, after])
@pytest.mark.parametrize("error", MAY_HAVE_HAPPENED)
async def test_an_update_that_may_have_happened_is_not_repeated(
    engine_table: Gateway,
    faulty: Gateway,
    client: FaultyClient,
    shelf: str,
    fault: Callable[[Exception], Fault],
    error: Callable[[], Exception],
) -> None:
    client.meet("update_item", before(throttled()), fault(error()))
    with pytest.raises(OutcomeUnknown):
        await faulty.update(count_one(shelf))
    assert await size_of(engine_table, shelf) == (1 if fault is after else 0)
    assert len(client.calls) == 2


# Reads


async def read_one(table: Gateway, shelf: str) -> list[Thing | None]:
    return [await table.get(key(shelf))]


async def load_one(table: Gateway, shelf: str) -> list[Thing | None]:
    return [await table.load(key(shelf))]


async def query_one(table: Gateway, shelf: str) -> list[Thing | None]:
    return [*(await table.query(things_of(shelf), limit=5)).items]


READS = [("get_item", read_one), ("batch_get_item", load_one), ("query", query_one)]


@pytest.mark.parametrize(("operation", "read"), READS)
async def test_a_read_is_repeated_whatever_happened(
    faulty: Gateway,
    client: FaultyClient,
    shelf: str,
    operation: str,
    read: Callable[[Gateway, str], Awaitable[list[Thing | None]]],
) -> None:
    faults = (before(throttled()), after(broken()), before(dropped()), after(read_timeout()))
    client.meet(operation, *faults)
    assert await read(faulty, shelf) == [thing(shelf)]
    assert client.operations() == [operation] * ATTEMPTS


@pytest.mark.parametrize(("operation", "read"), READS)
async def test_a_read_that_never_gets_through_is_unavailable(
    faulty: Gateway,
    client: FaultyClient,
    shelf: str,
    operation: str,
    read: Callable[[Gateway, str], Awaitable[list[Thing | None]]],
) -> None:
    client.meet(operation, *(after(broken()) for _ in range(9)))
    with pytest.raises(Unavailable):
        await read(faulty, shelf)
    assert client.operations() == [operation] * ATTEMPTS


async def test_an_error_reaches_every_reader_of_a_batch_and_not_the_next(
    faulty: Gateway, client: FaultyClient, shelf: str
) -> None:
    client.meet("batch_get_item", *(before(throttled()) for _ in range(ATTEMPTS)))
    wanted = [key(shelf), key(shelf), key(shelf, "b")]
    outcomes = await asyncio.gather(*(faulty.load(each) for each in wanted), return_exceptions=True)
    assert [type(each) for each in outcomes] == [Unavailable] * 3
    assert await faulty.load(key(shelf)) == thing(shelf)


async def test_even_the_end_of_the_process_leaves_no_reader_waiting(
    faulty: Gateway, client: FaultyClient, shelf: str
) -> None:
    client.meet("batch_get_item", before(Crash()))
    with pytest.raises(Crash):
        async with asyncio.timeout(5):
            await faulty.load(key(shelf))


# Batches of which only a part is dealt with


async def test_keys_that_were_left_out_are_asked_for_again(
    faulty: Gateway, client: FaultyClient
) -> None:
    shelf = new_shelf()
    await faulty.put_many(thing(shelf, number) for number in range(20))
    part = some_unprocessed(faulty.table, 6)
    client.meet("batch_get_item", part, some_unprocessed(faulty.table, 0), part)
    found = await faulty.load_many(key(shelf, f"{number:04}") for number in range(20))
    assert found == [thing(shelf, number) for number in range(20)]
    asked = [
        len(each["RequestItems"][faulty.table]["Keys"])
        for each in client.parameters("batch_get_item")
    ]
    assert (len(asked), sum(asked)) == (4, 20)


async def test_keys_that_are_left_out_for_ever_are_unavailable_and_not_missing(
    faulty: Gateway, client: FaultyClient, shelf: str
) -> None:
    client.meet("batch_get_item", *(some_unprocessed(faulty.table, 0) for _ in range(50)))
    with pytest.raises(Unavailable):
        await faulty.load(key(shelf))
    assert len(client.calls) == ATTEMPTS


async def test_items_that_were_left_out_are_written_again(
    engine_table: Gateway, faulty: Gateway, client: FaultyClient
) -> None:
    shelf = new_shelf()
    faults = [some_unprocessed(faulty.table, keep) for keep in (10, 0, 3)]
    client.meet("batch_write_item", *faults, after(broken()))
    await faulty.put_many(thing(shelf, number) for number in range(25))
    assert len(client.calls) == 5
    assert await engine_table.count(things_of(shelf)) == 25


async def test_items_that_are_left_out_for_ever_are_unavailable(
    faulty: Gateway, client: FaultyClient, shelf: str
) -> None:
    client.meet("batch_write_item", *(some_unprocessed(faulty.table, 0) for _ in range(50)))
    with pytest.raises(Unavailable):
        await faulty.put_many([thing(shelf, "b")])
    assert len(client.calls) == ATTEMPTS * 2


async def test_an_empty_page_that_goes_on_is_not_the_end(
    faulty: Gateway, client: FaultyClient
) -> None:
    shelf = new_shelf()
    await faulty.put_many(thing(shelf, number) for number in range(4))

    async def emptied(call: Callable[[], Awaitable[Any]], _: dict[str, Any]) -> Any:
        start = {"PK": {"S": f"SHELF#{shelf}"}, "SK": {"S": "THING#"}}
        return {"Items": [], "Count": 0, "LastEvaluatedKey": start}

    client.meet("query", emptied, emptied)
    rows = await faulty.query(things_of(shelf), limit=10)
    assert ([each.id for each in rows.items], rows.next) == (["0000", "0001", "0002", "0003"], None)


# A caller who goes away


@pytest.fixture
def gate() -> asyncio.Event:
    return asyncio.Event()


async def test_a_write_comes_to_its_end_though_its_caller_went_away(
    engine_table: Gateway, faulty: Gateway, client: FaultyClient, shelf: str, gate: asyncio.Event
) -> None:
    reached = asyncio.Event()
    client.meet(TRANSACT, held(gate, reached), after(dropped()))
    caller = asyncio.create_task(faulty.write(count_one(shelf)))
    await reached.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    assert await size_of(engine_table, shelf) == 0
    gate.set()
    await faulty.drain()
    assert await size_of(engine_table, shelf) == 1


async def test_a_write_refused_after_its_caller_was_cancelled_raises_nowhere(
    faulty: Gateway, client: FaultyClient, shelf: str, gate: asyncio.Event
) -> None:
    reached = asyncio.Event()
    client.meet(TRANSACT, held(gate, reached))
    trouble: list[dict[str, Any]] = []
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _, context: trouble.append(context))
    caller = asyncio.create_task(
        faulty.write(put_if_absent(thing(shelf), otherwise=Conflict("there")))
    )
    await reached.wait()
    caller.cancel()
    gate.set()
    await faulty.drain()
    loop.set_exception_handler(None)
    assert trouble == []


async def test_many_go_on_being_written_though_their_caller_went_away(
    engine_table: Gateway, faulty: Gateway, client: FaultyClient, gate: asyncio.Event
) -> None:
    shelf, reached = new_shelf(), asyncio.Event()
    client.meet("batch_write_item", held(gate, reached))
    things = [thing(shelf, number) for number in range(25)]
    caller = asyncio.create_task(faulty.put_many(things))
    await reached.wait()
    caller.cancel()
    with pytest.raises(asyncio.CancelledError):
        await caller
    gate.set()
    await faulty.drain()
    assert await engine_table.count(things_of(shelf)) == 25


async def test_draining_waits_for_commits_in_progress(
    engine_table: Gateway, faulty: Gateway, client: FaultyClient, shelf: str, gate: asyncio.Event
) -> None:
    reached = asyncio.Event()
    client.meet(TRANSACT, held(gate, reached))
    caller = asyncio.create_task(faulty.write(count_one(shelf)))
    await reached.wait()
    settling = asyncio.create_task(faulty.drain())
    for _ in range(10):
        await asyncio.sleep(0)
    assert not settling.done()
    gate.set()
    await settling
    assert await size_of(engine_table, shelf) == 1
    await caller
    await faulty.drain()


# Real lines that break


@pytest.mark.parametrize("reset", [False, True], ids=["closed", "reset"])
async def test_a_line_that_breaks_after_the_write_leaves_the_outcome_unknown_and_done_once(
    engine_table: Gateway, engine_endpoint: str, shelf: str, reset: bool
) -> None:
    async with (
        listening(carried_out_by(engine_endpoint), reset=reset) as door,
        Gateway.open(table=engine_table.table, region="us-east-1", endpoint=door) as behind,
    ):
        with pytest.raises(OutcomeUnknown):
            await behind.write(count_one(shelf))
        with pytest.raises(OutcomeUnknown):
            await behind.update(count_one(shelf))
        with pytest.raises(Unavailable):
            await behind.get(key(shelf))
    assert await size_of(engine_table, shelf) == 2


@pytest.mark.parametrize(
    "body", [b"<html>Welcome to the hotel</html>", b"", b'"Item"', b'{"Item": {']
)
async def test_an_answer_that_is_not_dynamodbs_is_no_answer(body: bytes) -> None:
    async def answer(_: bytes) -> bytes:
        return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)

    async with (
        listening(answer) as hotel,
        Gateway.open(table="none", region="us-east-1", endpoint=hotel) as table,
    ):
        with pytest.raises(Unavailable):
            await table.get(key("s"))
        with pytest.raises(OutcomeUnknown):
            await table.write(Put(thing("s")))


# Pauses, and everything at once


@given(st.integers(0, 60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
def test_pauses_grow_up_to_a_second(attempt: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gateway_module, "FIRST_PAUSE", 0.025)
        drawn = [backoff_seconds(attempt) for _ in range(20)]
    longest = min(timedelta(seconds=1).total_seconds(), 0.025 * 2**attempt)
    assert all(0 <= each <= longest for each in drawn)
    assert len(set(drawn)) > 1, "without jitter those who failed together come back together"


def any_fault(dice: random.Random) -> Fault:
    lost = dice.choice(MAY_HAVE_HAPPENED)
    clear = dice.choice([throttled, met_another])
    return dice.choice([none, none, none, before(lost()), after(lost()), before(clear())])


@pytest.mark.parametrize("seed", range(2))
async def test_whatever_fails_what_was_said_is_what_happened(
    engine_table: Gateway, faulty: Gateway, client: FaultyClient, seed: int
) -> None:
    dice = random.Random(seed)
    client.meet(TRANSACT, *(any_fault(dice) for _ in range(400)))
    shelves = [new_shelf() for _ in range(60)]
    await engine_table.put_many(thing(shelf) for shelf in shelves)

    async def said(shelf: str) -> str:
        try:
            await faulty.write(count_one(shelf), Put(thing(shelf, "b")))
        except AppError as error:
            return error.code
        return "OK"

    words = await asyncio.gather(*(said(shelf) for shelf in shelves))
    for word, shelf in zip(words, shelves, strict=True):
        size = await size_of(engine_table, shelf)
        both = (await engine_table.get(key(shelf, "b")) is not None) == (size == 1)
        allowed = {"OK": {1}, "UNAVAILABLE": {0}, "OUTCOME_UNKNOWN": {0, 1}}[word]
        assert both, "half of a transaction"
        assert size in allowed, f"{word}, but {size}"
    counted = Counter(words)
    assert counted["OK"] > 20
    assert len(client.calls) > len(shelves), "no fault was met"
