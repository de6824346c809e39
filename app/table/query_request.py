"""A query in DynamoDB's words."""

from typing import Any

from app.table.codec import Wire
from app.table.conditions import Names
from app.table.entity import LAST_CHARACTER, Query


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
        **names.parameters(),
    }
