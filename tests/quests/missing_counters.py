"""An account that cannot be paid, because its counters are missing."""

from typing import Any

from app.table.gateway import Gateway
from tests.api import Person


async def remove_counters(table: Gateway, person: Person) -> dict[str, Any]:
    at = {"S": f"USER#{person.id}"}
    answer = await table.client.delete_item(
        TableName=table.table, Key={"PK": at, "SK": at}, ReturnValues="ALL_OLD"
    )
    item: dict[str, Any] = answer["Attributes"]
    return item


async def restore_counters(table: Gateway, item: dict[str, Any]) -> None:
    await table.client.put_item(TableName=table.table, Item=item)
