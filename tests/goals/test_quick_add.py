"""Tasks out of plain words."""

from datetime import UTC, date, datetime, time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domains.goals.rules.quick_add import QuickTask, read_quick_task
from app.domains.goals.rules.states import Priority
from tests.api import Api, Person
from tests.goals.world import do
from tests.servers import TestClock

TODAY = date(2026, 1, 10)  # a Saturday


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Buy milk", QuickTask(title="Buy milk")),
        (
            "Pay rent every month on the 1st at 9 p1 #Wealth",
            QuickTask(
                title="Pay rent",
                priority=Priority.P1,
                area="Wealth",
                due=date(2026, 2, 1),
                at=time(9),
                rule="FREQ=MONTHLY;BYMONTHDAY=1",
            ),
        ),
        (
            "Call mum tomorrow at 5pm @family ~30m",
            QuickTask(
                title="Call mum", tags=["family"], size=30, due=date(2026, 1, 11), at=time(17)
            ),
        ),
        (
            "Gym every mon, wed and fri for 1h30 #Health #sport",
            QuickTask(
                title="Gym",
                area="Health",
                tags=["sport"],
                size=90,
                due=date(2026, 1, 12),
                rule="FREQ=WEEKLY;BYDAY=MO,WE,FR",
            ),
        ),
        (
            "Standup every weekday at 9:30",
            QuickTask(
                title="Standup",
                due=date(2026, 1, 12),
                at=time(9, 30),
                rule="FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
            ),
        ),
        (
            "Report every 3rd tuesday p2",
            QuickTask(
                title="Report",
                priority=Priority.P2,
                due=date(2026, 1, 20),
                rule="FREQ=MONTHLY;BYDAY=3TU",
            ),
        ),
        (
            "Invoice every 31st of the month",
            QuickTask(
                title="Invoice",
                due=date(2026, 1, 31),
                rule="FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1",
            ),
        ),
        (
            "Water plants every 2 days",
            QuickTask(title="Water plants", due=TODAY, rule="FREQ=DAILY;INTERVAL=2"),
        ),
        (
            "Backup every other week",
            QuickTask(title="Backup", due=TODAY, rule="FREQ=WEEKLY;INTERVAL=2"),
        ),
        ("Journal daily", QuickTask(title="Journal", due=TODAY, rule="FREQ=DAILY")),
        ("Dentist on 15 jan", QuickTask(title="Dentist", due=date(2026, 1, 15))),
        ("Taxes by april 30", QuickTask(title="Taxes", due=date(2026, 4, 30))),
        ("Trip 3 january", QuickTask(title="Trip", due=date(2027, 1, 3))),
        ("Review 2026-02-28 p4", QuickTask(title="Review", priority=Priority.P4,
                                           due=date(2026, 2, 28))),
        ("Bad day 2026-02-30", QuickTask(title="Bad day 2026-02-30")),
        ("Meet Ana next friday", QuickTask(title="Meet Ana", due=date(2026, 1, 16))),
        ("Party on saturday", QuickTask(title="Party", due=date(2026, 1, 17))),
        ("Pack in 2 weeks", QuickTask(title="Pack", due=date(2026, 1, 24))),
        ("Bills by the 5th", QuickTask(title="Bills", due=date(2026, 2, 5))),
        ("Nap 2pm", QuickTask(title="Nap", due=TODAY, at=time(14))),
        ("Report by friday 17:00", QuickTask(title="Report", due=date(2026, 1, 16), at=time(17))),
        ("Train 12:05 am tomorrow", QuickTask(title="Train", due=date(2026, 1, 11), at=time(0, 5))),
        ("Mix 3:75", QuickTask(title="Mix 3:75")),
        ("Mix at 3:75", QuickTask(title="Mix at 3:75")),
        ("Sing in 13pm", QuickTask(title="Sing in 13pm")),
        ("Buy 2 pmags", QuickTask(title="Buy 2 pmags")),
        ("Lunch at 25", QuickTask(title="Lunch at 25")),
        ("Wait for the bus", QuickTask(title="Wait for the bus")),
        ("Read chapter1 of p10", QuickTask(title="Read chapter1 of p10")),
    ],
)  # fmt: skip
def test_understands(text: str, wanted: QuickTask) -> None:
    assert read_quick_task(text, today=TODAY) == wanted


@given(st.text(min_size=1, max_size=80), st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_any_words_make_a_task(text: str, today: date) -> None:
    found = read_quick_task(text, today=today)
    assert found.title == found.title.strip() or not text.strip()


async def test_becomes_a_task_in_the_users_zone(api: Api, clock: TestClock) -> None:
    clock.set(datetime(2026, 1, 10, 12, 0, tzinfo=UTC))
    eva = await api.sign_up(timeZone="Europe/Berlin")
    made = await do(
        eva,
        "quickAddTask",
        text="Pay rent every month on the 1st at 9 p1 #Wealth",
        idempotencyKey="q",
    )
    expected = {
        "title": "Pay rent",
        "priority": "P1",
        "area": "Wealth",
        "dueDate": "2026-02-01",
        "dueAt": "2026-02-01T08:00:00.000Z",
        "isRecurring": True,
        "pointValue": 90,
    }
    assert {name: made[name] for name in expected} == expected
    assert made["recurrenceRule"]["rrule"] == "FREQ=MONTHLY;BYMONTHDAY=1"
    again = await do(
        eva,
        "quickAddTask",
        text="Pay rent every month on the 1st at 9 p1 #Wealth",
        idempotencyKey="q",
    )
    assert again == made


async def test_takes_the_words_as_an_argument_too(ada: Person) -> None:
    made = await ada.gql('mutation { quickAddTask(text: "Call Mum p2") { title priority } }')
    assert made["quickAddTask"] == {"title": "Call Mum", "priority": "P2"}


@pytest.mark.parametrize(
    "arguments", ["", "(text: null)", '(text: "x", input: {text: "x"})', '(text: " ")']
)
async def test_takes_the_words_once(ada: Person, arguments: str) -> None:
    refused = await ada.refused(f"mutation {{ quickAddTask{arguments} {{ id }} }}")
    assert refused.code == "BAD_INPUT"
    assert (await ada.gql("{ tasks { items { id } } }"))["tasks"]["items"] == []
