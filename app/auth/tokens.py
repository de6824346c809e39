"""Access tokens that this server issues and verifies itself (embedded identity)."""

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import jwt
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm

from app.auth.claims import TokenClaims, check_times, groups, not_authorized, subject
from app.auth.secret import ServerSecret
from app.core.caller import Access, Caller
from app.core.clock import epoch_seconds

CLIENT_ID = "guildhall"
ALGORITHM = "ES256"


@dataclass(frozen=True, slots=True)
class AccessToken:
    text: str
    expires_at: int


class Tokens:
    def __init__(
        self, secret: ServerSecret, *, issuer: str, seconds: int, accepted: Iterable[str] = ()
    ) -> None:
        """`accepted`: other issuers whose tokens are valid, as one before a change of address."""
        self._key = secret.signing_key()
        self.issuer = issuer
        self._accepted = frozenset({issuer, *accepted})
        self._seconds = seconds
        public = self._key.public_key().public_bytes(
            Encoding.DER, PublicFormat.SubjectPublicKeyInfo
        )
        self.key_id = base64.urlsafe_b64encode(hashlib.sha256(public).digest()[:12]).decode()

    def has_issued(self, claims: TokenClaims) -> bool:
        issuer = claims.get("iss")
        return isinstance(issuer, str) and issuer in self._accepted

    def issue(
        self, *, user_id: str, session_id: str, groups: list[str], now: datetime
    ) -> AccessToken:
        expires = epoch_seconds(now) + self._seconds
        claims = {
            "iss": self.issuer,
            "sub": user_id,
            "sid": session_id,
            "client_id": CLIENT_ID,
            "token_use": "access",
            "iat": epoch_seconds(now),
            "exp": expires,
            **({"cognito:groups": groups} if groups else {}),
        }
        text = jwt.encode(claims, self._key, ALGORITHM, headers={"kid": self.key_id})
        return AccessToken(text, expires)

    def caller(self, token: str, now: datetime) -> Caller:
        claims = self._verified(token)
        check_times(claims, now)
        if claims.get("token_use") != "access" or claims.get("client_id") != CLIENT_ID:
            raise not_authorized()
        return Caller(
            access=Access.USER,
            id=subject(claims),
            groups=groups(claims),
            session_id=str(claims.get("sid", "")),
            issued_at=claims.get("iat"),
            expires_at=claims["exp"],
        )

    def _verified(self, token: str) -> TokenClaims:
        try:
            return jwt.decode(
                token,
                self._key.public_key(),
                algorithms=[ALGORITHM],
                issuer=self._accepted,
                options={
                    "verify_exp": False,
                    "verify_nbf": False,
                    "verify_iat": False,
                    "require": ["exp", "sub", "iss"],
                },
            )
        except jwt.PyJWTError:
            raise not_authorized() from None

    def key_set(self) -> dict[str, Any]:
        """The public key as a JWKS document."""
        key = ECAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return {"keys": [key | {"kid": self.key_id, "use": "sig", "alg": ALGORITHM}]}
