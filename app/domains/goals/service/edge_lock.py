"""Edges of goal trees and dependencies are added one at a time: no race can close a cycle."""

from app.core.errors import StaleVersion
from app.domains.goals import keys
from app.domains.goals.service.base import GoalsService, put_or_retry
from app.domains.goals.types import EdgeLock
from app.table.writes import Write, put_if_absent


async def take_edge_lock(service: GoalsService, kind: str) -> Write:
    """An optimistic lock. It is read before the check for cycles and written with the edge: of two
    concurrent edges the later one fails, and is decided again with the other edge in sight."""
    lock = await service.table.get(keys.edge_lock(service.caller.user_id, kind))
    if lock is None:
        new = EdgeLock(**service.stamp(), kind=kind)
        return put_if_absent(new, otherwise=StaleVersion(kind.lower(), None))
    return put_or_retry(lock.evolve(service.now), lock, kind.lower())
