"""IAM: requests signed with AWS Signature Version 4 for the service `appsync`."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, quote

from app.core.caller import Access, Caller
from app.core.clock import Clock, epoch
from app.core.errors import Unauthenticated

ALGORITHM = "AWS4-HMAC-SHA256"
SERVICE = "appsync"
LATEST = timedelta(minutes=5)
AUTHORIZATION = re.compile(
    rf"{ALGORITHM} +Credential=(?P<key>[^/, ]+)/(?P<day>\d{{8}})/(?P<region>[^/, ]+)/"
    rf"(?P<service>[^/, ]+)/aws4_request, *SignedHeaders=(?P<headers>[a-z0-9;_-]+), *"
    rf"Signature=(?P<signature>[0-9a-f]{{64}})"
)


class BadSignature(Unauthenticated):
    error_type = "InvalidSignatureException"


class UnknownKey(Unauthenticated):
    error_type = "UnrecognizedClientException"


@dataclass(frozen=True, slots=True)
class Incoming:
    """What was asked, as far as a signature or an authorizer is concerned with it."""

    method: str = "POST"
    path: str = "/graphql"
    query_string: str = ""
    body: bytes = b""
    query: str | None = None
    operation_name: str | None = None
    variables: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Key:
    id: str
    secret: str
    user_id: str


def keys_from(words: Iterable[str]) -> dict[str, Key]:
    """ID:SECRET, which is a user of its own; ID:SECRET:USER acts as that one."""
    found = {}
    for word in words:
        key_id, secret, *user = word.split(":")
        found[key_id] = Key(key_id, secret, user[0] if user else f"iam-{key_id}")
    return found


def is_signed(header: str) -> bool:
    return header.startswith(ALGORITHM)


class Signatures:
    def __init__(self, keys: Mapping[str, Key], clock: Clock) -> None:
        self._keys = keys
        self._clock = clock

    def caller(self, headers: Mapping[str, str], incoming: Incoming) -> Caller:
        match = AUTHORIZATION.fullmatch(headers["authorization"].strip())
        if match is None:
            raise BadSignature("The Authorization header is not a complete signature.")
        key = self._keys.get(match["key"])
        if key is None:
            raise UnknownKey("The security token included in the request is invalid.")
        signed = match["headers"].split(";")
        sent = self._moment(headers, signed, match["day"])
        if match["service"] != SERVICE:
            raise BadSignature(f"Credential should be scoped to correct service: '{SERVICE}'.")
        request = _canonical(headers, signed, incoming)
        expected = _signature(key.secret, match, headers["x-amz-date"], request)
        if not hmac.compare_digest(expected, match["signature"]):
            raise BadSignature(
                "The request signature we calculated does not match the signature you provided."
            )
        return Caller(access=Access.USER, id=key.user_id, issued_at=epoch(sent))

    def _moment(self, headers: Mapping[str, str], signed: list[str], day: str) -> datetime:
        text = headers.get("x-amz-date", "")
        if not {"host", "x-amz-date"} <= set(signed) or not text.startswith(day):
            raise BadSignature("Sign the headers host and x-amz-date.")
        try:
            sent = datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        except ValueError:
            raise BadSignature("x-amz-date is not of the form 20260131T120000Z.") from None
        if abs(self._clock.now() - sent) > LATEST:
            raise BadSignature("Signature expired: compare the clocks.")
        return sent


def _canonical(headers: Mapping[str, str], signed: list[str], incoming: Incoming) -> str:
    lines = [f"{name}:{' '.join(headers.get(name, '').split())}" for name in signed]
    return "\n".join(
        [
            incoming.method,
            quote(incoming.path, safe="/-_.~"),
            _query(incoming.query_string),
            *lines,
            "",
            ";".join(signed),
            hashlib.sha256(incoming.body).hexdigest(),
        ]
    )


def _query(query_string: str) -> str:
    pairs = parse_qsl(query_string, keep_blank_values=True)
    return "&".join(
        f"{name}={value}"
        for name, value in sorted((quote(n, safe="-_.~"), quote(v, safe="-_.~")) for n, v in pairs)
    )


def _signature(secret: str, match: "re.Match[str]", moment: str, request: str) -> str:
    scope = f"{match['day']}/{match['region']}/{match['service']}/aws4_request"
    digest = hashlib.sha256(request.encode()).hexdigest()
    key = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        key = _mac(key, part)
    return _mac(key, "\n".join([ALGORITHM, moment, scope, digest])).hex()


def _mac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
