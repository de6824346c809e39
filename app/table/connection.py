"""How DynamoDB is reached."""

from typing import Any

from aiobotocore.config import AioConfig


def connection(*, region: str, endpoint: str | None) -> dict[str, Any]:
    """Retries are ours (one token for all), so botocore's are off; so are its costly checks."""
    config = AioConfig(
        connect_timeout=2,
        read_timeout=5,
        max_pool_connections=128,
        parameter_validation=False,
        retries={"total_max_attempts": 1, "mode": "standard"},
        tcp_keepalive=True,
    )
    return {"region_name": region, "endpoint_url": endpoint, "config": config}
