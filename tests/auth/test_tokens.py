"""The server as its own issuer: anyone can check its tokens, and only it can make them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import jwt
import pytest

from app.auth.secret import ServerSecret
from app.auth.tokens import ALGORITHM, CLIENT_ID, Tokens
from app.core.clock import epoch_seconds
from app.core.errors import Unauthenticated
from tests.api import PASSWORD, Api, Person
from tests.auth.provider import signed_as_secret, unsigned
from tests.servers import RunningServer, TestClock

ME = "{ me { id } }"
ISSUER = "https://guildhall.example"
MASTER = b"a secret of thirty-two characters"


def tokens(master: bytes = MASTER, issuer: str = ISSUER) -> Tokens:
    return Tokens(ServerSecret(master), issuer=issuer, seconds=3600)


def forged(clock: TestClock, **changes: object) -> str:
    """Signed with the right key, but with claims that the server would not write."""
    now = epoch_seconds(clock.now())
    claims = {
        "iss": ISSUER,
        "sub": "ada",
        "sid": "session",
        "client_id": CLIENT_ID,
        "token_use": "access",
        "iat": now,
        "exp": now + 3600,
    } | changes
    said = {name: value for name, value in claims.items() if value is not ...}
    return jwt.encode(said, ServerSecret(MASTER).signing_key(), ALGORITHM)


async def test_a_stranger_can_check_our_tokens_with_the_published_keys(
    server: RunningServer, api: Api, ada: Person
) -> None:
    key_set = jwt.PyJWKSet.from_dict((await api.http.get("/.well-known/jwks.json")).json())
    about = (await api.http.get("/.well-known/openid-configuration")).json()
    token = ada.session["accessToken"]
    claims = jwt.decode(
        token,
        key_set[jwt.get_unverified_header(token)["kid"]],
        algorithms=["ES256"],
        issuer=about["issuer"],
        options={"require": ["exp", "iat", "sub"]},
    )
    assert claims["sub"] == ada.id
    assert claims["exp"] - claims["iat"] == server.settings.access_token_seconds
    assert claims["exp"] == ada.session["expiresAt"]
    assert about["jwks_uri"] == f"{server.settings.address}/.well-known/jwks.json"


async def test_only_the_public_half_is_published(api: Api) -> None:
    keys = (await api.http.get("/.well-known/jwks.json")).json()["keys"]
    assert [set(key) for key in keys] == [{"kty", "crv", "x", "y", "kid", "use", "alg"}]


async def test_a_token_holds_no_more_than_it_must(ada: Person) -> None:
    claims = jwt.decode(ada.session["accessToken"], options={"verify_signature": False})
    assert set(claims) == {"iss", "sub", "sid", "client_id", "token_use", "iat", "exp"}


async def test_tokens_outlive_a_restart(
    start_server: Callable[..., RunningServer], clock: TestClock, tmp_path: Path
) -> None:
    first = start_server(data_dir=tmp_path)
    async with Api(first.url) as api:
        ada = await api.sign_up()
    first.__exit__()
    async with Api(start_server(data_dir=tmp_path).url) as api:
        assert await api.gql(ME, headers=ada.headers) == {"me": {"id": ada.id}}


async def test_another_secret_makes_another_server(
    start_server: Callable[..., RunningServer], ada: Person, tmp_path: Path
) -> None:
    """The same table and session, but tokens it has not signed."""
    async with Api(start_server(data_dir=tmp_path).url) as api:
        assert (await api.post(ME, headers=ada.headers)).status_code == 401


async def test_servers_with_one_secret_key_trust_each_other(
    start_server: Callable[..., RunningServer], tmp_path: Path
) -> None:
    one, two = [
        start_server(data_dir=tmp_path / name, secret_key="s" * 32) for name in ("one", "two")
    ]
    async with Api(one.url) as api:
        ada = await api.sign_up()
    async with Api(two.url) as api:
        assert await api.gql(ME, headers=ada.headers) == {"me": {"id": ada.id}}
    assert not (tmp_path / "one" / "secret.key").exists()


def test_what_is_issued_is_believed(clock: TestClock) -> None:
    issued = tokens().issue(
        user_id="ada", session_id="session", groups=["moderators"], now=clock.now()
    )
    caller = tokens().caller(issued.text, clock.now())
    assert (caller.user_id, caller.session_id) == ("ada", "session")
    assert caller.expires_at == issued.expires_at
    assert caller.is_moderator
    assert not caller.is_admin


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://elsewhere.example"},
        {"iss": f"{ISSUER}/"},
        {"iss": f"{ISSUER}.evil.example"},
        {"iss": ...},
        {"sub": ...},
        {"sub": ""},
        {"sub": "a#b"},
        {"exp": ...},
        {"exp": "9999999999"},
        {"exp": 10**15},
        {"exp": 1},
        {"nbf": 2**39},
        {"token_use": "refresh"},
        {"token_use": ...},
        {"client_id": "other"},
        {"client_id": ...},
    ],
    ids=str,
)
def test_claims_we_would_not_write_are_refused(clock: TestClock, changes: dict[str, Any]) -> None:
    assert tokens().caller(forged(clock), clock.now()).user_id == "ada"
    with pytest.raises(Unauthenticated):
        tokens().caller(forged(clock, **changes), clock.now())


def test_other_signatures_are_refused(clock: TestClock) -> None:
    good = forged(clock)
    header, payload, signature = good.split(".")
    claims = jwt.decode(good, options={"verify_signature": False})
    public = tokens().key_set()["keys"][0]
    fakes = [
        f"{header}.{payload}.",
        f"{header}.{payload}.{signature[:-4]}AAAA",
        unsigned({"alg": "none"}, claims),
        unsigned({"alg": "nOnE"}, claims),
        signed_as_secret({"alg": "HS256"}, claims, str(public).encode()),
        tokens(b"another secret of 32 characters!")
        .issue(user_id="ada", session_id="session", groups=[], now=clock.now())
        .text,
    ]
    for fake in fakes:
        with pytest.raises(Unauthenticated):
            tokens().caller(fake, clock.now())


async def test_a_new_address_signs_nobody_out(
    start_server: Callable[..., RunningServer], ada: Person
) -> None:
    """`ada` has a token of another issuer, signed with the same secret."""
    issuer = jwt.decode(ada.session["accessToken"], options={"verify_signature": False})["iss"]
    moved = {"public_url": "https://new.example"}
    async with Api(start_server(**moved, former_issuers=[issuer]).url) as api:
        assert await api.gql(ME, headers=ada.headers) == {"me": {"id": ada.id}}
        bob = await api.sign_up()
    claims = jwt.decode(bob.session["accessToken"], options={"verify_signature": False})
    assert claims["iss"] == "https://new.example"
    async with Api(start_server(**moved).url) as api:
        answer = await api.post(ME, headers=ada.headers)
        assert answer.status_code == 401
    async with Api(start_server(issuer="guild").url) as api:
        answer = await api.post(ME, headers=bob.headers)
        assert answer.status_code == 401


async def test_servers_without_a_public_address_accept_each_others_tokens(
    start_server: Callable[..., RunningServer], ada: Person
) -> None:
    async with Api(start_server(host="127.0.0.2").url.replace("127.0.0.1", "127.0.0.2")) as api:
        assert await api.gql(ME, headers=ada.headers) == {"me": {"id": ada.id}}


async def test_a_changed_password_does_not_change_the_keys(api: Api, ada: Person) -> None:
    before = (await api.http.get("/.well-known/jwks.json")).json()
    change = """mutation ($old: String!) {
      changePassword(input: {currentPassword: $old, newPassword: "another password"}) { id } }"""
    await ada.gql(change, old=PASSWORD)
    assert (await api.http.get("/.well-known/jwks.json")).json() == before
