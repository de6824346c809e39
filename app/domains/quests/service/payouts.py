"""Rewards: paid in the transaction that completes the quest, or stored and retried until paid.

The Grant record is created in the transaction that pays. A second payment, by whatever path, finds
it and pays nothing.
"""

import asyncio
import random
from collections.abc import Iterable, Iterator

import orjson

from app.core.clock import instant
from app.core.errors import AppError, NotFound, StaleVersion
from app.core.scalars import AWSJSON
from app.core.shards import every_shard, shard_of
from app.domains.people.service import Profiles
from app.domains.quests import keys
from app.domains.quests.errors import AlreadyPaid, RewardUndeliverable, WrongStatus
from app.domains.quests.inputs import RetryFailedRewardInput
from app.domains.quests.repository import QuestsRepository
from app.domains.quests.rules.rewards import (
    LEASE,
    counters_of,
    is_attempt_running,
    is_given_up,
    owed_reward,
    paid_reward,
    retry_delay,
    reward_types_for,
    rewards_of,
)
from app.domains.quests.types import (
    FailedReward,
    FailedRewardStatus,
    Grant,
    Quest,
    QuestReward,
    RewardType,
)
from app.domains.service import Service, uses
from app.table.entity import InvalidKeyPart, Key
from app.table.gateway import Position, Rows
from app.table.writes import Write, put_if_absent, put_if_unchanged


class Payouts(Service):
    profiles = uses(Profiles)

    @property
    def repository(self) -> QuestsRepository:
        return QuestsRepository(self.table, self.resources.settings.shards)

    def writes_for(
        self, quest: Quest, *, undeliverable: Iterable[str], attested: bool
    ) -> Iterator[Write]:
        """All rewards of a completed quest. Those of `undeliverable` users are stored for a
        retry."""
        later = set(undeliverable)
        for reward_type, user_id, amount in rewards_of(quest):
            owed = self._owed(quest, user_id, reward_type, amount, attested=attested)
            if user_id in later:
                yield put_if_absent(owed, otherwise=AlreadyPaid())
            else:
                yield from self._payment(owed)

    def _owed(
        self, quest: Quest, user_id: str, reward_type: RewardType, amount: int, *, attested: bool
    ) -> FailedReward:
        # One time for all rewards of a quest: a list by time keeps them together.
        completed_at = quest.completed_at or self.now
        first_retry = self.resources.clock.now() + retry_delay(1, random.random())
        return FailedReward(
            created_at=completed_at,
            updated_at=completed_at,
            quest_id=quest.id,
            user_id=user_id,  # type: ignore[arg-type]
            reward_type=reward_type,
            reward_amount=amount,
            reason=RewardUndeliverable(user_id).message,
            last_attempt_at=completed_at,
            next_attempt_at=instant(first_retry),
            attested=attested,
            shard=shard_of(quest.id, self.resources.settings.shards),
        )

    def _payment(self, owed: FailedReward) -> list[Write]:
        grant = Grant(
            created_at=self.now,
            updated_at=self.now,
            user_id=owed.user_id,
            quest_id=owed.quest_id,
            reward_type=owed.reward_type,
            amount=owed.reward_amount,
        )
        refused = RewardUndeliverable(owed.user_id)
        return [
            put_if_absent(grant, otherwise=AlreadyPaid()),
            *self.profiles.stats_writes(owed.user_id, otherwise=refused, **counters_of(owed)),
        ]

    async def rewards_of_caller(self, quest: Quest) -> list[QuestReward]:
        types = reward_types_for(quest, self.caller.id)
        found = await asyncio.gather(*(self._reward_of_caller(quest, each) for each in types))
        return [each for each in found if each]

    async def _reward_of_caller(self, quest: Quest, reward_type: RewardType) -> QuestReward | None:
        """Its grant, or else its failed reward, which has the time of the completion."""
        user_id = self.caller.user_id
        if grant := await self.table.load(keys.grant(user_id, quest.id, reward_type)):
            return paid_reward(grant)
        time = quest.completed_at or quest.updated_at
        owed = await self.table.load_many(
            keys.failed_reward(quest.id, user_id, time, reward_type, shard)
            for shard in every_shard(self.resources.settings.shards)
        )
        return next((owed_reward(each) for each in owed if each), None)

    async def failed_rewards(
        self, status: FailedRewardStatus | None, *, limit: int, start: Position | None
    ) -> Rows[FailedReward]:
        def keep(reward: FailedReward) -> bool:
            return status is None or reward.status is status

        return await self.repository.failed_rewards(keep, limit=limit, start=start)

    async def retry_now(self, request: RetryFailedRewardInput) -> FailedReward:
        owed = await self._failed_reward(request.id)
        if owed.status is FailedRewardStatus.COMPLETED:
            raise WrongStatus(owed.status.value, "This reward is paid already.")
        if is_attempt_running(owed, self.now):
            message = f"An attempt is running until {owed.next_attempt_at} at most. Try again then."
            raise WrongStatus(owed.status.value, message)
        after = await self.retry(owed, by=self.caller.user_id)
        return after or await self._failed_reward(request.id)

    async def _failed_reward(self, reward_id: str) -> FailedReward:
        for key in self._possible_keys(reward_id):
            if owed := await self.table.get(key):
                return owed
        raise NotFound("failed reward")

    def _possible_keys(self, reward_id: str) -> Iterator[Key[FailedReward]]:
        """One per shard. The id consists of the parts of the key; its time contains a dot."""
        parts = reward_id.split(".", 4)
        if len(parts) < 5:
            return
        quest_id, kind, seconds, rest, user_id = parts
        time = f"{seconds}.{rest}"
        try:
            for shard in every_shard(self.resources.settings.shards):
                yield keys.failed_reward(quest_id, user_id, time, kind, shard)
        except InvalidKeyPart:
            return

    async def retry(self, owed: FailedReward, *, by: str) -> FailedReward | None:
        """One attempt under a lease. None if another worker holds it."""
        held = owed.evolve(
            self.now,
            status=FailedRewardStatus.PROCESSING,
            attempt_count=owed.attempt_count + 1,
            last_attempt_at=self.now,
            next_attempt_at=instant(self.resources.clock.now() + LEASE),
            processed_by=by,
        )
        try:
            await self.table.write(put_if_unchanged(held, owed, "failed reward"))
            return await self._attempt(held)
        except (StaleVersion, NotFound):
            return None

    async def _attempt(self, held: FailedReward) -> FailedReward:
        paid = held.evolve(
            self.now,
            status=FailedRewardStatus.COMPLETED,
            processed_at=self.now,
            next_attempt_at=None,
        )
        done = put_if_unchanged(paid, held, "failed reward")
        try:
            await self.table.write(done, *self._payment(held))
        except AlreadyPaid:
            await self.table.write(done)
        except RewardUndeliverable as refusal:
            return await self._postpone(held, refusal)
        return paid

    async def _postpone(self, held: FailedReward, refusal: AppError) -> FailedReward:
        given_up = is_given_up(held.attempt_count)
        delay = retry_delay(held.attempt_count, random.random())
        details = {"code": refusal.code, "attempt": held.attempt_count}
        postponed = held.evolve(
            self.now,
            status=FailedRewardStatus.FAILED if given_up else FailedRewardStatus.PENDING,
            reason=refusal.message,
            error_details=AWSJSON(orjson.dumps(details).decode()),
            next_attempt_at=None if given_up else instant(self.resources.clock.now() + delay),
        )
        await self.table.write(put_if_unchanged(postponed, held, "failed reward"))
        return postponed
