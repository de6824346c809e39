"""The game's hiscores: one question a minute for each name, whoever asks."""

import asyncio
from dataclasses import dataclass
from datetime import timedelta

import httpx

from app.core.clock import epoch, instant, moment_of
from app.core.errors import Conflict
from app.domains.characters import keys
from app.domains.characters.errors import HiscoresUnavailable
from app.domains.characters.rules.readings import (
    NotHiscores,
    Readings,
    from_kept,
    kept,
    readings_of,
)
from app.domains.characters.types import HiscoresPage, HiscoresStatus
from app.resources import Resources
from app.table.conditions import absent, attr
from app.table.writes import Update

AT_MOST_EVERY = timedelta(seconds=60)
LONGEST_BACK_OFF = timedelta(hours=1)
KEPT = timedelta(days=7)
SECONDS = 6.0
MOST_BYTES = 512_000


@dataclass(frozen=True, slots=True)
class Standings:
    """What the hiscores said, and when; `readings` is empty for a name without a rank."""

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


class _NotYet(Conflict):
    def __init__(self) -> None:
        super().__init__("asked a moment ago")


class Hiscores:
    def __init__(self, resources: Resources) -> None:
        self.resources = resources
        self.table = resources.table

    async def standings(self, name: str) -> Standings:
        """Asked anew if a minute has passed; else what was said last. The turn is taken in the
        table before asking, so that several servers together do not ask more often."""
        try:
            page = await self._take_turn(name)
        except _NotYet:
            return self._last(await self.table.get(keys.hiscores_page(name)))
        try:
            answer = await self._ask(name)
        except _Failed as failed:
            raise await self._back_off(page, failed.retry_after) from None
        return await self._keep(page, answer)

    async def _take_turn(self, name: str) -> HiscoresPage:
        now = self.resources.clock.now()
        return await self.table.update(
            Update(
                keys.hiscores_page(name),
                put={
                    "nextPollAt": instant(now + AT_MOST_EVERY),
                    "updatedAt": instant(now),
                    "ttl": epoch(now + KEPT),
                },
                first={"createdAt": instant(now), "name": name},
                when=absent() | attr("nextPollAt").at_most(instant(now)),
                otherwise=_NotYet(),
            )
        )

    def _last(self, page: HiscoresPage | None) -> Standings:
        if page is None or page.polled_at is None or page.failures:
            raise HiscoresUnavailable(self._wait(page))
        readings = from_kept(page.content) if page.content else {}
        return Standings(page.status, page.polled_at, readings)

    def _wait(self, page: HiscoresPage | None) -> int:
        if page is None:
            return int(AT_MOST_EVERY.total_seconds())
        left = moment_of(page.next_poll_at) - self.resources.clock.now()
        return max(1, round(left.total_seconds()))

    async def _ask(self, name: str) -> _Answer:
        try:
            async with asyncio.timeout(SECONDS):
                status, content, retry_after = await self._fetch(name)
        except (httpx.HTTPError, TimeoutError):
            raise _Failed from None
        if status == 404:
            return _Answer(HiscoresStatus.UNRANKED, {})
        if status != 200:
            raise _Failed(retry_after)
        try:
            return _Answer(HiscoresStatus.RANKED, readings_of(content))
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

    async def _keep(self, page: HiscoresPage, answer: _Answer) -> Standings:
        now = instant(self.resources.clock.now())
        await self.table.update(
            Update(
                keys.hiscores_page(page.name),
                put={
                    "status": answer.status,
                    "polledAt": now,
                    "failures": 0,
                    "content": kept(answer.readings) if answer.readings else None,
                },
            )
        )
        return Standings(answer.status, now, answer.readings)

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
