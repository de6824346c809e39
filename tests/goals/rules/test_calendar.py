"""Days of a user."""

from datetime import UTC, date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.domains.goals.rules.calendar import UserCalendar


def test_a_day_begins_in_the_users_time_zone() -> None:
    auckland, owl = UserCalendar("Pacific/Auckland"), UserCalendar("Europe/Lisbon", 4)
    assert auckland.day_of(datetime(2026, 1, 10, 12, tzinfo=UTC)) == date(2026, 1, 11)
    assert auckland.start_of(date(2026, 1, 11)) == datetime(2026, 1, 10, 11, tzinfo=UTC)
    assert owl.day_of(datetime(2026, 1, 11, 3, 59, tzinfo=UTC)) == date(2026, 1, 10)
    assert owl.start_of(date(2026, 1, 11)) == datetime(2026, 1, 11, 4, tzinfo=UTC)


@given(
    st.dates(date(2000, 1, 1), date(2100, 1, 1)),
    st.sampled_from(["UTC", "Pacific/Auckland", "America/Los_Angeles", "Asia/Kathmandu"]),
    st.integers(0, 6),
)
def test_a_day_s_first_and_last_moment_belong_to_it(day: date, zone: str, hour: int) -> None:
    users = UserCalendar(zone, hour)
    assert users.day_of(users.start_of(day)) == day
    assert users.day_of(users.end_of(day)) == day
    assert users.end_of(day) < users.start_of(day + timedelta(days=1))
