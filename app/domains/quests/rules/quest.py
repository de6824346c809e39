"""What one quest becomes, and who may do what with it."""

import dataclasses
from collections.abc import Iterable
from datetime import datetime, timedelta

import strawberry

from app.core.caller import Caller
from app.core.clock import instant, parse_instant
from app.core.errors import BadInput, Forbidden
from app.core.scalars import AWSDateTime
from app.domains.quests.errors import (
    AlreadyClaimed,
    ClaimLimit,
    OwnQuest,
    QuestExpired,
    TooEarly,
)
from app.domains.quests.rules.submissions import counting_attestations
from app.domains.quests.rules.transitions import may_begin, wrong_status
from app.domains.quests.types import (
    ClaimSlot,
    Quest,
    QuestAction,
    QuestSeat,
    QuestStatus,
    QuestTemplate,
)

MOST_CLAIMS = 5
MOST_SEATS = 20
RELEASE_AFTER = timedelta(hours=72)


def due_action(quest: Quest, now: str) -> QuestAction | None:
    """EXPIRE or LAPSE, if its time has come."""
    if quest.due_at is None or now < quest.due_at:
        return None
    expired = quest.expires_at is not None and quest.expires_at <= now
    return QuestAction.EXPIRE if expired else QuestAction.LAPSE


def with_deadlines_applied(quest: Quest, now: str) -> Quest:
    """The quest as it is now, even if the deadline that passed has not been written yet."""
    match due_action(quest, now):
        case QuestAction.EXPIRE:
            return without_performers(quest, status=QuestStatus.EXPIRED)
        case QuestAction.LAPSE:
            return without_performers(quest, status=QuestStatus.OPEN)
        case _:
            return quest


def without_performers(quest: Quest, *, status: QuestStatus) -> Quest:
    """The next performer starts anew: attestations were about other work."""
    return dataclasses.replace(
        quest,
        status=status,
        performers=[],
        performer_id=None,
        claimed_at=None,
        submitted_at=None,
        submission=None,
        requirements_met=[],
        attestations=[],
        stale_at=None,
        returned_at=None,
    )


def with_performers(quest: Quest, performers: list[strawberry.ID]) -> Quest:
    first = performers[0] if performers else None
    return dataclasses.replace(quest, performers=performers, performer_id=first)


def without_performer(quest: Quest, user_id: str) -> Quest:
    rest = [each for each in quest.performers if each != user_id]
    return with_performers(without_performers(quest, status=QuestStatus.OPEN), rest)


def with_requirement(quest: Quest, index: int, *, done: bool) -> list[int]:
    """The indexes of the requirements that are met."""
    count = len(quest.requirements)
    if not 0 <= index < count:
        message = f"This quest has {count} requirements, counted from 0."
        raise BadInput(message, field="input.index")
    met = set(quest.requirements_met) - {index}
    return sorted(met | {index} if done else met)


def fields_from_template(template: QuestTemplate) -> dict[str, object]:
    """Without the category, which may be deleted by now."""
    return {
        "title": template.title,
        "description": template.description,
        "reward_xp": template.default_rewards.xp,
        "reward_reputation": template.default_rewards.reputation,
        "tags": template.tags,
        "requirements": template.requirements,
        "max_performers": template.max_performers,
        "individual_rewards": template.individual_rewards,
        "dual_attestation": template.dual_attestation,
    }


def reindexed_for(seat: QuestSeat, quest: Quest) -> QuestSeat:
    """The seat with the index entry that its quest needs. The index finds a quest by its first
    performer through the quest, by the others through their seats, which change along with it."""
    is_first = seat.user_id == quest.performer_id
    return dataclasses.replace(seat, moved_at=None if is_first else quest.updated_at, placed=True)


def is_party(quest: Quest, user_id: str | None) -> bool:
    return user_id is not None and user_id in (quest.creator_id, *quest.performers)


def sees_private_texts(caller: Caller, quest: Quest) -> bool:
    return caller.is_moderator or is_party(quest, caller.id)


def quest_visible_to(caller: Caller, quest: Quest, now: str) -> Quest:
    """As of now, with the attestations of the present submission. Only its parties and moderators
    read the submission and the dispute reason."""
    current = with_deadlines_applied(quest, now)
    # A list reads them only if they are selected.
    if isinstance(current.attestations, list):
        current = dataclasses.replace(current, attestations=counting_attestations(current))
    if sees_private_texts(caller, current):
        return current
    return dataclasses.replace(current, submission=None, dispute_reason=None)


def must_be_creator(quest: Quest, user_id: str) -> None:
    if quest.creator_id != user_id:
        raise Forbidden("Only the creator of this quest may do that.")


def must_perform(quest: Quest, user_id: str) -> None:
    if user_id not in quest.performers:
        raise Forbidden("Only the performers of this quest may do that.")


def has_claimed(quest: Quest, user_id: str) -> bool:
    """Claiming again what one has claimed is no error."""
    return user_id in quest.performers and may_begin(QuestAction.UNCLAIM, quest.status)


def check_claim(quest: Quest, user_id: str) -> None:
    if has_claimed(quest, user_id):
        return
    if quest.creator_id == user_id:
        raise OwnQuest
    match quest.status:
        case QuestStatus.OPEN:
            return
        case QuestStatus.EXPIRED:
            raise QuestExpired
        case QuestStatus.CANCELLED:
            raise wrong_status(quest.status)
        case _:
            raise AlreadyClaimed


def free_slot(slots: Iterable[ClaimSlot]) -> int:
    taken = {slot.number for slot in slots}
    free = next((n for n in range(1, MOST_CLAIMS + 1) if n not in taken), None)
    if free is None:
        raise ClaimLimit(MOST_CLAIMS)
    return free


def earliest_release(claimed_at: datetime) -> datetime:
    return claimed_at + RELEASE_AFTER


def check_release(quest: Quest, now: str) -> None:
    begun = quest.returned_at or quest.claimed_at or quest.updated_at
    when = instant(earliest_release(parse_instant(begun)))
    if now < when:
        raise TooEarly(when)


def check_future(expires_at: str | None, now: str) -> None:
    if expires_at is not None and expires_at <= now:
        raise BadInput("expiresAt must be in the future.", field="input.expiresAt")


def check_extension(quest: Quest, expires_at: AWSDateTime | None, now: datetime) -> None:
    """A claimed quest without an end may get one, but its performers keep the time that they have
    before a release."""
    check_future(expires_at, instant(now))
    unlimited = instant(earliest_release(now) if quest.performers else now)
    earliest = quest.expires_at or unlimited
    if expires_at and expires_at < earliest:
        message = f"A quest can only be extended: expiresAt must be {earliest} or later, or null."
        raise BadInput(message, field="input.expiresAt")


def returned_to_performers(quest: Quest, now: datetime, stale_at: AWSDateTime) -> Quest:
    """Its performers get the time of a new claim, even if the quest would expire before. No
    attestation of this submission counts for the next."""
    least = instant(earliest_release(now))
    return dataclasses.replace(
        quest,
        status=QuestStatus.CLAIMED,
        stale_at=stale_at,
        returned_at=instant(now),
        expires_at=quest.expires_at and max(quest.expires_at, least),
        dispute_reason=None,
        attestations=[],
    )


def with_end_by(quest: Quest, end: AWSDateTime) -> Quest:
    """A quest whose creator is gone must not stay open for ever."""
    if quest.status in (QuestStatus.COMPLETE, QuestStatus.CANCELLED):
        return quest
    return dataclasses.replace(
        quest,
        expires_at=min(quest.expires_at or end, end),
        stale_at=end if quest.stale_at else None,
    )
