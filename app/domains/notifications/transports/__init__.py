"""How a message leaves this server: one transport for each type of channel."""

from dataclasses import dataclass
from urllib.parse import quote

from pydantic import SecretStr

from app.domains.notifications.rules.identifiers import webhook_parts
from app.domains.notifications.rules.sending import SendOutcome, SendResult
from app.domains.notifications.transports.apprise_gateway import send_by_gateway
from app.domains.notifications.transports.discord import send_to_discord
from app.domains.notifications.transports.webhook import Resolve, resolve_host, send_to_webhook
from app.domains.notifications.types import ChannelType
from app.resources import Resources
from app.settings import Settings


@dataclass(frozen=True, slots=True)
class ChannelMessage:
    id: str
    title: str
    body: str


@dataclass(frozen=True, slots=True)
class Transports:
    resources: Resources
    resolve: Resolve = resolve_host

    @property
    def settings(self) -> Settings:
        return self.resources.settings

    async def send(
        self, channel_type: ChannelType, identifier: str, message: ChannelMessage
    ) -> SendOutcome:
        match channel_type:
            case ChannelType.Discord:
                return await self._send_to_discord(identifier, message)
            case ChannelType.Webhook:
                return await self._send_to_webhook(identifier, message)
            case ChannelType.Email:
                return await self._send_by_gateway(self.settings.mail_gateway, identifier, message)
            case ChannelType.SMS:
                return await self._send_by_gateway(self.settings.sms_gateway, identifier, message)

    async def _send_to_discord(self, identifier: str, message: ChannelMessage) -> SendOutcome:
        return await send_to_discord(
            self.resources.http,
            identifier,
            message.title,
            message.body,
            api_url=self.settings.discord_url,
        )

    async def _send_by_gateway(
        self, address: SecretStr | None, identifier: str, message: ChannelMessage
    ) -> SendOutcome:
        if address is None:
            detail = "This server has no gateway for this type of channel."
            return SendOutcome(SendResult.REFUSED, detail)
        url = address.get_secret_value().replace("{to}", quote(identifier, safe=""))
        return await send_by_gateway(url, message.title, message.body)

    async def _send_to_webhook(self, identifier: str, message: ChannelMessage) -> SendOutcome:
        """Checked again: what the operator allows may have changed since it was set."""
        insecure = self.settings.insecure_webhooks
        parts = webhook_parts(
            identifier, webhook_hosts=self.settings.webhook_hosts, insecure=insecure
        )
        content = {"id": message.id, "title": message.title, "body": message.body}
        return await send_to_webhook(
            self.resources.http, parts, content, resolve=self.resolve, insecure=insecure
        )
