"""Quests in the graph."""

import strawberry

from app.domains.quests.schema import fields as fields
from app.domains.quests.schema.catalogue import QuestCatalogueMutation, QuestCatalogueQuery
from app.domains.quests.schema.quest import QuestMutation, QuestQuery
from app.domains.quests.schema.review import QuestReviewMutation, QuestReviewQuery

__all__ = ["QuestsMutation", "QuestsQuery"]


@strawberry.type
class QuestsQuery(QuestQuery, QuestReviewQuery, QuestCatalogueQuery):
    pass


@strawberry.type
class QuestsMutation(QuestMutation, QuestReviewMutation, QuestCatalogueMutation):
    pass
