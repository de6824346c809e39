"""What clients send about characters and their goals."""

from typing import Annotated

import strawberry
from pydantic import Field

from app.core.inputs import Input
from app.core.scalars import AWSDate, AWSDateTime
from app.core.text import IdempotencyKey, ShortText
from app.domains.characters.rules.names import CharacterName
from app.domains.characters.rules.targets import LARGEST
from app.domains.characters.types import TargetType
from app.domains.notifications.types import ChannelType, NotificationFrequency

Value = Annotated[int, Field(ge=0, le=LARGEST)]
RetentionDays = Annotated[int, Field(ge=7, le=3650)]
Attribute = Annotated[ShortText, Field(max_length=60)]

VERSION = "Refuse with CONFLICT if it has another version."
NAME = "1 to 12 letters, digits, spaces, - or _. The letter case does not matter."
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


@strawberry.input
class ArchiveCharacterInput(Input):
    name: CharacterName


@strawberry.input
class RefreshCharacterInput(Input):
    name: CharacterName


@strawberry.input
class CreateCharacterGoalInput(Input):
    character_name: CharacterName = strawberry.field(description="One of your characters.")
    target_attribute: Attribute = strawberry.field(
        description="A skill, e.g. Woodcutting; for score and rank also an activity."
    )
    target_type: TargetType
    target_value: Value
    target_date: AWSDate | None = strawberry.field(
        default=strawberry.UNSET, description="Today or later."
    )
    notification_channel_type: ChannelType | None = strawberry.UNSET
    frequency: NotificationFrequency | None = strawberry.UNSET
    retention_days: RetentionDays | None = strawberry.field(
        default=strawberry.UNSET, description=RETENTION
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="What is left out stays as it is; null clears a field.")
class UpdateCharacterGoalInput(Input):
    id: strawberry.ID
    target_value: Value | None = strawberry.UNSET
    target_date: AWSDate | None = strawberry.UNSET
    notification_channel_type: ChannelType | None = strawberry.UNSET
    frequency: NotificationFrequency | None = strawberry.UNSET
    retention_days: RetentionDays | None = strawberry.field(
        default=strawberry.UNSET, description=RETENTION
    )
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)


@strawberry.input
class DeleteCharacterGoalInput(Input):
    id: strawberry.ID


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
