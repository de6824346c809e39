"""Keys of quests: one entity per record, one function per access pattern."""

from dataclasses import replace

from app.core.record import Record
from app.domains.quests.types import (
    CategoryNameLock,
    ClaimSlot,
    FailedReward,
    Grant,
    ListingRole,
    PastAttestation,
    PendingTaskChange,
    Quest,
    QuestCategory,
    QuestListing,
    QuestSeat,
    QuestTag,
    QuestTemplate,
    QuestTransition,
)
from app.table.entity import Entity, Key, RangeQuery

QUEST = Entity(
    "Quest",
    Quest,
    pk="QUEST#{id}",
    sk="QUEST#{id}",
    gsi1=("STATUS#{status}[#{shard}]", "CREATED#{created_at}#{id}"),
    gsi2=("CREATOR#{creator_id}", "CREATED#{created_at}#{id}"),
    gsi3=("PERFORMER#{performer_id}", "UPDATED#{updated_at}#{id}"),
    gsi4=("DUE#{due_day}[#{shard}]", "{due_at}#QUEST#{id}"),
    gsi5=("ENDING#{status}[#{shard}]", "{due_at}#{id}"),
    gsi6=("CATEGORY#{category_id}[#{shard}]", "{status}#{created_at}#{id}"),
    owns="QUEST#{id}",
    # Long texts, most of the bytes of a quest: they are read only if the client selects them. The
    # resolver finds out with unselected_fields (app/graph/selection.py), `without=` passes it on.
    heavy=frozenset(
        {"description", "submission", "attestations", "requirements", "dispute_reason"}
    ),
)
QUEST_LISTING = Entity(
    "QuestListing",
    QuestListing,
    pk="USER#{user_id}",
    sk="QUEST#{role}#{created_at}#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Quest#{created_at}"),
    owns="QUEST#{owned_quest_id}",
)
QUEST_TRANSITION = Entity(
    "QuestTransition", QuestTransition, pk="QUEST#{quest_id}", sk="HISTORY#{created_at}#{id}"
)
PAST_ATTESTATION = Entity(
    "PastAttestation",
    PastAttestation,
    pk="QUEST#{quest_id}",
    sk="ATTESTATION#{attested_at}#{attester_id}",
    gsi1=("USER#{attester_id}", "ENTITY#PastAttestation#{attested_at}"),
)
QUEST_SEAT = Entity(
    "QuestSeat",
    QuestSeat,
    pk="QUEST#{quest_id}",
    sk="PERFORMER#{user_id}",
    gsi3=("PERFORMER#{user_id}", "UPDATED#{moved_at}#{quest_id}"),
)
QUEST_TAG = Entity(
    "QuestTag",
    QuestTag,
    pk="QUEST#{quest_id}",
    sk="TAG#{tag}",
    gsi5=("TAG#{tag}[#{shard}]", "Quest#{place}[#{dated_id}]"),
)
PENDING_TASK_CHANGE = Entity(
    "QuestErrand",
    PendingTaskChange,
    pk="USER#{user_id}",
    sk="QUEST_ERRAND#{task_id}",
    gsi4=("DUE#{due_day}[#{shard}]", "{created_at}#ERRAND#{task_id}"),
)
CLAIM_SLOT = Entity("ClaimSlot", ClaimSlot, pk="USER#{user_id}", sk="QUEST_CLAIM#{number}")
GRANT = Entity("Grant", Grant, pk="USER#{user_id}", sk="GRANT#{quest_id}#{reward_type}")
FAILED_REWARD = Entity(
    "FailedReward",
    FailedReward,
    pk="REWARD#FAILED[#{shard}]",
    sk="QUEST#{quest_id}#USER#{user_id}#{created_at}#{reward_type}",
    gsi4=("DUE#{due_day}[#{shard}]", "{due_at}#FAILED#{quest_id}#{user_id}#{reward_type}"),
)
QUEST_CATEGORY = Entity(
    "QuestCategory",
    QuestCategory,
    pk="CATEGORY#{id}",
    sk="CATEGORY#{id}",
    gsi1=("CATEGORIES", "{name_key}"),
)
CATEGORY_NAME_LOCK = Entity(
    "CategoryNameLock",
    CategoryNameLock,
    pk="CATEGORY_NAME#{name_key}",
    sk="UNIQUE#CATEGORY",
)
QUEST_TEMPLATE = Entity(
    "QuestTemplate", QuestTemplate, pk="USER#{user_id}", sk="QUEST_TEMPLATE#{id}"
)


def quest(quest_id: str) -> Key[Quest]:
    """A quest by id"""
    return QUEST.key(id=quest_id)


def quests_by_status(status: object, shard: str | None = None) -> RangeQuery[Quest]:
    """Quests of one status, newest first"""
    return QUEST.within("GSI1", status=status, shard=shard, newest_first=True)


def quests_past_deadline(status: object, now: str, shard: str | None = None) -> RangeQuery[Quest]:
    """Quests of one stored status that have expired or whose claim has lapsed"""
    query = QUEST.span("GSI5", since="0", until=now, status=status, shard=shard)
    return query.without(QUEST.heavy)


def quests_of_creator(user_id: str) -> RangeQuery[Quest]:
    """Quests that a user created, newest first"""
    return QUEST.within("GSI2", creator_id=user_id, newest_first=True)


def quests_of_performer(user_id: str) -> RangeQuery[Record]:
    """Quests that a user performs or performed, and seats in teams, the latest change first"""
    run = QUEST.within("GSI3", performer_id=user_id, newest_first=True)
    return replace(run, entity=None)


def quests_of_category(
    category_id: str, status: object, shard: str | None = None
) -> RangeQuery[Quest]:
    """Quests of one category and status, newest first"""
    return QUEST.within(
        "GSI6", category_id=category_id, status=status, shard=shard, newest_first=True
    )


def quests_with_tag(tag: str, shard: str | None = None) -> RangeQuery[QuestTag]:
    """Quests with a tag, newest first"""
    return QUEST_TAG.within("GSI5", tag=tag, shard=shard, newest_first=True)


def tag_of_quest(quest_id: str, tag: str) -> Key[QuestTag]:
    """Whether a quest has a tag"""
    return QUEST_TAG.key(quest_id=quest_id, tag=tag)


def due_records(day: str, until: str, shard: str | None = None) -> RangeQuery[Record]:
    """Records of any domain that are due on a day, up to a time"""
    run = QUEST.span("GSI4", since="0", until=until, due_day=day, shard=shard)
    return replace(run, entity=None)


def listing(user_id: str, role: object, created_at: str, quest_id: str) -> Key[QuestListing]:
    """Whether a quest is in a user's list"""
    return QUEST_LISTING.key(user_id=user_id, role=role, created_at=created_at, id=quest_id)


def created_quests(user_id: str) -> RangeQuery[QuestListing]:
    """A user's list of created quests, newest first"""
    return QUEST_LISTING.within(user_id=user_id, role=ListingRole.CREATED, newest_first=True)


def performed_quests(user_id: str) -> RangeQuery[QuestListing]:
    """A user's list of claimed quests, newest first"""
    return QUEST_LISTING.within(user_id=user_id, role=ListingRole.PERFORMED, newest_first=True)


def history_of_quest(quest_id: str) -> RangeQuery[QuestTransition]:
    """The history of a quest"""
    return QUEST_TRANSITION.within(quest_id=quest_id)


def past_attestations_of_quest(quest_id: str) -> RangeQuery[PastAttestation]:
    """The attestations of a quest's earlier submissions, oldest first"""
    return PAST_ATTESTATION.within(quest_id=quest_id)


def past_attestation(quest_id: str, attested_at: str, attester_id: str) -> Key[PastAttestation]:
    """One attestation of an earlier submission"""
    return PAST_ATTESTATION.key(quest_id=quest_id, attested_at=attested_at, attester_id=attester_id)


def past_attestations_of_user(user_id: str) -> RangeQuery[PastAttestation]:
    """The attestations that a user gave for earlier submissions"""
    return PAST_ATTESTATION.within("GSI1", attester_id=user_id)


def seats_of_quest(quest_id: str) -> RangeQuery[QuestSeat]:
    """The performers of a quest"""
    return QUEST_SEAT.within(quest_id=quest_id)


def seat(quest_id: str, user_id: str) -> Key[QuestSeat]:
    """Whether a user performs a quest"""
    return QUEST_SEAT.key(quest_id=quest_id, user_id=user_id)


def pending_task_change(user_id: str, task_id: str) -> Key[PendingTaskChange]:
    """The pending change of a performer's task"""
    return PENDING_TASK_CHANGE.key(user_id=user_id, task_id=task_id)


def claim_slots(user_id: str) -> RangeQuery[ClaimSlot]:
    """A user's claimed quests"""
    return CLAIM_SLOT.within(user_id=user_id)


def claim_slot(user_id: str, number: object) -> Key[ClaimSlot]:
    """One of a user's claim slots"""
    return CLAIM_SLOT.key(user_id=user_id, number=number)


def grant(user_id: str, quest_id: str, reward_type: object) -> Key[Grant]:
    """Whether a reward was paid"""
    return GRANT.key(user_id=user_id, quest_id=quest_id, reward_type=reward_type)


def failed_rewards(shard: str | None = None) -> RangeQuery[FailedReward]:
    """Rewards that could not be paid at completion"""
    return FAILED_REWARD.within(shard=shard)


def failed_reward(
    quest_id: str, user_id: str, created_at: str, reward_type: object, shard: str | None = None
) -> Key[FailedReward]:
    """One reward that could not be paid at completion"""
    return FAILED_REWARD.key(
        quest_id=quest_id,
        user_id=user_id,
        created_at=created_at,
        reward_type=reward_type,
        shard=shard,
    )


def category(category_id: str) -> Key[QuestCategory]:
    """A category by id"""
    return QUEST_CATEGORY.key(id=category_id)


def categories() -> RangeQuery[QuestCategory]:
    """All categories by name"""
    return QUEST_CATEGORY.within("GSI1")


def categories_named(name_key: str) -> RangeQuery[QuestCategory]:
    """The categories with a name"""
    return QUEST_CATEGORY.within("GSI1", name_key=name_key)


def category_name(name_key: str) -> Key[CategoryNameLock]:
    """Whether the name of a category is taken"""
    return CATEGORY_NAME_LOCK.key(name_key=name_key)


def template(user_id: str, template_id: str) -> Key[QuestTemplate]:
    """A user's template"""
    return QUEST_TEMPLATE.key(user_id=user_id, id=template_id)


def templates_of_user(user_id: str) -> RangeQuery[QuestTemplate]:
    """A user's templates"""
    return QUEST_TEMPLATE.within(user_id=user_id)
