"""Keys and access patterns of points and rewards."""

from app.domains.rewards.types import (
    Redemption,
    RedemptionsOfDay,
    Reward,
    Wallet,
    WalletTransaction,
)
from app.table.entity import Entity, Key, RangeQuery

WALLET = Entity("Wallet", Wallet, pk="USER#{user_id}", sk="WALLET")
WALLET_TRANSACTION = Entity(
    "WalletTransaction", WalletTransaction, pk="USER#{user_id}", sk="WALLET_TXN#{created_at}#{id}"
)
REWARD = Entity(
    "Reward",
    Reward,
    pk="USER#{user_id}",
    sk="REWARD#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Reward#{created_at}"),
    gsi2=("USER#{user_id}#REWARD", "{status}#{created_at}"),
    owns="REWARD#{id}",
)
REDEMPTION = Entity(
    "Redemption", Redemption, pk="REWARD#{reward_id}", sk="REDEMPTION#{redeemed_at}#{id}"
)
REDEMPTIONS_OF_DAY = Entity(
    "RedemptionsOfDay", RedemptionsOfDay, pk="REWARD#{reward_id}", sk="DAY#{date}"
)


def wallet(user_id: str) -> Key[Wallet]:
    """Someone's points"""
    return WALLET.key(user_id=user_id)


def transactions_of_wallet(
    user_id: str, since: str | None = None, until: str | None = None
) -> RangeQuery[WalletTransaction]:
    """The changes of someone's points, of all time or from one time to another, newest first"""
    return WALLET_TRANSACTION.span(user_id=user_id, since=since, until=until, newest_first=True)


def reward(user_id: str, reward_id: str) -> Key[Reward]:
    """One of someone's rewards"""
    return REWARD.key(user_id=user_id, id=reward_id)


def rewards_of_user(user_id: str) -> RangeQuery[Reward]:
    """Someone's rewards"""
    return REWARD.within(user_id=user_id)


def redemption(reward_id: str, redeemed_at: str, redemption_id: str) -> Key[Redemption]:
    """One redemption of a reward"""
    return REDEMPTION.key(reward_id=reward_id, redeemed_at=redeemed_at, id=redemption_id)


def redemptions_of_reward(reward_id: str) -> RangeQuery[Redemption]:
    """The redemptions of a reward, newest first"""
    return REDEMPTION.within(reward_id=reward_id, newest_first=True)


def redemptions_of_day(reward_id: str, date: str) -> Key[RedemptionsOfDay]:
    """The number of redemptions of a reward on a day"""
    return REDEMPTIONS_OF_DAY.key(reward_id=reward_id, date=date)


def redemption_days(reward_id: str) -> RangeQuery[RedemptionsOfDay]:
    """The daily redemption counters of a reward"""
    return REDEMPTIONS_OF_DAY.within(reward_id=reward_id)
