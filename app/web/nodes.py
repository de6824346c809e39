"""node and nodes: any record by its id, with the rights of its own field."""

import asyncio

import strawberry

from app.core.caller import Access
from app.core.record import Node
from app.graph.context import Context, Info
from app.graph.fields import query
from app.graph.guards import readers, signed_in
from app.nodes import KINDS, NodeKind, find_node, split_id

# An id is looked for among all kinds: more at once would hold up other requests.
IDS_AT_ONCE = 25
DESCRIPTION = (
    f"A record that you may see, of one of these kinds: {', '.join(KINDS)}. "
    "Whoever chooses ids may use one for several kinds: then the first of these is meant, and "
    "Quest:<id> is exact. With an API key only what is public. What others share with you comes "
    "with `sharedWithMe` alone. "
)


@strawberry.type
class NodesQuery:
    @query(readers, description=DESCRIPTION + "Null if there is none, or it is hidden from you.")
    async def node(self, info: Info, id: strawberry.ID) -> Node | None:
        return await find_node(info.context, *await _candidate_kinds(info.context, id))

    @query(
        readers, description=DESCRIPTION + "Up to 100, in the order of the ids; null as for node."
    )
    async def nodes(self, info: Info, ids: list[strawberry.ID]) -> list[Node | None]:
        lookups = [await _candidate_kinds(info.context, each) for each in ids]
        found: list[Node | None] = []
        for start in range(0, len(lookups), IDS_AT_ONCE):
            batch = lookups[start : start + IDS_AT_ONCE]
            found += await asyncio.gather(*(find_node(info.context, *each) for each in batch))
        return found


async def _candidate_kinds(context: Context, id: str) -> tuple[list[NodeKind], str]:
    """The kinds that the id may belong to and the caller may read; the id without its prefix."""
    kind, id = split_id(id)
    if kind is None and context.caller.access is Access.API_KEY:
        return [kind for kind in KINDS.values() if kind.public], id
    if kind is None or not kind.public:
        await signed_in(context)
    return [kind] if kind else list(KINDS.values()), id
