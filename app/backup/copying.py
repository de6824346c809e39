"""Backup and restore of the whole table."""

import sqlite3
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

import orjson

from app.backup.archive import ArchiveWriter, read_pages, verify
from app.core.errors import OperatorError
from app.resources import open_table
from app.settings import Settings
from app.table.definition import check_table, create_table, reaching_store
from app.table.engine import DATABASE, EmbeddedEngine
from app.table.gateway import Gateway
from app.table.scan import put_items, scan_page

PAGE = 500
# How many items are done, of how many as far as is known.
OnItemsCopied = Callable[[int, int | None], None]


@asynccontextmanager
async def open_snapshot(settings: Settings) -> AsyncIterator[Gateway]:
    """The embedded engine's table at one moment, also while a server writes; else the table itself,
    which may change meanwhile."""
    database = settings.data_dir / DATABASE
    if not (settings.embedded_engine and database.exists()):
        async with open_table(settings) as table:
            yield table
        return
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=settings.data_dir)))
        copy_database(database, folder / DATABASE)
        engine = EmbeddedEngine(folder, settings.node_modules)
        url = await stack.enter_async_context(engine)
        copied = settings.model_copy(update={"endpoint_url": url})
        yield await stack.enter_async_context(open_table(copied))


def copy_database(source: Path, target: Path) -> None:
    """SQLite copies a consistent state, whoever writes meanwhile."""
    with closing(sqlite3.connect(source)) as origin, closing(sqlite3.connect(target)) as copy:
        origin.backup(copy)


async def back_up(settings: Settings, file: Path, on_progress: OnItemsCopied) -> int:
    """Writes all items to `file`; continues an interrupted one. How many there are."""
    async with open_snapshot(settings) as table, reaching_store(table):
        await check_table(table)
        total = (await table.describe()).get("ItemCount") or None
        # Another copy of the embedded engine's data is of another moment.
        writer = ArchiveWriter(file, table.table, resume=not settings.embedded_engine)
        with closing(writer):
            await _copy_pages(table, writer, lambda done: on_progress(done, total))
            writer.finish()
        return writer.progress.items


async def _copy_pages(
    table: Gateway, writer: ArchiveWriter, on_progress: Callable[[int], None]
) -> None:
    start = writer.progress.position
    if start is None and writer.progress.items:
        return
    while True:
        found = await scan_page(table, segment=0, segments=1, start=start, page=PAGE)
        writer.add_page(found.items, position=found.next)
        on_progress(writer.progress.items)
        start = found.next
        if start is None:
            return


@dataclass
class RestoreNote:
    """FILE.restored: how many items are written into which table, to continue there."""

    path: Path

    def read(self, target: str) -> int:
        try:
            noted = orjson.loads(self.path.read_bytes())
            return int(noted["items"]) if noted["target"] == target else 0
        except (OSError, ValueError, KeyError, TypeError):
            return 0

    def write(self, target: str, items: int) -> None:
        draft = self.path.with_name(f"{self.path.name}.draft")
        draft.write_bytes(orjson.dumps({"target": target, "items": items}))
        draft.replace(self.path)


async def restore(settings: Settings, file: Path, on_progress: OnItemsCopied) -> int:
    """Writes all items of `file` into an empty table; continues an interrupted restore."""
    count = verify(file)
    note = RestoreNote(file.with_name(f"{file.name}.restored"))
    async with open_table(settings) as table, reaching_store(table):
        if settings.development:
            await create_table(table)
        await check_table(table)
        target = f"{settings.data_dir if settings.embedded_engine else ''} {table.table}"
        done = note.read(target)
        if not done and await _has_items(table):
            raise OperatorError(
                f"The table {table.table} is not empty, and a restore would mix the two. "
                "Restore into a new one: set TABLE_NAME or DATA_DIR."
            )
        note.write(target, done)
        for items in read_pages(file, count=count, skip=done, page=PAGE):
            await put_items(table, items)
            done += len(items)
            note.write(target, done)
            on_progress(done, count)
    note.path.unlink()
    return count


async def _has_items(table: Gateway) -> bool:
    found = await scan_page(table, segment=0, segments=1, start=None, page=1)
    return bool(found.items)
