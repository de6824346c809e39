"""Verifies tokens of a Cognito user pool or any OIDC provider with its published keys (JWKS)."""

import asyncio
import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import httpx
import jwt
import structlog

from app.auth.claims import TokenClaims, check_times, groups, not_authorized, subject
from app.core.caller import Access, Caller
from app.core.clock import Clock
from app.core.errors import Unavailable
from app.core.ids import is_plain_id
from app.core.text import is_email
from app.settings import Settings

ALGORITHMS = ("RS256", "ES256")
REFRESH_AFTER = timedelta(seconds=60)
# Without any key every token is refused, so the issuer is asked more often.
RETRY_AFTER = timedelta(seconds=5)
LONGEST_KEY_AGE = timedelta(hours=6)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuerSettings:
    issuer: str
    client_ids: frozenset[str]
    jwks_url: str | None = None
    plain_subjects: bool = False


def configured_issuers(settings: Settings) -> list[IssuerSettings]:
    found = []
    if settings.cognito_user_pool_id:
        region = settings.cognito_user_pool_id.partition("_")[0]
        issuer = f"https://cognito-idp.{region}.amazonaws.com/{settings.cognito_user_pool_id}"
        found.append(
            IssuerSettings(
                issuer=issuer,
                client_ids=frozenset(settings.cognito_client_ids),
                jwks_url=f"{issuer}/.well-known/jwks.json",
                plain_subjects=True,
            )
        )
    if settings.oidc_issuer:
        found.append(
            IssuerSettings(
                issuer=settings.oidc_issuer,
                client_ids=frozenset(settings.oidc_client_ids),
                jwks_url=settings.oidc_jwks_url,
                plain_subjects=settings.oidc_plain_subjects,
            )
        )
    return found


class Issuer:
    def __init__(self, settings: IssuerSettings, http: httpx.AsyncClient, clock: Clock) -> None:
        self._settings = settings
        self._issuer = settings.issuer.removesuffix("/")
        self._http = http
        self._clock = clock
        self._keys: dict[str, jwt.PyJWK] = {}
        self._refreshed_at: datetime | None = None
        self._refreshing = asyncio.Lock()

    def has_issued(self, claims: TokenClaims) -> bool:
        """A slash at the end is ignored: providers differ in it."""
        return claims.get("iss") in (self._issuer, f"{self._issuer}/")

    async def caller(self, token: str) -> Caller:
        claims = await self._verified(token)
        check_times(claims, self._clock.now())
        self._check_audience(claims)
        email = _verified_email(claims)
        return Caller(
            access=Access.USER,
            id=self._user_id(subject(claims)),
            groups=groups(claims),
            email=email,
            email_verified=email is not None,
            issued_at=int(claims.get("iat") or 0),
            expires_at=int(claims["exp"]),
        )

    def _user_id(self, sub: str) -> str:
        """Cognito chooses subjects itself: they are used as they are. Other providers may let users
        choose: a digest prevents that someone takes the id of another user."""
        if self._settings.plain_subjects and is_plain_id(sub):
            return sub
        return hashlib.sha256(f"{self._issuer}\n{sub}".encode()).hexdigest()[:40]

    def _check_audience(self, claims: TokenClaims) -> None:
        use = claims.get("token_use")
        if use not in (None, "access", "id"):
            raise not_authorized()
        audience = claims.get("aud", []) if use != "access" else []
        accepted = list(audience) if isinstance(audience, list) else [audience]
        accepted += [claims.get("client_id"), claims.get("azp")] if use != "id" else []
        if not self._settings.client_ids & {each for each in accepted if isinstance(each, str)}:
            raise not_authorized()

    async def _verified(self, token: str) -> TokenClaims:
        key = await self._key(_key_id(token))
        try:
            return jwt.decode(
                token,
                key,
                algorithms=ALGORITHMS,
                options={
                    "verify_exp": False,
                    "verify_nbf": False,
                    "verify_iat": False,
                    "verify_aud": False,
                    "require": ["exp", "sub", "iss"],
                },
            )
        except jwt.PyJWTError:
            raise not_authorized() from None

    async def _key(self, key_id: str) -> jwt.PyJWK:
        if key_id not in self._keys or self._older_than(LONGEST_KEY_AGE):
            await self._refresh_keys()
        if key_id in self._keys:
            return self._keys[key_id]
        if not self._keys:
            raise Unavailable("The identity provider's keys cannot be read. Try again later.")
        raise not_authorized()

    def _older_than(self, age: timedelta) -> bool:
        return self._refreshed_at is None or self._clock.now() - self._refreshed_at > age

    async def _refresh_keys(self) -> None:
        """At most once a minute. The old keys stay valid while the issuer is down."""
        async with self._refreshing:
            if not self._older_than(REFRESH_AFTER if self._keys else RETRY_AFTER):
                return
            self._refreshed_at = self._clock.now()
            try:
                found = await self._fetch_keys()
            except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError) as error:
                log.warning("jwks unavailable", issuer=self._settings.issuer, error=repr(error))
                return
            self._keys = found or self._keys

    async def _fetch_keys(self) -> dict[str, jwt.PyJWK]:
        url = self._settings.jwks_url or await self._discover_jwks_url()
        answer = await self._http.get(url)
        answer.raise_for_status()
        return _usable_keys(answer.json()["keys"])

    async def _discover_jwks_url(self) -> str:
        answer = await self._http.get(f"{self._issuer}/.well-known/openid-configuration")
        answer.raise_for_status()
        return str(answer.json()["jwks_uri"])


def _verified_email(claims: TokenClaims) -> str | None:
    """None unless the issuer has verified it: it could belong to somebody else."""
    email = claims.get("email")
    verified = claims.get("email_verified") in (True, "true")
    return email if verified and is_email(email) else None


def _key_id(token: str) -> str:
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError:
        raise not_authorized("Unable to parse JWT token.") from None
    key_id = header.get("kid")
    if header.get("alg") not in ALGORITHMS or not isinstance(key_id, str):
        raise not_authorized()
    return key_id


def _usable_keys(keys: list[dict[str, Any]]) -> dict[str, jwt.PyJWK]:
    found = {}
    for key in keys:
        try:
            usable = jwt.PyJWK(key)
        except (jwt.PyJWTError, AttributeError, TypeError):
            continue
        if usable.key_id and usable.algorithm_name in ALGORITHMS and key.get("use", "sig") == "sig":
            found[usable.key_id] = usable
    return found
