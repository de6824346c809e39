"""The stored progress of a migration."""

from dataclasses import field

import strawberry

from app.core.record import Record

# Of each kind of record: how many items were read, and how many of them were changed.
Counts = dict[str, list[int]]


@strawberry.type
class MigrationProgress(Record):
    """Of one segment of the table. `shape`: identifies the records, keys and upgrades of the
    release; with another shape the migration starts again from the beginning."""

    segment: int
    shape: str
    position: strawberry.Private[dict[str, str] | None] = None
    done: bool = False
    counts: strawberry.Private[Counts] = field(default_factory=dict)
