"""The operations on channels, the inbox, deliveries and reminders."""

from app.domains.notifications.service.channels import Channels
from app.domains.notifications.service.delivery import DeliveryWorker, deliver, messages_due
from app.domains.notifications.service.inbox import Inbox
from app.domains.notifications.service.reminders import Reminders, users_to_remind

__all__ = [
    "Channels",
    "DeliveryWorker",
    "Inbox",
    "Reminders",
    "deliver",
    "messages_due",
    "users_to_remind",
]
