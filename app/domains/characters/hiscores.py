"""The game's hiscores: at most one request a minute for each name, for all users together."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

import httpx

from app.core.clock import epoch_seconds, instant, parse_instant
from app.core.errors import Conflict
from app.domains.characters import keys
from app.domains.characters.errors import HiscoresUnavailable
from app.domains.characters.rules.readings import (
    NotHiscores,
    Readings,
    decode_readings,
    encode_readings,
    parse_hiscores,
)
from app.domains.characters.types import HiscoresPage, HiscoresStatus
from app.resources import Resources
from app.table.conditions import absent, attr
from app.table.writes import Update

AT_MOST_EVERY = timedelta(seconds=60)
LONGEST_BACK_OFF = timedelta(hours=1)
KEEP_ANSWERS = timedelta(days=7)
TIMEOUT_SECONDS = 6.0
MOST_BYTES = 512_000


@dataclass(frozen=True, slots=True)
class HiscoresResult:
    """An answer of the hiscores; `readings` is empty for a name without a rank."""

    status: HiscoresStatus
    polled_at: str
    readings: Readings


@dataclass(frozen=True, slots=True)
class _Answer:
    status: HiscoresStatus
    readings: Readings


class _Failed(Exception):
    def __init__(self, retry_after: float = 0.0) -> None:
        super().__init__()
        self.retry_after = retry_after


class _AskedRecently(Conflict):
    def __init__(self) -> None:
        super().__init__("asked a moment ago")


class Hiscores:
    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self.table = resources.table

    async def look_up(self, name: str) -> HiscoresResult:
        """A new answer if a minute has passed, else the last one. The request is reserved in the
        table, so that several servers together send no more."""
        try:
            page = await self._reserve_request(name)
        except _AskedRecently:
            return self._last_result(await self.table.get(keys.hiscores_page(name)))
        try:
            answer = await self._request(name)
        except _Failed as failed:
            raise await self._back_off(page, failed.retry_after) from None
        return await self._store(page, answer)

    async def _reserve_request(self, name: str) -> HiscoresPage:
        now = self.resources.clock.now()
        return await self.table.update(
            Update(
                keys.hiscores_page(name),
                put={
                    "nextPollAt": instant(now + AT_MOST_EVERY),
                    "updatedAt": instant(now),
                    "ttl": epoch_seconds(now + KEEP_ANSWERS),
                },
                first={"createdAt": instant(now), "name": name},
                when=absent() | attr("nextPollAt").at_most(instant(now)),
                otherwise=_AskedRecently(),
            )
        )

    def _last_result(self, page: HiscoresPage | None) -> HiscoresResult:
        if page is None or page.polled_at is None or page.failures:
            raise HiscoresUnavailable(self._wait(page))
        readings = decode_readings(page.content) if page.content else {}
        return HiscoresResult(page.status, page.polled_at, readings)

    def _wait(self, page: HiscoresPage | None) -> int:
        if page is None:
            return int(AT_MOST_EVERY.total_seconds())
        left = parse_instant(page.next_poll_at) - self.resources.clock.now()
        return max(1, round(left.total_seconds()))

    async def _request(self, name: str) -> _Answer:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                status, content, retry_after = await self._fetch(name)
        except (httpx.HTTPError, TimeoutError):
            raise _Failed from None
        if status == 404:
            return _Answer(HiscoresStatus.UNRANKED, {})
        if status != 200:
            raise _Failed(retry_after)
        try:
            return _Answer(HiscoresStatus.RANKED, parse_hiscores(content))
        except NotHiscores:
            raise _Failed from None

    async def _fetch(self, name: str) -> tuple[int, bytes, float]:
        url = self.resources.settings.hiscores_url
        async with self.resources.http.stream("GET", url, params={"player": name}) as answer:
            content = b""
            async for piece in answer.aiter_bytes():
                content += piece
                if len(content) > MOST_BYTES:
                    raise _Failed
            wait = answer.headers.get("retry-after", "")
            return answer.status_code, content, float(wait) if wait.isdigit() else 0.0

    async def _store(self, page: HiscoresPage, answer: _Answer) -> HiscoresResult:
        now = instant(self.resources.clock.now())
        await self.table.update(
            Update(
                keys.hiscores_page(page.name),
                put={
                    "status": answer.status,
                    "polledAt": now,
                    "failures": 0,
                    "content": encode_readings(answer.readings) if answer.readings else None,
                },
            )
        )
        return HiscoresResult(answer.status, now, answer.readings)

    async def _back_off(self, page: HiscoresPage, retry_after: float) -> HiscoresUnavailable:
        """Longer each time: 1, 2, 4 … minutes, an hour at most."""
        pause = min(AT_MOST_EVERY * 2 ** min(page.failures, 10), LONGEST_BACK_OFF)
        pause = max(pause, timedelta(seconds=min(retry_after, 86_400)))
        until = instant(self.resources.clock.now() + pause)
        await self.table.update(
            Update(
                keys.hiscores_page(page.name),
                put={"nextPollAt": until},
                add={"failures": 1},
            )
        )
        return HiscoresUnavailable(round(pause.total_seconds()))
