"""Finds the caller of a request by its headers. Wrong credentials are refused, not ignored."""

import hmac
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import jwt

from app.auth.authorizer import Authorizer
from app.auth.claims import LEEWAY, LONGEST_TOKEN, not_authorized
from app.auth.issuers import Issuer
from app.auth.liveness import LivenessCache
from app.auth.sigv4 import IncomingRequest, SignatureVerifier, is_signed
from app.auth.tokens import Tokens
from app.core.caller import Access, Caller, anonymous
from app.core.clock import Clock, epoch_seconds
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
        liveness: LivenessCache,
        is_alive: Callable[[Caller], Awaitable[bool]],
        signatures: SignatureVerifier | None = None,
        authorizer: Authorizer | None = None,
    ) -> None:
        self._clock = clock
        self._signatures = signatures
        self._authorizer = authorizer
        self._api_keys = [key.encode() for key in api_keys]
        self._tokens = tokens
        self._issuers = issuers
        self._liveness = liveness
        self._is_alive = is_alive
        self._verified: OrderedDict[bytes, Caller] = OrderedDict()

    async def identify(
        self, headers: Mapping[str, str], address: str = "", incoming: IncomingRequest | None = None
    ) -> Caller:
        """`incoming`: the request, for credentials that depend on it (signatures, authorizer)."""
        caller = anonymous(address)
        if "x-api-key" in headers:
            caller = self._by_api_key(headers["x-api-key"], address)
        if "authorization" in headers:
            caller = await self._by_authorization(headers, incoming or IncomingRequest())
            await self.confirm(caller)
        return replace(caller, address=address)

    async def confirm(self, caller: Caller) -> None:
        """Refuses a caller whose token has expired or whose session or account has ended."""
        if (
            caller.expires_at is not None
            and epoch_seconds(self._clock.now()) >= caller.expires_at + LEEWAY
        ):
            raise not_authorized("Token has expired.")
        if caller.id is None or self._liveness.is_alive(caller):
            return
        if not await self._is_alive(caller):
            raise not_authorized("This session has ended. Sign in again.")
        self._liveness.mark_alive(caller)

    def _by_api_key(self, key: str, address: str) -> Caller:
        # Every key is compared, each in constant time.
        matches = [hmac.compare_digest(key.encode(), known) for known in self._api_keys]
        if not any(matches):
            raise not_authorized()
        return Caller(access=Access.API_KEY, address=address)

    async def _by_authorization(
        self, headers: Mapping[str, str], incoming: IncomingRequest
    ) -> Caller:
        header = headers["authorization"]
        if self._signatures and is_signed(header):
            return self._signatures.caller(headers, incoming)
        if self._authorizer and not self._is_known_issuer(header):
            return await self._authorizer.caller(header, headers, incoming)
        return await self._verify_cached(_bearer_token(header))

    def _is_known_issuer(self, header: str) -> bool:
        try:
            claims = _unverified_claims(_bearer_token(header))
        except Unauthenticated:
            return False
        is_own = self._tokens is not None and self._tokens.has_issued(claims)
        return is_own or any(issuer.has_issued(claims) for issuer in self._issuers)

    async def _verify_cached(self, token: str) -> Caller:
        """A token's signature is checked once, its expiry each time."""
        fingerprint = sha256(token.encode()).digest()
        caller = self._verified.get(fingerprint)
        if caller is None or epoch_seconds(self._clock.now()) >= (caller.expires_at or 0):
            caller = await self._verify(token)
            self._verified[fingerprint] = caller
            if len(self._verified) > MOST_REMEMBERED:
                self._verified.popitem(last=False)
        return caller

    async def _verify(self, token: str) -> Caller:
        claims = _unverified_claims(token)
        for issuer in self._issuers:
            if issuer.has_issued(claims):
                return await issuer.caller(token)
        if self._tokens is None:
            raise not_authorized()
        return self._tokens.caller(token, self._clock.now())


def _bearer_token(header: str) -> str:
    """AppSync clients send the token without the word Bearer."""
    token = header[7:] if header[:7].lower() == "bearer " else header
    if not token or len(token) > LONGEST_TOKEN or " " in token:
        raise not_authorized("Valid authorization header not provided.")
    return token


def _unverified_claims(token: str) -> dict[str, Any]:
    """Used only to choose the issuer, which then verifies the token."""
    try:
        return jwt.decode(token, options={"verify_signature": False})
    except (jwt.PyJWTError, ValueError, RecursionError):
        raise not_authorized("Unable to parse JWT token.") from None
