"""Sends what waits: claimed before, noted after, so that nothing goes out twice.

A worker that dies while it sends leaves the message claimed. When the claim has run out, nobody
can know whether it arrived: it is marked so, and not sent again. It is in the inbox anyway.
"""

import asyncio

import structlog
from prometheus_client import Counter

from app.core.caller import Caller, acting_for
from app.core.clock import instant
from app.core.errors import AppError, StaleVersion
from app.core.shards import every_shard
from app.domains.notifications import keys
from app.domains.notifications.courier import Courier, Message
from app.domains.notifications.repository import NotificationsRepository, outgoing_due
from app.domains.notifications.rules.sending import (
    CLAIM,
    Outcome,
    Result,
    SendingStatus,
    after_attempt,
)
from app.domains.notifications.types import ChannelType, NotificationChannel, Outgoing
from app.domains.service import Service
from app.resources import Resources
from app.table.writes import replace

AT_ONCE = 10
SENT = Counter("guildhall_notifications_total", "Messages to channels", ["channel", "outcome"])
log = structlog.get_logger()


class Postman(Service):
    def __init__(
        self, resources: Resources, caller: Caller, courier: Courier | None = None
    ) -> None:
        super().__init__(resources, caller)
        self.repository = NotificationsRepository(resources.table)
        self.courier = courier or Courier(resources)

    async def deliver(self, seen: Outgoing) -> None:
        """One that was found to be due; another worker may have been faster."""
        key = keys.outgoing(seen.user_id, seen.notification_id, seen.channel)
        waiting = await self.table.get(key)
        if waiting is None or waiting.due_at is None or waiting.due_at > self.now:
            return
        if waiting.status is SendingStatus.SENDING:
            await self._give_up(waiting)
            return
        claimed = await self._claim(waiting)
        if claimed is not None:
            await self._note(claimed, await self._send(claimed))

    async def _claim(self, waiting: Outgoing) -> Outgoing | None:
        until = instant(self.resources.clock.now() + CLAIM)
        claimed = waiting.evolve(
            self.now, status=SendingStatus.SENDING, attempts=waiting.attempts + 1, due_at=until
        )
        try:
            await self.table.write(replace(claimed, waiting, "message"))
        except StaleVersion:
            return None
        return claimed

    async def _send(self, outgoing: Outgoing) -> Outcome:
        channel = await self.repository.channel(
            outgoing.user_id, outgoing.channel_type, outgoing.label
        )
        if channel is None or not _may_use(channel, outgoing):
            return Outcome(Result.REFUSED, "The channel is not active any more.")
        message = Message(outgoing.id, outgoing.title, outgoing.body)
        try:
            async with asyncio.timeout(CLAIM.total_seconds() / 2):
                return await self.courier.send(channel.channel_type, channel.identifier, message)
        except TimeoutError:
            return Outcome(Result.NO_ANSWER, "The far side did not answer in time.")
        except AppError as refusal:
            return Outcome(Result.REFUSED, refusal.message)

    async def _note(self, claimed: Outgoing, outcome: Outcome) -> None:
        now = self.resources.clock.now()
        after = after_attempt(
            outcome,
            attempts=claimed.attempts,
            repeatable=claimed.channel_type is not ChannelType.SMS,
            now=now,
        )
        SENT.labels(claimed.channel_type.value, after.status.value).inc()
        noted = claimed.evolve(
            self.now,
            status=after.status,
            due_at=instant(after.at) if after.at else None,
            sent_at=self.now if after.status is SendingStatus.SENT else None,
            error=outcome.detail,
        )
        await self.table.write(replace(noted, claimed, "message"))

    async def _give_up(self, left: Outgoing) -> None:
        SENT.labels(left.channel_type.value, SendingStatus.UNKNOWN.value).inc()
        noted = left.evolve(
            self.now,
            status=SendingStatus.UNKNOWN,
            due_at=None,
            error="The sender was stopped in the middle: it may or may not have arrived.",
        )
        try:
            await self.table.write(replace(noted, left, "message"))
        except StaleVersion:
            return


def _may_use(channel: NotificationChannel, outgoing: Outgoing) -> bool:
    """Of the codes only the newest: the one before may have been for another address."""
    if outgoing.is_code:
        return channel.is_active and channel.code_id == outgoing.id
    return channel.is_usable


async def send_due(resources: Resources, courier: Courier | None = None) -> int:
    """Of everyone, what is due by now; says how many were looked at."""
    shards = every_shard(resources.settings.shards)
    due = await outgoing_due(resources.table, instant(resources.clock.now()), shards)
    places = asyncio.Semaphore(AT_ONCE)
    await asyncio.gather(*(_deliver(resources, courier, places, each) for each in due))
    return len(due)


async def _deliver(
    resources: Resources, courier: Courier | None, places: asyncio.Semaphore, each: Outgoing
) -> None:
    async with places:
        try:
            await Postman(resources, acting_for(each.user_id), courier).deliver(each)
        except AppError as error:
            log.warning("a message waits", outgoing=each.id, error=repr(error))
