"""What every token must say, whoever issued it."""

from datetime import datetime
from typing import Any

from app.core.clock import epoch
from app.core.errors import Unauthenticated

LEEWAY = 30
LONGEST_TOKEN = 8_192
Claims = dict[str, Any]


def refused(why: str = "You are not authorized to make this call.") -> Unauthenticated:
    return Unauthenticated(why)


def check_times(claims: Claims, now: datetime) -> None:
    expires, present = _time(claims, "exp"), epoch(now)
    if expires is None or expires + LEEWAY <= present:
        raise refused("Token has expired.")
    for name in ("nbf", "iat"):
        begins = _time(claims, name)
        if begins is not None and begins - LEEWAY > present:
            raise refused("This token is not valid yet: compare the clocks.")


def _time(claims: Claims, name: str) -> int | None:
    value = claims.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 2**40:
        raise refused("This token has a date that is not a number.")
    return int(value)


def subject(claims: Claims) -> str:
    value = claims.get("sub")
    if not isinstance(value, str) or not 1 <= len(value) <= 255 or "#" in value:
        raise refused("This token names no usable subject.")
    if not value.isprintable():
        raise refused("This token names no usable subject.")
    return value


def groups(claims: Claims) -> frozenset[str]:
    value = claims.get("cognito:groups", [])
    return (
        frozenset(each for each in value if isinstance(each, str))
        if isinstance(value, list)
        else frozenset()
    )
