"""The whole table, item by item. For the operator's migration alone: nothing else may Scan."""

from dataclasses import dataclass
from typing import Any

from botocore.exceptions import ClientError

from app.core.errors import OutcomeUnknown
from app.table.codec import Wire
from app.table.conditions import Names
from app.table.entity import INDEXES
from app.table.errors import code_of
from app.table.gateway import Gateway
from app.table.query_request import Position, position

INDEX_KEYS = frozenset(f"{index}{end}" for index in INDEXES for end in ("PK", "SK"))


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some items, and where to go on, if there is more."""

    items: list[Wire]
    next: Position | None


async def walk(
    table: Gateway, *, segment: int, segments: int, start: Position | None, page: int
) -> Stretch:
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
    return Stretch(answer["Items"], position(answer.get("LastEvaluatedKey")))


async def item_at(table: Gateway, item: Wire) -> Wire | None:
    """The same item as it is now."""
    key = {"PK": item["PK"], "SK": item["SK"]}
    answer = await table._call("get_item", TableName=table.table, Key=key, ConsistentRead=True)
    found: Wire | None = answer.get("Item")
    return found


def differences(old: Wire, new: Wire) -> tuple[Wire, list[str]]:
    """What to set and what to remove. Attributes that nobody here knows stay as they are: a later
    release may have written them; only index keys that are not due any more go."""
    changed = {name: value for name, value in new.items() if old.get(name) != value}
    return changed, sorted((old.keys() & INDEX_KEYS) - new.keys())


async def amend(table: Gateway, old: Wire, new: Wire) -> bool:
    """Writes the differences, if the item is still exactly as it was read. False: it is not, or it
    is not sure."""
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
    names = Names()
    changed, gone = differences(old, new)
    sets = [f"{names.name(name)} = {names.stored(value)}" for name, value in changed.items()]
    clauses = [f"SET {', '.join(sets)}"] if sets else []
    if gone:
        clauses.append(f"REMOVE {', '.join(map(names.name, gone))}")
    same = [f"{names.name(name)} = {names.stored(value)}" for name, value in old.items()]
    absent = [f"attribute_not_exists({names.name(name)})" for name in changed if name not in old]
    return {
        "Key": {"PK": old["PK"], "SK": old["SK"]},
        "UpdateExpression": " ".join(clauses),
        "ConditionExpression": " AND ".join([*same, *absent]),
        **names.parameters(),
    }
