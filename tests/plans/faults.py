"""Interruptions at a chosen call, and a list of all calls of the table."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from app.table.gateway import Gateway

Calls = list[tuple[str, dict[str, Any]]]


class PowerCut(BaseException):
    """The process ends here."""


@contextmanager
def power_cut(table: Gateway, number: int, *, carried_out: bool) -> Iterator[None]:
    """At the call of that number, from 0: before it, or after it was carried out."""
    real, seen = table._call, 0

    async def call(operation: str, **parameters: object) -> dict[str, Any]:
        nonlocal seen
        seen += 1
        if seen <= number:
            return await real(operation, **parameters)
        if carried_out and seen == number + 1:
            await real(operation, **parameters)
        raise PowerCut

    with patch.object(table, "_call", call):
        yield


@contextmanager
def calls_of(table: Gateway) -> Iterator[Calls]:
    """Every call of the table while it lasts, with its parameters."""
    real = table._call
    calls: Calls = []

    async def call(operation: str, **parameters: Any) -> dict[str, Any]:
        calls.append((operation, parameters))
        return await real(operation, **parameters)

    with patch.object(table, "_call", call):
        yield calls
