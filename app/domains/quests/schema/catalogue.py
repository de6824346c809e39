"""Categories and templates of quests."""

import strawberry

from app.domains.quests.inputs import (
    CreateQuestCategoryInput,
    CreateQuestFromTemplateInput,
    CreateQuestTemplateInput,
    DeleteQuestCategoryInput,
    DeleteQuestTemplateInput,
    UpdateQuestCategoryInput,
    UpdateQuestTemplateInput,
)
from app.domains.quests.types import (
    Quest,
    QuestCategory,
    QuestTemplate,
)
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.guards import moderators, readers
from app.graph.paging import Limit, NextToken, Page, page


@strawberry.type
class QuestCatalogueQuery:
    @query(readers, description="All categories by name.")
    async def quest_categories(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[QuestCategory]:
        fetch = info.context.quest_catalogue.categories
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(readers, description="A category; null if there is none with this id.")
    async def quest_category(self, info: Info, id: strawberry.ID) -> QuestCategory | None:
        return await info.context.quest_catalogue.category(id)

    @query(description="Your own templates.")
    async def quest_templates(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[QuestTemplate]:
        fetch = info.context.quest_catalogue.templates
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="One of your own templates; null otherwise.")
    async def quest_template(self, info: Info, id: strawberry.ID) -> QuestTemplate | None:
        return await info.context.quest_catalogue.template(id)


@strawberry.type
class QuestCatalogueMutation:
    @mutation(
        moderators,
        description="For moderators. CONFLICT if a category has the name, in any letter case.",
    )
    async def create_quest_category(
        self, info: Info, input: CreateQuestCategoryInput
    ) -> QuestCategory:
        return await info.context.quest_catalogue.create_category(input)

    @mutation(
        moderators,
        description="For moderators. CONFLICT if another category has the name, in any letter "
        "case.",
    )
    async def update_quest_category(
        self, info: Info, input: UpdateQuestCategoryInput
    ) -> QuestCategory:
        return await info.context.quest_catalogue.update_category(input)

    @mutation(moderators, description="For moderators. Refused while quests are in it.")
    async def delete_quest_category(
        self, info: Info, input: DeleteQuestCategoryInput
    ) -> QuestCategory:
        return await info.context.quest_catalogue.delete_category(input)

    @mutation(description="Creates a template for quests.")
    async def create_quest_template(
        self, info: Info, input: CreateQuestTemplateInput
    ) -> QuestTemplate:
        return await info.context.quest_catalogue.create_template(input)

    @mutation(description="Changes the fields that are sent; null clears one.")
    async def update_quest_template(
        self, info: Info, input: UpdateQuestTemplateInput
    ) -> QuestTemplate:
        return await info.context.quest_catalogue.update_template(input)

    @mutation(description="Deletes a template; quests made from it stay.")
    async def delete_quest_template(
        self, info: Info, input: DeleteQuestTemplateInput
    ) -> QuestTemplate:
        return await info.context.quest_catalogue.delete_template(input)

    @mutation(description="Fields given here override those of the template.")
    async def create_quest_from_template(
        self, info: Info, input: CreateQuestFromTemplateInput
    ) -> Quest:
        return await info.context.quests.create_from_template(input)
