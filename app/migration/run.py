"""Walks the whole table and brings every item into the present shape, while servers go on."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from app.core.clock import instant
from app.core.record import Record
from app.migration.progress import (
    Counts,
    MigrationProgress,
    added,
    present_shape,
    progress_of,
)
from app.migration.steps import STEPS, missing, upgraded
from app.resources import Resources
from app.table.codec import CorruptItem, Wire, decoder_of
from app.table.entity import ENTITIES, BadPart
from app.table.walk import amend, differences, item_at, walk
from app.table.writes import Put, item_of

# An item that changes under our hands so often is in use, and so in the present shape.
ATTEMPTS = 5
UNKNOWN, UNREADABLE, BUSY = "(unknown)", "(unreadable)", "(busy)"
MOST_NAMED = 20
OUR_OWN = {"S": progress_of(0).pk}


class Outcome(Enum):
    RIGHT = "right already"
    CHANGED = "brought into shape"
    MOVED = "changed meanwhile"


@dataclass(slots=True)
class Report:
    """`earlier`: how many items an interrupted run had looked at. `wrong`: keys of items that could
    not be read, the first few."""

    counts: Counts = field(default_factory=dict)
    earlier: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def seen(self) -> int:
        return sum(seen for seen, _ in self.counts.values())

    @property
    def changed(self) -> int:
        return sum(changed for _, changed in self.counts.values())


class Migration:
    def __init__(
        self,
        resources: Resources,
        *,
        segments: int = 4,
        page: int = 100,
        dry_run: bool = False,
        told: Callable[[Report], None] = lambda report: None,
    ) -> None:
        """`told` hears of every page."""
        self.resources = resources
        self.table = resources.table
        self.segments = segments
        self.page = page
        self.dry_run = dry_run
        self.told = told
        self.shape = present_shape(segments, (step.name for step in STEPS))
        self.report = Report()

    async def run(self) -> Report:
        begun = [await self._begun(number) for number in range(self.segments)]
        self.report.earlier = self._sum_up(begun).seen
        await asyncio.gather(*(self._segment(progress, begun) for progress in begun))
        self._sum_up(begun)
        if not self.dry_run:
            keys = (progress_of(number) for number in range(self.segments))
            await self.table.delete_many((key.pk, key.sk) for key in keys)
        return self.report

    def _sum_up(self, every: list[MigrationProgress]) -> Report:
        self.report.counts = {}
        for progress in every:
            for kind, (seen, changed) in progress.counts.items():
                sums = self.report.counts.setdefault(kind, [0, 0])
                self.report.counts[kind] = [sums[0] + seen, sums[1] + changed]
        return self.report

    async def _begun(self, segment: int) -> MigrationProgress:
        known = None if self.dry_run else await self.table.get(progress_of(segment))
        if known is not None and known.shape == self.shape:
            return known
        now = instant(self.resources.clock.now())
        return MigrationProgress(created_at=now, updated_at=now, segment=segment, shape=self.shape)

    async def _segment(self, progress: MigrationProgress, every: list[MigrationProgress]) -> None:
        while not progress.done:
            stretch = await walk(
                self.table,
                segment=progress.segment,
                segments=self.segments,
                start=progress.position,
                page=self.page,
            )
            counts = {kind: [*numbers] for kind, numbers in progress.counts.items()}
            for item in stretch.items:
                if item["PK"] != OUR_OWN:
                    await self._item(item, counts)
            now = instant(self.resources.clock.now())
            done = stretch.next is None
            progress = progress.evolve(now, position=stretch.next, done=done, counts=counts)
            every[progress.segment] = progress
            if not self.dry_run:
                await self.table.write(Put(progress))
            self.told(self._sum_up(every))

    async def _item(self, item: Wire, counts: Counts) -> None:
        """Whoever changes it meanwhile is not overwritten: then it is looked at again."""
        found: Wire | None = item
        for _ in range(ATTEMPTS):
            if found is None:
                return
            record, kind = self._read(found)
            try:
                outcome = await self._bring_up(found, record) if record else Outcome.RIGHT
            except CorruptItem:
                # Something that a step looks at: it must be put right first.
                outcome, kind = Outcome.RIGHT, self._unreadable(found)
            if outcome is not Outcome.MOVED:
                added(counts, kind, changed=outcome is Outcome.CHANGED)
                return
            found = await item_at(self.table, found)
        added(counts, BUSY)

    async def _bring_up(self, item: Wire, record: Record) -> Outcome:
        if self.dry_run:
            is_old = missing(record) or any(differences(item, item_of(record)))
            return Outcome.CHANGED if is_old else Outcome.RIGHT
        new = item_of(await upgraded(self.resources, record))
        if not any(differences(item, new)):
            return Outcome.RIGHT
        return Outcome.CHANGED if await amend(self.table, item, new) else Outcome.MOVED

    def _read(self, item: Wire) -> tuple[Record | None, str]:
        """The record and its kind; none of what is not ours or makes no sense."""
        entity = ENTITIES.get(item.get("entityType", {}).get("S", ""))
        if entity is None:
            return None, UNKNOWN
        try:
            record: Record = decoder_of(entity.cls)(item)
            place = item_of(record)
        except (CorruptItem, BadPart, ValueError, TypeError):
            return None, self._unreadable(item)
        if (place["PK"], place["SK"]) != (item["PK"], item["SK"]):
            return None, UNKNOWN
        return record, entity.name

    def _unreadable(self, item: Wire) -> str:
        if len(self.report.wrong) < MOST_NAMED:
            self.report.wrong.append(f"{item['PK']['S']} / {item['SK']['S']}")
        return UNREADABLE
