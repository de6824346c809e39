"""Which attributes a read asks DynamoDB for."""

from functools import lru_cache
from typing import Any

from app.table.codec import Wire, attributes_of
from app.table.conditions import Names
from app.table.entity import Entity, Fields, Key, Query
from app.table.partial import partial

# None: all of them.
Attributes = frozenset[str] | None
NONE_YET: Attributes = frozenset()


def wanted(read: Key[Any] | Query[Any]) -> Attributes:
    if not read.left_out or read.entity is None:
        return None
    index = read.index if isinstance(read, Query) else None
    return _remaining(read.entity, read.left_out, index)


@lru_cache(maxsize=1000)
def _remaining(entity: Entity[Any], left_out: Fields, index: str | None) -> Attributes:
    keys = {f"{name}{end}" for name in ("", index or "") for end in ("PK", "SK")}
    stored = attributes_of(partial(entity.cls, left_out))
    return frozenset(keys | {attribute for _, attribute in stored})


def either(one: Attributes, other: Attributes) -> Attributes:
    """What serves both."""
    return None if one is None or other is None else one | other


def projection(attributes: Attributes, names: Names) -> Wire:
    if attributes is None:
        return {}
    return {"ProjectionExpression": ", ".join(names.name(each) for each in sorted(attributes))}
