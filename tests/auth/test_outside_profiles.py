"""The first call of someone from outside makes their profile, and gives away nobody else's."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest

from app.core.text import NICKNAME
from app.domains.people import keys
from app.table.gateway import Gateway
from tests.api import Api, Failed, Person
from tests.auth.provider import Provider
from tests.servers import TestClock

ME = "{ me { id nickname email emailVerified status } }"
CREATE = """
mutation ($nickname: String!) { createProfile(input: {nickname: $nickname}) { id nickname email } }
"""
DELETE = """
mutation ($nickname: String!) { deleteAccount(input: {confirmNickname: $nickname}) { id } }
"""
BY_EMAIL = "query ($email: AWSEmail!) { userByEmail(email: $email) { id email } }"


class Guest:
    """Someone whom the provider knows."""

    def __init__(self, api: Api, provider: Provider, clock: TestClock, **claims: Any) -> None:
        self.api, self.provider, self.clock = api, provider, clock
        self.id = uuid4().hex
        self.claims = {"sub": self.id} | claims

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": self.provider.token(self.clock.now(), **self.claims)}

    async def gql(self, query: str, **variables: object) -> Any:
        return await self.api.gql(query, headers=self.headers, **variables)

    async def code(self, query: str, **variables: object) -> str:
        with pytest.raises(Failed) as failed:
            await self.gql(query, **variables)
        return failed.value.code


class Guests:
    def __init__(self, api: Api, provider: Provider, clock: TestClock) -> None:
        self.of = (api, provider, clock)

    def __call__(self, **claims: Any) -> Guest:
        return Guest(*self.of, **claims)


@pytest.fixture
def guest(outside: Api, provider: Provider, clock: TestClock) -> Guests:
    return Guests(outside, provider, clock)


def new_email() -> str:
    return f"g{uuid4().hex[:12]}@example.com"


def new_nickname() -> str:
    return f"n{uuid4().hex[:12]}"


async def test_the_first_call_makes_a_profile_with_a_usable_nickname(guest: Guests) -> None:
    ada = guest()
    me = (await ada.gql(ME))["me"]
    assert NICKNAME.fullmatch(me.pop("nickname"))
    assert me == {"id": ada.id, "email": None, "emailVerified": False, "status": "active"}


async def test_later_calls_find_the_same_profile(guest: Guests) -> None:
    ada = guest()
    assert await ada.gql(ME) == await ada.gql(ME)


async def test_a_verified_email_comes_along(guest: Guests) -> None:
    email = new_email()
    me = (await guest(email=email, email_verified=True).gql(ME))["me"]
    assert (me["email"], me["emailVerified"]) == (email, True)


@pytest.mark.parametrize("verified", [False, "false", None, ...])
async def test_an_unverified_email_takes_and_shows_nothing(
    guest: Guests, table: Gateway, verified: Any
) -> None:
    email = new_email()
    me = (await guest(email=email, email_verified=verified).gql(ME))["me"]
    assert me["email"] is None
    assert email.partition("@")[0] not in me["nickname"]
    assert await table.get(keys.email_lock(email)) is None


async def test_an_unverified_email_of_somebody_else_reveals_nothing(
    guest: Guests, ada: Person
) -> None:
    thief = guest(email=ada.email, email_verified=False)
    me = (await thief.gql(ME))["me"]
    assert (me["id"], me["email"]) == (thief.id, None)
    assert await thief.gql(BY_EMAIL, email=ada.email) == {"userByEmail": None}
    nickname = new_nickname()
    namesake = guest(email=ada.email, email_verified=False)
    assert (await namesake.gql(CREATE, nickname=nickname))["createProfile"]["email"] is None


@pytest.mark.parametrize("email", ["junk", "x@", 7, "a" * 400 + "@example.com"])
async def test_a_useless_email_keeps_nobody_out(guest: Guests, email: object) -> None:
    me = (await guest(email=email, email_verified=True).gql(ME))["me"]
    assert me["email"] is None


async def test_an_email_that_belongs_to_another_account_stays_there(
    guest: Guests, ada: Person, table: Gateway
) -> None:
    newcomer = guest(email=ada.email.upper(), email_verified=True)
    me = (await newcomer.gql(ME))["me"]
    assert (me["id"], me["email"], me["emailVerified"]) == (newcomer.id, None, False)
    lock = await table.get(keys.email_lock(ada.email))
    assert lock is not None
    assert lock.user_id == ada.id
    assert (await ada.gql(ME))["me"]["email"] == ada.email


async def test_a_profile_can_be_made_though_the_email_is_taken(guest: Guests, ada: Person) -> None:
    newcomer, nickname = guest(email=ada.email, email_verified=True), new_nickname()
    made = (await newcomer.gql(CREATE, nickname=nickname))["createProfile"]
    assert made == {"id": newcomer.id, "nickname": nickname, "email": None}


async def test_create_profile_may_be_the_very_first_call(guest: Guests) -> None:
    ada, nickname = guest(), new_nickname()
    made = (await ada.gql(CREATE, nickname=nickname))["createProfile"]
    assert made == {"id": ada.id, "nickname": nickname, "email": None}
    assert (await ada.gql(ME))["me"]["nickname"] == nickname


async def test_a_second_profile_is_refused_and_takes_no_nickname(
    guest: Guests, table: Gateway
) -> None:
    ada, nickname = guest(), new_nickname()
    await ada.gql(CREATE, nickname=new_nickname())
    assert await ada.code(CREATE, nickname=nickname) == "PROFILE_EXISTS"
    assert await table.get(keys.nickname_lock(nickname)) is None


async def test_after_a_generated_profile_none_can_be_made(guest: Guests) -> None:
    ada = guest()
    await ada.gql(ME)
    assert await ada.code(CREATE, nickname=new_nickname()) == "PROFILE_EXISTS"


async def test_a_taken_nickname_is_refused_and_leaves_no_profile(
    guest: Guests, ada: Person, table: Gateway
) -> None:
    bob = guest()
    assert await bob.code(CREATE, nickname=ada.nickname.upper()) == "NICKNAME_TAKEN"
    assert await table.get(keys.user(bob.id)) is None
    assert await table.get(keys.stats_of_user(bob.id)) is None


async def test_twenty_first_calls_at_once_make_one_profile(guest: Guests, table: Gateway) -> None:
    ada = guest(email=new_email(), email_verified=True)
    answers = await asyncio.gather(*(ada.gql(ME) for _ in range(20)))
    names = {answer["me"]["nickname"] for answer in answers}
    assert len(names) == 1
    lock = await table.get(keys.nickname_lock(names.pop()))
    assert lock is not None
    assert lock.user_id == ada.id


async def test_twenty_createprofiles_at_once_make_one(guest: Guests, table: Gateway) -> None:
    ada = guest()
    wanted = [new_nickname() for _ in range(20)]

    async def attempt(nickname: str) -> str:
        try:
            await ada.gql(CREATE, nickname=nickname)
        except Failed as failed:
            return failed.code
        return nickname

    outcomes = await asyncio.gather(*(attempt(nickname) for nickname in wanted))
    assert outcomes.count("PROFILE_EXISTS") == 19
    locks = [await table.get(keys.nickname_lock(nickname)) for nickname in wanted]
    assert sum(lock is not None for lock in locks) == 1


async def test_moderators_of_the_provider_are_moderators_here(guest: Guests) -> None:
    email = new_email()
    ada = guest(email=email, email_verified=True)
    await ada.gql(ME)
    stranger, moderator = guest(), guest(**{"cognito:groups": ["moderators"]})
    assert await stranger.gql(BY_EMAIL, email=email) == {"userByEmail": None}
    assert await moderator.gql(BY_EMAIL, email=email) == {
        "userByEmail": {"id": ada.id, "email": email}
    }


async def test_public_reads_make_no_profile(guest: Guests, table: Gateway) -> None:
    ada = guest()
    assert await ada.gql('{ user(id: "nobody") { id } }') == {"user": None}
    assert await table.get(keys.user(ada.id)) is None


async def test_a_deleted_account_begins_anew_with_a_later_token(
    guest: Guests, clock: TestClock
) -> None:
    ada = guest(email=new_email(), email_verified=True)
    old = ada.headers
    before = (await ada.gql(ME))["me"]
    await ada.gql(DELETE, nickname=before["nickname"])
    clock.move(seconds=2)
    assert (await ada.api.post(ME, headers=old)).status_code == 401
    after = (await ada.gql(ME))["me"]
    assert (after["id"], after["email"]) == (before["id"], before["email"])
    assert after["nickname"] != before["nickname"]


@pytest.mark.parametrize(
    "mutation",
    [
        'signUp(input: {email: "a@example.com", nickname: "abc", password: "12345678"})',
        'signIn(input: {email: "a@example.com", password: "12345678"})',
    ],
)
async def test_sign_up_and_in_are_refused(outside: Api, mutation: str) -> None:
    with pytest.raises(Failed) as failed:
        await outside.gql(f"mutation {{ {mutation} {{ accessToken }} }}")
    assert failed.value.code == "IDENTITY_ELSEWHERE"


async def test_changing_a_password_is_refused(guest: Guests) -> None:
    change = """mutation { changePassword(input: {currentPassword: "x", newPassword: "12345678"})
      { id } }"""
    assert await guest().code(change) == "IDENTITY_ELSEWHERE"


async def test_tokens_that_the_server_itself_would_issue_are_refused(
    outside: Api, ada: Person
) -> None:
    """They share a secret and a table, but this one believes the provider only."""
    assert (await outside.post(ME, headers=ada.headers)).status_code == 401


async def test_signing_out_ends_the_tokens_up_to_now(guest: Guests, clock: TestClock) -> None:
    ada = guest()
    old = ada.headers
    await ada.gql(ME)
    assert await ada.gql("mutation { signOut }") == {"signOut": True}
    clock.move(seconds=2)
    assert (await ada.api.post(ME, headers=old)).status_code == 401
    assert (await ada.gql(ME))["me"]["id"] == ada.id


async def test_a_deactivated_account_is_not_closed_to_its_owner(
    guest: Guests, clock: TestClock
) -> None:
    """There is no signIn here that could open it again."""
    ada = guest()
    await ada.gql(ME)
    await ada.gql("mutation { deactivateAccount { id } }")
    clock.move(seconds=31)
    assert (await ada.gql(ME))["me"]["id"] == ada.id
