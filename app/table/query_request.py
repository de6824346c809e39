"""Query requests to DynamoDB, and records and positions from its answers."""

from typing import Any

import structlog

from app.table.codec import CorruptItem, Wire, decode, decoder_of
from app.table.conditions import Placeholders
from app.table.entity import ENTITIES, LAST_CHARACTER, R, RangeQuery
from app.table.projection import attributes_to_read, projection

Position = dict[str, Any]
log = structlog.get_logger()


def query_request(query: RangeQuery[Any], table: str) -> Wire:
    names = Placeholders()
    prefix = query.index or ""
    condition = f"{names.name(f'{prefix}PK')} = {names.value(query.pk)}"
    # A prefix is sent as a range: begins_with ignores the letter case in the embedded engine.
    between = query.between or (query.begins and (query.begins, query.begins + LAST_CHARACTER))
    if between:
        low, high = between
        sort = names.name(f"{prefix}SK")
        condition += f" AND {sort} BETWEEN {names.value(low)} AND {names.value(high)}"
    return {
        "TableName": table,
        "KeyConditionExpression": condition,
        "ScanIndexForward": not query.newest_first,
        **({"IndexName": query.index} if query.index else {"ConsistentRead": True}),
        **projection(attributes_to_read(query), names),
        **names.parameters(),
    }


def read_record(query: RangeQuery[R], item: Wire) -> R | None:
    """None for a corrupt or unknown item in an index of several kinds."""
    tolerant = query.entity is None and query.index is not None
    try:
        entity = query.entity or ENTITIES[item["entityType"]["S"]]
        record: R = decoder_of(entity.cls, query.left_out)(item)
    except (KeyError, CorruptItem) as error:
        if not tolerant:
            raise
        log.warning(
            "item is not readable, left out of the list",
            pk=item["PK"]["S"],
            sk=item["SK"]["S"],
            error=repr(error),
        )
        return None
    return record


def position_at(item: Wire, index: str | None) -> Position:
    names = ("PK", "SK", *((f"{index}PK", f"{index}SK") if index else ()))
    return {name: item[name]["S"] for name in names}


def to_position(last: Wire | None) -> Position | None:
    return {name: decode(value) for name, value in last.items()} if last else None
