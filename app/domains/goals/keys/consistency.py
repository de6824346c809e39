"""Keys of edge locks and of unfinished removals."""

from app.domains.goals.types import EdgeLock, Removal
from app.table.entity import Entity, Key, RangeQuery

EDGE_LOCK = Entity("Structure", EdgeLock, pk="USER#{user_id}", sk="STRUCTURE#{kind}", secret=True)
REMOVAL = Entity(
    "Removal",
    Removal,
    pk="USER#{user_id}",
    sk="REMOVAL#{kind}#{id}",
    gsi4=("REMOVALS", "{created_at}#{id}"),
    secret=True,
)


def edge_lock(user_id: str, kind: str) -> Key[EdgeLock]:
    """The lock of a user's goal tree or dependencies"""
    return EDGE_LOCK.key(user_id=user_id, kind=kind)


def removal(user_id: str, kind: str, record_id: str) -> Key[Removal]:
    """One unfinished removal"""
    return REMOVAL.key(user_id=user_id, kind=kind, id=record_id)


def unfinished_removals() -> RangeQuery[Removal]:
    """All unfinished removals, oldest first"""
    return REMOVAL.within("GSI4")
