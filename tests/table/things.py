"""A record of the tests' own. It is known to the table only while one of these tests runs."""

from enum import Enum
from uuid import uuid4

import strawberry

from app.core.record import Record
from app.core.scalars import AWSDateTime
from app.table.entity import ENTITIES, Entity, Key, R, RangeQuery

MADE = AWSDateTime("2026-01-10T10:00:00.000Z")


def apart(entity: Entity[R]) -> Entity[R]:
    """Tests of conventions look at every entity there is: they must not find this one."""
    del ENTITIES[entity.name]
    return entity


class Colour(Enum):
    red = "RED"
    blue = "BLUE"


@strawberry.type
class Thing(Record):
    shelf: str
    id: str
    name: str | None = None
    size: int = 0
    tags: list[str] = strawberry.field(default_factory=list)
    colour: Colour | None = None
    seen: str | None = None


THING = apart(
    Entity(
        "Thing",
        Thing,
        pk="SHELF#{shelf}",
        sk="THING#{id}",
        gsi1=("SHELF#{shelf}#COLOUR#{colour}", "THING#{id}"),
        gsi2=("SHELF#{shelf}#SEEN", "{seen}#{id}"),
    )
)


def new_shelf() -> str:
    return uuid4().hex


def thing(shelf: str, id: str | int = "a", **fields: object) -> Thing:
    number = f"{id:04}" if isinstance(id, int) else id
    return Thing(created_at=MADE, updated_at=MADE, shelf=shelf, id=number, **fields)  # type: ignore[arg-type]


def key(shelf: str, id: str = "a") -> Key[Thing]:
    return THING.key(shelf=shelf, id=id)


def things_of(shelf: str, *, newest_first: bool = False) -> RangeQuery[Thing]:
    return THING.within(shelf=shelf, newest_first=newest_first)
