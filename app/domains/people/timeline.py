"""One timeline out of one run per type: index 1 sorts by type first, people think by date."""

from collections.abc import Mapping, Sequence

from app.core.errors import BadInput
from app.core.record import Node
from app.table.entity import ENTITIES, Entity, entity_of
from app.table.gateway import Position, Rows
from app.table.merge import merge as merge_runs

INDEX = "GSI1"


def timeline_types() -> list[str]:
    """Every type that an owner has a timeline of, as it stands in the index."""
    return sorted({name for entity in ENTITIES.values() if (name := _timeline_type(entity))})


def chosen_types(wanted: Sequence[str] | None) -> list[str]:
    """In any letter case; all of them if none is named."""
    known = {name.casefold(): name for name in timeline_types()}
    for name in wanted or []:
        if name.casefold() not in known:
            listed = ", ".join(known.values())
            raise BadInput(f"There is no type {name[:64]}. Known: {listed}.", field="types")
    return list(dict.fromkeys(known[name.casefold()] for name in wanted or known))


def _timeline_type(entity: Entity[Node]) -> str | None:
    """A link, such as that to a quest, stands under the type of what it leads to."""
    word, _, rest = entity.gsi1[1].partition("#") if entity.gsi1 else ("", "", "")
    shown = word == "ENTITY" and issubclass(entity.cls, Node)
    return rest.partition("#")[0] if shown else None


def merge(found: Mapping[str, Rows[Node]], *, limit: int, start: Position) -> Rows[Node]:
    """The newest of all."""
    return merge_runs(found, limit=limit, start=start, order=_time, index=INDEX)


def _time(record: Node) -> str:
    return entity_of(record).index_keys_of(record)[f"{INDEX}SK"].rpartition("#")[2]
