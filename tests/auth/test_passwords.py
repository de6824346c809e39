"""Passwords: argon2id, never on the event loop, nothing learnt from how long it takes."""

import asyncio
from threading import Lock
from types import SimpleNamespace
from unittest.mock import patch

import pytest

from app.auth.passwords import MOST_AT_ONCE, Passwords
from app.settings import Settings


@pytest.fixture(scope="module")
def passwords() -> Passwords:
    return Passwords(memory_kib=1024)


@pytest.mark.parametrize("password", ["correct horse", " ", "pässwörd 💥", "x" * 256, "a\tb\nc"])
async def test_only_the_same_password_matches(passwords: Passwords, password: str) -> None:
    hashed = await passwords.hash(password)
    assert await passwords.matches(password, hashed)
    for other in (password + " ", password[:-1], password.upper() + "!", ""):
        assert not await passwords.matches(other, hashed)


async def test_a_hash_tells_nothing_and_is_salted(passwords: Passwords) -> None:
    one, two = await passwords.hash("secret words"), await passwords.hash("secret words")
    assert one != two
    assert one.startswith("$argon2id$v=19$m=1024,t=2,p=1$")
    assert "secret" not in one


def test_the_usual_cost_is_what_owasp_asks_for() -> None:
    settings = Settings(_env_file=None)
    assert settings.password_memory_kib == 19 * 1024


async def test_hashes_made_at_another_cost_still_match(passwords: Passwords) -> None:
    hashed = await Passwords(memory_kib=2048).hash("secret words")
    assert await passwords.matches("secret words", hashed)


@pytest.mark.parametrize("hashed", [None, "", "junk", "$argon2id$v=19$m=1024", "$2b$12$bcrypt"])
async def test_no_hash_or_a_damaged_one_matches_nothing(
    passwords: Passwords, hashed: str | None
) -> None:
    for password in ("nobody", "", "secret words"):
        assert not await passwords.matches(password, hashed)


async def test_an_unknown_account_is_checked_as_a_known_one_is() -> None:
    """The same work is done, a hash of the same cost: so it takes the same time."""
    passwords = Passwords(memory_kib=1024)
    hashed = await passwords.hash("secret words")
    checked: list[str] = []
    real = passwords._hasher.verify

    def verify(against: str, password: str) -> bool:
        checked.append(against)
        return real(against, password)

    with patch.object(passwords, "_hasher", SimpleNamespace(verify=verify)):
        for account in (hashed, None):
            assert not await passwords.matches("wrong", account)
    costs = [each.rpartition("$")[0].rpartition("$")[0] for each in checked]
    assert len(costs) == 2
    assert costs[0] == costs[1]


async def test_hashing_leaves_the_event_loop_free() -> None:
    passwords = Passwords(memory_kib=64 * 1024)
    work = asyncio.create_task(passwords.hash("secret words"))
    turns = 0
    while not work.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 10


async def test_only_a_few_are_hashed_at_once(passwords: Passwords) -> None:
    """Each takes its memory: a flood must wait its turn."""
    running, most, counting = 0, 0, Lock()
    verify = passwords._verify

    def counted(password: str, hashed: str | None) -> bool:
        nonlocal running, most
        with counting:
            running += 1
            most = max(most, running)
        matches = verify(password, hashed)
        with counting:
            running -= 1
        return matches

    passwords._verify = counted  # type: ignore[method-assign]
    try:
        await asyncio.gather(*(passwords.matches("x", None) for _ in range(30)))
    finally:
        del passwords._verify
    assert 1 <= most <= MOST_AT_ONCE


async def test_guesses_for_one_account_are_checked_one_after_the_other(
    passwords: Passwords,
) -> None:
    assert passwords.attempts.hold("ada") is not passwords.attempts.hold("bob")
    held = passwords.attempts.hold("ada")
    async with held:
        assert passwords.attempts.hold("ada") is held
        assert passwords.attempts.hold("ada").locked()


async def test_a_lock_is_freed_when_nobody_guesses(passwords: Passwords) -> None:
    for number in range(1_000):
        async with passwords.attempts.hold(f"account-{number}"):
            pass
    assert len(passwords.attempts._locks) <= 1
