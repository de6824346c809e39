"""The reads about points and rewards."""

from collections.abc import Callable

from app.domains.rewards import keys
from app.domains.rewards.types import (
    Redemption,
    RedemptionsOfDay,
    Reward,
    Wallet,
    WalletTransaction,
)
from app.table.gateway import Gateway, Position, Rows


class RewardsRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def wallet(self, user_id: str) -> Wallet | None:
        return await self.table.load(keys.wallet(user_id))

    async def transactions_of_wallet(
        self, user_id: str, *, limit: int, start: Position | None
    ) -> Rows[WalletTransaction]:
        return await self.table.query(
            keys.transactions_of_wallet(user_id), limit=limit, start=start
        )

    async def reward(self, user_id: str, reward_id: str) -> Reward | None:
        return await self.table.load(keys.reward(user_id, reward_id))

    async def rewards_of_user(
        self,
        user_id: str,
        *,
        limit: int,
        start: Position | None,
        keep: Callable[[Reward], bool] | None,
    ) -> Rows[Reward]:
        query = keys.rewards_of_user(user_id)
        return await self.table.query(query, limit=limit, start=start, keep=keep)

    async def redemption(
        self, reward_id: str, redeemed_at: str, redemption_id: str
    ) -> Redemption | None:
        return await self.table.get(keys.redemption(reward_id, redeemed_at, redemption_id))

    async def redemptions_of_reward(
        self, reward_id: str, *, limit: int, start: Position | None
    ) -> Rows[Redemption]:
        query = keys.redemptions_of_reward(reward_id)
        return await self.table.query(query, limit=limit, start=start)

    async def redemptions_of_day(self, reward_id: str, date: str) -> RedemptionsOfDay | None:
        return await self.table.load(keys.redemptions_of_day(reward_id, date))

    async def history_keys(self, reward_id: str) -> list[tuple[str, str]]:
        """Of everything that hangs on a reward."""
        redemptions = self.table.query_all(keys.redemptions_of_reward(reward_id))
        days = self.table.query_all(keys.redemption_days(reward_id))
        found = [keys.REDEMPTION.key_of(each) async for each in redemptions]
        counters = [keys.REDEMPTIONS_OF_DAY.key_of(each) async for each in days]
        return [(key.pk, key.sk) for key in (*found, *counters)]
