"""A request to an address that a user gave: only to a public machine, and the one that was checked.

The name is resolved once, every address must be public, and the connection goes to that very
address: a name that changes its answer in between (DNS rebinding) gains nothing.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from urllib.parse import SplitResult

import httpx
from apprise.utils.http import is_public_ip_address

from app.domains.notifications.rules.sending import SendOutcome, SendResult
from app.domains.notifications.transports.http_post import post_json

Resolve = Callable[[str, int], Awaitable[list[str]]]


async def resolve_host(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


async def send_to_webhook(
    http: httpx.AsyncClient,
    parts: SplitResult,
    content: Mapping[str, str],
    *,
    resolve: Resolve,
    insecure: bool,
) -> SendOutcome:
    """`insecure` is for tests: it allows this machine's own addresses."""
    host, port = str(parts.hostname), parts.port or (443 if parts.scheme == "https" else 80)
    try:
        addresses = await resolve(host, port)
    except OSError:
        return SendOutcome(SendResult.TRY_AGAIN, "The host's name has no address.")
    if not addresses or not (insecure or all(map(is_public_ip_address, addresses))):
        return SendOutcome(SendResult.REFUSED, "The host is not on the public internet.")
    return await post_json(
        http,
        httpx.URL(scheme=parts.scheme, host=addresses[0], port=port, raw_path=_target(parts)),
        content,
        headers={"host": host if parts.port is None else f"{host}:{port}"},
        server_name=host,
    )


def _target(parts: SplitResult) -> bytes:
    return ((parts.path or "/") + (f"?{parts.query}" if parts.query else "")).encode()
