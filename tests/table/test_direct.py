"""Our signature is botocore's signature, our answers and errors are its answers and errors."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Any
from unittest.mock import patch
from uuid import uuid4

import aioboto3
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import ClientError
from hypothesis import given
from hypothesis import strategies as st

from app.table.connection import LOCAL_CREDENTIALS, client_options
from app.table.direct import authorization
from app.table.gateway import Gateway

MOMENT = datetime(2026, 1, 1, 1, 2, 3)  # noqa: DTZ001  botocore wants it without a zone


def botocores(body: bytes, token: str | None, path: str) -> tuple[str, dict[str, str]]:
    headers = {"Content-Type": "application/x-amz-json-1.0", "X-Amz-Target": "DynamoDB.GetItem"}
    url = f"https://dynamodb.eu-west-1.amazonaws.com{path}"
    request = AWSRequest("POST", url, data=body, headers=headers)
    with patch("botocore.auth.get_current_datetime", lambda **_: MOMENT):
        SigV4Auth(Credentials("AKID", "secret", token), "dynamodb", "eu-west-1").add_auth(request)
    signed = {name.lower(): value for name, value in request.headers.items()}
    return str(signed.pop("authorization")), signed | {"host": "dynamodb.eu-west-1.amazonaws.com"}


@pytest.mark.parametrize("token", [None, "a session token"])
@pytest.mark.parametrize("path", ["/", "/behind/a-gateway"])
@given(body=st.binary(max_size=200))
def test_signs_as_botocore_does(token: str | None, path: str, body: bytes) -> None:
    expected, headers = botocores(body, token, path)
    keys = {"access": "AKID", "secret": "secret"}
    ours = authorization(headers, body, **keys, region="eu-west-1", path=path)
    assert ours == expected


@pytest.mark.parametrize("path", ["", "/", "/behind/a-gateway"])
async def test_asks_the_same_host_for_the_same_path(path: str) -> None:
    heard: list[tuple[str, str]] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        request, *headers = (await reader.readuntil(b"\r\n\r\n")).decode().splitlines()
        host = next(each for each in headers if each.lower().startswith("host:"))
        heard.append((request, host.lower()))
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        host, port = server.sockets[0].getsockname()
        endpoint = f"http://{host}:{port}{path}"
        async with Gateway.open(table="t", region="us-east-1", endpoint=endpoint) as table:
            for client in (table.client, table.client._client):
                await client.get_item(TableName="t", Key={"PK": {"S": "a"}, "SK": {"S": "a"}})
    assert heard == [(f"POST {path or '/'} HTTP/1.1", f"host: {host}:{port}")] * 2


@pytest.fixture
async def whole_client(engine_endpoint: str) -> AsyncIterator[Any]:
    """aioboto3's own, without the short way."""
    options = client_options(region="us-east-1", endpoint=engine_endpoint)
    async with aioboto3.Session(**LOCAL_CREDENTIALS).client("dynamodb", **options) as client:
        yield client


async def outcome(client: Any, call: str, parameters: dict[str, Any]) -> tuple[Any, ...]:
    try:
        answer = await getattr(client, call)(**parameters)
    except ClientError as error:
        reasons = error.response.get("CancellationReasons")
        status = error.response["ResponseMetadata"]["HTTPStatusCode"]
        return error.response["Error"], reasons, error.response.get("Item"), status
    answer.pop("ResponseMetadata", None)
    return (answer,)


def calls(table: str, pk: str) -> list[tuple[str, dict[str, Any]]]:
    key = {"PK": {"S": pk}, "SK": {"S": "A"}}
    item = key | {"title": {"S": "Käse 🧀"}, "points": {"N": "12"}, "tags": {"L": [{"S": "a"}]}}
    absent = {
        "ConditionExpression": "attribute_not_exists(PK)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    return [
        ("get_item", {"TableName": table, "Key": key}),
        ("put_item", {"TableName": table, "Item": item}),
        ("get_item", {"TableName": table, "Key": key}),
        ("put_item", {"TableName": table, "Item": item, **absent}),
        (
            "transact_write_items",
            {"TransactItems": [{"Put": {"TableName": table, "Item": item} | absent}]},
        ),
        ("query", {"TableName": table, "KeyConditionExpression": "nonsense"}),
        ("get_item", {"TableName": "no_such_table", "Key": key}),
        ("get_item", {"TableName": table, "Key": {"PK": {"S": pk}}}),
        ("batch_get_item", {"RequestItems": {table: {"Keys": [key]}}}),
        ("delete_item", {"TableName": table, "Key": key, "ReturnValues": "ALL_OLD"}),
    ]


async def test_answers_and_fails_as_aioboto3_does(engine_table: Gateway, whole_client: Any) -> None:
    pk = f"FAST#{uuid4().hex}"
    short = [await outcome(engine_table.client, *each) for each in calls(engine_table.table, pk)]
    whole = [await outcome(whole_client, *each) for each in calls(engine_table.table, pk)]
    assert short == whole
    assert [len(each) for each in short] == [1, 1, 1, 4, 4, 4, 4, 4, 1, 1]
