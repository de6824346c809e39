"""Channels: set, proven by a code, switched off; and when to use them."""

import hmac
import secrets
from datetime import timedelta

from app.core.caller import Caller
from app.core.clock import instant
from app.core.errors import LimitExceeded, NotFound
from app.domains.notifications.courier import fingerprint
from app.domains.notifications.errors import (
    ChannelNotVerified,
    ChannelUnavailable,
    CodeExpired,
    WrongCode,
)
from app.domains.notifications.inputs import (
    DeactivateNotificationChannelInput,
    SetNotificationChannelInput,
    VerifyNotificationChannelInput,
)
from app.domains.notifications.repository import NotificationsRepository
from app.domains.notifications.rules.identifiers import checked_identifier
from app.domains.notifications.types import ChannelType, NotificationChannel, Outgoing
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.gateway import Position, Rows
from app.table.writes import Put, Write, create, replace, stale

MOST_OF_A_TYPE = 5
CODE_MINUTES = 15
CODE_TRIES = 5
GATEWAYS = {ChannelType.SMS: "sms_gateway", ChannelType.Email: "mail_gateway"}


class Channels(Service):
    def __init__(self, resources: Resources, caller: Caller) -> None:
        super().__init__(resources, caller)
        self.repository = NotificationsRepository(resources.table)

    async def channels(self, *, limit: int, start: Position | None) -> Rows[NotificationChannel]:
        return await self.repository.channels(self.caller.user_id, limit=limit, start=start)

    async def usable(self, channel_type: ChannelType | None = None) -> list[NotificationChannel]:
        """Verified and active; of one type, or of all."""
        found = await self.repository.every_channel(self.caller.user_id)
        return [
            each for each in found if each.is_usable and channel_type in (None, each.channel_type)
        ]

    async def known(self, channel_type: ChannelType, label: str | None) -> NotificationChannel:
        found = await self.repository.channel(self.caller.user_id, channel_type, label or None)
        if found is None:
            raise NotFound("channel")
        return found

    async def known_usable(
        self, channel_type: ChannelType, label: str | None
    ) -> NotificationChannel:
        found = await self.known(channel_type, label)
        if not found.is_usable:
            raise ChannelNotVerified
        return found

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
            return await self._setting(request, identifier)

        return await self.commit(decide)

    def _expect_gateway(self, kind: ChannelType) -> None:
        name = GATEWAYS.get(kind)
        if name and getattr(self.resources.settings, name) is None:
            raise ChannelUnavailable(kind.value, name.upper())

    async def _setting(
        self, request: SetNotificationChannelInput, identifier: str
    ) -> Decision[NotificationChannel]:
        every = await self.repository.every_channel(self.caller.user_id)
        same_type = [each for each in every if each.channel_type is request.channel_type]
        label = request.label or None
        old = next((each for each in same_type if each.label == label), None)
        if old is None and len(same_type) >= MOST_OF_A_TYPE:
            raise LimitExceeded(f"At most {MOST_OF_A_TYPE} channels of one type.")
        new = self._channel(request, identifier, old)
        if old is not None and old.identifier == identifier and old.verified_at is not None:
            return Decision(new, [replace(new, old, "channel")])
        code = f"{secrets.randbelow(10**6):06}"
        new = self._with_code(new, code)
        first = create(new, otherwise=stale("channel"))
        return Decision(
            new, [replace(new, old, "channel") if old else first, *self._code_writes(new, code)]
        )

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
        channel.code_id = self.resources.ids.new()
        channel.code_hash = self._hash(code)
        until = self.resources.clock.now() + timedelta(minutes=CODE_MINUTES)
        channel.code_until = instant(until)
        return channel

    async def code_delivery(self, channel: NotificationChannel) -> Outgoing | None:
        if channel.code_id is None:
            return None
        return await self.repository.outgoing(channel.user_id, channel.code_id, channel.name)

    def _hash(self, code: str) -> str:
        return fingerprint(self.resources.secret.derive("channel codes"), code)

    def _code_writes(self, channel: NotificationChannel, code: str) -> list[Write]:
        outgoing = Outgoing(
            id=str(channel.code_id),
            user_id=channel.user_id,
            created_at=self.now,
            updated_at=self.now,
            notification_id=str(channel.code_id),
            channel_type=channel.channel_type,
            label=channel.label,
            title="Your Guildhall code",
            body=f"{code} is your code for Guildhall. It is good for {CODE_MINUTES} minutes. "
            "If you did not ask for it, do nothing.",
            due_at=self.now,
            is_code=True,
        )
        return [Put(outgoing)]

    async def verify(self, request: VerifyNotificationChannelInput) -> NotificationChannel:
        """A wrong code is counted, and the count is kept although it is refused."""
        failure: WrongCode | None = None

        async def decide() -> Decision[NotificationChannel]:
            nonlocal failure
            old = await self.known(request.channel_type, request.label)
            self._expect_code(old)
            right = hmac.compare_digest(old.code_hash or "", self._hash(request.code))
            tries = old.code_tries + 1
            failure = None if right else WrongCode(CODE_TRIES - tries)
            changes = (
                {"verified_at": self.now, "code_hash": None, "code_until": None, "code_tries": 0}
                if right
                else {"code_tries": tries}
            )
            new = old.evolve(self.now, **changes)
            return Decision(new, [replace(new, old, "channel")])

        channel = await self.commit(decide)
        if failure is not None:
            raise failure
        return channel

    def _expect_code(self, channel: NotificationChannel) -> None:
        until = channel.code_until
        if until is None or until <= self.now or channel.code_tries >= CODE_TRIES:
            raise CodeExpired

    async def deactivate(self, request: DeactivateNotificationChannelInput) -> NotificationChannel:
        async def decide() -> Decision[NotificationChannel]:
            old = await self.known(request.channel_type, request.label)
            new = old.evolve(self.now, is_active=False)
            return Decision(new, [replace(new, old, "channel")])

        return await self.commit(decide)
