"""A short way to DynamoDB inside aioboto3: its client keeps configuration, credentials and errors,
and through its own `before-call` event we sign and send ourselves, without its costly parser."""

import hashlib
import hmac
import io
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import aiohttp
import orjson
from botocore.exceptions import HTTPClientError

CONTENT_TYPE = "application/x-amz-json-1.0"
SERVICE = "dynamodb"
MOST_CONNECTIONS = 128
# From here on aiohttp wants a stream, to send it piece by piece.
LARGE = 1_000_000
TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=2, sock_read=5)


@dataclass(frozen=True, slots=True)
class Answer:
    """As much of an HTTP answer as botocore looks at after `before-call`."""

    status_code: int
    headers: dict[str, str] = field(default_factory=dict)


@asynccontextmanager
async def shortened(client: Any, credentials: Any) -> AsyncIterator[None]:
    """While it is open, the client's data calls take the short way."""
    connector = aiohttp.TCPConnector(limit=MOST_CONNECTIONS, keepalive_timeout=30)
    async with aiohttp.ClientSession(
        connector=connector,
        timeout=TIMEOUT,
        auto_decompress=False,
        skip_auto_headers=("User-Agent",),
    ) as http:
        way = _ShortWay(http, credentials, client.meta.endpoint_url, client.meta.region_name)
        client.meta.events.register_first(f"before-call.{SERVICE}", way.send)
        try:
            yield
        finally:
            client.meta.events.unregister(f"before-call.{SERVICE}", way.send)


class _ShortWay:
    def __init__(
        self, http: aiohttp.ClientSession, credentials: Any, endpoint: str, region: str
    ) -> None:
        self._http = http
        self._credentials = credentials
        self._endpoint = endpoint
        self._region = region
        self._host = endpoint.split("://", 1)[1].rstrip("/")

    async def send(self, *, params: Any, model: Any, **_: object) -> tuple[Answer, dict[str, Any]]:
        body = params["body"]
        keys = await self._credentials.get_frozen_credentials()
        headers = {
            "content-type": CONTENT_TYPE,
            "host": self._host,
            "x-amz-date": time.strftime("%Y%m%dT%H%M%SZ", time.gmtime()),
            "x-amz-target": params["headers"]["X-Amz-Target"],
            **({"x-amz-security-token": keys.token} if keys.token else {}),
        }
        headers["authorization"] = authorization(
            headers, body, access=keys.access_key, secret=keys.secret_key, region=self._region
        )
        headers["accept-encoding"] = "identity"
        try:
            content = body if len(body) < LARGE else io.BytesIO(body)
            async with self._http.post(self._endpoint, data=content, headers=headers) as answer:
                return _parsed(answer.status, await answer.read())
        except aiohttp.ClientError as error:
            raise HTTPClientError(error=error) from error


def _parsed(status: int, raw: bytes) -> tuple[Answer, dict[str, Any]]:
    content = _object(raw)
    if content is None and status < 300:
        raise HTTPClientError(error=ValueError("the answer is not JSON: it is not DynamoDB's"))
    content = content or {}
    if status >= 300:
        code = str(content.get("__type", status)).rpartition("#")[2]
        message = content.get("message") or content.get("Message") or ""
        content["Error"] = {"Code": code, "Message": message}
        content["ResponseMetadata"] = {"HTTPStatusCode": status}
    return Answer(status), content


def _object(raw: bytes) -> dict[str, Any] | None:
    try:
        content = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    return content if isinstance(content, dict) else None


def authorization(
    headers: dict[str, str], body: bytes, *, access: str, secret: str, region: str
) -> str:
    """AWS Signature Version 4 over every header given."""
    names = ";".join(sorted(headers))
    lines = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
    request = f"POST\n/\n\n{lines}\n{names}\n{hashlib.sha256(body).hexdigest()}"
    moment = headers["x-amz-date"]
    scope = f"{moment[:8]}/{region}/{SERVICE}/aws4_request"
    digest = hashlib.sha256(request.encode()).hexdigest()
    text = f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{digest}"
    signature = _mac(_day_key(secret, moment[:8], region), text).hex()
    return (
        f"AWS4-HMAC-SHA256 Credential={access}/{scope}, "
        f"SignedHeaders={names}, Signature={signature}"
    )


@lru_cache(maxsize=16)
def _day_key(secret: str, day: str, region: str) -> bytes:
    key = _mac(f"AWS4{secret}".encode(), day)
    for step in (region, SERVICE, "aws4_request"):
        key = _mac(key, step)
    return key


def _mac(key: bytes, text: str) -> bytes:
    return hmac.digest(key, text.encode(), "sha256")
