"""Addresses of channels: which are allowed, and how they are masked."""

import re
from collections.abc import Iterable
from ipaddress import ip_address
from urllib.parse import SplitResult, urlsplit

from app.core.errors import BadInput
from app.core.text import is_email
from app.domains.notifications.types import ChannelType

PHONE = re.compile(r"\+[1-9][0-9]{6,14}")
DISCORD = re.compile(
    r"https://(?:discord|discordapp)\.com/api/(?:v[0-9]{1,2}/)?webhooks/"
    r"(?P<id>[0-9]{1,25})/(?P<token>[A-Za-z0-9_-]{1,128})/?"
)
PLAIN_PATH = re.compile(r"/[A-Za-z0-9._~!$&'()*+,;=:@%/-]*")
SHOWN_DIGITS = 4


def checked_identifier(
    channel_type: ChannelType, text: str, *, webhook_hosts: Iterable[str], insecure: bool
) -> str:
    """The address as it is used, or BadInput: its message never repeats the address."""
    text = text.strip()
    if channel_type is ChannelType.SMS:
        return _phone(text)
    if channel_type is ChannelType.Email:
        return _email(text)
    if channel_type is ChannelType.Discord:
        discord_parts(text)
        return text
    webhook_parts(text, webhook_hosts=webhook_hosts, insecure=insecure)
    return text


def _bad_identifier(message: str) -> BadInput:
    return BadInput(message, field="input.identifier")


def _phone(text: str) -> str:
    number = re.sub(r"[ ().-]", "", text)
    if not PHONE.fullmatch(number):
        raise _bad_identifier(
            "A phone number begins with + and the country code, e.g. +14155552671."
        )
    return number


def _email(text: str) -> str:
    if not is_email(text):
        raise _bad_identifier("This is not an e-mail address.")
    return text


def discord_parts(text: str) -> tuple[str, str]:
    """The id and the token of a webhook."""
    found = DISCORD.fullmatch(text)
    if not found:
        raise _bad_identifier(
            "A Discord channel is given by the address of one of its webhooks: "
            "https://discord.com/api/webhooks/<id>/<token>."
        )
    return found["id"], found["token"]


def webhook_parts(text: str, *, webhook_hosts: Iterable[str], insecure: bool) -> SplitResult:
    """`webhook_hosts`: host or host/path, each exact up to there. `insecure`: also http, for
    tests."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _bad_identifier("This is not a URL.") from None
    if parts.scheme != "https" and not (insecure and parts.scheme == "http"):
        raise _bad_identifier("A webhook's address begins with https://.")
    if "@" in parts.netloc or parts.fragment or not parts.hostname or not text.isascii():
        raise _bad_identifier("A webhook's address has a host and a path, no user, password or #.")
    if not _is_plain_path(parts.path) or len(text) > 2048:
        raise _bad_identifier("A webhook's path must be plain, without .. or \\.")
    host = parts.hostname + (f":{port}" if port not in (None, 443) else "")
    if not any(_allows(allowed, host, parts.path or "/") for allowed in webhook_hosts):
        raise _bad_identifier("This server sends no webhooks to that host.")
    if not insecure and _is_ip_address(parts.hostname):
        raise _bad_identifier("A webhook's host is a name, not a number.")
    return parts


def _is_plain_path(path: str) -> bool:
    steps = path.lower().replace("%2e", ".").replace("%2f", "/").split("/")
    plain = not path or PLAIN_PATH.fullmatch(path) is not None
    return plain and ".." not in steps and "%5c" not in path.lower()


def _allows(allowed: str, host: str, path: str) -> bool:
    allowed_host, slash, prefix = allowed.lower().partition("/")
    inside = f"/{prefix.removesuffix('/')}/" if slash and prefix else "/"
    return host == allowed_host and f"{path.lower().removesuffix('/')}/".startswith(inside)


def _is_ip_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        last = host.removesuffix(".").rpartition(".")[2]
        return last.isdigit() or re.fullmatch("0x[0-9a-f]*", last) is not None
    return True


def masked(channel_type: ChannelType, identifier: str) -> str:
    """Enough for its owner to recognise it, of no use to others."""
    if channel_type is ChannelType.Email:
        local, _, domain = identifier.rpartition("@")
        return f"{local[:1]}•••@{domain}"
    if channel_type is ChannelType.SMS:
        return f"{identifier[:2]}•••{identifier[-2:]}"
    if channel_type is ChannelType.Discord:
        return f"discord.com/…{discord_parts(identifier)[0][-SHOWN_DIGITS:]}"
    return f"{urlsplit(identifier).hostname}/•••"
