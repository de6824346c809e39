"""How the server is shared between callers. No test depends on the speed of the machine."""

import asyncio

import pytest

from app.core.caller import Access, Caller, anonymous
from app.core.errors import RateLimited, Unavailable
from app.web.errors import to_http_error
from app.web.fairness import FairQueue, address_key, share_key
from tests.api import Person


class Bench:
    """Pieces of work that end when they are told to; `began` tells the order they began in."""

    def __init__(self, queue: FairQueue) -> None:
        self.queue = queue
        self.began: list[str] = []
        self.ends: dict[str, asyncio.Event] = {}

    def send(self, caller: str, name: str) -> "asyncio.Task[str]":
        self.ends[name] = asyncio.Event()

        async def work() -> str:
            self.began.append(name)
            await self.ends[name].wait()
            return name

        return asyncio.create_task(self.queue.run(caller, work))

    async def end(self, name: str) -> None:
        self.ends[name].set()
        await settle()


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def bench(
    *, at_once: int = 2, per_caller: int = 1, waiting: int = 100, seconds: float = 60
) -> Bench:
    return Bench(
        FairQueue(at_once=at_once, per_caller=per_caller, seconds=seconds, most_waiting=waiting)
    )


async def test_one_caller_never_has_more_under_way_than_their_share() -> None:
    one = bench(at_once=10, per_caller=2)
    tasks = [one.send("mallory", f"m{n}") for n in range(4)]
    await settle()
    assert one.began == ["m0", "m1"]
    await one.end("m1")
    assert one.began == ["m0", "m1", "m2"]
    for name in ("m0", "m2", "m3"):
        await one.end(name)
    assert await asyncio.gather(*tasks) == ["m0", "m1", "m2", "m3"]


async def test_others_go_first_however_many_one_caller_has_sent() -> None:
    one = bench(at_once=1)
    tasks = [one.send("mallory", f"m{n}") for n in range(3)]
    tasks += [one.send("ada", "a0"), one.send("bob", "b0")]
    await settle()
    for name in ("m0", "a0", "b0", "m1", "m2"):
        await one.end(name)
    assert one.began == ["m0", "a0", "b0", "m1", "m2"]
    await asyncio.gather(*tasks)


async def test_a_free_place_is_taken_at_once_by_somebody_else() -> None:
    one = bench(at_once=2)
    tasks = [one.send("mallory", "m0"), one.send("mallory", "m1"), one.send("ada", "a0")]
    await settle()
    assert one.began == ["m0", "a0"]
    for name in ("m0", "m1", "a0"):
        await one.end(name)
    await asyncio.gather(*tasks)


async def test_more_than_may_wait_is_refused_and_only_to_that_caller() -> None:
    one = bench(waiting=1)
    kept = [one.send("mallory", "m0"), one.send("mallory", "m1")]
    await settle()
    with pytest.raises(RateLimited) as refused:
        await one.send("mallory", "m2")
    assert refused.value.info == {"retryAfter": 1}
    kept.append(one.send("ada", "a0"))
    await settle()
    assert one.began == ["m0", "a0"]
    for name in ("m0", "a0", "m1"):
        await one.end(name)
    assert await asyncio.gather(*kept) == ["m0", "m1", "a0"]


async def test_who_waits_too_long_is_told_to_come_again() -> None:
    one = bench(seconds=0)
    first = one.send("ada", "a0")
    await settle()
    with pytest.raises(Unavailable):
        await one.send("ada", "a1")
    assert one.began == ["a0"]
    await one.end("a0")
    assert await first == "a0"
    await one.end("a0")
    again = one.send("ada", "a2")
    await one.end("a2")
    assert await again == "a2"


@pytest.mark.parametrize("granted", [False, True])
async def test_a_waiting_request_that_is_cancelled_takes_no_place(granted: bool) -> None:
    one = bench(at_once=1)
    first, second, third = (one.send(name, name) for name in ("ada", "bob", "eve"))
    await settle()
    if granted:  # cancelled in the moment between the grant and its next step
        one.ends["ada"].set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    second.cancel()
    await settle()
    await one.end("ada")
    assert one.began == ["ada", "eve"]
    await one.end("eve")
    assert [await first, await third] == ["ada", "eve"]
    assert (one.queue._total, dict(one.queue._running), dict(one.queue._waiting)) == (0, {}, {})


async def test_a_failure_frees_the_place() -> None:
    queue = FairQueue(at_once=1, per_caller=1, seconds=60)

    async def fail() -> None:
        raise ZeroDivisionError

    for _ in range(3):
        with pytest.raises(ZeroDivisionError):
            await queue.run("ada", fail)
    assert queue._total == 0


def test_users_have_a_share_each_and_strangers_share_that_of_their_address() -> None:
    ada = Caller(access=Access.USER, id="ada", address="10.0.0.1")
    bob = Caller(access=Access.USER, id="bob", address="10.0.0.1")
    key = Caller(access=Access.API_KEY, address="10.0.0.1")
    assert share_key(ada) != share_key(bob)
    assert share_key(key) == share_key(anonymous("10.0.0.1"))
    assert share_key(anonymous("10.0.0.1")) != share_key(anonymous("10.0.0.2"))
    assert share_key(ada) != share_key(anonymous("10.0.0.1"))


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("::ffff:10.0.0.1", "::ffff:10.0.0.2", False),
        ("", "", True),
        ("not an address", "10.0.0.1", False),
    ],
)
def test_a_network_of_one_customer_counts_as_one_address(one: str, other: str, same: bool) -> None:
    assert (address_key(one) == address_key(other)) is same


def test_a_refusal_says_when_to_come_again() -> None:
    too_many = to_http_error(RateLimited("requests at once", 1), "id")
    assert (too_many.status, too_many.code) == (429, "RATE_LIMITED")
    assert too_many.headers == {"retry-after": "1"}
    busy = to_http_error(Unavailable("Busy."), "id")
    assert (busy.status, busy.code, busy.headers) == (503, "UNAVAILABLE", {"retry-after": "1"})


async def test_one_caller_with_a_hundred_requests_at_once_is_answered_as_before(
    ada: Person,
) -> None:
    answers = await asyncio.gather(*(ada.gql("{ me { id } }") for _ in range(100)))
    assert answers == [{"me": {"id": ada.id}}] * 100
    heavy = "{ " + " ".join(f"a{n}: dashboard {{ date }}" for n in range(3)) + " }"
    answers = await asyncio.gather(*(ada.gql(heavy) for _ in range(10)))
    assert [sorted(each) for each in answers] == [["a0", "a1", "a2"]] * 10
