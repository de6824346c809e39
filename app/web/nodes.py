"""Any record by its id, through the service and the guard of its own field."""

import asyncio

import strawberry

from app.core.caller import Access
from app.core.record import Node
from app.graph.context import Context, Info
from app.graph.fields import query, readers, signed_in
from app.nodes import KINDS, Kind, find, split

HOW = (
    f"A record that you may see, of one of these kinds: {', '.join(KINDS)}. "
    "Whoever chooses ids may use one for several kinds: then the first of these is meant, and "
    "Quest:<id> is exact. With an API key only what is public. What others share with you comes "
    "with `sharedWithMe` alone. "
)


@strawberry.type
class NodesQuery:
    @query(readers, description=HOW + "Null if there is none, or it is hidden from you.")
    async def node(self, info: Info, id: strawberry.ID) -> Node | None:
        return await find(info.context, *await _wanted(info.context, id))

    @query(readers, description=HOW + "Up to 100, in the order of the ids; null as for node.")
    async def nodes(self, info: Info, ids: list[strawberry.ID]) -> list[Node | None]:
        wanted = [await _wanted(info.context, each) for each in ids]
        return list(await asyncio.gather(*(find(info.context, *each) for each in wanted)))


async def _wanted(context: Context, id: str) -> tuple[list[Kind], str]:
    """Which kinds may be meant, if the caller may ask for them."""
    kind, id = split(id)
    if kind is None and context.caller.access is Access.API_KEY:
        return [kind for kind in KINDS.values() if kind.public], id
    if kind is None or not kind.public:
        await signed_in(context)
    return [kind] if kind else list(KINDS.values()), id
