"""A request to an address that a user gave: only to a public machine, and the one that was checked.

The name is resolved once, every answer must be public, and the connection goes to that very
number: a name that changes its answer in between (DNS rebinding) gains nothing.
"""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from urllib.parse import SplitResult

import httpx
from apprise.utils.http import is_public_ip_address

from app.domains.notifications.rules.sending import Outcome, Result, outcome_of

Resolve = Callable[[str, int], Awaitable[list[str]]]
SECONDS = 8.0


async def look_up(host: str, port: int) -> list[str]:
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))


async def post(
    http: httpx.AsyncClient,
    parts: SplitResult,
    content: Mapping[str, str],
    *,
    resolve: Resolve,
    insecure: bool,
) -> Outcome:
    """`insecure` is for tests: it allows this machine's own addresses."""
    host, port = str(parts.hostname), parts.port or (443 if parts.scheme == "https" else 80)
    try:
        addresses = await resolve(host, port)
    except OSError:
        return Outcome(Result.TRY_AGAIN, "The host's name has no address.")
    if not addresses or not (insecure or all(map(is_public_ip_address, addresses))):
        return Outcome(Result.REFUSED, "The host is not on the public internet.")
    return await _post_to(http, addresses[0], parts, content, port)


async def _post_to(
    http: httpx.AsyncClient,
    address: str,
    parts: SplitResult,
    content: Mapping[str, str],
    port: int,
) -> Outcome:
    host = str(parts.hostname)
    request = http.build_request(
        "POST",
        httpx.URL(scheme=parts.scheme, host=address, port=port, raw_path=_target(parts)),
        json=content,
        headers={"host": host if parts.port is None else f"{host}:{port}"},
        extensions={"sni_hostname": host, "timeout": httpx.Timeout(SECONDS).as_dict()},
    )
    try:
        async with asyncio.timeout(SECONDS * 2):
            answer = await http.send(request, stream=True, follow_redirects=False)
            await answer.aclose()
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout):
        return Outcome(Result.TRY_AGAIN, "The host cannot be reached.")
    except (httpx.HTTPError, TimeoutError):
        return Outcome(Result.NO_ANSWER, "The host did not answer in time.")
    return outcome_of(answer.status_code, retry_after(answer.headers.get("retry-after")))


def _target(parts: SplitResult) -> bytes:
    return ((parts.path or "/") + (f"?{parts.query}" if parts.query else "")).encode()


def retry_after(text: str | None) -> float | None:
    """Seconds, from either of the two forms that HTTP has for it."""
    if text is None:
        return None
    try:
        return max(0.0, float(text))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0.0, (moment - datetime.now(UTC)).total_seconds()) if moment.tzinfo else None
