"""The operations on channels, the inbox, deliveries and reminders."""

from app.domains.notifications.service.channels import Channels
from app.domains.notifications.service.delivery import DeliveryWorker, send_due
from app.domains.notifications.service.inbox import Inbox
from app.domains.notifications.service.reminders import Reminders, reminders_due

__all__ = [
    "Channels",
    "DeliveryWorker",
    "Inbox",
    "Reminders",
    "reminders_due",
    "send_due",
]
