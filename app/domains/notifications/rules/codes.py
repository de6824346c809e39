"""The code that proves that a channel is its owner's."""

import hashlib
import hmac

from app.domains.notifications.types import NotificationChannel

CODE_MINUTES = 15
CODE_TRIES = 5


def code_hash(secret: bytes, code: str) -> str:
    return hashlib.blake2b(code.encode(), key=secret).hexdigest()


def is_right_code(channel: NotificationChannel, sent_hash: str) -> bool:
    return hmac.compare_digest(channel.code_hash or "", sent_hash)


def is_verified(channel: NotificationChannel) -> bool:
    """And no new code was sent since."""
    return channel.verified_at is not None and channel.code_hash is None


def has_valid_code(channel: NotificationChannel, now: str) -> bool:
    """Whether there is a code to check: it has not expired, nor been tried too often."""
    until = channel.code_until
    return until is not None and until > now and channel.code_tries < CODE_TRIES
