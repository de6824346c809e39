"""The decisions about rewards: cooldown, daily limit, and the id of a redemption."""

from datetime import UTC, datetime, timedelta

import pytest
import strawberry

from app.core.clock import instant
from app.domains.rewards.errors import CoolingDown, DailyLimit
from app.domains.rewards.rules import (
    RedemptionDay,
    end_of_cooldown,
    is_used_up,
    parse_redemption_id,
    redemption_day,
    redemption_id,
    redemption_refusal,
    redemption_time,
)
from app.domains.rewards.types import Reward

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
UNIQUE = "01KDVDNX80ABCDEFGHJKMNPQRS"


def reward(cooldown_hours: int | None = None, most_a_day: int | None = None) -> Reward:
    return Reward(
        id=strawberry.ID("tea"),
        created_at=instant(NOON),
        updated_at=instant(NOON),
        user_id="ada",
        title="Tea",
        cooldown_hours=cooldown_hours,
        max_redemptions_per_day=most_a_day,
        last_redeemed_at=instant(NOON),
    )


def refusal(found: Reward, now: datetime, redeemed: int = 0) -> CoolingDown | DailyLimit | None:
    return redemption_refusal(found, redeemed_today=redeemed, day=today(now), now=now)


def today(now: datetime) -> RedemptionDay:
    return redemption_day(now, time_zone="UTC", day_start_hour=0)


def test_cooldown_ends_after_its_hours() -> None:
    assert end_of_cooldown(NOON, 2) == NOON + 2 * HOUR
    assert end_of_cooldown(None, 2) is end_of_cooldown(NOON, None) is end_of_cooldown(NOON, 0)


def test_refused_until_the_cooldown_ends() -> None:
    refused = refusal(reward(cooldown_hours=2), NOON + HOUR)
    assert isinstance(refused, CoolingDown)
    assert refused.until == refused.info["nextAvailableAt"] == instant(NOON + 2 * HOUR)
    assert refusal(reward(cooldown_hours=2), NOON + 2 * HOUR) is None
    assert refusal(reward(cooldown_hours=0), NOON) is None
    assert refusal(reward(), NOON) is None


def test_the_daily_limit_counts_from_zero_and_null_is_no_limit() -> None:
    limits = [(0, None), (5, None), (0, 0), (0, 1), (1, 1), (2, 1)]
    assert [is_used_up(*each) for each in limits] == [False, False, True, False, True, True]


@pytest.mark.parametrize(
    ("cooldown_hours", "until"), [(None, 12 * HOUR), (2, 12 * HOUR), (48, 48 * HOUR)]
)
def test_daily_limit_ends_with_the_day_or_with_a_longer_cooldown(
    cooldown_hours: int | None, until: timedelta
) -> None:
    refused = refusal(reward(cooldown_hours, most_a_day=1), NOON + HOUR, redeemed=1)
    assert isinstance(refused, DailyLimit)
    assert refused.until == instant(NOON + until)


def test_a_limit_of_zero_never_ends() -> None:
    refused = refusal(reward(most_a_day=0), NOON)
    assert isinstance(refused, DailyLimit)
    assert refused.until is None


def test_a_day_follows_the_time_zone_and_the_start_hour() -> None:
    lisbon = redemption_day(
        datetime(2026, 7, 1, 1, tzinfo=UTC), time_zone="Europe/Lisbon", day_start_hour=4
    )
    assert lisbon == RedemptionDay(
        today(datetime(2026, 6, 30, tzinfo=UTC)).date, instant(datetime(2026, 7, 1, 3, tzinfo=UTC))
    )


def test_the_id_of_a_redemption_says_its_reward_and_time() -> None:
    text = redemption_id("my-tea", UNIQUE)
    assert parse_redemption_id(text) == ("my-tea", redemption_time(UNIQUE))


@pytest.mark.parametrize("text", ["", "tea", f"-{UNIQUE}", "tea-short", f"tea-{'U' * 26}"])
def test_other_texts_are_no_id_of_a_redemption(text: str) -> None:
    assert parse_redemption_id(text) is None
