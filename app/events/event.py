"""That a record was committed: what is published, also between processes."""

from dataclasses import dataclass
from typing import Any, Self, TypeVar

import orjson

from app.core.record import Record
from app.table.codec import Wire, decoder_of
from app.table.entity import ENTITIES, Key

R = TypeVar("R", bound=Record)


@dataclass(frozen=True, slots=True)
class Event:
    """`item`: the record as stored, or as it last was if it is `gone`; None where only a part of
    it was changed, or nobody knew it. `new`: it was not there before."""

    channels: tuple[str, ...]
    kind: str
    pk: str
    sk: str
    item: Wire | None = None
    gone: bool = False
    new: bool = False

    @property
    def key(self) -> Key[Any]:
        return Key(ENTITIES[self.kind], self.pk, self.sk)

    def record(self, cls: type[R]) -> R | None:
        return decoder_of(cls)(self.item) if self.item else None

    def packed(self) -> bytes:
        return orjson.dumps(
            [self.channels, self.kind, self.pk, self.sk, self.item, self.gone, self.new],
        )

    @classmethod
    def unpacked(cls, packed: bytes) -> Self:
        channels, *rest = orjson.loads(packed)
        return cls(tuple(channels), *rest)


def channel(kind: str, **parts: str) -> str:
    """One kind of record, perhaps only those of one owner, room or the like."""
    return ":".join([kind, *(f"{name}={value}" for name, value in parts.items())])
