"""Insights: found for real in the logs, kept while they are true, hidden when they expire."""

import dataclasses
import json
import math
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from app.core.caller import acting_for
from app.domains.tracking import keys
from app.domains.tracking.rules.insights import Finding, Series
from app.domains.tracking.rules.statistics import (
    anomalies,
    correlation,
    level_of,
    prediction,
    trend_pattern,
    two_digits,
    weekday_pattern,
)
from app.domains.tracking.service.insights import Insights
from app.domains.tracking.types import Direction, InsightType
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.servers import RunningServer, TestClock
from tests.tracking.test_metrics import log, new_metric
from tests.travel import travel

INSIGHTS = """
query ($id: ID!, $type: InsightType, $limit: Int, $nextToken: String) {
  metric(id: $id) {
    insights(type: $type, limit: $limit, nextToken: $nextToken) {
      items { id metricId type summary confidence content cachedAt expiresAt } nextToken
    }
  }
}
"""
MONDAY = date(2026, 1, 5)
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


def series(
    values: Sequence[float], *, direction: Direction = Direction.Higher, target: float | None = None
) -> Series:
    days = [MONDAY + timedelta(days=number) for number in range(len(values))]
    return Series("m", "Steps", "count", direction, target, days, values)


def test_weekdays_that_differ_are_a_pattern() -> None:
    values = [10.0 + day % 7 % 2 * 0.1 + (50 if day % 7 == 5 else 0) for day in range(42)]
    (found,) = weekday_pattern(series(values))
    assert found.type is InsightType.pattern
    assert (found.content["kind"], found.content["highest"]) == ("weekday", "Saturday")
    assert found.content["means"]["Saturday"] == 60.1
    assert found.confidence > 0.95
    assert found.summary.startswith("Steps is highest on Saturdays and lowest on ")


def test_what_is_the_same_every_day_is_no_pattern() -> None:
    assert weekday_pattern(series([5.0] * 42)) == []
    assert trend_pattern(series([5.0] * 42)) == []
    assert weekday_pattern(series([1.0, 9.0] * 6)) == []
    assert weekday_pattern(series([])) == []


def test_a_trend_is_given_per_week() -> None:
    (found,) = trend_pattern(series([2.0 * day for day in range(14)]))
    assert (found.content["kind"], found.content["perWeek"]) == ("trend", 14.0)
    assert found.summary == "Steps rises by 14 count a week."


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0"), (72.4499, "72"), (12_345, "12000"), (0.0031416, "0.0031"), (99.6, "100"), (5, "5")],
)
def test_sentences_say_two_significant_digits(value: float, said: str) -> None:
    assert two_digits(value) == said


def test_a_prediction_says_two_digits_and_keeps_the_rest() -> None:
    values = [70.1234 + number * 0.3131 for number in range(10)]
    (found,) = prediction(series(values), date(2026, 1, 20))
    soon = found.content["points"][-1]
    assert f"should be about {soon['value']:.2g} " in found.summary
    assert len(str(soon["value"])) > 4
    assert trend_pattern(series([2.0 * day for day in range(13)])) == []


@pytest.mark.parametrize(
    ("score", "level"),
    [(1.99, None), (2.0, "low"), (-2.4, "low"), (2.5, "medium"), (3.0, "high"), (-9.0, "high")],
)
def test_levels_of_anomalies(score: float, level: str | None) -> None:
    assert level_of(score) == level


def test_anomalies_are_far_from_the_median() -> None:
    """Median 3, median deviation 1: z = 0.6745 (x - 3)."""
    found = anomalies(series([1, 2, 3, 4, 5, 3, 3, 2, 4, 100]))
    assert [(each.content["value"], each.content["severity"]) for each in found] == [(100, "high")]
    assert found[0].content["z"] == pytest.approx(0.6745 * 97, rel=1e-5)
    assert found[0].content["date"] == "2026-01-14"


def test_no_deviation_is_no_anomaly() -> None:
    assert anomalies(series([5, 5, 5, 5, 5, 100])) == []
    assert anomalies(series([1, 2, 3, 100])) == []


def test_correlation_is_of_ranks_on_the_same_days() -> None:
    days = range(14)
    mine = series([float(day) for day in days])
    theirs = series([math.exp(day) for day in days])
    (found,) = correlation(mine, theirs)
    assert (found.content["r"], found.content["days"]) == (1.0, 14)
    (turned,) = correlation(mine, series([-float(day) for day in days]))
    assert (turned.content["r"], turned.summary) == (-1.0, "Steps moves against Steps.")
    assert correlation(series([float(day) for day in range(13)]), theirs) == []
    assert correlation(mine, series([1.0] * 14)) == []
    assert correlation(mine, series([float(day * 7 % 14) for day in days])) == []


def test_prediction_is_least_squares_with_a_band() -> None:
    """y = 10 + 2x exactly; today is day 9."""
    today = MONDAY + timedelta(days=9)
    (found,) = prediction(series([10.0 + 2 * day for day in range(10)], target=50), today)
    assert (found.content["perDay"], found.content["rSquared"]) == (2.0, 1.0)
    week = found.content["points"][0]
    assert week["date"] == "2026-01-21"
    assert (week["value"], week["low"], week["high"]) == (42.0, 42.0, 42.0)
    assert found.content["targetDate"] == "2026-01-25"


def test_the_band_of_a_known_example() -> None:
    """y = 1, 3, 2, 5, 4 at x = 0..4: slope 0.8, s = sqrt(3.6 / 3), t(0.975, 3) = 3.18245."""
    today = MONDAY + timedelta(days=4)
    (found,) = prediction(series([1, 3, 2, 5, 4]), today)
    point = found.content["points"][0]
    margin = 3.182446 * math.sqrt(1.2) * math.sqrt(1 + 1 / 5 + (11 - 2) ** 2 / 10)
    assert point["value"] == pytest.approx(1.4 + 0.8 * 11)
    assert point["high"] - point["value"] == pytest.approx(margin, rel=1e-4)
    assert found.content["targetDate"] is None


def test_no_target_date_if_the_trend_leads_away() -> None:
    rising = [10.0 + 2 * day for day in range(10)]
    today = MONDAY + timedelta(days=9)

    def reached(direction: Direction, target: float) -> object:
        (found,) = prediction(series(rising, direction=direction, target=target), today)
        return found.content["targetDate"]

    assert reached(Direction.Lower, 0) is None
    assert reached(Direction.Higher, 5) is None
    assert reached(Direction.Higher, 1e9) is None
    assert reached(Direction.Target, 30) == "2026-01-15"
    (flat,) = prediction(series([5.0] * 5, target=6), today)
    assert (flat.content["targetDate"], flat.confidence) == (None, 0.0)
    assert prediction(series([1.0, 2, 3, 4]), today) == []


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    clock.freeze(NOW)
    return await api.sign_up()


async def fill(person: Person, value: Callable[[int], float], **fields: object) -> dict[str, Any]:
    """Twenty days, the last of them today."""
    metric = await new_metric(person, **fields)
    for ago in range(19, -1, -1):
        at = (NOW - timedelta(days=ago)).isoformat()
        await log(person, metric, value(19 - ago), loggedAt=at)
    return metric


async def insights(
    person: Person, metric: dict[str, Any], kind: str | None = None, **more: object
) -> list[dict[str, Any]]:
    answer = await person.gql(INSIGHTS, id=metric["id"], type=kind, **more)
    found: list[dict[str, Any]] = answer["metric"]["insights"]["items"]
    return found


async def test_insights_are_in_the_graph(person: Person, table: Gateway) -> None:
    steps = await fill(person, lambda day: 100 + 10 * day, name="Steps", targetValue=500)
    sleep = await fill(person, lambda day: 9 - day / 10, name="Sleep")
    found = await insights(person, steps)
    assert {each["type"] for each in found} == {"pattern", "correlation", "prediction"}
    by_type = {each["type"]: each for each in found}
    content = json.loads(by_type["correlation"]["content"])
    assert (content["metricId"], content["r"], content["days"]) == (sleep["id"], -1.0, 20)
    predicted = json.loads(by_type["prediction"]["content"])
    assert (predicted["perDay"], predicted["targetDate"]) == (10.0, "2026-03-22")
    assert by_type["prediction"]["cachedAt"] == "2026-03-01T12:00:00.000Z"
    assert by_type["prediction"]["expiresAt"] == "2026-03-02T12:00:00.000Z"
    only = await insights(person, steps, "prediction")
    assert only == [by_type["prediction"]]
    items = [i async for i in table.partition(f"METRIC#{steps['id']}")]
    kept = [item for item in items if item["SK"]["S"].startswith("INSIGHT#prediction#2026-03-01T")]
    assert len(kept) == 1
    assert kept[0]["ttl"] == {"N": str(int((NOW + timedelta(days=1)).timestamp()))}
    assert kept[0]["content"]["M"]["perDay"] == {"N": "10"}


async def test_an_outlier_is_an_anomaly(person: Person) -> None:
    metric = await fill(person, lambda day: 500 if day == 19 else 100 + day % 5)
    (found,) = await insights(person, metric, "anomaly")
    assert json.loads(found["content"])["value"] == 500
    assert json.loads(found["content"])["severity"] == "high"


async def test_a_new_log_invalidates(person: Person, table: Gateway) -> None:
    metric = await fill(person, lambda day: 100 + day % 5)
    assert await insights(person, metric, "anomaly") == []
    await log(person, metric, 900)
    (found,) = await insights(person, metric, "anomaly")
    assert "900" in found["summary"]
    stored = [each async for each in table.query_all(keys.insights_of_metric(metric["id"]))]
    assert len(stored) == 1


async def test_what_has_expired_is_hidden(person: Person, clock: TestClock, table: Gateway) -> None:
    """DynamoDB removes an outdated item days late."""
    metric = await fill(person, lambda day: 100 + 10 * day)
    (found,) = await insights(person, metric, "prediction")
    await travel(clock, NOW + timedelta(days=1), person)
    query = keys.insights_of_metric(metric["id"], "prediction")
    (stale,) = [each async for each in table.query_all(query)]
    assert stale.expires_at == found["expiresAt"]
    (fresh,) = await insights(person, metric, "prediction")
    assert fresh["cachedAt"] == "2026-03-02T12:00:00.000Z"
    await table.put_many([dataclasses.replace(stale, summary="old")])
    assert await insights(person, metric, "prediction") == [fresh]


async def test_another_finder_can_be_used_and_is_called_once(
    person: Person, server: RunningServer, table: Gateway
) -> None:
    asked = []

    class Oracle:
        def find(
            self, kind: InsightType, series: Series, others: Sequence[Series], today: date
        ) -> list[Finding]:
            asked.append((kind, len(series.values), today))
            return [Finding(kind, f"As foretold {n}", 0.5, {"n": n}) for n in range(3)]

    metric = await fill(person, lambda day: day)
    resources = dataclasses.replace(server.app.state.resources, table=table)
    services = Services(resources, acting_for(person.id))
    insights = Insights(services, Oracle)
    record = await services.metrics.require(metric["id"])
    first = await insights.insights(record, InsightType.pattern, limit=2, start=None)
    rest = await insights.insights(record, InsightType.pattern, limit=2, start=first.next)
    assert [each.summary for each in (*first.items, *rest.items)] == [
        "As foretold 0",
        "As foretold 1",
        "As foretold 2",
    ]
    assert rest.next is None
    assert asked == [(InsightType.pattern, 20, NOW.date())]


async def test_insights_of_an_empty_metric(person: Person) -> None:
    assert await insights(person, await new_metric(person)) == []


async def test_numbers_at_the_edge_break_nothing(person: Person) -> None:
    """Values as large and as small as they may be."""
    metric = await new_metric(person)
    for ago, value in enumerate(["1e100", "-1e100", "1e-100", "0", "9e99", "-9e99"] * 3):
        at = (NOW - timedelta(days=ago)).isoformat()
        await log(person, metric, value, loggedAt=at)
    for each in await insights(person, metric):
        assert 0 <= float(each["confidence"]) <= 1
        assert json.loads(each["content"])
