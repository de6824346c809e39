"""Users in tests of quests."""

import pytest

from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.quests.operations import moderator
from tests.servers import RunningServer


@pytest.fixture
async def cleo(api: Api) -> Person:
    return await api.sign_up()


@pytest.fixture
async def judge(api: Api, server: RunningServer, table: Gateway) -> Person:
    """A moderator."""
    return await moderator(api, server, table)
