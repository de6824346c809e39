"""Stands between the servers and the engine and does what networks and databases do."""

import asyncio
import random
from collections import Counter
from types import TracebackType
from typing import Self

import aiohttp
from aiohttp import web

FAULTS = ("dropped before", "dropped after", "500 after", "throttled", "conflict", "late")
LATE_SECONDS = 0.3


def error(code: str, status: int) -> web.Response:
    return web.json_response(
        {"__type": f"com.amazonaws.dynamodb.v20120810#{code}", "message": code},
        status=status,
        content_type="application/x-amz-json-1.0",
    )


class FaultProxy:
    """`share`: how many of the calls meet a fault. `counts`: how many met which."""

    def __init__(self, engine_url: str, *, share: float, seed: int) -> None:
        self._engine_url = engine_url
        self.share = share
        self._random = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.url = ""

    async def __aenter__(self) -> Self:
        self._session = aiohttp.ClientSession(auto_decompress=False)
        app = web.Application(client_max_size=32 * 1024 * 1024)
        app.router.add_post("/", self._answer)
        self._runner = web.AppRunner(app, access_log=None)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        _, port = self._runner.addresses[0][:2]
        self.url = f"http://127.0.0.1:{port}"
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._runner.cleanup()
        await self._session.close()

    async def _answer(self, request: web.Request) -> web.Response:
        body = await request.read()
        target = request.headers.get("x-amz-target", "")
        fault = self._random.choice(FAULTS) if self._random.random() < self.share else ""
        if fault == "conflict" and not target.endswith("TransactWriteItems"):
            fault = "late"
        self.counts[fault or "none"] += 1
        if fault == "late":
            await asyncio.sleep(LATE_SECONDS * self._random.random())
        elif fault == "throttled":
            return error("ProvisionedThroughputExceededException", 400)
        elif fault == "conflict":
            return error("TransactionInProgressException", 400)
        elif fault == "dropped before":
            return self._drop(request)
        try:
            answer = await self._forward(request, body)
        except aiohttp.ClientError:
            return self._drop(request)
        if fault == "dropped after":
            return self._drop(request)
        return error("InternalServerError", 500) if fault == "500 after" else answer

    async def _forward(self, request: web.Request, body: bytes) -> web.Response:
        passed = {
            name: value
            for name, value in request.headers.items()
            if name.lower() not in ("host", "content-length", "connection")
        }
        async with self._session.post(self._engine_url, data=body, headers=passed) as answer:
            content = await answer.read()
            kind = answer.headers.get("content-type", "application/x-amz-json-1.0")
            return web.Response(body=content, status=answer.status, headers={"content-type": kind})

    def _drop(self, request: web.Request) -> web.Response:
        if request.transport:
            request.transport.abort()
        return web.Response(status=500)
