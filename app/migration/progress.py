"""The counts of a migration, and the shape of records that it leads to."""

import hashlib
from collections.abc import Iterable

from app.migration.types import Counts, MigrationProgress
from app.table.codec import attributes_of
from app.table.entity import ENTITIES


def release_shape(segments: int, upgrades: Iterable[str]) -> str:
    """A hash that changes with the records, their keys, the upgrades and the segments."""
    facts: list[object] = [segments, *upgrades]
    for name, entity in sorted(ENTITIES.items()):
        keys = [(pk.text, sk.text) for pk, sk in entity.templates.values()]
        facts.append((name, keys, attributes_of(entity.cls)))
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


def count(counts: Counts, kind: str, *, changed: bool = False) -> None:
    """Adds one item."""
    numbers = counts.setdefault(kind, [0, 0])
    numbers[0] += 1
    numbers[1] += changed


def total_counts(segments: Iterable[MigrationProgress]) -> Counts:
    totals: Counts = {}
    for progress in segments:
        for kind, (seen, changed) in progress.counts.items():
            sums = totals.get(kind, [0, 0])
            totals[kind] = [sums[0] + seen, sums[1] + changed]
    return totals
