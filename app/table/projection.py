"""Projections: which attributes DynamoDB returns."""

from collections.abc import Iterable
from functools import lru_cache, reduce
from typing import Any

from app.table.codec import Wire, attributes_of
from app.table.conditions import Placeholders
from app.table.entity import Entity, FieldNames, Key, RangeQuery

# None: all attributes.
AttributeNames = frozenset[str] | None
NO_ATTRIBUTES: AttributeNames = frozenset()


def attributes_to_read(read: Key[Any] | RangeQuery[Any]) -> AttributeNames:
    if not read.left_out or read.entity is None:
        return None
    index = read.index if isinstance(read, RangeQuery) else None
    return _attributes_without(read.entity, read.left_out, index)


@lru_cache(maxsize=1000)
def _attributes_without(
    entity: Entity[Any], left_out: FieldNames, index: str | None
) -> AttributeNames:
    keys = {f"{name}{end}" for name in ("", index or "") for end in ("PK", "SK")}
    stored = attributes_of(entity.cls)
    return frozenset(keys | {attribute for name, attribute in stored if name not in left_out})


def combined_attributes(reads: Iterable[Key[Any]]) -> AttributeNames:
    """The attributes that are enough for each of these keys."""
    return reduce(union, map(attributes_to_read, reads), NO_ATTRIBUTES)


def union(one: AttributeNames, other: AttributeNames) -> AttributeNames:
    """The attributes that are enough for both reads."""
    return None if one is None or other is None else one | other


def projection(attributes: AttributeNames, names: Placeholders) -> Wire:
    if attributes is None:
        return {}
    return {"ProjectionExpression": ", ".join(names.name(each) for each in sorted(attributes))}
