"""How far a migration is, kept in the table."""

import hashlib
from collections.abc import Iterable
from dataclasses import field

import strawberry

from app.core.record import Record
from app.table.codec import attributes_of
from app.table.entity import ENTITIES, Entity, Key

Counts = dict[str, list[int]]


@strawberry.type
class MigrationProgress(Record):
    """Of one segment of the table. `shape` is what it leads to: towards another, the way begins
    anew. `counts`: of each kind, how many were looked at and how many of them were changed."""

    segment: int
    shape: str
    position: strawberry.Private[dict[str, str] | None] = None
    done: bool = False
    counts: strawberry.Private[dict[str, list[int]]] = field(default_factory=dict)


PROGRESS = Entity(MigrationProgress, pk="MIGRATION", sk="SEGMENT#{segment}", secret=True)


def progress_of(segment: int) -> Key[MigrationProgress]:
    """How far the migration is in one part of the table"""
    return PROGRESS.key(segment=segment)


def present_shape(segments: int, steps: Iterable[str]) -> str:
    """The same as long as records, keys, steps and segments are."""
    facts: list[object] = [segments, *steps]
    for name, entity in sorted(ENTITIES.items()):
        keys = [(pk.text, sk.text) for pk, sk in entity.templates.values()]
        facts.append((name, keys, attributes_of(entity.cls)))
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


def added(counts: Counts, kind: str, *, changed: bool = False) -> None:
    numbers = counts.setdefault(kind, [0, 0])
    numbers[0] += 1
    numbers[1] += changed
