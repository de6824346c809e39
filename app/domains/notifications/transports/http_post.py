"""One JSON POST: no redirects, one deadline, and the outcome as its HTTP status says it."""

import asyncio
import logging
from collections.abc import Mapping
from datetime import UTC, datetime

import httpx

from app.domains.notifications.rules.sending import (
    SendOutcome,
    SendResult,
    outcome_of_status,
    retry_after_seconds,
)

SECONDS = 8.0
# At INFO it logs whole addresses, which hold tokens.
logging.getLogger("httpx").setLevel(logging.WARNING)


async def post_json(
    http: httpx.AsyncClient,
    url: httpx.URL,
    content: Mapping[str, object],
    *,
    headers: Mapping[str, str],
    server_name: str | None = None,
) -> SendOutcome:
    """`server_name`: the name in the certificate, where the URL has an IP address instead."""
    extensions = {"timeout": httpx.Timeout(SECONDS).as_dict()}
    names = {"sni_hostname": server_name} if server_name else {}
    request = http.build_request(
        "POST", url, json=content, headers=headers, extensions=extensions | names
    )
    try:
        async with asyncio.timeout(SECONDS * 2):
            answer = await http.send(request, stream=True, follow_redirects=False)
            await answer.aclose()
    except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout):
        return SendOutcome(SendResult.TRY_AGAIN, "The host cannot be reached.")
    except (httpx.HTTPError, TimeoutError):
        return SendOutcome(SendResult.IN_DOUBT, "The host did not answer in time.")
    wait = retry_after_seconds(answer.headers.get("retry-after"), datetime.now(UTC))
    return outcome_of_status(answer.status_code, wait)
