"""The reads about points and rewards."""

from app.domains.rewards import keys
from app.domains.rewards.types import Wallet, WalletTransaction
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
