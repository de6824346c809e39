"""Days, times and moments."""

import re
from datetime import UTC, date, datetime, time

LARGEST_TIMESTAMP = 2**53 - 1

DAY = r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
MINUTE = r"[0-9]{2}:[0-9]{2}"
SECOND = r":(?P<second>[0-9]{2})"
OFFSET = r"(?P<offset>Z|[+-](?:0[0-9]|1[0-8]):[0-5][0-9](?::[0-5][0-9])?)"
DATE_FORM = re.compile(f"{DAY}{OFFSET}?")
# A bare trailing dot stands in AWS's own example: 12:00:34.
TIME_FORM = re.compile(rf"(?P<clock>{MINUTE}(?:{SECOND})?)(?:(?<=:..:..)\.[0-9]{{0,9}})?{OFFSET}?")
MOMENT_FORM = re.compile(rf"{DAY}T{MINUTE}(?:{SECOND}(?:\.[0-9]{{1,9}})?)?{OFFSET}?")


def _match(form: re.Pattern[str], value: str, shape: str) -> re.Match[str]:
    found = form.fullmatch(value)
    if not found:
        raise ValueError(f"it must look like {shape}")
    if found.groupdict().get("second") == "60":
        raise ValueError("leap seconds (:60) do not exist here, use :59")
    return found


def read_date(value: str) -> str:
    day = _match(DATE_FORM, value, "YYYY-MM-DD, an offset may follow")["day"]
    return date.fromisoformat(day).isoformat()


def read_time(value: str) -> str:
    clock = _match(TIME_FORM, value, "hh:mm[:ss[.fff]], an offset may follow")["clock"]
    time.fromisoformat(clock)
    return value


def read_date_time(value: str) -> str:
    found = _match(MOMENT_FORM, value, "YYYY-MM-DDThh:mm[:ss[.fff]] and an offset")
    if not found["offset"]:
        raise ValueError("the offset is missing: end it with Z or ±hh:mm")
    try:
        moment = datetime.fromisoformat(value).astimezone(UTC)
    except OverflowError:
        raise ValueError("in UTC it lies outside the years 0001 to 9999") from None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_timestamp(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("it must be an integer")
    if abs(value) > LARGEST_TIMESTAMP:
        raise ValueError("it must lie between -(2^53-1) and 2^53-1")
    return value
