"""Quests: work that one person offers and others do, and what they earn by it."""

from app.domains.quests.types.catalogue import (
    DefaultRewards,
    QuestCategory,
    QuestTemplate,
)
from app.domains.quests.types.claims import (
    ClaimSlot,
    ErrandTurn,
    QuestErrand,
    QuestSeat,
    QuestTag,
)
from app.domains.quests.types.quest import (
    NOBODY,
    Attestation,
    AttesterRole,
    ChecklistItem,
    ListingRole,
    Quest,
    QuestListing,
    QuestTransition,
    SignatureScope,
    WalletChallenge,
)
from app.domains.quests.types.rewards import (
    FailedReward,
    FailedRewardStatus,
    Grant,
)

__all__ = [
    "NOBODY",
    "Attestation",
    "AttesterRole",
    "ChecklistItem",
    "ClaimSlot",
    "DefaultRewards",
    "ErrandTurn",
    "FailedReward",
    "FailedRewardStatus",
    "Grant",
    "ListingRole",
    "Quest",
    "QuestCategory",
    "QuestErrand",
    "QuestListing",
    "QuestSeat",
    "QuestTag",
    "QuestTemplate",
    "QuestTransition",
    "SignatureScope",
    "WalletChallenge",
]
