"""An event: a record was committed. It is published in this process and to the others."""

from dataclasses import dataclass
from typing import Any, Self, TypeVar

import orjson

from app.core.record import Record
from app.table.codec import Wire, decoder_of
from app.table.entity import ENTITIES, Key

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Event:
    """`item`: the stored record, or its last state if it is `deleted`; None if the write did not
    contain the whole record. `created`: it did not exist before."""

    channels: tuple[str, ...]
    kind: str
    pk: str
    sk: str
    item: Wire | None = None
    deleted: bool = False
    created: bool = False

    @property
    def key(self) -> Key[Any]:
        return Key(ENTITIES[self.kind], self.pk, self.sk)

    def record(self, cls: type[R]) -> R | None:
        return decoder_of(cls)(self.item) if self.item else None

    def to_bytes(self) -> bytes:
        return orjson.dumps(
            [self.channels, self.kind, self.pk, self.sk, self.item, self.deleted, self.created],
        )

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        channels, *rest = orjson.loads(data)
        return cls(tuple(channels), *rest)


def channel(kind: str, **parts: str) -> str:
    """The channel of one kind of record, or of those with these parts: of one owner, one room."""
    return ":".join([kind, *(f"{name}={value}" for name, value in parts.items())])
