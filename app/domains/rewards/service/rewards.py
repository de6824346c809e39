"""Rewards: redeemed for points, within the limits that their owner set."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial

import strawberry
from ulid import ULID

from app.core.caller import Caller
from app.core.clock import day as day_text
from app.core.clock import instant, local_day, moment_of, start_of_day
from app.core.errors import NotFound, StaleVersion
from app.core.scalars import AWSDate, AWSDateTime
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
from app.domains.rewards.service.wallets import Wallets
from app.domains.rewards.types import Redemption, Reward, RewardStatus
from app.domains.service import Decision, Service, expect_version
from app.resources import Resources
from app.table.conditions import Condition, attr
from app.table.gateway import Position, Rows
from app.table.writes import Update, Write, create, remove, replace, stale

NEVER_NULL = ("title", "point_cost", "is_automated", "status")
ULID_LENGTH = 26


@dataclass(frozen=True, slots=True)
class Day:
    """One of the owner's days, and when the next begins."""

    date: AWSDate
    end: AWSDateTime


class Rewards(Service):
    def __init__(
        self, resources: Resources, caller: Caller, profiles: Profiles, wallets: Wallets
    ) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.wallets = wallets
        self.repository = RewardsRepository(resources.table)

    async def reward(self, reward_id: str) -> Reward | None:
        return await self.repository.reward(self.caller.user_id, reward_id)

    async def known(self, reward_id: str) -> Reward:
        found = await self.reward(reward_id)
        if found is None:
            raise NotFound("reward")
        return found

    async def rewards(
        self,
        status: RewardStatus | None,
        category: str | None,
        *,
        keep: Callable[[Reward], bool] | None = None,
        limit: int,
        start: Position | None,
    ) -> Rows[Reward]:
        def fits(reward: Reward) -> bool:
            wanted = status in (None, reward.status) and category in (None, reward.category)
            return wanted and (keep is None or keep(reward))

        return await self.repository.rewards_of_user(
            self.caller.user_id, limit=limit, start=start, keep=fits
        )

    async def redemptions(
        self, reward: Reward, *, limit: int, start: Position | None
    ) -> Rows[Redemption]:
        return await self.repository.redemptions_of_reward(reward.id, limit=limit, start=start)

    async def create(self, request: CreateRewardInput) -> Reward:
        return await self.once(request, Reward, partial(self._creating, request))

    async def _creating(self, request: CreateRewardInput) -> Decision[Reward]:
        given = {name: value for name, value in request.given().items() if value is not None}
        given.pop("idempotency_key", None)
        reward = Reward(
            id=self.resources.ids.new(),
            user_id=self.caller.user_id,
            created_at=self.now,
            updated_at=self.now,
            **given,
        )
        return Decision(reward, [create(reward, otherwise=StaleVersion("reward", None))])

    async def update(self, request: UpdateRewardInput) -> Reward:
        async def decide() -> Decision[Reward]:
            old = await self.known(request.id)
            expect_version(request, old, "reward")
            new = old.evolve(self.now, **request.changes(NEVER_NULL))
            return Decision(new, [replace(new, old, "reward")])

        return await self.commit(decide)

    async def delete(self, request: DeleteRewardInput) -> Reward:
        """Its history first, itself last: broken off, it can be begun again. Who comes too late is
        told before any of it."""

        async def decide() -> Decision[Reward]:
            reward = await self.known(request.id)
            await self.table.delete_many(await self.repository.history_keys(reward.id))
            return Decision(reward, [remove(reward, "reward")])

        expect_version(request, await self.known(request.id), "reward")
        return await self.commit(decide)

    async def redeem(self, request: RedeemRewardInput) -> Redemption:
        return await self.once(request, Redemption, partial(self._redeeming, request))

    async def _redeeming(self, request: RedeemRewardInput) -> Decision[Redemption]:
        now = self.resources.clock.now()
        reward = await self.known(request.reward_id)
        day = await self._day(now)
        if reward.status is not RewardStatus.Active:
            raise NotActive("reward")
        if request.expected_cost not in (None, strawberry.UNSET, reward.point_cost):
            raise PriceChanged(reward.point_cost)
        await self._refuse_too_often(reward, day, now)
        redemption = self._redemption(reward)
        paid = self.wallets.spend(
            self.caller.user_id,
            reward.point_cost,
            reason=reward.title,
            reward_id=reward.id,
            reference=redemption.id,
        )
        return Decision(
            redemption,
            [
                self._mark(reward),
                self._count(reward, day),
                *paid,
                create(redemption, otherwise=StaleVersion("reward", None)),
            ],
        )

    async def _refuse_too_often(self, reward: Reward, day: Day, now: datetime) -> None:
        last = moment_of(reward.last_redeemed_at) if reward.last_redeemed_at else None
        used_up = rules.is_used_up(
            await self._redeemed_on(reward, day), reward.max_redemptions_per_day
        )
        if used_up:
            raise self._daily_limit(reward, day)
        if rules.is_cooling_down(now, last=last, cooldown_hours=reward.cooldown_hours):
            end = rules.end_of_cooldown(last, reward.cooldown_hours)
            raise CoolingDown(instant(end or now))

    async def _redeemed_on(self, reward: Reward, day: Day) -> int:
        counted = await self.repository.redemptions_of_day(reward.id, day.date)
        return counted.count if counted else 0

    def _daily_limit(self, reward: Reward, day: Day) -> DailyLimit:
        """The next day, or when the cooldown ends if that is later still; 0 a day is never."""
        if reward.max_redemptions_per_day == 0:
            return DailyLimit(None)
        return DailyLimit(max(day.end, self._end_of_cooldown(reward) or day.end))

    def _end_of_cooldown(self, reward: Reward) -> AWSDateTime | None:
        last = moment_of(reward.last_redeemed_at) if reward.last_redeemed_at else None
        end = rules.end_of_cooldown(last, reward.cooldown_hours)
        return instant(end) if end else None

    async def next_available_at(self, reward: Reward) -> AWSDateTime | None:
        now = self.resources.clock.now()
        try:
            await self._refuse_too_often(reward, await self._day(now), now)
        except (CoolingDown, DailyLimit) as refused:
            until = refused.info["nextAvailableAt"]
            return AWSDateTime(str(until)) if until else None
        return None

    async def _day(self, now: datetime) -> Day:
        me = await self.profiles.me()
        zone, hour = me.time_zone or "UTC", me.day_start_hour or 0
        today = local_day(now, time_zone=zone, day_start_hour=hour)
        tomorrow: date = today + timedelta(days=1)
        end = start_of_day(tomorrow, time_zone=zone, day_start_hour=hour)
        return Day(day_text(today), instant(end))

    def _redemption(self, reward: Reward) -> Redemption:
        """Its id says where it is stored: under which reward, at what time."""
        unique = self.resources.ids.new()
        at = instant(ULID.from_str(unique).datetime)
        return Redemption(
            id=strawberry.ID(f"{reward.id}-{unique}"),
            created_at=at,
            updated_at=at,
            user_id=self.caller.user_id,
            reward_id=reward.id,
            title=reward.title,
            cost=reward.point_cost,
            redeemed_at=at,
        )

    def _mark(self, reward: Reward) -> Write:
        """If the reward is still what was decided on. Without a cooldown, others may be first."""
        return Update(
            keys.reward(reward.user_id, reward.id),
            put={"lastRedeemedAt": self.now, "updatedAt": self.now},
            add={"redemptionCount": 1, "version": 1},
            when=_is_still(reward),
            otherwise=stale("reward"),
        )

    def _count(self, reward: Reward, day: Day) -> Write:
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
            otherwise=self._daily_limit(reward, day),
        )

    async def refund(self, request: RefundRedemptionInput) -> Redemption:
        return await self.once(request, Redemption, partial(self._refunding, request))

    async def _refunding(self, request: RefundRedemptionInput) -> Decision[Redemption]:
        old = await self._known_redemption(request.redemption_id)
        if old.refunded_at is not None:
            raise AlreadyRefunded
        new = old.evolve(self.now, refunded_at=self.now)
        back = self.wallets.give_back(
            self.caller.user_id,
            old.cost,
            reason=f"Refund: {old.title}"[:200],
            reward_id=old.reward_id,
            reference=old.id,
        )
        return Decision(new, [replace(new, old, "redemption"), *back])

    async def _known_redemption(self, redemption_id: str) -> Redemption:
        reward_id, _, unique = redemption_id.rpartition("-")
        if not reward_id or len(unique) != ULID_LENGTH:
            raise NotFound("redemption")
        try:
            at = instant(ULID.from_str(unique).datetime)
        except ValueError:
            raise NotFound("redemption") from None
        reward = await self.reward(reward_id)
        found = await self.repository.redemption(reward_id, at, redemption_id) if reward else None
        if found is None:
            raise NotFound("redemption")
        return found


def _is_still(reward: Reward) -> Condition:
    same = attr("status").equals(reward.status) & attr("pointCost").equals(reward.point_cost)
    same &= _same("cooldownHours", reward.cooldown_hours)
    same &= _same("maxRedemptionsPerDay", reward.max_redemptions_per_day)
    if reward.cooldown_hours:
        same &= _same("lastRedeemedAt", reward.last_redeemed_at)
    return same


def _same(name: str, value: object) -> Condition:
    return attr(name).absent() if value is None else attr(name).equals(value)
