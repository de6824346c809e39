"""What one can do about notifications."""

from app.domains.notifications.service.channels import Channels
from app.domains.notifications.service.inbox import Announcement, Inbox, Subject
from app.domains.notifications.service.postman import Postman, send_due
from app.domains.notifications.service.reminders import Due, Reminders, reminders_due

__all__ = [
    "Announcement",
    "Channels",
    "Due",
    "Inbox",
    "Postman",
    "Reminders",
    "Subject",
    "reminders_due",
    "send_due",
]
