"""What a decision registers with its attempt happens when the attempt has ended."""

import asyncio

import pytest

from app.core.attempt import Attempt, current_attempt
from app.core.errors import Conflict, OutcomeUnknown


async def cleaned_up_after(error: BaseException | None) -> list[str]:
    done: list[str] = []

    async def clean_up() -> None:
        done.append("cleaned up")

    async def run() -> None:
        async with Attempt() as attempt:
            attempt.on_refused(clean_up)
            if error:
                raise error

    await asyncio.gather(run(), return_exceptions=True)
    return done


async def test_a_refused_attempt_is_cleaned_up() -> None:
    assert await cleaned_up_after(Conflict("too late")) == ["cleaned up"]


@pytest.mark.parametrize("error", [None, OutcomeUnknown(), asyncio.CancelledError()])
async def test_what_may_have_been_committed_stays(error: BaseException | None) -> None:
    assert await cleaned_up_after(error) == []


async def test_a_lock_is_held_until_the_attempt_has_ended() -> None:
    lock = asyncio.Lock()
    seen: list[bool] = []

    async def clean_up() -> None:
        seen.append(lock.locked())

    async def run() -> None:
        async with Attempt() as attempt:
            await attempt.hold(lock)
            attempt.on_refused(clean_up)
            raise Conflict("too late")

    with pytest.raises(Conflict):
        await run()
    assert (seen, lock.locked()) == ([True], False)


async def test_an_attempt_takes_one_lock_only() -> None:
    first, second = asyncio.Lock(), asyncio.Lock()
    async with Attempt() as attempt:
        for lock in (first, first, second):
            await attempt.hold(lock)
        assert (first.locked(), second.locked()) == (True, False)


async def test_attempts_side_by_side_do_not_see_each_other() -> None:
    async def run() -> bool:
        async with Attempt() as mine:
            await asyncio.sleep(0)
            return current_attempt() is mine

    assert all(await asyncio.gather(run(), run()))
    assert current_attempt() is None
