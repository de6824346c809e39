"""What one quest becomes, and who may do what with it: plain values in, plain values out."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import strawberry

from app.core.caller import MODERATORS, Access, Caller
from app.core.clock import instant
from app.core.errors import AppError, BadInput, Conflict, Forbidden, NotFound
from app.core.scalars import AWSDateTime
from app.domains.quests.errors import (
    AlreadyAttested,
    AlreadyClaimed,
    ClaimLimit,
    OwnQuest,
    QuestExpired,
    TooEarly,
    WrongStatus,
)
from app.domains.quests.inputs import RecordOnChainInput
from app.domains.quests.rules.attestations import (
    attester_role,
    check_dispute,
    is_fully_attested,
    must_have_attested,
    with_on_chain_record,
    without_name,
)
from app.domains.quests.rules.quest import (
    MOST_CLAIMS,
    RELEASE_AFTER,
    check_claim,
    check_extension,
    check_release,
    due_action,
    free_slot,
    has_claimed,
    is_party,
    quest_visible_to,
    reindexed_for,
    returned_to_performers,
    with_deadlines_applied,
    with_end_by,
    with_requirement,
    without_performer,
)
from app.domains.quests.rules.rewards import counters_of, is_attempt_running, rewards_of
from app.domains.quests.rules.submissions import WITHOUT_SUBMISSION, counting_attestations
from app.domains.quests.types import (
    DELETED_ACCOUNT,
    Attestation,
    AttesterRole,
    ClaimSlot,
    FailedReward,
    FailedRewardStatus,
    Quest,
    QuestAction,
    QuestSeat,
    QuestStatus,
    RewardType,
)

NOW = datetime(2026, 1, 10, 10, tzinfo=UTC)
HOUR = timedelta(hours=1)
TIMES: dict[str, Any] = {"created_at": instant(NOW), "updated_at": instant(NOW)}
BEFORE, AFTER = instant(NOW - HOUR), instant(NOW + HOUR)


def quest(*performers: str, **fields: Any) -> Quest:
    ids = [strawberry.ID(each) for each in performers]
    values: dict[str, Any] = {
        "id": "q",
        "creator_id": "ada",
        "title": "Plants",
        "description": "Water the plants",
        "reward_xp": 10,
        "reward_reputation": 3,
        "performers": ids,
        "performer_id": ids[0] if ids else None,
        "status": QuestStatus.CLAIMED if ids else QuestStatus.OPEN,
    }
    return Quest(**TIMES, **(values | fields))


def attestation(user_id: str, role: AttesterRole, **fields: Any) -> Attestation:
    return Attestation(
        attester_id=strawberry.ID(user_id),
        attester_username=user_id,
        role=role,
        rating=5,
        timestamp=instant(NOW),
        **fields,
    )


def user(user_id: str, *groups: str) -> Caller:
    return Caller(access=Access.USER, id=user_id, groups=frozenset(groups))


@pytest.mark.parametrize(
    ("fields", "action"),
    [
        ({"expires_at": BEFORE}, QuestAction.EXPIRE),
        ({"expires_at": instant(NOW)}, QuestAction.EXPIRE),
        ({"expires_at": AFTER}, None),
        ({"stale_at": BEFORE}, QuestAction.LAPSE),
        ({"stale_at": BEFORE, "expires_at": BEFORE}, QuestAction.EXPIRE),
        ({"stale_at": BEFORE, "expires_at": AFTER}, QuestAction.LAPSE),
        ({"status": QuestStatus.PENDING_REVIEW, "expires_at": BEFORE}, None),
        ({}, None),
    ],
)
def test_a_deadline_that_has_passed_is_due(
    fields: dict[str, Any], action: QuestAction | None
) -> None:
    assert due_action(quest("bob", **fields), instant(NOW)) is action


def test_an_expired_quest_has_no_performers_even_before_that_is_written() -> None:
    old = quest("bob", expires_at=BEFORE, claimed_at=BEFORE, requirements_met=[0])
    new = with_deadlines_applied(old, instant(NOW))
    assert (new.status, new.performers, new.performer_id) == (QuestStatus.EXPIRED, [], None)
    assert (new.claimed_at, new.requirements_met) == (None, [])
    lapsed = with_deadlines_applied(quest("bob", stale_at=BEFORE), instant(NOW))
    assert lapsed.status is QuestStatus.OPEN


def test_the_next_performer_becomes_the_first() -> None:
    rest = without_performer(quest("bob", "cleo"), "bob")
    assert (rest.status, rest.performers, rest.performer_id) == (
        QuestStatus.OPEN,
        ["cleo"],
        "cleo",
    )


@pytest.mark.parametrize(
    ("index", "done", "met"), [(1, True, [0, 1]), (0, True, [0]), (0, False, []), (1, False, [0])]
)
def test_requirements_are_marked_and_unmarked(index: int, done: bool, met: list[int]) -> None:
    old = quest("bob", requirements=["a", "b"], requirements_met=[0])
    assert with_requirement(old, index, done=done) == met


@pytest.mark.parametrize("index", [-1, 2])
def test_an_unknown_requirement_is_refused(index: int) -> None:
    with pytest.raises(BadInput, match="2 requirements"):
        with_requirement(quest("bob", requirements=["a", "b"]), index, done=True)


def test_only_the_seats_of_later_performers_stand_in_the_index() -> None:
    team = quest("bob", "cleo")
    first = QuestSeat(**TIMES, quest_id="q", user_id="bob")
    second = QuestSeat(**TIMES, quest_id="q", user_id="cleo")
    assert reindexed_for(first, team).moved_at is None
    assert reindexed_for(second, team).moved_at == team.updated_at


def test_only_parties_and_moderators_see_submission_and_dispute() -> None:
    private = quest("bob", submission="Done", dispute_reason="Not done at all")
    for party in (user("ada"), user("bob"), user("m", MODERATORS)):
        assert quest_visible_to(party, private, instant(NOW)) == private
    seen = quest_visible_to(user("cleo"), private, instant(NOW))
    assert (seen.submission, seen.dispute_reason, seen.title) == (None, None, "Plants")
    assert not is_party(private, None)


@pytest.mark.parametrize(
    ("claimed", "refusal"),
    [
        (quest(creator_id="bob"), OwnQuest),
        (quest(status=QuestStatus.EXPIRED), QuestExpired),
        (quest(status=QuestStatus.CANCELLED), WrongStatus),
        (quest("cleo"), AlreadyClaimed),
        (quest("bob", status=QuestStatus.COMPLETE), AlreadyClaimed),
    ],
)
def test_what_cannot_be_claimed(claimed: Quest, refusal: type[AppError]) -> None:
    with pytest.raises(refusal):
        check_claim(claimed, "bob")


def test_an_open_quest_and_one_that_is_claimed_already_can_be_claimed() -> None:
    for claimed in (quest(), quest("cleo", status=QuestStatus.OPEN), quest("bob")):
        check_claim(claimed, "bob")
    assert has_claimed(quest("bob"), "bob")
    assert not has_claimed(quest("bob", status=QuestStatus.PENDING_REVIEW), "bob")


def test_the_lowest_free_slot_is_taken_until_there_is_none() -> None:
    slots = [ClaimSlot(**TIMES, user_id="bob", number=n, quest_id="q") for n in (1, 3)]
    assert free_slot([]) == 1
    assert free_slot(slots) == 2
    full = [
        ClaimSlot(**TIMES, user_id="bob", number=n, quest_id="q") for n in range(1, MOST_CLAIMS + 1)
    ]
    with pytest.raises(ClaimLimit):
        free_slot(full)


def test_a_release_waits_72_hours_from_the_claim_or_the_return() -> None:
    claimed = quest("bob", claimed_at=instant(NOW))
    with pytest.raises(TooEarly):
        check_release(claimed, instant(NOW + RELEASE_AFTER - timedelta(milliseconds=1)))
    check_release(claimed, instant(NOW + RELEASE_AFTER))
    returned = quest("bob", claimed_at=instant(NOW), returned_at=AFTER)
    with pytest.raises(TooEarly):
        check_release(returned, instant(NOW + RELEASE_AFTER))


def test_a_quest_can_only_be_extended() -> None:
    later = instant(NOW + 2 * HOUR)
    limited = quest(expires_at=AFTER)
    check_extension(limited, later, NOW)
    check_extension(limited, None, NOW)
    for wrong in (instant(NOW), instant(NOW + HOUR / 2)):
        with pytest.raises(BadInput):
            check_extension(limited, wrong, NOW)
    with pytest.raises(BadInput):
        check_extension(quest("bob"), later, NOW)
    check_extension(quest("bob"), instant(NOW + RELEASE_AFTER), NOW)


def test_returned_work_gets_72_hours_at_least() -> None:
    stale_at = instant(NOW + 9 * HOUR)
    back = returned_to_performers(quest("bob", expires_at=AFTER), NOW, stale_at)
    assert (back.status, back.stale_at, back.returned_at) == (
        QuestStatus.CLAIMED,
        stale_at,
        instant(NOW),
    )
    assert back.expires_at == instant(NOW + RELEASE_AFTER)
    unlimited = returned_to_performers(quest("bob"), NOW, stale_at)
    assert unlimited.expires_at is None


def test_a_quest_without_creator_ends_unless_it_is_final() -> None:
    end = instant(NOW + HOUR)
    assert with_end_by(quest("bob"), end).expires_at == end
    assert with_end_by(quest("bob", expires_at=BEFORE), end).expires_at == BEFORE
    done = quest("bob", status=QuestStatus.COMPLETE)
    assert with_end_by(done, end) == done


def test_the_creator_attests_and_with_dual_attestation_a_performer_too() -> None:
    dual = quest("bob", dual_attestation=True)
    assert attester_role(dual, "ada") is AttesterRole.CREATOR
    assert attester_role(dual, "bob") is AttesterRole.PERFORMER
    for stranger in (dual, quest("bob")):
        with pytest.raises(Forbidden):
            attester_role(stranger, "cleo")
    with pytest.raises(Forbidden):
        attester_role(quest("bob"), "bob")


def test_each_attests_once() -> None:
    attested = reviewed(attestation("ada", AttesterRole.CREATOR))
    with pytest.raises(AlreadyAttested):
        attester_role(attested, "ada")


def test_dual_attestation_needs_both_roles() -> None:
    creator = attestation("ada", AttesterRole.CREATOR)
    performer = attestation("bob", AttesterRole.PERFORMER)
    assert is_fully_attested(reviewed(creator))
    dual = {"dual_attestation": True}
    assert not is_fully_attested(reviewed(creator, **dual))
    assert not is_fully_attested(reviewed(performer, **dual))
    assert is_fully_attested(reviewed(creator, performer, **dual))


def reviewed(*given: Attestation, **fields: Any) -> Quest:
    values = {"status": QuestStatus.PENDING_REVIEW, "attestations": [*given], **fields}
    return quest("bob", **values)


@pytest.mark.parametrize(
    ("about", "timestamp", "counted"),
    [
        (BEFORE, BEFORE, True),
        (instant(NOW - 2 * HOUR), BEFORE, False),
        (None, AFTER, True),
        (None, BEFORE, True),
        (None, instant(NOW - 2 * HOUR), False),
    ],
)
def test_an_attestation_counts_for_its_submission(
    about: Any, timestamp: AWSDateTime, counted: bool
) -> None:
    """Without a submission, an earlier release stored it: then its time decides."""
    given = replace(attestation("ada", AttesterRole.CREATOR), timestamp=timestamp)
    given = replace(given, submitted_at=about)
    for status in QuestStatus:
        seen = reviewed(given, status=status, submitted_at=BEFORE)
        expected = counted and status not in WITHOUT_SUBMISSION
        assert counting_attestations(seen) == ([given] if expected else [])
        assert is_fully_attested(seen) is expected


def test_only_parties_dispute_and_only_after_the_submission() -> None:
    submitted = quest("bob", status=QuestStatus.PENDING_REVIEW)
    check_dispute(submitted, "ada")
    check_dispute(submitted, "bob")
    with pytest.raises(Forbidden):
        check_dispute(submitted, "cleo")
    with pytest.raises(WrongStatus):
        check_dispute(quest("bob"), "ada")


def test_a_transaction_is_recorded_once_and_can_be_completed() -> None:
    given = attestation("ada", AttesterRole.CREATOR)
    hash_ = "0x" + "a" * 64
    first = RecordOnChainInput(quest_id=strawberry.ID("q"), transaction_hash=hash_, block_number=7)
    recorded = with_on_chain_record(given, first)
    assert (recorded.on_chain, recorded.transaction_hash, recorded.block_number) == (True, hash_, 7)
    again = RecordOnChainInput(
        quest_id=strawberry.ID("q"), transaction_hash=hash_.upper().replace("0X", "0x")
    )
    assert with_on_chain_record(recorded, again) == recorded
    other = RecordOnChainInput(quest_id=strawberry.ID("q"), transaction_hash="0x" + "b" * 64)
    with pytest.raises(Conflict):
        with_on_chain_record(recorded, other)


def test_attestations_of_a_deleted_account_stay_without_its_name() -> None:
    attested = quest(
        "bob",
        attestations=[
            attestation("ada", AttesterRole.CREATOR, signature="0x1", signer="0x2"),
            attestation("bob", AttesterRole.PERFORMER),
        ],
    )
    first, second = without_name(attested, "ada").attestations
    assert (first.attester_username, first.signature, first.signer) == (DELETED_ACCOUNT, None, None)
    assert second == attested.attestations[1]
    assert without_name(attested, "cleo") == attested
    with pytest.raises(NotFound):
        must_have_attested(attested, "cleo")


def failed(reward_type: RewardType, **fields: Any) -> FailedReward:
    return FailedReward(
        **TIMES,
        quest_id=strawberry.ID("q"),
        user_id=strawberry.ID("bob"),
        reward_type=reward_type,
        reward_amount=10,
        reason="?",
        last_attempt_at=instant(NOW),
        **fields,
    )


def test_every_performer_gets_both_rewards() -> None:
    assert rewards_of(quest("bob", "cleo")) == [
        (RewardType.XP, "bob", 5),
        (RewardType.XP, "cleo", 5),
        (RewardType.REPUTATION, "bob", 2),
        (RewardType.REPUTATION, "cleo", 1),
    ]


def test_a_completed_quest_counts_once_with_its_xp() -> None:
    assert counters_of(failed(RewardType.REPUTATION, attested=True)) == {"reputation": 10}
    xp = {"experience_points": 10, "quests_completed": 1}
    assert counters_of(failed(RewardType.XP)) == xp
    assert counters_of(failed(RewardType.XP, attested=True)) == xp | {"attestations_received": 1}


@pytest.mark.parametrize(
    ("status", "until", "running"),
    [
        (FailedRewardStatus.PROCESSING, AFTER, True),
        (FailedRewardStatus.PROCESSING, instant(NOW), False),
        (FailedRewardStatus.PENDING, AFTER, False),
        (FailedRewardStatus.PROCESSING, None, False),
    ],
)
def test_an_attempt_runs_until_its_lease_ends(
    status: FailedRewardStatus, until: str | None, running: bool
) -> None:
    reward = failed(RewardType.XP, status=status, next_attempt_at=until)
    assert is_attempt_running(reward, instant(NOW)) is running
