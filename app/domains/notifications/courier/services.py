"""Discord, e-mail and SMS by Apprise, whose many services an operator can choose from.

Apprise only says whether it went well. To know why not, and how long to wait, we listen where its
services speak HTTP: requests. It follows no redirects here, and does not try again by itself.
"""

import logging
from contextvars import ContextVar
from typing import Any

import requests
from apprise import Apprise, AppriseAsset, NotifyBase
from apprise.plugins.discord import NotifyDiscord

from app.domains.notifications.courier.webhook import retry_after
from app.domains.notifications.rules.sending import Outcome, Result, outcome_of

ASSET = AppriseAsset(app_id="Guildhall", http_redirects=False, secure_logging=True)
# It would log phone numbers and addresses.
logging.getLogger("apprise").addHandler(logging.NullHandler())
logging.getLogger("apprise").propagate = False


class Ear:
    """What the far side answered in one attempt, if it did."""

    def __init__(self) -> None:
        self.outcome: Outcome | None = None


_ear: ContextVar[Ear | None] = ContextVar("_ear", default=None)


class _Session(requests.Session):
    def send(self, request: requests.PreparedRequest, **kwargs: Any) -> requests.Response:
        ear = _ear.get()
        if ear is None:
            return super().send(request, **kwargs)
        if ear.outcome is not None and ear.outcome.result is not Result.SENT:
            raise requests.RequestException("one attempt at a time")
        try:
            answer = super().send(request, **kwargs)
        except (requests.ConnectTimeout, requests.ConnectionError) as error:
            ear.outcome = _unreached(error)
            raise
        except requests.RequestException:
            ear.outcome = Outcome(Result.NO_ANSWER, "The service did not answer in time.")
            raise
        ear.outcome = outcome_of(answer.status_code, retry_after(answer.headers.get("retry-after")))
        return answer


# requests.post makes its session by this name; no other use of requests changes.
requests.sessions.Session = _Session  # type: ignore[misc]


def _unreached(error: requests.RequestException) -> Outcome:
    """A connection that broke may have carried the message; one that never was, did not."""
    never = isinstance(error, requests.ConnectTimeout) or "NewConnectionError" in repr(error)
    if never:
        return Outcome(Result.TRY_AGAIN, "The service cannot be reached.")
    return Outcome(Result.NO_ANSWER, "The service broke off.")


class Service:
    def __init__(self, plugin: NotifyBase) -> None:
        self.plugin = plugin

    async def send(self, title: str, body: str) -> Outcome:
        ear = Ear()
        token = _ear.set(ear)
        try:
            went_well = await self.plugin.async_notify(title=title, body=body)
        finally:
            _ear.reset(token)
        if went_well:
            return Outcome(Result.SENT)
        if ear.outcome is None:
            # Mail: its server said no or was not there, and Apprise does not tell which.
            return Outcome(Result.TRY_AGAIN, "The mail server did not take it.")
        if ear.outcome.result is Result.SENT:
            return Outcome(Result.REFUSED, "The service did not accept it.")
        return ear.outcome


class QuietDiscord(NotifyDiscord):  # type: ignore[no-untyped-call]
    """Whatever stands in a message, it calls nobody (@everyone)."""

    def _send(self, payload: dict[str, Any], *args: Any, **kwargs: Any) -> bool:
        quiet = {**payload, "allowed_mentions": {"parse": []}}
        return bool(super()._send(quiet, *args, **kwargs))


def discord(webhook_id: str, token: str, *, address: str) -> Service:
    plugin = QuietDiscord(
        webhook_id=webhook_id,
        webhook_token=token,
        avatar=False,
        overflow="truncate",
        asset=ASSET,
    )
    plugin.notify_url = address
    return Service(plugin)


def gateway(url: str) -> Service | None:
    """By an Apprise address, such as mailtos://… or twilio://…; None if it is none."""
    plugin = Apprise.instantiate(url, asset=ASSET)
    return Service(plugin) if isinstance(plugin, NotifyBase) else None
