"""Reads of quests."""

from app.domains.quests.repository.quests import QuestPage, QuestPredicate, QuestsRepository

__all__ = ["QuestPage", "QuestPredicate", "QuestsRepository"]
