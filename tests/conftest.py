"""One engine and one server per test process; each test makes its own users."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import structlog

from app.settings import Settings
from app.table.definition import create_table
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.engines import ENGINES
from tests.servers import RunningServer, TestClock

REGION = "us-east-1"

# Through the standard library, whose handlers pytest looks after: a screen that a test captures is
# closed when it ends, and the server's thread writes on.
structlog.configure(logger_factory=structlog.stdlib.LoggerFactory())


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--engines",
        default="embedded",
        help="embedded, local (DynamoDB Local) or both with a comma: what the table's tests run on",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "engine_name" in metafunc.fixturenames:
        names = metafunc.config.getoption("--engines").split(",")
        metafunc.parametrize("engine_name", names, scope="session")


@pytest.fixture(scope="session")
async def endpoint(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The embedded engine, for everything above the table."""
    async with ENGINES["embedded"](tmp_path_factory.mktemp("engine")) as url:
        yield url


@pytest.fixture(scope="session")
async def engine_endpoint(
    engine_name: str, endpoint: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[str]:
    """Each engine that was asked for in turn, for the tests of the table."""
    if engine_name == "embedded":
        yield endpoint
        return
    async with ENGINES[engine_name](tmp_path_factory.mktemp(engine_name)) as url:
        yield url


@pytest.fixture(scope="session")
async def engine_table(engine_endpoint: str) -> AsyncIterator[Gateway]:
    """A table on the engine under test."""
    async with Gateway.open(table="table_tests", region=REGION, endpoint=engine_endpoint) as table:
        await create_table(table)
        yield table


@pytest.fixture(scope="session")
def clock() -> TestClock:
    return TestClock()


@pytest.fixture(autouse=True)
def own_logs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command run in this process must not bind all logs to its own, short-lived screen."""
    monkeypatch.setattr("app.cli.command.configure_logs", lambda settings: None)


@pytest.fixture(autouse=True)
def true_time(clock: TestClock) -> Iterator[None]:
    yield
    clock.reset()


@pytest.fixture(scope="session")
def settings(endpoint: str, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(
        _env_file=None,
        endpoint_url=endpoint,
        port=0,
        data_dir=tmp_path_factory.mktemp("data"),
        password_memory_kib=1024,
        rate_factor=100_000,
        worker=False,
    )


@pytest.fixture(scope="session")
def server(settings: Settings, clock: TestClock) -> Iterator[RunningServer]:
    with RunningServer(settings, clock) as running:
        yield running


@pytest.fixture(scope="session")
def server_url(server: RunningServer) -> str:
    return server.url


@pytest.fixture
def start_server(settings: Settings, clock: TestClock) -> Iterator[Callable[..., RunningServer]]:
    """Another server on the same table, with other settings."""
    with ExitStack() as stack:

        def start(**changes: Any) -> RunningServer:
            changed = Settings(_env_file=None, **(settings.model_dump() | changes))
            return stack.enter_context(RunningServer(changed, clock))

        yield start


@pytest.fixture(scope="session")
async def table(settings: Settings, server: RunningServer) -> AsyncIterator[Gateway]:
    """The server's table, read from beside it."""
    async with Gateway.open(
        table=settings.table_name, region=REGION, endpoint=settings.endpoint_url
    ) as table:
        yield table


@pytest.fixture(scope="session")
async def api(server_url: str) -> AsyncIterator[Api]:
    async with Api(server_url) as api:
        yield api


@pytest.fixture
async def ada(api: Api) -> Person:
    return await api.sign_up()


@pytest.fixture
async def bob(api: Api) -> Person:
    return await api.sign_up()


@pytest.fixture(scope="session")
def root() -> Path:
    return Path(__file__).resolve().parent.parent
