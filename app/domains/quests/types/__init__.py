"""Quests: work that one user offers and others perform for rewards."""

from app.domains.quests.types.catalogue import (
    CategoryNameLock,
    DefaultRewards,
    QuestCategory,
    QuestTemplate,
)
from app.domains.quests.types.claims import (
    ClaimSlot,
    PendingTaskChange,
    QuestSeat,
    QuestTag,
    TaskOutcome,
)
from app.domains.quests.types.quest import (
    DELETED_ACCOUNT,
    Attestation,
    AttesterRole,
    ChecklistItem,
    ListingRole,
    PastAttestation,
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
    PaymentStatus,
    QuestReward,
    RewardType,
)
from app.domains.quests.types.status import QuestAction, QuestStatus

__all__ = [
    "DELETED_ACCOUNT",
    "Attestation",
    "AttesterRole",
    "CategoryNameLock",
    "ChecklistItem",
    "ClaimSlot",
    "DefaultRewards",
    "FailedReward",
    "FailedRewardStatus",
    "Grant",
    "ListingRole",
    "PastAttestation",
    "PaymentStatus",
    "PendingTaskChange",
    "Quest",
    "QuestAction",
    "QuestCategory",
    "QuestListing",
    "QuestReward",
    "QuestSeat",
    "QuestStatus",
    "QuestTag",
    "QuestTemplate",
    "QuestTransition",
    "RewardType",
    "SignatureScope",
    "TaskOutcome",
    "WalletChallenge",
]
