"""Inputs of the mutations about metrics, habits and the logbook."""

from decimal import Decimal
from typing import Annotated

import strawberry
from pydantic import AfterValidator, Field, StringConstraints

from app.core.batches import BATCH_LIMIT, Unchecked
from app.core.ids import CLIENT_ID, ClientId
from app.core.inputs import Input
from app.core.scalars import AWSDate, AWSDateTime
from app.core.text import DocumentText, IdempotencyKey, LifeArea, LongText, ShortText
from app.domains.tracking.types import (
    Aggregation,
    Direction,
    Frequency,
    HabitStatus,
    HabitType,
    LogKind,
    MetricSource,
    MetricStatus,
    Mood,
    Weekday,
)

MetricUnit = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40)]
LinkedIds = Annotated[
    list[strawberry.ID],
    Field(max_length=20),
    AfterValidator(lambda ids: list(dict.fromkeys(ids))),
]
WeekdayList = Annotated[
    list[Weekday], Field(max_length=7), AfterValidator(lambda days: list(dict.fromkeys(days)))
]
EnergyLevel = Annotated[int, Field(ge=1, le=10)]
TargetPerPeriod = Annotated[int, Field(ge=1, le=31)]
IntervalDays = Annotated[int, Field(ge=2, le=31)]

LEFT_OUT = "Fields that are left out stay unchanged; null clears a field."
VERSION = "CONFLICT if the record has another version."


@strawberry.input
class CreateMetricInput(Input):
    name: ShortText
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CLIENT_ID)
    description: LongText | None = strawberry.UNSET
    area: LifeArea | None = strawberry.UNSET
    sub_category: ShortText | None = strawberry.UNSET
    unit: MetricUnit | None = strawberry.field(
        default=strawberry.UNSET,
        description="count, hours, dollars, kg, percent or another short word. count if left out.",
    )
    custom_unit: MetricUnit | None = strawberry.UNSET
    direction: Direction | None = strawberry.field(
        default=strawberry.UNSET, description="Higher if left out."
    )
    target_value: Decimal | None = strawberry.UNSET
    target_band: Decimal | None = strawberry.field(
        default=strawberry.UNSET, description="Above 0. For the direction Target."
    )
    threshold_low: Decimal | None = strawberry.field(
        default=strawberry.UNSET, description="A value that falls below it raises an alert."
    )
    threshold_high: Decimal | None = strawberry.field(
        default=strawberry.UNSET, description="A value that rises above it raises an alert."
    )
    aggregation: Aggregation | None = strawberry.field(
        default=strawberry.UNSET,
        description="Left out: last, which suits levels such as weight; sum suits counts.",
    )
    source: MetricSource | None = strawberry.UNSET
    status: MetricStatus | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description=LEFT_OUT)
class UpdateMetricInput(Input):
    id: strawberry.ID
    name: ShortText | None = strawberry.UNSET
    description: LongText | None = strawberry.UNSET
    area: LifeArea | None = strawberry.UNSET
    sub_category: ShortText | None = strawberry.UNSET
    unit: MetricUnit | None = strawberry.UNSET
    custom_unit: MetricUnit | None = strawberry.UNSET
    direction: Direction | None = strawberry.UNSET
    target_value: Decimal | None = strawberry.UNSET
    target_band: Decimal | None = strawberry.UNSET
    threshold_low: Decimal | None = strawberry.UNSET
    threshold_high: Decimal | None = strawberry.UNSET
    aggregation: Aggregation | None = strawberry.UNSET
    source: MetricSource | None = strawberry.UNSET
    status: MetricStatus | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteMetricInput(Input):
    id: strawberry.ID
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class LogMetricInput(Input):
    metric_id: strawberry.ID
    value: Decimal
    logged_at: AWSDateTime | None = strawberry.field(
        default=strawberry.UNSET, description="From 1970 to now. Left out: now."
    )
    notes: LongText | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description=LEFT_OUT)
class UpdateMetricLogInput(Input):
    metric_id: strawberry.ID
    id: strawberry.ID
    value: Decimal | None = strawberry.UNSET
    logged_at: AWSDateTime | None = strawberry.UNSET
    notes: LongText | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteMetricLogInput(Input):
    metric_id: strawberry.ID
    id: strawberry.ID
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class CreateHabitInput(Input):
    name: ShortText
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CLIENT_ID)
    description: LongText | None = strawberry.UNSET
    area: LifeArea | None = strawberry.UNSET
    sub_category: ShortText | None = strawberry.UNSET
    habit_type: HabitType | None = strawberry.field(
        default=strawberry.UNSET, description="Build if left out."
    )
    frequency: Frequency | None = strawberry.field(
        default=strawberry.UNSET, description="Daily if left out."
    )
    weekdays: WeekdayList | None = strawberry.UNSET
    target_per_period: TargetPerPeriod | None = strawberry.field(
        default=strawberry.UNSET,
        description="How often in a period; 1 if left out. For Reduce: the most days with a slip "
        "in a week, a month or intervalDays.",
    )
    interval_days: IntervalDays | None = strawberry.field(
        default=strawberry.UNSET,
        description="Days from one to the next, for Custom without weekdays.",
    )
    start_date: AWSDate | None = strawberry.field(
        default=strawberry.UNSET, description="Today if left out; not in the future."
    )
    trigger: ShortText | None = strawberry.UNSET
    action: ShortText | None = strawberry.UNSET
    reward: ShortText | None = strawberry.UNSET
    friction_up: ShortText | None = strawberry.UNSET
    friction_down: ShortText | None = strawberry.UNSET
    status: HabitStatus | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description=LEFT_OUT)
class UpdateHabitInput(Input):
    id: strawberry.ID
    name: ShortText | None = strawberry.UNSET
    description: LongText | None = strawberry.UNSET
    area: LifeArea | None = strawberry.UNSET
    sub_category: ShortText | None = strawberry.UNSET
    habit_type: HabitType | None = strawberry.UNSET
    frequency: Frequency | None = strawberry.UNSET
    weekdays: WeekdayList | None = strawberry.UNSET
    target_per_period: TargetPerPeriod | None = strawberry.UNSET
    interval_days: IntervalDays | None = strawberry.UNSET
    start_date: AWSDate | None = strawberry.UNSET
    trigger: ShortText | None = strawberry.UNSET
    action: ShortText | None = strawberry.UNSET
    reward: ShortText | None = strawberry.UNSET
    friction_up: ShortText | None = strawberry.UNSET
    friction_down: ShortText | None = strawberry.UNSET
    status: HabitStatus | None = strawberry.field(
        default=strawberry.UNSET, description="Paused or Archived: a pause begins today."
    )
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteHabitInput(Input):
    id: strawberry.ID
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="A second log of a day replaces the first.")
class LogHabitInput(Input):
    habit_id: strawberry.ID
    date: AWSDate | None = strawberry.field(
        default=strawberry.UNSET,
        description="Within the last ten years, up to today. Left out: today.",
    )
    kind: LogKind | None = strawberry.field(
        default=strawberry.UNSET,
        description="DONE if left out. For Reduce and Quit it is needed: SLIP, or MISSED for a "
        "clean day; DONE is BAD_INPUT there, and so is SLIP for Build and Maintain.",
    )
    completed: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="Instead of kind: true for DONE, false for MISSED. true is BAD_INPUT for "
        "Reduce and Quit: send kind SLIP.",
    )
    notes: LongText | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="What logHabits takes.")
class LogHabitsInput(Input):
    logs: Unchecked[list[LogHabitInput]] = strawberry.field(description=BATCH_LIMIT)


@strawberry.input(description="What logMetrics takes.")
class LogMetricsInput(Input):
    logs: Unchecked[list[LogMetricInput]] = strawberry.field(
        description=f"{BATCH_LIMIT} An idempotencyKey belongs to one of them."
    )


@strawberry.input
class DeleteHabitLogInput(Input):
    habit_id: strawberry.ID
    date: AWSDate
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(
    description="Without expectedVersion: fields that the day's entry lacks are added, lists are "
    "merged, and a field with another value is a CONFLICT. With it: the fields replace the stored "
    "ones, and null clears a field."
)
class SaveLogbookEntryInput(Input):
    date: AWSDate | None = strawberry.field(
        default=strawberry.UNSET, description="Today if left out."
    )
    title: ShortText | None = strawberry.UNSET
    notes: DocumentText | None = strawberry.field(
        default=strawberry.UNSET,
        description="The journal of the day, as Markdown.",
    )
    mood: Mood | None = strawberry.UNSET
    energy: EnergyLevel | None = strawberry.UNSET
    linked_task_ids: LinkedIds | None = strawberry.UNSET
    linked_goal_ids: LinkedIds | None = strawberry.UNSET
    linked_habit_ids: LinkedIds | None = strawberry.UNSET
    linked_project_ids: LinkedIds | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteLogbookEntryInput(Input):
    date: AWSDate
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=VERSION)
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
