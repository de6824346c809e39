"""Records of the table itself, which no domain owns."""

import strawberry

from app.core.record import Record


@strawberry.type
class PartitionOwner(Record):
    """The user to whom the partition `kind`#`thing` belongs."""

    kind: str
    thing: str
    user_id: str


@strawberry.type
class Receipt(Record):
    """A request with an idempotencyKey that was carried out, and its answer in wire format."""

    user_id: str
    key: str
    fingerprint: str
    answer: str
    ttl: int
