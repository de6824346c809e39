"""The direct client: signs and sends the calls that carry data without botocore's serializers.

aioboto3's client keeps configuration, credentials and calls about tables. See decisions/012.
"""

import base64
import hashlib
import hmac
import io
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache, partial
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import orjson
from botocore.exceptions import ClientError, HTTPClientError

CONTENT_TYPE = "application/x-amz-json-1.0"
SERVICE = "dynamodb"
DATA_CALLS = (
    "get_item",
    "put_item",
    "update_item",
    "delete_item",
    "query",
    "scan",
    "batch_get_item",
    "batch_write_item",
    "transact_write_items",
)
MOST_CONNECTIONS = 128
# For a larger body aiohttp expects a stream.
LARGE = 1_000_000
TIMEOUT = aiohttp.ClientTimeout(total=None, sock_connect=2, sock_read=5)


@asynccontextmanager
async def direct_client(client: Any, credentials: Any) -> AsyncIterator["DirectClient"]:
    connector = aiohttp.TCPConnector(limit=MOST_CONNECTIONS, keepalive_timeout=30)
    async with aiohttp.ClientSession(
        connector=connector,
        timeout=TIMEOUT,
        auto_decompress=False,
        skip_auto_headers=("User-Agent",),
    ) as http:
        yield DirectClient(client, http, credentials)


class DirectClient:
    """Has the methods, parameters, answers and errors of the aioboto3 client."""

    def __init__(self, client: Any, http: aiohttp.ClientSession, credentials: Any) -> None:
        self._client = client
        self._http = http
        self._credentials = credentials
        self._endpoint: str = client.meta.endpoint_url
        self._region: str = client.meta.region_name
        self._host = urlsplit(self._endpoint).netloc
        self._path = urlsplit(self._endpoint).path or "/"
        self._prefix: str = client.meta.service_model.metadata["targetPrefix"]
        for method in DATA_CALLS:
            operation = client.meta.method_to_api_mapping[method]
            setattr(self, method, partial(self._send, operation))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    async def _send(self, operation: str, **parameters: object) -> dict[str, Any]:
        body = orjson.dumps(parameters, default=_base64)
        headers = await self._signed_headers(operation, body)
        try:
            content = body if len(body) < LARGE else io.BytesIO(body)
            async with self._http.post(self._endpoint, data=content, headers=headers) as answer:
                return _parse_answer(operation, answer.status, await answer.read())
        except aiohttp.ClientError as error:
            raise HTTPClientError(error=error) from error

    async def _signed_headers(self, operation: str, body: bytes) -> dict[str, str]:
        keys = await self._credentials.get_frozen_credentials()
        headers = {
            "content-type": CONTENT_TYPE,
            "host": self._host,
            "x-amz-date": time.strftime("%Y%m%dT%H%M%SZ", time.gmtime()),
            "x-amz-target": f"{self._prefix}.{operation}",
            **({"x-amz-security-token": keys.token} if keys.token else {}),
        }
        headers["authorization"] = authorization(
            headers,
            body,
            access=keys.access_key,
            secret=keys.secret_key,
            region=self._region,
            path=self._path,
        )
        headers["accept-encoding"] = "identity"
        return headers


def _base64(value: object) -> str:
    if not isinstance(value, bytes):
        raise TypeError(type(value).__name__)
    return base64.b64encode(value).decode()


def _parse_answer(operation: str, status: int, raw: bytes) -> dict[str, Any]:
    content = _parse_object(raw)
    if status >= 300:
        raise _client_error(operation, status, content or {})
    if content is None:
        raise HTTPClientError(
            error=ValueError("the answer is not JSON, so it is not from DynamoDB")
        )
    return content


def _client_error(operation: str, status: int, content: dict[str, Any]) -> ClientError:
    code = str(content.get("__type", status)).rpartition("#")[2]
    message = content.get("message") or content.get("Message") or ""
    error = {"Code": code, "Message": message}
    answer: Any = {**content, "Error": error, "ResponseMetadata": {"HTTPStatusCode": status}}
    return ClientError(answer, operation)


def _parse_object(raw: bytes) -> dict[str, Any] | None:
    try:
        content = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    return content if isinstance(content, dict) else None


def authorization(
    headers: dict[str, str], body: bytes, *, access: str, secret: str, region: str, path: str
) -> str:
    """The Authorization header: AWS Signature Version 4 over all given headers."""
    names = ";".join(sorted(headers))
    lines = "".join(f"{name}:{headers[name]}\n" for name in sorted(headers))
    request = f"POST\n{path}\n\n{lines}\n{names}\n{hashlib.sha256(body).hexdigest()}"
    timestamp = headers["x-amz-date"]
    scope = f"{timestamp[:8]}/{region}/{SERVICE}/aws4_request"
    digest = hashlib.sha256(request.encode()).hexdigest()
    text = f"AWS4-HMAC-SHA256\n{timestamp}\n{scope}\n{digest}"
    signature = _mac(_day_key(secret, timestamp[:8], region), text).hex()
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
