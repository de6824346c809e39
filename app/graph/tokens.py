"""nextToken: a position in a list, encrypted for one caller, one field and its arguments."""

import base64
import os

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from app.auth.secret import ServerSecret
from app.core.clock import Clock, epoch_seconds
from app.core.errors import BadToken
from app.table.gateway import Position

TOKEN_SECONDS = 24 * 3600
# A timeline of forty types has forty positions.
MAX_TOKEN_LENGTH = 32_768
NONCE_BYTES = 12


class PageTokens:
    def __init__(self, secret: ServerSecret, clock: Clock) -> None:
        self._cipher = AESGCM(secret.derive("page tokens"))
        self._clock = clock

    def seal(self, position: Position, purpose: bytes) -> str:
        nonce = os.urandom(NONCE_BYTES)
        content = orjson.dumps([epoch_seconds(self._clock.now()) + TOKEN_SECONDS, position])
        sealed = nonce + self._cipher.encrypt(nonce, content, purpose)
        return _encode(sealed)

    def open(self, token: str, purpose: bytes) -> Position:
        try:
            sealed = _decode(token)
            content = self._cipher.decrypt(sealed[:NONCE_BYTES], sealed[NONCE_BYTES:], purpose)
        except (ValueError, InvalidTag):
            raise BadToken from None
        expires_at, position = orjson.loads(content)
        if expires_at < epoch_seconds(self._clock.now()):
            raise BadToken
        return dict(position)


def _encode(sealed: bytes) -> str:
    return base64.urlsafe_b64encode(sealed).decode().rstrip("=")


def _decode(token: str) -> bytes:
    """ValueError unless the text is exactly as issued: the decoder ignores foreign characters."""
    sealed = base64.urlsafe_b64decode(token[:MAX_TOKEN_LENGTH] + "==")
    if _encode(sealed) != token:
        raise ValueError
    return sealed
