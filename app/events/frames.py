"""Frames on a stream between processes of one machine: a length, then JSON."""

import asyncio
from typing import Any

import orjson

LENGTH_BYTES = 4


def to_frame(*parts: object) -> bytes:
    content = orjson.dumps(parts)
    return len(content).to_bytes(LENGTH_BYTES, "big") + content


async def read_frame(reader: asyncio.StreamReader) -> list[Any] | None:
    """None: the other side has closed the connection."""
    try:
        length = int.from_bytes(await reader.readexactly(LENGTH_BYTES), "big")
        parts: list[Any] = orjson.loads(await reader.readexactly(length))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    return parts
