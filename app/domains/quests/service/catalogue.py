"""Categories, managed by moderators, and templates, which belong to their users."""

from typing import Any

from app.core.errors import Conflict, NotFound
from app.domains.quests import keys
from app.domains.quests.errors import CategoryInUse, NoCategory
from app.domains.quests.inputs import (
    CreateQuestCategoryInput,
    CreateQuestTemplateInput,
    DefaultRewardsInput,
    DeleteQuestCategoryInput,
    DeleteQuestTemplateInput,
    UpdateQuestCategoryInput,
    UpdateQuestTemplateInput,
)
from app.domains.quests.service.category_names import CategoryNames
from app.domains.quests.types import DefaultRewards, QuestCategory, QuestTemplate
from app.domains.service import Decision, Service, expect_version, required
from app.table.conditions import attr
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Write, put_if_absent, put_if_unchanged

TEMPLATE_NEVER_NULL = (
    *("title", "description", "default_rewards", "tags", "requirements"),
    *("max_performers", "individual_rewards", "dual_attestation"),
)


class QuestCatalogue(Service):
    @property
    def names(self) -> CategoryNames:
        return CategoryNames(self.table, self.now)

    async def category(self, category_id: str) -> QuestCategory | None:
        return await self.table.load(keys.category(category_id))

    async def categories(self, *, limit: int, start: Position | None) -> Rows[QuestCategory]:
        return await self.table.query(keys.categories(), limit=limit, start=start)

    async def create_category(self, request: CreateQuestCategoryInput) -> QuestCategory:
        async def decide() -> Decision[QuestCategory]:
            category = QuestCategory(
                **self.stamp(),
                id=self.new_id(),
                name=request.name,
                description=request.description or None,
            )
            created = put_if_absent(category, otherwise=Conflict("Try again."))
            return Decision(category, [created, *await self.names.reserve(category)])

        return await self.once(request, QuestCategory, decide)

    async def update_category(self, request: UpdateQuestCategoryInput) -> QuestCategory:
        async def decide() -> Decision[QuestCategory]:
            old = required(await self.table.get(keys.category(request.id)), "category")
            expect_version(request, old, "category")
            new = old.evolve(self.now, **request.changes(("name",)))
            return Decision(
                new, [put_if_unchanged(new, old, "category"), *await self._rename(old, new)]
            )

        return await self.once(request, QuestCategory, decide)

    async def _rename(self, old: QuestCategory, new: QuestCategory) -> list[Write]:
        """A new spelling of the same name keeps its lock."""
        if new.name_key == old.name_key:
            return []
        return [*await self.names.reserve(new), *await self.names.release(old)]

    async def delete_category(self, request: DeleteQuestCategoryInput) -> QuestCategory:
        """Only an empty one: no quest may lose its category."""

        def in_use(now: QuestCategory | None) -> CategoryInUse | NotFound:
            return CategoryInUse(now.quest_count) if now else NotFound("category")

        async def decide() -> Decision[QuestCategory]:
            old = required(await self.table.get(keys.category(request.id)), "category")
            empty = attr("questCount").equals(0)
            gone = Delete(keys.category(old.id), when=empty, otherwise=in_use)
            return Decision(old, [gone, *await self.names.release(old)])

        return await self.once(request, QuestCategory, decide)

    async def template(self, template_id: str) -> QuestTemplate | None:
        return await self.table.load(keys.template(self.caller.user_id, template_id))

    async def templates(self, *, limit: int, start: Position | None) -> Rows[QuestTemplate]:
        query = keys.templates_of_user(self.caller.user_id)
        return await self.table.query(query, limit=limit, start=start)

    async def create_template(self, request: CreateQuestTemplateInput) -> QuestTemplate:
        async def decide() -> Decision[QuestTemplate]:
            values = request.values()
            await self._check_category(values)
            template = QuestTemplate(**self.stamp(), id=self.new_id(), **_stored(values))
            return Decision(template, [put_if_absent(template, otherwise=Conflict("Try again."))])

        return await self.once(request, QuestTemplate, decide)

    async def update_template(self, request: UpdateQuestTemplateInput) -> QuestTemplate:
        async def decide() -> Decision[QuestTemplate]:
            old = required(await self.template(request.id), "template")
            expect_version(request, old, "template")
            changes = request.changes(TEMPLATE_NEVER_NULL)
            await self._check_category(changes)
            new = old.evolve(self.now, **_stored(changes))
            return Decision(new, [put_if_unchanged(new, old, "template")])

        return await self.once(request, QuestTemplate, decide)

    async def _check_category(self, fields: dict[str, Any]) -> None:
        category_id = fields.get("category_id")
        if category_id is not None and await self.category(category_id) is None:
            raise NoCategory

    async def delete_template(self, request: DeleteQuestTemplateInput) -> QuestTemplate:
        async def decide() -> Decision[QuestTemplate]:
            old = required(await self.template(request.id), "template")
            return Decision(old, [Delete(keys.template(self.caller.user_id, old.id))])

        return await self.once(request, QuestTemplate, decide)


def _stored(fields: dict[str, Any]) -> dict[str, Any]:
    """With the default rewards as a record instead of an input."""
    rewards = fields.get("default_rewards")
    if isinstance(rewards, DefaultRewardsInput):
        fields = fields | {
            "default_rewards": DefaultRewards(xp=rewards.xp, reputation=rewards.reputation)
        }
    return fields
