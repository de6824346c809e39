"""Embedded identity, through HTTP."""

import asyncio
import dataclasses
from collections.abc import Callable
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import pytest

from app.auth.passwords import Passwords
from app.core.caller import anonymous
from app.core.scalars import AWSEmail
from app.domains.people import keys
from app.domains.people.errors import WrongCredentials
from app.domains.people.inputs import SignInInput
from app.services import Services
from app.table.gateway import Gateway
from tests.api import PASSWORD, SIGN_UP, Api, Failed, Person
from tests.servers import RunningServer, TestClock

SIGN_IN = """
mutation ($email: AWSEmail!, $password: String!) {
  signIn(input: {email: $email, password: $password}) {
    accessToken refreshToken user { id nickname email status }
  }
}
"""
REFRESH = """
mutation ($token: String!) {
  refreshSession(input: {refreshToken: $token}) { accessToken refreshToken user { id } }
}
"""
NICKNAME_FREE = "query ($nickname: String!) { nicknameAvailable(nickname: $nickname) }"
ME = "{ me { id nickname email } }"


async def sign_in(api: Api, email: str, password: str) -> Person:
    return Person(api, (await api.gql(SIGN_IN, email=email, password=password))["signIn"])


async def code_of(api: Api, query: str, **variables: Any) -> str:
    with pytest.raises(Failed) as failed:
        await api.gql(query, **variables)
    return failed.value.code


async def test_signs_up_and_is_signed_in(ada: Person) -> None:
    me = (await ada.gql(ME))["me"]
    assert me == {"id": ada.id, "nickname": ada.nickname, "email": ada.email}


async def test_signs_in_whatever_the_case_of_the_email(api: Api, ada: Person) -> None:
    again = await sign_in(api, f" {ada.email.upper()} ".strip(), PASSWORD)
    assert again.id == ada.id


async def test_wrong_password_and_unknown_email_give_one_answer(api: Api, ada: Person) -> None:
    errors = []
    for email in (ada.email, f"{uuid4().hex}@example.com"):
        with pytest.raises(Failed) as failed:
            await api.gql(SIGN_IN, email=email, password="not the password")
        errors.append((failed.value.code, failed.value.errors[0]["message"]))
    assert errors[0] == errors[1]
    assert errors[0][0] == "WRONG_CREDENTIALS"


async def test_locks_after_five_failures_known_or_not(
    api: Api, ada: Person, clock: TestClock
) -> None:
    for email in (ada.email, f"{uuid4().hex}@example.com"):
        for _ in range(5):
            assert await code_of(api, SIGN_IN, email=email, password="guess") == "WRONG_CREDENTIALS"
        with pytest.raises(Failed) as locked:
            await api.gql(SIGN_IN, email=email, password=PASSWORD)
        assert locked.value.code == "RATE_LIMITED"
        assert 0 < locked.value.info["retryAfter"] <= 900
    clock.move(minutes=15, seconds=1)
    assert (await sign_in(api, ada.email, PASSWORD)).id == ada.id


async def test_parallel_guesses_are_all_counted(api: Api, ada: Person) -> None:
    codes = await asyncio.gather(
        *(code_of(api, SIGN_IN, email=ada.email, password=f"guess {i}") for i in range(20))
    )
    assert codes.count("WRONG_CREDENTIALS") == 5
    assert codes.count("RATE_LIMITED") == 15


async def test_many_right_passwords_at_once_lock_nobody_out(api: Api, ada: Person) -> None:
    people = await asyncio.gather(*(sign_in(api, ada.email, PASSWORD) for _ in range(12)))
    assert {person.id for person in people} == {ada.id}


async def test_success_forgets_earlier_failures(api: Api, ada: Person) -> None:
    for _ in range(3):
        codes = [await code_of(api, SIGN_IN, email=ada.email, password="guess") for _ in range(4)]
        assert codes == ["WRONG_CREDENTIALS"] * 4, "the fifth would lock"
        assert (await sign_in(api, ada.email, PASSWORD)).id == ada.id


async def test_signing_out_ends_the_session_at_once(api: Api, ada: Person) -> None:
    other = await sign_in(api, ada.email, PASSWORD)
    assert await ada.gql("mutation { signOut }") == {"signOut": True}
    answer = await api.post(ME, headers=ada.headers)
    assert answer.status_code == 401
    assert answer.headers["x-amzn-errortype"] == "UnauthorizedException"
    assert (await other.gql(ME))["me"]["id"] == ada.id
    assert await code_of(api, REFRESH, token=ada.session["refreshToken"]) == "UNAUTHENTICATED"


async def test_access_token_expires(api: Api, ada: Person, clock: TestClock) -> None:
    clock.move(hours=1, seconds=31)
    answer = await api.post(ME, headers=ada.headers)
    assert answer.status_code == 401
    assert answer.json()["errors"][0]["message"] == "Token has expired."


async def test_refresh_gives_a_new_pair(api: Api, ada: Person, clock: TestClock) -> None:
    clock.move(hours=2)
    renewed = (await api.gql(REFRESH, token=ada.session["refreshToken"]))["refreshSession"]
    assert renewed["refreshToken"] != ada.session["refreshToken"]
    me = await api.gql(ME, headers={"authorization": renewed["accessToken"]})
    assert me["me"]["id"] == ada.id


async def test_refresh_may_be_repeated_within_a_minute(api: Api, ada: Person) -> None:
    token = ada.session["refreshToken"]
    first = (await api.gql(REFRESH, token=token))["refreshSession"]
    second = (await api.gql(REFRESH, token=token))["refreshSession"]
    assert first["user"] == second["user"]


async def test_stolen_refresh_token_ends_the_session(
    api: Api, ada: Person, clock: TestClock
) -> None:
    old = ada.session["refreshToken"]
    fresh = (await api.gql(REFRESH, token=old))["refreshSession"]["refreshToken"]
    clock.move(minutes=2)
    assert await code_of(api, REFRESH, token=old) == "UNAUTHENTICATED"
    assert await code_of(api, REFRESH, token=fresh) == "UNAUTHENTICATED"


@pytest.mark.parametrize("token", ["", "a.b", "a.b.c", "a#b.c.d", "x" * 600, "…"])
async def test_junk_refresh_token_is_refused(api: Api, token: str) -> None:
    assert await code_of(api, REFRESH, token=token) in ("UNAUTHENTICATED", "BAD_INPUT")


async def test_fifty_sign_ups_of_one_nickname_make_one_account(api: Api, table: Gateway) -> None:
    base = f"Racer{uuid4().hex[:8]}"
    spellings = [base.upper() if i % 2 else base.lower() for i in range(50)]

    async def attempt(number: int) -> str:
        email = f"{uuid4().hex}@example.com"
        fields = {"email": email, "nickname": spellings[number], "password": PASSWORD}
        try:
            await api.gql(SIGN_UP, input=fields)
        except Failed as failed:
            orphan = await table.get(keys.email_lock(email))
            return failed.code if orphan is None else "left an orphan"
        return email

    outcomes = await asyncio.gather(*(attempt(i) for i in range(50)))
    winners = [each for each in outcomes if "@" in each]
    assert len(winners) == 1
    assert outcomes.count("NICKNAME_TAKEN") == 49
    lock = await table.get(keys.nickname_lock(base))
    owner = await table.get(keys.email_lock(winners[0]))
    assert lock is not None
    assert owner is not None
    assert lock.user_id == owner.user_id
    found = await table.query(keys.user_by_nickname(base), limit=10)
    assert [user.id for user in found.items] == [lock.user_id]


async def test_email_is_unique_in_every_spelling(api: Api, ada: Person) -> None:
    nickname = f"n{uuid4().hex[:10]}"
    fields = {"email": ada.email.upper(), "nickname": nickname, "password": PASSWORD}
    assert await code_of(api, SIGN_UP, input=fields) == "EMAIL_TAKEN"
    assert (await api.gql(NICKNAME_FREE, nickname=nickname)) == {"nicknameAvailable": True}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("nickname", "ab"),
        ("nickname", "a" * 31),
        ("nickname", "with space"),
        ("nickname", "a#b#c"),
        ("nickname", "\N{CYRILLIC SMALL LETTER A}dmin"),
        ("nickname", "zero\u200bwidth"),
        ("nickname", "dotless\N{LATIN SMALL LETTER DOTLESS I}"),
        ("password", "short"),
        ("password", "x" * 257),
        ("timeZone", "Mars/Olympus"),
        ("fullName", "   "),
        ("displayName", "x" * 201),
    ],
)
async def test_refuses_bad_fields_by_name(api: Api, field: str, value: str) -> None:
    name = f"n{uuid4().hex[:10]}"
    fields = {"email": f"{name}@example.com", "nickname": name, "password": PASSWORD}
    with pytest.raises(Failed) as failed:
        await api.gql(SIGN_UP, input=fields | {field: value})
    assert failed.value.code == "BAD_INPUT"
    assert failed.value.info["field"] == f"input.{field}"


async def test_changing_the_password_ends_other_sessions(api: Api, ada: Person) -> None:
    other = await sign_in(api, ada.email, PASSWORD)
    change = """mutation ($old: String!, $new: String!) {
      changePassword(input: {currentPassword: $old, newPassword: $new}) { id } }"""
    refused = await ada.refused(change, old="wrong", new="another password")
    assert refused.code == "WRONG_CREDENTIALS"
    await ada.gql(change, old=PASSWORD, new="another password")
    assert (await api.post(ME, headers=other.headers)).status_code == 401
    assert (await ada.gql(ME))["me"]["id"] == ada.id
    assert await code_of(api, SIGN_IN, email=ada.email, password=PASSWORD) == "WRONG_CREDENTIALS"
    assert (await sign_in(api, ada.email, "another password")).id == ada.id


async def test_refreshing_again_and_again_gives_the_same_token(api: Api, ada: Person) -> None:
    token = ada.session["refreshToken"]
    answers = [(await api.gql(REFRESH, token=token))["refreshSession"] for _ in range(4)]
    assert len({answer["refreshToken"] for answer in answers}) == 1
    assert answers[0]["refreshToken"] != token


async def test_tabs_that_refresh_at_once_all_stay_signed_in(api: Api, ada: Person) -> None:
    token = ada.session["refreshToken"]
    answers = await asyncio.gather(*(api.gql(REFRESH, token=token) for _ in range(8)))
    fresh = {answer["refreshSession"]["refreshToken"] for answer in answers}
    assert len(fresh) == 1
    assert (await api.gql(REFRESH, token=fresh.pop()))["refreshSession"]["user"]["id"] == ada.id


async def test_a_forged_refresh_token_harms_nobody(api: Api, ada: Person) -> None:
    user_id, session_id, turn, proof = ada.session["refreshToken"].split(".")
    for forged in (
        f"{user_id}.{session_id}.{int(turn) + 1}.{proof}",
        f"{user_id}.{session_id}.{turn}.{'0' * len(proof)}",
        f"{user_id}.{session_id}.{turn}9.{proof}",
    ):
        assert await code_of(api, REFRESH, token=forged) == "UNAUTHENTICATED"
    assert (await ada.gql(ME))["me"]["id"] == ada.id


async def test_a_session_of_the_old_password_dies_though_it_was_written_late(
    api: Api, ada: Person, server: RunningServer, table: Gateway
) -> None:
    """The password is checked, then changed by somebody else, then the session is written."""
    resources = dataclasses.replace(server.app.state.resources, table=table)
    late = Services(resources, anonymous("late")).identity
    real = resources.passwords.matches

    async def slowly(password: str, hashed: str | None) -> bool:
        matches: bool = await real(password, hashed)
        await ada.gql(
            "mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { id } }",
            input={"currentPassword": PASSWORD, "newPassword": "another password"},
        )
        return matches

    own_passwords = Passwords(1024)
    with patch.object(own_passwords, "matches", slowly):
        late.scope.resources = dataclasses.replace(resources, passwords=own_passwords)
        with pytest.raises(WrongCredentials):
            await late.sign_in(SignInInput(email=AWSEmail(ada.email), password=PASSWORD))
    assert len([s async for s in table.query_all(keys.sessions_of_user(ada.id))]) == 1


async def test_sign_ins_from_one_address_are_limited(
    clock: TestClock, start_server: Callable[..., RunningServer]
) -> None:
    clock.freeze(clock.now())
    async with Api(start_server(rate_factor=1).url) as strict:
        codes = [
            await code_of(strict, SIGN_IN, email=f"{uuid4().hex}@example.com", password="spray")
            for _ in range(31)
        ]
    assert codes[:30] == ["WRONG_CREDENTIALS"] * 30
    assert codes[30] == "RATE_LIMITED"
