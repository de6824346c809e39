"""A query in DynamoDB's words, and its answer in ours."""

from typing import Any

from app.table.codec import Wire, decode, decoder_of
from app.table.conditions import Names
from app.table.entity import ENTITIES, LAST_CHARACTER, Query, R
from app.table.partial import partial
from app.table.projection import projection, wanted

Position = dict[str, Any]


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


def read(query: Query[R], item: Wire) -> R:
    entity = query.entity or ENTITIES[item["entityType"]["S"]]
    record: R = decoder_of(partial(entity.cls, query.left_out))(item)
    return record


def place_of(item: Wire, index: str | None) -> Position:
    names = ("PK", "SK", *((f"{index}PK", f"{index}SK") if index else ()))
    return {name: item[name]["S"] for name in names}


def position(last: Wire | None) -> Position | None:
    return {name: decode(value) for name, value in last.items()} if last else None
