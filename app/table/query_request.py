"""A query in DynamoDB's words, and its answer in ours."""

from typing import Any

import structlog

from app.table.codec import CorruptItem, Wire, decode, decoder_of
from app.table.conditions import Names
from app.table.entity import ENTITIES, LAST_CHARACTER, Query, R
from app.table.partial import partial
from app.table.projection import projection, wanted

Position = dict[str, Any]
log = structlog.get_logger()


def query_request(query: Query[Any], table: str) -> Wire:
    names = Names()
    prefix = query.index or ""
    condition = f"{names.name(f'{prefix}PK')} = {names.value(query.pk)}"
    # A prefix is a range too. Not begins_with: in the embedded engine that ignores the letter case.
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
        **projection(wanted(query), names),
        **names.parameters(),
    }


def read(query: Query[R], item: Wire) -> R | None:
    """None: in an index of several kinds, what is broken or of a later release. It must not keep
    anybody from the others."""
    tolerant = query.entity is None and query.index is not None
    try:
        entity = query.entity or ENTITIES[item["entityType"]["S"]]
        record: R = decoder_of(partial(entity.cls, query.left_out))(item)
    except (KeyError, CorruptItem) as error:
        if not tolerant:
            raise
        log.warning("left out", pk=item["PK"]["S"], sk=item["SK"]["S"], error=repr(error))
        return None
    return record


def place_of(item: Wire, index: str | None) -> Position:
    names = ("PK", "SK", *((f"{index}PK", f"{index}SK") if index else ()))
    return {name: item[name]["S"] for name in names}


def position(last: Wire | None) -> Position | None:
    return {name: decode(value) for name, value in last.items()} if last else None
