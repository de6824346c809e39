"""The resources of one process: opened once, shared by all requests."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

import httpx
from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from app.auth.limiter import Limiter, MemoryWindows, RateWindows, RedisWindows
from app.auth.liveness import LivenessCache
from app.auth.passwords import Passwords
from app.auth.secret import ServerSecret
from app.auth.tokens import Tokens
from app.core.clock import Clock, SystemClock
from app.core.ids import Ids
from app.core.outage import Outage
from app.events.bus import Bus
from app.events.hub_client import HubClient
from app.events.journal import Journal
from app.events.redis import RedisRelay
from app.settings import Settings, without_password
from app.table.definition import check_table, create_table, reaching_store
from app.table.engine import EmbeddedEngine, shared_engine
from app.table.gateway import Gateway


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    settings: Settings
    clock: Clock
    ids: Ids
    table: Gateway
    secret: ServerSecret
    tokens: Tokens
    passwords: Passwords
    limiter: Limiter
    liveness: LivenessCache
    events: Bus
    http: httpx.AsyncClient


@asynccontextmanager
async def open_table(settings: Settings, *, share_engine: bool = True) -> AsyncIterator[Gateway]:
    """`share_engine`: use the embedded engine of a server that runs on the same data."""
    async with AsyncExitStack() as stack:
        endpoint = settings.endpoint_url
        if settings.embedded_engine:
            start = shared_engine if share_engine else EmbeddedEngine
            engine = start(settings.data_dir, settings.node_modules)
            endpoint = await stack.enter_async_context(engine)
        opened = Gateway.open(
            table=settings.table_name,
            region=settings.aws_region,
            endpoint=endpoint,
            local=settings.development and endpoint is not None,
        )
        yield await stack.enter_async_context(opened)


@asynccontextmanager
async def open_resources(
    settings: Settings,
    clock: Clock | None = None,
    *,
    share_engine: bool = True,
    hub: HubClient | None = None,
) -> AsyncIterator[Resources]:
    """`hub`: the parent, if this is one of several server processes of this machine.

    In development a missing table is created; in production it must exist."""
    clock = clock or SystemClock()
    async with AsyncExitStack() as stack:
        table = await stack.enter_async_context(open_table(settings, share_engine=share_engine))
        async with reaching_store(table):
            if settings.development:
                await create_table(table)
            await check_table(table)
        # Without a proxy from the environment: webhook addresses are checked before the request.
        http = await stack.enter_async_context(httpx.AsyncClient(timeout=5, trust_env=False))
        secret, ids = _secret(settings), Ids(clock)
        bus, windows = await _connect(settings, clock, hub, stack)
        table.observer = Journal(bus, clock, ids)
        yield Resources(
            settings=settings,
            clock=clock,
            ids=ids,
            table=table,
            secret=secret,
            tokens=Tokens(
                secret,
                issuer=settings.token_issuer,
                seconds=settings.access_token_seconds,
                accepted=settings.accepted_issuers,
            ),
            passwords=Passwords(settings.password_memory_kib),
            limiter=Limiter(windows, settings.rate_factor or 1.0),
            liveness=LivenessCache(clock),
            events=bus,
            http=http,
        )


async def _connect(
    settings: Settings, clock: Clock, hub: HubClient | None, stack: AsyncExitStack
) -> tuple[Bus, RateWindows]:
    """Events and rate limits, shared with other processes through Redis or their parent."""
    bus = Bus()
    if hub is not None:
        await stack.enter_async_context(hub.running(bus))
    if settings.redis_url:
        outage = Outage("Redis", without_password(settings.redis_url))
        redis = await stack.enter_async_context(_redis(settings.redis_url, retries=1))
        # No retries: a silent reconnect would hide that events were lost.
        listener = await stack.enter_async_context(_redis(settings.redis_url, retries=0))
        bus.relay = relay = RedisRelay(redis, listener, topic=settings.table_name, outage=outage)
        await stack.enter_async_context(relay.running(bus))
        return bus, RedisWindows(redis, clock, outage)
    if hub is not None:
        bus.relay = hub
        return bus, hub
    return bus, MemoryWindows(clock)


def _redis(url: str, *, retries: int) -> Redis:
    """`retries`: on a new connection, because Redis may have closed a kept one."""
    return Redis.from_url(url, retry=Retry(NoBackoff(), retries))


def _secret(settings: Settings) -> ServerSecret:
    if settings.secret_key:
        return ServerSecret(settings.secret_key.get_secret_value().encode())
    return ServerSecret.load_or_create(settings.data_dir)
