"""A day's plan without any I/O: what may be in it, rollover, and pomodoros around blocks."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import AppError, BadInput
from app.domains.plans.errors import ActionTwice, BlocksOverlap, NotInTodos
from app.domains.plans.rules.day import (
    check_day,
    day_bounds,
    warnings,
    with_done,
    with_open,
    with_unfinished,
)
from app.domains.plans.rules.plan_diff import diff_days
from app.domains.plans.rules.suggestion import suggest
from app.domains.plans.types.days import Block, DayPlan, Todo

ON = date(2026, 1, 23)
NINE = datetime(2026, 1, 23, 9, tzinfo=UTC)
SIX = datetime(2026, 1, 23, 18, tzinfo=UTC)


def at(clock: str) -> str:
    return f"2026-01-23T{clock}:00.000Z"


def block(start: str, end: str, kind: str = "MEETING", **more: object) -> Block:
    name = f"{kind}-{start}"
    return Block(id=name, block_type=kind, start=at(start), end=at(end), **more)  # type: ignore[arg-type]


def pomodoro(start: str, end: str, action: str | None = "a", index: int | None = 1) -> Block:
    return block(start, end, "POMODORO", action_id=action, pomodoro_index=index)


def todos(*ids: str, estimate: int = 1) -> tuple[Todo, ...]:
    return tuple(Todo(action_id=each, estimated_pomodoros=estimate) for each in ids)


@pytest.mark.parametrize(
    "day",
    [
        DayPlan(),
        DayPlan(todos("a", "b")),
        DayPlan(todos("a"), (pomodoro("09:00", "09:25"), block("09:25", "09:30", "BREAK"))),
        DayPlan((), (block("09:00", "10:00"), block("09:30", "11:00", "BUFFER"))),
        DayPlan((), (block("09:00", "10:00", "BUFFER"), block("09:30", "11:00", "BUFFER"))),
        DayPlan(todos("a", estimate=3), (pomodoro("09:00", "09:25", index=3),)),
        DayPlan(todos("a", "b"), (pomodoro("09:00", "09:25"), pomodoro("10:00", "10:25", "b"))),
    ],
)
def test_allowed_plans(day: DayPlan) -> None:
    check_day(day, ON)


@pytest.mark.parametrize(
    ("day", "error"),
    [
        (DayPlan(todos("a", "b", "a")), ActionTwice),
        (DayPlan((), (block("10:00", "10:00"),)), BadInput),
        (DayPlan((), (block("10:00", "09:00"),)), BadInput),
        (DayPlan((), (block("09:00", "10:00"), block("09:59", "11:00", "BREAK"))), BlocksOverlap),
        (DayPlan((), (block("09:00", "12:00"), block("10:00", "11:00"))), BlocksOverlap),
        (DayPlan(todos("b"), (pomodoro("09:00", "09:25"),)), NotInTodos),
        (DayPlan(todos("a"), (pomodoro("09:00", "09:25", index=2),)), BadInput),
        (DayPlan(todos("a"), (pomodoro("09:00", "09:25", index=0),)), BadInput),
        (DayPlan(todos("a"), (pomodoro("09:00", "09:25", None),)), BadInput),
        (DayPlan(todos("a"), (pomodoro("09:00", "09:25", "a", None),)), BadInput),
        (DayPlan(todos("a"), (block("09:00", "09:25", action_id="a"),)), BadInput),
        (DayPlan(todos("a"), (pomodoro("09:00", "09:25"), pomodoro("10:00", "10:25"))), BadInput),
    ],
)
def test_forbidden_plans(day: DayPlan, error: type[AppError]) -> None:
    with pytest.raises(error):
        check_day(day, ON)


def test_one_pomodoro_planned_twice_by_an_earlier_release_stays_but_not_a_third_time() -> None:
    twice = (pomodoro("09:00", "09:25"), pomodoro("10:00", "10:25"))
    base = DayPlan(todos("a"), twice)
    check_day(DayPlan(todos("a", "b"), twice), ON, base)
    with pytest.raises(BadInput) as refused:
        check_day(DayPlan(todos("a"), (*twice, pomodoro("11:00", "11:25"))), ON, base)
    assert refused.value.info["field"] == "input.blocks.2.pomodoroIndex"
    with pytest.raises(BadInput):
        check_day(base, ON, DayPlan(todos("a"), twice[:1]))


def test_blocks_belong_to_the_day_and_have_their_own_ids() -> None:
    far = Block(
        id="x",
        block_type="MEETING",
        start="2026-01-25T09:00:00.000Z",
        end="2026-01-25T10:00:00.000Z",
    )
    with pytest.raises(BadInput):
        check_day(DayPlan((), (far,)), ON)
    long = Block(id="x", block_type="MEETING", start=at("09:00"), end="2026-01-24T09:00:00.001Z")
    with pytest.raises(BadInput):
        check_day(DayPlan((), (long,)), ON)
    twins = tuple(
        Block(id="x", block_type="BUFFER", start=at(hour), end=at("12:00"))
        for hour in ("09:00", "10:00")
    )
    with pytest.raises(BadInput):
        check_day(DayPlan((), twins), ON)


@pytest.mark.parametrize(
    ("on", "zone", "hours"),
    [
        (date(2026, 3, 29), "Europe/Lisbon", 23),
        (date(2026, 10, 25), "Europe/Lisbon", 25),
        (date(2026, 1, 23), "Europe/Lisbon", 24),
        (date(2026, 1, 23), "UTC", 24),
    ],
)
def test_a_day_has_23_24_or_25_hours(on: date, zone: str, hours: int) -> None:
    day = day_bounds(on, zone, 0)
    assert day.end - day.begin == timedelta(hours=hours)


def test_a_day_begins_at_the_users_hour() -> None:
    day = day_bounds(ON, "America/New_York", 4)
    assert day.begin == datetime(2026, 1, 23, 9, tzinfo=UTC)


def test_warnings() -> None:
    day = DayPlan(
        (*todos("gone", "done", "open"), Todo(action_id="reopened", completed_at=at("10:00"))),
        (block("01:00", "02:00"), block("22:00", "23:00"), block("23:30", "23:59")),
    )
    lisbon_night = day_bounds(ON, "America/New_York", 0)
    found = warnings(day, lisbon_night, live={"done", "open", "reopened"}, done={"done"})
    assert [each.partition(":")[0] for each in found] == [
        "ACTION_ARCHIVED",
        "ACTION_DONE",
        "ACTION_REOPENED",
        "OUTSIDE_DAY",
    ]
    late = Block(id="b", block_type="MEETING", start=at("23:00"), end="2026-01-24T01:00:00.000Z")
    assert [
        each.partition(":")[0]
        for each in warnings(DayPlan((), (late,)), day_bounds(ON, "UTC", 0), (), ())
    ] == ["PAST_MIDNIGHT"]


def test_open_todos_are_carried_over() -> None:
    source = DayPlan(
        (
            *todos("a", "b", "archived", "struck"),
            Todo(action_id="done", completed_at=at("10:00")),
            Todo(action_id="reopened", completed_at=at("10:00"), version=4),
            Todo(action_id="c", classification="urgent", estimated_pomodoros=3, notes="n"),
        )
    )
    target = DayPlan((Todo(action_id="b", classification="important"),), (block("09:00", "10:00"),))
    day = with_unfinished(
        source, target, open_actions={"a", "b", "c", "struck", "reopened"}, skip={"struck"}
    )
    assert day.todos == (
        Todo(action_id="b", classification="important"),
        Todo(action_id="a"),
        Todo(action_id="reopened"),
        Todo(action_id="c", classification="urgent", estimated_pomodoros=3, notes="n"),
    )
    assert {each.version for each in day.todos} == {0}
    assert day.blocks == target.blocks
    assert with_unfinished(source, day, {"a", "b", "c"}, {"struck"}) is day


def test_a_todo_is_done_at_the_time_of_the_values_and_open_again() -> None:
    day = DayPlan(todos("a", "b"))
    done = with_done(day, "a", at("10:00"))
    assert [each.completed_at for each in done.todos] == [at("10:00"), None]
    assert with_done(done, "a", at("10:00")) == done
    assert with_done(done, "a", at("11:00")).todos[0].completed_at == at("11:00")
    assert with_open(done, "a") == day
    assert with_open(done, "b") == done
    assert with_open(day, "c") == day
    added = with_done(day, "c", at("10:00"))
    assert added.todos[2] == Todo(action_id="c", completed_at=at("10:00"))


def drawn(day: DayPlan, begin: datetime = NINE, end: datetime = SIX) -> list[tuple[str, str, str]]:
    found = suggest(day, (), begin, end)
    return [(each.block_type, each.start[11:16], each.end[11:16]) for each in found.blocks]


def test_four_pomodoros_then_a_long_break() -> None:
    assert drawn(DayPlan(todos("a", estimate=5))) == [
        ("POMODORO", "09:00", "09:25"),
        ("BREAK", "09:25", "09:30"),
        ("POMODORO", "09:30", "09:55"),
        ("BREAK", "09:55", "10:00"),
        ("POMODORO", "10:00", "10:25"),
        ("BREAK", "10:25", "10:30"),
        ("POMODORO", "10:30", "10:55"),
        ("BREAK", "10:55", "11:10"),
        ("POMODORO", "11:10", "11:35"),
    ]


def test_pomodoros_go_around_meetings() -> None:
    meetings = (block("09:20", "10:00"), block("10:28", "11:00"))
    assert drawn(DayPlan(todos("a", estimate=3), meetings)) == [
        ("POMODORO", "10:00", "10:25"),
        ("POMODORO", "11:00", "11:25"),
        ("BREAK", "11:25", "11:30"),
        ("POMODORO", "11:30", "11:55"),
    ]


@pytest.mark.parametrize("kind", ["MEETING", "BREAK", "POMODORO"])
def test_pomodoros_go_around_every_planned_block(kind: str) -> None:
    more = {"action_id": "b", "pomodoro_index": 1} if kind == "POMODORO" else {}
    lunch = block("09:20", "10:00", kind, **more)
    assert drawn(DayPlan(todos("a", "b"), (lunch,)))[0] == ("POMODORO", "10:00", "10:25")


def test_a_buffer_may_be_worked_in() -> None:
    day = DayPlan(todos("a"), (block("09:00", "12:00", "BUFFER"),))
    assert drawn(day) == [("POMODORO", "09:00", "09:25")]


def test_what_is_planned_as_a_pomodoro_is_not_suggested_again() -> None:
    day = DayPlan(todos("a", estimate=3), (pomodoro("09:00", "09:25", index=2),))
    found = suggest(day, (), NINE, SIX)
    work = [each.pomodoro_index for each in found.blocks if each.action_id]
    assert (work, found.warnings) == ([1, 3], [])


def test_a_second_suggestion_has_other_ids_than_the_first_that_was_committed() -> None:
    day = DayPlan(todos("a", estimate=2))
    first = suggest(day, (), NINE, SIX).blocks
    again = DayPlan((*day.todos, *todos("b", estimate=2)), tuple(first))
    second = suggest(again, (), NINE, SIX).blocks
    assert [each.id for each in second] == ["pomodoro-1-2", "break-1-2", "pomodoro-2-2"]
    check_day(DayPlan(again.todos, (*first, *second)), ON)


def test_todos_in_their_order_and_only_open_ones() -> None:
    day = DayPlan(
        (
            *todos("b", estimate=2),
            Todo(action_id="done", completed_at=at("08:00")),
            *todos("elsewhere", "a"),
        )
    )
    found = suggest(day, {"elsewhere"}, NINE, SIX)
    work = [(each.action_id, each.pomodoro_index) for each in found.blocks if each.action_id]
    assert work == [("b", 1), ("b", 2), ("a", 1)]
    assert found.warnings == []


def test_a_day_that_is_too_full() -> None:
    end = NINE + timedelta(minutes=60)
    found = suggest(DayPlan(todos("a", estimate=5)), (), NINE, end)
    assert sum(each.block_type == "POMODORO" for each in found.blocks) == 2
    assert found.warnings == ["DAY_TOO_FULL: 3 of 5 pomodoros do not fit into the day."]
    assert suggest(DayPlan(todos("a")), (), NINE, NINE + timedelta(minutes=24)).blocks == []
    full = DayPlan(todos("a"), (block("08:00", "19:00"),))
    assert suggest(full, (), NINE, SIX).warnings == [
        "DAY_TOO_FULL: 1 of 1 pomodoros do not fit into the day."
    ]


hours = st.integers(8 * 60, 18 * 60)


@given(
    st.lists(
        st.tuples(hours, st.integers(5, 120), st.sampled_from(["MEETING", "BREAK", "BUFFER"])),
        max_size=5,
    ),
    st.lists(st.integers(1, 6), max_size=6),
)
def test_whatever_is_suggested_can_be_committed(
    planned: list[tuple[int, int, str]], estimates: list[int]
) -> None:
    midnight = datetime(2026, 1, 23, tzinfo=UTC)

    def moment(minutes: int) -> str:
        text = (midnight + timedelta(minutes=minutes)).isoformat(timespec="milliseconds")
        return text.replace("+00:00", "Z")

    solid: list[Block] = []
    for start, length, kind in sorted(planned):
        if not solid or moment(start) >= solid[-1].end:
            solid.append(
                Block(
                    id=f"m{start}",
                    block_type=kind,
                    start=moment(start),
                    end=moment(start + length),
                )
            )
    day = DayPlan(
        tuple(Todo(action_id=f"a{i}", estimated_pomodoros=e) for i, e in enumerate(estimates)),
        tuple(solid),
    )
    found = suggest(day, (), NINE, SIX)
    check_day(DayPlan(day.todos, (*day.blocks, *found.blocks)), ON)
    work = [each for each in found.blocks if each.block_type == "POMODORO"]
    assert bool(found.warnings) == (len(work) < sum(estimates))
    assert all(at("09:00") <= each.start and each.end <= at("18:00") for each in work)


def test_what_differs_between_two_plans() -> None:
    old = DayPlan(todos("a", "b", "c"), (block("09:00", "10:00"),))
    new = DayPlan((*todos("c", "a"), Todo(action_id="d")), (block("09:00", "11:00"),))
    found = diff_days(old, new)
    assert (found.todos, found.blocks, found.reordered) == (["b", "d"], ["MEETING-09:00"], True)
    same = diff_days(old, old)
    assert (same.todos, same.blocks, same.reordered) == ([], [], False)
