"""Inputs of the mutations about notifications."""

from typing import Annotated

import strawberry
from pydantic import AfterValidator, Field, StringConstraints

from app.core.inputs import Input
from app.core.text import IdempotencyKey
from app.domains.notifications.types import LEAD_CHOICES, LEAD_MINUTES, ChannelType

ChannelIdentifier = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2048)
]
ChannelLabel = Annotated[
    str,
    StringConstraints(strip_whitespace=True, pattern=r"^[A-Za-z0-9][A-Za-z0-9 _.-]{0,29}$"),
]
ChannelCode = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=20)]
HourOfDay = Annotated[int, Field(ge=0, le=23)]


def _known_lead(minutes: int) -> int:
    if minutes not in LEAD_MINUTES:
        raise ValueError(f"must be {LEAD_CHOICES}")
    return minutes


LeadMinutes = Annotated[int, AfterValidator(_known_lead)]

LABEL = "Letters, digits, spaces and _ . - up to 30; left out: the first channel of its type."


@strawberry.input(
    description="A code is sent to the channel. Send it back with verifyNotificationChannel."
)
class SetNotificationChannelInput(Input):
    channel_type: ChannelType
    identifier: ChannelIdentifier = strawberry.field(
        description="A phone number, an e-mail address, or the URL of a webhook."
    )
    label: ChannelLabel | None = strawberry.field(default=strawberry.UNSET, description=LABEL)
    reminders: bool | None = strawberry.field(
        default=strawberry.UNSET, description="true if left out."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class VerifyNotificationChannelInput(Input):
    channel_type: ChannelType
    label: ChannelLabel | None = strawberry.field(default=strawberry.UNSET, description=LABEL)
    code: ChannelCode = strawberry.field(description="The code that was sent to the channel.")
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeactivateNotificationChannelInput(Input):
    channel_type: ChannelType
    label: ChannelLabel | None = strawberry.field(default=strawberry.UNSET, description=LABEL)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteNotificationChannelInput(Input):
    channel_type: ChannelType = strawberry.field(description="The type of the channel.")
    label: ChannelLabel | None = strawberry.field(default=strawberry.UNSET, description=LABEL)
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET,
        description="Makes a repeated request harmless for 30 days: it gets the answer of the "
        "first.",
    )


@strawberry.input
class SendTestNotificationInput(Input):
    channel_type: ChannelType = strawberry.field(description="The channel.")
    label: ChannelLabel | None = strawberry.field(default=strawberry.UNSET, description=LABEL)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="Fields that are left out stay unchanged; null clears a field.")
class UpdateNotificationSettingsInput(Input):
    hour: HourOfDay | None = strawberry.UNSET
    quiet_from: HourOfDay | None = strawberry.field(
        default=strawberry.UNSET,
        description="0 to 23, in your time zone: messages to channels wait from this hour on. It "
        "needs quietTo; null for both: no quiet hours.",
    )
    quiet_to: HourOfDay | None = strawberry.field(
        default=strawberry.UNSET,
        description="0 to 23: until this hour, on the next day if it is before quietFrom. It "
        "needs quietFrom.",
    )
    daily_reminder: bool | None = strawberry.UNSET
    due_reminder: bool | None = strawberry.UNSET
    remind_before: LeadMinutes | None = strawberry.field(
        default=strawberry.UNSET, description=f"Minutes: {LEAD_CHOICES}."
    )
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET,
        description="Refuse with CONFLICT if the settings have another version.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class MarkNotificationsReadInput(Input):
    ids: Annotated[list[strawberry.ID], Field(min_length=1, max_length=50)] = strawberry.field(
        description="Your notifications.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
