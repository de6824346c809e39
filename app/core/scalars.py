"""AppSync's scalars: text checked on the way in, normalised where it becomes a sort key, handed out
as stored. Also guards what GraphQL's own scalars let through: infinity and NUL in literals."""

import json
import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from decimal import Context, Decimal, Inexact
from ipaddress import ip_address
from math import isinf
from typing import Any, NewType, TypeVar
from urllib.parse import urlsplit

import idna
import orjson
import phonenumbers
import strawberry
from graphql import FloatValueNode, GraphQLError, IntValueNode, StringValueNode, ValueNode
from graphql.validation import ASTValidationRule
from strawberry.types.scalar import ScalarDefinition

AWSDate = NewType("AWSDate", str)
AWSTime = NewType("AWSTime", str)
AWSDateTime = NewType("AWSDateTime", str)
AWSTimestamp = NewType("AWSTimestamp", int)
AWSEmail = NewType("AWSEmail", str)
AWSJSON = NewType("AWSJSON", str)
AWSURL = NewType("AWSURL", str)
AWSPhone = NewType("AWSPhone", str)
AWSIPAddress = NewType("AWSIPAddress", str)

T = TypeVar("T")

ECHO = 60
LARGEST_TIMESTAMP = 2**53 - 1
LONGEST_EMAIL, LONGEST_LOCAL_PART = 254, 64
LONGEST_URL, LONGEST_PHONE, LONGEST_NUMBER = 2048, 32, 160
LARGEST_JSON, DEEPEST_JSON = 64 * 1024, 32
LARGEST_EXPONENT = 100
# Python refuses to print an integer of more than 4300 digits.
LARGEST_SHOWN, LARGEST_WRITTEN = 10**40, 10**LONGEST_NUMBER
NUMBER_NODES = (IntValueNode, FloatValueNode, StringValueNode)
SCHEMES_WITH_HOST = {"http", "https", "ws", "wss", "ftp"}

# DynamoDB keeps 38 significant digits; Inexact fires when one would be lost.
DIGITS = Context(prec=38, traps=[Inexact])

DAY = r"(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})"
MINUTE = r"[0-9]{2}:[0-9]{2}"
SECOND = r":(?P<second>[0-9]{2})"
OFFSET = r"(?P<offset>Z|[+-](?:0[0-9]|1[0-8]):[0-5][0-9](?::[0-5][0-9])?)"
DATE_FORM = re.compile(f"{DAY}{OFFSET}?")
# A bare trailing dot stands in AWS's own example: 12:00:34.
TIME_FORM = re.compile(rf"(?P<clock>{MINUTE}(?:{SECOND})?)(?:(?<=:..:..)\.[0-9]{{0,9}})?{OFFSET}?")
MOMENT_FORM = re.compile(rf"{DAY}T{MINUTE}(?:{SECOND}(?:\.[0-9]{{1,9}})?)?{OFFSET}?")

LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
DOMAIN_FORM = re.compile(rf"{LABEL}(?:\.{LABEL})*")
LOCAL_FORM = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+")
URL_FORM = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\s\x00-\x1f\x7f-\x9f\\]+")
PHONE_FORM = re.compile(r"\+?[0-9][0-9 -]*")
PREFIX_FORM = re.compile(r"0|[1-9][0-9]{0,2}")
NUMBER_FORM = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?")


def text_is_clean(value: str) -> bool:
    """Whether the text can be stored and sent: no NUL and no half of a surrogate pair."""
    if "\0" in value:
        return False
    return value.isascii() or not any("\ud800" <= letter <= "\udfff" for letter in value)


def read_json(raw: str | bytes, *, deepest: int) -> object:
    """Strict JSON, or ValueError. Integers stay exact; a repeated key is refused."""
    # orjson refuses bad UTF-8, lone surrogates, NaN and overflow, but rounds integers of
    # 20 digits and lets the last of two equal keys win; the second reading does neither.
    orjson.loads(raw)
    text = raw if isinstance(raw, str) else raw.decode()
    try:
        value = json.loads(text, object_pairs_hook=_distinct)
    except RecursionError:
        raise ValueError(f"it is nested more than {deepest} levels deep") from None
    # No value is deeper than its text has brackets: most need no walk.
    if text.count("[") + text.count("{") > deepest and _is_deeper(value, deepest):
        raise ValueError(f"it is nested more than {deepest} levels deep")
    return value


def _distinct(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _is_deeper(value: object, deepest: int) -> bool:
    level = _containers([value])
    for _ in range(deepest):
        level = [child for parent in level for child in _containers(parent)]
    return bool(level)


def _containers(parent: dict[str, object] | list[object]) -> list[Any]:
    children = parent.values() if isinstance(parent, dict) else parent
    return [child for child in children if isinstance(child, dict | list)]


def _match(form: re.Pattern[str], value: str, shape: str) -> re.Match[str]:
    found = form.fullmatch(value)
    if not found:
        raise ValueError(f"it must look like {shape}")
    if found.groupdict().get("second") == "60":
        raise ValueError("leap seconds (:60) do not exist here, use :59")
    return found


def _date(value: str) -> str:
    day = _match(DATE_FORM, value, "YYYY-MM-DD, an offset may follow")["day"]
    return date.fromisoformat(day).isoformat()


def _time(value: str) -> str:
    clock = _match(TIME_FORM, value, "hh:mm[:ss[.fff]], an offset may follow")["clock"]
    time.fromisoformat(clock)
    return value


def _date_time(value: str) -> str:
    found = _match(MOMENT_FORM, value, "YYYY-MM-DDThh:mm[:ss[.fff]] and an offset")
    if not found["offset"]:
        raise ValueError("the offset is missing: end it with Z or ±hh:mm")
    try:
        moment = datetime.fromisoformat(value).astimezone(UTC)
    except OverflowError:
        raise ValueError("in UTC it lies outside the years 0001 to 9999") from None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _email(value: str) -> str:
    local, at, domain = value.rpartition("@")
    if len(value) > LONGEST_EMAIL or len(local) > LONGEST_LOCAL_PART:
        raise ValueError(f"it is longer than {LONGEST_EMAIL} (before the @: {LONGEST_LOCAL_PART})")
    if not (at and LOCAL_FORM.fullmatch(local) and DOMAIN_FORM.fullmatch(_ascii_domain(domain))):
        raise ValueError("it must look like name@domain, without spaces")
    return value


def _ascii_domain(domain: str) -> str:
    if domain.isascii():
        return domain
    try:
        return idna.encode(domain, uts46=True, std3_rules=True).decode()
    except idna.IDNAError:
        raise ValueError("its domain is no valid international name") from None


def _json(value: str) -> str:
    if len(value) > LARGEST_JSON or len(value.encode("utf-8", "replace")) > LARGEST_JSON:
        raise ValueError(f"it is larger than {LARGEST_JSON // 1024} KB")
    try:
        read = read_json(value, deepest=DEEPEST_JSON)
    except orjson.JSONDecodeError as error:
        raise ValueError(f"the string holds no valid JSON ({error.msg})") from None
    return json.dumps(read, ensure_ascii=False, separators=(",", ":"))


def _url(value: str) -> str:
    if len(value) > LONGEST_URL:
        raise ValueError(f"it is longer than {LONGEST_URL} characters")
    if not URL_FORM.fullmatch(value):
        raise ValueError("it must start with a scheme and hold no spaces or control characters")
    _check_parts(value)
    return value


def _check_parts(value: str) -> None:
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise ValueError("its host or port is not valid") from None
    if "@" in parts.netloc:
        raise ValueError("it must not carry a user name or password")
    if parts.scheme in SCHEMES_WITH_HOST and not host:
        raise ValueError("its host is missing")
    if "//" in parts.path:
        raise ValueError("its path must not hold //")


def _phone(value: str) -> str:
    if len(value) > LONGEST_PHONE or not PHONE_FORM.fullmatch(value):
        raise ValueError("it must be digits, spaces and hyphens, + and country code may lead")
    try:
        number = phonenumbers.parse(value, "US")
    except phonenumbers.NumberParseException:
        raise ValueError("no country has such a number") from None
    if not phonenumbers.is_valid_number(number):
        raise ValueError("no country has such a number (without + it is read as a US number)")
    return value


def _ip_address(value: str) -> str:
    host, slash, prefix = value.partition("/")
    try:
        # "%" would be a zone, which means something on one machine only.
        address = ip_address(host if "%" not in host else "")
    except ValueError:
        raise ValueError("it must be an IPv4 or IPv6 address, /prefix may follow") from None
    if slash and not (PREFIX_FORM.fullmatch(prefix) and int(prefix) <= address.max_prefixlen):
        raise ValueError(f"its prefix must be 0 to {address.max_prefixlen}")
    return value


def _timestamp(value: object) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("it must be an integer")
    if abs(value) > LARGEST_TIMESTAMP:
        raise ValueError("it must lie between -(2^53-1) and 2^53-1")
    return value


def _decimal(value: object) -> Decimal:
    text = _written(value)
    if not (isinstance(text, str) and len(text) <= LONGEST_NUMBER and NUMBER_FORM.fullmatch(text)):
        raise ValueError("it must be a finite number, or a string holding one")
    return _fitting(Decimal(text))


def _written(value: object) -> object:
    # repr, because a JSON 0.1 arrives as a float and means 0.1.
    if type(value) is float or (type(value) is int and abs(value) < LARGEST_WRITTEN):
        return repr(value)
    return value


def _fitting(number: Decimal) -> Decimal:
    try:
        short = DIGITS.normalize(number)
    except Inexact:
        raise ValueError(f"it has more than {DIGITS.prec} digits") from None
    if not short:
        return Decimal(0)
    if abs(short.adjusted()) > LARGEST_EXPONENT:
        raise ValueError(f"its exponent lies beyond ±{LARGEST_EXPONENT}")
    return short


def _refusal(name: str, value: object, reason: object, example: str) -> GraphQLError:
    message = f"{name} cannot be {_echo(value)}: {reason}. Example: {example}"
    return GraphQLError(message, extensions={"code": "BAD_INPUT"})


def _echo(value: object) -> str:
    if isinstance(value, dict | list):
        return "an object" if isinstance(value, dict) else "a list"
    if isinstance(value, int) and abs(value) > LARGEST_SHOWN:
        return "so large a number"
    text = value if isinstance(value, str) else json.dumps(value)
    return repr(text if len(text) <= ECHO else f"{text[:ECHO]}…")


def _text(read: Callable[[str], str]) -> Callable[[object], str]:
    def check(value: object) -> str:
        if not isinstance(value, str):
            raise ValueError("it must be a string")
        if not text_is_clean(value):
            raise ValueError("it holds a NUL or half of a surrogate pair")
        return read(value)

    return check


def _parser(name: str, example: str, read: Callable[[object], T]) -> Callable[[object], T]:
    def parse(value: object) -> T:
        try:
            return read(value)
        except ValueError as error:
            raise _refusal(name, value, error, example) from None

    return parse


def _stored_text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError(f"a text scalar holds {type(value).__name__}")


def _stored_integer(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise TypeError(f"AWSTimestamp holds {type(value).__name__}")


def _plain(value: object) -> str:
    if not (isinstance(value, Decimal) and value.is_finite()):
        raise TypeError(f"Decimal holds {type(value).__name__}")
    text = format(value, "f") if value else "0"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _text_scalar(
    name: str, read: Callable[[str], str], example: str, says: str
) -> ScalarDefinition:
    return strawberry.scalar(
        name=name,
        description=f"{says} Example: `{example}`",
        serialize=_stored_text,
        parse_value=_parser(name, example, _text(read)),
    )


parse_timestamp = _parser("AWSTimestamp", "1767225600", _timestamp)
parse_decimal = _parser("Decimal", '"0.30"', _decimal)


def _decimal_literal(node: ValueNode, _variables: object = None) -> Decimal:
    # The literal's own text: as a float it would lose digits.
    return parse_decimal(node.value if isinstance(node, NUMBER_NODES) else None)


SCALARS: dict[object, ScalarDefinition] = {
    AWSDate: _text_scalar(
        "AWSDate",
        _date,
        "2026-01-10",
        "A calendar day, `YYYY-MM-DD`; an offset (`Z`, `±hh:mm[:ss]`) may follow and is dropped.",
    ),
    AWSTime: _text_scalar(
        "AWSTime",
        _time,
        "12:30:24.500",
        "A time of day, `hh:mm[:ss[.fff]]`; an offset may follow. Kept as given.",
    ),
    AWSDateTime: _text_scalar(
        "AWSDateTime",
        _date_time,
        "2026-01-10T10:00:00.000Z",
        "A moment, ISO 8601 with an offset, years 0001 to 9999."
        " Answered in UTC with milliseconds; finer digits are cut.",
    ),
    AWSTimestamp: strawberry.scalar(
        name="AWSTimestamp",
        description="Whole seconds since 1970-01-01T00:00Z, up to ±(2^53-1). Example: `1767225600`",
        serialize=_stored_integer,
        parse_value=parse_timestamp,
    ),
    AWSEmail: _text_scalar(
        "AWSEmail",
        _email,
        "ada@example.com",
        "An e-mail address of at most 254 characters; the domain may be international.",
    ),
    AWSJSON: _text_scalar(
        "AWSJSON",
        _json,
        '"{\\"a\\":1}"',
        "A string that holds JSON, at most 64 KB and 32 levels; answered without needless spaces.",
    ),
    AWSURL: _text_scalar(
        "AWSURL",
        _url,
        "https://example.com/a?b=c",
        "A URL with its scheme, at most 2048 characters, without user name or password.",
    ),
    AWSPhone: _text_scalar(
        "AWSPhone",
        _phone,
        "+1 415-555-2671",
        "A phone number; without + and country code it is a US number. Kept as given.",
    ),
    AWSIPAddress: _text_scalar(
        "AWSIPAddress",
        _ip_address,
        "192.0.2.1/24",
        "An IPv4 or IPv6 address; `/prefix` may follow. Kept as given.",
    ),
    Decimal: strawberry.scalar(
        name="Decimal",
        description="An exact number of at most 38 digits, given as a number or a string,"
        ' answered as a string. Example: `"0.3"`',
        serialize=_plain,
        parse_value=parse_decimal,
        parse_literal=_decimal_literal,
    ),
}


class CleanLiterals(ASTValidationRule):
    """Refuses literals that GraphQL's own scalars would let through: infinite numbers, NUL."""

    def enter_float_value(self, node: FloatValueNode, *_: object) -> None:
        self._check_number(node)

    def enter_int_value(self, node: IntValueNode, *_: object) -> None:
        self._check_number(node)

    def enter_string_value(self, node: StringValueNode, *_: object) -> None:
        if not text_is_clean(node.value):
            self._refuse(node, "A string holds a NUL or half of a surrogate pair.")

    def _check_number(self, node: FloatValueNode | IntValueNode) -> None:
        if isinf(float(node.value)):
            shown = _echo(node.value)
            self._refuse(node, f"The number {shown} is too large. Example: 1.5e300")

    def _refuse(self, node: ValueNode, message: str) -> None:
        self.report_error(GraphQLError(message, node, extensions={"code": "BAD_INPUT"}))
