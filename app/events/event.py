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
    """`item`: the record as stored; None where only a part of it was changed, or it is gone."""

    channels: tuple[str, ...]
    kind: str
    pk: str
    sk: str
    item: Wire | None = None
    gone: bool = False

    @property
    def key(self) -> Key[Any]:
        return Key(ENTITIES[self.kind], self.pk, self.sk)

    def record(self, cls: type[R]) -> R | None:
        return decoder_of(cls)(self.item) if self.item else None

    def packed(self) -> bytes:
        return orjson.dumps(
            [self.channels, self.kind, self.pk, self.sk, self.item, self.gone],
        )

    @classmethod
    def unpacked(cls, packed: bytes) -> Self:
        channels, kind, pk, sk, item, gone = orjson.loads(packed)
        return cls(tuple(channels), kind, pk, sk, item, gone)


def channel(kind: str, **parts: str) -> str:
    """One kind of record, perhaps only those of one owner, room or the like."""
    return ":".join([kind, *(f"{name}={value}" for name, value in parts.items())])
