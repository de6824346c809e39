"""Reads the credentials that clients send when they open a socket."""

import base64
from collections.abc import Mapping
from urllib.parse import parse_qs

import orjson
from starlette.types import Scope

from app.web.http import read_headers

SUBPROTOCOL_PREFIX = "header-"
MAX_LENGTH = 16_384
CREDENTIAL_HEADERS = ("authorization", "x-api-key", "host", "x-amz-date", "x-amz-security-token")


def lowercase_names(fields: object) -> dict[str, str]:
    """Names in lower case: clients use both cases, some for the same name."""
    if not isinstance(fields, Mapping):
        return {}
    return {str(name).lower(): value for name, value in fields.items() if isinstance(value, str)}


def handshake_credentials(scope: Scope) -> dict[str, str]:
    """From a subprotocol `header-…`, the parameter `header`, or the headers of the request."""
    encoded = [
        each[len(SUBPROTOCOL_PREFIX) :]
        for each in scope["subprotocols"]
        if each.startswith(SUBPROTOCOL_PREFIX)
    ]
    encoded += parse_qs(scope["query_string"].decode("latin-1")).get("header", [])
    if encoded:
        return decode_credentials(encoded[0])
    return {
        name: value for name, value in read_headers(scope).items() if name in CREDENTIAL_HEADERS
    }


def decode_credentials(text: str) -> dict[str, str]:
    """base64 of either alphabet, with or without line breaks and padding: clients differ."""
    plain = "".join(text.replace(" ", "+").split()).translate(str.maketrans("-_", "+/"))
    plain = plain.rstrip("=")
    try:
        raw = base64.b64decode(plain + "=" * (-len(plain) % 4)) if len(plain) <= MAX_LENGTH else b""
        return lowercase_names(orjson.loads(raw))
    except ValueError:
        return {}
