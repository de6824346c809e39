"""The demo user's metrics of two months, habits, logbook entries and rewards."""

import math
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import strawberry

from app.core.clock import instant, to_day
from app.domains.rewards.inputs import AdjustWalletInput, CreateRewardInput
from app.domains.tracking.inputs import CreateHabitInput, CreateMetricInput, SaveLogbookEntryInput
from app.domains.tracking.rules.csv_files import HabitRow, MetricRow
from app.domains.tracking.rules.schedules import schedule_of
from app.domains.tracking.types import (
    Aggregation,
    Direction,
    Frequency,
    HabitType,
    LogKind,
    Mood,
    Weekday,
)
from app.services import Services

WEIGHT, STEPS, READING, RUNNING, SUGAR = (
    strawberry.ID(f"demo-{name}") for name in ("weight", "steps", "reading", "running", "sugar")
)
METRICS = (
    CreateMetricInput(
        id=WEIGHT,
        name="Weight",
        area="Health",
        unit="kg",
        direction=Direction.Lower,
        target_value=Decimal(68),
        threshold_high=Decimal(73),
    ),
    CreateMetricInput(
        id=STEPS,
        name="Steps",
        area="Health",
        aggregation=Aggregation.sum,
        target_value=Decimal(15000),
    ),
)
HABITS = (
    CreateHabitInput(
        id=READING,
        name="Read ten pages",
        area="Mind",
        trigger="After dinner",
        action="Read ten pages",
        reward="Peppermint tea",
        friction_down="The book lies on the pillow",
    ),
    CreateHabitInput(
        id=RUNNING,
        name="Run",
        area="Health",
        frequency=Frequency.Custom,
        weekdays=[Weekday.Mon, Weekday.Wed, Weekday.Sat],
    ),
    CreateHabitInput(
        id=SUGAR,
        name="Sweets at work",
        area="Health",
        habit_type=HabitType.Quit,
        friction_up="The jar stands in the cellar",
    ),
)
REWARDS = (
    CreateRewardInput(title="Café by the river", point_cost=150, category="Quick Treat", icon="☕"),
    CreateRewardInput(
        title="An evening at the cinema",
        point_cost=600,
        category="Weekly Reward",
        icon="🎬",
        cooldown_hours=72,
        max_redemptions_per_day=1,
    ),
)
DAYS = 60


async def fill(services: Services) -> None:
    today = await services.metrics.today()
    await _add_metrics(services, today)
    await _add_habits(services, today)
    await _add_logbook(services, today)
    await _add_rewards(services)


async def _add_metrics(services: Services, today: date) -> None:
    for request in METRICS:
        if await services.metrics.find(request.id or "") is None:
            await services.metrics.create(request.validate())
    metrics = [await services.metrics.require(metric_id) for metric_id in (WEIGHT, STEPS)]
    for metric in metrics:
        if metric.state is None:
            rows = [_metric_row(metric.id, today, ago) for ago in range(DAYS, 0, -1)]
            await services.imports.add_metric_logs(rows, _ignore_progress)


def _metric_row(metric_id: str, today: date, ago: int) -> MetricRow:
    """A slow change with waves; no randomness, so that every demo looks the same."""
    wave = math.sin(ago * 1.7) + math.sin(ago * 0.6)
    if metric_id == WEIGHT:
        value = Decimal(f"{69.5 + ago / 25 + wave / 4:.1f}")
    else:
        weekend = 2500 if (today - timedelta(days=ago)).weekday() >= 5 else 0
        value = Decimal(round(9000 - ago * 25 + weekend + wave * 700))
    moment = datetime.combine(today - timedelta(days=ago), time(20, 15), ZoneInfo("Europe/Lisbon"))
    return MetricRow(metric_id, instant(moment), value, None, f"demo-{ago}")


async def _add_habits(services: Services, today: date) -> None:
    start = to_day(today - timedelta(days=DAYS))
    for request in HABITS:
        if await services.habits.find(request.id or "") is None:
            await services.habits.create(replace(request, start_date=start).validate())
    for habit_id, missed in ((READING, 17), (RUNNING, 30)):
        habit = await services.habits.require(habit_id)
        if habit.state is None:
            days = [today - timedelta(days=ago) for ago in range(DAYS, 0, -1) if ago != missed]
            due = [day for day in days if schedule_of(habit).is_scheduled_on(day)]
            rows = [HabitRow(habit_id, day, LogKind.DONE, None) for day in due]
            await services.imports.add_habit_logs(rows, _ignore_progress)


async def _add_logbook(services: Services, today: date) -> None:
    entries: dict[int, dict[str, Any]] = {
        2: {"title": "Rain", "notes": "Stayed in and **read** all afternoon.", "mood": Mood.Steady},
        1: {"title": "Long run", "notes": "Along the river, 9 km.", "mood": Mood.High, "energy": 8},
    }
    for ago, fields in entries.items():
        day = to_day(today - timedelta(days=ago))
        if await services.logbook.entry(day) is None:
            await services.logbook.save(SaveLogbookEntryInput(date=day, **fields).validate())


async def _add_rewards(services: Services) -> None:
    existing = await services.rewards.rewards(None, None, limit=100, start=None)
    for request in REWARDS:
        if request.title not in {reward.title for reward in existing.items}:
            await services.rewards.create(request.validate())
    if not existing.items:
        await services.wallets.adjust(
            AdjustWalletInput(amount=100, reason="Welcome points").validate()
        )


def _ignore_progress(number: int) -> None: ...
