"""Where clients put their credentials when they open a socket."""

import base64
from collections.abc import Mapping
from urllib.parse import parse_qs

import orjson
from starlette.types import Scope

from app.web.http import headers_of

PREFIX = "header-"
LONGEST = 16_384
OF_HTTP = ("authorization", "x-api-key", "host", "x-amz-date", "x-amz-security-token")


def lowered(fields: object) -> dict[str, str]:
    """By lower-case name: clients mix the cases, and some send a name in both."""
    if not isinstance(fields, Mapping):
        return {}
    return {str(name).lower(): value for name, value in fields.items() if isinstance(value, str)}


def from_handshake(scope: Scope) -> dict[str, str]:
    """A subprotocol `header-…`, the parameter `header`, or the headers of the request itself."""
    coded = [each[len(PREFIX) :] for each in scope["subprotocols"] if each.startswith(PREFIX)]
    coded += parse_qs(scope["query_string"].decode("latin-1")).get("header", [])
    if coded:
        return decoded(coded[0])
    return {name: value for name, value in headers_of(scope).items() if name in OF_HTTP}


def decoded(text: str) -> dict[str, str]:
    """base64 of either alphabet, with line breaks, without padding: clients are not of one mind."""
    plain = "".join(text.replace(" ", "+").split()).translate(str.maketrans("-_", "+/"))
    plain = plain.rstrip("=")
    try:
        raw = base64.b64decode(plain + "=" * (-len(plain) % 4)) if len(plain) <= LONGEST else b""
        return lowered(orjson.loads(raw))
    except ValueError:
        return {}
