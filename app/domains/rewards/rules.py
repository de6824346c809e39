"""Decisions about points and rewards, without any I/O."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

import strawberry
from ulid import ULID

from app.core.clock import instant, local_day, parse_instant, start_of_day, to_day
from app.core.errors import BadInput
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.rewards.errors import CoolingDown, DailyLimit
from app.domains.rewards.types import PointsOfDay, Reward, TransactionType, WalletTransaction

# GraphQL's Int ends at 2,147,483,647: the sums of a wallet stay below it.
MOST_POINTS = 2_000_000_000
LARGEST_ADJUSTMENT = 1_000_000
HIGHEST_COST = 1_000_000
FREEZE_COST = 200
MOST_FREEZES = 2
ULID_LENGTH = 26


LONGEST_RANGE = 366
USUAL_RANGE = 30
MOST_TRANSACTIONS = 10_000


def known_day(text: str) -> date:
    """The nearest day that a transaction can have."""
    return min(max(date.fromisoformat(text), date(1970, 1, 1)), date(2999, 12, 31))


def point_days(since: str | None, until: str | None, today: date) -> tuple[date, date]:
    """Both included. Left out: the last 30 days up to today."""
    last = known_day(until) if until else today
    first = known_day(since) if since else last - timedelta(days=USUAL_RANGE - 1)
    if last < first:
        raise BadInput("from is after to.", field="from")
    if (last - first).days >= LONGEST_RANGE:
        raise BadInput(f"from and to are at most {LONGEST_RANGE} days apart.", field="from")
    return first, last


def points_by_day(
    transactions: Iterable[tuple[date, WalletTransaction]], first: date, last: date
) -> list[PointsOfDay]:
    """Every day of the range, in the order of time."""
    days = [first + timedelta(days=number) for number in range((last - first).days + 1)]
    earned, spent = dict.fromkeys(days, 0), dict.fromkeys(days, 0)
    for day, each in transactions:
        is_deduction = each.type is TransactionType.manual and each.amount < 0
        if each.type is TransactionType.spent or is_deduction:
            spent[day] -= each.amount
        else:
            earned[day] += each.amount
    return [
        PointsOfDay(
            date=to_day(day),
            earned=earned[day],
            spent=spent[day],
            balance_change=earned[day] - spent[day],
        )
        for day in days
    ]


@dataclass(frozen=True, slots=True)
class RedemptionDay:
    """A day of the reward's owner; `end` is when the next one begins."""

    date: AWSDate
    end: AWSDateTime


def redemption_day(now: datetime, *, time_zone: str, day_start_hour: int) -> RedemptionDay:
    today = local_day(now, time_zone=time_zone, day_start_hour=day_start_hour)
    tomorrow = today + timedelta(days=1)
    end = start_of_day(tomorrow, time_zone=time_zone, day_start_hour=day_start_hour)
    return RedemptionDay(to_day(today), instant(end))


def end_of_cooldown(last: datetime | None, cooldown_hours: int | None) -> datetime | None:
    """The first moment at which it can be redeemed again; None: no cooldown."""
    if last is None or not cooldown_hours:
        return None
    return last + timedelta(hours=cooldown_hours)


def is_used_up(redeemed_today: int, most_a_day: int | None) -> bool:
    """None: no limit. A limit of 0 is used up from the start."""
    return most_a_day is not None and redeemed_today >= most_a_day


def daily_limit(reward: Reward, day: RedemptionDay) -> DailyLimit:
    """Available again on the next day, or at the end of the cooldown if that is later; never with
    a limit of 0."""
    if reward.max_redemptions_per_day == 0:
        return DailyLimit(None)
    cooldown = end_of_cooldown(_last_redemption(reward), reward.cooldown_hours)
    return DailyLimit(max(day.end, instant(cooldown)) if cooldown else day.end)


def redemption_refusal(
    reward: Reward, *, redeemed_today: int, day: RedemptionDay, now: datetime
) -> DailyLimit | CoolingDown | None:
    """Why the reward cannot be redeemed now; None: it can."""
    if is_used_up(redeemed_today, reward.max_redemptions_per_day):
        return daily_limit(reward, day)
    end = end_of_cooldown(_last_redemption(reward), reward.cooldown_hours)
    return CoolingDown(instant(end)) if end and now < end else None


def _last_redemption(reward: Reward) -> datetime | None:
    return parse_instant(reward.last_redeemed_at) if reward.last_redeemed_at else None


def redemption_id(reward_id: str, unique: str) -> strawberry.ID:
    """Says where the redemption is stored: under which reward, and at what time."""
    return strawberry.ID(f"{reward_id}-{unique}")


def redemption_time(unique: str) -> AWSDateTime:
    return instant(ULID.from_str(unique).datetime)


def parse_redemption_id(text: str) -> tuple[str, AWSDateTime] | None:
    """The reward's id and the time; None: no id of a redemption."""
    reward_id, _, unique = text.rpartition("-")
    if not reward_id or len(unique) != ULID_LENGTH:
        return None
    try:
        return reward_id, redemption_time(unique)
    except ValueError:
        return None
