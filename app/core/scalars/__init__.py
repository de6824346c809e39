"""AppSync's scalars: text checked on the way in, normalised where it becomes a sort key, handed out
as stored. Also guards what GraphQL's own scalars let through: infinity and NUL in literals."""

from app.core.scalars.definitions import SCALARS, parse_decimal, parse_timestamp
from app.core.scalars.json_text import holds_more_values, read_json
from app.core.scalars.literals import CleanLiterals
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
from app.core.scalars.words import text_is_clean

__all__ = [
    "AWSJSON",
    "AWSURL",
    "SCALARS",
    "AWSDate",
    "AWSDateTime",
    "AWSEmail",
    "AWSIPAddress",
    "AWSPhone",
    "AWSTime",
    "AWSTimestamp",
    "CleanLiterals",
    "WholeNumber",
    "holds_more_values",
    "parse_decimal",
    "parse_timestamp",
    "read_json",
    "text_is_clean",
]
