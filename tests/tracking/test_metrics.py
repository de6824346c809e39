"""Metrics and their logs, through HTTP."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.domains.tracking import keys
from app.domains.tracking.rules.metrics import state_from_logs, trend_of
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.rewards.test_wallet import sums
from tests.servers import TestClock
from tests.travel import travel

FIELDS = """
  id version name description area subCategory unit customUnit direction targetValue targetBand
  thresholdLow thresholdHigh aggregation source status goalIds latestValue createdAt updatedAt
  streak trend cachedStreak cachedTrend
"""
CREATE = f"mutation ($input: CreateMetricInput!) {{ createMetric(input: $input) {{ {FIELDS} }} }}"
UPDATE = f"mutation ($input: UpdateMetricInput!) {{ updateMetric(input: $input) {{ {FIELDS} }} }}"
DELETE = "mutation ($id: ID!) { deleteMetric(input: {id: $id}) { id } }"
METRIC = f"query ($id: ID!) {{ metric(id: $id) {{ {FIELDS} }} }}"
METRICS = """
query ($status: MetricStatus, $area: String, $limit: Int, $nextToken: String) {
  metrics(status: $status, area: $area, limit: $limit, nextToken: $nextToken) {
    items { id name streak trend } nextToken
  }
}
"""
LOG = """
mutation ($input: LogMetricInput!) {
  logMetric(input: $input) {
    id version metricId value notes loggedAt date alert
    metric { latestValue streak trend milestones { items { id type value pointsAwarded } } }
  }
}
"""
UPDATE_LOG = """
mutation ($input: UpdateMetricLogInput!) {
  updateMetricLog(input: $input) { id value notes loggedAt date version metric { latestValue } }
}
"""
DELETE_LOG = """
mutation ($input: DeleteMetricLogInput!) {
  deleteMetricLog(input: $input) { id metric { latestValue streak } }
}
"""
LOGS = """
query ($id: ID!, $from: AWSDate, $to: AWSDate, $newestFirst: Boolean, $limit: Int,
       $nextToken: String) {
  metric(id: $id) {
    logs(from: $from, to: $to, newestFirst: $newestFirst, limit: $limit, nextToken: $nextToken) {
      items { id value loggedAt date } nextToken
    }
  }
}
"""
MORE = """
query ($id: ID!) { metric(id: $id) {
  milestones { items { id type value achievedAt pointsAwarded } }
  alerts { items { kind threshold value loggedAt } }
} }
"""
START = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)


async def new_metric(person: Person, **fields: object) -> dict[str, Any]:
    made: dict[str, Any] = (await person.gql(CREATE, input={"name": "Steps"} | fields))[
        "createMetric"
    ]
    return made


async def log(person: Person, metric: dict[str, Any], value: object, **more: object) -> Any:
    fields = {"metricId": metric["id"], "value": value} | more
    return (await person.gql(LOG, input=fields))["logMetric"]


async def logs(person: Person, metric: dict[str, Any], **arguments: object) -> list[dict[str, Any]]:
    answer = await person.gql(LOGS, id=metric["id"], **arguments)
    found: list[dict[str, Any]] = answer["metric"]["logs"]["items"]
    return found


async def seen(person: Person, metric: dict[str, Any], query: str = METRIC) -> dict[str, Any]:
    found: dict[str, Any] = (await person.gql(query, id=metric["id"]))["metric"]
    return found


async def check_caches(table: Gateway, person: Person, metric: dict[str, Any]) -> None:
    """What is stored equals what the logs come to."""
    stored = await table.get(keys.metric(person.id, metric["id"]))
    assert stored is not None
    found = [each async for each in table.query_all(keys.logs_of_metric(metric["id"]))]
    assert stored.state == state_from_logs(each.logged_value for each in found)


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    """Someone in UTC, for whom it is noon on 31 January 2026."""
    clock.freeze(START)
    return await api.sign_up()


async def test_a_metric_has_every_field_of_the_document(ada: Person) -> None:
    fields = {
        "name": "Weight ⚖",
        "description": "Every morning",
        "area": "Health",
        "subCategory": "Body",
        "unit": "kg",
        "customUnit": "kilos",
        "direction": "Lower",
        "targetValue": "79.5",
        "targetBand": "2.5",
        "thresholdLow": "70",
        "thresholdHigh": "90.25",
        "aggregation": "min",
        "source": "Device",
        "status": "Paused",
    }
    made = await new_metric(ada, **fields)
    assert {name: made[name] for name in fields} == fields
    empty: dict[str, object] = {
        "goalIds": [],
        "latestValue": None,
        "streak": 0,
        "trend": None,
        "cachedStreak": 0,
    }
    assert {name: made[name] for name in empty} == empty
    assert await seen(ada, made) == made


async def test_a_plain_metric_has_the_usual_values(ada: Person) -> None:
    made = await new_metric(ada)
    usual = {
        "unit": "count",
        "direction": "Higher",
        "aggregation": "last",
        "source": "Manual",
        "status": "Active",
        "targetValue": None,
        "version": 1,
    }
    assert {name: made[name] for name in usual} == usual


async def test_a_metric_is_stored_as_documented(ada: Person, table: Gateway) -> None:
    made = await new_metric(ada, area="Health")
    items = {item["SK"]["S"]: item async for item in table.partition(f"USER#{ada.id}")}
    item = items[f"METRIC#{made['id']}"]
    created = made["createdAt"]
    expected = {
        "entityType": "Metric",
        "userId": ada.id,
        "GSI1PK": f"USER#{ada.id}",
        "GSI1SK": f"ENTITY#Metric#{created}",
        "GSI2PK": f"USER#{ada.id}#METRIC",
        "GSI2SK": f"Active#{created}",
        "GSI3PK": f"USER#{ada.id}#AREA#health",
        "GSI3SK": f"METRIC#{created}",
    }
    assert {name: item[name]["S"] for name in expected} == expected
    assert item["cachedStreak"] == {"N": "0"}
    got = await log(ada, made, "10500.5", notes="Walked")
    inside = {i["SK"]["S"]: i async for i in table.partition(f"METRIC#{made['id']}")}
    stored = inside[f"LOG#{got['loggedAt']}#{got['id']}"]
    assert stored["value"] == {"N": "10500.5"}
    assert (stored["entityType"], stored["userId"]) == ({"S": "MetricLog"}, {"S": ada.id})
    assert not any("ttl" in each for each in (item, *inside.values()))


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "  "},
        {"name": "x" * 201},
        {"thresholdLow": 2, "thresholdHigh": 1},
        {"targetBand": 0},
        {"targetBand": -1},
        {"unit": ""},
        {"area": "He#lth"},
        {"id": "a#b"},
        {"targetValue": "NaN"},
        {"targetValue": "Infinity"},
        {"targetValue": "1" * 39},
    ],
)
async def test_invalid_input_is_refused(ada: Person, wrong: dict[str, object]) -> None:
    assert (await ada.refused(CREATE, input={"name": "Steps"} | wrong)).code == "BAD_INPUT"
    assert (await ada.gql(METRICS))["metrics"]["items"] == []


async def test_a_client_may_choose_an_id_that_is_free(ada: Person, bob: Person) -> None:
    mine = f"metric-{ada.id}"
    assert (await new_metric(ada, id=mine))["id"] == mine
    assert (await ada.refused(CREATE, input={"name": "Again", "id": mine})).code == "CONFLICT"
    assert (await bob.refused(CREATE, input={"name": "Theirs", "id": mine})).code == "CONFLICT"
    assert await bob.gql(METRIC, id=mine) == {"metric": None}


async def test_updating_keeps_what_is_left_out_and_clears_what_is_null(ada: Person) -> None:
    made = await new_metric(ada, area="Health", thresholdLow=1, thresholdHigh=5)
    change = {"id": made["id"], "area": None, "name": "Walks"}
    after = (await ada.gql(UPDATE, input=change))["updateMetric"]
    assert (after["name"], after["area"], after["thresholdLow"]) == ("Walks", None, "1")
    assert (after["version"], after["createdAt"]) == (2, made["createdAt"])
    for wrong in ({"name": None}, {"direction": None}, {"thresholdLow": 6}):
        refused = await ada.refused(UPDATE, input={"id": made["id"]} | wrong)
        assert refused.code == "BAD_INPUT"
    late = await ada.refused(UPDATE, input={"id": made["id"], "unit": "kg", "expectedVersion": 1})
    assert (late.code, late.info["currentVersion"]) == ("CONFLICT", 2)
    assert (await seen(ada, made))["version"] == 2


async def test_lists_by_status_and_area_in_full_pages(ada: Person, bob: Person) -> None:
    await new_metric(bob, area="Health")
    for number in range(6):
        await new_metric(
            ada,
            name=f"M{number}",
            status="Archived" if number % 2 else "Active",
            area="Health" if number < 4 else "Wealth",
        )
    page = (await ada.gql(METRICS, status="Active", limit=2))["metrics"]
    assert [each["name"] for each in page["items"]] == ["M0", "M2"]
    rest = await ada.gql(METRICS, status="Active", limit=2, nextToken=page["nextToken"])
    assert [each["name"] for each in rest["metrics"]["items"]] == ["M4"]
    assert rest["metrics"]["nextToken"] is None
    both = (await ada.gql(METRICS, status="Archived", area="Health"))["metrics"]["items"]
    assert [each["name"] for each in both] == ["M1", "M3"]
    wrong = await ada.refused(METRICS, status="Archived", nextToken=page["nextToken"])
    assert wrong.code == "BAD_TOKEN"


async def test_a_log_is_kept_exactly(person: Person, table: Gateway) -> None:
    metric = await new_metric(person)
    got = await log(person, metric, "0.1", notes="a < b")
    assert (got["value"], got["notes"], got["date"]) == ("0.1", "a < b", "2026-01-31")
    assert got["loggedAt"] == "2026-01-31T12:00:00.000Z"
    await log(person, metric, 0.2)
    long = "1.2345678901234567890123456789012345678"
    assert (await log(person, metric, long))["value"] == long
    assert [each["value"] for each in await logs(person, metric)] == ["0.1", "0.2", long]
    summed = await person.gql(UPDATE, input={"id": metric["id"], "aggregation": "sum"})
    total = "1.5345678901234567890123456789012345678"
    assert summed["updateMetric"]["latestValue"] == total
    await check_caches(table, person, metric)


@pytest.mark.parametrize("value", ["NaN", "Infinity", "-inf", "1" * 39, "x", "1e101", None, True])
async def test_what_is_no_number_is_refused(person: Person, value: object) -> None:
    metric = await new_metric(person)
    refused = await person.refused(LOG, input={"metricId": metric["id"], "value": value})
    assert refused.code in ("BAD_INPUT", "GRAPHQL_VALIDATION_FAILED")
    assert await logs(person, metric) == []


@pytest.mark.parametrize("aggregation", ["last", "sum", "min", "max", "mean"])
async def test_the_aggregation_decides_the_value_of_a_day(person: Person, aggregation: str) -> None:
    metric = await new_metric(person, aggregation=aggregation)
    for value in ("5", "1", "6"):
        got = await log(person, metric, value)
    expected = {"last": "6", "sum": "12", "min": "1", "max": "6", "mean": "4"}
    assert got["metric"]["latestValue"] == expected[aggregation]


@pytest.mark.parametrize(
    "at",
    ["2026-01-31T12:06:00Z", "2027-01-01T00:00:00Z", "9999-12-31T23:59:59Z",
     "1969-12-31T23:59:59Z", "0001-01-01T00:00:00Z"],
)  # fmt: skip
async def test_a_log_cannot_be_in_the_future_or_before_1970(person: Person, at: str) -> None:
    metric = await new_metric(person)
    fields = {"metricId": metric["id"], "value": 1, "loggedAt": at}
    assert (await person.refused(LOG, input=fields)).code == "BAD_INPUT"
    assert await logs(person, metric) == []


async def test_a_range_has_its_whole_last_day(person: Person) -> None:
    metric = await new_metric(person)
    times = [
        "2025-12-31T23:59:59.999Z",
        "2026-01-01T00:00:00.000Z",
        "2026-01-15T08:00:00.000Z",
        "2026-01-31T00:00:00.000Z",
        "2026-01-31T11:59:59.999Z",
    ]
    for number, at in enumerate(times):
        await log(person, metric, number, loggedAt=at)
    january = await logs(person, metric, **{"from": "2026-01-01", "to": "2026-01-31"})
    assert [each["value"] for each in january] == ["1", "2", "3", "4"]
    last = await logs(person, metric, **{"from": "2026-01-31", "to": "2026-01-31"})
    assert [each["value"] for each in last] == ["3", "4"]
    assert len(await logs(person, metric, to="2025-12-31")) == 1
    assert len(await logs(person, metric, **{"from": "2026-01-02"})) == 3
    assert await logs(person, metric, **{"from": "2026-02-01", "to": "2026-01-01"}) == []
    turned = await logs(person, metric, newestFirst=True, limit=2)
    assert [each["value"] for each in turned] == ["4", "3"]
    assert len(await logs(person, metric, **{"from": "0001-01-01", "to": "9999-12-31"})) == 5


async def test_a_range_in_pages(person: Person) -> None:
    metric = await new_metric(person)
    for hour in range(9):
        await log(person, metric, hour, loggedAt=f"2026-01-30T{hour:02}:00:00Z")
    found: list[str] = []
    token = None
    while True:
        answer = await person.gql(LOGS, id=metric["id"], limit=4, nextToken=token, to="2026-01-30")
        page = answer["metric"]["logs"]
        found += [each["value"] for each in page["items"]]
        token = page["nextToken"]
        if token is None:
            break
        assert len(page["items"]) == 4
    assert found == [str(hour) for hour in range(9)]


async def test_many_logs_in_one_instant_are_all_kept(person: Person, table: Gateway) -> None:
    metric = await new_metric(person, aggregation="sum")
    await asyncio.gather(
        *(log(person, metric, 1, loggedAt="2026-01-31T10:00:00Z") for _ in range(30))
    )
    assert len(await logs(person, metric, limit=100)) == 30
    assert (await seen(person, metric))["latestValue"] == "30"
    await check_caches(table, person, metric)


async def test_one_key_logs_once(person: Person, table: Gateway) -> None:
    metric = await new_metric(person, aggregation="sum")
    got = await asyncio.gather(*(log(person, metric, 5, idempotencyKey="k") for _ in range(20)))
    assert len({each["id"] for each in got}) == 1
    assert (await seen(person, metric))["latestValue"] == "5"
    refused = await person.refused(
        LOG, input={"metricId": metric["id"], "value": 6, "idempotencyKey": "k"}
    )
    assert refused.code == "IDEMPOTENCY_MISMATCH"
    await check_caches(table, person, metric)


async def test_backdated_logs_fill_the_gap(person: Person, table: Gateway) -> None:
    metric = await new_metric(person)
    for day in (31, 30, 28, 27):
        await log(person, metric, day, loggedAt=f"2026-01-{day}T08:00:00Z")
    assert (await seen(person, metric))["streak"] == 2
    await log(person, metric, 29, loggedAt="2026-01-29T08:00:00Z")
    now = await seen(person, metric)
    assert (now["streak"], now["cachedStreak"], now["latestValue"]) == (5, 5, "31")
    await check_caches(table, person, metric)


async def test_streak_and_trend_move_with_the_days(
    person: Person, clock: TestClock, table: Gateway
) -> None:
    metric = await new_metric(person)
    for ago in range(13, -1, -1):
        at = (START - timedelta(days=ago)).isoformat()
        await log(person, metric, 100 if ago > 6 else 110, loggedAt=at)
    now = await seen(person, metric)
    assert (now["streak"], now["trend"], now["cachedTrend"]) == (14, "Improving", "Improving")
    stored = await table.get(keys.metric(person.id, metric["id"]))
    assert stored is not None
    assert (stored.cached_streak, stored.cached_trend) == (14, trend_of(stored, START.date()))
    await travel(clock, START + timedelta(days=1), person)
    assert (await seen(person, metric))["streak"] == 14
    await travel(clock, START + timedelta(days=2), person)
    later = await seen(person, metric)
    assert (later["streak"], later["cachedStreak"], later["trend"]) == (0, 0, "Improving")
    await travel(clock, START + timedelta(days=10), person)
    assert (await seen(person, metric))["trend"] is None


async def test_editing_and_deleting_a_log(person: Person, table: Gateway) -> None:
    metric = await new_metric(person)
    first = await log(person, metric, 1, loggedAt="2026-01-30T08:00:00Z", notes="one")
    second = await log(person, metric, 2, loggedAt="2026-01-31T08:00:00Z")
    change = {"metricId": metric["id"], "id": second["id"], "value": 20}
    edited = (await person.gql(UPDATE_LOG, input=change))["updateMetricLog"]
    assert (edited["value"], edited["metric"]["latestValue"], edited["version"]) == ("20", "20", 2)
    moved = {"metricId": metric["id"], "id": first["id"], "loggedAt": "2026-01-31T09:00:00Z"}
    after = (await person.gql(UPDATE_LOG, input=moved))["updateMetricLog"]
    assert (after["date"], after["notes"], after["metric"]["latestValue"]) == (
        "2026-01-31",
        "one",
        "1",
    )
    assert [each["id"] for each in await logs(person, metric)] == [second["id"], first["id"]]
    await check_caches(table, person, metric)
    cleared = {"metricId": metric["id"], "id": first["id"], "notes": None}
    assert (await person.gql(UPDATE_LOG, input=cleared))["updateMetricLog"]["notes"] is None
    for wrong in ({"value": None}, {"loggedAt": None}, {"loggedAt": "2028-01-01T00:00:00Z"}):
        refused = await person.refused(UPDATE_LOG, input=cleared | wrong)
        assert refused.code == "BAD_INPUT"
    late = await person.refused(UPDATE_LOG, input=cleared | {"value": 3, "expectedVersion": 1})
    assert late.code == "CONFLICT"
    for each in (first, second):
        gone = {"metricId": metric["id"], "id": each["id"]}
        answer = (await person.gql(DELETE_LOG, input=gone))["deleteMetricLog"]
        assert (await person.refused(DELETE_LOG, input=gone)).code == "NOT_FOUND"
    assert answer["metric"] == {"latestValue": None, "streak": 0}
    await check_caches(table, person, metric)


async def won(person: Person, metric: dict[str, Any]) -> dict[str, int]:
    found = (await seen(person, metric, MORE))["milestones"]["items"]
    return {each["id"]: each["pointsAwarded"] for each in found}


async def test_milestones_are_won_with_their_points(person: Person, table: Gateway) -> None:
    metric = await new_metric(person, targetValue=150)
    for ago in range(6, -1, -1):
        at = (START - timedelta(days=ago)).isoformat()
        got = await log(person, metric, 100 + (6 - ago) * 10, loggedAt=at)
    assert await won(person, metric) == {
        "streak-7": 350,
        "consistency-7": 175,
        "improvement-10": 200,
        "improvement-25": 500,
        "improvement-50": 1000,
        "target_reached-150": 200,
    }
    last = got["metric"]["milestones"]["items"]
    assert {each["type"] for each in last} == {
        "streak",
        "consistency",
        "improvement",
        "target_reached",
    }
    paid = await sums(table, person.id)
    assert (paid.balance, len(paid.transactions)) == (2425, 6)
    query = """{ wallet { transactions { items { amount type metricId reason reference } } } }"""
    entries = (await person.gql(query))["wallet"]["transactions"]["items"]
    assert {
        "amount": 350,
        "type": "earned",
        "metricId": metric["id"],
        "reason": "Steps: 7 days in a row",
        "reference": "streak-7",
    } in entries


async def test_a_milestone_is_won_once(person: Person, table: Gateway) -> None:
    metric = await new_metric(person, targetValue=10)
    got = await log(person, metric, 10)
    assert await won(person, metric) == {"target_reached-10": 200}
    for _ in range(3):
        gone = {"metricId": metric["id"], "id": got["id"]}
        await person.gql(DELETE_LOG, input=gone)
        got = await log(person, metric, 11)
    assert await won(person, metric) == {"target_reached-10": 200}
    assert (await sums(table, person.id)).transactions == [200]


async def test_a_milestone_raced_for_is_paid_once(person: Person, table: Gateway) -> None:
    metric = await new_metric(person, targetValue=10)
    await asyncio.gather(*(log(person, metric, 10) for _ in range(20)))
    assert (await sums(table, person.id)).transactions == [200]
    await check_caches(table, person, metric)


async def test_a_target_of_zero_divides_nothing(person: Person) -> None:
    metric = await new_metric(person, direction="Target", targetValue=0)
    for value in (0, 5, -5):
        await log(person, metric, value)
    assert await won(person, metric) == {"target_reached-0": 200}


async def test_crossing_a_threshold_raises_one_alert(person: Person) -> None:
    metric = await new_metric(person, thresholdLow=2, thresholdHigh=10)
    told = [(await log(person, metric, value))["alert"] for value in (5, 11, 12, 9, 1, 0, 11)]
    assert told == [None, "High", None, None, "Low", None, "High"]
    past = await log(person, metric, 99, loggedAt="2026-01-01T00:00:00Z")
    assert past["alert"] is None
    found = (await seen(person, metric, MORE))["alerts"]["items"]
    kept = sorted((each["kind"], each["threshold"], each["value"]) for each in found)
    assert kept == [("High", "10", "11"), ("High", "10", "11"), ("Low", "2", "1")]


async def test_an_archived_metric_takes_no_logs(person: Person) -> None:
    metric = await new_metric(person, status="Archived")
    fields = {"metricId": metric["id"], "value": 1}
    assert (await person.refused(LOG, input=fields)).code == "NOT_ACTIVE"
    assert await logs(person, metric) == []


async def test_deleting_leaves_nothing(person: Person, table: Gateway) -> None:
    metric = await new_metric(person, targetValue=1)
    for _ in range(3):
        await log(person, metric, 1)
    assert (await person.gql(DELETE, id=metric["id"]))["deleteMetric"] == {"id": metric["id"]}
    assert [item async for item in table.partition(f"METRIC#{metric['id']}")] == []
    assert await person.gql(METRIC, id=metric["id"]) == {"metric": None}
    assert (await person.refused(DELETE, id=metric["id"])).code == "NOT_FOUND"
    assert (await sums(table, person.id)).balance == 200


async def test_logs_raced_with_the_deletion_leave_nothing(person: Person, table: Gateway) -> None:
    metric = await new_metric(person)
    fields = {"metricId": metric["id"], "value": 1}
    work = [person.api.post(LOG, headers=person.headers, input=fields) for _ in range(20)]
    work.insert(10, person.api.post(DELETE, headers=person.headers, id=metric["id"]))
    await asyncio.gather(*work)
    assert await person.gql(METRIC, id=metric["id"]) == {"metric": None}
    assert [item async for item in table.partition(f"METRIC#{metric['id']}")] == []


async def test_others_metrics_do_not_exist(ada: Person, bob: Person, table: Gateway) -> None:
    metric = await new_metric(ada, targetValue=5)
    got = await log(ada, metric, 1)
    before = [item async for item in table.partition(f"METRIC#{metric['id']}")]
    assert await bob.gql(METRIC, id=metric["id"]) == {"metric": None}
    assert await bob.gql(LOGS, id=metric["id"]) == {"metric": None}
    named = {"metricId": metric["id"], "id": got["id"]}
    refusals = [
        await bob.refused(LOG, input={"metricId": metric["id"], "value": 5}),
        await bob.refused(UPDATE_LOG, input=named | {"value": 2}),
        await bob.refused(DELETE_LOG, input=named),
        await bob.refused(UPDATE, input={"id": metric["id"], "name": "Mine"}),
        await bob.refused(DELETE, id=metric["id"]),
    ]
    assert [each.code for each in refusals] == ["NOT_FOUND"] * 5
    absent = await bob.refused(LOG, input={"metricId": "absent", "value": 5})
    assert absent.errors[0]["message"] == refusals[0].errors[0]["message"]
    assert [item async for item in table.partition(f"METRIC#{metric['id']}")] == before
    assert (await sums(table, bob.id)).transactions == []


async def test_a_log_of_another_metric_is_not_found(ada: Person) -> None:
    one, two = await new_metric(ada), await new_metric(ada)
    got = await log(ada, one, 1)
    refused = await ada.refused(DELETE_LOG, input={"metricId": two["id"], "id": got["id"]})
    assert refused.code == "NOT_FOUND"
    assert len(await logs(ada, one)) == 1


@pytest.mark.parametrize("id", ["m1#LOG", "#", "", "x\ny"])
async def test_an_id_that_cannot_stand_in_a_key_is_refused(ada: Person, id: str) -> None:
    assert (await ada.refused(METRIC, id=id)).code == "BAD_INPUT"
    assert (await ada.refused(LOG, input={"metricId": id, "value": 1})).code == "BAD_INPUT"


async def test_an_alert_is_deleted_with_its_log_or_when_the_value_is_corrected(
    person: Person,
) -> None:
    metric = await new_metric(person, thresholdLow="1", thresholdHigh="10")

    async def alerts() -> list[tuple[str, str]]:
        found = (await seen(person, metric, MORE))["alerts"]["items"]
        return sorted((each["kind"], each["value"]) for each in found)

    typo = await log(person, metric, "700", loggedAt="2026-01-02T08:00:00Z")
    again = await log(person, metric, "0", loggedAt="2026-01-03T08:00:00Z")
    assert await alerts() == [("High", "700"), ("Low", "0")]
    which = {"metricId": metric["id"], "id": typo["id"]}
    await person.gql(UPDATE_LOG, input=which | {"value": "70"})
    await person.gql(UPDATE_LOG, input=which | {"loggedAt": "2026-01-02T09:00:00Z"})
    assert await alerts() == [("High", "70"), ("Low", "0")]
    await person.gql(UPDATE_LOG, input=which | {"value": "7"})
    assert await alerts() == [("Low", "0")]
    await person.gql(DELETE_LOG, input={"metricId": metric["id"], "id": again["id"]})
    assert await alerts() == []
