"""From a request's headers to its caller. Credentials that are present but wrong are refused."""

import hmac
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import jwt

from app.auth.authorizer import Authorizer
from app.auth.claims import LEEWAY, LONGEST_TOKEN, refused
from app.auth.issuers import Issuer
from app.auth.sigv4 import Incoming, Signatures, is_signed
from app.auth.standing import Standing
from app.auth.tokens import Tokens
from app.core.caller import Access, Caller, anonymous
from app.core.clock import Clock, epoch
from app.core.errors import Unauthenticated

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
        signatures: Signatures | None = None,
        authorizer: Authorizer | None = None,
    ) -> None:
        self._clock = clock
        self._signatures = signatures
        self._authorizer = authorizer
        self._api_keys = [key.encode() for key in api_keys]
        self._tokens = tokens
        self._issuers = issuers
        self._standing = standing
        self._is_alive = is_alive
        self._verified: OrderedDict[bytes, Caller] = OrderedDict()

    async def identify(
        self, headers: Mapping[str, str], address: str = "", incoming: Incoming | None = None
    ) -> Caller:
        """`incoming`: what is asked, for those whose credentials depend on it."""
        caller = anonymous(address)
        if "x-api-key" in headers:
            caller = self._by_api_key(headers["x-api-key"], address)
        if "authorization" in headers:
            caller = await self._by_authorization(headers, incoming or Incoming())
            await self.confirm(caller)
        return replace(caller, address=address)

    async def confirm(self, caller: Caller) -> None:
        """That someone who was let in is still welcome: the token has not expired, the session or
        account has not ended."""
        if caller.expires_at is not None and epoch(self._clock.now()) >= caller.expires_at + LEEWAY:
            raise refused("Token has expired.")
        if caller.id is None or self._standing.is_known(caller):
            return
        if not await self._is_alive(caller):
            raise refused("This session has ended. Sign in again.")
        self._standing.remember(caller)

    def _by_api_key(self, key: str, address: str) -> Caller:
        # Every key is compared, each in constant time.
        matches = [hmac.compare_digest(key.encode(), known) for known in self._api_keys]
        if not any(matches):
            raise refused()
        return Caller(access=Access.API_KEY, address=address)

    async def _by_authorization(self, headers: Mapping[str, str], incoming: Incoming) -> Caller:
        header = headers["authorization"]
        if self._signatures and is_signed(header):
            return self._signatures.caller(headers, incoming)
        if self._authorizer and not self._is_known_issuer(header):
            return await self._authorizer.caller(header, headers, incoming)
        return await self._known_or_verified(_bare(header))

    def _is_known_issuer(self, header: str) -> bool:
        try:
            claims = _unverified(_bare(header))
        except Unauthenticated:
            return False
        ours = self._tokens is not None and claims.get("iss") == self._tokens.issuer
        return ours or any(issuer.issued(claims) for issuer in self._issuers)

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
