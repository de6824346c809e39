"""What clients send about characters and their goals."""

from typing import Annotated

import strawberry
from pydantic import Field

from app.core.inputs import Input
from app.core.scalars import AWSDate, AWSDateTime, WholeNumber
from app.core.text import IdempotencyKey, ShortText
from app.domains.characters.rules.names import CharacterName
from app.domains.characters.rules.targets import LARGEST
from app.domains.characters.types import TargetType
from app.domains.notifications.types import ChannelType, NotificationFrequency

Value = Annotated[WholeNumber, Field(ge=0, le=LARGEST)]
RetentionDays = Annotated[int, Field(ge=7, le=3650)]
Attribute = Annotated[ShortText, Field(max_length=60)]

VERSION = "Refuse with CONFLICT if it has another version."
NAME = "1 to 12 letters, digits, spaces, - or _. The letter case does not matter."
CHANNEL = "A type of which you have a channel (setNotificationChannel); null: the inbox only."
FREQUENCY = "How often you get a message; null: only when it is reached."
ONCE = "Makes a repeated request harmless for 30 days: it gets the answer of the first."
RETENTION = "7 to 3650; null: records are kept for ever. It counts for new records."


@strawberry.input
class AddCharacterInput(Input):
    name: CharacterName = strawberry.field(description=NAME)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RenameCharacterInput(Input):
    name: CharacterName = strawberry.field(description="What it is called here now.")
    new_name: CharacterName = strawberry.field(description=NAME)
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class ArchiveCharacterInput(Input):
    name: CharacterName
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteCharacterInput(Input):
    name: CharacterName = strawberry.field(description="One of your characters.")
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=ONCE
    )


@strawberry.input
class RefreshCharacterInput(Input):
    name: CharacterName


@strawberry.input
class CreateCharacterGoalInput(Input):
    character_name: CharacterName = strawberry.field(description="One of your characters.")
    target_attribute: Attribute = strawberry.field(
        description="A skill, e.g. Woodcutting, for xp, level and rank; an activity, e.g. Zulrah, "
        "for score and rank. The letter case does not matter; targetAttributes lists all."
    )
    target_type: TargetType
    target_value: Value
    target_date: AWSDate | None = strawberry.field(
        default=strawberry.UNSET, description="Today or later."
    )
    notification_channel_type: ChannelType | None = strawberry.field(
        default=strawberry.UNSET, description=CHANNEL
    )
    frequency: NotificationFrequency | None = strawberry.field(
        default=strawberry.UNSET, description=FREQUENCY
    )
    retention_days: RetentionDays | None = strawberry.field(
        default=strawberry.UNSET,
        description="Days after which records are removed; null: they are kept for ever. It counts "
        "for new records.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="What is left out stays as it is; null clears a field.")
class UpdateCharacterGoalInput(Input):
    id: strawberry.ID
    target_value: Value | None = strawberry.UNSET
    target_date: AWSDate | None = strawberry.UNSET
    notification_channel_type: ChannelType | None = strawberry.field(
        default=strawberry.UNSET, description=CHANNEL
    )
    frequency: NotificationFrequency | None = strawberry.field(
        default=strawberry.UNSET, description=FREQUENCY
    )
    retention_days: RetentionDays | None = strawberry.field(
        default=strawberry.UNSET, description=RETENTION
    )
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteCharacterGoalInput(Input):
    id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


MOMENT = "When it was measured: the timestamp of the record."


@strawberry.input
class CorrectProgressInput(Input):
    goal_id: strawberry.ID = strawberry.field(description="A goal of one of your characters.")
    timestamp: AWSDateTime = strawberry.field(description=MOMENT)
    progress_value: Value = strawberry.field(
        description="The right value: experience, level, score or rank, as the goal counts."
    )
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=ONCE
    )


@strawberry.input
class DeleteProgressInput(Input):
    goal_id: strawberry.ID = strawberry.field(description="A goal of one of your characters.")
    timestamp: AWSDateTime = strawberry.field(description=MOMENT)
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=ONCE
    )


@strawberry.input
class RecordProgressInput(Input):
    goal_id: strawberry.ID
    progress_value: Value = strawberry.field(
        description="Experience, level, score or rank, as the goal counts."
    )
    timestamp: AWSDateTime | None = strawberry.field(
        default=strawberry.UNSET,
        description="From 2001 to now, which it is if left out. They may come in any order.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
