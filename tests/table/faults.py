"""Faults between the gateway and a real engine: what happens, happens in the engine."""

import asyncio
import contextlib
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import aiohttp
from aiohttp.client_reqrep import ConnectionKey
from botocore.exceptions import ClientError, ConnectionClosedError, EndpointConnectionError

Call = Callable[[], Awaitable[Any]]
Fault = Callable[[Call, dict[str, Any]], Awaitable[Any]]
URL = "http://engine.invalid"


class Crash(BaseException):
    """The process is killed here."""


class FaultyClient:
    """Each call of an operation meets the next of its faults; when there are none left, none."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self.faults: dict[str, list[Fault]] = {}
        self.at_call: dict[int, Fault] = {}
        self.calls: list[tuple[str, dict[str, Any]]] = []

    def meet(self, operation: str, *faults: Fault) -> None:
        self.faults.setdefault(operation, []).extend(faults)

    def operations(self) -> list[str]:
        return [operation for operation, _ in self.calls]

    def parameters(self, operation: str) -> list[dict[str, Any]]:
        return [parameters for name, parameters in self.calls if name == operation]

    def __getattr__(self, operation: str) -> Callable[..., Awaitable[Any]]:
        async def call(**parameters: Any) -> Any:
            self.calls.append((operation, parameters))
            fault = self._next_fault(operation)
            return await fault(partial(getattr(self._client, operation), **parameters), parameters)

        return call

    def _next_fault(self, operation: str) -> Fault:
        waiting = self.faults.get(operation)
        return waiting.pop(0) if waiting else self.at_call.get(len(self.calls) - 1, none)


def client_error(code: str, status: int = 400, **more: Any) -> ClientError:
    answer = {
        "Error": {"Code": code, "Message": code},
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
    return ClientError(answer | more, "Operation")


def cancelled(*reasons: str) -> ClientError:
    """A transaction that DynamoDB called off: one reason for each of its writes."""
    return client_error(
        "TransactionCanceledException",
        CancellationReasons=[{"Code": reason, "Message": reason} for reason in reasons],
    )


def before(error: BaseException) -> Fault:
    """The call fails and was not carried out."""

    async def fault(_call: Call, _parameters: dict[str, Any]) -> Any:
        raise error

    return fault


def after(error: BaseException) -> Fault:
    """The call was carried out, but its caller is told that it failed."""

    async def fault(call: Call, _parameters: dict[str, Any]) -> Any:
        await call()
        raise error

    return fault


async def none(call: Call, _parameters: dict[str, Any]) -> Any:
    return await call()


def held(until: asyncio.Event, reached: asyncio.Event | None = None) -> Fault:
    """The call waits; `reached` tells that it has come this far."""

    async def fault(call: Call, _parameters: dict[str, Any]) -> Any:
        if reached:
            reached.set()
        await until.wait()
        return await call()

    return fault


def throttled() -> ClientError:
    return client_error("ProvisionedThroughputExceededException")


def broken() -> ClientError:
    return client_error("InternalServerError", 500)


def dropped() -> ConnectionClosedError:
    return ConnectionClosedError(endpoint_url=URL, error=aiohttp.ServerDisconnectedError())


def unreachable() -> EndpointConnectionError:
    return EndpointConnectionError(endpoint_url=URL, error=no_connection())


def no_connection() -> aiohttp.ClientConnectorError:
    where = ConnectionKey("engine.invalid", 80, False, True, None, None, None)
    return aiohttp.ClientConnectorError(where, ConnectionRefusedError(111, "refused"))


def some_unprocessed(table: str, keep: int) -> Fault:
    """Only the first `keep` keys or items of a batch are dealt with; the rest come back."""

    async def fault(call: Call, parameters: dict[str, Any]) -> Any:
        wanted = parameters["RequestItems"][table]
        items = wanted if isinstance(wanted, list) else wanted["Keys"]
        rest = items[keep:]
        del items[keep:]
        answer = await call() if items else {"Responses": {}}
        if isinstance(wanted, list):
            return answer | {"UnprocessedItems": {table: rest}}
        return answer | {"UnprocessedKeys": {table: {"Keys": rest, "ConsistentRead": True}}}

    return fault


@asynccontextmanager
async def listening(
    answer: Callable[[bytes], Awaitable[bytes | None]], *, reset: bool = False
) -> AsyncIterator[str]:
    """A server that answers HTTP requests with what `answer` says: None breaks the line."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError):
            reply = await answer(await one_request(reader))
            if reply:
                writer.write(reply)
            elif reset:
                raw = writer.get_extra_info("socket")
                raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def one_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.lower().splitlines()
    length = next(int(line[15:]) for line in lines if line.startswith(b"content-length:"))
    return head + await reader.readexactly(length)


def carried_out_by(endpoint: str) -> Callable[[bytes], Awaitable[None]]:
    """Lets the engine do what is asked, and says nothing."""

    async def carry_out(request: bytes) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port_of(endpoint))
        writer.write(request)
        await reader.readuntil(b"\r\n\r\n")
        writer.close()

    return carry_out


def port_of(endpoint: str) -> int:
    return int(endpoint.rpartition(":")[2])
