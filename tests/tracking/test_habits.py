"""Habits and their logs, through HTTP."""

import asyncio
import dataclasses
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from app.domains.tracking import keys
from app.domains.tracking.rules import habits as rules
from app.domains.tracking.rules.schedules import schedule_of
from app.domains.tracking.types import HabitState
from app.migration.upgrades import upgrade
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.rewards.test_rewards import BUY_FREEZE, rich
from tests.servers import RunningServer, TestClock
from tests.travel import travel

FIELDS = """
  id version name description area subCategory habitType frequency weekdays targetPerPeriod
  intervalDays startDate trigger action reward frictionUp frictionDown status goalIds
  pauses { since until } createdAt
  streak longestStreak strength cachedStreak cachedLongestStreak
"""
CREATE = f"mutation ($input: CreateHabitInput!) {{ createHabit(input: $input) {{ {FIELDS} }} }}"
UPDATE = f"mutation ($input: UpdateHabitInput!) {{ updateHabit(input: $input) {{ {FIELDS} }} }}"
DELETE = "mutation ($id: ID!) { deleteHabit(input: {id: $id}) { id } }"
HABIT = f"query ($id: ID!) {{ habit(id: $id) {{ {FIELDS} }} }}"
HABITS = """
query ($dueOn: AWSDate, $status: HabitStatus, $area: String, $limit: Int, $nextToken: String) {
  habits(dueOn: $dueOn, status: $status, area: $area, limit: $limit, nextToken: $nextToken) {
    items { id name streak } nextToken
  }
}
"""
LOG = """
mutation ($input: LogHabitInput!) {
  logHabit(input: $input) {
    id version habitId date kind completed notes habit { streak longestStreak strength }
  }
}
"""
DELETE_LOG = """
mutation ($id: ID!, $date: AWSDate!) {
  deleteHabitLog(input: {habitId: $id, date: $date}) { date habit { streak longestStreak } }
}
"""
LOGS = """
query ($id: ID!, $from: AWSDate, $to: AWSDate, $limit: Int, $nextToken: String) {
  habit(id: $id) {
    logs(from: $from, to: $to, limit: $limit, nextToken: $nextToken) {
      items { date kind completed notes } nextToken
    }
  }
}
"""
MONDAY = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


def noon(number: int) -> datetime:
    """Day 1 is Monday, 5 January 2026."""
    return MONDAY + timedelta(days=number - 1)


def day(number: int) -> str:
    return noon(number).date().isoformat()


@pytest.fixture
async def person(api: Api, clock: TestClock) -> Person:
    clock.freeze(MONDAY)
    return await api.sign_up()


async def new_habit(person: Person, **fields: object) -> dict[str, Any]:
    wanted = {"name": "Read"} | fields
    made: dict[str, Any] = (await person.gql(CREATE, input=wanted))["createHabit"]
    return made


async def log(person: Person, habit: dict[str, Any], **fields: object) -> dict[str, Any]:
    wanted = {"habitId": habit["id"]} | fields
    made: dict[str, Any] = (await person.gql(LOG, input=wanted))["logHabit"]
    return made


async def seen(person: Person, habit: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = (await person.gql(HABIT, id=habit["id"]))["habit"]
    return found


async def kinds(person: Person, habit: dict[str, Any], **arguments: object) -> dict[str, str]:
    answer = await person.gql(LOGS, id=habit["id"], limit=100, **arguments)
    return {each["date"]: each["kind"] for each in answer["habit"]["logs"]["items"]}


async def check_caches(table: Gateway, person: Person, habit: dict[str, Any], today: date) -> None:
    """What is stored equals what the logs come to."""
    stored = await table.get(keys.habit(person.id, habit["id"]))
    assert stored is not None
    found = [each async for each in table.query_all(keys.logs_of_habit(habit["id"]))]
    logs = {date.fromisoformat(each.date): each.kind for each in found}
    fresh = rules.summary(
        schedule_of(stored), rules.state_from_logs(schedule_of(stored), logs, today), today
    )
    assert stored.state is not None
    assert rules.summary(schedule_of(stored), stored.state, today) == fresh
    assert (stored.cached_streak, stored.cached_longest_streak) == (fresh.streak, fresh.longest)


async def test_a_habit_has_every_field_of_the_document(person: Person) -> None:
    fields = {
        "name": "Read 📚",
        "description": "Paper, not a screen",
        "area": "Mind",
        "subCategory": "Learning",
        "habitType": "Maintain",
        "frequency": "Custom",
        "weekdays": ["Mon", "Wed"],
        "targetPerPeriod": 2,
        "intervalDays": None,
        "startDate": "2026-01-01",
        "trigger": "After dinner",
        "action": "Read ten pages",
        "reward": "Tea",
        "frictionUp": "Phone in the kitchen",
        "frictionDown": "Book on the pillow",
        "status": "Active",
    }
    made = await new_habit(person, **fields)
    assert {name: made[name] for name in fields} == fields
    assert (made["streak"], made["longestStreak"], made["strength"]) == (0, 0, 0.0)
    assert await seen(person, made) == made


async def test_a_habit_is_stored_as_documented(person: Person, table: Gateway) -> None:
    made = await new_habit(person, area="Mind")
    await log(person, made, notes="ten pages")
    items = {item["SK"]["S"]: item async for item in table.partition(f"USER#{person.id}")}
    item = items[f"HABIT#{made['id']}"]
    expected = {
        "entityType": "Habit",
        "userId": person.id,
        "GSI1SK": f"ENTITY#Habit#{made['createdAt']}",
        "GSI2PK": f"USER#{person.id}#HABIT",
        "GSI2SK": f"Active#{made['createdAt']}",
        "GSI3PK": f"USER#{person.id}#AREA#mind",
        "GSI3SK": f"HABIT#{made['createdAt']}",
    }
    assert {name: item[name]["S"] for name in expected} == expected
    assert (item["cachedStreak"], item["cachedLongestStreak"]) == ({"N": "1"}, {"N": "1"})
    inside = {i["SK"]["S"]: i async for i in table.partition(f"HABIT#{made['id']}")}
    stored = inside[f"LOG#{day(1)}"]
    assert stored["completed"] == {"BOOL": True}
    assert (stored["kind"], stored["notes"]) == ({"S": "DONE"}, {"S": "ten pages"})
    assert not any("ttl" in each for each in (item, *inside.values()))


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"frequency": "Custom"},
        {"frequency": "Weekly", "targetPerPeriod": 8},
        {"targetPerPeriod": 0},
        {"frequency": "Custom", "intervalDays": 1},
        {"frequency": "Custom", "intervalDays": 32},
        {"frequency": "Custom", "intervalDays": 3, "targetPerPeriod": 4},
        {"startDate": "2026-01-06"},
        {"startDate": "1999-01-01"},
        {"startDate": "2026-02-30"},
        {"weekdays": ["Funday"]},
    ],
)
async def test_invalid_input_is_refused(person: Person, wrong: dict[str, object]) -> None:
    assert (await person.refused(CREATE, input={"name": "Read"} | wrong)).code == "BAD_INPUT"
    assert (await person.gql(HABITS))["habits"]["items"] == []


async def test_another_schedule_gives_the_same_logs_another_state(
    person: Person, clock: TestClock, table: Gateway
) -> None:
    habit = await new_habit(person)
    for number in range(1, 6):
        await travel(clock, noon(number), person)
        await log(person, habit)
    await travel(clock, noon(8), person)
    assert (await seen(person, habit))["streak"] == 0
    workdays = ["Mon", "Tue", "Wed", "Thu", "Fri"]
    change = {"id": habit["id"], "weekdays": workdays}
    after = (await person.gql(UPDATE, input=change))["updateHabit"]
    assert (after["streak"], after["version"]) == (5, 7)
    await log(person, habit)
    assert (await seen(person, habit))["streak"] == 6
    await check_caches(table, person, habit, noon(8).date())
    late = await person.refused(UPDATE, input=change | {"expectedVersion": 1})
    assert (late.code, late.info["currentVersion"]) == ("CONFLICT", 8)
    refused = await person.refused(UPDATE, input={"id": habit["id"], "weekdays": None})
    assert refused.code == "BAD_INPUT"
    cleared = {"id": habit["id"], "weekdays": [], "trigger": None}
    assert (await person.gql(UPDATE, input=cleared))["updateHabit"]["streak"] == 1


async def test_one_log_a_day(person: Person, table: Gateway) -> None:
    habit = await new_habit(person)
    first = await log(person, habit, date=day(1), kind="DONE", notes="ten pages")
    assert (first["completed"], first["version"], first["habit"]["streak"]) == (True, 1, 1)
    again = await log(person, habit, date=day(1), kind="SKIP")
    assert (again["kind"], again["completed"], again["notes"]) == ("SKIP", False, "ten pages")
    assert (again["version"], again["habit"]["streak"]) == (2, 0)
    cleared = await log(person, habit, date=day(1), completed=True, notes=None)
    assert (cleared["kind"], cleared["notes"], cleared["habit"]["streak"]) == ("DONE", None, 1)
    assert await kinds(person, habit) == {day(1): "DONE"}
    await check_caches(table, person, habit, noon(1).date())


async def test_kind_and_completed(person: Person) -> None:
    habit = await new_habit(person)
    assert (await log(person, habit))["kind"] == "DONE"
    assert (await log(person, habit, completed=False))["kind"] == "MISSED"
    assert (await log(person, habit, kind="DONE", completed=True))["completed"] is True
    wrong = {"habitId": habit["id"], "kind": "SKIP", "completed": True}
    assert (await person.refused(LOG, input=wrong)).code == "BAD_INPUT"


@pytest.mark.parametrize("on", ["2026-01-06", "2030-01-01", "2015-01-01", "0001-01-01"])
async def test_a_log_needs_a_day_of_the_last_ten_years(person: Person, on: str) -> None:
    habit = await new_habit(person)
    wrong = {"habitId": habit["id"], "date": on}
    assert (await person.refused(LOG, input=wrong)).code == "BAD_INPUT"
    assert await kinds(person, habit) == {}


async def test_today_is_the_users_not_the_servers(api: Api, clock: TestClock) -> None:
    """At noon UTC it is the 6th in Auckland, where the 6th is no future."""
    clock.freeze(MONDAY)
    early = await api.sign_up(timeZone="Pacific/Auckland")
    late = await api.sign_up(timeZone="America/Los_Angeles")
    assert (await log(early, await new_habit(early), date="2026-01-06"))["date"] == "2026-01-06"
    habit = await new_habit(late)
    wrong = {"habitId": habit["id"], "date": "2026-01-06"}
    assert (await late.refused(LOG, input=wrong)).code == "BAD_INPUT"


async def test_backdating_and_deleting_move_streak_and_longest(
    person: Person, clock: TestClock, table: Gateway
) -> None:
    habit = await new_habit(person)
    await travel(clock, noon(12), person)
    for number in (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12):
        got = await log(person, habit, date=day(number))
    assert (got["habit"]["streak"], got["habit"]["longestStreak"]) == (8, 8)
    got = await log(person, habit, date=day(4))
    assert (got["habit"]["streak"], got["habit"]["longestStreak"]) == (12, 12)
    await check_caches(table, person, habit, noon(12).date())
    gone = (await person.gql(DELETE_LOG, id=habit["id"], date=day(6)))["deleteHabitLog"]
    assert gone["habit"] == {"streak": 6, "longestStreak": 6}
    gone = (await person.gql(DELETE_LOG, id=habit["id"], date=day(12)))["deleteHabitLog"]
    assert gone["habit"] == {"streak": 5, "longestStreak": 5}
    refused = await person.refused(DELETE_LOG, id=habit["id"], date=day(12))
    assert refused.code == "NOT_FOUND"
    await check_caches(table, person, habit, noon(12).date())


async def test_the_longest_stays_when_new_runs_begin(person: Person, clock: TestClock) -> None:
    habit = await new_habit(person)
    longest = []
    for number in (1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 13, 14):
        await travel(clock, noon(number), person)
        longest.append((await log(person, habit))["habit"]["longestStreak"])
    assert longest == [1, 2, 3, 3, 3, 3, 4, 5, 6, 7, 7, 7]
    assert (await seen(person, habit))["streak"] == 2


@pytest.mark.parametrize(("days", "strength"), [(1, 0.0519), (7, 0.3115), (13, 0.5), (30, 0.798)])
async def test_strength(person: Person, clock: TestClock, days: int, strength: float) -> None:
    await travel(clock, noon(days), person)
    habit = await new_habit(person, startDate=day(1))
    for number in range(1, days + 1):
        got = await log(person, habit, date=day(number))
    assert got["habit"]["strength"] == strength


@pytest.mark.parametrize("kind", ["Quit", "Reduce"])
async def test_clean_days(person: Person, clock: TestClock, kind: str) -> None:
    habit = await new_habit(person, name="Smoking", habitType=kind)
    await travel(clock, noon(6), person)
    assert (await seen(person, habit))["streak"] == 5
    slip = await log(person, habit, kind="SLIP")
    assert (slip["kind"], slip["completed"], slip["habit"]["streak"]) == ("SLIP", True, 0)
    await travel(clock, noon(9), person)
    now = await seen(person, habit)
    assert (now["streak"], now["longestStreak"]) == (2, 5)
    assert await kinds(person, habit) == {day(6): "SLIP"}


@pytest.mark.parametrize("kind", ["Quit", "Reduce"])
@pytest.mark.parametrize("sent", [{}, {"kind": "DONE"}, {"completed": True}])
async def test_a_checked_box_is_no_slip(person: Person, kind: str, sent: dict[str, object]) -> None:
    habit = await new_habit(person, name="Smoking", habitType=kind)
    refused = await person.refused(LOG, input={"habitId": habit["id"]} | sent)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.kind")
    assert "SLIP" in refused.errors[0]["message"]
    assert await kinds(person, habit) == {}
    clean = await log(person, habit, completed=False)
    assert (clean["kind"], clean["habit"]["streak"]) == ("MISSED", 1)


@pytest.mark.parametrize("kind", ["Build", "Maintain"])
async def test_a_slip_is_for_what_is_to_be_avoided(person: Person, kind: str) -> None:
    habit = await new_habit(person, habitType=kind)
    refused = await person.refused(LOG, input={"habitId": habit["id"], "kind": "SLIP"})
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.kind")
    assert await kinds(person, habit) == {}


async def test_at_most_two_a_week(person: Person, clock: TestClock, table: Gateway) -> None:
    """Two slips keep the week, the third breaks it, and taking it back repairs it."""
    limit = {"habitType": "Reduce", "frequency": "Weekly", "targetPerPeriod": 2}
    habit = await new_habit(person, name="Sweets", **limit)
    streaks = []
    for number in (2, 4, 6):
        await travel(clock, noon(number), person)
        streaks.append((await log(person, habit, kind="SLIP"))["habit"]["streak"])
    assert streaks == [1, 2, 0]
    again = await log(person, habit, kind="MISSED")
    assert again["habit"]["streak"] == 4
    await check_caches(table, person, habit, noon(6).date())


async def test_the_migration_honours_the_limit(
    person: Person, clock: TestClock, server: RunningServer, table: Gateway
) -> None:
    """Release 0.1 broke the streak at every slip."""
    limit = {"habitType": "Reduce", "frequency": "Weekly", "targetPerPeriod": 2}
    habit = await new_habit(person, **limit)
    await travel(clock, noon(2), person)
    await log(person, habit, kind="SLIP")
    await travel(clock, noon(5), person)
    stored = await table.get(keys.habit(person.id, habit["id"]))
    assert stored is not None
    broken = HabitState(through=day(4), streak=2, longest=2, recent={day(2): "DONE"})
    resources = dataclasses.replace(server.app.state.resources, table=table)
    new = await upgrade(resources, dataclasses.replace(stored, state=broken))
    assert new.state is not None
    assert (new.state.streak, new.cached_streak, new.version) == (3, 3, stored.version + 1)
    assert await upgrade(resources, new) == new


async def test_a_slip_is_stored_as_release_0_1_stores_it(person: Person, table: Gateway) -> None:
    """Old servers read it, and what they wrote is shown by the new word."""
    habit = await new_habit(person, name="Smoking", habitType="Quit")
    await log(person, habit, kind="SLIP")
    items = [item async for item in table.partition(f"HABIT#{habit['id']}")]
    (stored,) = [item for item in items if item["entityType"] == {"S": "HabitLog"}]
    assert (stored["kind"], stored["completed"]) == ({"S": "DONE"}, {"BOOL": True})
    await person.gql(UPDATE, input={"id": habit["id"], "habitType": "Build"})
    assert await kinds(person, habit) == {day(1): "DONE"}


async def test_missed_today_ends_the_streak_today(person: Person, clock: TestClock) -> None:
    habit = await new_habit(person)
    for number in (1, 2):
        await travel(clock, noon(number), person)
        await log(person, habit)
    await travel(clock, noon(3), person)
    assert (await seen(person, habit))["streak"] == 2
    assert (await log(person, habit, kind="MISSED"))["habit"]["streak"] == 0
    assert (await log(person, habit, kind="DONE"))["habit"]["streak"] == 3


async def test_a_pause_keeps_the_streak(person: Person, clock: TestClock, table: Gateway) -> None:
    habit = await new_habit(person)
    for number in (1, 2, 3):
        await travel(clock, noon(number), person)
        await log(person, habit)
    await travel(clock, noon(4), person)
    paused = await person.gql(UPDATE, input={"id": habit["id"], "status": "Paused"})
    assert paused["updateHabit"]["pauses"] == [{"since": day(4), "until": None}]
    await travel(clock, noon(20), person)
    assert (await seen(person, habit))["streak"] == 3
    assert (await person.gql(HABITS, dueOn=day(20)))["habits"]["items"] == []
    back = await person.gql(UPDATE, input={"id": habit["id"], "status": "Active"})
    assert back["updateHabit"]["pauses"] == [{"since": day(4), "until": day(19)}]
    assert (await log(person, habit))["habit"]["streak"] == 4
    await check_caches(table, person, habit, noon(20).date())
    due = (await person.gql(HABITS, dueOn=day(20)))["habits"]["items"]
    assert [each["id"] for each in due] == [habit["id"]]


async def test_a_pause_of_no_day_leaves_no_trace(person: Person) -> None:
    habit = await new_habit(person)
    for status in ("Paused", "Archived", "Active"):
        after = await person.gql(UPDATE, input={"id": habit["id"], "status": status})
    assert after["updateHabit"]["pauses"] == []


async def test_an_archived_habit_takes_no_logs(person: Person) -> None:
    habit = await new_habit(person, status="Archived")
    assert (await person.refused(LOG, input={"habitId": habit["id"]})).code == "NOT_ACTIVE"
    assert (await person.gql(HABITS, dueOn=day(1)))["habits"]["items"] == []


async def due(person: Person, number: int) -> list[str]:
    found = (await person.gql(HABITS, dueOn=day(number)))["habits"]["items"]
    return [each["name"] for each in found]


async def test_what_is_due_on_a_day(person: Person, clock: TestClock) -> None:
    await new_habit(person, name="daily")
    await new_habit(person, name="weekends", weekdays=["Sat", "Sun"])
    weekly = await new_habit(person, name="weekly", frequency="Weekly", targetPerPeriod=2)
    await new_habit(person, name="paused", status="Paused")
    await new_habit(person, name="archived", status="Archived")
    assert await due(person, 1) == ["daily", "weekly"]
    assert await due(person, 6) == ["daily", "weekends", "weekly"]
    assert await due(person, 0) == []
    await log(person, weekly)
    await travel(clock, noon(2), person)
    await log(person, weekly)
    assert await due(person, 2) == ["daily", "weekly"]
    assert await due(person, 3) == ["daily"]
    assert await due(person, 8) == ["daily", "weekly"]


async def test_lists_in_full_pages(person: Person) -> None:
    for number in range(5):
        status = "Paused" if number % 2 else "Active"
        area = "Mind" if number < 3 else "Body"
        await new_habit(person, name=f"H{number}", status=status, area=area)
    page = (await person.gql(HABITS, status="Active", limit=2))["habits"]
    assert [each["name"] for each in page["items"]] == ["H0", "H2"]
    rest = await person.gql(HABITS, status="Active", limit=2, nextToken=page["nextToken"])
    assert [each["name"] for each in rest["habits"]["items"]] == ["H4"]
    mind = (await person.gql(HABITS, area="Mind", status="Paused"))["habits"]["items"]
    assert [each["name"] for each in mind] == ["H1"]


async def test_logs_of_a_range_of_days(person: Person, clock: TestClock) -> None:
    await travel(clock, noon(40), person)
    habit = await new_habit(person, startDate=day(1))
    for number in (1, 27, 28, 31):
        await log(person, habit, date=day(number))
    january = {"from": "2026-01-01", "to": "2026-01-31"}
    assert list(await kinds(person, habit, **january)) == [day(1), day(27)]
    assert list(await kinds(person, habit, **{"from": day(28)})) == [day(28), day(31)]
    assert list(await kinds(person, habit, to=day(27))) == [day(1), day(27)]
    assert await kinds(person, habit, **{"from": day(31), "to": day(1)}) == {}


async def with_freezes(person: Person, number: int) -> None:
    await rich(person, 1000)
    for _ in range(number):
        await person.gql(BUY_FREEZE)


async def held(person: Person) -> int:
    return int((await person.gql("{ wallet { freezes } }"))["wallet"]["freezes"])


async def test_a_freeze_is_used_automatically(
    person: Person, clock: TestClock, table: Gateway
) -> None:
    habit = await new_habit(person)
    await with_freezes(person, 2)
    for number in (1, 2):
        await travel(clock, noon(number), person)
        await log(person, habit)
    await travel(clock, noon(4), person)
    now = await seen(person, habit)
    assert (now["streak"], now["longestStreak"], await held(person)) == (2, 2, 1)
    assert await kinds(person, habit) == {day(1): "DONE", day(2): "DONE", day(3): "FREEZE"}
    assert (await seen(person, habit))["streak"] == 2
    assert await held(person) == 1
    await travel(clock, noon(5), person)
    assert (await log(person, habit))["habit"]["streak"] == 3
    assert (await kinds(person, habit))[day(4)] == "FREEZE"
    assert await held(person) == 0
    await check_caches(table, person, habit, noon(5).date())
    await travel(clock, noon(7), person)
    assert (await seen(person, habit))["streak"] == 0


async def test_no_freeze_is_wasted_on_a_streak_that_is_lost(
    person: Person, clock: TestClock
) -> None:
    habit = await new_habit(person)
    await with_freezes(person, 2)
    await log(person, habit)
    await travel(clock, noon(5), person)
    assert (await log(person, habit))["habit"]["streak"] == 1
    assert await held(person) == 2


async def test_one_freeze_saves_one_of_two_habits(person: Person, clock: TestClock) -> None:
    await with_freezes(person, 1)
    habits = [await new_habit(person), await new_habit(person)]
    for habit in habits:
        await log(person, habit)
    await travel(clock, noon(3), person)
    listed = await asyncio.gather(*(person.gql(HABITS) for _ in range(5)))
    streaks = {
        tuple(sorted(each["streak"] for each in answer["habits"]["items"])) for answer in listed
    }
    assert streaks <= {(0, 1), (0, 0)}
    after = (await person.gql(HABITS))["habits"]["items"]
    assert sorted(each["streak"] for each in after) == [0, 1]
    assert await held(person) == 0


async def test_a_freeze_can_be_logged(person: Person) -> None:
    habit = await new_habit(person)
    freeze = {"habitId": habit["id"], "kind": "FREEZE"}
    assert (await person.refused(LOG, input=freeze)).code == "NO_FREEZE"
    assert await kinds(person, habit) == {}
    await with_freezes(person, 1)
    await log(person, habit, kind="FREEZE")
    await log(person, habit, kind="FREEZE", notes="ill")
    assert (await kinds(person, habit), await held(person)) == ({day(1): "FREEZE"}, 0)


async def test_logs_of_many_days_at_once_are_all_kept(
    person: Person, clock: TestClock, table: Gateway
) -> None:
    await travel(clock, noon(25), person)
    habit = await new_habit(person, startDate=day(1))
    await asyncio.gather(*(log(person, habit, date=day(n)) for n in range(1, 26)))
    assert len(await kinds(person, habit)) == 25
    assert (await seen(person, habit))["streak"] == 25
    await check_caches(table, person, habit, noon(25).date())


async def test_deleting_leaves_nothing(person: Person, table: Gateway) -> None:
    habit = await new_habit(person)
    await log(person, habit)
    assert (await person.gql(DELETE, id=habit["id"]))["deleteHabit"] == {"id": habit["id"]}
    assert [item async for item in table.partition(f"HABIT#{habit['id']}")] == []
    assert await person.gql(HABIT, id=habit["id"]) == {"habit": None}


async def test_others_habits_do_not_exist(ada: Person, bob: Person, table: Gateway) -> None:
    habit = await new_habit(ada)
    got = await log(ada, habit)
    before = [item async for item in table.partition(f"HABIT#{habit['id']}")]
    assert await bob.gql(HABIT, id=habit["id"]) == {"habit": None}
    assert await bob.gql(LOGS, id=habit["id"]) == {"habit": None}
    refusals = [
        await bob.refused(LOG, input={"habitId": habit["id"]}),
        await bob.refused(DELETE_LOG, id=habit["id"], date=got["date"]),
        await bob.refused(UPDATE, input={"id": habit["id"], "name": "Mine"}),
        await bob.refused(DELETE, id=habit["id"]),
    ]
    assert [each.code for each in refusals] == ["NOT_FOUND"] * 4
    assert [item async for item in table.partition(f"HABIT#{habit['id']}")] == before
    assert (await bob.gql(HABITS))["habits"]["items"] == []
