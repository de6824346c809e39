"""IAM: requests signed with AWS Signature Version 4 for the service `appsync`."""

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, quote

from app.core.caller import Access, Caller
from app.core.clock import Clock, epoch_seconds
from app.core.errors import Unauthenticated

ALGORITHM = "AWS4-HMAC-SHA256"
SERVICE = "appsync"
LARGEST_CLOCK_DIFFERENCE = timedelta(minutes=5)
AUTHORIZATION = re.compile(
    rf"{ALGORITHM} +Credential=(?P<key>[^/, ]+)/(?P<day>\d{{8}})/(?P<region>[^/, ]+)/"
    rf"(?P<service>[^/, ]+)/aws4_request, *SignedHeaders=(?P<headers>[a-z0-9;_-]+), *"
    rf"Signature=(?P<signature>[0-9a-f]{{64}})"
)


class InvalidSignature(Unauthenticated):
    error_type = "InvalidSignatureException"


class UnknownKey(Unauthenticated):
    error_type = "UnrecognizedClientException"


@dataclass(frozen=True, slots=True)
class IncomingRequest:
    """The parts of a request that a signature covers or an authorizer is told."""

    method: str = "POST"
    path: str = "/graphql"
    query_string: str = ""
    body: bytes = b""
    query: str | None = None
    operation_name: str | None = None
    variables: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SigningKey:
    id: str
    secret: str
    user_id: str


def parse_signing_keys(texts: Iterable[str]) -> dict[str, SigningKey]:
    """ID:SECRET acts as the user iam-ID, ID:SECRET:USER as that user."""
    found = {}
    for text in texts:
        key_id, secret, *user = text.split(":")
        found[key_id] = SigningKey(key_id, secret, user[0] if user else f"iam-{key_id}")
    return found


def is_signed(header: str) -> bool:
    return header.startswith(ALGORITHM)


class SignatureVerifier:
    def __init__(self, keys: Mapping[str, SigningKey], clock: Clock) -> None:
        self._keys = keys
        self._clock = clock

    def caller(self, headers: Mapping[str, str], incoming: IncomingRequest) -> Caller:
        match = AUTHORIZATION.fullmatch(headers["authorization"].strip())
        if match is None:
            raise InvalidSignature("The Authorization header is not a complete signature.")
        key = self._keys.get(match["key"])
        if key is None:
            raise UnknownKey("The security token included in the request is invalid.")
        signed = match["headers"].split(";")
        sent_at = self._check_date(headers, signed, match["day"])
        if match["service"] != SERVICE:
            raise InvalidSignature(f"Credential should be scoped to correct service: '{SERVICE}'.")
        request = _canonical_request(headers, signed, incoming)
        expected = _signature(key.secret, match, headers["x-amz-date"], request)
        if not hmac.compare_digest(expected, match["signature"]):
            raise InvalidSignature(
                "The request signature we calculated does not match the signature you provided."
            )
        return Caller(
            access=Access.USER,
            id=key.user_id,
            issued_at=epoch_seconds(sent_at),
            is_shared=True,
        )

    def _check_date(self, headers: Mapping[str, str], signed: list[str], day: str) -> datetime:
        text = headers.get("x-amz-date", "")
        if not {"host", "x-amz-date"} <= set(signed) or not text.startswith(day):
            raise InvalidSignature("Sign the headers host and x-amz-date.")
        try:
            sent_at = datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        except ValueError:
            raise InvalidSignature("x-amz-date is not of the form 20260131T120000Z.") from None
        if abs(self._clock.now() - sent_at) > LARGEST_CLOCK_DIFFERENCE:
            raise InvalidSignature("Signature expired. Check both clocks.")
        return sent_at


def _canonical_request(
    headers: Mapping[str, str], signed: list[str], incoming: IncomingRequest
) -> str:
    lines = [f"{name}:{' '.join(headers.get(name, '').split())}" for name in signed]
    return "\n".join(
        [
            incoming.method,
            quote(incoming.path, safe="/-_.~"),
            _canonical_query(incoming.query_string),
            *lines,
            "",
            ";".join(signed),
            hashlib.sha256(incoming.body).hexdigest(),
        ]
    )


def _canonical_query(query_string: str) -> str:
    pairs = parse_qsl(query_string, keep_blank_values=True)
    return "&".join(
        f"{name}={value}"
        for name, value in sorted((quote(n, safe="-_.~"), quote(v, safe="-_.~")) for n, v in pairs)
    )


def _signature(secret: str, match: "re.Match[str]", date: str, request: str) -> str:
    scope = f"{match['day']}/{match['region']}/{match['service']}/aws4_request"
    digest = hashlib.sha256(request.encode()).hexdigest()
    key = f"AWS4{secret}".encode()
    for part in scope.split("/"):
        key = _hmac(key, part)
    return _hmac(key, "\n".join([ALGORITHM, date, scope, digest])).hex()


def _hmac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
