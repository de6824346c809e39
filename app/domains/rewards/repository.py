"""The reads about points and rewards that take more than one query."""

from app.domains.rewards import keys
from app.table.gateway import Gateway


class RewardsRepository:
    def __init__(self, table: Gateway) -> None:
        self.table = table

    async def history_keys(self, reward_id: str) -> list[tuple[str, str]]:
        """The keys of a reward's redemptions and of its daily counters."""
        redemptions = self.table.query_all(keys.redemptions_of_reward(reward_id))
        days = self.table.query_all(keys.redemption_days(reward_id))
        found = [keys.REDEMPTION.key_of(each) async for each in redemptions]
        counters = [keys.REDEMPTIONS_OF_DAY.key_of(each) async for each in days]
        return [(key.pk, key.sk) for key in (*found, *counters)]
