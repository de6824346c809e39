"""The whole state machine; shares of rewards, delays of retries, shards."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.shards import every_shard, shard_of
from app.domains.quests.errors import WrongStatus
from app.domains.quests.rules.rewards import equal_shares, is_given_up, retry_delay, reward_shares
from app.domains.quests.rules.transitions import (
    POSSIBLE_ACTIONS,
    actions_between,
    check_begin,
    check_transition,
)
from app.domains.quests.types import QuestAction, QuestStatus

O, C, P, D, X, E, K = (  # noqa: E741
    QuestStatus.OPEN,
    QuestStatus.CLAIMED,
    QuestStatus.PENDING_REVIEW,
    QuestStatus.COMPLETE,
    QuestStatus.DISPUTED,
    QuestStatus.EXPIRED,
    QuestStatus.CANCELLED,
)
A = QuestAction
ALLOWED = {
    (O, O): {A.UPDATE, A.CLAIM, A.UNCLAIM, A.EXTEND},
    (O, C): {A.CLAIM, A.START},
    (O, E): {A.EXPIRE},
    (O, K): {A.CANCEL},
    (C, O): {A.UNCLAIM, A.RELEASE, A.LAPSE},
    (C, C): {A.EXTEND},
    (C, P): {A.SUBMIT},
    (C, E): {A.EXPIRE},
    (P, P): {A.ATTEST},
    (P, C): {A.REQUEST_CHANGES},
    (P, D): {A.ATTEST},
    (P, X): {A.DISPUTE},
    (X, D): {A.RESOLVE},
    (X, C): {A.RESOLVE},
    (X, K): {A.RESOLVE},
    (E, O): {A.EXTEND},
}


@pytest.mark.parametrize("old", QuestStatus)
@pytest.mark.parametrize("new", QuestStatus)
def test_every_pair_of_states_allows_exactly_these_actions(
    old: QuestStatus, new: QuestStatus
) -> None:
    allowed = ALLOWED.get((old, new), set())
    assert actions_between(old, new) == allowed
    for action in QuestAction:
        if action in allowed:
            check_transition(action, old, new)
        else:
            with pytest.raises(WrongStatus):
                check_transition(action, old, new)


def test_a_refusal_says_what_can_be_done_and_by_whom() -> None:
    with pytest.raises(WrongStatus) as refusal:
        check_begin(A.CANCEL, C)
    assert refusal.value.message == (
        "This is not possible while the quest is CLAIMED. Possible now: unclaimQuest, "
        "checkRequirement, submitQuest by a performer; extendQuest, releaseQuest by its creator."
    )
    offered = {action for does in POSSIBLE_ACTIONS.values() for action in does.values()}
    assert offered == set(A) - {A.CREATE, A.LAPSE, A.EXPIRE}, "all but the clock's own"


@pytest.mark.parametrize("status", [QuestStatus.COMPLETE, QuestStatus.CANCELLED])
def test_nothing_changes_a_final_status(status: QuestStatus) -> None:
    for action in QuestAction:
        with pytest.raises(WrongStatus):
            check_begin(action, status)


@pytest.mark.parametrize(
    ("amount", "people", "shares"),
    [(10, 3, [4, 3, 3]), (1, 3, [1, 0, 0]), (9, 3, [3, 3, 3]), (11, 3, [5, 3, 3]), (7, 1, [7])],
)
def test_the_remainder_goes_to_the_first(amount: int, people: int, shares: list[int]) -> None:
    assert equal_shares(amount, people) == shares


@given(st.integers(0, 10_000), st.integers(1, 20))
def test_shares_lose_nothing(amount: int, people: int) -> None:
    shares = equal_shares(amount, people)
    assert sum(shares) == amount
    assert len(shares) == people
    assert shares[0] >= max(shares)
    assert min(shares) >= 0


def test_in_full_each_gets_all() -> None:
    assert reward_shares(10, ["a", "b"], each_in_full=True) == [("a", 10), ("b", 10)]
    assert reward_shares(10, ["a", "b", "c"], each_in_full=False) == [("a", 4), ("b", 3), ("c", 3)]
    assert reward_shares(10, [], each_in_full=False) == []


def test_retries_come_after_1_2_4_8_and_16_minutes() -> None:
    minutes = [retry_delay(attempts, 0.0) / timedelta(minutes=1) for attempts in range(1, 6)]
    assert minutes == [1, 2, 4, 8, 16]
    assert [is_given_up(attempts) for attempts in range(1, 7)] == [False] * 5 + [True]


@given(st.integers(1, 5), st.floats(0, 1))
def test_jitter_only_adds_a_little(attempts: int, jitter: float) -> None:
    least = retry_delay(attempts, 0.0)
    assert least <= retry_delay(attempts, jitter) <= least * 1.2


@given(st.text(min_size=1), st.integers(2, 64))
def test_every_record_lies_in_a_shard_that_is_read(record_id: str, shards: int) -> None:
    assert shard_of(record_id, shards) in every_shard(shards)
    assert shard_of(record_id, 1) is None
    assert every_shard(1) == [None]
    # What was written before there were shards, or with fewer of them, is still found.
    assert set(every_shard(shards)) >= {None, *every_shard(shards - 1)}
