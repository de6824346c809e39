"""A query in DynamoDB's words."""

from typing import Any

from app.table.codec import Wire
from app.table.conditions import Names
from app.table.entity import Query


def query_request(query: Query[Any], table: str) -> Wire:
    names = Names()
    prefix = query.index or ""
    condition = f"{names.name(f'{prefix}PK')} = {names.value(query.pk)}"
    if query.between:
        low, high = query.between
        sort = names.name(f"{prefix}SK")
        condition += f" AND {sort} BETWEEN {names.value(low)} AND {names.value(high)}"
    elif query.begins:
        condition += f" AND begins_with({names.name(f'{prefix}SK')}, {names.value(query.begins)})"
    return {
        "TableName": table,
        "KeyConditionExpression": condition,
        "ScanIndexForward": not query.newest_first,
        **({"IndexName": query.index} if query.index else {"ConsistentRead": True}),
        **names.parameters(),
    }
