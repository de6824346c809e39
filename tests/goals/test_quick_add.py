"""quickAddTask."""

from datetime import UTC, datetime

import pytest

from tests.api import Api, Person
from tests.goals.operations import do
from tests.servers import TestClock


async def test_dates_are_in_the_users_time_zone(api: Api, clock: TestClock) -> None:
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


async def test_says_what_it_understood(api: Api, clock: TestClock) -> None:
    clock.set(datetime(2026, 11, 16, 17, 30, tzinfo=UTC))
    eva = await api.sign_up()
    text = "Standup every day until 2026-12-24 p2"
    query = """mutation ($text: String!) { quickAddTask(text: $text) {
      title dueDate recurrenceRule { endDate rrule } understood { text kind meaning start end }
    } }"""
    made = (await eva.gql(query, text=text))["quickAddTask"]
    understood = made.pop("understood")
    assert made == {
        "title": "Standup",
        "dueDate": "2026-11-16",
        "recurrenceRule": {"endDate": "2026-12-24", "rrule": "FREQ=DAILY"},
    }
    assert [(each["text"], each["kind"], each["meaning"]) for each in understood] == [
        ("every day", "RECURRENCE", "FREQ=DAILY"),
        ("until 2026-12-24", "RECURRENCE_END", "2026-12-24"),
        ("p2", "PRIORITY", "P2"),
    ]
    assert all(text[each["start"] : each["end"]] == each["text"] for each in understood)


PREVIEW = """query ($text: String!) { quickAddPreview(text: $text) {
  title dueDate dueTime rrule recurrenceEnd priority area tags size understood { text meaning }
} }"""


async def test_a_preview_stores_nothing(api: Api, clock: TestClock) -> None:
    clock.set(datetime(2026, 11, 16, 16, 30, tzinfo=UTC))
    eva = await api.sign_up(timeZone="Europe/Berlin")
    shown = await eva.gql(PREVIEW, text="Call the bank at 9am #Wealth @phone ~30m")
    assert shown["quickAddPreview"] == {
        "title": "Call the bank",
        "dueDate": "2026-11-17",
        "dueTime": "09:00:00",
        "rrule": None,
        "recurrenceEnd": None,
        "priority": None,
        "area": "Wealth",
        "tags": ["phone"],
        "size": 30,
        "understood": [
            {"text": "at 9am", "meaning": "09:00"},
            {"text": "#Wealth", "meaning": "Wealth"},
            {"text": "@phone", "meaning": "phone"},
            {"text": "~30m", "meaning": "30"},
        ],
    }
    assert (await eva.gql("{ tasks { items { id } } }"))["tasks"]["items"] == []


async def test_days_are_read_in_the_users_language(api: Api, clock: TestClock) -> None:
    clock.set(datetime(2026, 11, 16, 17, 30, tzinfo=UTC))
    eva = await api.sign_up()
    text = "Dinner on 4/12"
    assert (await eva.gql(PREVIEW, text=text))["quickAddPreview"]["dueDate"] == "2026-12-04"
    await eva.gql('mutation { updateProfile(input: {language: "en-US"}) { id } }')
    assert (await eva.gql(PREVIEW, text=text))["quickAddPreview"]["dueDate"] == "2027-04-12"


@pytest.mark.parametrize("text", ["", " ", "x" * 501])
async def test_a_preview_of_nothing_is_refused(ada: Person, text: str) -> None:
    refused = await ada.refused(PREVIEW, text=text)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.text")


async def test_takes_the_text_as_an_argument_or_in_input(ada: Person) -> None:
    made = await ada.gql('mutation { quickAddTask(text: "Call Mum p2") { title priority } }')
    assert made["quickAddTask"] == {"title": "Call Mum", "priority": "P2"}


@pytest.mark.parametrize(
    "arguments", ["", "(text: null)", '(text: "x", input: {text: "x"})', '(text: " ")']
)
async def test_the_text_must_be_sent_exactly_once(ada: Person, arguments: str) -> None:
    refused = await ada.refused(f"mutation {{ quickAddTask{arguments} {{ id }} }}")
    assert refused.code == "BAD_INPUT"
    assert (await ada.gql("{ tasks { items { id } } }"))["tasks"]["items"] == []
