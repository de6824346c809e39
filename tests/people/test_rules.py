"""Decisions about people: plain values in, plain values out."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from app.core.caller import Access, Caller
from app.core.clock import epoch_seconds, instant
from app.core.errors import BadInput
from app.domains.people.inputs import PreferencesInput
from app.domains.people.rules import (
    REPEAT_WITHIN,
    RefreshVerdict,
    age,
    is_caller_alive,
    is_session_alive,
    judge_refresh,
    level,
    new_profile,
    parse_refresh_token,
    profile_visible_to,
    seconds_locked,
    today_of,
    with_failure,
    with_group,
    with_profile_changes,
)
from app.domains.people.types import (
    AccountState,
    AccountTombstone,
    LoginAttempts,
    Preferences,
    RefreshToken,
    SignedInSession,
    User,
    UserStatus,
)

NOW = datetime(2026, 1, 10, 10, tzinfo=UTC)
SECOND = timedelta(seconds=1)
TIMES: dict[str, Any] = {"created_at": instant(NOW), "updated_at": instant(NOW)}


def user(**changes: Any) -> User:
    values = {"nickname": "ada", "email": "ada@example.com", "birth_date": "1990-01-01"}
    made = new_profile("ada", instant(NOW), values)
    return made.evolve(instant(NOW), **changes)


def session(**changes: Any) -> SignedInSession:
    fields: dict[str, Any] = {
        "id": "s",
        "user_id": "ada",
        "generation": 0,
        "refresh_count": 3,
        "refreshed_at": instant(NOW),
        "ttl": epoch_seconds(NOW) + 1,
    }
    return SignedInSession(**TIMES, **(fields | changes))


def caller(**fields: Any) -> Caller:
    return Caller(access=Access.USER, **fields)


@pytest.mark.parametrize(
    ("points", "reached"), [(-5, 1), (0, 1), (99, 1), (100, 2), (399, 2), (400, 3), (900, 4)]
)
def test_level_rises_with_the_square_root(points: int, reached: int) -> None:
    assert level(points) == reached


@pytest.mark.parametrize(
    ("today", "years"),
    [(date(2026, 2, 27), 25), (date(2026, 2, 28), 26), (date(2026, 3, 1), 26)],
)
def test_age_counts_from_the_birthday(today: date, years: int) -> None:
    assert age(date(2000, 2, 28), today) == years


def test_today_depends_on_zone_and_day_start() -> None:
    midnight = datetime(2026, 1, 10, 0, 30, tzinfo=UTC)
    assert today_of(user(), midnight) == date(2026, 1, 10)
    assert today_of(user(day_start_hour=3), midnight) == date(2026, 1, 9)
    assert today_of(user(time_zone="America/New_York"), midnight) == date(2026, 1, 9)


def test_a_new_profile_has_an_unverified_email_or_none() -> None:
    made = new_profile("ada", instant(NOW), {"nickname": "ada", "email": "a@example.com"})
    assert (made.id, made.user_id, made.email_verified) == ("ada", "ada", False)
    assert new_profile("ada", instant(NOW), {"nickname": "ada", "email": None}).email is None


def test_others_see_only_public_fields() -> None:
    seen = profile_visible_to(caller(id="bob"), user(bio="Hello"))
    assert seen
    assert (seen.nickname, seen.bio) == ("ada", "Hello")
    assert (seen.email, seen.birth_date, seen.preferences, seen.time_zone) == (None,) * 4


def test_owner_and_moderators_see_all_fields() -> None:
    ada = user()
    assert profile_visible_to(caller(id="ada"), ada) is ada
    assert profile_visible_to(caller(id="m", groups=frozenset({"moderators"})), ada) is ada


@pytest.mark.parametrize("status", [UserStatus.deactivated, UserStatus.deleting])
def test_only_the_owner_sees_an_account_that_is_not_active(status: UserStatus) -> None:
    ada = user(status=status)
    assert profile_visible_to(caller(id="ada"), ada) is ada
    assert profile_visible_to(caller(id="bob"), ada) is None
    assert profile_visible_to(caller(id="m", groups=frozenset({"moderators"})), ada) is None


@pytest.mark.parametrize("birth", ["2013-01-11", "2026-01-11", "1895-01-10"])
def test_an_implausible_birth_date_is_refused(birth: str) -> None:
    with pytest.raises(BadInput):
        with_profile_changes(user(), {"birth_date": birth}, NOW)


def test_preferences_are_merged() -> None:
    old = user(preferences=Preferences(theme="dark", notifications=True))
    sent = PreferencesInput(theme=None, default_area="Health")
    stored = with_profile_changes(old, {"preferences": sent}, NOW)
    assert stored["preferences"] == Preferences(default_area="Health", notifications=True)


def test_only_another_email_must_be_verified_again() -> None:
    old = user(email_verified=True)
    assert with_profile_changes(old, {"email": "ada@example.com"}, NOW) == {
        "email": "ada@example.com"
    }
    assert with_profile_changes(old, {"email": "b@example.com"}, NOW)["email_verified"] is False


def test_groups_are_granted_once_and_taken_back() -> None:
    assert with_group(["admins"], "moderators", remove=False) == ["admins", "moderators"]
    assert with_group(["admins"], "admins", remove=False) == ["admins"]
    assert with_group(["admins"], "admins", remove=True) == []
    with pytest.raises(BadInput):
        with_group([], "wizards", remove=False)


@pytest.mark.parametrize(
    ("changed_user", "changed_session"),
    [
        ({"status": UserStatus.deactivated}, {}),
        ({"generation": 1}, {}),
        ({}, {"ttl": epoch_seconds(NOW)}),
    ],
)
def test_a_session_ends_with_account_generation_or_time(
    changed_user: dict[str, Any], changed_session: dict[str, Any]
) -> None:
    assert is_session_alive(user(), session(), NOW)
    assert not is_session_alive(user(**changed_user), session(**changed_session), NOW)


def test_a_token_with_a_session_needs_that_session() -> None:
    ada = caller(id="ada", session_id="s")
    assert is_caller_alive(ada, AccountState(user(), session(), None), NOW)
    assert not is_caller_alive(ada, AccountState(user(), None, None), NOW)
    assert not is_caller_alive(ada, AccountState(None, session(), None), NOW)


def test_an_outside_token_is_good_before_there_is_an_account() -> None:
    ada = caller(id="ada", issued_at=epoch_seconds(NOW))
    assert is_caller_alive(ada, AccountState(None, None, None), NOW)
    deleting = user(status=UserStatus.deleting)
    assert not is_caller_alive(ada, AccountState(deleting, None, None), NOW)


def test_an_outside_token_from_before_sign_out_or_deletion_is_refused() -> None:
    signed_out = AccountState(user(signed_out_at=instant(NOW)), None, None)
    tombstone = AccountTombstone(**TIMES, user_id="ada", ttl=0)
    for state in (signed_out, AccountState(None, None, tombstone)):
        earlier = caller(id="ada", issued_at=epoch_seconds(NOW))
        later = caller(id="ada", issued_at=epoch_seconds(NOW) + 1)
        assert not is_caller_alive(earlier, state, NOW)
        assert is_caller_alive(later, state, NOW)


@pytest.mark.parametrize(
    ("refresh_count", "waited", "verdict"),
    [
        (3, timedelta(days=9), RefreshVerdict.RENEW),
        (2, REPEAT_WITHIN - SECOND, RefreshVerdict.REPEAT),
        (2, REPEAT_WITHIN, RefreshVerdict.REUSED),
        (1, timedelta(0), RefreshVerdict.REUSED),
        (4, timedelta(0), RefreshVerdict.REUSED),
    ],
)
def test_an_old_refresh_token_may_be_repeated_for_a_minute(
    refresh_count: int, waited: timedelta, verdict: RefreshVerdict
) -> None:
    assert judge_refresh(session(), refresh_count, NOW + waited) is verdict


@pytest.mark.parametrize("text", ["", "a.b.1", "a.b.x.d", "a.b.-1.d", "a.b.²." + "d", "a.b.1.d.e"])
def test_what_is_no_refresh_token_is_none(text: str) -> None:
    assert parse_refresh_token(text) is None
    assert parse_refresh_token("a.b.1.d") == RefreshToken("a", "b", 1, "d")


MINUTE = timedelta(minutes=1)


def failed_at(*minutes: float) -> LoginAttempts:
    attempts = None
    for minute in minutes:
        attempts = with_failure(attempts, "p", NOW + minute * MINUTE)
    assert attempts is not None
    return attempts


@pytest.mark.parametrize(
    ("failures", "now", "locked"),
    [
        ((0, 0, 0, 0), 0, 0),
        ((0, 0, 0, 0, 0), 0, 15 * 60),
        ((0, 1, 2, 3, 4), 4, 11 * 60),
        ((0, 1, 2, 3, 4), 15, 0),
        ((0, 14, 14, 14, 14, 16), 16, 13 * 60),
        ((0, 4, 8, 12, 16), 16, 0),
        ((0, 4, 8, 12, 16, 17), 17, 2 * 60),
    ],
)
def test_never_more_than_five_failures_in_any_quarter_of_an_hour(
    failures: tuple[float, ...], now: float, locked: int
) -> None:
    assert seconds_locked(failed_at(*failures), NOW + now * MINUTE) == locked
    assert seconds_locked(None, NOW) == 0


def test_only_so_many_failures_are_kept() -> None:
    attempts = failed_at(*range(0, 400, 4))
    assert attempts.count == len(attempts.failures) == 4
    assert attempts.ttl == attempts.failures[-1] + 15 * 60


def test_failures_that_the_release_before_has_counted_count() -> None:
    """It knows neither the times nor their list, and raises the count of a record that has one."""
    old = LoginAttempts(**TIMES, pair="p", count=4, ttl=epoch_seconds(NOW + 15 * MINUTE))
    assert seconds_locked(old, NOW) == 0
    after = with_failure(old, "p", NOW + MINUTE)
    assert seconds_locked(after, NOW + MINUTE) == 14 * 60
    mixed = replace(failed_at(0, 1, 2, 3), count=5, updated_at=instant(NOW + 4 * MINUTE))
    assert seconds_locked(mixed, NOW + 4 * MINUTE) == 11 * 60
