"""The file of a backup: gzip, one JSON value per line: a header, the items, a trailer.

Each page of items is a gzip member of its own, so an interrupted file is continued after its last
whole page. The checksum is chained over the lines: sha256(checksum before + line).
"""

import gzip
import hashlib
import os
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from app.core.errors import OperatorError
from app.table.codec import Wire
from app.table.query_request import Position

FORMAT = "guildhall-backup"
VERSION = 1


class BadBackup(OperatorError):
    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} is no whole backup: {problem}. Nothing was restored from it.")


@dataclass(frozen=True, slots=True)
class BackupProgress:
    """How far a file is written: to continue it after an interruption."""

    table: str
    items: int = 0
    bytes: int = 0
    checksum: str = ""
    position: Position | None = None


def next_checksum(before: str, line: bytes) -> str:
    return hashlib.sha256(before.encode() + line).hexdigest()


class ArchiveWriter:
    """Writes FILE.part, with FILE.progress beside it; FILE exists only when it is whole.

    `resume`: continue an interrupted file of the same table."""

    def __init__(self, path: Path, table: str, *, resume: bool = True) -> None:
        self._path = path
        self._part = path.with_name(f"{path.name}.part")
        self._note = path.with_name(f"{path.name}.progress")
        self.progress = self._read_note(table) if resume else BackupProgress(table)
        # It holds everything that users have written.
        descriptor = os.open(self._part, os.O_RDWR | os.O_CREAT, 0o600)
        self._file = os.fdopen(descriptor, "r+b")
        self._file.truncate(self.progress.bytes)
        self._file.seek(self.progress.bytes)
        if not self.progress.bytes:
            self._append([{"format": FORMAT, "version": VERSION, "table": table}])

    def _read_note(self, table: str) -> BackupProgress:
        try:
            noted = BackupProgress(**orjson.loads(self._note.read_bytes()))
        except (OSError, ValueError, TypeError):
            return BackupProgress(table)
        usable = noted.table == table and self._part.exists()
        return (
            noted if usable and self._part.stat().st_size >= noted.bytes else BackupProgress(table)
        )

    def _append(self, values: Sequence[object]) -> None:
        lines = [orjson.dumps(value) + b"\n" for value in values]
        checksum = self.progress.checksum
        for line in lines:
            checksum = next_checksum(checksum, line)
        self._file.write(gzip.compress(b"".join(lines), compresslevel=6, mtime=0))
        self._file.flush()
        os.fsync(self._file.fileno())
        self.progress = replace(self.progress, bytes=self._file.tell(), checksum=checksum)

    def add_page(self, items: list[Wire], *, position: Position | None) -> None:
        self._append(items)
        items_so_far = self.progress.items + len(items)
        self.progress = replace(self.progress, items=items_so_far, position=position)
        draft = self._note.with_name(f"{self._note.name}.draft")
        draft.write_bytes(orjson.dumps(asdict(self.progress)))
        draft.replace(self._note)

    def finish(self) -> None:
        self._append([{"items": self.progress.items, "checksum": self.progress.checksum}])
        self._file.close()
        self._part.replace(self._path)
        self._note.unlink(missing_ok=True)

    def close(self) -> None:
        self._file.close()


def verify(path: Path) -> int:
    """How many items the backup has; raises BadBackup unless it is whole."""
    checksum, count, last = "", -1, b""
    try:
        with gzip.open(path, "rb") as lines:
            for line in lines:
                if last:
                    checksum = next_checksum(checksum, last)
                count, last = count + 1, line
    except (OSError, EOFError, zlib.error) as error:
        raise BadBackup(path, f"it cannot be read to its end ({error})") from None
    if count < 1 or _header(path).get("format") != FORMAT:
        raise BadBackup(path, "it does not begin as one")
    if _parse(last) != {"items": count - 1, "checksum": checksum}:
        raise BadBackup(path, "its checksum is not that of its content")
    return count - 1


def _header(path: Path) -> dict[str, Any]:
    with gzip.open(path, "rb") as lines:
        return _parse(lines.readline())


def _parse(line: bytes) -> dict[str, Any]:
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return {}
    return value if isinstance(value, dict) else {}


def read_pages(path: Path, *, count: int, skip: int, page: int) -> Iterator[list[Wire]]:
    """The items of a verified backup, `page` at a time, after the first `skip`."""
    with gzip.open(path, "rb") as lines:
        lines.readline()
        items: list[Wire] = []
        for number in range(count):
            line = lines.readline()
            if number >= skip:
                items.append(orjson.loads(line))
            if len(items) == page:
                yield items
                items = []
        if items:
            yield items
