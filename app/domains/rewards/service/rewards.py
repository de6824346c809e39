"""Rewards: redeemed for points, within the limits that their owner set."""

from collections.abc import Callable
from functools import partial

import strawberry

from app.core.errors import NotFound, StaleVersion
from app.core.scalars import AWSDateTime
from app.domains.people.service import Profiles
from app.domains.rewards import keys, rules
from app.domains.rewards.errors import (
    AlreadyRefunded,
    CoolingDown,
    DailyLimit,
    NotActive,
    PriceChanged,
)
from app.domains.rewards.inputs import (
    CreateRewardInput,
    DeleteRewardInput,
    RedeemRewardInput,
    RefundRedemptionInput,
    UpdateRewardInput,
)
from app.domains.rewards.repository import RewardsRepository
from app.domains.rewards.rules import RedemptionDay
from app.domains.rewards.service.wallets import Wallets
from app.domains.rewards.types import Redemption, Reward, RewardStatus, Spending
from app.domains.service import Decision, Service, expect_version, required, uses
from app.table.conditions import Condition, attr
from app.table.gateway import Position, Rows
from app.table.writes import (
    Update,
    Write,
    delete_if_unchanged,
    put_if_absent,
    put_if_unchanged,
    stale,
)

NEVER_NULL = ("title", "point_cost", "is_automated", "status")


class Rewards(Service):
    profiles = uses(Profiles)
    wallets = uses(Wallets)

    @property
    def repository(self) -> RewardsRepository:
        return RewardsRepository(self.table)

    async def reward(self, reward_id: str) -> Reward | None:
        return await self.table.load(keys.reward(self.caller.user_id, reward_id))

    async def require(self, reward_id: str) -> Reward:
        return required(await self.reward(reward_id), "reward")

    async def rewards(
        self,
        status: RewardStatus | None,
        category: str | None,
        *,
        keep: Callable[[Reward], bool] | None = None,
        limit: int,
        start: Position | None,
    ) -> Rows[Reward]:
        def matches(reward: Reward) -> bool:
            match = status in (None, reward.status) and category in (None, reward.category)
            return match and (keep is None or keep(reward))

        query = keys.rewards_of_user(self.caller.user_id)
        return await self.table.query(query, limit=limit, start=start, keep=matches)

    async def redemptions(
        self, reward: Reward, *, limit: int, start: Position | None
    ) -> Rows[Redemption]:
        query = keys.redemptions_of_reward(reward.id)
        return await self.table.query(query, limit=limit, start=start)

    async def create(self, request: CreateRewardInput) -> Reward:
        return await self.once(request, Reward, partial(self._create, request))

    async def _create(self, request: CreateRewardInput) -> Decision[Reward]:
        reward = Reward(id=self.new_id(), **self.stamp(), **request.values())
        return Decision(reward, [put_if_absent(reward, otherwise=StaleVersion("reward", None))])

    async def update(self, request: UpdateRewardInput) -> Reward:
        async def decide() -> Decision[Reward]:
            old = await self.require(request.id)
            expect_version(request, old, "reward")
            new = old.evolve(self.now, **request.changes(NEVER_NULL))
            return Decision(new, [put_if_unchanged(new, old, "reward")])

        return await self.once(request, Reward, decide)

    async def delete(self, request: DeleteRewardInput) -> Reward:
        """The history first, the reward last: an interrupted deletion can be repeated. A stale
        expectedVersion is refused before anything is deleted."""

        async def decide() -> Decision[Reward]:
            reward = await self.require(request.id)
            expect_version(request, reward, "reward")
            await self.table.delete_many(await self.repository.history_keys(reward.id))
            return Decision(reward, [delete_if_unchanged(reward, "reward")])

        return await self.once(request, Reward, decide)

    async def redeem(self, request: RedeemRewardInput) -> Redemption:
        return await self.once(request, Redemption, partial(self._redeem, request))

    async def _redeem(self, request: RedeemRewardInput) -> Decision[Redemption]:
        reward = await self.require(request.reward_id)
        day = await self._today()
        if reward.status is not RewardStatus.Active:
            raise NotActive("reward")
        if request.expected_cost not in (None, strawberry.UNSET, reward.point_cost):
            raise PriceChanged(reward.point_cost)
        refusal = await self._refusal(reward, day)
        if refusal:
            raise refusal
        redemption = self._new_redemption(reward)
        spending = Spending(
            user_id=self.caller.user_id,
            points=reward.point_cost,
            reason=reward.title,
            reward_id=reward.id,
            reference=redemption.id,
        )
        return Decision(
            redemption,
            [
                self._mark_redeemed(reward),
                self._count_redemption(reward, day),
                *self.wallets.spend(spending),
                put_if_absent(redemption, otherwise=StaleVersion("reward", None)),
            ],
        )

    async def next_available_at(self, reward: Reward) -> AWSDateTime | None:
        refusal = await self._refusal(reward, await self._today())
        return refusal.until if refusal else None

    async def _refusal(self, reward: Reward, day: RedemptionDay) -> DailyLimit | CoolingDown | None:
        counter = await self.table.load(keys.redemptions_of_day(reward.id, day.date))
        return rules.redemption_refusal(
            reward,
            redeemed_today=counter.count if counter else 0,
            day=day,
            now=self.resources.clock.now(),
        )

    async def _today(self) -> RedemptionDay:
        me = await self.profiles.me()
        return rules.redemption_day(
            self.resources.clock.now(),
            time_zone=me.time_zone or "UTC",
            day_start_hour=me.day_start_hour or 0,
        )

    def _new_redemption(self, reward: Reward) -> Redemption:
        unique = self.new_id()
        at = rules.redemption_time(unique)
        return Redemption(
            id=rules.redemption_id(reward.id, unique),
            created_at=at,
            updated_at=at,
            user_id=self.caller.user_id,
            reward_id=reward.id,
            title=reward.title,
            cost=reward.point_cost,
            redeemed_at=at,
        )

    def _mark_redeemed(self, reward: Reward) -> Write:
        """Only if the reward's price and limits are still those that were decided on."""
        return Update(
            keys.reward(reward.user_id, reward.id),
            put={"lastRedeemedAt": self.now, "updatedAt": self.now},
            add={"redemptionCount": 1, "version": 1},
            when=_has_same_terms(reward),
            otherwise=stale("reward"),
        )

    def _count_redemption(self, reward: Reward, day: RedemptionDay) -> Write:
        count = attr("count")
        most = reward.max_redemptions_per_day
        return Update(
            keys.redemptions_of_day(reward.id, day.date),
            put={"updatedAt": self.now},
            add={"count": 1, "version": 1},
            first={
                "createdAt": self.now,
                "userId": self.caller.user_id,
                "rewardId": reward.id,
                "date": day.date,
            },
            when=None if most is None else count.absent() | count.below(most),
            otherwise=rules.daily_limit(reward, day),
        )

    async def refund(self, request: RefundRedemptionInput) -> Redemption:
        return await self.once(request, Redemption, partial(self._refund, request))

    async def _refund(self, request: RefundRedemptionInput) -> Decision[Redemption]:
        old = await self._require_redemption(request.redemption_id)
        if old.refunded_at is not None:
            raise AlreadyRefunded
        new = old.evolve(self.now, refunded_at=self.now)
        spending = Spending(
            user_id=self.caller.user_id,
            points=old.cost,
            reason=f"Refund: {old.title}"[:200],
            reward_id=old.reward_id,
            reference=old.id,
        )
        writes = [put_if_unchanged(new, old, "redemption"), *self.wallets.refund(spending)]
        return Decision(new, writes)

    async def _require_redemption(self, redemption_id: str) -> Redemption:
        parts = rules.parse_redemption_id(redemption_id)
        if parts is None or await self.reward(parts[0]) is None:
            raise NotFound("redemption")
        return required(await self.table.get(keys.redemption(*parts, redemption_id)), "redemption")


def _has_same_terms(reward: Reward) -> Condition:
    """Without a cooldown, others may have redeemed it meanwhile."""
    same = attr("status").equals(reward.status) & attr("pointCost").equals(reward.point_cost)
    same &= _equals("cooldownHours", reward.cooldown_hours)
    same &= _equals("maxRedemptionsPerDay", reward.max_redemptions_per_day)
    if reward.cooldown_hours:
        same &= _equals("lastRedeemedAt", reward.last_redeemed_at)
    return same


def _equals(name: str, value: object) -> Condition:
    return attr(name).absent() if value is None else attr(name).equals(value)
