"""E-mail and SMS by Apprise, whose many services an operator can choose from.

Apprise only says whether it went well. If not, the receiver may have refused the message, may not
have been reached, or may have taken it without answering: the outcome is in doubt.
"""

import asyncio
import logging

from apprise import Apprise, AppriseAsset, NotifyBase

from app.domains.notifications.rules.sending import SendOutcome, SendResult

ASSET = AppriseAsset(app_id="Guildhall", http_redirects=False, secure_logging=True)
# It would log phone numbers and addresses.
logging.getLogger("apprise").addHandler(logging.NullHandler())
logging.getLogger("apprise").propagate = False


async def send_by_gateway(url: str, title: str, body: str) -> SendOutcome:
    """`url`: an Apprise address of one receiver, such as mailtos://… or twilio://…"""
    # In a thread: on first use Apprise imports all its services.
    plugin = await asyncio.to_thread(Apprise.instantiate, url, asset=ASSET)
    if not isinstance(plugin, NotifyBase):
        return SendOutcome(SendResult.REFUSED, "The gateway of this server is not set up right.")
    # In a thread of Apprise's own pool.
    if await plugin.async_notify(title=title, body=body):
        return SendOutcome(SendResult.SENT)
    return SendOutcome(SendResult.IN_DOUBT, "The gateway did not confirm the message.")
