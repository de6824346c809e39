"""Logs from and to CSV files: whole, once, and begun again where they were broken off."""

import asyncio
import csv
import dataclasses
import io
import os
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from app import log_files
from app.domains.tracking import keys
from app.domains.tracking.rules.csv_files import (
    METRIC_COLUMNS,
    HabitRow,
    InvalidFile,
    MetricRow,
    MetricSetup,
    metric_cells,
    read_rows,
    to_csv_lines,
)
from app.domains.tracking.rules.metrics import state_from_logs
from app.domains.tracking.types import Aggregation, Direction, LogKind, MetricLog
from app.resources import Resources
from app.settings import Settings
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.rewards.test_wallet import sums
from tests.servers import RunningServer, TestClock
from tests.tracking.records import metric
from tests.tracking.test_habits import HABITS, kinds, new_habit
from tests.tracking.test_habits import check_caches as check_habit
from tests.tracking.test_habits import log as log_habit
from tests.tracking.test_metrics import METRICS, check_caches, log, logs, new_metric

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

Import = Callable[..., Any]


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    clock.freeze(NOW)
    return await api.sign_up(timeZone="America/Los_Angeles")


@pytest.fixture
def resources(server: RunningServer, table: Gateway) -> Resources:
    resources: Resources = server.app.state.resources
    return dataclasses.replace(resources, table=table)


@pytest.fixture
def import_text(resources: Resources, tmp_path: Path) -> Import:
    async def run(person: Person, text: str, **setup: Any) -> tuple[int, int]:
        file = tmp_path / "logs.csv"
        file.write_text(text, encoding="utf-8")
        quiet = Console(file=io.StringIO())
        given = MetricSetup(**setup)
        result = await log_files.import_logs(resources, person.email, file, quiet, given)
        return result.added, result.existing

    return run


@pytest.fixture
def export_text(resources: Resources, tmp_path: Path) -> Callable[..., Any]:
    async def run(person: Person, *, habits: bool = False) -> str:
        file = tmp_path / "out.csv"
        await log_files.export_logs(resources, person.email, habits=habits, output=file)
        return file.read_bytes().decode()

    return run


def sheet(days: int, name: str = "Weight") -> str:
    lines = ["metric,loggedAt,value,notes,unit,direction,aggregation"]
    for ago in range(days, 0, -1):
        at = (NOW - timedelta(days=ago)).isoformat()
        lines.append(f"{name},{at},{80 + ago % 3}.5,,kg,Lower,last")
    return "\n".join(lines)


async def test_a_file_becomes_a_metric_and_its_logs(
    person: Person, import_text: Import, table: Gateway
) -> None:
    assert await import_text(person, sheet(150)) == (150, 0)
    (metric,) = (await person.gql(METRICS))["metrics"]["items"]
    assert (metric["name"], metric["streak"]) == ("Weight", 150)
    first = (await logs(person, metric, limit=1))[0]
    assert (first["value"], first["date"]) == ("80.5", "2025-10-02")
    await check_caches(table, person, metric)
    paid = await sums(table, person.id)
    assert paid.balance == 350 + 1500 + 5000 + 175 + 750


async def test_a_second_import_adds_nothing(
    person: Person, import_text: Import, table: Gateway
) -> None:
    twice = "\nWeight,2026-02-01T00:00:00Z,80,twice,,,"
    text = sheet(40) + 2 * twice
    assert await import_text(person, text) == (42, 0)
    assert await import_text(person, text) == (0, 42)
    assert await import_text(person, sheet(41)) == (1, 40)
    (metric,) = (await person.gql(METRICS))["metrics"]["items"]
    assert len(await logs(person, metric, limit=100)) == 43
    await check_caches(table, person, metric)


async def test_an_interrupted_import_is_completed_by_the_next(
    api: Api, clock: TestClock, import_text: Import, table: Gateway
) -> None:
    """Cut before each of its calls in turn, until it comes through uncut."""
    clock.freeze(NOW)
    text, cuts = sheet(101), 0
    while True:
        person = await api.sign_up()
        cut = await interrupted_at(table, cuts, import_text(person, text))
        if not cut:
            break
        cuts += 1
        added, there = await import_text(person, text)
        assert added + there == 101
        (metric,) = (await person.gql(METRICS))["metrics"]["items"]
        found = [each async for each in table.query_all(keys.logs_of_metric(metric["id"]))]
        stored = await table.get(keys.metric(person.id, metric["id"]))
        assert stored is not None
        assert len(found) == 101
        assert stored.state == state_from_logs(each.logged_value for each in found)
        assert (await sums(table, person.id)).balance == 350 + 1500 + 5000 + 175 + 750
    assert cuts >= 6


class PowerCut(BaseException):
    """The process ends here, whatever it was doing."""


async def interrupted_at(table: Gateway, number: int, work: Any) -> bool:
    real, seen = table._call, 0

    async def call(operation: str, **parameters: object) -> dict[str, Any]:
        nonlocal seen
        seen += 1
        if seen > number:
            raise PowerCut
        return await real(operation, **parameters)

    with patch.object(table, "_call", call):
        try:
            await work
        except PowerCut:
            return True
    return False


async def test_logs_find_their_metric_by_name_or_id_and_come_between(
    person: Person, import_text: Import, table: Gateway
) -> None:
    metric = await new_metric(person, name="Weight")
    other = await new_metric(person, name="Steps")
    await log(person, metric, 79)
    assert await import_text(person, sheet(3)) == (3, 0)
    assert await import_text(person, sheet(2, name=other["id"])) == (2, 0)
    assert len(await logs(person, metric)) == 4
    assert len(await logs(person, other)) == 2
    await check_caches(table, person, metric)


async def test_an_export_imported_again_adds_nothing(
    person: Person, import_text: Import, export_text: Callable[..., Any], bob: Person
) -> None:
    metric = await new_metric(person, name='=HYPERLINK("x")')
    for value, notes in ((-1, "-2+3"), ("0.1", 'said "a, b"\nand c'), (5, "'=quoted"), (6, None)):
        await log(person, metric, value, notes=notes)
    text = await export_text(person)
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == list(METRIC_COLUMNS)
    assert [row[0] for row in rows[1:]] == ['\'=HYPERLINK("x")'] * 4
    assert [row[2] for row in rows[1:]] == ["-1", "0.1", "5", "6"]
    assert rows[1][3] == "'-2+3"
    assert await import_text(person, text) == (0, 4)
    assert await import_text(bob, text) == (4, 0)
    (copy,) = (await bob.gql(METRICS))["metrics"]["items"]
    assert copy["name"] == '=HYPERLINK("x")'
    assert (await export_text(bob)) == text


async def test_habit_logs_are_imported_and_exported(
    person: Person, import_text: Import, export_text: Callable[..., Any], table: Gateway
) -> None:
    days = [date(2026, 3, 1) - timedelta(days=ago) for ago in range(100, -1, -1)]
    text = "habit,date,kind\n" + "\n".join(f"Read,{day},DONE" for day in days)
    assert await import_text(person, text) == (101, 0)
    assert await import_text(person, text) == (0, 101)
    (habit,) = (await person.gql(HABITS))["habits"]["items"]
    assert habit["streak"] == 101
    await check_habit(table, person, habit, days[-1])
    exported = await export_text(person, habits=True)
    assert exported.splitlines()[:2] == [
        "habit,date,kind,notes,type",
        f"Read,{days[0]},DONE,,Build",
    ]
    assert await import_text(person, exported) == (0, 101)


METRIC_SETUP = "{ metrics { items { id name unit direction aggregation } } }"
UNKNOWN = "metric,loggedAt,value\nSteps,2026-02-01,5000\nWeight,2026-02-01,80"


async def test_an_unknown_metric_is_not_guessed(
    person: Person, import_text: Import, table: Gateway
) -> None:
    """Nothing of the file is imported or paid, also not of metrics that are known."""
    known = await new_metric(person, name="Steps")
    with pytest.raises(InvalidFile, match="You have no metric “Weight”"):
        await import_text(person, UNKNOWN)
    only_direction = "metric,loggedAt,value,direction\nWeight,2026-02-01,80,Lower"
    with pytest.raises(InvalidFile, match="--aggregation"):
        await import_text(person, only_direction)
    assert len((await person.gql(METRICS))["metrics"]["items"]) == 1
    assert await logs(person, known) == []
    assert (await sums(table, person.id)).transactions == []
    setup = {"unit": "kg", "direction": Direction.Lower, "aggregation": Aggregation.mean}
    assert await import_text(person, UNKNOWN, **setup) == (2, 0)
    assert await import_text(person, UNKNOWN, **setup) == (0, 2)
    found = {
        each.pop("name"): each for each in (await person.gql(METRIC_SETUP))["metrics"]["items"]
    }
    assert found["Weight"] | {"id": ""} == {
        "id": "", "unit": "kg", "direction": "Lower", "aggregation": "mean"
    }  # fmt: skip
    assert found["Steps"]["direction"] == "Higher"


async def test_the_file_says_how_a_metric_is_made(person: Person, import_text: Import) -> None:
    text = (
        "Metric,LOGGEDAT,Value,Unit,Direction,AGGREGATION\n"
        "Water,2026-02-01,1,glasses,higher,SUM\nwater,2026-02-02,2,,,\n"
    )
    assert await import_text(person, text) == (2, 0)
    (made,) = (await person.gql(METRIC_SETUP))["metrics"]["items"]
    assert (made["name"], made["unit"], made["direction"], made["aggregation"]) == (
        "Water", "glasses", "Higher", "sum"
    )  # fmt: skip
    differs = "metric,loggedAt,value,direction,aggregation\nA,2026-02-01,1,Higher,sum\n"
    with pytest.raises(InvalidFile, match="differ in unit, direction or aggregation"):
        await import_text(person, differs + "A,2026-02-01,1,Lower,sum")
    with pytest.raises(InvalidFile, match="direction must be one of Higher, Lower, Target"):
        await import_text(person, differs + "A,2026-02-01,1,up,sum")


@pytest.mark.parametrize(
    ("said", "at", "day"),
    [
        ("2026-01-15", "2026-01-15T20:00:00.000Z", "2026-01-15"),
        ("2026-07-15", "2025-07-15T19:00:00.000Z", "2025-07-15"),
        ("2026-01-15T23:30", "2026-01-16T07:30:00.000Z", "2026-01-15"),
        ("2026-01-15 23:30:05", "2026-01-16T07:30:05.000Z", "2026-01-15"),
        ("2026-01-15T23:30Z", "2026-01-15T23:30:00.000Z", "2026-01-15"),
        ("2026-01-15T23:30+13:00", "2026-01-15T10:30:00.000Z", "2026-01-15"),
        ("2026-01-15T03:30Z", "2026-01-15T03:30:00.000Z", "2026-01-14"),
        # It is 4 in the morning there: noon of today is still to come.
        ("2026-03-01", "2026-03-01T20:00:00.000Z", "2026-03-01"),
    ],
)
async def test_times_without_an_offset_are_the_users(
    person: Person, import_text: Import, said: str, at: str, day: str
) -> None:
    metric = await new_metric(person, name="Weight")
    text = f"metric,loggedAt,value\nWeight,{said.replace('2026-07', '2025-07')},80"
    assert await import_text(person, text) == (1, 0)
    assert await import_text(person, text) == (0, 1)
    (found,) = await logs(person, metric)
    assert (found["loggedAt"], found["date"]) == (at, day)


async def test_slips_come_and_go(
    person: Person, import_text: Import, export_text: Callable[..., Any], bob: Person
) -> None:
    """A file of release 0.1 has DONE for a slip."""
    habit = await new_habit(person, name="Smoking", habitType="Quit", startDate="2026-02-01")
    old = "habit,date,kind\nSmoking,2026-02-10,DONE\nsmoking,2026-02-11,slip"
    assert await import_text(person, old) == (2, 0)
    assert await kinds(person, habit) == {"2026-02-10": "SLIP", "2026-02-11": "SLIP"}
    text = await export_text(person, habits=True)
    assert text.splitlines()[1] == "Smoking,2026-02-10,SLIP,,Quit"
    assert await import_text(bob, text) == (2, 0)
    assert await export_text(bob, habits=True) == text
    reading = await new_habit(person, name="Read")
    with pytest.raises(InvalidFile, match="SLIP is for habits to reduce or quit"):
        await import_text(person, "habit,date,kind\nRead,2026-02-10,SLIP")
    with pytest.raises(InvalidFile, match="need a column type"):
        await import_text(person, "habit,date,kind\nSweets,2026-02-10,SLIP")
    assert await kinds(person, reading) == {}


async def test_a_day_that_has_a_log_keeps_it(person: Person, import_text: Import) -> None:
    habit = await new_habit(person, name="Read")
    await log_habit(person, habit, date="2026-03-01", kind="SKIP")
    text = "habit,date,kind\nRead,2026-03-01,DONE\nRead,2026-02-28,MISSED"
    assert await import_text(person, text) == (1, 1)
    assert await kinds(person, habit) == {"2026-02-28": "MISSED", "2026-03-01": "SKIP"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "first line"),
        ("a,b\n1,2", "first line"),
        ("metric,value\nx,1", "first line"),
        ("metric,loggedAt,value\nx,2026-01-01T00:00:00Z,NaN", "Line 2"),
        ("metric,loggedAt,value\nx,yesterday,1", "Line 2"),
        ("metric,loggedAt,value\nx,2026-01-01T00:00:00Z,1\nx,2026-01-01T00:00:00Z", "Line 3"),
        ("metric,loggedAt,value\nx,2026-01-01T00:00:00Z,1,2", "Line 2"),
        ("metric,loggedAt,value\n ,2026-01-01T00:00:00Z,1", "Line 2"),
        ("metric,loggedAt,value,id\nx,2026-01-01T00:00:00Z,1,a#b", "Line 2"),
        ("metric,loggedAt,value\nx,2026-03-02T00:00:00Z,1", "between 1970 and now"),
        ("habit,date\nx,2026-02-30", "Line 2"),
        ("habit,date,kind\nx,2026-01-01,MAYBE", "Line 2"),
        ("habit,date\nx,2026-03-02", "up to today"),
        ('metric,loggedAt,value\n"x,2026', "Line"),
    ],
)
async def test_a_file_with_one_invalid_line_is_refused(
    person: Person, import_text: Import, text: str, said: str
) -> None:
    with pytest.raises(Exception, match=said):
        await import_text(person, text)
    assert (await person.gql(METRICS))["metrics"]["items"] == []
    assert (await person.gql(HABITS))["habits"]["items"] == []


def test_every_invalid_line_is_named_up_to_twenty() -> None:
    lines = ["metric,loggedAt,value", *["x,never,1"] * 30]
    with pytest.raises(InvalidFile) as problem:
        read_rows(lines)
    assert len(problem.value.message.splitlines()) == 20


def test_a_file_from_a_spreadsheet() -> None:
    """With a mark of the byte order stripped by the reader, CRLF, quotes and offsets."""
    text = 'metric,loggedAt,value,notes\r\n"Weight, am",2026-01-01T08:00+01:00, 80.50 ,"a\r\nb"\r\n'
    (row,) = read_rows(io.StringIO(text, newline=""))
    assert isinstance(row, MetricRow)
    assert (row.metric, str(row.value), row.notes) == ("Weight, am", "80.5", "a\r\nb")
    assert row.logged_at == "2026-01-01T07:00:00.000Z"
    (habit,) = read_rows(["habit,date", "Read,2026-01-01"])
    assert habit == HabitRow("Read", date(2026, 1, 1), LogKind.DONE, None)


words = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)


@given(words.map(str.strip).filter(bool), st.none() | words, st.decimals(-9, 9, places=3))
def test_what_is_written_is_read(name: str, notes: str | None, value: Any) -> None:
    log = MetricLog(
        id="l1",  # type: ignore[arg-type]
        created_at=TIME,
        updated_at=TIME,
        user_id="u",
        metric_id="m",  # type: ignore[arg-type]
        value=value,
        notes=notes,
        logged_at=TIME,
        date="2026-01-01",  # type: ignore[arg-type]
    )
    cells = metric_cells(metric(name=name, unit="kg", direction=Direction.Lower), log)
    text = "".join(to_csv_lines(METRIC_COLUMNS, [cells]))
    (row,) = read_rows(io.StringIO(text, newline=""))
    assert isinstance(row, MetricRow)
    assert (row.metric, row.notes, row.value, row.id) == (name, notes, value, "l1")
    assert row.setup == MetricSetup("kg", Direction.Lower, Aggregation.last)


TIME: Any = "2026-01-01T07:00:00.000Z"


async def test_the_commands(ada: Person, settings: Settings, tmp_path: Path, root: Path) -> None:
    file = tmp_path / "logs.csv"
    file.write_text("metric,loggedAt,value\nWeight,2026-01-01T08:00:00Z,80.5\n")

    async def command(*arguments: str) -> tuple[int, str, str]:
        environment = {
            "ENDPOINT_URL": str(settings.endpoint_url),
            "DATA_DIR": str(settings.data_dir),
            "DEMO": "false",
        }
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "app",
            *arguments,
            cwd=root,
            env=os.environ | environment,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
        return process.returncode or 0, out.decode(), err.decode()

    code, _, said = await command("import-logs", str(file), "--email", ada.email)
    assert (code, "You have no metric “Weight”." in said) == (1, True)
    setup = ("--unit", "kg", "--direction", "lower", "--aggregation", "LAST")
    code, _, said = await command("import-logs", str(file), "--email", ada.email, *setup)
    assert (code, "1 log(s) added, 0 existed already." in said) == (0, True)
    code, out, _ = await command("export-logs", "--email", ada.email)
    assert code == 0
    assert out.splitlines()[1].startswith("Weight,2026-01-01T08:00:00.000Z,80.5,,")
    assert out.splitlines()[1].endswith(",kg,Lower,last")
    code, _, said = await command("import-logs", str(file), "--email", "nobody@example.com")
    assert (code, "There is no such user." in said) == (1, True)


async def test_a_file_in_another_encoding_is_refused(
    person: Person, resources: Resources, tmp_path: Path
) -> None:
    file = tmp_path / "logs.csv"
    file.write_bytes(b"metric,loggedAt,value\n\xff\xfe")
    with pytest.raises(InvalidFile, match="not in UTF-8"):
        await log_files.import_logs(resources, person.email, file, Console(file=io.StringIO()))
