"""A proxy between a worker and the engine that blocks the worker in the middle of a job.

For each job the writes of one record are forwarded. From the first write of another record on, the
worker gets no more answers to any write of that job.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
from aiohttp import web

WRITES = ("TransactWriteItems", "BatchWriteItem", "UpdateItem")
HEADERS = ("content-type", "x-amz-target", "x-amz-date", "authorization")


@dataclass(frozen=True)
class BlockedWrites:
    """`records`: for each record, texts that every write of it contains. `is_applied`: whether the
    blocked write is still applied, and only its answer is lost."""

    records: list[tuple[str, ...]]
    is_applied: bool = True


@dataclass
class BlockingProxy:
    engine: str
    jobs: Mapping[str, BlockedWrites]
    _met: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    _seen_jobs: set[str] = field(default_factory=set)
    _blocked: set[str] = field(default_factory=set)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def wait_until_all_are_blocked(self) -> None:
        while missing := self.jobs.keys() - self._blocked:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), 30)
            except TimeoutError:
                raise AssertionError(f"never blocked in {sorted(missing)}") from None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        app = web.Application(client_max_size=2**24)
        app.router.add_post("/{path:.*}", self._handle)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        async with aiohttp.ClientSession() as self._http:
            await runner.setup()
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            try:
                yield f"http://127.0.0.1:{runner.addresses[0][1]}"
            finally:
                await runner.cleanup()

    async def _handle(self, request: web.Request) -> web.Response:
        body = await request.text()
        job = self._job_of(request.headers["x-amz-target"], body)
        if job is None:
            return await self._forward(request, body)
        if job not in self._seen_jobs:
            self._seen_jobs.add(job)
            if self.jobs[job].is_applied:
                await self._forward(request, body)
            self._blocked.add(job)
            self._changed.set()
        return await asyncio.Event().wait()  # type: ignore[return-value]

    def _job_of(self, target: str, body: str) -> str | None:
        """The job of a write that must be blocked, if any."""
        if not target.endswith(WRITES):
            return None
        for job, watched in self.jobs.items():
            for record in watched.records:
                if all(word in body for word in record):
                    met = self._met.setdefault(job, [record])
                    return None if record == met[0] else job
        return None

    async def _forward(self, request: web.Request, body: str) -> web.Response:
        headers = {name: request.headers[name] for name in HEADERS}
        async with self._http.post(self.engine, data=body.encode(), headers=headers) as answer:
            return web.Response(
                status=answer.status,
                body=await answer.read(),
                headers={"content-type": answer.headers.get("content-type", "")},
            )
