"""Observes every transaction of the gateway."""

from collections.abc import Sequence
from typing import Protocol

from app.table.writes import Write


class WriteObserver(Protocol):
    def accompanying_writes(self, writes: Sequence[Write]) -> Sequence[Write]:
        """Writes that are added to the transaction."""

    def on_committed(self, writes: Sequence[Write]) -> None:
        """Called once the transaction has succeeded."""


class NullObserver:
    def accompanying_writes(self, writes: Sequence[Write]) -> Sequence[Write]:
        return ()

    def on_committed(self, writes: Sequence[Write]) -> None:
        """Does nothing."""
