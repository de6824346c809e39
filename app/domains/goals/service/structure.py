"""One edge at a time: what keeps goal trees and dependencies free of circles under races."""

from app.core.errors import StaleVersion
from app.domains.goals.service.base import GoalsService, swap
from app.domains.goals.types import Structure
from app.table.writes import Write, create


async def one_more_edge(service: GoalsService, kind: str) -> Write:
    """Read before the check for circles, written with the edge: of two who add edges side by side
    the later one decides anew, with the other's edge in sight."""
    old = await service.repository.structure(kind)
    if old is None:
        first = Structure(**service.stamp(), kind=kind)  # type: ignore[arg-type]
        return create(first, otherwise=StaleVersion(kind.lower(), None))
    return swap(old.evolve(service.now), old, kind.lower())
