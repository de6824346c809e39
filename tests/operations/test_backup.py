"""backup and restore: everything, checked, continued after an interruption."""

import gzip
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from app.backup import copying
from app.backup.archive import BadBackup, verify
from app.backup.copying import back_up, restore
from app.core.errors import OperatorError
from app.settings import Settings
from app.table.codec import Wire
from app.table.definition import create_table
from app.table.gateway import Gateway
from app.table.scan import scan_page
from tests.api import Api, Person
from tests.conftest import REGION
from tests.operations.programs import command
from tests.servers import RunningServer
from tests.web.processes import ServerProcess

CREATE = "mutation ($t: String!) { createTask(input: {title: $t}) { id title } }"
TASKS = "{ tasks { items { title } } }"


class Interrupted(Exception):
    pass


def names_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def nothing(done: int, total: int | None) -> None:
    pass


def interrupt_after(items: int) -> Callable[[int, int | None], None]:
    def on_progress(done: int, total: int | None) -> None:
        if done >= items:
            raise Interrupted

    return on_progress


async def all_items(table: Gateway) -> dict[tuple[str, str], Wire]:
    found: dict[tuple[str, str], Wire] = {}
    start = None
    while True:
        page = await scan_page(table, segment=0, segments=1, start=start, page=500)
        found |= {(each["PK"]["S"], each["SK"]["S"]): each for each in page.items}
        start = page.next
        if start is None:
            return found


def with_table(settings: Settings, name: str) -> Settings:
    return settings.model_copy(update={"table_name": name})


@pytest.fixture
async def target(settings: Settings) -> AsyncIterator[tuple[Settings, Gateway]]:
    """An empty table of its own on the same engine."""
    changed = with_table(settings, f"restored_{uuid4().hex}")
    async with Gateway.open(
        table=changed.table_name, region=REGION, endpoint=settings.endpoint_url
    ) as table:
        await create_table(table)
        yield changed, table


async def test_a_restored_table_serves_its_users(
    settings: Settings,
    table: Gateway,
    target: tuple[Settings, Gateway],
    ada: Person,
    start_server: Callable[..., RunningServer],
    tmp_path: Path,
) -> None:
    await ada.gql(CREATE, t="Kept ünï")
    before = await all_items(table)
    count = await back_up(settings, tmp_path / "file", nothing)
    assert count == len(before) == verify(tmp_path / "file")
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600
    changed, restored = target
    assert await restore(changed, tmp_path / "file", nothing) == count
    assert await all_items(restored) == before
    assert names_in(tmp_path) == ["file"]
    async with Api(start_server(table_name=changed.table_name).url) as api:
        found = await api.gql(TASKS, headers=ada.headers)
    assert found["tasks"]["items"] == [{"title": "Kept ünï"}]


async def test_an_interrupted_backup_is_continued(
    settings: Settings, table: Gateway, ada: Person, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copying, "PAGE", 5)
    for n in range(5):
        await ada.gql(CREATE, t=f"{n}")
    file = tmp_path / "file"
    with pytest.raises(Interrupted):
        await back_up(settings, file, interrupt_after(10))
    assert not file.exists()
    with (tmp_path / "file.part").open("ab") as part:
        part.write(b"half a page, when the machine lost its power")
    seen: list[int] = []
    count = await back_up(settings, file, lambda done, total: seen.append(done))
    assert seen[0] == 15
    assert count == verify(file) == len(await all_items(table))


async def test_an_interrupted_restore_is_continued(
    settings: Settings,
    target: tuple[Settings, Gateway],
    ada: Person,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(copying, "PAGE", 5)
    for n in range(5):
        await ada.gql(CREATE, t=f"{n}")
    file = tmp_path / "file"
    count = await back_up(settings, file, nothing)
    changed, restored = target
    with pytest.raises(Interrupted):
        await restore(changed, file, interrupt_after(10))
    assert len(await all_items(restored)) == 10
    seen: list[int] = []
    assert await restore(changed, file, lambda done, total: seen.append(done)) == count
    assert seen[0] == 15
    assert len(await all_items(restored)) == count


async def test_a_table_with_items_is_left_alone(
    settings: Settings, table: Gateway, ada: Person, tmp_path: Path
) -> None:
    await back_up(settings, tmp_path / "file", nothing)
    await ada.gql(CREATE, t="Since then")
    before = await all_items(table)
    with pytest.raises(OperatorError, match="is not empty, and a restore would mix the two"):
        await restore(settings, tmp_path / "file", nothing)
    assert await all_items(table) == before


def lines_of(file: Path) -> list[bytes]:
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw, lines: raw[: len(raw) // 2],
        lambda raw, lines: gzip.compress(b"".join(lines[:-1])),
        lambda raw, lines: gzip.compress(b"".join(lines[:1] + lines[2:])),
        lambda raw, lines: gzip.compress(b"".join([lines[0], lines[2], lines[1], *lines[3:]])),
        lambda raw, lines: gzip.compress(b"".join(lines).replace(b"ada", b"bob")),
        lambda raw, lines: b"",
        lambda raw, lines: b"no backup",
        lambda raw, lines: gzip.compress(b"[]\n{}\n"),
    ],
    ids=["cut", "no end", "an item less", "order", "changed", "empty", "text", "other"],
)
async def test_a_damaged_file_restores_nothing(
    settings: Settings, target: tuple[Settings, Gateway], ada: Person, tmp_path: Path, damage: Any
) -> None:
    await ada.gql(CREATE, t="ada")
    file = tmp_path / "file"
    await back_up(settings, file, nothing)
    file.write_bytes(damage(file.read_bytes(), lines_of(file)))
    changed, restored = target
    with pytest.raises(BadBackup, match="Nothing was restored"):
        await restore(changed, file, nothing)
    assert await all_items(restored) == {}


async def test_the_commands_beside_a_running_server(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    file = tmp_path / "guildhall.backup"
    with ServerProcess(tmp_path / "a", DEMO="false") as first:
        async with Api(first.url) as api:
            ada = await api.sign_up()
            await ada.gql(CREATE, t="Kept")
        done = command("backup", str(file), DATA_DIR=str(tmp_path / "a"))
        assert (done.returncode, done.stderr.strip().startswith("Wrote ")) == (0, True), done.stderr
    secret = (tmp_path / "a" / "secret.key").read_text().strip()
    done = command("restore", str(file), DATA_DIR=str(tmp_path / "b"))
    assert (done.returncode, done.stderr.strip().startswith("Restored ")) == (0, True), done.stderr
    with ServerProcess(tmp_path / "b", DEMO="false", SECRET_KEY=secret) as second:
        async with Api(second.url) as api:
            found = await api.gql(TASKS, headers=ada.headers)
    assert found["tasks"]["items"] == [{"title": "Kept"}]
    assert names_in(tmp_path) == ["a", "b", "guildhall.backup"]
