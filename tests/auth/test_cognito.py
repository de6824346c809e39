"""Tokens of a Cognito user pool. Its address is AWS's, so its keys are read from loopback."""

from typing import Any

import httpx
import pytest

from app.auth.issuers import Issuer, IssuerSettings, configured_issuers
from app.core.caller import Caller
from app.core.errors import Unauthenticated
from app.settings import Settings
from tests.auth.provider import CLIENT, KEYS, Provider
from tests.servers import TestClock

POOL = "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEf123"
SUB = "f2c5d4a4-1b2c-4d5e-8f90-1a2b3c4d5e6f"
ACCESS: dict[str, Any] = {
    "aud": ...,
    "client_id": CLIENT,
    "token_use": "access",
    "username": "ada",
    "scope": "aws.cognito.signin.user.admin",
}
ID: dict[str, Any] = {
    "aud": CLIENT,
    "token_use": "id",
    "cognito:username": "ada",
    "email": "ada@example.com",
    "email_verified": True,
}


class Pool:
    def __init__(self, provider: Provider, http: httpx.AsyncClient, clock: TestClock) -> None:
        self.provider, self.clock = provider, clock
        trusted = IssuerSettings(
            plain_subjects=True,
            issuer=POOL,
            client_ids=frozenset({CLIENT}),
            jwks_url=f"{provider.url}{KEYS}",
        )
        self.issuer = Issuer(trusted, http, clock)

    async def caller(self, **claims: Any) -> Caller:
        usual = {"iss": POOL, "sub": SUB}
        return await self.issuer.caller(self.provider.token(self.clock.now(), **(usual | claims)))


@pytest.fixture
async def pool(provider: Provider, clock: TestClock) -> Any:
    async with httpx.AsyncClient(timeout=5) as http:
        yield Pool(provider, http, clock)


def test_a_pool_id_says_where_its_keys_are() -> None:
    settings = Settings(
        _env_file=None,
        cognito_user_pool_id="eu-west-1_AbCdEf123",
        cognito_client_ids=[CLIENT],
    )
    assert configured_issuers(settings) == [
        IssuerSettings(
            plain_subjects=True,
            issuer=POOL,
            client_ids=frozenset({CLIENT}),
            jwks_url=f"{POOL}/.well-known/jwks.json",
        )
    ]
    assert settings.embedded_identity is False


def test_only_a_pools_subjects_are_user_ids_as_they_are() -> None:
    settings = Settings(
        _env_file=None,
        cognito_user_pool_id="eu-west-1_AbCdEf123",
        cognito_client_ids=[CLIENT],
        oidc_issuer="https://id.example",
        oidc_client_ids=["other"],
    )
    assert [(each.issuer, each.plain_subjects) for each in configured_issuers(settings)] == [
        (POOL, True),
        ("https://id.example", False),
    ]


async def test_an_access_token_names_its_client(pool: Pool) -> None:
    caller = await pool.caller(**ACCESS)
    assert (caller.user_id, caller.email, caller.email_verified) == (SUB, None, False)


async def test_an_id_token_names_its_audience(pool: Pool) -> None:
    caller = await pool.caller(**ID)
    assert (caller.user_id, caller.email, caller.email_verified) == (SUB, "ada@example.com", True)


@pytest.mark.parametrize(
    "claims",
    [
        ACCESS | {"client_id": "other"},
        ACCESS | {"client_id": ..., "aud": CLIENT},
        ID | {"aud": "other"},
        ID | {"aud": ..., "client_id": CLIENT},
        ID | {"aud": "other", "azp": CLIENT},
        ID | {"token_use": "refresh"},
    ],
    ids=range(6),
)
async def test_each_kind_of_token_keeps_to_its_own_rule(pool: Pool, claims: dict[str, Any]) -> None:
    with pytest.raises(Unauthenticated):
        await pool.caller(**claims)


@pytest.mark.parametrize(
    "iss",
    [
        "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Other",
        "https://cognito-idp.eu-west-1.amazonaws.com.evil.example/eu-west-1_AbCdEf123",
        "https://cognito-idp.us-east-1.amazonaws.com/eu-west-1_AbCdEf123",
        f"{POOL}4",
        f"{POOL}/x",
    ],
)
async def test_another_pool_is_not_this_one(pool: Pool, iss: str) -> None:
    assert not pool.issuer.has_issued({"iss": iss})
    assert pool.issuer.has_issued({"iss": POOL})


@pytest.mark.parametrize(
    ("groups", "is_moderator", "is_admin"),
    [
        (["moderators"], True, False),
        (["admins"], True, True),
        (["readers", "moderators"], True, False),
        (["Moderators"], False, False),
        ([], False, False),
        ("moderators", False, False),
        ({"moderators": True}, False, False),
        ([["moderators"], None, 7], False, False),
        (None, False, False),
    ],
)
async def test_groups_give_rights(
    pool: Pool, groups: object, is_moderator: bool, is_admin: bool
) -> None:
    caller = await pool.caller(**ACCESS, **{"cognito:groups": groups})
    assert (caller.is_moderator, caller.is_admin) == (is_moderator, is_admin)


@pytest.mark.parametrize(
    ("email", "verified", "kept"),
    [
        ("ada@example.com", True, True),
        ("ada@example.com", "true", True),
        ("ada@example.com", False, False),
        ("ada@example.com", "false", False),
        ("ada@example.com", "True ", False),
        ("ada@example.com", ..., False),
        ("ada@example.com", None, False),
        ("not an address", True, False),
        ("a#b@example.com", True, True),
        ("ada@example.com\n", True, False),
        ("a" * 300 + "@example.com", True, False),
        (["ada@example.com"], True, False),
        (7, True, False),
        ("", True, False),
    ],
)
async def test_only_a_usable_verified_email_is_taken_from_a_token(
    pool: Pool, email: object, verified: object, kept: bool
) -> None:
    caller = await pool.caller(**(ID | {"email": email, "email_verified": verified}))
    assert caller.email == (email if kept else None)
    assert caller.email_verified is kept
