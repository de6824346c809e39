"""How rewards are shared, and when a failed payment is tried again."""

from collections.abc import Sequence
from datetime import timedelta

from app.domains.quests.types import (
    FailedReward,
    FailedRewardStatus,
    Grant,
    PaymentStatus,
    Quest,
    QuestReward,
    QuestStatus,
    RewardType,
)

MOST_RETRIES = 5
FIRST_RETRY = timedelta(minutes=1)
LEASE = timedelta(seconds=300)
JITTER = 0.2


def equal_shares(amount: int, people: int) -> list[int]:
    """Equal shares, rounded down. The remainder goes to the first."""
    share, rest = divmod(amount, people)
    return [share + rest, *[share] * (people - 1)]


def reward_shares(
    amount: int, people: Sequence[str], *, each_in_full: bool
) -> list[tuple[str, int]]:
    """Who gets how much, in the order in which they joined."""
    if not people:
        return []
    shares = [amount] * len(people) if each_in_full else equal_shares(amount, len(people))
    return list(zip(people, shares, strict=True))


def retry_delay(attempts: int, jitter: float) -> timedelta:
    """1 minute after the first failure, then 2, 4, 8, 16. `jitter` from 0 to 1 adds up to a fifth,
    so that payments that failed together are not retried together."""
    doubled: int = 2 ** (attempts - 1)
    return FIRST_RETRY * doubled * (1 + JITTER * jitter)


def is_given_up(attempts: int) -> bool:
    """The first attempt was made at completion."""
    return attempts > MOST_RETRIES


def rewards_of(quest: Quest) -> list[tuple[RewardType, str, int]]:
    """Every payment of a completed quest: type, user id, amount."""
    amounts = {RewardType.XP: quest.reward_xp, RewardType.REPUTATION: quest.reward_reputation}
    return [
        (reward_type, user_id, share)
        for reward_type, amount in amounts.items()
        for user_id, share in reward_shares(
            amount, quest.performers, each_in_full=quest.individual_rewards
        )
    ]


def counters_of(reward: FailedReward) -> dict[str, int]:
    """What a payment adds to the counters of UserStats. A completed quest counts once, with its
    XP."""
    if reward.reward_type is RewardType.REPUTATION:
        return {"reputation": reward.reward_amount}
    attested = {"attestations_received": 1} if reward.attested else {}
    return {"experience_points": reward.reward_amount, "quests_completed": 1, **attested}


def is_attempt_running(reward: FailedReward, now: str) -> bool:
    """A worker that crashed holds its lease until next_attempt_at."""
    is_held = reward.status is FailedRewardStatus.PROCESSING
    return is_held and reward.next_attempt_at is not None and now < reward.next_attempt_at


def reward_types_for(quest: Quest, user_id: str | None) -> list[RewardType]:
    """What the user gets for this quest, if it is completed."""
    if quest.status is not QuestStatus.COMPLETE:
        return []
    return [reward_type for reward_type, receiver, _ in rewards_of(quest) if receiver == user_id]


def paid_reward(grant: Grant) -> QuestReward:
    return QuestReward(
        reward_type=grant.reward_type,
        amount=grant.amount,
        status=PaymentStatus.PAID,
        paid_at=grant.created_at,
    )


def owed_reward(owed: FailedReward) -> QuestReward:
    given_up = owed.status is FailedRewardStatus.FAILED
    return QuestReward(
        reward_type=owed.reward_type,
        amount=owed.reward_amount,
        status=PaymentStatus.FAILED if given_up else PaymentStatus.PENDING,
        next_attempt_at=owed.next_attempt_at,
    )
