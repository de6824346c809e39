"""Quests as their creators and readers see them: created, changed, cancelled, listed."""

import dataclasses
from collections.abc import Callable
from typing import Any

import strawberry

from app.core.errors import Conflict
from app.core.shards import shard_of
from app.core.text import normalize_tag
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
from app.domains.quests.repository import QuestPage, QuestPredicate
from app.domains.quests.rules.quest import (
    check_extension,
    check_future,
    fields_from_template,
    must_be_creator,
    quest_visible_to,
    sees_private_texts,
    with_deadlines_applied,
)
from app.domains.quests.service.base import QuestService
from app.domains.quests.types import (
    ListingRole,
    PastAttestation,
    Quest,
    QuestAction,
    QuestListing,
    QuestStatus,
    QuestTag,
    QuestTransition,
)
from app.domains.service import Decision, required, uses
from app.table.entity import NO_FIELDS, FieldNames
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Update, Write, put_if_absent

JOINED = (
    "Somebody has joined this quest on its present terms. Extend it, or cancel it and create "
    "another."
)
NEVER_NULL = (
    *("title", "description", "reward_xp", "reward_reputation", "tags", "requirements"),
    *("max_performers", "individual_rewards", "dual_attestation"),
)


class Quests(QuestService):
    profiles = uses(Profiles)

    async def create(self, request: CreateQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            return self._create(request.values())

        return await self.once(request, Quest, decide)

    async def create_from_template(self, request: CreateQuestFromTemplateInput) -> Quest:
        async def decide() -> Decision[Quest]:
            key = keys.template(self.caller.user_id, request.template_id)
            template = required(await self.table.load(key), "template")
            category_id = await self._existing_category(template.category_id)
            sent = request.values()
            sent.pop("template_id")
            return self._create(
                {**fields_from_template(template), "category_id": category_id, **sent}
            )

        return await self.once(request, Quest, decide)

    async def _existing_category(self, category_id: strawberry.ID | None) -> strawberry.ID | None:
        found = await self.table.load(keys.category(category_id)) if category_id else None
        return found.id if found else None

    def _create(self, values: dict[str, Any]) -> Decision[Quest]:
        quest_id = self.new_id(values.pop("id", None))
        stamp = self.stamp
        quest = Quest(
            id=quest_id,
            created_at=stamp.now,
            updated_at=stamp.now,
            creator_id=strawberry.ID(self.caller.user_id),
            shard=shard_of(quest_id, self.resources.settings.shards),
            **values,
        )
        check_future(quest.expires_at, self.now)
        listing = QuestListing(**stamp(), id=quest.id, role=ListingRole.CREATED)
        taken = Conflict("A quest with this id exists. Choose another id, or none.")
        writes = [
            put_if_absent(quest, otherwise=taken),
            put_if_absent(listing, otherwise=taken),
            self._history_entry(quest, QuestAction.CREATE, None, by=self.caller.id),
            *(self._tag_entry(quest, tag) for tag in quest.tags),
            *self._category_count(quest.category_id, 1),
            *self.profiles.stats_writes(self.caller.user_id, quests_created=1),
        ]
        return Decision(quest, writes)

    def _tag_entry(self, quest: Quest, tag: str) -> Write:
        entry = QuestTag(
            created_at=quest.created_at,
            updated_at=self.now,
            quest_id=quest.id,
            tag=tag,
            user_id=quest.creator_id,
            shard=quest.shard,
            dated=True,
        )
        return put_if_absent(entry, otherwise=Conflict("This quest has the tag already."))

    def _category_count(self, category_id: str | None, change: int) -> list[Write]:
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
            change = await self._load_for(request, QuestAction.UPDATE)
            old = change.quest
            must_be_creator(old, self.caller.user_id)
            if old.performers:
                raise AlreadyClaimed(JOINED)
            check_future(changes.get("expires_at"), self.now)
            new = dataclasses.replace(old, **changes)
            if new == old:
                return Decision(old)
            change = self._transition(change, QuestAction.UPDATE, new, by=self.caller.id)
            return change.with_writes(
                *self._tag_changes(old, new), *self._category_changes(old, new)
            ).decision()

        return await self.once(request, Quest, decide)

    def _tag_changes(self, old: Quest, new: Quest) -> list[Write]:
        removed = [tag for tag in old.tags if tag not in new.tags]
        added = [tag for tag in new.tags if tag not in old.tags]
        return [
            *(Delete(keys.tag_of_quest(old.id, tag)) for tag in removed),
            *(self._tag_entry(new, tag) for tag in added),
        ]

    def _category_changes(self, old: Quest, new: Quest) -> list[Write]:
        if old.category_id == new.category_id:
            return []
        return [
            *self._category_count(old.category_id, -1),
            *self._category_count(new.category_id, 1),
        ]

    async def cancel(self, request: CancelQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            change = await self._load_for(request, QuestAction.CANCEL)
            must_be_creator(change.quest, self.caller.user_id)
            change = await self._remove_performers(
                change, QuestAction.CANCEL, QuestStatus.CANCELLED, by=self.caller.id
            )
            return change.decision()

        return await self.once(request, Quest, decide)

    async def extend(self, request: ExtendQuestInput) -> Quest:
        async def decide() -> Decision[Quest]:
            change = await self._load_for(request, QuestAction.EXTEND)
            old = change.quest
            must_be_creator(old, self.caller.user_id)
            check_extension(old, request.expires_at, self.resources.clock.now())
            status = QuestStatus.OPEN if old.status is QuestStatus.EXPIRED else old.status
            new = dataclasses.replace(old, expires_at=request.expires_at, status=status)
            return self._transition(change, QuestAction.EXTEND, new, by=self.caller.id).decision()

        return await self.once(request, Quest, decide)

    async def quests(
        self,
        status: QuestStatus,
        tag: str | None,
        category_id: str | None,
        *,
        without: FieldNames = NO_FIELDS,
        limit: int,
        start: Position | None,
    ) -> Rows[Quest]:
        """By the narrowest index. Quests that have left the status since are left out."""
        tag = normalize_tag(tag) if tag is not None else None
        has_status = self._has_status(status)

        def keep(quest: Quest) -> bool:
            return (
                has_status(quest)
                and (tag is None or tag in quest.tags)
                and (category_id is None or quest.category_id == category_id)
            )

        page = QuestPage(keep=keep, without=without, limit=limit, start=start)
        if tag is not None:
            return self._visible(await self.repository.quests_with_tag(tag, page))
        if category_id is not None:
            found = await self.repository.quests_of_category(
                category_id, status, page, now=self.now
            )
            return self._visible(found)
        return self._visible(await self.repository.quests_by_status(status, page, now=self.now))

    def _has_status(self, status: QuestStatus | None) -> QuestPredicate:
        now = self.now
        return lambda quest: status is None or with_deadlines_applied(quest, now).status is status

    def _is_performed_by(self, user_id: str) -> Callable[[Quest], bool]:
        now = self.now
        return lambda quest: user_id in with_deadlines_applied(quest, now).performers

    def _visible(self, rows: Rows[Quest]) -> Rows[Quest]:
        now = self.now
        visible = [quest_visible_to(self.caller, quest, now) for quest in rows.items]
        return Rows(visible, rows.next)

    async def of_creator(
        self,
        user_id: str,
        status: QuestStatus | None,
        *,
        without: FieldNames = NO_FIELDS,
        limit: int,
        start: Position | None,
    ) -> Rows[Quest]:
        keep = self._has_status(status)
        page = QuestPage(keep=keep, without=without, limit=limit, start=start)
        return self._visible(await self.repository.quests_of_creator(user_id, page))

    async def of_performer(
        self,
        user_id: str,
        status: QuestStatus | None,
        *,
        without: FieldNames = NO_FIELDS,
        limit: int,
        start: Position | None,
    ) -> Rows[Quest]:
        has_status, is_performed = self._has_status(status), self._is_performed_by(user_id)

        def keep(quest: Quest) -> bool:
            return is_performed(quest) and has_status(quest)

        page = QuestPage(keep=keep, without=without, limit=limit, start=start)
        return self._visible(await self.repository.quests_of_performer(user_id, page))

    async def created(self, *, limit: int, start: Position | None) -> Rows[Quest]:
        page = QuestPage(limit=limit, start=start)
        listings = keys.created_quests(self.caller.user_id)
        return self._visible(await self.repository.quests_of_listings(listings, page))

    async def performed(self, *, limit: int, start: Position | None) -> Rows[Quest]:
        user_id = self.caller.user_id
        page = QuestPage(keep=self._is_performed_by(user_id), limit=limit, start=start)
        listings = keys.performed_quests(user_id)
        return self._visible(await self.repository.quests_of_listings(listings, page))

    async def past_attestations(
        self, quest_id: str, *, limit: int, start: Position | None
    ) -> Rows[PastAttestation]:
        query = keys.past_attestations_of_quest(quest_id)
        return await self.table.query(query, limit=limit, start=start)

    async def history(
        self, quest: Quest, *, limit: int, start: Position | None
    ) -> Rows[QuestTransition]:
        rows = await self.table.query(keys.history_of_quest(quest.id), limit=limit, start=start)
        if sees_private_texts(self.caller, quest):
            return rows
        return Rows([dataclasses.replace(each, note=None) for each in rows.items], rows.next)
