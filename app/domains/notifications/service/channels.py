"""Channels: set, verified by a code, deactivated, deleted."""

import secrets
from dataclasses import replace
from datetime import timedelta

from app.core.clock import instant
from app.core.errors import LimitExceeded
from app.domains.notifications import keys
from app.domains.notifications.errors import (
    AlreadyVerified,
    ChannelMissing,
    ChannelNotVerified,
    ChannelUnavailable,
    CodeExpired,
    WrongCode,
)
from app.domains.notifications.inputs import (
    DeactivateNotificationChannelInput,
    DeleteNotificationChannelInput,
    SetNotificationChannelInput,
    VerifyNotificationChannelInput,
)
from app.domains.notifications.rules.codes import (
    CODE_MINUTES,
    CODE_TRIES,
    code_hash,
    has_valid_code,
    is_right_code,
    is_verified,
)
from app.domains.notifications.rules.identifiers import checked_identifier
from app.domains.notifications.rules.texts import code_text
from app.domains.notifications.types import ChannelType, NotificationChannel, OutgoingMessage
from app.domains.service import Decision, Service, required
from app.table.gateway import Position, Rows
from app.table.writes import Put, Write, delete_if_unchanged, put_if_absent, put_if_unchanged, stale

MOST_OF_A_TYPE = 5
GATEWAYS = {ChannelType.SMS: "sms_gateway", ChannelType.Email: "mail_gateway"}


class Channels(Service):
    async def channels(self, *, limit: int, start: Position | None) -> Rows[NotificationChannel]:
        query = keys.channels_of_user(self.caller.user_id)
        return await self.table.query(query, limit=limit, start=start)

    async def usable(self, channel_type: ChannelType | None = None) -> list[NotificationChannel]:
        """Verified and active; of one type, or of all."""
        return [
            each
            for each in await self._all()
            if each.is_usable and channel_type in (None, each.channel_type)
        ]

    async def _all(self) -> list[NotificationChannel]:
        query = keys.channels_of_user(self.caller.user_id)
        return [each async for each in self.table.query_all(query)]

    async def channel(self, channel_type: ChannelType, label: str | None) -> NotificationChannel:
        """Or NOT_FOUND."""
        key = keys.channel(self.caller.user_id, channel_type, label or None)
        return required(await self.table.get(key), "channel")

    async def usable_channel(
        self, channel_type: ChannelType, label: str | None
    ) -> NotificationChannel:
        channel = await self.channel(channel_type, label)
        if not channel.is_usable:
            raise ChannelNotVerified
        return channel

    async def expect_channel(self, channel_type: ChannelType, *, field: str) -> None:
        """Refuses a type of which the user has no channel. One that is not verified yet will do."""
        if not any(each.channel_type is channel_type for each in await self._all()):
            raise ChannelMissing(channel_type.value, field=field)

    async def set(self, request: SetNotificationChannelInput) -> NotificationChannel:
        settings = self.resources.settings
        self._expect_gateway(request.channel_type)
        identifier = checked_identifier(
            request.channel_type,
            request.identifier,
            webhook_hosts=settings.webhook_hosts,
            insecure=settings.insecure_webhooks,
        )
        await self.resources.limiter.count(
            "channels set", self.caller.user_id, limit=10, seconds=3600
        )

        async def decide() -> Decision[NotificationChannel]:
            return await self._set(request, identifier)

        return await self.once(request, NotificationChannel, decide)

    def _expect_gateway(self, channel_type: ChannelType) -> None:
        name = GATEWAYS.get(channel_type)
        if name and getattr(self.resources.settings, name) is None:
            raise ChannelUnavailable(channel_type.value, name.upper())

    async def _set(
        self, request: SetNotificationChannelInput, identifier: str
    ) -> Decision[NotificationChannel]:
        every = await self._all()
        same_type = [each for each in every if each.channel_type is request.channel_type]
        label = request.label or None
        old = next((each for each in same_type if each.label == label), None)
        if old is None and len(same_type) >= MOST_OF_A_TYPE:
            raise LimitExceeded(f"At most {MOST_OF_A_TYPE} channels of one type.")
        new = self._channel(request, identifier, old)
        if old is not None and old.identifier == identifier and old.verified_at is not None:
            return Decision(new, [put_if_unchanged(new, old, "channel")])
        code = f"{secrets.randbelow(10**6):06}"
        new = self._with_code(new, code)
        first = put_if_absent(new, otherwise=stale("channel"))
        write: Write = put_if_unchanged(new, old, "channel") if old else first
        return Decision(new, [write, Put(self._code_message(new, code))])

    def _channel(
        self,
        request: SetNotificationChannelInput,
        identifier: str,
        old: NotificationChannel | None,
    ) -> NotificationChannel:
        same = old is not None and old.identifier == identifier
        reminders = request.reminders if isinstance(request.reminders, bool) else None
        return NotificationChannel(
            user_id=self.caller.user_id,
            created_at=old.created_at if old else self.now,
            updated_at=self.now,
            version=old.version + 1 if old else 1,
            channel_type=request.channel_type,
            label=request.label or None,
            identifier=identifier,
            verified_at=old.verified_at if old and same else None,
            reminders=reminders if reminders is not None else (old.reminders if old else True),
        )

    def _with_code(self, channel: NotificationChannel, code: str) -> NotificationChannel:
        until = self.resources.clock.now() + timedelta(minutes=CODE_MINUTES)
        return replace(
            channel,
            code_id=self.resources.ids.new(),
            code_hash=self._hash(code),
            code_until=instant(until),
        )

    async def code_delivery(self, channel: NotificationChannel) -> OutgoingMessage | None:
        if channel.code_id is None:
            return None
        return await self.table.load(keys.outgoing(channel.user_id, channel.code_id, channel.name))

    def _hash(self, code: str) -> str:
        return code_hash(self.resources.secret.derive("channel codes"), code)

    def _code_message(self, channel: NotificationChannel, code: str) -> OutgoingMessage:
        return OutgoingMessage(
            **self.stamp(),
            id=str(channel.code_id),
            notification_id=str(channel.code_id),
            channel_type=channel.channel_type,
            label=channel.label,
            title="Your Guildhall code",
            body=code_text(code, CODE_MINUTES),
            due_at=self.now,
            is_code=True,
        )

    async def verify(self, request: VerifyNotificationChannelInput) -> NotificationChannel:
        """A wrong code is refused, but its try is counted in the table."""

        async def decide() -> Decision[NotificationChannel]:
            old = await self.channel(request.channel_type, request.label)
            if is_verified(old):
                raise AlreadyVerified(is_active=old.is_active)
            if not has_valid_code(old, self.now):
                raise CodeExpired
            right = is_right_code(old, self._hash(request.code))
            tries = old.code_tries + 1
            changes = (
                {"verified_at": self.now, "code_hash": None, "code_until": None, "code_tries": 0}
                if right
                else {"code_tries": tries}
            )
            new = old.evolve(self.now, **changes)
            return Decision(new, [put_if_unchanged(new, old, "channel")])

        channel = await self.once(request, NotificationChannel, decide)
        if channel.code_hash is not None:
            raise WrongCode(CODE_TRIES - channel.code_tries)
        return channel

    async def deactivate(self, request: DeactivateNotificationChannelInput) -> NotificationChannel:
        async def decide() -> Decision[NotificationChannel]:
            old = await self.channel(request.channel_type, request.label)
            new = old.evolve(self.now, is_active=False)
            return Decision(new, [put_if_unchanged(new, old, "channel")])

        return await self.once(request, NotificationChannel, decide)

    async def delete(self, request: DeleteNotificationChannelInput) -> NotificationChannel:
        """Messages on their way to it are not sent any more."""

        async def decide() -> Decision[NotificationChannel]:
            channel = await self.channel(request.channel_type, request.label)
            return Decision(channel, [delete_if_unchanged(channel, "channel")])

        return await self.once(request, NotificationChannel, decide)
