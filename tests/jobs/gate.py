"""A worker's way to the engine, on which it can be kept in the middle of a job.

Of each job the writes about one record pass. With the next record, whichever that is, the worker is
in the middle: from then on it hears no more about any write of that job.
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
class Watched:
    """`records`: the words by which a write about each of them is known. `carried_out`: whether the
    write in the middle still happens, and only its answer is lost."""

    records: list[tuple[str, ...]]
    carried_out: bool = True


@dataclass
class Gate:
    engine: str
    jobs: Mapping[str, Watched]
    _met: dict[str, list[tuple[str, ...]]] = field(default_factory=dict)
    _begun: set[str] = field(default_factory=set)
    _in_the_middle: set[str] = field(default_factory=set)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def until_in_the_middle_of_all(self) -> None:
        while missing := self.jobs.keys() - self._in_the_middle:
            self._changed.clear()
            try:
                await asyncio.wait_for(self._changed.wait(), 30)
            except TimeoutError:
                raise AssertionError(f"never in the middle of {sorted(missing)}") from None

    @asynccontextmanager
    async def open(self) -> AsyncIterator[str]:
        app = web.Application(client_max_size=2**24)
        app.router.add_post("/{path:.*}", self._pass)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        async with aiohttp.ClientSession() as self._http:
            await runner.setup()
            site = web.TCPSite(runner, "127.0.0.1", 0)
            await site.start()
            try:
                yield f"http://127.0.0.1:{runner.addresses[0][1]}"
            finally:
                await runner.cleanup()

    async def _pass(self, request: web.Request) -> web.Response:
        body = await request.text()
        job = self._job_of(request.headers["x-amz-target"], body)
        if job is None:
            return await self._carried_out(request, body)
        if job not in self._begun:
            self._begun.add(job)
            if self.jobs[job].carried_out:
                await self._carried_out(request, body)
            self._in_the_middle.add(job)
            self._changed.set()
        return await asyncio.Event().wait()  # type: ignore[return-value]

    def _job_of(self, target: str, body: str) -> str | None:
        """The job whose write is to be kept, if it is one."""
        if not target.endswith(WRITES):
            return None
        for job, watched in self.jobs.items():
            for record in watched.records:
                if all(word in body for word in record):
                    met = self._met.setdefault(job, [record])
                    return None if record == met[0] else job
        return None

    async def _carried_out(self, request: web.Request, body: str) -> web.Response:
        headers = {name: request.headers[name] for name in HEADERS}
        async with self._http.post(self.engine, data=body.encode(), headers=headers) as answer:
            return web.Response(
                status=answer.status,
                body=await answer.read(),
                headers={"content-type": answer.headers.get("content-type", "")},
            )
