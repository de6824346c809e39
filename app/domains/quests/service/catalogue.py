"""Categories, which moderators keep, and templates, which everyone keeps for themselves."""

from typing import Any

from app.core.caller import Caller
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
from app.domains.quests.repository import QuestsRepository
from app.domains.quests.types import DefaultRewards, QuestCategory, QuestTemplate
from app.domains.service import Decision, Service, expect_version
from app.resources import Resources
from app.table.conditions import attr
from app.table.gateway import Position, Rows
from app.table.writes import Delete, create, replace

TEMPLATE_NEVER_NULL = (
    *("title", "description", "default_rewards", "tags", "requirements"),
    *("max_performers", "individual_rewards", "dual_attestation"),
)


class QuestCatalogue(Service):
    def __init__(self, resources: Resources, caller: Caller) -> None:
        super().__init__(resources, caller)
        self.repository = QuestsRepository(resources.table, resources.settings.shards)

    async def category(self, category_id: str) -> QuestCategory | None:
        return await self.repository.category(category_id)

    async def categories(self, *, limit: int, start: Position | None) -> Rows[QuestCategory]:
        return await self.repository.categories(limit=limit, start=start)

    async def create_category(self, request: CreateQuestCategoryInput) -> QuestCategory:
        async def decide() -> Decision[QuestCategory]:
            category = QuestCategory(
                id=self.resources.ids.new(),
                created_at=self.now,
                updated_at=self.now,
                name=request.name,
                description=request.description or None,
                user_id=self.caller.user_id,
            )
            return Decision(category, [create(category, otherwise=Conflict("Try again."))])

        return await self.once(request, QuestCategory, decide)

    async def update_category(self, request: UpdateQuestCategoryInput) -> QuestCategory:
        async def decide() -> Decision[QuestCategory]:
            old = await self._category(request.id)
            expect_version(request, old, "category")
            new = old.evolve(self.now, **request.changes(("name",)))
            return Decision(new, [replace(new, old, "category")])

        return await self.commit(decide)

    async def delete_category(self, request: DeleteQuestCategoryInput) -> QuestCategory:
        """Only an empty one: no quest may lose its place unseen."""
        old = await self._category(request.id)

        def in_use(now: QuestCategory | None) -> CategoryInUse | NotFound:
            return CategoryInUse(now.quest_count) if now else NotFound("category")

        empty = attr("questCount").equals(0)
        await self.table.write(Delete(keys.category(old.id), when=empty, otherwise=in_use))
        return old

    async def _category(self, category_id: str) -> QuestCategory:
        found = await self.table.get(keys.category(category_id))
        if found is None:
            raise NotFound("category")
        return found

    async def template(self, template_id: str) -> QuestTemplate | None:
        return await self.repository.template(self.caller.user_id, template_id)

    async def templates(self, *, limit: int, start: Position | None) -> Rows[QuestTemplate]:
        return await self.repository.templates_of_user(
            self.caller.user_id, limit=limit, start=start
        )

    async def create_template(self, request: CreateQuestTemplateInput) -> QuestTemplate:
        async def decide() -> Decision[QuestTemplate]:
            given = {name: value for name, value in request.given().items() if value is not None}
            given.pop("idempotency_key", None)
            await self._check_category(given)
            template = QuestTemplate(
                id=self.resources.ids.new(),
                created_at=self.now,
                updated_at=self.now,
                user_id=self.caller.user_id,
                **_stored(given),
            )
            return Decision(template, [create(template, otherwise=Conflict("Try again."))])

        return await self.once(request, QuestTemplate, decide)

    async def update_template(self, request: UpdateQuestTemplateInput) -> QuestTemplate:
        async def decide() -> Decision[QuestTemplate]:
            old = await self._template(request.id)
            expect_version(request, old, "template")
            changes = request.changes(TEMPLATE_NEVER_NULL)
            await self._check_category(changes)
            new = old.evolve(self.now, **_stored(changes))
            return Decision(new, [replace(new, old, "template")])

        return await self.commit(decide)

    async def _check_category(self, fields: dict[str, Any]) -> None:
        category_id = fields.get("category_id")
        if category_id is not None and await self.repository.category(category_id) is None:
            raise NoCategory

    async def delete_template(self, request: DeleteQuestTemplateInput) -> QuestTemplate:
        old = await self._template(request.id)
        await self.table.write(Delete(keys.template(self.caller.user_id, old.id)))
        return old

    async def _template(self, template_id: str) -> QuestTemplate:
        found = await self.repository.template(self.caller.user_id, template_id)
        if found is None:
            raise NotFound("template")
        return found


def _stored(fields: dict[str, Any]) -> dict[str, Any]:
    rewards = fields.get("default_rewards")
    if isinstance(rewards, DefaultRewardsInput):
        fields = fields | {
            "default_rewards": DefaultRewards(xp=rewards.xp, reputation=rewards.reputation)
        }
    return fields
