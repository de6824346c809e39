"""A service whose effect can be counted: what it says must be what is on the shelf."""

import asyncio
from typing import Annotated
from uuid import uuid4

import strawberry
from pydantic import Field

from app.core.errors import Conflict
from app.core.inputs import Input
from app.core.text import IdempotencyKey
from app.domains.service import Decision, Service
from app.table.gateway import Gateway
from app.table.writes import Update, put_if_absent
from tests.table.things import MADE, Thing, key, thing, things_of


@strawberry.input
class PlaceInput(Input):
    shelf: str
    name: Annotated[str, Field(max_length=20)] | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


class Shop(Service):
    """Puts a new thing on a shelf and counts it: two effects that must stay together."""

    decided = 0
    closed = False
    deciding: asyncio.Event | None = None
    opening: asyncio.Event | None = None

    async def place(self, request: PlaceInput) -> Thing:
        async def decide() -> Decision[Thing]:
            self.decided += 1
            if self.deciding and self.opening:
                self.deciding.set()
                await self.opening.wait()
            if self.closed:
                raise Conflict("The shop is closed.")
            placed = thing(request.shelf, uuid4().hex, name=request.name or None, tags=["new"])
            first = {"createdAt": MADE, "updatedAt": MADE, "shelf": request.shelf, "id": "count"}
            count = Update(key(request.shelf, "count"), add={"size": 1}, first=first)
            return Decision(placed, [put_if_absent(placed, otherwise=Conflict("there")), count])

        return await self.once(request, Thing, decide)


def order(shelf: str, **fields: str | None) -> PlaceInput:
    return PlaceInput(**({"shelf": shelf, "idempotency_key": "key-1"} | fields))  # type: ignore[arg-type]


async def placed_on(table: Gateway, shelf: str) -> list[Thing]:
    """What is on the shelf; the counter must agree."""
    found = [item async for item in table.query_all(things_of(shelf))]
    count = [each.size for each in found if each.id == "count"]
    things = [each for each in found if each.id != "count"]
    assert count == ([len(things)] if things else [])
    return things
