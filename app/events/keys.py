"""Keys of the change list."""

from app.events.types import ChangeListEnd, ListedChanges, PendingChanges
from app.table.entity import Entity, Key, RangeQuery

PENDING_CHANGES = Entity(
    "ChangeNote", PendingChanges, pk="USER#{user_id}", sk="CHANGE#NOTE#{id}", secret=True
)
LISTED_CHANGES = Entity(
    "ChangeList", ListedChanges, pk="USER#{user_id}", sk="CHANGE#LIST#{sequence_id}", secret=True
)
CHANGE_LIST_END = Entity(
    "ChangeEnd", ChangeListEnd, pk="USER#{user_id}", sk="CHANGE#END", secret=True
)


def pending_changes_of_user(user_id: str) -> RangeQuery[PendingChanges]:
    """Changes of a user's records that are not in the change list yet"""
    return PENDING_CHANGES.within(user_id=user_id)


def listed_changes_of_user(user_id: str, since: str) -> RangeQuery[ListedChanges]:
    """Changes of a user's records from a sequence id on, oldest first"""
    return LISTED_CHANGES.span(user_id=user_id, since=since, until="Z")


def end_of_changes(user_id: str) -> Key[ChangeListEnd]:
    """Where a user's change list ends"""
    return CHANGE_LIST_END.key(user_id=user_id)
