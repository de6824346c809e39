"""A schema for tests: two types of records on a timeline, and lists of them."""

from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import partial

import strawberry
from strawberry.schema.config import StrawberryConfig

from app.core.clock import instant
from app.core.inputs import Input
from app.core.record import Node
from app.core.scalars import SCALARS
from app.domains.people.types import User
from app.graph.context import Info
from app.graph.fields import query
from app.graph.paging import Limit, NextToken, Page, page
from app.table.entity import ENTITIES, Entity, R
from app.web.schema import Mutation, Query

SPRING = datetime(2026, 3, 20, tzinfo=UTC)


@strawberry.type
class Leaf(Node):
    user_id: strawberry.Private[str]


@strawberry.type
class Stone(Node):
    user_id: strawberry.Private[str]


@strawberry.enum
class Hue(Enum):
    GREEN = "green"
    RED = "red"


@strawberry.input
class BedInput(Input):
    row_number: int
    hues: list[Hue] | None = strawberry.UNSET


def apart(entity: Entity[R]) -> Entity[R]:
    """Known only while the garden is open: other tests look at every entity there is."""
    del ENTITIES[entity.name]
    return entity


LEAF = apart(
    Entity(
        "Leaf",
        Leaf,
        pk="USER#{user_id}",
        sk="LEAF#{id}",
        gsi1=("USER#{user_id}", "ENTITY#Leaf#{created_at}"),
    )
)
STONE = apart(
    Entity(
        "Stone",
        Stone,
        pk="USER#{user_id}",
        sk="STONE#{id}",
        gsi1=("USER#{user_id}", "ENTITY#Stone#{created_at}"),
    )
)


@strawberry.type
class GardenQuery(Query):
    """`hue` and `bed` choose nothing: only the token looks at them."""

    @query()
    async def leaves(
        self,
        info: Info,
        hue: Hue | None = None,
        bed: BedInput | None = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Node]:
        fetch = partial(info.context.profiles.timeline, ["Leaf"])
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query()
    async def leaves_of(
        self, info: Info, tree: str, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[Node]:
        fetch = partial(info.context.profiles.timeline, ["Leaf"])
        return await page(info, fetch, limit=limit, next_token=next_token, of=tree)


def build_garden() -> strawberry.Schema:
    return strawberry.Schema(
        query=GardenQuery,
        mutation=Mutation,
        types=[User, Leaf, Stone],
        config=StrawberryConfig(scalar_map=SCALARS),
    )


def planted(user_id: str, *, leaves: int, stones: int) -> list[Leaf | Stone]:
    """A leaf every two days, a stone every three, so that they mix; the oldest first."""
    things: list[Leaf | Stone] = []
    for kind, count, days in ((Leaf, leaves, 2), (Stone, stones, 3)):
        for number in range(count):
            made = instant(SPRING + timedelta(days=days * number))
            name = strawberry.ID(f"{kind.__name__}-{number}")
            things.append(kind(created_at=made, updated_at=made, id=name, user_id=user_id))
    return things
