"""Charts: pictures for their owner, or by an address that expires."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest

from app.domains.tracking.rules.charts import BUILD_WORDS, Curve, HeatMap
from app.domains.tracking.rules.drawing import COLOURS, draw
from tests.api import Api, Person
from tests.people.test_accounts import DEACTIVATE
from tests.servers import TestClock
from tests.tracking.test_habits import log as log_habit
from tests.tracking.test_habits import new_habit
from tests.tracking.test_metrics import log, new_metric
from tests.travel import travel

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    clock.freeze(NOW)
    return await api.sign_up()


async def chart_url(person: Person, kind: str, record: dict[str, Any]) -> str:
    query = f"query ($id: ID!) {{ {kind}(id: $id) {{ chartUrl }} }}"
    address = (await person.gql(query, id=record["id"]))[kind]["chartUrl"]
    parts = urlsplit(address)
    assert parts.path == f"/charts/{kind}/{record['id']}.svg"
    return f"{parts.path}?{parts.query}"


def read(body: bytes) -> ElementTree.Element:
    """Well-formed, without anything that runs or is fetched, and with a style for each theme."""
    root = ElementTree.fromstring(body)
    assert root.tag == f"{SVG}svg"
    text = body.decode()
    assert "<script" not in text
    assert not re.search(r'(?:xlink:)?href="(?!#)', text)
    assert "prefers-color-scheme: dark" in text
    assert "var(--paper)" in text
    assert "#a0b0" not in text
    return root


async def test_the_chart_of_a_metric(person: Person) -> None:
    metric = await new_metric(
        person, name="Weight <b>&$x_1$ 体重", unit="kg", targetValue=80, thresholdHigh=90
    )
    for ago in range(30, -1, -1):
        at = (NOW - timedelta(days=ago)).isoformat()
        await log(person, metric, 85 + ago % 4, loggedAt=at)
    address = await chart_url(person, "metric", metric)
    answer = await person.api.http.get(address)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "private, max-age=60"
    root = read(answer.content)
    title = root.find(f"{SVG}title")
    assert title is not None
    assert title.text == "Weight <b>&$x_1$ 体重 (kg)"
    assert {"line", "mean", "target", "alert"} <= used(answer.text)


def words_in(body: bytes) -> list[str]:
    return [each.text or "" for each in read(body).iter(f"{SVG}text")]


LEGEND = ("value", "mean of 7 days", "target", "threshold")


async def chart_words(person: Person, kind: str, record: dict[str, Any]) -> list[str]:
    answer = await person.api.http.get(await chart_url(person, kind, record))
    return words_in(answer.content)


@pytest.mark.parametrize(
    ("fields", "days", "legend"),
    [
        ({}, 1, ["value"]),
        ({}, 2, ["value", "mean of 7 days"]),
        ({"targetValue": 3}, 1, ["value", "target"]),
        ({"thresholdLow": 3}, 1, ["value", "threshold"]),
        ({"thresholdLow": 3, "thresholdHigh": 9}, 1, ["value", "threshold"]),
        ({"aggregation": "sum"}, 2, ["value"]),
        ({"aggregation": "sum"}, 3, ["value", "mean of 7 days"]),
    ],
)
async def test_the_legend_names_what_is_drawn(
    person: Person, fields: dict[str, Any], days: int, legend: list[str]
) -> None:
    """With a day aggregation the mean ends yesterday."""
    metric = await new_metric(person, **fields)
    for ago in range(days):
        await log(person, metric, 5, loggedAt=(NOW - timedelta(days=ago)).isoformat())
    found = await chart_words(person, "metric", metric)
    assert [each for each in found if each in LEGEND] == legend


async def test_one_log_stands_in_the_middle_of_a_week(person: Person) -> None:
    metric = await new_metric(person, name="Weight", unit="kg")
    await log(person, metric, 80)
    found = await chart_words(person, "metric", metric)
    assert not any(":" in each for each in found), "no times of day"
    assert {"27", "Mar", "03"} & set(found)
    numbers = [float(each) for each in found if re.fullmatch(r"\d\d(\.\d)?", each)]
    assert any(each > 80 for each in numbers)


async def test_an_empty_chart_says_so(person: Person) -> None:
    metric = await new_metric(person)
    assert "No logs in the last year" in await chart_words(person, "metric", metric)
    assert "No logs yet" in await chart_words(person, "habit", await new_habit(person))


@pytest.mark.parametrize(
    ("kind", "logged", "legend"),
    [
        ("Build", {"2026-02-27": "DONE"}, ["done", "missed"]),
        ("Build", {"2026-02-27": "DONE", "2026-02-28": "SKIP"}, ["done", "skipped"]),
        ("Quit", {"2026-02-28": "SLIP"}, ["clean", "slip"]),
        ("Quit", {"2026-02-28": "SKIP"}, ["clean", "skipped or allowed"]),
    ],
)
async def test_the_legend_of_a_heat_map(
    person: Person, kind: str, logged: dict[str, str], legend: list[str]
) -> None:
    habit = await new_habit(person, habitType=kind, startDate="2026-02-27")
    for on, what in logged.items():
        await log_habit(person, habit, date=on, kind=what)
    found = await chart_words(person, "habit", habit)
    known = {"done", "missed", "skipped", "clean", "slip", "skipped or allowed"}
    assert [each for each in found if each in known] == legend


def drawn(text: str) -> str:
    """Without the legend."""
    return text.partition('<g id="legend')[0]


def used(text: str) -> set[str]:
    return {name for name in COLOURS if f": var(--{name})" in text}


async def test_the_chart_of_a_habit_is_a_year(person: Person) -> None:
    habit = await new_habit(person, startDate="2025-12-01")
    for ago, kind in ((3, "DONE"), (2, "SKIP"), (1, "DONE")):
        day = (NOW - timedelta(days=ago)).date().isoformat()
        await log_habit(person, habit, date=day, kind=kind)
    answer = await person.api.http.get(await chart_url(person, "habit", habit))
    root = read(answer.content)
    squares = [
        each
        for group in root.iter(f"{SVG}g")
        if str(group.get("id", "")).startswith("PatchCollection")
        for each in group.iter(f"{SVG}path")
    ]
    assert len(squares) == 365
    fills = [str(each.get("style")) for each in squares]
    assert sum("var(--done)" in each for each in fills) == 2
    assert sum("var(--neutral)" in each for each in fills) == 1
    # From 1 December to yesterday, but for these three days.
    assert sum("var(--missed)" in each for each in fills) == 87
    assert sum("var(--empty)" in each for each in fills) == 275


async def test_clean_days_are_the_good_ones(person: Person) -> None:
    habit = await new_habit(person, habitType="Quit", startDate="2026-02-01")
    await log_habit(person, habit, date="2026-02-10", kind="SLIP")
    answer = await person.api.http.get(await chart_url(person, "habit", habit))
    assert drawn(answer.text).count("fill: var(--done)") == 27
    assert drawn(answer.text).count("fill: var(--missed)") == 1


async def test_the_signed_in_owner_needs_no_signature(person: Person) -> None:
    metric = await new_metric(person)
    address = f"/charts/metric/{metric['id']}.svg"
    get = person.api.http.get
    assert (await get(address, headers=person.headers)).status_code == 200
    assert (await get(address)).status_code == 401
    bob = await person.api.sign_up()
    foreign = await get(address, headers=bob.headers)
    absent = await get("/charts/metric/absent.svg", headers=bob.headers)
    assert foreign.status_code == absent.status_code == 404
    assert foreign.json() == absent.json()
    assert (await get("/charts/user/x.svg", headers=bob.headers)).status_code == 404
    wrong = await get("/charts/metric/a%23b.svg", headers=person.headers)
    assert wrong.status_code == 400
    assert (await get(address, headers={"authorization": "Bearer x"})).status_code == 401


async def test_a_signed_url_opens_one_chart_for_one_day(person: Person, clock: TestClock) -> None:
    metric, other = await new_metric(person), await new_metric(person)
    address = await chart_url(person, "metric", metric)
    get = person.api.http.get
    assert (await get(address)).status_code == 200
    given = {name: value[0] for name, value in parse_qs(urlsplit(address).query).items()}
    tomorrow = int(NOW.timestamp()) + 86_400
    assert tomorrow <= int(given["expires"]) < tomorrow + 3_600
    assert int(given["expires"]) % 3_600 == 0
    assert await chart_url(person, "metric", metric) == address
    path = f"/charts/metric/{metric['id']}.svg"
    changed = [
        (f"/charts/metric/{other['id']}.svg", given),
        (f"/charts/habit/{metric['id']}.svg", given),
        (path, given | {"expires": str(int(given["expires"]) + 1)}),
        (path, given | {"user": "someone"}),
        (path, given | {"signature": "0" * 64}),
        (path, given | {"signature": ""}),
        (path, given | {"signature": "é"}),
        (path, {"signature": given["signature"]}),
    ]
    for where, query in changed:
        answer = await get(where, params=query)
        assert answer.status_code == 403, (where, query)
        assert answer.headers["content-type"].startswith("application/json")
    end = datetime.fromtimestamp(int(given["expires"]), UTC)
    await travel(clock, end - timedelta(seconds=1))
    assert (await get(address)).status_code == 200
    await travel(clock, end)
    assert (await get(address)).status_code == 403


async def test_a_hidden_account_shows_no_charts(person: Person) -> None:
    address = await chart_url(person, "metric", await new_metric(person))
    await person.gql(DEACTIVATE)
    assert (await person.api.http.get(address)).status_code == 404


@pytest.mark.parametrize(
    "values", [[], [5.0], [5.0, 5.0], [1e100, -1e100, 0.0], [0.1 * n for n in range(365)]]
)
def test_any_values_can_be_drawn(values: list[float]) -> None:
    days = [date(2025, 3, 1) + timedelta(days=number) for number in range(len(values))]
    body = draw(
        Curve("T\x07<>&]]>", "$", days, values, target=0.0, low=None, high=1.0, over=len(days))
    )
    assert read(body).findtext(f"{SVG}title") == "T<>&]]> ($)"
    text = drawn(body.decode())
    assert len(re.findall(r'<use [^>]*style="fill: var\(--line\)', text)) == len(values)
    for level in ("target", "alert"):
        assert text.count(f"stroke: var(--{level})") == bool(values)
    assert not re.search(r"\b(?:nan|inf)\b", text)


def test_a_leap_year_has_its_365_days() -> None:
    days = {date(2024, 2, 29): "done", date(2024, 1, 1): "missed"}
    text = drawn(draw(HeatMap("Read", date(2024, 12, 31), days, BUILD_WORDS)).decode())
    assert text.count("fill: var(--done)") == 1
    assert text.count("fill: var(--missed)") == 0
