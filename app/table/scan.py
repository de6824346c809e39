"""Scans the whole table. Only the operator's migration and backup may do that."""

from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from app.core.errors import OutcomeUnknown
from app.table.codec import Wire
from app.table.conditions import Placeholders
from app.table.entity import INDEXES
from app.table.errors import code_of
from app.table.gateway import Gateway
from app.table.query_request import Position, to_position

INDEX_KEYS = frozenset(f"{index}{end}" for index in INDEXES for end in ("PK", "SK"))


@dataclass(frozen=True, slots=True)
class ScanPage:
    """Some items, and the position after them if there are more."""

    items: list[Wire]
    next: Position | None


async def scan_page(
    table: Gateway, *, segment: int, segments: int, start: Position | None, page: int
) -> ScanPage:
    parameters: dict[str, Any] = {
        "TableName": table.table,
        "Segment": segment,
        "TotalSegments": segments,
        "Limit": page,
        "ConsistentRead": True,
    }
    if start is not None:
        parameters["ExclusiveStartKey"] = {name: {"S": text} for name, text in start.items()}
    answer = await table._call("scan", **parameters)
    return ScanPage(answer["Items"], to_position(answer.get("LastEvaluatedKey")))


async def put_items(table: Gateway, items: list[Wire]) -> None:
    """Unconditional, as they are: for the restore of a backup."""
    await table._write_batches([{"PutRequest": {"Item": item}} for item in items])


async def read_again(table: Gateway, item: Wire) -> Wire | None:
    """The current state of an item."""
    key = {"PK": item["PK"], "SK": item["SK"]}
    answer = await table._call("get_item", TableName=table.table, Key=key, ConsistentRead=True)
    found: Wire | None = answer.get("Item")
    return found


def item_differences(old: Wire, new: Wire) -> tuple[Wire, list[str]]:
    """The attributes to set, and the index keys to remove. Unknown attributes stay: a later release
    may have written them."""
    changed = {name: value for name, value in new.items() if old.get(name) != value}
    return changed, sorted((old.keys() & INDEX_KEYS) - new.keys())


async def amend(table: Gateway, old: Wire, new: Wire) -> bool:
    """Writes the differences if the item has not changed since it was read. False: it has changed,
    or the outcome is unknown."""
    try:
        await table._call("update_item", TableName=table.table, **_request(old, new))
    except OutcomeUnknown:
        return False
    except ClientError as error:
        if code_of(error) != "ConditionalCheckFailedException":
            raise
        return False
    return True


def _request(old: Wire, new: Wire) -> Wire:
    names = Placeholders()
    changed, gone = item_differences(old, new)
    sets = [f"{names.name(name)} = {names.wire_value(value)}" for name, value in changed.items()]
    clauses = [f"SET {', '.join(sets)}"] if sets else []
    if gone:
        clauses.append(f"REMOVE {', '.join(map(names.name, gone))}")
    same = [f"{names.name(name)} = {names.wire_value(value)}" for name, value in old.items()]
    absent = [f"attribute_not_exists({names.name(name)})" for name in changed if name not in old]
    return {
        "Key": {"PK": old["PK"], "SK": old["SK"]},
        "UpdateExpression": " ".join(clauses),
        "ConditionExpression": " AND ".join([*same, *absent]),
        **names.parameters(),
    }
