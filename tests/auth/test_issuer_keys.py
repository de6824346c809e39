"""The provider's published keys: asked for seldom, kept while it is down, changed when it does."""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator

import httpx
import pytest

from app.auth.authenticator import Authenticator
from app.auth.issuers import Issuer, IssuerSettings
from app.auth.liveness import LivenessCache
from app.core.caller import Caller
from app.core.errors import Unauthenticated, Unavailable
from tests.api import Api
from tests.auth.provider import CLIENT, DISCOVERY, KEYS, Provider, ec_key, rsa_key
from tests.servers import RunningServer, TestClock

ME = "{ me { id } }"


@pytest.fixture
def provider() -> Iterator[Provider]:
    """A new one for each test: they take it down and change its keys."""
    with Provider() as running:
        yield running


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(timeout=5) as client:
        yield client


@pytest.fixture
def auth(provider: Provider, http: httpx.AsyncClient, clock: TestClock) -> Authenticator:
    return authenticator(provider.url, http, clock)


def authenticator(
    issuer: str, http: httpx.AsyncClient, clock: TestClock, jwks_url: str | None = None
) -> Authenticator:
    async def is_alive(_: Caller) -> bool:
        return True

    trusted = IssuerSettings(
        issuer=issuer,
        client_ids=frozenset({CLIENT}),
        jwks_url=jwks_url,
        plain_subjects=True,
    )
    return Authenticator(
        clock=clock,
        api_keys=[],
        tokens=None,
        issuers=[Issuer(trusted, http, clock)],
        liveness=LivenessCache(clock),
        is_alive=is_alive,
    )


async def sub_of(auth: Authenticator, token: str) -> str:
    return (await auth.identify({"authorization": token})).user_id


async def outcome(auth: Authenticator, token: str) -> str:
    try:
        await sub_of(auth, token)
    except (Unauthenticated, Unavailable) as error:
        return error.code
    return "in"


async def test_keys_are_found_by_discovery_and_asked_for_once(
    auth: Authenticator, provider: Provider, clock: TestClock
) -> None:
    for key in provider.keys * 3:
        assert await outcome(auth, provider.token(clock.now(), key=key)) == "in"
    assert provider.asked == {DISCOVERY: 1, KEYS: 1}


async def test_a_known_address_of_the_keys_needs_no_discovery(
    provider: Provider, http: httpx.AsyncClient, clock: TestClock
) -> None:
    auth = authenticator("https://id.example", http, clock, f"{provider.url}{KEYS}")
    token = provider.token(clock.now(), iss="https://id.example", sub="ada")
    assert await sub_of(auth, token) == "ada"
    assert provider.asked == {KEYS: 1}


async def test_a_hundred_first_tokens_at_once_ask_once(
    auth: Authenticator, provider: Provider, clock: TestClock
) -> None:
    tokens = [provider.token(clock.now()) for _ in range(100)]
    assert set(await asyncio.gather(*(outcome(auth, token) for token in tokens))) == {"in"}
    assert provider.asked[KEYS] == 1


async def test_unknown_keys_are_asked_for_once_a_minute_however_many_come(
    auth: Authenticator, provider: Provider, clock: TestClock
) -> None:
    await sub_of(auth, provider.token(clock.now()))
    for minute in range(1, 4):
        clock.move(seconds=61)
        tokens = [provider.token(clock.now(), key=ec_key(f"unknown-{i}")) for i in range(20)]
        outcomes = await asyncio.gather(*(outcome(auth, token) for token in tokens))
        assert set(outcomes) == {"UNAUTHENTICATED"}
        assert provider.asked[KEYS] == 1 + minute


async def test_tokens_of_a_new_key_are_accepted_within_a_minute(
    auth: Authenticator, provider: Provider, clock: TestClock
) -> None:
    old = provider.token(clock.now())
    assert await outcome(auth, old) == "in"
    provider.keys = [rsa_key("next")]
    clock.move(seconds=61)
    assert await outcome(auth, provider.token(clock.now())) == "in"


async def test_a_key_that_was_withdrawn_is_no_longer_accepted(
    auth: Authenticator, provider: Provider, clock: TestClock
) -> None:
    withdrawn = provider.keys[0]
    assert await outcome(auth, provider.token(clock.now())) == "in"
    provider.keys = [rsa_key("next")]
    clock.move(hours=6, seconds=1)
    assert await outcome(auth, provider.token(clock.now(), key=withdrawn)) == "UNAUTHENTICATED"


async def test_the_same_key_id_may_get_another_key(
    auth: Authenticator, provider: Provider, clock: TestClock
) -> None:
    old = provider.keys[0]
    await sub_of(auth, provider.token(clock.now()))
    provider.keys = [type(old)(old.id, rsa_key("next").private)]
    clock.move(hours=6, seconds=1)
    assert await outcome(auth, provider.token(clock.now())) == "in"
    assert await outcome(auth, provider.token(clock.now(), key=old)) == "UNAUTHENTICATED"


async def test_old_keys_serve_while_the_provider_is_down(
    auth: Authenticator, provider: Provider, clock: TestClock
) -> None:
    await sub_of(auth, provider.token(clock.now()))
    provider.is_down = True
    for hours in (1, 7, 24):
        clock.move(hours=hours)
        assert await outcome(auth, provider.token(clock.now())) == "in"
    stranger = provider.token(clock.now(), key=ec_key("unknown"))
    assert await outcome(auth, stranger) == "UNAUTHENTICATED"


async def test_a_provider_that_is_down_from_the_start_is_not_the_callers_fault(
    auth: Authenticator, provider: Provider, clock: TestClock
) -> None:
    provider.is_down = True
    tokens = [provider.token(clock.now()) for _ in range(20)]
    outcomes = await asyncio.gather(*(outcome(auth, token) for token in tokens))
    assert set(outcomes) == {"UNAVAILABLE"}
    assert provider.asked == {DISCOVERY: 1}
    provider.is_down = False
    clock.move(seconds=61)
    assert await outcome(auth, tokens[0]) == "in"


async def test_nobody_listens_there(http: httpx.AsyncClient, clock: TestClock) -> None:
    with Provider() as gone:
        token = gone.token(clock.now())
    assert await outcome(authenticator(gone.url, http, clock), token) == "UNAVAILABLE"


@pytest.mark.parametrize(
    "nonsense",
    [
        [],
        "keys",
        {"key": []},
        {"keys": []},
        {"keys": 7},
        {"keys": {"rsa": {}}},
        {"keys": ["rsa", None, 7, [], {}]},
        {"keys": [{"kty": "RSA", "kid": "rsa"}, {"kty": "RSA", "kid": "rsa", "n": 5, "e": []}]},
        {"keys": [{"kty": "oct", "kid": "rsa", "k": "c2VjcmV0"}]},
        {"keys": [rsa_key("rsa").published() | {"use": "enc"}]},
        {"keys": [rsa_key("rsa").published() | {"alg": "RSA-OAEP"}]},
        {"keys": [rsa_key("rsa").published() | {"alg": ["RS256"]}]},
    ],
    ids=range(12),
)
async def test_a_provider_that_talks_nonsense_counts_as_down(
    auth: Authenticator, provider: Provider, clock: TestClock, nonsense: object
) -> None:
    provider.says = nonsense
    assert await outcome(auth, provider.token(clock.now())) == "UNAVAILABLE"
    provider.says = None
    clock.move(seconds=61)
    assert await outcome(auth, provider.token(clock.now())) == "in"
    provider.says = nonsense
    clock.move(hours=7)
    assert await outcome(auth, provider.token(clock.now())) == "in"


async def test_one_unusable_key_does_not_spoil_the_others(
    auth: Authenticator, provider: Provider, clock: TestClock
) -> None:
    good = [key.published() for key in provider.keys]
    provider.says = {"keys": [7, {"kty": "RSA", "alg": []}, {"kty": "future"}, *good]}
    assert await outcome(auth, provider.token(clock.now())) == "in"


async def test_an_issuer_that_is_no_address_counts_as_down(
    provider: Provider, http: httpx.AsyncClient, clock: TestClock
) -> None:
    auth = authenticator("http://[bad", http, clock)
    token = provider.token(clock.now(), iss="http://[bad")
    assert await outcome(auth, token) == "UNAVAILABLE"


async def test_a_second_issuers_users_never_meet_the_firsts(
    provider: Provider, http: httpx.AsyncClient, clock: TestClock
) -> None:
    clients = frozenset({CLIENT})
    second = IssuerSettings(issuer=provider.url, client_ids=clients)
    caller = await Issuer(second, http, clock).caller(provider.token(clock.now(), sub="ada"))
    again = await Issuer(second, http, clock).caller(
        provider.token(clock.now(), sub="ada", iss=f"{provider.url}/")
    )
    assert caller.user_id != "ada"
    assert caller.user_id == again.user_id


async def test_the_server_answers_503_while_it_has_no_keys_and_then_recovers(
    start_server: Callable[..., RunningServer], provider: Provider, clock: TestClock
) -> None:
    provider.is_down = True
    server = start_server(
        oidc_issuer=provider.url,
        oidc_client_ids=[CLIENT],
        oidc_plain_subjects=True,
        embedded_identity=None,
    )
    token = provider.token(clock.now())
    async with Api(server.url) as api:
        answer = await api.post(ME, headers={"authorization": token})
        assert answer.status_code == 503
        assert answer.json()["errors"][0]["extensions"]["code"] == "UNAVAILABLE"
        provider.is_down = False
        clock.move(seconds=61)
        assert (await api.post(ME, headers={"authorization": token})).status_code == 200


async def test_the_address_of_the_keys_can_be_set(
    start_server: Callable[..., RunningServer], provider: Provider, clock: TestClock
) -> None:
    server = start_server(
        oidc_issuer="https://id.example",
        oidc_client_ids=[CLIENT],
        oidc_plain_subjects=True,
        oidc_jwks_url=f"{provider.url}{KEYS}",
        embedded_identity=None,
    )
    token = provider.token(clock.now(), iss="https://id.example")
    async with Api(server.url) as api:
        assert (await api.post(ME, headers={"authorization": token})).status_code == 200
    assert provider.asked == {KEYS: 1}
