"""A Lambda-style authorizer: a function behind an address says who an opaque token belongs to.

It gets AppSync's event and answers as AppSync's authorizers do, so a Lambda written for AppSync
can stay as it is (its function address, or the local runtime's).
"""

import re
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import httpx
import structlog

from app.auth.claims import refused
from app.auth.sigv4 import Incoming
from app.core.caller import Access, Caller
from app.core.clock import Clock, epoch
from app.core.errors import Unavailable
from app.core.ids import is_plain_id

MOST_REMEMBERED = 10_000
LONGEST_ANSWER = 100_000
FIELD = re.compile(r"(?:.*/types/)?(?P<type>\w+)(?:/fields/|\.)(?P<field>\w+)")
log = structlog.get_logger()


class Authorizer:
    def __init__(self, url: str, http: httpx.AsyncClient, clock: Clock) -> None:
        self._url = url
        self._http = http
        self._clock = clock
        self._known: OrderedDict[str, tuple[int, Caller]] = OrderedDict()

    async def caller(self, token: str, headers: Mapping[str, str], incoming: Incoming) -> Caller:
        until, caller = self._known.get(token, (0, None))
        if caller is not None and until > epoch(self._clock.now()):
            return caller
        answer = await self._ask(_question(token, headers, incoming))
        if answer.get("isAuthorized") is not True:
            raise refused()
        caller = _caller(answer, epoch(self._clock.now()))
        self._remember(token, caller, answer.get("ttlOverride"))
        return caller

    def _remember(self, token: str, caller: Caller, seconds: object) -> None:
        if isinstance(seconds, int) and seconds > 0:
            self._known[token] = (epoch(self._clock.now()) + seconds, caller)
            if len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)

    async def _ask(self, question: dict[str, object]) -> dict[str, Any]:
        try:
            answer = await self._http.post(self._url, json=question)
            answer.raise_for_status()
            found = answer.json() if len(answer.content) <= LONGEST_ANSWER else None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            log.warning("authorizer unavailable", error=repr(error))
            raise Unavailable("The authorizer does not answer just now.") from None
        return found if isinstance(found, dict) else {}


def _question(token: str, headers: Mapping[str, str], incoming: Incoming) -> dict[str, object]:
    return {
        "authorizationToken": token,
        "requestContext": {
            "apiId": "guildhall",
            "accountId": "000000000000",
            "requestId": headers.get("x-amzn-requestid", ""),
            "queryString": incoming.query or "",
            "operationName": incoming.operation_name,
            "variables": dict(incoming.variables),
        },
        "requestHeaders": {
            name: value for name, value in headers.items() if name != "authorization"
        },
    }


def _caller(answer: Mapping[str, Any], now: int) -> Caller:
    """resolverContext.sub names the user; without one it is like an API key, for public reads."""
    told = answer.get("resolverContext")
    told = told if isinstance(told, dict) else {}
    user_id = told.get("sub")
    groups = str(told.get("groups") or "")
    if user_id is not None and not (isinstance(user_id, str) and is_plain_id(user_id)):
        raise refused("The authorizer names no usable subject.")
    return Caller(
        access=Access.USER if user_id else Access.API_KEY,
        id=user_id or None,
        groups=frozenset(word.strip() for word in groups.split(",") if word.strip()),
        issued_at=now,
        denied=frozenset(_denied(answer.get("deniedFields"))),
    )


def _denied(fields: object) -> list[str]:
    texts = [each for each in fields if isinstance(each, str)] if isinstance(fields, list) else []
    found = [FIELD.fullmatch(each) for each in texts]
    return [f"{match['type']}.{match['field']}" for match in found if match]
