"""A Lambda authorizer: an HTTP endpoint that finds the caller of an opaque token.

Request and response have the format of AppSync's authorizers, so a Lambda written for AppSync
works unchanged, by its function URL or in the local runtime.
"""

import re
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import httpx
import structlog

from app.auth.claims import not_authorized
from app.auth.sigv4 import IncomingRequest
from app.core.caller import Access, Caller
from app.core.clock import Clock, epoch_seconds
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
        self._remembered: OrderedDict[str, tuple[int, Caller]] = OrderedDict()

    async def caller(
        self, token: str, headers: Mapping[str, str], incoming: IncomingRequest
    ) -> Caller:
        until, caller = self._remembered.get(token, (0, None))
        if caller is not None and until > epoch_seconds(self._clock.now()):
            return caller
        answer = await self._ask(_event(token, headers, incoming))
        if answer.get("isAuthorized") is not True:
            raise not_authorized()
        caller = _caller(answer, epoch_seconds(self._clock.now()))
        self._remember(token, caller, answer.get("ttlOverride"))
        return caller

    def _remember(self, token: str, caller: Caller, seconds: object) -> None:
        if isinstance(seconds, int) and seconds > 0:
            self._remembered[token] = (epoch_seconds(self._clock.now()) + seconds, caller)
            if len(self._remembered) > MOST_REMEMBERED:
                self._remembered.popitem(last=False)

    async def _ask(self, event: dict[str, object]) -> dict[str, Any]:
        try:
            answer = await self._http.post(self._url, json=event)
            answer.raise_for_status()
            found = answer.json() if len(answer.content) <= LONGEST_ANSWER else None
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            log.warning("authorizer unavailable", error=repr(error))
            raise Unavailable("The authorizer does not answer. Try again later.") from None
        return found if isinstance(found, dict) else {}


def _event(token: str, headers: Mapping[str, str], incoming: IncomingRequest) -> dict[str, object]:
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
    """resolverContext.sub is the user id. Without it the caller may read what is public, as with an
    API key."""
    given = answer.get("resolverContext")
    context = given if isinstance(given, dict) else {}
    user_id = context.get("sub")
    groups = str(context.get("groups") or "")
    if user_id is not None and not (isinstance(user_id, str) and is_plain_id(user_id)):
        raise not_authorized("The sub given by the authorizer is invalid.")
    return Caller(
        access=Access.USER if user_id else Access.API_KEY,
        id=user_id or None,
        groups=frozenset(group.strip() for group in groups.split(",") if group.strip()),
        issued_at=now,
        denied=frozenset(_denied_fields(answer.get("deniedFields"))),
        is_shared=True,
    )


def _denied_fields(fields: object) -> list[str]:
    texts = [each for each in fields if isinstance(each, str)] if isinstance(fields, list) else []
    found = [FIELD.fullmatch(each) for each in texts]
    return [f"{match['type']}.{match['field']}" for match in found if match]
