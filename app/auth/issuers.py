"""Tokens of a Cognito user pool or any OIDC provider, checked with the keys they publish."""

import asyncio
import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import httpx
import jwt
import structlog

from app.auth.claims import Claims, check_times, groups, refused, subject
from app.core.caller import Access, Caller
from app.core.clock import Clock
from app.core.errors import Unavailable
from app.core.ids import is_plain_id
from app.core.text import is_email
from app.settings import Settings

ALGORITHMS = ("RS256", "ES256")
ASK_AGAIN_AFTER = timedelta(seconds=60)
# While there are no keys at all nobody gets in, so it is asked more often.
TRY_AGAIN_AFTER = timedelta(seconds=5)
KEYS_LIVE_FOR = timedelta(hours=6)

log = structlog.get_logger()


@dataclass(frozen=True, slots=True, kw_only=True)
class IssuerSettings:
    issuer: str
    client_ids: frozenset[str]
    jwks_url: str | None = None
    plain_subjects: bool = False


def configured(settings: Settings) -> list[IssuerSettings]:
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
        self._asked_at: datetime | None = None
        self._asking = asyncio.Lock()

    def issued(self, claims: Claims) -> bool:
        """Compared as it stands, but for a slash at the end: providers are not of one mind."""
        return claims.get("iss") in (self._issuer, f"{self._issuer}/")

    async def caller(self, token: str) -> Caller:
        claims = await self._verified(token)
        check_times(claims, self._clock.now())
        self._check_audience(claims)
        email = _proven_email(claims)
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
        """A pool's subject as it is: AWS chose it. Elsewhere users may choose theirs, so a digest
        keeps them from meeting anybody else's id."""
        if self._settings.plain_subjects and is_plain_id(sub):
            return sub
        return hashlib.sha256(f"{self._issuer}\n{sub}".encode()).hexdigest()[:40]

    def _check_audience(self, claims: Claims) -> None:
        use = claims.get("token_use")
        if use not in (None, "access", "id"):
            raise refused()
        audience = claims.get("aud", []) if use != "access" else []
        named = list(audience) if isinstance(audience, list) else [audience]
        named += [claims.get("client_id"), claims.get("azp")] if use != "id" else []
        if not self._settings.client_ids & {each for each in named if isinstance(each, str)}:
            raise refused()

    async def _verified(self, token: str) -> Claims:
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
            raise refused() from None

    async def _key(self, key_id: str) -> jwt.PyJWK:
        if key_id not in self._keys or self._older_than(KEYS_LIVE_FOR):
            await self._ask_for_keys()
        if key_id in self._keys:
            return self._keys[key_id]
        if not self._keys:
            raise Unavailable("The identity provider's keys cannot be read just now.")
        raise refused()

    def _older_than(self, age: timedelta) -> bool:
        return self._asked_at is None or self._clock.now() - self._asked_at > age

    async def _ask_for_keys(self) -> None:
        """At most once a minute, whatever arrives; the old keys stay while the issuer is down."""
        async with self._asking:
            if not self._older_than(ASK_AGAIN_AFTER if self._keys else TRY_AGAIN_AFTER):
                return
            self._asked_at = self._clock.now()
            try:
                found = await self._fetch()
            except (httpx.HTTPError, httpx.InvalidURL, ValueError, KeyError, TypeError) as error:
                log.warning("jwks unavailable", issuer=self._settings.issuer, error=repr(error))
                return
            self._keys = found or self._keys

    async def _fetch(self) -> dict[str, jwt.PyJWK]:
        url = self._settings.jwks_url or await self._discovered()
        answer = await self._http.get(url)
        answer.raise_for_status()
        return _usable_keys(answer.json()["keys"])

    async def _discovered(self) -> str:
        answer = await self._http.get(f"{self._issuer}/.well-known/openid-configuration")
        answer.raise_for_status()
        return str(answer.json()["jwks_uri"])


def _proven_email(claims: Claims) -> str | None:
    """Unless the issuer has verified it, an address may well be somebody else's."""
    email = claims.get("email")
    verified = claims.get("email_verified") in (True, "true")
    return email if verified and is_email(email) else None


def _key_id(token: str) -> str:
    try:
        header = jwt.get_unverified_header(token)
    except jwt.PyJWTError:
        raise refused("Unable to parse JWT token.") from None
    key_id = header.get("kid")
    if header.get("alg") not in ALGORITHMS or not isinstance(key_id, str):
        raise refused()
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
