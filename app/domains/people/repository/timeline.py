"""One timeline out of one range per type: index 1 sorts by type first, a timeline by date."""

from collections.abc import Mapping, Sequence

from app.core.errors import BadInput
from app.core.record import Node
from app.table.entity import ENTITIES, Entity, entity_of
from app.table.gateway import Position, Rows
from app.table.merge import merge

INDEX = "GSI1"


def timeline_types() -> list[str]:
    """Every type that a timeline can show, by its name in the index."""
    return sorted({name for entity in ENTITIES.values() if (name := _timeline_type(entity))})


def parse_types(names: Sequence[str] | None) -> list[str]:
    """Names in any letter case; None or an empty list means all types."""
    known = {name.casefold(): name for name in timeline_types()}
    for name in names or []:
        if name.casefold() not in known:
            listed = ", ".join(known.values())
            raise BadInput(f"There is no type {name[:64]}. Known: {listed}.", field="types")
    return list(dict.fromkeys(known[name.casefold()] for name in names or known))


def _timeline_type(entity: Entity[Node]) -> str | None:
    """A link, such as a QuestListing, has the type of the record that it leads to."""
    word, _, rest = entity.gsi1[1].partition("#") if entity.gsi1 else ("", "", "")
    is_shown = word == "ENTITY" and issubclass(entity.cls, Node)
    return rest.partition("#")[0] if is_shown else None


def merge_by_date(found: Mapping[str, Rows[Node]], *, limit: int, start: Position) -> Rows[Node]:
    return merge(found, limit=limit, start=start, order=_creation_time, index=INDEX)


def _creation_time(record: Node) -> str:
    return entity_of(record).index_keys_of(record)[f"{INDEX}SK"].rpartition("#")[2]
