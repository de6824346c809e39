"""A provider, and a server that trusts it: both live as long as the tests of one file."""

from collections.abc import AsyncIterator, Iterator

import pytest

from app.settings import Settings
from tests.api import Api
from tests.auth.provider import CLIENT, Provider
from tests.servers import RunningServer, TestClock


@pytest.fixture(scope="module")
def provider() -> Iterator[Provider]:
    with Provider() as running:
        yield running


@pytest.fixture(scope="module")
def trusting(settings: Settings, clock: TestClock, provider: Provider) -> Iterator[RunningServer]:
    """Has no passwords of its own: whoever comes, comes from the provider."""
    changes = {
        "oidc_issuer": provider.url,
        "oidc_client_ids": [CLIENT],
        "oidc_plain_subjects": True,
        "embedded_identity": None,
    }
    changed = Settings(_env_file=None, **(settings.model_dump() | changes))
    with RunningServer(changed, clock) as running:
        yield running


@pytest.fixture(scope="module")
async def outside(trusting: RunningServer) -> AsyncIterator[Api]:
    async with Api(trusting.url) as api:
        yield api
