"""What a new value means for a goal and its records."""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from app.core.clock import epoch_seconds, instant, parse_instant
from app.core.errors import BadInput
from app.core.scalars import AWSDateTime, WholeNumber
from app.domains.characters.rules.forecasts import Sample
from app.domains.characters.rules.targets import check_target_value, is_reached
from app.domains.characters.types import (
    CharacterGoal,
    EarliestProgress,
    LatestProgress,
    ProgressRecord,
)

FIRST_DAY = "2001-01-01"
CLOCKS_DIFFER = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Measurement:
    value: WholeNumber
    at: AWSDateTime


def measured_at(timestamp: AWSDateTime | None, now: datetime) -> AWSDateTime:
    """The time that the client sent, or now."""
    latest = instant(now + CLOCKS_DIFFER)
    if timestamp is not None and not FIRST_DAY <= timestamp <= latest:
        raise BadInput("timestamp must be from 2001 to now.", field="input.timestamp")
    return timestamp or instant(now)


def is_worth_recording(value: int, at: str, latest: LatestProgress | None) -> bool:
    """Another value, or the first of a day: an unchanged one need not be recorded every hour."""
    if latest is None:
        return True
    changed = value != latest.progress_value or at[:10] != latest.timestamp[:10]
    return changed and at > latest.timestamp


def expires_at(goal: CharacterGoal, at: str) -> int | None:
    """Seconds since 1970; None: never."""
    if goal.retention_days is None:
        return None
    return epoch_seconds(parse_instant(at) + timedelta(days=goal.retention_days))


def reaches_target(goal: CharacterGoal, value: int) -> bool:
    return is_reached(value, goal.target_value, goal.target_type)


def as_achieved(goal: CharacterGoal, at: str, now: AWSDateTime) -> CharacterGoal:
    """No more polls, and one last message, now."""
    return replace(goal, achieved_at=AWSDateTime(at), poll_at=None, send_at=now)


def as_open(goal: CharacterGoal, now: AWSDateTime) -> CharacterGoal:
    """Not achieved, or not any more: it is polled again."""
    return replace(goal, achieved_at=None, poll_at=goal.poll_at or now)


def check_target(goal: CharacterGoal) -> None:
    check_target_value(goal.target_value, goal.target_attribute, goal.target_type)


def check_target_date(goal: CharacterGoal, today: date) -> None:
    if goal.target_date and date.fromisoformat(goal.target_date) < today:
        raise BadInput("targetDate must be today or later.", field="input.targetDate")


def as_record(found: LatestProgress | EarliestProgress) -> ProgressRecord:
    return ProgressRecord(
        created_at=found.created_at,
        updated_at=found.updated_at,
        version=found.record_version,
        user_id=found.user_id,
        character_key=found.character_key,
        goal_id=found.goal_id,  # type: ignore[arg-type]
        timestamp=AWSDateTime(found.timestamp),
        progress_value=found.progress_value,
        flagged=found.flagged,
    )


def as_sample(found: LatestProgress | EarliestProgress) -> Sample:
    return Sample(found.progress_value, parse_instant(found.timestamp))


def range_bound(text: str | None, name: str) -> str | None:
    """A day stays as it is, so that all of it counts; an instant becomes UTC as in the keys."""
    if text is None:
        return None
    try:
        if len(text) == 10:
            return date.fromisoformat(text).isoformat()
        return _utc_instant(text)
    except ValueError:
        raise BadInput(
            f"{name} must be a day (2026-01-31) or an instant (2026-01-31T10:00:00Z).", field=name
        ) from None


def _utc_instant(text: str) -> str:
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError
    return instant(moment)
