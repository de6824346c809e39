"""Quests as their creators and readers see them: offered, changed, withdrawn, listed."""

import dataclasses
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import strawberry

from app.core.caller import Caller
from app.core.clock import instant
from app.core.errors import BadInput, Conflict, NotFound
from app.core.scalars import AWSDateTime
from app.core.shards import shard_of
from app.core.text import normal_tag
from app.domains.goals.service import Tasks
from app.domains.people.service import Profiles
from app.domains.quests import keys
from app.domains.quests.errors import AlreadyClaimed, NoCategory
from app.domains.quests.inputs import (
    CancelQuestInput,
    CreateQuestFromTemplateInput,
    CreateQuestInput,
    ExtendQuestInput,
    UpdateQuestInput,
)
from app.domains.quests.rules import QuestAction, QuestStatus, release_from
from app.domains.quests.service.step import QuestWork
from app.domains.quests.types import (
    ListingRole,
    Quest,
    QuestListing,
    QuestTag,
    QuestTransition,
)
from app.domains.service import Decision
from app.resources import Resources
from app.table.entity import WHOLE, Fields
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Update, Write, create

JOINED = (
    "Somebody has joined this quest on the terms it had. Extend it, or cancel it and offer another."
)
NEVER_NULL = (
    *("title", "description", "reward_xp", "reward_reputation", "tags", "requirements"),
    *("max_performers", "individual_rewards", "dual_attestation"),
)


class Quests(QuestWork):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        tasks_of: Callable[[str], Tasks],
        profiles: Profiles,
    ) -> None:
        super().__init__(resources, caller, tasks_of)
        self.profiles = profiles

    async def create(self, request: CreateQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            given = {name: value for name, value in request.given().items() if value is not None}
            given.pop("idempotency_key", None)
            return self._creating(**given)

        return await self.once(request, Quest, decide)

    async def create_from_template(self, request: CreateQuestFromTemplateInput) -> Quest:
        async def decide() -> Decision[Quest]:
            template = await self.repository.template(self.caller.user_id, request.template_id)
            if template is None:
                raise NotFound("template")
            fields = {
                "title": template.title,
                "description": template.description,
                "reward_xp": template.default_rewards.xp,
                "reward_reputation": template.default_rewards.reputation,
                "tags": template.tags,
                "requirements": template.requirements,
                "category_id": await self._standing(template.category_id),
                "max_performers": template.max_performers,
                "individual_rewards": template.individual_rewards,
                "dual_attestation": template.dual_attestation,
            }
            own = {n: v for n, v in request.given().items() if v is not None and n not in SKIPPED}
            return self._creating(**(fields | own))

        return await self.once(request, Quest, decide)

    async def _standing(self, category_id: strawberry.ID | None) -> strawberry.ID | None:
        """A template may outlive its category."""
        found = await self.repository.category(category_id) if category_id else None
        return found.id if found else None

    def _creating(self, **fields: Any) -> Decision[Quest]:
        quest_id = fields.pop("id", None) or self.resources.ids.new()
        quest = Quest(
            id=quest_id,
            created_at=self.now,
            updated_at=self.now,
            creator_id=strawberry.ID(self.caller.user_id),
            shard=shard_of(quest_id, self.resources.settings.shards),
            **fields,
        )
        self._check_future(quest.expires_at)
        listing = QuestListing(
            id=quest.id,
            created_at=self.now,
            updated_at=self.now,
            user_id=self.caller.user_id,
            role=ListingRole.CREATED,
        )
        taken = Conflict("There is a quest with this id. Choose another id, or none.")
        writes = [
            create(quest, otherwise=taken),
            create(listing, otherwise=taken),
            self._entry(quest, QuestAction.CREATE, quest.status, by=self.caller.id, first=True),
            *(self._tagged(quest, tag) for tag in quest.tags),
            *self._counted(quest.category_id, 1),
            *self.profiles.stats_writes(self.caller.user_id, quests_created=1),
        ]
        return Decision(quest, writes)

    def _check_future(self, expires_at: str | None) -> None:
        if expires_at is not None and expires_at <= self.now:
            raise BadInput("expiresAt must lie in the future.", field="input.expiresAt")

    def _tagged(self, quest: Quest, tag: str) -> Write:
        entry = QuestTag(
            created_at=quest.created_at,
            updated_at=self.now,
            quest_id=quest.id,
            tag=tag,
            user_id=quest.creator_id,
            shard=quest.shard,
            dated=True,
        )
        return create(entry, otherwise=Conflict("This quest has the tag already."))

    def _counted(self, category_id: str | None, change: int) -> list[Write]:
        if category_id is None:
            return []
        return [
            Update(
                keys.category(category_id),
                add={"questCount": change, "version": 1},
                otherwise=NoCategory(),
            )
        ]

    async def update(self, request: UpdateQuestInput) -> Quest:
        changes = request.changes(NEVER_NULL)
        changes.pop("quest_id")

        async def decide() -> Decision[Quest]:
            step = await self._begin(request, QuestAction.UPDATE)
            old = step.quest
            self._must_be_creator(old)
            if old.performers:
                raise AlreadyClaimed(JOINED)
            if "expires_at" in changes:
                self._check_future(changes["expires_at"])
            new = dataclasses.replace(old, **changes)
            if new == old:
                return Decision(old)
            step = self._moved(step, QuestAction.UPDATE, new, by=self.caller.id)
            return step.having(*self._retagged(old, new), *self._moved_shelf(old, new)).decision()

        return await self.once(request, Quest, decide)

    def _retagged(self, old: Quest, new: Quest) -> list[Write]:
        gone = [tag for tag in old.tags if tag not in new.tags]
        added = [tag for tag in new.tags if tag not in old.tags]
        return [
            *(Delete(keys.tag_of_quest(old.id, tag)) for tag in gone),
            *(self._tagged(new, tag) for tag in added),
        ]

    def _moved_shelf(self, old: Quest, new: Quest) -> list[Write]:
        if old.category_id == new.category_id:
            return []
        return [*self._counted(old.category_id, -1), *self._counted(new.category_id, 1)]

    async def cancel(self, request: CancelQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            step = await self._begin(request, QuestAction.CANCEL)
            self._must_be_creator(step.quest)
            step = await self._vacate(
                step, QuestAction.CANCEL, QuestStatus.CANCELLED, by=self.caller.id
            )
            return step.decision()

        return await self.once(request, Quest, decide)

    async def extend(self, request: ExtendQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            step = await self._begin(request, QuestAction.EXTEND)
            old = step.quest
            self._must_be_creator(old)
            self._check_later(old, request.expires_at)
            status = QuestStatus.OPEN if old.status is QuestStatus.EXPIRED else old.status
            new = dataclasses.replace(old, expires_at=request.expires_at, status=status)
            return self._moved(step, QuestAction.EXTEND, new, by=self.caller.id).decision()

        return await self.once(request, Quest, decide)

    def _check_later(self, quest: Quest, expires_at: AWSDateTime | None) -> None:
        self._check_future(expires_at)
        soonest = quest.expires_at or self._soonest_end(quest)
        if expires_at and expires_at < soonest:
            message = f"A quest is extended, not cut short: {soonest} or later, or null."
            raise BadInput(message, field="input.expiresAt")

    def _soonest_end(self, quest: Quest) -> str:
        """Of a quest that never ended: whoever took it on must not be surprised."""
        now = self.resources.clock.now()
        return instant(release_from(now) if quest.performers else now)

    async def quests(
        self,
        status: QuestStatus,
        tag: str | None,
        category_id: str | None,
        *,
        without: Fields = WHOLE,
        limit: int,
        start: Position | None,
    ) -> Rows[Quest]:
        """By the narrowest index; what has left the status since is not shown."""
        keep = self._keep(status, tag and normal_tag(tag), category_id)
        fetch = self._narrowest(status, tag, category_id, keep)
        return self._shown(await fetch(without=without, limit=limit, start=start))

    def _narrowest(
        self,
        status: QuestStatus,
        tag: str | None,
        category_id: str | None,
        keep: Callable[[Quest], bool],
    ) -> Callable[..., Awaitable[Rows[Quest]]]:
        if tag is not None:
            return partial(self.repository.quests_with_tag, normal_tag(tag), keep)
        if category_id is not None:
            return partial(self.repository.quests_of_category, category_id, status, keep)
        return partial(self.repository.quests_by_status, status, keep)

    def _keep(
        self, status: QuestStatus | None, tag: str | None, category_id: str | None
    ) -> Callable[[Quest], bool]:
        now = self.now

        def keep(quest: Quest) -> bool:
            return (
                (status is None or quest.as_of(now).status is status)
                and (tag is None or tag in quest.tags)
                and (category_id is None or quest.category_id == category_id)
            )

        return keep

    def _shown(self, rows: Rows[Quest]) -> Rows[Quest]:
        return Rows([self._seen(quest) for quest in rows.items], rows.next)

    async def of_creator(
        self,
        user_id: str,
        status: QuestStatus | None,
        *,
        without: Fields = WHOLE,
        limit: int,
        start: Position | None,
    ) -> Rows[Quest]:
        keep = self._keep(status, None, None)
        fetch = partial(self.repository.quests_of_creator, user_id, keep)
        return self._shown(await fetch(without=without, limit=limit, start=start))

    async def of_performer(
        self,
        user_id: str,
        status: QuestStatus | None,
        *,
        without: Fields = WHOLE,
        limit: int,
        start: Position | None,
    ) -> Rows[Quest]:
        has_status = self._keep(status, None, None)
        does = self._performed_by(user_id)

        def keep(quest: Quest) -> bool:
            return does(quest) and has_status(quest)

        fetch = partial(self.repository.quests_of_performer, user_id, keep)
        return self._shown(await fetch(without=without, limit=limit, start=start))

    async def created(self, *, limit: int, start: Position | None) -> Rows[Quest]:
        return self._shown(
            await self.repository.created_quests(self.caller.user_id, limit=limit, start=start)
        )

    async def performed(self, *, limit: int, start: Position | None) -> Rows[Quest]:
        me = self.caller.user_id
        keep = self._performed_by(me)
        return self._shown(
            await self.repository.performed_quests(me, keep, limit=limit, start=start)
        )

    def _performed_by(self, user_id: str) -> Callable[[Quest], bool]:
        """A claim that has run out by now is of nobody, written down or not."""
        now = self.now
        return lambda quest: user_id in quest.as_of(now).performers

    async def history(
        self, quest: Quest, *, limit: int, start: Position | None
    ) -> Rows[QuestTransition]:
        rows = await self.repository.history_of_quest(quest.id, limit=limit, start=start)
        if self.caller.is_moderator or quest.concerns(self.caller.id):
            return rows
        return Rows([dataclasses.replace(each, note=None) for each in rows.items], rows.next)


SKIPPED = ("template_id", "idempotency_key")
