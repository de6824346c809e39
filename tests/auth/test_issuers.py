"""Tokens of an OIDC provider, through HTTP: what is believed, and what is not."""

import json
from typing import Any
from uuid import uuid4

import httpx
import pytest

from app.domains.people import keys
from app.table.gateway import Gateway
from tests.api import Api
from tests.auth.provider import (
    Provider,
    ec_key,
    encoded,
    rsa_key,
    signed_as_secret,
    unsigned,
)
from tests.servers import TestClock

ME = "{ me { id } }"


def said(answer: httpx.Response) -> tuple[int, str, str]:
    error = answer.json()["errors"][0]
    return answer.status_code, error["extensions"]["code"], answer.headers["x-amzn-errortype"]


REFUSED = (401, "UNAUTHENTICATED", "UnauthorizedException")


class Visitor:
    """Sends tokens that name one subject, whom nobody has seen before."""

    def __init__(self, api: Api, provider: Provider, clock: TestClock, table: Gateway) -> None:
        self.api, self.provider, self.clock, self.table = api, provider, clock, table
        self.sub = uuid4().hex

    def token(self, **claims: Any) -> str:
        return self.provider.token(self.clock.now(), **({"sub": self.sub} | claims))

    def claims(self, **claims: Any) -> dict[str, Any]:
        return self.provider.claims(self.clock.now(), **({"sub": self.sub} | claims))

    async def send(self, authorization: str) -> httpx.Response:
        return await self.api.post(ME, headers={"authorization": authorization})

    async def is_let_in(self, authorization: str) -> bool:
        answer = (await self.send(authorization)).json()
        return bool(answer.get("data") == {"me": {"id": self.sub}})

    async def is_refused(self, authorization: str) -> bool:
        """And leaves no trace."""
        answer = await self.send(authorization)
        assert await self.table.get(keys.user(self.sub)) is None
        return said(answer) == REFUSED


@pytest.fixture
def visitor(outside: Api, provider: Provider, clock: TestClock, table: Gateway) -> Visitor:
    return Visitor(outside, provider, clock, table)


@pytest.mark.parametrize("key", [rsa_key("rsa"), ec_key("ec")], ids=["RS256", "ES256"])
async def test_lets_in_who_has_a_token_of_the_provider(visitor: Visitor, key: Any) -> None:
    assert await visitor.is_let_in(visitor.token(key=key))


@pytest.mark.parametrize("before", ["", "Bearer ", "bearer ", "BEARER ", "bEaReR "])
async def test_bearer_may_be_written_in_any_case_or_left_out(visitor: Visitor, before: str) -> None:
    assert await visitor.is_let_in(before + visitor.token())


@pytest.mark.parametrize(
    "wrap",
    [
        "Bearer Bearer {}",
        "Bearer  {}",
        "Basic {}",
        "Token {}",
        "Bearer",
        "{} {}",
        "{},{}",
        "{}.",
        ".{}",
        "AWS4-HMAC-SHA256 {}",
        "Bearer \u00e9{}",
    ],
)
async def test_anything_around_the_token_is_refused(visitor: Visitor, wrap: str) -> None:
    text = wrap.replace("{}", visitor.token())
    answer = await visitor.api.http.post(
        "/graphql", json={"query": ME}, headers=[(b"authorization", text.encode("latin-1"))]
    )
    assert said(answer) == REFUSED


async def test_two_authorization_headers_are_refused(visitor: Visitor) -> None:
    headers = [("authorization", visitor.token()), ("authorization", visitor.token())]
    answer = await visitor.api.http.post("/graphql", json={"query": ME}, headers=headers)
    assert said(answer) == REFUSED
    assert await visitor.table.get(keys.user(visitor.sub)) is None


@pytest.mark.parametrize("size", [8_193, 50_000])
async def test_a_long_token_is_refused(visitor: Visitor, size: int) -> None:
    assert await visitor.is_refused(visitor.token(padding="x" * size))
    assert await visitor.is_refused("x" * size)


async def test_a_token_of_100_kb_is_not_even_read(visitor: Visitor) -> None:
    assert (await visitor.send(visitor.token(padding="x" * 100_000))).status_code == 400
    assert await visitor.table.get(keys.user(visitor.sub)) is None
    assert await visitor.is_let_in(visitor.token())


@pytest.mark.parametrize("algorithm", ["none", "None", "nOnE", "NONE", "", None, 1, ["RS256"]])
@pytest.mark.parametrize("signature", [b"", b"signature"])
async def test_a_token_without_signature_is_refused(
    visitor: Visitor, algorithm: object, signature: bytes
) -> None:
    header = {"alg": algorithm, "kid": "rsa", "typ": "JWT"}
    assert await visitor.is_refused(unsigned(header, visitor.claims(), signature))


@pytest.mark.parametrize("name", ["rsa", "ec"])
@pytest.mark.parametrize("algorithm", ["HS256", "RS256", "ES256"])
async def test_the_public_key_is_no_shared_secret(
    visitor: Visitor, name: str, algorithm: str
) -> None:
    key = next(key for key in visitor.provider.keys if key.id == name)
    header = {"alg": algorithm, "kid": name, "typ": "JWT"}
    published = json.dumps(key.published()).encode()
    for secret in (key.public_text(), key.public_text().strip(), published, b""):
        assert await visitor.is_refused(signed_as_secret(header, visitor.claims(), secret))


async def test_a_key_serves_its_own_algorithm_only(visitor: Visitor) -> None:
    """Signed well, but by the other of the two keys than the one that is named."""
    rsa, ec = visitor.provider.keys
    for key, other in ((rsa, ec), (ec, rsa)):
        token = visitor.provider.token_with(
            {"kid": other.id}, visitor.clock.now(), key=key, sub=visitor.sub
        )
        assert await visitor.is_refused(token)


async def test_an_edited_payload_is_refused(visitor: Visitor) -> None:
    header, _, signature = visitor.token().split(".")
    edited = encoded(visitor.claims(**{"cognito:groups": ["admins"]}))
    assert await visitor.is_refused(f"{header}.{edited}.{signature}")


async def test_a_stripped_or_shortened_signature_is_refused(visitor: Visitor) -> None:
    header, payload, signature = visitor.token().split(".")
    for rest in ("", ".", f".{signature[:-8]}", f".{signature[:1]}", ".AAAA"):
        assert await visitor.is_refused(f"{header}.{payload}{rest}")


@pytest.mark.parametrize(
    "junk",
    [
        "x",
        "a.b",
        "a.b.c",
        "a.b.c.d",
        "..",
        "💥.💥.💥".encode().decode("latin-1"),
        f"{encoded([])}.{encoded({})}.",
        f"{encoded({'alg': 'RS256', 'kid': 'rsa'})}.{encoded([1])}.AAAA",
        f"{encoded({'alg': 'RS256', 'kid': 'rsa'})}.{encoded(b'[' * 2900)}.AAAA",
        f"{encoded(b'[' * 2900)}.{encoded({})}.AAAA",
        f"{encoded({'alg': 'RS256', 'kid': 'rsa'})}.{encoded(b'9' * 4400)}.AAAA",
    ],
    ids=range(11),
)
async def test_junk_is_refused(visitor: Visitor, junk: str) -> None:
    answer = await visitor.api.http.post(
        "/graphql", json={"query": ME}, headers=[(b"authorization", junk.encode("latin-1"))]
    )
    assert said(answer) == REFUSED


@pytest.mark.parametrize(
    "kid", ["../../etc/passwd", "file:///dev/null", "' OR 1=1", "", None, 1, ["rsa"], {"a": 1}]
)
async def test_a_key_id_is_only_ever_looked_up(visitor: Visitor, kid: object) -> None:
    forged = {"alg": "RS256", "kid": kid}
    assert await visitor.is_refused(unsigned(forged, visitor.claims(), b"x" * 256))


async def test_keys_offered_by_the_token_are_never_fetched(visitor: Visitor) -> None:
    forger = rsa_key("forger")
    for name in (forger.id, "rsa"):
        offered = {
            "kid": name,
            "jku": f"{visitor.provider.url}/forged",
            "x5u": f"{visitor.provider.url}/forged",
            "jwk": forger.published() | {"kid": name},
            "x5c": ["AAAA"],
        }
        token = visitor.provider.token_with(
            offered, visitor.clock.now(), key=forger, sub=visitor.sub
        )
        assert await visitor.is_refused(token)
    assert visitor.provider.asked["/forged"] == 0


@pytest.mark.parametrize(
    "claims",
    [
        {"exp": ...},
        {"exp": None},
        {"exp": "9999999999"},
        {"exp": 10**15},
        {"exp": 10**400},
        {"exp": float("inf")},
        {"exp": float("nan")},
        {"exp": -1},
        {"exp": True},
        {"exp": [9999999999]},
        {"iat": "now"},
        {"nbf": "now"},
        {"nbf": 2**41},
    ],
    ids=str,
)
async def test_dates_that_are_no_dates_are_refused(
    visitor: Visitor, claims: dict[str, Any]
) -> None:
    assert await visitor.is_refused(visitor.token(**claims))


@pytest.mark.parametrize("claims", [{"iat": ...}, {"iat": None}, {"nbf": None}], ids=str)
async def test_only_the_end_of_a_token_must_be_said(
    visitor: Visitor, claims: dict[str, Any]
) -> None:
    assert await visitor.is_let_in(visitor.token(**claims))


async def test_an_expired_token_is_refused_also_if_it_was_good_before(
    visitor: Visitor, clock: TestClock
) -> None:
    token = visitor.token()
    assert await visitor.is_let_in(token)
    clock.move(seconds=3600 + 31)
    answer = await visitor.send(token)
    assert said(answer) == REFUSED
    assert answer.json()["errors"][0]["message"] == "Token has expired."


@pytest.mark.parametrize("seconds", [-25, 25])
@pytest.mark.parametrize("date", ["exp", "nbf", "iat"])
async def test_clocks_may_differ_by_half_a_minute(
    visitor: Visitor, date: str, seconds: int
) -> None:
    moment = int(visitor.clock.now().timestamp()) + seconds
    assert await visitor.is_let_in(visitor.token(**{date: moment}))


@pytest.mark.parametrize(
    ("date", "seconds"), [("exp", -35), ("nbf", 35), ("iat", 35), ("nbf", 7200), ("exp", -7200)]
)
async def test_clocks_may_not_differ_by_more(visitor: Visitor, date: str, seconds: int) -> None:
    moment = int(visitor.clock.now().timestamp()) + seconds
    assert await visitor.is_refused(visitor.token(**{date: moment}))


@pytest.mark.parametrize("hours", [-2, 2])
async def test_a_server_two_hours_off_refuses_and_says_why(
    visitor: Visitor, clock: TestClock, hours: int
) -> None:
    token = visitor.token()
    clock.move(hours=hours)
    answer = await visitor.send(token)
    assert said(answer) == REFUSED
    why = "Token has expired." if hours > 0 else "This token is not valid yet. Check both clocks."
    assert answer.json()["errors"][0]["message"] == why


@pytest.mark.parametrize("seconds", [-25, 25])
async def test_a_server_half_a_minute_off_serves(
    visitor: Visitor, clock: TestClock, seconds: int
) -> None:
    token = visitor.token(exp=int(clock.now().timestamp()) + 1)
    clock.move(seconds=seconds)
    assert await visitor.is_let_in(token)


@pytest.mark.parametrize(
    "iss",
    [
        "{}.evil.example",
        "{}/other",
        "{}//",
        "{}?",
        "https://evil.example/{}",
        "x{}",
        "",
        None,
        ...,
        ["{}"],
        {"{}": 1},
    ],
    ids=str,
)
async def test_another_issuer_is_refused(visitor: Visitor, iss: Any) -> None:
    url = visitor.provider.url
    filled = json.loads(json.dumps(iss).replace("{}", url)) if iss is not ... else iss
    assert await visitor.is_refused(visitor.token(iss=filled))


async def test_the_issuers_case_matters(visitor: Visitor) -> None:
    assert await visitor.is_refused(visitor.token(iss=visitor.provider.url.upper()))


async def test_a_slash_at_the_end_of_the_issuer_does_not_matter(visitor: Visitor) -> None:
    assert await visitor.is_let_in(visitor.token(iss=f"{visitor.provider.url}/"))


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": "web-client"},
        {"aud": ["other", "web-client"]},
        {"aud": ..., "client_id": "web-client"},
        {"aud": "the-api", "azp": "web-client"},
        {"aud": ..., "client_id": "web-client", "token_use": "access"},
        {"aud": "web-client", "token_use": "id"},
    ],
    ids=str,
)
async def test_the_client_is_named_in_one_of_three_places(
    visitor: Visitor, claims: dict[str, Any]
) -> None:
    assert await visitor.is_let_in(visitor.token(**claims))


@pytest.mark.parametrize(
    "claims",
    [
        {"aud": ...},
        {"aud": None},
        {"aud": "other-client"},
        {"aud": "WEB-CLIENT"},
        {"aud": "web-client2"},
        {"aud": []},
        {"aud": [{"a": 1}, ["web-client"], None]},
        {"aud": {"web-client": 1}},
        {"aud": ..., "client_id": "other-client"},
        {"aud": ..., "client_id": ["web-client"]},
        {"aud": ..., "azp": {"web-client": 1}},
        {"aud": "web-client", "token_use": "refresh"},
        {"aud": "web-client", "token_use": "access"},
        {"aud": ..., "client_id": "web-client", "token_use": "id"},
        {"aud": "web-client", "token_use": ["id"]},
    ],
    ids=str,
)
async def test_a_token_for_another_client_is_refused(
    visitor: Visitor, claims: dict[str, Any]
) -> None:
    assert await visitor.is_refused(visitor.token(**claims))


@pytest.mark.parametrize(
    "sub",
    [..., None, "", 7, ["a"], "x" * 256, "u1#WALLET", "#", "a\nb", "a\0b", "\u202eadmin"],
    ids=ascii,
)
async def test_a_token_without_a_usable_subject_is_refused(visitor: Visitor, sub: Any) -> None:
    assert said(await visitor.send(visitor.token(sub=sub))) == REFUSED


@pytest.mark.parametrize(
    "sub",
    ["auth0|{}", "google-oauth2|{}", "{}@example.com", "user {}", "x.{}", "é{}", "{}" + "x" * 200],
    ids=ascii,
)
async def test_a_subject_that_cannot_stand_in_a_key_gets_a_stable_id(
    visitor: Visitor, sub: str
) -> None:
    filled = sub.replace("{}", visitor.sub)
    subjects = (filled, filled, f"{filled}2")
    answers = [await visitor.send(visitor.token(sub=each)) for each in subjects]
    first, again, other = [answer.json()["data"]["me"]["id"] for answer in answers]
    assert first == again != other
    assert len(first) == 40
    assert set(first) <= set("0123456789abcdef")
