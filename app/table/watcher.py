"""Whoever wants to know what is written: told of every transaction, in one place."""

from collections.abc import Sequence
from typing import Protocol

from app.table.writes import Write


class Watcher(Protocol):
    def notes(self, writes: Sequence[Write]) -> Sequence[Write]:
        """What shall be written together with it."""

    def committed(self, writes: Sequence[Write]) -> None:
        """It has happened."""


class Nobody:
    def notes(self, writes: Sequence[Write]) -> Sequence[Write]:
        return ()

    def committed(self, writes: Sequence[Write]) -> None:
        """Nobody is told."""
