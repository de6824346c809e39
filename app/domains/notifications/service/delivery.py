"""Sends the messages that are due: claimed before, recorded after, so that none is sent twice.

A worker that dies while it sends leaves the message claimed. When the claim has expired, nobody
can know whether it arrived: it is marked UNKNOWN, and not sent again. It is in the inbox anyway.
"""

import asyncio
from dataclasses import dataclass
from functools import partial

from prometheus_client import Counter

from app.core.caller import acting_for
from app.core.clock import instant
from app.core.errors import AppError, StaleVersion
from app.core.shards import every_shard
from app.domains.notifications import keys
from app.domains.notifications.rules.sending import (
    CLAIM,
    DeliveryState,
    SendOutcome,
    SendResult,
    may_send,
    state_after,
)
from app.domains.notifications.transports import ChannelMessage, Transports
from app.domains.notifications.types import ChannelType, OutgoingMessage, SendingStatus
from app.domains.service import Decision, Scope, Service
from app.resources import Resources
from app.table.entity import Key
from app.table.writes import put_if_unchanged

OF_A_SHARD = 100
SENT = Counter("guildhall_notifications_total", "Messages to channels", ["channel", "outcome"])


@dataclass(eq=False)
class DeliveryWorker(Service):
    transports: Transports

    async def deliver(self, found: OutgoingMessage) -> None:
        """A message that was found to be due; another worker may have been faster."""
        message = await self.table.get(key_of(found))
        if message is None or message.due_at is None or message.due_at > self.now:
            return
        if message.status is SendingStatus.SENDING:
            await self._mark_unknown(message)
            return
        claimed = await self._claim(message)
        if claimed is not None:
            await self._record(claimed, await self._send(claimed))

    async def _claim(self, message: OutgoingMessage) -> OutgoingMessage | None:
        until = instant(self.resources.clock.now() + CLAIM)
        claimed = message.evolve(
            self.now, status=SendingStatus.SENDING, attempts=message.attempts + 1, due_at=until
        )
        try:
            await self.table.write(put_if_unchanged(claimed, message, "message"))
        except StaleVersion:
            return None
        return claimed

    async def _send(self, message: OutgoingMessage) -> SendOutcome:
        key = keys.channel(message.user_id, message.channel_type, message.label)
        channel = await self.table.get(key)
        if channel is None or not may_send(channel, message):
            return SendOutcome(SendResult.REFUSED, "The channel is not active any more.")
        content = ChannelMessage(message.id, message.title, message.body)
        try:
            async with asyncio.timeout(CLAIM.total_seconds() / 2):
                return await self.transports.send(channel.channel_type, channel.identifier, content)
        except TimeoutError:
            return SendOutcome(SendResult.IN_DOUBT, "The channel's host did not answer in time.")
        except AppError as refusal:
            return SendOutcome(SendResult.REFUSED, refusal.message)

    async def _record(self, claimed: OutgoingMessage, outcome: SendOutcome) -> None:
        state = state_after(
            outcome,
            attempts=claimed.attempts,
            # A second SMS costs money, so it is never risked.
            repeatable=claimed.channel_type is not ChannelType.SMS,
            now=self.resources.clock.now(),
        )
        SENT.labels(claimed.channel_type.value, state.status.value).inc()
        await self.commit(partial(self._record_state, claimed, state, outcome.detail))

    async def _record_state(
        self, claimed: OutgoingMessage, state: DeliveryState, error: str | None
    ) -> Decision[None]:
        """Also over UNKNOWN, which another worker wrote when this one took too long."""
        found = await self.table.get(key_of(claimed))
        if found is None or found.attempts != claimed.attempts:
            return Decision(None)
        recorded = found.evolve(
            self.now,
            status=state.status,
            due_at=instant(state.retry_at) if state.retry_at else None,
            sent_at=self.now if state.status is SendingStatus.SENT else None,
            error=error,
        )
        return Decision(None, [put_if_unchanged(recorded, found, "message")])

    async def _mark_unknown(self, abandoned: OutgoingMessage) -> None:
        SENT.labels(abandoned.channel_type.value, SendingStatus.UNKNOWN.value).inc()
        recorded = abandoned.evolve(
            self.now,
            status=SendingStatus.UNKNOWN,
            due_at=None,
            error="The sender was stopped in the middle: it may or may not have arrived.",
        )
        try:
            await self.table.write(put_if_unchanged(recorded, abandoned, "message"))
        except StaleVersion:
            return


def key_of(message: OutgoingMessage) -> Key[OutgoingMessage]:
    return keys.outgoing(message.user_id, message.notification_id, message.channel)


async def messages_due(resources: Resources) -> list[OutgoingMessage]:
    """Of all users, by now: of each shard up to a hundred, the longest due first."""
    now = instant(resources.clock.now())
    due: list[OutgoingMessage] = []
    for shard in every_shard(resources.settings.shards):
        rows = await resources.table.query(keys.outgoing_due(now, shard), limit=OF_A_SHARD)
        due += rows.items
    return due


async def deliver(resources: Resources, found: OutgoingMessage) -> None:
    scope = Scope(resources, acting_for(found.user_id))
    await DeliveryWorker(scope, Transports(resources)).deliver(found)
