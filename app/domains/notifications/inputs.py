"""What clients send about notifications."""

from typing import Annotated

import strawberry
from pydantic import AfterValidator, Field, StringConstraints

from app.core.inputs import Input
from app.domains.notifications.rules.times import LEADS, shown_leads
from app.domains.notifications.types import ChannelType

Identifier = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2048)]
Label = Annotated[
    str,
    StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.-]{0,29}$"),
]
Code = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20)]
Hour = Annotated[int, Field(ge=0, le=23)]


def _lead(minutes: int) -> int:
    if minutes not in LEADS:
        raise ValueError(f"must be {shown_leads()}")
    return minutes


Lead = Annotated[int, AfterValidator(_lead)]

LABEL = "Letters, digits, spaces and _ . - up to 30; left out: the first channel of its type."


@strawberry.input(
    description="Sends a code to the channel, which verifyNotificationChannel wants to see."
)
class SetNotificationChannelInput(Input):
    channel_type: ChannelType
    identifier: Identifier = strawberry.field(
        description="A phone number, an e-mail address, or the address of a webhook."
    )
    label: Label | None = strawberry.field(default=strawberry.UNSET, description=LABEL)
    reminders: bool | None = strawberry.field(
        default=strawberry.UNSET, description="true if left out."
    )


@strawberry.input
class VerifyNotificationChannelInput(Input):
    channel_type: ChannelType
    label: Label | None = strawberry.field(default=strawberry.UNSET, description=LABEL)
    code: Code


@strawberry.input
class DeactivateNotificationChannelInput(Input):
    channel_type: ChannelType
    label: Label | None = strawberry.field(default=strawberry.UNSET, description=LABEL)


@strawberry.input
class SendTestNotificationInput(Input):
    channel_type: ChannelType
    label: Label | None = strawberry.field(default=strawberry.UNSET, description=LABEL)


@strawberry.input(description="What is left out stays as it is; null clears a field.")
class UpdateNotificationSettingsInput(Input):
    hour: Hour | None = strawberry.UNSET
    quiet_from: Hour | None = strawberry.UNSET
    quiet_to: Hour | None = strawberry.UNSET
    daily_reminder: bool | None = strawberry.UNSET
    due_reminder: bool | None = strawberry.UNSET
    remind_before: Lead | None = strawberry.field(
        default=strawberry.UNSET, description=f"Minutes: {shown_leads()}."
    )
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description="Refuse with CONFLICT if they have another version."
    )


@strawberry.input
class MarkNotificationsReadInput(Input):
    ids: Annotated[list[strawberry.ID], Field(min_length=1, max_length=50)] = strawberry.field(
        description="1 to 50 of your notifications."
    )
