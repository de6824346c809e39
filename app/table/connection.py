"""The connection to DynamoDB."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import aioboto3
from aiobotocore.config import AioConfig

from app.core.errors import OperatorError
from app.table.direct import DirectClient, direct_client

LOCAL_CREDENTIALS = {"aws_access_key_id": "local", "aws_secret_access_key": "local"}


class NoCredentials(OperatorError):
    def __init__(self) -> None:
        super().__init__(
            "No AWS credentials found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a "
            "profile or role; for an engine on this machine set STAGE=development and ENDPOINT_URL."
        )


@asynccontextmanager
async def open_client(
    *, region: str, endpoint: str | None, local: bool
) -> AsyncIterator[DirectClient]:
    """`local`: an engine on this machine, which accepts any credentials."""
    session = aioboto3.Session(**(LOCAL_CREDENTIALS if local else {}))
    credentials = await session.get_credentials()
    if credentials is None:
        raise NoCredentials
    options = client_options(region=region, endpoint=endpoint)
    async with (
        session.client("dynamodb", **options) as boto_client,
        direct_client(boto_client, credentials) as client,
    ):
        yield client


def client_options(*, region: str, endpoint: str | None) -> dict[str, Any]:
    """botocore's retries are off: the gateway retries, under one client token. So is its costly
    validation of parameters."""
    config = AioConfig(
        connect_timeout=2,
        read_timeout=5,
        max_pool_connections=128,
        parameter_validation=False,
        retries={"total_max_attempts": 1, "mode": "standard"},
        tcp_keepalive=True,
    )
    return {"region_name": region, "endpoint_url": endpoint, "config": config}
