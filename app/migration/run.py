"""Reads the whole table and brings every item up to date, while servers continue to work."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from app.core.clock import instant
from app.core.record import Record
from app.migration.keys import progress_of_segment
from app.migration.progress import count, release_shape, total_counts
from app.migration.types import Counts, MigrationProgress
from app.migration.upgrades import UPGRADES, needed_upgrades, upgrade
from app.resources import Resources
from app.table.codec import CorruptItem, Wire, decoder_of
from app.table.entity import ENTITIES, InvalidKeyPart
from app.table.scan import ScanPage, amend, item_differences, read_again, scan_page
from app.table.writes import Put, item_of

# An item that changes so often while it is read is in use, so its writer brings it up to date.
ATTEMPTS = 5
UNKNOWN, UNREADABLE, BUSY = "(unknown)", "(unreadable)", "(busy)"
MOST_NAMED = 20
OWN_PARTITION = {"S": progress_of_segment(0).pk}


class ItemOutcome(Enum):
    UP_TO_DATE = "up to date"
    UPDATED = "updated"
    CHANGED_MEANWHILE = "changed meanwhile by another writer"


@dataclass(slots=True)
class MigrationReport:
    """`earlier`: how many items an interrupted run had read. `unreadable`: the keys of the first
    few items that could not be read."""

    counts: Counts = field(default_factory=dict)
    earlier: int = 0
    unreadable: list[str] = field(default_factory=list)

    @property
    def seen(self) -> int:
        return sum(seen for seen, _ in self.counts.values())

    @property
    def changed(self) -> int:
        return sum(changed for _, changed in self.counts.values())


@dataclass(eq=False)
class Migration:
    """`on_page` is called with the report after each page. A dry run writes nothing: it counts the
    items that a run would change."""

    resources: Resources
    segments: int = 4
    page: int = 100
    dry_run: bool = False
    on_page: Callable[[MigrationReport], None] = lambda report: None
    report: MigrationReport = field(default_factory=MigrationReport, init=False)

    def __post_init__(self) -> None:
        self.table = self.resources.table
        self.shape = release_shape(self.segments, (each.name for each in UPGRADES))

    async def run(self) -> MigrationReport:
        every = [await self._earlier_progress(number) for number in range(self.segments)]
        self.report.counts = total_counts(every)
        self.report.earlier = self.report.seen
        await asyncio.gather(*(self._migrate_segment(each, every) for each in every))
        if not self.dry_run:
            keys = (progress_of_segment(number) for number in range(self.segments))
            await self.table.delete_many((key.pk, key.sk) for key in keys)
        return self.report

    async def _earlier_progress(self, segment: int) -> MigrationProgress:
        known = None if self.dry_run else await self.table.get(progress_of_segment(segment))
        if known is not None and known.shape == self.shape:
            return known
        now = instant(self.resources.clock.now())
        return MigrationProgress(created_at=now, updated_at=now, segment=segment, shape=self.shape)

    async def _migrate_segment(
        self, progress: MigrationProgress, every: list[MigrationProgress]
    ) -> None:
        while not progress.done:
            page = await scan_page(
                self.table,
                segment=progress.segment,
                segments=self.segments,
                start=progress.position,
                page=self.page,
            )
            progress = every[progress.segment] = await self._migrate_page(progress, page)
            self.report.counts = total_counts(every)
            self.on_page(self.report)

    async def _migrate_page(self, progress: MigrationProgress, page: ScanPage) -> MigrationProgress:
        counts = {kind: [*numbers] for kind, numbers in progress.counts.items()}
        for item in page.items:
            if item["PK"] != OWN_PARTITION:
                await self._migrate_item(item, counts)
        now = instant(self.resources.clock.now())
        done = page.next is None
        progress = progress.evolve(now, position=page.next, done=done, counts=counts)
        if not self.dry_run:
            await self.table.write(Put(progress))
        return progress

    async def _migrate_item(self, item: Wire, counts: Counts) -> None:
        """An item that another writer changes meanwhile is not overwritten, but read again."""
        found: Wire | None = item
        for _ in range(ATTEMPTS):
            if found is None:
                return
            record, kind = self._decode(found)
            try:
                outcome = await self._update(found, record) if record else ItemOutcome.UP_TO_DATE
            except CorruptItem:
                # An upgrade read another item that is corrupt: that must be repaired first.
                outcome, kind = ItemOutcome.UP_TO_DATE, self._unreadable(found)
            if outcome is not ItemOutcome.CHANGED_MEANWHILE:
                count(counts, kind, changed=outcome is ItemOutcome.UPDATED)
                return
            found = await read_again(self.table, found)
        count(counts, BUSY)

    async def _update(self, item: Wire, record: Record) -> ItemOutcome:
        if self.dry_run:
            is_old = needed_upgrades(record) or any(item_differences(item, item_of(record)))
            return ItemOutcome.UPDATED if is_old else ItemOutcome.UP_TO_DATE
        new = item_of(await upgrade(self.resources, record))
        if not any(item_differences(item, new)):
            return ItemOutcome.UP_TO_DATE
        is_written = await amend(self.table, item, new)
        return ItemOutcome.UPDATED if is_written else ItemOutcome.CHANGED_MEANWHILE

    def _decode(self, item: Wire) -> tuple[Record | None, str]:
        """The record and its kind; no record if the item is not ours or cannot be read."""
        entity = ENTITIES.get(item.get("entityType", {}).get("S", ""))
        if entity is None:
            return None, UNKNOWN
        try:
            record: Record = decoder_of(entity.cls)(item)
            stored = item_of(record)
        except (CorruptItem, InvalidKeyPart, ValueError, TypeError):
            return None, self._unreadable(item)
        if (stored["PK"], stored["SK"]) != (item["PK"], item["SK"]):
            return None, UNKNOWN
        return record, entity.name

    def _unreadable(self, item: Wire) -> str:
        if len(self.report.unreadable) < MOST_NAMED:
            self.report.unreadable.append(f"{item['PK']['S']} / {item['SK']['S']}")
        return UNREADABLE
