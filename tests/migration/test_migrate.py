"""Old items in the present shape, on each engine, while others write."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
import strawberry

from app import demo
from app.core.scalars import AWSDateTime
from app.domains.goals import keys as goals_keys
from app.domains.goals.types import Goal, GoalStatus, GoalTask, Project, ProjectTask, Task
from app.domains.people import keys as people_keys
from app.domains.people.rules import level
from app.domains.people.types import UserStats
from app.jobs.runner import run_due
from app.migration import Migration, MigrationReport
from app.migration.keys import progress_of_segment
from app.migration.types import MigrationProgress
from app.resources import Resources, open_resources
from app.settings import ROOT, Settings
from app.table.codec import Wire
from app.table.gateway import Gateway
from app.table.scan import scan_page
from app.table.writes import Put, Update, item_of

MADE = AWSDateTime("2026-01-10T10:00:00.000Z")
STAMP: Any = {"created_at": MADE, "updated_at": MADE}


@pytest.fixture
async def resources(engine_endpoint: str, tmp_path: Path) -> AsyncIterator[Resources]:
    """On a table of its own: a migration looks at everything."""
    settings = Settings(
        _env_file=None,
        endpoint_url=engine_endpoint,
        table_name=f"migration_{uuid4().hex[:8]}",
        data_dir=tmp_path,
        password_memory_kib=1024,
        rate_factor=100_000,
        hiscores_url="http://127.0.0.1:9/",
    )
    async with open_resources(settings) as resources:
        yield resources
        await resources.table.client.delete_table(TableName=settings.table_name)


async def everything(table: Gateway) -> list[Wire]:
    found: list[Wire] = []
    start = None
    while True:
        stretch = await scan_page(table, segment=0, segments=1, start=start, page=100)
        found += stretch.items
        start = stretch.next
        if start is None:
            return sorted(found, key=lambda item: (item["PK"]["S"], item["SK"]["S"]))


async def goals(table: Gateway) -> list[Wire]:
    """Without the notes of what servers have changed."""
    return [item for item in await everything(table) if item["entityType"] == {"S": "Goal"}]


async def put(table: Gateway, *items: Wire) -> None:
    for item in items:
        await table.client.put_item(TableName=table.table, Item=item)


async def migrate(resources: Resources, **options: Any) -> MigrationReport:
    return await Migration(resources, **options).run()


def stats(user: str, **fields: Any) -> UserStats:
    return UserStats(**STAMP, user_id=user, **fields)


def goal(number: int = 0, **fields: Any) -> Goal:
    usual: Any = {"title": "g", "tasks_in_order": True} | fields
    return Goal(**STAMP, id=strawberry.ID(f"g{number:04}"), user_id="ada", **usual)


def without(item: Wire, *names: str) -> Wire:
    return {name: value for name, value in item.items() if name not in names}


def old_goal(number: int = 0) -> Wire:
    """From before versions, tags and the index of time horizons."""
    whole = item_of(goal(number, time_horizon=None))
    return without(whole, "version", "tags", "cachedProgress", "priority")


async def test_an_old_user_reads_0_and_is_filled(resources: Resources) -> None:
    table = resources.table
    await put(table, without(item_of(stats("ada")), "experiencePoints", "version"))
    read = await table.get(people_keys.stats_of_user("ada"))
    assert read
    assert (read.experience_points, level(read.experience_points), read.version) == (0, 1, 0)
    report = await migrate(resources)
    assert report.counts == {"UserStats": [1, 1]}
    [item] = await everything(table)
    assert item == item_of(stats("ada", version=0))
    assert item["experiencePoints"] == {"N": "0"}


async def test_index_keys_become_those_of_today(resources: Resources) -> None:
    """Missing ones come, false ones are put right, those of a former index go."""
    table = resources.table
    whole = item_of(goal(status=GoalStatus.Active, area="Health"))
    old = without(whole, "GSI3PK", "GSI3SK") | {
        "GSI2PK": {"S": "USER#ada#GOALS"},
        "GSI5PK": {"S": "FORMERLY"},
        "GSI5SK": {"S": "FORMERLY"},
    }
    await put(table, old)
    assert (await migrate(resources)).changed == 1
    assert await everything(table) == [whole]
    rows = await table.query(goals_keys.goals_by_area("ada", "Health"), limit=5)
    assert [each.id for each in rows.items] == ["g0000"]


async def test_unknown_and_unreadable_items_are_not_changed(resources: Resources) -> None:
    strange = {"PK": {"S": "ELSEWHERE"}, "SK": {"S": "1"}, "blob": {"B": "eA=="}}
    other = {"PK": {"S": "ELSEWHERE"}, "SK": {"S": "2"}, "entityType": {"S": "Ghost"}}
    misplaced = item_of(stats("ada")) | {"SK": {"S": "SOMEWHERE"}}
    broken = item_of(goal(1)) | {"status": {"S": "Nonsense"}}
    wrong = item_of(goal(2)) | {"cachedProgress": {"S": "many"}}
    later = item_of(goal(3)) | {"colour": {"S": "a later release's"}}
    await put(resources.table, strange, other, misplaced, broken, wrong, later)
    before = await everything(resources.table)
    report = await migrate(resources)
    assert report.counts == {"(unknown)": [3, 0], "(unreadable)": [2, 0], "Goal": [1, 0]}
    assert sorted(report.unreadable) == ["USER#ada / GOAL#g0001", "USER#ada / GOAL#g0002"]
    assert await everything(resources.table) == before


async def test_an_attribute_of_a_later_release_stays_when_the_rest_is_filled(
    resources: Resources,
) -> None:
    later = {"colour": {"S": "red"}, "picture": {"B": "eA=="}, "sizes": {"L": [{"N": "1"}]}}
    await put(resources.table, old_goal() | later)
    assert (await migrate(resources)).changed == 1
    [item] = await everything(resources.table)
    assert item == item_of(goal(version=0)) | later


async def test_a_dry_run_counts_and_writes_nothing(resources: Resources) -> None:
    unordered = item_of(goal(8, tasks_in_order=False))
    await put(resources.table, old_goal(1), old_goal(2), item_of(goal(3)), unordered)
    before = await everything(resources.table)
    report = await migrate(resources, dry_run=True)
    assert report.counts == {"Goal": [4, 3]}
    assert await everything(resources.table) == before


@pytest.mark.parametrize(("segments", "page"), [(1, 1), (1, 1000), (4, 3), (7, 2)])
async def test_every_item_once_and_a_second_time_nothing(
    resources: Resources, segments: int, page: int
) -> None:
    await put(resources.table, *(old_goal(number) for number in range(30)))
    report = await migrate(resources, segments=segments, page=page)
    assert report.counts == {"Goal": [30, 30]}
    after = await everything(resources.table)
    assert after == [item_of(goal(number, version=0)) for number in range(30)]
    again = await migrate(resources, segments=segments, page=page)
    assert (again.counts, again.earlier) == ({"Goal": [30, 0]}, 0)
    assert await everything(resources.table) == after


async def test_nothing_that_this_release_wrote_is_to_be_updated(resources: Resources) -> None:
    """All records of the demo and of the jobs, of every domain; they are filled if stripped."""
    await demo.ensure_demo(resources)
    await demo.fill_demo(resources)
    await run_due(resources, "worker")
    report = await migrate(resources, dry_run=True)
    assert {kind for kind, (_, changed) in report.counts.items() if changed} == set()
    assert {"Wallet", "HiscoresPage"} <= report.counts.keys()
    whole = await everything(resources.table)
    report = await migrate(resources)
    assert report.changed == 0
    assert not report.counts.keys() & {"(unknown)", "(unreadable)", "(busy)"}
    assert len(report.counts) > 40
    assert await everything(resources.table) == whole
    await put(resources.table, *(without(item, "version", "GSI1PK", "GSI1SK") for item in whole))
    await migrate(resources)
    assert await everything(resources.table) == [item | {"version": {"N": "0"}} for item in whole]


class ConcurrentWriter:
    """Does something to an item right before the migration writes it, once or always."""

    def __init__(self, table: Gateway, write: Any, *, always: bool = False) -> None:
        self._table, self._real = table, table._call
        self._write, self._always = write, always
        self.times = 0

    async def _call(self, operation: str, **parameters: Any) -> Any:
        if operation == "update_item" and (self._always or not self.times):
            self.times += 1
            await self._write(self.times)
        return await self._real(operation, **parameters)

    def __enter__(self) -> "ConcurrentWriter":
        self._table._call = self._call  # type: ignore[method-assign]
        return self

    def __exit__(self, *_: object) -> None:
        self._table._call = self._real  # type: ignore[method-assign]


async def test_a_concurrent_write_is_not_overwritten(resources: Resources) -> None:
    table = resources.table
    await put(table, old_goal())

    async def rename(time: int) -> None:
        await table.write(Update(goals_keys.goal("ada", "g0000"), put={"title": "renamed"}))

    with ConcurrentWriter(table, rename):
        report = await migrate(resources)
    assert report.counts["Goal"] == [1, 1]
    assert await goals(table) == [item_of(goal(title="renamed", version=0))]


async def test_an_attribute_that_comes_at_the_same_time_stays(resources: Resources) -> None:
    """One that the old item did not have, and that would have been filled with its default."""
    table = resources.table
    await put(table, old_goal())

    async def tag(time: int) -> None:
        await table.write(Update(goals_keys.goal("ada", "g0000"), put={"tags": ["new"]}))

    with ConcurrentWriter(table, tag):
        await migrate(resources)
    assert await goals(table) == [item_of(goal(tags=["new"], version=0))]


async def test_a_concurrent_replacement_wins(resources: Resources) -> None:
    table = resources.table
    await put(table, old_goal())
    new = goal(title="new", version=1)

    async def replace_it(time: int) -> None:
        await table.write(Put(new))

    with ConcurrentWriter(table, replace_it):
        report = await migrate(resources)
    assert report.counts["Goal"] == [1, 0]
    assert await goals(table) == [item_of(new)]


async def test_an_item_deleted_meanwhile_does_not_come_back(resources: Resources) -> None:
    table = resources.table
    await put(table, old_goal())

    async def delete(time: int) -> None:
        await table.delete_many([("USER#ada", "GOAL#g0000")])

    with ConcurrentWriter(table, delete):
        report = await migrate(resources)
    assert report.counts == {}
    assert await everything(table) == []


async def test_an_item_that_changes_at_every_attempt_is_counted_as_busy(
    resources: Resources,
) -> None:
    table = resources.table
    await put(table, old_goal())

    async def rename(time: int) -> None:
        await table.write(Update(goals_keys.goal("ada", "g0000"), put={"title": f"t{time}"}))

    with ConcurrentWriter(table, rename, always=True) as writer:
        report = await migrate(resources)
    assert report.counts["(busy)"] == [1, 0]
    assert await goals(table) == [old_goal() | {"title": {"S": f"t{writer.times}"}}]


# Upgrades


async def test_old_links_of_tasks_get_their_due_date(resources: Resources) -> None:
    """From the task they lead to; one whose task is gone comes last."""
    table = resources.table
    due = "2026-02-01T00:00:00.000Z"
    ids: Any = {"user_id": "ada", **STAMP}
    place = "2026-01-01T00:00:00.000Z"
    garden = Project(id=strawberry.ID("p"), name="p", **ids)
    records = [
        goal(tasks_in_order=False),
        garden,
        Task(id=strawberry.ID("dated"), title="t", due_at=AWSDateTime(due), **ids),
        Task(id=strawberry.ID("undated"), title="t", **ids),
        *(GoalTask(goal_id="g0000", task_id=each, **ids) for each in ("dated", "undated", "gone")),
        GoalTask(goal_id="g0000", task_id="placed", due=place, **ids),
        ProjectTask(project_id="p", task_id="dated", **ids),
    ]
    await put(table, *(item_of(each) for each in records))
    report = await migrate(resources)
    assert report.counts["Goal"] == report.counts["Project"] == [1, 1]
    rows = await table.query(goals_keys.tasks_of_goal_by_due("g0000"), limit=10)
    assert [(row.task_id, row.due) for row in rows.items] == [
        ("placed", place),
        ("dated", due),
        ("gone", "~"),
        ("undated", "~"),
    ]
    links = await table.query(goals_keys.tasks_of_project_by_due("p"), limit=10)
    assert [(row.task_id, row.due) for row in links.items] == [("dated", due)]
    assert await table.get(goals_keys.goal("ada", "g0000")) == goal(version=2)
    ordered = await table.get(goals_keys.project("ada", "p"))
    assert ordered == replace(garden, tasks_in_order=True, version=2)
    assert (await migrate(resources)).changed == 0


async def test_an_item_that_an_upgrade_cannot_read_does_not_stop_the_others(
    resources: Resources,
) -> None:
    ids: Any = {"user_id": "ada", **STAMP}
    broken = item_of(Task(id=strawberry.ID("t"), title="t", **ids)) | {"status": {"S": "Nonsense"}}
    link = item_of(GoalTask(goal_id="g0000", task_id="t", **ids))
    await put(resources.table, item_of(goal(tasks_in_order=False)), link, broken, old_goal(1))
    report = await migrate(resources)
    assert report.counts == {"(unreadable)": [2, 0], "GoalTask": [1, 0], "Goal": [1, 1]}
    assert sorted(report.unreadable) == ["USER#ada / GOAL#g0000", "USER#ada / TASK#t"]


async def test_an_upgrade_raises_the_version(
    resources: Resources,
) -> None:
    """A server that had read the goal before would write the old value back."""
    table = resources.table
    await put(table, without(item_of(goal(tasks_in_order=False)), "version"))
    await migrate(resources)
    assert await table.get(goals_keys.goal("ada", "g0000")) == goal(version=1)


# Interruptions


def command(resources: Resources, *options: str) -> tuple[list[str], dict[str, str]]:
    settings = resources.settings
    environment = os.environ | {
        "ENDPOINT_URL": str(settings.endpoint_url),
        "TABLE_NAME": settings.table_name,
        "DATA_DIR": str(settings.data_dir),
        "COLUMNS": "200",
    }
    return [sys.executable, "-m", "app", "migrate", *options], environment


async def run(resources: Resources, *options: str) -> str:
    arguments, environment = command(resources, *options)
    process = await asyncio.create_subprocess_exec(
        *arguments, cwd=ROOT, env=environment, stderr=asyncio.subprocess.PIPE
    )
    _, written = await process.communicate()
    assert process.returncode == 0, written.decode()
    return written.decode()


async def looked_at(table: Gateway) -> int:
    found = await table.get_many([progress_of_segment(segment) for segment in range(2)])
    return sum(seen for each in found if each for seen, _ in each.counts.values())


async def test_a_killed_migration_continues_where_it_stopped(resources: Resources) -> None:
    table = resources.table
    await put(table, *(old_goal(number) for number in range(120)))
    options = ("--segments", "2", "--page", "2")
    arguments, environment = command(resources, *options)
    process = await asyncio.create_subprocess_exec(
        *arguments, cwd=ROOT, env=environment, stderr=asyncio.subprocess.DEVNULL
    )
    while await looked_at(table) < 20:
        assert process.returncode is None
        await asyncio.sleep(0)
    process.kill()
    await process.wait()
    items = [item for item in await everything(table) if item["PK"]["S"] != "MIGRATION"]
    filled = [item for item in items if "tags" in item]
    earlier = await looked_at(table)
    assert 20 <= earlier <= len(filled) <= earlier + 4 < 120
    said = await run(resources, *options)
    assert f"which had read {earlier} items" in said
    assert await everything(table) == [item_of(goal(number, version=0)) for number in range(120)]
    assert "120 items read, 0 updated." in await run(resources, *options)


async def test_the_progress_of_another_release_is_not_continued(resources: Resources) -> None:
    table = resources.table
    await put(table, old_goal())
    done = MigrationProgress(**STAMP, segment=0, shape="another", done=True, counts={"X": [9, 9]})
    await table.write(Put(done))
    report = await migrate(resources, segments=1)
    assert report.earlier == 0
    assert report.counts["Goal"] == [1, 1]
    assert await everything(table) == [item_of(goal(version=0))]


async def test_the_command_counts_and_names_unreadable_items(resources: Resources) -> None:
    broken = item_of(goal(1)) | {"status": {"S": "Nonsense"}}
    await put(resources.table, old_goal(), broken)
    said = await run(resources, "--dry-run")
    assert "2 items read, 1 to update." in said
    assert "Not changed, cannot be read: USER#ada / GOAL#g0001" in said
    assert await everything(resources.table) == [old_goal(), broken]
