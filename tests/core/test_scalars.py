"""AppSync's scalars through a real schema: as literals, as variables, and back."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
import strawberry
from graphql import GraphQLError, build_schema, parse, validate
from hypothesis import given
from hypothesis import strategies as st
from strawberry.schema.config import StrawberryConfig

from app.core.scalars import (
    AWSJSON,
    AWSURL,
    SCALARS,
    AWSDate,
    AWSDateTime,
    AWSEmail,
    AWSIPAddress,
    AWSPhone,
    AWSTime,
    AWSTimestamp,
    CleanLiterals,
    WholeNumber,
    parse_decimal,
    read_json,
    text_is_clean,
)


@strawberry.type
class Query:
    @strawberry.field
    def date(self, v: AWSDate) -> AWSDate:
        return v

    @strawberry.field
    def time(self, v: AWSTime) -> AWSTime:
        return v

    @strawberry.field
    def moment(self, v: AWSDateTime) -> AWSDateTime:
        return v

    @strawberry.field
    def timestamp(self, v: AWSTimestamp) -> AWSTimestamp:
        return v

    @strawberry.field
    def email(self, v: AWSEmail) -> AWSEmail:
        return v

    @strawberry.field
    def json(self, v: AWSJSON) -> AWSJSON:
        return v

    @strawberry.field
    def url(self, v: AWSURL) -> AWSURL:
        return v

    @strawberry.field
    def phone(self, v: AWSPhone) -> AWSPhone:
        return v

    @strawberry.field
    def ip(self, v: AWSIPAddress) -> AWSIPAddress:
        return v

    @strawberry.field
    def decimal(self, v: Decimal) -> Decimal:
        return v

    @strawberry.field
    def number(self, v: float) -> str:
        return repr(v)

    @strawberry.field
    def id(self, v: strawberry.ID) -> strawberry.ID:
        return v


TYPES = {
    "date": "AWSDate",
    "time": "AWSTime",
    "moment": "AWSDateTime",
    "timestamp": "AWSTimestamp",
    "email": "AWSEmail",
    "json": "AWSJSON",
    "url": "AWSURL",
    "phone": "AWSPhone",
    "ip": "AWSIPAddress",
    "decimal": "Decimal",
    "number": "Float",
    "id": "ID",
}
schema = strawberry.Schema(Query, config=StrawberryConfig(scalar_map=SCALARS))


@dataclass(frozen=True)
class Answer:
    value: object
    errors: list[GraphQLError]

    @property
    def told(self) -> str:
        (error,) = self.errors
        assert (error.extensions or {})["code"] == "BAD_INPUT"
        return error.message


def run(text: str, variables: dict[str, Any] | None = None) -> Answer:
    result = schema.execute_sync(text, variable_values=variables)
    (value,) = (result.data or {"": None}).values()
    return Answer(value, result.errors or [])


def send(field: str, value: object) -> Answer:
    return run(f"query ($v: {TYPES[field]}!) {{ {field}(v: $v) }}", {"v": value})


def write(field: str, literal: str) -> Answer:
    return run(f"{{ {field}(v: {literal}) }}")


def parser(scalar: object) -> Callable[[object], Any]:
    found = SCALARS[scalar].parse_value
    assert found is not None
    return found


def refusal(scalar: object, value: object) -> str | None:
    try:
        parser(scalar)(value)
    except GraphQLError as refused:
        return refused.message
    return None


def told(scalar: object, value: object) -> str:
    with pytest.raises(GraphQLError) as refused:
        parser(scalar)(value)
    assert refused.value.extensions == {"code": "BAD_INPUT"}
    return refused.value.message


ACCEPTED = [
    ("date", "2026-01-10", "2026-01-10"),
    ("date", "2024-02-29", "2024-02-29"),
    ("date", "2026-01-10Z", "2026-01-10"),
    ("date", "2026-01-10+05:30", "2026-01-10"),
    ("date", "2026-01-10-08:00:30", "2026-01-10"),
    ("date", "0001-01-01", "0001-01-01"),
    ("date", "9999-12-31", "9999-12-31"),
    ("time", "12:30", "12:30"),
    ("time", "12:00:34.", "12:00:34."),
    ("time", "12:30:24.123456789", "12:30:24.123456789"),
    ("time", "23:59:59Z", "23:59:59Z"),
    ("time", "00:00:00.5-07:00", "00:00:00.5-07:00"),
    ("time", "12:30+05:30:15", "12:30+05:30:15"),
    ("moment", "2026-01-10T10:00:00Z", "2026-01-10T10:00:00.000Z"),
    ("moment", "2026-01-10T10:00Z", "2026-01-10T10:00:00.000Z"),
    ("moment", "2026-01-10T10:00:00.1Z", "2026-01-10T10:00:00.100Z"),
    ("moment", "2026-01-10T10:00:00.999999999Z", "2026-01-10T10:00:00.999Z"),
    ("moment", "2026-01-10T00:30:00+05:30", "2026-01-09T19:00:00.000Z"),
    ("moment", "2026-03-29T02:30:00+01:00", "2026-03-29T01:30:00.000Z"),
    ("moment", "2026-01-10T10:00:00-00:00:30", "2026-01-10T10:00:30.000Z"),
    ("moment", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
    ("moment", "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    ("timestamp", 0, 0),
    ("timestamp", -1, -1),
    ("timestamp", 1_767_225_600_000, 1_767_225_600_000),
    ("timestamp", 2**53 - 1, 2**53 - 1),
    ("timestamp", -(2**53) + 1, -(2**53) + 1),
    ("timestamp", 5.0, 5),
    ("email", "ada@example.com", "ada@example.com"),
    ("email", "Ada+tag@Example.COM", "Ada+tag@Example.COM"),
    ("email", "root@localhost", "root@localhost"),
    ("email", "ada@bücher.example", "ada@bücher.example"),
    ("email", "a" * 64 + "@example.com", "a" * 64 + "@example.com"),
    ("json", '{"b": 1, "a": [true, null]}', '{"b":1,"a":[true,null]}'),
    ("json", " 1.50 ", "1.5"),
    ("json", '"x"', '"x"'),
    ("json", "null", "null"),
    ("json", '"\\u00fc 👩\\u200d🚀"', '"ü 👩\u200d🚀"'),
    ("json", "123456789012345678901234567890", "123456789012345678901234567890"),
    ("json", "[" * 32 + "]" * 32, "[" * 32 + "]" * 32),
    ("url", "https://example.com/a?b=c//d#e", "https://example.com/a?b=c//d#e"),
    ("url", "http://localhost:8000", "http://localhost:8000"),
    ("url", "mailto:ada@example.com", "mailto:ada@example.com"),
    ("url", "https://[::1]:8080/x", "https://[::1]:8080/x"),
    ("url", "https://bücher.example/ü", "https://bücher.example/ü"),
    ("phone", "+1 415-555-2671", "+1 415-555-2671"),
    ("phone", "415 555 2671", "415 555 2671"),
    ("phone", "+4930901820", "+4930901820"),
    ("ip", "192.0.2.1", "192.0.2.1"),
    ("ip", "192.0.2.1/24", "192.0.2.1/24"),
    ("ip", "0.0.0.0/0", "0.0.0.0/0"),
    ("ip", "::1", "::1"),
    ("ip", "2001:DB8::1/128", "2001:DB8::1/128"),
    ("ip", "::ffff:192.0.2.1", "::ffff:192.0.2.1"),
    ("decimal", 0.1, "0.1"),
    ("decimal", 0.1 + 0.2, "0.30000000000000004"),
    ("decimal", "0.30", "0.3"),
    ("decimal", 100, "100"),
    ("decimal", "1e2", "100"),
    ("decimal", -0.0, "0"),
    ("decimal", "-0.00", "0"),
    ("decimal", 1e-7, "0.0000001"),
    ("decimal", "9" * 38, "9" * 38),
    ("decimal", "-" + "9" * 19 + "." + "9" * 19, "-" + "9" * 19 + "." + "9" * 19),
    ("decimal", 2**64, "18446744073709551616"),
    ("decimal", "1e100", "1" + "0" * 100),
    ("id", 10**20, "100000000000000000000"),
]


@pytest.mark.parametrize(("field", "value", "out"), ACCEPTED)
def test_a_variable_goes_in_and_comes_out(field: str, value: object, out: object) -> None:
    assert send(field, value) == Answer(out, [])


@pytest.mark.parametrize(
    ("field", "value", "out"), [case for case in ACCEPTED if isinstance(case[1], str | int)]
)
def test_a_literal_means_what_the_variable_means(field: str, value: object, out: object) -> None:
    literal = json.dumps(value, ensure_ascii=False)
    assert write(field, literal) == Answer(out, [])


REFUSED = [
    (AWSDate, "2026-02-30", "day is out of range for month"),
    (AWSDate, "2026-13-01", "month must be in 1..12"),
    (AWSDate, "0000-01-01", "year 0 is out of range"),
    (AWSDate, "10000-01-01", "it must look like YYYY-MM-DD, an offset may follow"),
    (AWSDate, "2026-1-1", "it must look like"),
    (AWSDate, "2026-01-10\n", "it must look like"),
    (AWSDate, "\uff12026-01-10", "it must look like"),
    (AWSDate, "2026-01-10+25:00", "it must look like"),
    (AWSDate, "2026-W02-6", "it must look like"),
    (AWSDate, "", "it must look like"),
    (AWSTime, "24:00", "hour must be in 0..23"),
    (AWSTime, "12:60", "minute must be in 0..59"),
    (AWSTime, "23:59:60", "leap seconds (:60) do not exist here, use :59"),
    (AWSTime, "12:30.5", "it must look like hh:mm[:ss[.fff]], an offset may follow"),
    (AWSTime, "12:30:24.1234567890", "it must look like"),
    (AWSTime, "noon", "it must look like"),
    (AWSDateTime, "2026-01-10T10:00:00", "the offset is missing: end it with Z or ±hh:mm"),
    (AWSDateTime, "2026-01-10", "it must look like YYYY-MM-DDThh:mm[:ss[.fff]] and an offset"),
    (AWSDateTime, "2026-01-10 10:00:00Z", "it must look like"),
    (AWSDateTime, "2026-01-10T10:00:00.Z", "it must look like"),
    (AWSDateTime, "2016-12-31T23:59:60Z", "leap seconds (:60) do not exist here, use :59"),
    (AWSDateTime, "2026-02-29T10:00:00Z", "day is out of range for month"),
    (AWSDateTime, "0000-01-01T00:00:00Z", "year 0 is out of range"),
    (AWSDateTime, "10000-01-01T00:00:00Z", "it must look like"),
    (AWSDateTime, "-0001-01-01T00:00:00Z", "it must look like"),
    (AWSDateTime, "0001-01-01T00:00:00+01:00", "in UTC it lies outside the years 0001 to 9999"),
    (AWSDateTime, "9999-12-31T23:59:59-01:00", "in UTC it lies outside the years 0001 to 9999"),
    (AWSTimestamp, True, "it must be an integer"),
    (AWSTimestamp, 1.5, "it must be an integer"),
    (AWSTimestamp, "1", "it must be an integer"),
    (AWSTimestamp, 2**53, "it must lie between -(2^53-1) and 2^53-1"),
    (AWSTimestamp, -(2**53), "it must lie between"),
    (AWSTimestamp, 1e300, "it must lie between"),
    (AWSEmail, "ada@example.com\n", "it must look like name@domain, without spaces"),
    (AWSEmail, " ada@example.com", "it must look like"),
    (AWSEmail, "ada", "it must look like"),
    (AWSEmail, "ada@", "it must look like"),
    (AWSEmail, "@example.com", "it must look like"),
    (AWSEmail, "a@b@example.com", "it must look like"),
    (AWSEmail, "ada@exa_mple.com", "it must look like"),
    (AWSEmail, "ada@-example.com", "it must look like"),
    (AWSEmail, "ada@example..com", "it must look like"),
    (AWSEmail, "ädä@example.com", "it must look like"),
    (AWSEmail, "ada@bü cher.example", "its domain is no valid international name"),
    (AWSEmail, "a" * 65 + "@example.com", "it is longer than 254 (before the @: 64)"),
    (AWSEmail, "ada@" + "a." * 130 + "com", "it is longer than 254 (before the @: 64)"),
    (AWSJSON, "{a: 1}", "the string holds no valid JSON"),
    (AWSJSON, "", "the string holds no valid JSON"),
    (AWSJSON, "NaN", "the string holds no valid JSON"),
    (AWSJSON, "[Infinity]", "the string holds no valid JSON"),
    (AWSJSON, "1e400", "the string holds no valid JSON"),
    (AWSJSON, '"\\ud800"', "the string holds no valid JSON"),
    (AWSJSON, '{"a": 1, "a": 2}', "a key stands twice in one object"),
    (AWSJSON, "[" * 33 + "]" * 33, "it is nested more than 32 levels deep"),
    (AWSJSON, "[" * 30_000 + "]" * 30_000, "the string holds no valid JSON"),
    (AWSJSON, '"' + "x" * 65_535 + '"', "it is larger than 64 KB"),
    (AWSJSON, '"' + "ü" * 40_000 + '"', "it is larger than 64 KB"),
    (AWSJSON, {"a": 1}, "it must be a string"),
    (AWSJSON, [1], "it must be a string"),
    (AWSJSON, 1, "it must be a string"),
    (AWSJSON, True, "it must be a string"),
    (AWSURL, "example.com/a", "it must start with a scheme and hold no spaces"),
    (AWSURL, "//example.com", "it must start with a scheme"),
    (AWSURL, "https:", "it must start with a scheme"),
    (AWSURL, "https://example.com/a b", "it must start with a scheme"),
    (AWSURL, "https://example.com/\n", "it must start with a scheme"),
    (AWSURL, "https://example.com\\@evil", "it must start with a scheme"),
    (AWSURL, "https://example.com//a", "its path must not hold //"),
    (AWSURL, "https:///a", "its host is missing"),
    (AWSURL, "https://user:secret@example.com", "it must not carry a user name or password"),
    (AWSURL, "https://user@example.com", "it must not carry a user name or password"),
    (AWSURL, "https://[::1", "its host or port is not valid"),
    (AWSURL, "https://example.com:99999", "its host or port is not valid"),
    (AWSURL, "https://example.com/" + "a" * 2_048, "it is longer than 2048 characters"),
    (AWSPhone, "12", "no country has such a number (without + it is read as a US number)"),
    (AWSPhone, "+999 123 456", "no country has such a number"),
    (AWSPhone, "+1", "no country has such a number"),
    (AWSPhone, "phone", "it must be digits, spaces and hyphens"),
    (AWSPhone, "+1 415-555-2671\n", "it must be digits, spaces and hyphens"),
    (AWSPhone, "\uff14155552671", "it must be digits, spaces and hyphens"),
    (AWSPhone, "4" * 33, "it must be digits, spaces and hyphens"),
    (AWSIPAddress, "256.0.0.1", "it must be an IPv4 or IPv6 address, /prefix may follow"),
    (AWSIPAddress, "0x7f000001", "it must be an IPv4 or IPv6 address"),
    (AWSIPAddress, "2130706433", "it must be an IPv4 or IPv6 address"),
    (AWSIPAddress, "127.0.0.01", "it must be an IPv4 or IPv6 address"),
    (AWSIPAddress, "[::1]", "it must be an IPv4 or IPv6 address"),
    (AWSIPAddress, "fe80::1%eth0", "it must be an IPv4 or IPv6 address"),
    (AWSIPAddress, "192.0.2.1/33", "its prefix must be 0 to 32"),
    (AWSIPAddress, "192.0.2.1/", "its prefix must be 0 to 32"),
    (AWSIPAddress, "192.0.2.1/255.255.255.0", "its prefix must be 0 to 32"),
    (AWSIPAddress, "::1/129", "its prefix must be 0 to 128"),
    (AWSIPAddress, "192.0.2.1\n", "it must be an IPv4 or IPv6 address"),
    (Decimal, float("nan"), "it must be a finite number, or a string holding one"),
    (Decimal, float("inf"), "it must be a finite number"),
    (Decimal, "NaN", "it must be a finite number"),
    (Decimal, "Infinity", "it must be a finite number"),
    (Decimal, "", "it must be a finite number"),
    (Decimal, " 1", "it must be a finite number"),
    (Decimal, "1_000", "it must be a finite number"),
    (Decimal, "\u0661", "it must be a finite number"),
    (Decimal, True, "it must be a finite number"),
    (Decimal, [1], "it must be a finite number"),
    (Decimal, "9" * 39, "it has more than 38 digits"),
    (Decimal, "0." + "1" * 39, "it has more than 38 digits"),
    (Decimal, "1e101", "its exponent lies beyond ±100"),
    (Decimal, "1e-101", "its exponent lies beyond ±100"),
    (Decimal, "1e9999", "its exponent lies beyond ±100"),
    (Decimal, 1e300, "its exponent lies beyond ±100"),
]
TEXTS = [scalar for scalar in SCALARS if scalar not in (AWSTimestamp, Decimal, WholeNumber)]


@pytest.mark.parametrize(("scalar", "value", "reason"), REFUSED, ids=lambda part: str(part)[:24])
def test_a_wrong_value_is_refused_with_its_reason(
    scalar: object, value: object, reason: str
) -> None:
    assert f": {reason}" in told(scalar, value)


def test_a_number_too_long_to_print_is_refused() -> None:
    assert ": it must lie between" in told(AWSTimestamp, 10**5_000)
    assert ": it must be a finite number" in told(Decimal, 10**5_000)


def test_the_message_shows_what_was_wrong_and_what_would_be_right() -> None:
    assert told(AWSDate, "2026-02-30") == (
        "AWSDate cannot be '2026-02-30': day is out of range for month. Example: 2026-01-10"
    )


def test_the_input_is_echoed_up_to_60_characters() -> None:
    assert f"cannot be '{'x' * 60}…':" in told(AWSEmail, "x" * 1_000_000)
    assert "cannot be an object:" in told(AWSEmail, {"x" * 100: 1})
    assert "cannot be a list:" in told(AWSEmail, ["x" * 100])
    assert "cannot be so large a number:" in told(AWSEmail, 10**5_000)


def test_a_control_character_is_echoed_escaped() -> None:
    assert r"cannot be 'a\x1b[31m\r\n':" in told(AWSEmail, "a\x1b[31m\r\n")


@pytest.mark.parametrize("scalar", TEXTS, ids=str)
@pytest.mark.parametrize("value", [1, 1.5, True, {"a": 1}, ["a"]])
def test_text_scalars_take_strings_only(scalar: object, value: object) -> None:
    assert ": it must be a string." in told(scalar, value)


@pytest.mark.parametrize("scalar", TEXTS, ids=str)
@pytest.mark.parametrize("value", ["a\0", "\ud800"])
def test_text_scalars_refuse_nul_and_surrogates(scalar: object, value: str) -> None:
    assert ": it holds a NUL or half of a surrogate pair." in told(scalar, value)


def test_a_refused_variable_reaches_the_client_with_its_code() -> None:
    assert "AWSDate cannot be '2026-02-30'" in send("date", "2026-02-30").told
    assert "AWSJSON cannot be an object: it must be a string" in send("json", {"a": 1}).told
    assert "AWSTimestamp cannot be 'true'" in send("timestamp", True).told


def test_a_refused_literal_reaches_the_client_with_its_code() -> None:
    assert "AWSDate cannot be '2026-02-30'" in write("date", '"2026-02-30"').told
    assert "AWSJSON cannot be an object: it must be a string" in write("json", "{a: 1}").told
    assert "AWSEmail cannot be 'FOO'" in write("email", "FOO").told
    assert "Decimal cannot be" in write("decimal", "[1]").told
    assert "Decimal cannot be" in write("decimal", "{a: 1}").told


def test_a_decimal_literal_keeps_every_digit() -> None:
    exact = "0.12345678901234567890123456789012345678"
    assert write("decimal", exact).value == exact
    assert write("decimal", "1e2").value == "100"


def test_a_decimal_fits_the_store() -> None:
    assert parse_decimal("1" + "0" * 100).as_tuple().digits == (1,)


@pytest.mark.parametrize(
    ("scalar", "value"),
    [
        (AWSDate, 1),
        (AWSJSON, {"a": 1}),
        (AWSTimestamp, "1"),
        (AWSTimestamp, True),
        (Decimal, 0.5),
        (Decimal, Decimal("NaN")),
    ],
)
def test_a_wrong_stored_value_is_a_fault_of_ours(scalar: object, value: object) -> None:
    serialize = SCALARS[scalar].serialize
    assert serialize is not None
    with pytest.raises(TypeError):
        serialize(value)


def test_stored_text_is_handed_out_as_it_is() -> None:
    serialize = SCALARS[AWSDateTime].serialize
    assert serialize is not None
    text = "2026-01-10T10:00:00.000Z"
    assert serialize(text) is text


def test_every_scalar_is_in_the_schema_with_a_description() -> None:
    names = {definition.name for definition in SCALARS.values()}
    # A WholeNumber is a Float in the schema: clients know no larger integers.
    own = names - {"Float"}
    assert own == set(TYPES.values()) - {"Float", "ID"}
    assert all(definition.description for definition in SCALARS.values())
    assert all(f"scalar {name}" in schema.as_str() for name in own)


@given(
    st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9999, 12, 30)),  # noqa: DTZ001
    st.integers(-18 * 60, 18 * 60),
)
def test_moments_sort_as_text_and_are_stable(moment: datetime, minutes: int) -> None:
    aware = moment.replace(tzinfo=timezone(timedelta(minutes=minutes)))
    once = parser(AWSDateTime)(aware.isoformat())
    assert parser(AWSDateTime)(once) == once
    assert len(once) == 24
    in_utc = aware.astimezone(UTC)
    cut = in_utc.replace(microsecond=in_utc.microsecond // 1000 * 1000)
    assert datetime.fromisoformat(once) == cut


@given(st.dates())
def test_dates_are_stable(day: object) -> None:
    assert parser(AWSDate)(str(day)) == str(day)


@given(st.decimals(allow_nan=False, allow_infinity=False))
def test_a_decimal_comes_back_equal_or_is_refused(number: Decimal) -> None:
    serialize = SCALARS[Decimal].serialize
    assert serialize is not None
    text = format(number, "f")
    if refusal(Decimal, text):
        return
    read = parse_decimal(text)
    assert read == number
    assert parse_decimal(serialize(read)) == read
    assert "E" not in serialize(read)


@given(st.floats(-1e90, 1e90))
def test_a_float_becomes_the_number_it_is_written_as(number: float) -> None:
    refused = refusal(Decimal, number)
    if refused:
        assert abs(number) < 1e-100
        assert ": its exponent lies beyond ±100" in refused
    else:
        assert parse_decimal(number) == Decimal(repr(number))


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(ANYTHING)
def test_json_means_the_same_and_is_stable(value: object) -> None:
    text = json.dumps(value, indent=2)
    if refusal(AWSJSON, text):
        assert "\\ud" in text
        return
    once = parser(AWSJSON)(text)
    assert json.loads(once) == value
    assert parser(AWSJSON)(once) == once


@pytest.mark.parametrize("scalar", SCALARS, ids=str)
@given(st.one_of(st.text(), ANYTHING))
def test_no_input_raises_anything_but_a_refusal(scalar: object, value: object) -> None:
    assert len(refusal(scalar, value) or "") < 500


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("", True),
        ("plain", True),
        ("ü 👩‍🚀 \u202e" + "\u0301" * 10_000, True),
        ("a\0b", False),
        ("ü\0", False),
        ("\ud800", False),
        ("ü\udfff", False),
    ],
)
def test_clean_text(text: str, clean: bool) -> None:
    assert text_is_clean(text) is clean


def test_read_json_refuses_what_the_stack_cannot_hold() -> None:
    with pytest.raises(ValueError, match="nested more than 1000 levels"):
        read_json("[" * 1_020 + "]" * 1_020, deepest=1_000)


LITERALS = build_schema("type Query { f(x: Float, i: Int, s: String, l: [Float]): String }")


def literal_refusals(text: str) -> list[str]:
    errors = validate(LITERALS, parse(text), [CleanLiterals])
    assert all((error.extensions or {})["code"] == "BAD_INPUT" for error in errors)
    return [error.message for error in errors]


@pytest.mark.parametrize(
    "text",
    [
        "{ f(x: 1e400) }",
        "{ f(x: -1e400) }",
        "{ f(l: [1, 1e400]) }",
        "query ($x: Float = 1e400) { f(x: $x) }",
        "{ f(x: " + "9" * 400 + ") }",
        "{ f(i: " + "9" * 5_000 + ") }",
        '{ f(s: "\\u0000") }',
    ],
    ids=lambda text: text[:30],
)
def test_infinite_numbers_and_nul_are_refused_in_literals(text: str) -> None:
    assert len(literal_refusals(text)) == 1


def test_the_refused_number_is_named() -> None:
    assert literal_refusals("{ f(x: 1e400) }") == [
        "The number '1e400' is too large. Example: 1.5e300"
    ]


def test_ordinary_literals_pass() -> None:
    assert literal_refusals('{ f(x: 1.5e300, i: 2147483647, s: "ü", l: [-0.0, 1]) }') == []


@pytest.mark.parametrize("value", [1e400, float("nan"), True, "1"])
def test_a_float_variable_is_never_infinite(value: object) -> None:
    answer = send("number", value)
    assert answer.value is None
    assert len(answer.errors) == 1


@pytest.mark.parametrize("value", [True, 1.5, {"a": 1}, ["a"]])
def test_an_id_is_text_or_an_integer(value: object) -> None:
    answer = send("id", value)
    assert answer.value is None
    assert len(answer.errors) == 1
