"""nextToken: a position in a list, sealed for one caller, one field and its arguments."""

import base64
import os

import orjson
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from app.auth.secret import Secret
from app.core.clock import Clock, epoch
from app.core.errors import BadToken
from app.table.gateway import Position

SECONDS = 24 * 3600
# A timeline of forty types stands in forty places at once.
LONGEST = 32_768
NONCE = 12


class PageTokens:
    def __init__(self, secret: Secret, clock: Clock) -> None:
        self._cipher = AESGCM(secret.derive("page tokens"))
        self._clock = clock

    def seal(self, position: Position, purpose: bytes) -> str:
        nonce = os.urandom(NONCE)
        content = orjson.dumps([epoch(self._clock.now()) + SECONDS, position])
        sealed = nonce + self._cipher.encrypt(nonce, content, purpose)
        return _text(sealed)

    def open(self, token: str, purpose: bytes) -> Position:
        try:
            sealed = _bytes(token)
            content = self._cipher.decrypt(sealed[:NONCE], sealed[NONCE:], purpose)
        except (ValueError, InvalidTag):
            raise BadToken from None
        until, position = orjson.loads(content)
        if until < epoch(self._clock.now()):
            raise BadToken
        return dict(position)


def _text(sealed: bytes) -> str:
    return base64.urlsafe_b64encode(sealed).decode().rstrip("=")


def _bytes(token: str) -> bytes:
    """Or ValueError. Only as it was handed out: the decoder alone would skip foreign signs."""
    sealed = base64.urlsafe_b64decode(token[:LONGEST] + "==")
    if _text(sealed) != token:
        raise ValueError
    return sealed
