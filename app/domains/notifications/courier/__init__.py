"""How a message leaves this server: one courier for each type of channel."""

import asyncio
import hashlib
from dataclasses import dataclass
from urllib.parse import quote

from pydantic import SecretStr

from app.domains.notifications.courier.services import discord, gateway
from app.domains.notifications.courier.webhook import Resolve, look_up, post
from app.domains.notifications.rules.identifiers import ChannelType, discord_parts, webhook_parts
from app.domains.notifications.rules.sending import Outcome, Result
from app.resources import Resources


@dataclass(frozen=True, slots=True)
class Message:
    id: str
    title: str
    body: str


class Courier:
    def __init__(self, resources: Resources, resolve: Resolve = look_up) -> None:
        self.resources = resources
        self.settings = resources.settings
        self.resolve = resolve

    async def send(self, kind: ChannelType, identifier: str, message: Message) -> Outcome:
        match kind:
            case ChannelType.Discord:
                return await self._discord(identifier, message)
            case ChannelType.Webhook:
                return await self._webhook(identifier, message)
            case ChannelType.Email:
                return await self._gateway(self.settings.mail_gateway, identifier, message)
            case ChannelType.SMS:
                return await self._gateway(self.settings.sms_gateway, identifier, message)

    async def _discord(self, identifier: str, message: Message) -> Outcome:
        webhook_id, token = discord_parts(identifier)
        service = discord(webhook_id, token, address=self.settings.discord_url)
        return await service.send(message.title, message.body)

    async def _gateway(
        self, address: SecretStr | None, identifier: str, message: Message
    ) -> Outcome:
        if address is None:
            return Outcome(Result.REFUSED, "This server has no gateway for this type of channel.")
        url = address.get_secret_value().replace("{to}", quote(identifier, safe=""))
        # In a thread: the first time, Apprise reads in all its services.
        service = await asyncio.to_thread(gateway, url)
        if service is None:
            return Outcome(Result.REFUSED, "The gateway of this server is not set up right.")
        return await service.send(message.title, message.body)

    async def _webhook(self, identifier: str, message: Message) -> Outcome:
        """Checked again: what the operator allows may have changed since it was set."""
        insecure = self.settings.insecure_webhooks
        parts = webhook_parts(
            identifier, webhook_hosts=self.settings.webhook_hosts, insecure=insecure
        )
        content = {"id": message.id, "title": message.title, "body": message.body}
        return await post(
            self.resources.http, parts, content, resolve=self.resolve, insecure=insecure
        )


def fingerprint(secret: bytes, code: str) -> str:
    return hashlib.blake2b(code.encode(), key=secret).hexdigest()
