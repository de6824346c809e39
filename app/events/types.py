"""The stored change list of a user."""

import strawberry

from app.core.record import STORED_AS, Record


@strawberry.type
class ChangedKey:
    """The key of one changed record."""

    kind: str
    pk: str
    sk: str
    deleted: bool = strawberry.field(default=False, metadata={STORED_AS: "gone"})


@strawberry.type
class PendingChanges(Record):
    """The changes of one transaction that are not in the list yet."""

    user_id: str
    id: str
    keys: list[ChangedKey] = strawberry.field(metadata={STORED_AS: "marks"})
    ttl: int


@strawberry.type
class ListedChanges(Record):
    """Part of the list. `sequence_id`: a ULID, higher than that of the part before."""

    user_id: str
    sequence_id: str = strawberry.field(metadata={STORED_AS: "place"})
    keys: list[ChangedKey] = strawberry.field(metadata={STORED_AS: "marks"})
    ttl: int


@strawberry.type
class ChangeListEnd(Record):
    """The last sequence id of the list. Its version is the lock of whoever appends to the list."""

    user_id: str
    sequence_id: str = strawberry.field(metadata={STORED_AS: "place"})
