"""One timeline out of one run per type: index 1 sorts by type first, people think by date."""

from collections.abc import Mapping
from itertools import chain

from app.core.record import Node
from app.table.entity import ENTITIES, entity_of, position_of
from app.table.gateway import Position, Rows

INDEX = "GSI1"


def timeline_types() -> list[str]:
    """Every type that an owner has a timeline of."""
    return sorted(
        name
        for name, entity in ENTITIES.items()
        if entity.gsi1 and entity.gsi1[1].startswith("ENTITY#") and issubclass(entity.cls, Node)
    )


def merge(found: Mapping[str, Rows[Node]], *, limit: int, start: Position) -> Rows[Node]:
    """The newest of all. `start` and the next position say for each type how far it was read:
    absent, not at all; null, to its end."""
    every = chain.from_iterable(rows.items for rows in found.values())
    chosen = sorted(every, key=_time, reverse=True)[:limit]
    place = {**start}
    for name, rows in found.items():
        place |= _place(name, rows, [each for each in rows.items if each in chosen])
    unread = any(place.get(name, {}) is not None for name in found)
    return Rows(chosen, place if unread else None)


def _place(name: str, rows: Rows[Node], taken: list[Node]) -> Position:
    if len(taken) == len(rows.items) and rows.next is None:
        return {name: None}
    return {name: position_of(taken[-1], INDEX)} if taken else {}


def _time(record: Node) -> str:
    return entity_of(record).index_keys_of(record)[f"{INDEX}SK"].rpartition("#")[2]
