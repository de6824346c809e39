"""Checks of token claims that hold for every issuer."""

from datetime import datetime
from typing import Any

from app.core.clock import epoch_seconds
from app.core.errors import Unauthenticated

LEEWAY = 30
LONGEST_TOKEN = 8_192
TokenClaims = dict[str, Any]


def not_authorized(why: str = "You are not authorized to make this call.") -> Unauthenticated:
    return Unauthenticated(why)


def check_times(claims: TokenClaims, now: datetime) -> None:
    expires, current = _time(claims, "exp"), epoch_seconds(now)
    if expires is None or expires + LEEWAY <= current:
        raise not_authorized("Token has expired.")
    for name in ("nbf", "iat"):
        valid_from = _time(claims, name)
        if valid_from is not None and valid_from - LEEWAY > current:
            raise not_authorized("This token is not valid yet. Check both clocks.")


def _time(claims: TokenClaims, name: str) -> int | None:
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**40:
        raise not_authorized("A time in this token is not a number.")
    return int(value)


def subject(claims: TokenClaims) -> str:
    value = claims.get("sub")
    if not isinstance(value, str) or not 1 <= len(value) <= 255 or "#" in value:
        raise not_authorized("The subject (sub) of this token is missing or invalid.")
    if not value.isprintable():
        raise not_authorized("The subject (sub) of this token is missing or invalid.")
    return value


def groups(claims: TokenClaims) -> frozenset[str]:
    value = claims.get("cognito:groups", [])
    return (
        frozenset(each for each in value if isinstance(each, str))
        if isinstance(value, list)
        else frozenset()
    )
