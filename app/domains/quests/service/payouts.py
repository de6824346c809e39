"""Rewards: paid with the completion that earned them, or kept and tried again until they are.

The grant row is created in the transaction that pays. Whoever pays a second time, on whatever way,
finds it there and pays nothing.
"""

import random
from collections.abc import Iterable, Iterator

import orjson

from app.core.caller import Caller
from app.core.clock import instant
from app.core.errors import AppError, NotFound, StaleVersion
from app.core.scalars import AWSJSON
from app.core.shards import every_shard, shard_of
from app.domains.people.service import Profiles
from app.domains.quests import keys
from app.domains.quests.errors import AlreadyPaid, RewardUndeliverable, WrongStatus
from app.domains.quests.inputs import RetryFailedRewardInput
from app.domains.quests.repository import QuestsRepository
from app.domains.quests.rules import (
    LEASE,
    RewardType,
    is_given_up,
    retry_delay,
    rewards,
)
from app.domains.quests.types import FailedReward, FailedRewardStatus, Grant, Quest
from app.domains.service import Service
from app.resources import Resources
from app.table.entity import BadPart, Key
from app.table.gateway import Position, Rows
from app.table.writes import Write, create, replace

COUNTER = {RewardType.XP: "experience_points", RewardType.REPUTATION: "reputation"}


class Payouts(Service):
    def __init__(self, resources: Resources, caller: Caller, profiles: Profiles) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.repository = QuestsRepository(resources.table, resources.settings.shards)

    def writes_for(
        self, quest: Quest, *, undeliverable: Iterable[str], attested: bool
    ) -> Iterator[Write]:
        """All rewards of a completed quest. Whom they cannot reach now, they wait for."""
        later = set(undeliverable)
        amounts = {
            RewardType.XP: quest.reward_xp,
            RewardType.REPUTATION: quest.reward_reputation,
        }
        for kind, amount in amounts.items():
            for user_id, share in rewards(
                amount, quest.performers, each_in_full=quest.individual_rewards
            ):
                owed = self._owed(quest, user_id, kind, share, attested=attested)
                if user_id in later:
                    yield create(owed, otherwise=AlreadyPaid())
                else:
                    yield from self._paying(owed)

    def _owed(
        self, quest: Quest, user_id: str, kind: RewardType, amount: int, *, attested: bool
    ) -> FailedReward:
        first_retry = self.resources.clock.now() + retry_delay(1, random.random())
        return FailedReward(
            created_at=self.now,
            updated_at=self.now,
            quest_id=quest.id,
            user_id=user_id,  # type: ignore[arg-type]
            reward_type=kind,
            reward_amount=amount,
            reason=RewardUndeliverable(user_id).message,
            last_attempt_at=self.now,
            next_attempt_at=instant(first_retry),
            attested=attested,
            shard=shard_of(quest.id, self.resources.settings.shards),
        )

    def _paying(self, owed: FailedReward) -> list[Write]:
        """A finished quest counts once, with its XP."""
        grant = Grant(
            created_at=self.now,
            updated_at=self.now,
            user_id=owed.user_id,
            quest_id=owed.quest_id,
            reward_type=owed.reward_type,
            amount=owed.reward_amount,
        )
        adds = {COUNTER[owed.reward_type]: owed.reward_amount}
        if owed.reward_type is RewardType.XP:
            adds["quests_completed"] = 1
            if owed.attested:
                adds["attestations_received"] = 1
        refused = RewardUndeliverable(owed.user_id)
        return [
            create(grant, otherwise=AlreadyPaid()),
            *self.profiles.stats_writes(owed.user_id, otherwise=refused, **adds),
        ]

    async def failed_rewards(
        self, status: FailedRewardStatus | None, *, limit: int, start: Position | None
    ) -> Rows[FailedReward]:
        def keep(reward: FailedReward) -> bool:
            return status is None or reward.status is status

        return await self.repository.failed_rewards(keep, limit=limit, start=start)

    async def retry_by_hand(self, request: RetryFailedRewardInput) -> FailedReward:
        owed = await self._found(request.id)
        if owed.status is FailedRewardStatus.COMPLETED:
            raise WrongStatus(owed.status.value, "This reward is paid. There is nothing to retry.")
        if self._is_held(owed):
            message = f"An attempt is under way until {owed.next_attempt_at} at most. Look again."
            raise WrongStatus(owed.status.value, message)
        after = await self.retry(owed, by=self.caller.user_id)
        return after or await self._found(request.id)

    async def _found(self, reward_id: str) -> FailedReward:
        for key in self._keys(reward_id):
            if owed := await self.repository.failed_reward(key):
                return owed
        raise NotFound("failed reward")

    def _keys(self, reward_id: str) -> Iterator[Key[FailedReward]]:
        """The id is made of the parts of the key; a time has one dot of its own."""
        parts = reward_id.split(".", 4)
        if len(parts) < 5:
            return
        quest_id, kind, seconds, rest, user_id = parts
        time = f"{seconds}.{rest}"
        try:
            for shard in every_shard(self.resources.settings.shards):
                yield keys.failed_reward(quest_id, user_id, time, kind, shard)
        except BadPart:
            return

    def _is_held(self, owed: FailedReward) -> bool:
        held = owed.status is FailedRewardStatus.PROCESSING
        return held and owed.next_attempt_at is not None and self.now < owed.next_attempt_at

    async def retry(self, owed: FailedReward, *, by: str) -> FailedReward | None:
        """One attempt, under a lease. None if somebody else is at it."""
        held = owed.evolve(
            self.now,
            status=FailedRewardStatus.PROCESSING,
            attempt_count=owed.attempt_count + 1,
            last_attempt_at=self.now,
            next_attempt_at=instant(self.resources.clock.now() + LEASE),
            processed_by=by,
        )
        try:
            await self.table.write(replace(held, owed, "failed reward"))
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
        done = replace(paid, held, "failed reward")
        try:
            await self.table.write(done, *self._paying(held))
        except AlreadyPaid:
            await self.table.write(done)
        except RewardUndeliverable as refusal:
            return await self._put_off(held, refusal)
        return paid

    async def _put_off(self, held: FailedReward, refusal: AppError) -> FailedReward:
        given_up = is_given_up(held.attempt_count)
        delay = retry_delay(held.attempt_count, random.random())
        details = {"code": refusal.code, "attempt": held.attempt_count}
        put_off = held.evolve(
            self.now,
            status=FailedRewardStatus.FAILED if given_up else FailedRewardStatus.PENDING,
            reason=refusal.message,
            error_details=AWSJSON(orjson.dumps(details).decode()),
            next_attempt_at=None if given_up else instant(self.resources.clock.now() + delay),
        )
        await self.table.write(replace(put_off, held, "failed reward"))
        return put_off
