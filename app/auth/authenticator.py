"""From a request's headers to its caller. Credentials that are present but wrong are refused."""

import hmac
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import jwt

from app.auth.claims import LONGEST_TOKEN, refused
from app.auth.issuers import Issuer
from app.auth.standing import Standing
from app.auth.tokens import Tokens
from app.core.caller import Access, Caller, anonymous
from app.core.clock import Clock, epoch

MOST_REMEMBERED = 10_000


class Authenticator:
    def __init__(
        self,
        *,
        clock: Clock,
        api_keys: Sequence[str],
        tokens: Tokens | None,
        issuers: Sequence[Issuer],
        standing: Standing,
        is_alive: Callable[[Caller], Awaitable[bool]],
    ) -> None:
        self._clock = clock
        self._api_keys = [key.encode() for key in api_keys]
        self._tokens = tokens
        self._issuers = issuers
        self._standing = standing
        self._is_alive = is_alive
        self._verified: OrderedDict[bytes, Caller] = OrderedDict()

    async def identify(self, headers: Mapping[str, str], address: str = "") -> Caller:
        caller = anonymous(address)
        if "x-api-key" in headers:
            caller = self._by_api_key(headers["x-api-key"], address)
        if "authorization" in headers:
            caller = replace(await self._by_token(headers["authorization"]), address=address)
        return caller

    def _by_api_key(self, key: str, address: str) -> Caller:
        # Every key is compared, each in constant time.
        matches = [hmac.compare_digest(key.encode(), known) for known in self._api_keys]
        if not any(matches):
            raise refused()
        return Caller(access=Access.API_KEY, address=address)

    async def _by_token(self, header: str) -> Caller:
        caller = await self._known_or_verified(_bare(header))
        if not self._standing.is_known(caller):
            if not await self._is_alive(caller):
                raise refused("This session has ended. Sign in again.")
            self._standing.remember(caller)
        return caller

    async def _known_or_verified(self, token: str) -> Caller:
        """A signature is checked once; whether the token has expired, each time."""
        fingerprint = sha256(token.encode()).digest()
        caller = self._verified.get(fingerprint)
        if caller is None or epoch(self._clock.now()) >= (caller.expires_at or 0):
            caller = await self._verify(token)
            self._verified[fingerprint] = caller
            if len(self._verified) > MOST_REMEMBERED:
                self._verified.popitem(last=False)
        return caller

    async def _verify(self, token: str) -> Caller:
        claims = _unverified(token)
        for issuer in self._issuers:
            if issuer.issued(claims):
                return await issuer.caller(token)
        if self._tokens is None:
            raise refused()
        return self._tokens.caller(token, self._clock.now())


def _bare(header: str) -> str:
    """AppSync clients send the token alone; everyone else writes Bearer before it."""
    token = header[7:] if header[:7].lower() == "bearer " else header
    if not token or len(token) > LONGEST_TOKEN or " " in token:
        raise refused("Valid authorization header not provided.")
    return token


def _unverified(token: str) -> dict[str, Any]:
    """Only to choose the issuer; nothing else is read from it."""
    try:
        return jwt.decode(token, options={"verify_signature": False})
    except (jwt.PyJWTError, ValueError, RecursionError):
        raise refused("Unable to parse JWT token.") from None
