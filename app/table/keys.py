"""Keys of the table's own records."""

from app.table.entity import Entity, Key
from app.table.types import PartitionOwner, Receipt

PARTITION_OWNER = Entity("Owner", PartitionOwner, pk="{kind}#{thing}", sk="OWNER", secret=True)
RECEIPT = Entity("Receipt", Receipt, pk="USER#{user_id}", sk="IDEMPOTENCY#{key}", secret=True)


def owner_of_partition(kind: str, thing: str) -> Key[PartitionOwner]:
    """The user to whom a partition without a user id in its key belongs"""
    return PARTITION_OWNER.key(kind=kind, thing=thing)


def receipt_of_request(user_id: str, key: str) -> Key[Receipt]:
    """The receipt of a user's request with this idempotencyKey"""
    return RECEIPT.key(user_id=user_id, key=key)
