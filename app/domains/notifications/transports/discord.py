"""Messages to a Discord channel, by one of its webhooks."""

import httpx

from app.domains.notifications.rules.identifiers import discord_parts
from app.domains.notifications.rules.sending import SendOutcome
from app.domains.notifications.rules.texts import discord_content
from app.domains.notifications.transports.http_post import post_json

HEADERS = {"user-agent": "Guildhall"}


async def send_to_discord(
    http: httpx.AsyncClient, identifier: str, title: str, body: str, *, api_url: str
) -> SendOutcome:
    """`api_url`: where Discord's webhooks are. It is the operator's, so any host is allowed."""
    webhook_id, token = discord_parts(identifier)
    content = {
        "content": discord_content(title, body),
        # Without this, @everyone in a task's title notifies the whole channel.
        "allowed_mentions": {"parse": []},
    }
    url = httpx.URL(f"{api_url.removesuffix('/')}/{webhook_id}/{token}")
    return await post_json(http, url, content, headers=HEADERS)
