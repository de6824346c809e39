"""People that quests are played by."""

import pytest

from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.quests.play import moderator
from tests.servers import RunningServer


@pytest.fixture
async def cleo(api: Api) -> Person:
    return await api.sign_up()


@pytest.fixture
async def judge(api: Api, server: RunningServer, table: Gateway) -> Person:
    """A moderator."""
    return await moderator(api, server, table)
