"""The scalars as GraphQL sees them."""

from collections.abc import Callable
from decimal import Decimal
from typing import TypeVar

import strawberry
from graphql import (
    FloatValueNode,
    GraphQLError,
    IntValueNode,
    StringValueNode,
    ValueNode,
    value_from_ast_untyped,
)
from strawberry.schema.types.scalar import DEFAULT_SCALAR_REGISTRY
from strawberry.types.scalar import ScalarDefinition

from app.core.scalars.addresses import read_email, read_ip_address, read_phone, read_url
from app.core.scalars.json_text import read_json_text
from app.core.scalars.numbers import read_decimal
from app.core.scalars.times import read_date, read_date_time, read_time, read_timestamp
from app.core.scalars.types import (
    AWSJSON,
    AWSURL,
    AWSDate,
    AWSDateTime,
    AWSEmail,
    AWSIPAddress,
    AWSPhone,
    AWSTime,
    AWSTimestamp,
    WholeNumber,
)
from app.core.scalars.words import echo, text_is_clean

T = TypeVar("T")
NUMBER_NODES = (IntValueNode, FloatValueNode, StringValueNode)


def _refusal(name: str, value: object, reason: object, example: str) -> GraphQLError:
    message = f"{name} cannot be {echo(value)}: {reason}. Example: {example}"
    return GraphQLError(message, extensions={"code": "BAD_INPUT"})


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


def _literal(parse: Callable[[object], T]) -> Callable[..., T]:
    """As graphql-core reads a literal; a refusal names the place in the document."""

    def parse_literal(node: ValueNode, variables: dict[str, object] | None = None) -> T:
        try:
            return parse(value_from_ast_untyped(node, variables))
        except GraphQLError as error:
            raise GraphQLError(error.message, node, extensions=error.extensions) from None

    return parse_literal


def _text_scalar(
    name: str, read: Callable[[str], str], example: str, says: str
) -> ScalarDefinition:
    parse = _parser(name, example, _text(read))
    return strawberry.scalar(
        name=name,
        description=f"{says} Example: `{example}`",
        serialize=_stored_text,
        parse_value=parse,
        parse_literal=_literal(parse),
    )


parse_timestamp = _parser("AWSTimestamp", "1767225600", read_timestamp)
parse_decimal = _parser("Decimal", '"0.30"', read_decimal)


def _decimal_literal(node: ValueNode, _variables: object = None) -> Decimal:
    # The literal's own text: as a float it would lose digits.
    try:
        return parse_decimal(node.value if isinstance(node, NUMBER_NODES) else None)
    except GraphQLError as error:
        raise GraphQLError(error.message, node, extensions=error.extensions) from None


SCALARS: dict[object, ScalarDefinition] = {
    AWSDate: _text_scalar(
        "AWSDate",
        read_date,
        "2026-01-10",
        "A calendar day, `YYYY-MM-DD`; an offset (`Z`, `±hh:mm[:ss]`) may follow and is dropped.",
    ),
    AWSTime: _text_scalar(
        "AWSTime",
        read_time,
        "12:30:24.500",
        "A time of day, `hh:mm[:ss[.fff]]`; an offset may follow. Kept as given.",
    ),
    AWSDateTime: _text_scalar(
        "AWSDateTime",
        read_date_time,
        "2026-01-10T10:00:00.000Z",
        "A moment, ISO 8601 with an offset, years 0001 to 9999."
        " Answered in UTC with milliseconds; finer digits are cut.",
    ),
    AWSTimestamp: strawberry.scalar(
        name="AWSTimestamp",
        description="Whole seconds since 1970-01-01T00:00Z, up to ±(2^53-1). Example: `1767225600`",
        serialize=_stored_integer,
        parse_value=parse_timestamp,
        parse_literal=_literal(parse_timestamp),
    ),
    AWSEmail: _text_scalar(
        "AWSEmail",
        read_email,
        "ada@example.com",
        "An e-mail address of at most 254 characters; the domain may be international.",
    ),
    AWSJSON: _text_scalar(
        "AWSJSON",
        read_json_text,
        '"{\\"a\\":1}"',
        "A string that holds JSON, at most 64 KB and 32 levels; answered without needless spaces.",
    ),
    AWSURL: _text_scalar(
        "AWSURL",
        read_url,
        "https://example.com/a?b=c",
        "A URL with its scheme, at most 2048 characters, without user name or password.",
    ),
    AWSPhone: _text_scalar(
        "AWSPhone",
        read_phone,
        "+1 415-555-2671",
        "A phone number; without + and country code it is a US number. Kept as given.",
    ),
    AWSIPAddress: _text_scalar(
        "AWSIPAddress",
        read_ip_address,
        "192.0.2.1/24",
        "An IPv4 or IPv6 address; `/prefix` may follow. Kept as given.",
    ),
    WholeNumber: DEFAULT_SCALAR_REGISTRY[float],
    Decimal: strawberry.scalar(
        name="Decimal",
        description="An exact number of at most 38 digits, given as a number or a string,"
        ' answered as a string. Example: `"0.3"`',
        serialize=_plain,
        parse_value=parse_decimal,
        parse_literal=_decimal_literal,
    ),
}
