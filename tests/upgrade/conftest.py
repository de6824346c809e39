"""Each dump in a table of its own, with the present server on it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from tests.upgrade.dumps import Dump, load
from tests.upgrade.internals import create_table
from tests.upgrade.world import MADE_AT, World, open_table, running_world, settings_for

DUMPS = sorted(Path(__file__).parent.glob("release-*.jsonl.gz"))
# Late enough that everything in the dump has happened, early enough that nothing has expired.
NOW = MADE_AT + timedelta(minutes=10)


@pytest.fixture(scope="package", params=DUMPS, ids=lambda file: file.name.split(".jsonl")[0])
def dump(request: pytest.FixtureRequest) -> Dump:
    return Dump(request.param)


@pytest.fixture(scope="package")
async def untouched(
    dump: Dump, endpoint: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[World]:
    """For tests that only read."""
    async with upgraded(dump, endpoint, tmp_path_factory.mktemp("read")) as world:
        yield world


@pytest.fixture(scope="package")
async def changing(
    dump: Dump, endpoint: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[World]:
    """For tests that change something, each of other records."""
    async with upgraded(dump, endpoint, tmp_path_factory.mktemp("change")) as world:
        yield world


@pytest.fixture
async def world(dump: Dump, endpoint: str, tmp_path: Path) -> AsyncIterator[World]:
    """For a test that looks at the whole table."""
    async with upgraded(dump, endpoint, tmp_path) as world:
        yield world


@asynccontextmanager
async def upgraded(dump: Dump, endpoint: str, folder: Path) -> AsyncIterator[World]:
    settings = settings_for(endpoint, folder, table_name=f"upgrade_{uuid4().hex[:8]}")
    async with open_table(settings) as table:
        await create_table(table)
        await load(table, dump.items)
        async with running_world(settings, NOW) as world:
            yield world
        await table.client.delete_table(TableName=settings.table_name)
