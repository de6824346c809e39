"""The definition of the table: created in development, only checked in production."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from botocore.exceptions import BotoCoreError, ClientError

from app.core.errors import OperatorError, Unavailable
from app.table.entity import INDEXES
from app.table.errors import code_of
from app.table.gateway import Gateway

TTL_ATTRIBUTE = "ttl"


class StoreUnreachable(OperatorError):
    """DynamoDB, or what stands for it, cannot be used at this address."""


class WrongTable(OperatorError):
    """The table is missing or has another definition; the message lists the differences."""


def table_definition(table: str) -> dict[str, Any]:
    attributes = ["PK", "SK", *(f"{index}{end}" for index in INDEXES for end in ("PK", "SK"))]
    return {
        "TableName": table,
        "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": "S"} for name in attributes
        ],
        "KeySchema": _key_schema(""),
        "GlobalSecondaryIndexes": [
            {
                "IndexName": index,
                "KeySchema": _key_schema(index),
                "Projection": {"ProjectionType": "ALL"},
            }
            for index in INDEXES
        ],
        "StreamSpecification": {"StreamEnabled": True, "StreamViewType": "NEW_AND_OLD_IMAGES"},
    }


def _key_schema(index: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": f"{index}PK", "KeyType": "HASH"},
        {"AttributeName": f"{index}SK", "KeyType": "RANGE"},
    ]


@asynccontextmanager
async def reaching_store(gateway: Gateway) -> AsyncIterator[None]:
    """Errors of the connection become a sentence with the address."""
    address = gateway.client.meta.endpoint_url
    try:
        yield
    except (Unavailable, BotoCoreError, OSError):
        raise StoreUnreachable(
            f"The store at {address} does not answer. Start it, or correct ENDPOINT_URL "
            "(for AWS: AWS_REGION and the network)."
        ) from None
    except ClientError as error:
        raise StoreUnreachable(
            f"The store at {address} refuses: {error.response['Error']['Message']} "
            f"({code_of(error)}). Check the credentials, their rights and AWS_REGION."
        ) from None


async def create_table(gateway: Gateway) -> bool:
    """True if it was created, False if it existed. In both cases it is ready to use."""
    created = await _create(gateway)
    await gateway.client.get_waiter("table_exists").wait(
        TableName=gateway.table, WaiterConfig={"Delay": 1, "MaxAttempts": 120}
    )
    # The process that created it may have died before this, or may do it at this moment.
    if await _ttl_differences(gateway):
        await _enable_ttl(gateway)
    return created


async def _create(gateway: Gateway) -> bool:
    try:
        await gateway.client.create_table(**table_definition(gateway.table))
    except ClientError as error:
        if code_of(error) != "ResourceInUseException":
            raise
        return False
    return True


async def _enable_ttl(gateway: Gateway) -> None:
    try:
        await gateway.client.update_time_to_live(
            TableName=gateway.table,
            TimeToLiveSpecification={"Enabled": True, "AttributeName": TTL_ATTRIBUTE},
        )
    except ClientError as error:
        if code_of(error) != "ValidationException":  # another process was faster
            raise


async def check_table(gateway: Gateway) -> None:
    """Raises WrongTable with all differences, so that the operator can correct them at once."""
    try:
        found = await gateway.describe()
    except ClientError as error:
        raise WrongTable(_cannot_describe(gateway.table, error)) from None
    problems = [*table_differences(found), *await _ttl_differences(gateway)]
    if problems:
        raise WrongTable(
            f"The table {gateway.table} has another definition than this release needs:\n- "
            + "\n- ".join(problems)
        )


def _cannot_describe(table: str, error: ClientError) -> str:
    if code_of(error) == "ResourceNotFoundException":
        return (
            f"There is no table named {table}. Check TABLE_NAME, or create it with: "
            "python -m app create-table"
        )
    return f"The table {table} cannot be described: {error.response['Error']['Message']}"


def table_differences(found: dict[str, Any]) -> list[str]:
    expected = table_definition(found["TableName"])
    problems = []
    if found["KeySchema"] != expected["KeySchema"]:
        problems.append("its key must be PK (partition) and SK (sort)")
    indexes = {index["IndexName"]: index for index in found.get("GlobalSecondaryIndexes", [])}
    for index in expected["GlobalSecondaryIndexes"]:
        problems += _index_differences(index, indexes.get(index["IndexName"]))
    for attribute in found["AttributeDefinitions"]:
        if attribute["AttributeType"] != "S":
            problems.append(f"the key attribute {attribute['AttributeName']} must be a string (S)")
    stream = found.get("StreamSpecification", {})
    if stream.get("StreamViewType") != "NEW_AND_OLD_IMAGES":
        problems.append("its stream must be on, with NEW_AND_OLD_IMAGES")
    return problems


def _index_differences(expected: dict[str, Any], found: dict[str, Any] | None) -> list[str]:
    name = expected["IndexName"]
    if found is None:
        return [f"the index {name} ({name}PK, {name}SK) is missing"]
    problems = []
    if found["KeySchema"] != expected["KeySchema"]:
        problems.append(f"the index {name} must have the key {name}PK, {name}SK")
    if found["Projection"]["ProjectionType"] != "ALL":
        problems.append(f"the index {name} must project all attributes")
    return problems


async def _ttl_differences(gateway: Gateway) -> list[str]:
    answer = await gateway.client.describe_time_to_live(TableName=gateway.table)
    found = answer["TimeToLiveDescription"]
    on = found.get("TimeToLiveStatus") in ("ENABLED", "ENABLING")
    if on and found.get("AttributeName") == TTL_ATTRIBUTE:
        return []
    return [f"time to live must be on, with the attribute {TTL_ATTRIBUTE}"]
