"""Decisions about people, without any I/O."""

import dataclasses
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from enum import Enum, auto
from math import floor, isqrt
from typing import Any

import strawberry

from app.core.caller import ADMINS, MODERATORS, Caller
from app.core.clock import epoch_seconds, instant, local_day, parse_instant
from app.core.confusables import is_reserved, looks_latin
from app.core.errors import BadInput
from app.core.inputs import Input
from app.core.scalars import AWSDateTime, AWSEmail, WholeNumber
from app.domains.people.types import (
    AccountState,
    LevelProgress,
    LoginAttempts,
    Preferences,
    RefreshToken,
    SignedInSession,
    User,
    UserStatus,
)

# GraphQL's Int ends a little above.
MOST_COUNTED = 2_000_000_000
YOUNGEST = 13
OLDEST = 130
# Of each network address and email, in any 15 minutes.
MOST_FAILURES = 5
LOCK_SECONDS = 15 * 60
# A client that lost the answer to a refresh may repeat it this long. Later use counts as theft.
REPEAT_WITHIN = timedelta(seconds=60)
VISIBLE_TO_OTHERS = frozenset(
    {
        *("id", "user_id", "created_at", "updated_at", "version", "status", "groups"),
        *("nickname", "display_name", "country", "language", "pronouns", "bio", "avatar_url"),
        *("tags", "wallet_address"),
    }
)
HIDDEN_FROM_OTHERS: dict[str, Any] = {
    field.name: None
    for field in dataclasses.fields(User)
    if field.init and field.name not in VISIBLE_TO_OTHERS
}


def level(experience_points: int) -> int:
    """Rises with the square root: 0 → 1, 99 → 1, 100 → 2, 400 → 3, 900 → 4."""
    return isqrt(max(0, experience_points) // 100) + 1


def experience_of(level: int) -> int:
    """The least experience of a level: 1 → 0, 2 → 100, 3 → 400."""
    return 100 * (level - 1) ** 2


def level_progress(experience_points: int) -> LevelProgress:
    reached = level(experience_points)
    return to_level_progress(
        experience_points, reached, experience_of(reached), experience_of(reached + 1)
    )


def to_level_progress(
    experience: int, level: int, least: int, least_of_next: int | None
) -> LevelProgress:
    share = 1.0 if least_of_next is None else (experience - least) / (least_of_next - least)
    return LevelProgress(
        level=level,
        experience=WholeNumber(experience),
        experience_of_level=WholeNumber(least),
        experience_of_next_level=None if least_of_next is None else WholeNumber(least_of_next),
        remaining=None if least_of_next is None else WholeNumber(least_of_next - experience),
        share=floor(share * 10_000) / 10_000,
    )


def age(birth: date, today: date) -> int:
    return today.year - birth.year - ((today.month, today.day) < (birth.month, birth.day))


def check_new_nickname(nickname: str) -> None:
    """Who has such a nickname from before keeps it."""
    if is_reserved(nickname):
        message = f"The nickname {nickname} is reserved. Choose another."
        raise BadInput(message, field="input.nickname")
    if looks_latin(nickname):
        message = f"All letters of {nickname} look like Latin ones. Write it in Latin letters."
        raise BadInput(message, field="input.nickname")


def is_plausible_birth(birth: date, today: date) -> bool:
    return birth <= today and YOUNGEST <= age(birth, today) <= OLDEST


def today_of(user: User, now: datetime) -> date:
    return local_day(
        now, time_zone=user.time_zone or "UTC", day_start_hour=user.day_start_hour or 0
    )


def new_profile(user_id: str, now: AWSDateTime, values: Mapping[str, Any]) -> User:
    """`values`: by field name. An email must still be verified."""
    email = values.get("email")
    fields = {**values, "email": AWSEmail(email) if email else None, "email_verified": False}
    return User(
        id=strawberry.ID(user_id),
        user_id=user_id,
        created_at=now,
        updated_at=now,
        skeleton_locked=True,
        **fields,
    )


def with_profile_changes(old: User, changes: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """The changes as they are stored. Preferences are merged; a new email must be verified."""
    stored = dict(changes)
    if isinstance(birth := changes.get("birth_date"), str):
        _check_birth(date.fromisoformat(birth), today_of(old, now))
    if isinstance(preferences := changes.get("preferences"), Input):
        current = old.preferences or Preferences()
        stored["preferences"] = dataclasses.replace(current, **preferences.sent_fields())
    if changes.get("email") not in (None, old.email):
        stored["email_verified"] = False
    return stored


def _check_birth(birth: date, today: date) -> None:
    if not is_plausible_birth(birth, today):
        raise BadInput(
            f"This birth date is not between {YOUNGEST} and {OLDEST} years ago.",
            field="input.birthDate",
        )


def profile_visible_to(caller: Caller, user: User | None) -> User | None:
    """Others see the public fields of active accounts; moderators see all fields."""
    if user is None or user.id == caller.id:
        return user
    if user.status is not UserStatus.active:
        return None
    return user if caller.is_moderator else dataclasses.replace(user, **HIDDEN_FROM_OTHERS)


def with_group(groups: list[str], group: str, *, remove: bool) -> list[str]:
    if group not in (MODERATORS, ADMINS):
        raise BadInput(f"The groups are {MODERATORS} and {ADMINS}.", field="group")
    return [each for each in groups if each != group] + ([] if remove else [group])


def is_session_alive(user: User, session: SignedInSession, now: datetime) -> bool:
    return (
        user.status is UserStatus.active
        and session.generation == user.generation
        and session.ttl > epoch_seconds(now)
    )


def is_caller_alive(caller: Caller, state: AccountState, now: datetime) -> bool:
    """Whether the caller's token is still good. A user of an outside issuer may have no account
    yet; a token from before a sign-out or deletion is refused."""
    user, session = state.user, state.session
    if caller.session_id:
        return user is not None and session is not None and is_session_alive(user, session, now)
    ends = (
        state.tombstone.created_at if state.tombstone else None,
        user.signed_out_at if user else None,
    )
    issued_at = caller.issued_at or 0
    if any(issued_at <= epoch_seconds(parse_instant(end)) for end in ends if end):
        return False
    return user is None or user.status is not UserStatus.deleting


class RefreshVerdict(Enum):
    RENEW = auto()
    REPEAT = auto()
    REUSED = auto()


def judge_refresh(session: SignedInSession, refresh_count: int, now: datetime) -> RefreshVerdict:
    """What to do with a refresh token that was issued at this count of refreshes."""
    if refresh_count == session.refresh_count:
        return RefreshVerdict.RENEW
    recently = now - parse_instant(session.refreshed_at) < REPEAT_WITHIN
    if refresh_count == session.refresh_count - 1 and recently:
        return RefreshVerdict.REPEAT
    return RefreshVerdict.REUSED


def parse_refresh_token(text: str) -> RefreshToken | None:
    """None if it is not of the form user.session.count.signature."""
    parts = text.split(".")
    if len(parts) != 4 or not parts[2].isascii() or not parts[2].isdigit():
        return None
    user_id, session_id, refresh_count, signature = parts
    return RefreshToken(user_id, session_id, int(refresh_count), signature)


def recent_failures(attempts: LoginAttempts | None, now: datetime) -> list[int]:
    """The failures of the last 15 minutes, oldest first. Those that a server of the release before
    has counted are as late as its last change."""
    if attempts is None:
        return []
    uncounted = attempts.count - len(attempts.failures)
    counted = [epoch_seconds(parse_instant(attempts.updated_at))] * uncounted
    earliest = epoch_seconds(now) - LOCK_SECONDS
    return [each for each in sorted([*attempts.failures, *counted]) if each > earliest]


def seconds_locked(attempts: LoginAttempts | None, now: datetime) -> int:
    """For how long signing in is refused after too many failures; 0 if it is not."""
    recent = recent_failures(attempts, now)
    if len(recent) < MOST_FAILURES:
        return 0
    return recent[-MOST_FAILURES] + LOCK_SECONDS - epoch_seconds(now)


def with_failure(attempts: LoginAttempts | None, pair: str, now: datetime) -> LoginAttempts:
    failures = [*recent_failures(attempts, now), epoch_seconds(now)][-MOST_FAILURES:]
    return LoginAttempts(
        created_at=attempts.created_at if attempts else instant(now),
        updated_at=instant(now),
        version=attempts.version + 1 if attempts else 1,
        pair=pair,
        count=len(failures),
        ttl=failures[-1] + LOCK_SECONDS,
        failures=failures,
    )
