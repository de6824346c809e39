"""Times, outcomes of attempts, texts and addresses: no I/O."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.core.errors import BadInput
from app.domains.notifications.rules.identifiers import checked_identifier, masked
from app.domains.notifications.rules.sending import (
    DeliveryState,
    SendOutcome,
    SendResult,
    outcome_of_status,
    retry_after_seconds,
    state_after,
)
from app.domains.notifications.rules.texts import discord_content, plain_body, title_line
from app.domains.notifications.rules.times import (
    NotificationSchedule,
    after_quiet,
    next_moment,
    period_of,
)
from app.domains.notifications.types import ChannelType, NotificationFrequency, SendingStatus

DAILY, WEEKLY, MONTHLY = NotificationFrequency
NOW = datetime(2026, 1, 10, 12, tzinfo=UTC)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text)


@pytest.mark.parametrize(
    ("day", "frequency", "period"),
    [
        ("2026-01-10", DAILY, "2026-01-10"),
        ("2026-01-10", WEEKLY, "2026-W02"),
        ("2025-12-29", WEEKLY, "2026-W01"),
        ("2026-01-10", MONTHLY, "2026-01"),
    ],
)
def test_periods(day: str, frequency: NotificationFrequency, period: str) -> None:
    assert period_of(date.fromisoformat(day), frequency) == period


@pytest.mark.parametrize(
    ("after", "frequency", "zone", "hour", "moment"),
    [
        ("2026-01-10T08:59:59Z", DAILY, "UTC", 9, "2026-01-10T09:00:00Z"),
        ("2026-01-10T09:00:00Z", DAILY, "UTC", 9, "2026-01-11T09:00:00Z"),
        ("2026-01-10T20:00:00Z", DAILY, "Pacific/Auckland", 9, "2026-01-11T20:00:00Z"),
        ("2026-01-10T19:00:00Z", DAILY, "Pacific/Auckland", 9, "2026-01-10T20:00:00Z"),
        ("2026-01-10T12:00:00Z", WEEKLY, "UTC", 9, "2026-01-12T09:00:00Z"),
        ("2026-01-12T09:00:00Z", WEEKLY, "UTC", 9, "2026-01-19T09:00:00Z"),
        ("2026-01-10T12:00:00Z", MONTHLY, "UTC", 0, "2026-02-01T00:00:00Z"),
        ("2026-01-31T12:00:00Z", MONTHLY, "UTC", 0, "2026-02-01T00:00:00Z"),
        # The clock goes from 2 to 3 that night: the hour that is skipped is the one after.
        ("2026-03-28T12:00:00Z", DAILY, "Europe/Berlin", 2, "2026-03-29T01:00:00Z"),
        ("2026-03-29T01:00:00Z", DAILY, "Europe/Berlin", 2, "2026-03-30T00:00:00Z"),
        # The clock goes from 3 back to 2: the first of the two.
        ("2026-10-24T12:00:00Z", DAILY, "Europe/Berlin", 2, "2026-10-25T00:00:00Z"),
        ("2026-10-25T00:00:00Z", DAILY, "Europe/Berlin", 2, "2026-10-26T01:00:00Z"),
    ],
)
def test_next_moment(
    after: str, frequency: NotificationFrequency, zone: str, hour: int, moment: str
) -> None:
    assert next_moment(at(after), frequency, zone=zone, hour=hour) == at(moment)


MOMENTS = st.integers(0, 10 * 365 * 24 * 60).map(lambda n: NOW + timedelta(minutes=n))
ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia"]


@given(
    start=MOMENTS,
    zone=st.sampled_from(ZONES),
    hour=st.integers(0, 23),
    frequency=st.sampled_from(NotificationFrequency),
)
def test_every_period_has_one_moment(
    start: datetime, zone: str, hour: int, frequency: NotificationFrequency
) -> None:
    schedule = NotificationSchedule(zone, hour)
    moment = start
    periods = []
    for _ in range(6):
        following = schedule.next(moment, frequency)
        assert following > moment
        moment = following
        periods.append(schedule.period(moment, frequency))
    assert len(set(periods)) == len(periods)


@pytest.mark.parametrize(
    ("moment", "quiet", "then"),
    [
        ("2026-01-10T21:59:00Z", (22, 7), "2026-01-10T21:59:00Z"),
        ("2026-01-10T22:00:00Z", (22, 7), "2026-01-11T07:00:00Z"),
        ("2026-01-11T03:00:00Z", (22, 7), "2026-01-11T07:00:00Z"),
        ("2026-01-11T07:00:00Z", (22, 7), "2026-01-11T07:00:00Z"),
        ("2026-01-11T13:30:00Z", (13, 15), "2026-01-11T15:00:00Z"),
        ("2026-01-11T13:30:00Z", (13, 13), "2026-01-11T13:30:00Z"),
        ("2026-01-11T13:30:00Z", (None, 7), "2026-01-11T13:30:00Z"),
        ("2026-01-11T13:30:00Z", (22, None), "2026-01-11T13:30:00Z"),
    ],
)
def test_quiet_hours(moment: str, quiet: tuple[int | None, int | None], then: str) -> None:
    found = after_quiet(at(moment), zone="UTC", quiet_from=quiet[0], quiet_to=quiet[1])
    assert found == at(then)


@given(
    moment=MOMENTS,
    zone=st.sampled_from(ZONES),
    quiet=st.tuples(st.integers(0, 23), st.integers(0, 23)),
)
def test_after_the_quiet_hours_it_is_not_quiet(
    moment: datetime, zone: str, quiet: tuple[int, int]
) -> None:
    schedule = NotificationSchedule(zone, 9, *quiet)
    then = schedule.after_quiet(moment)
    assert moment <= then <= moment + timedelta(hours=26)
    if then != moment:
        assert then.astimezone(ZoneInfo(zone)).minute in (0, 30)


@pytest.mark.parametrize(
    ("status", "result"),
    [
        (200, SendResult.SENT),
        (204, SendResult.SENT),
        (301, SendResult.REFUSED),
        (307, SendResult.REFUSED),
        (400, SendResult.REFUSED),
        (401, SendResult.REFUSED),
        (404, SendResult.REFUSED),
        (408, SendResult.TRY_AGAIN),
        (429, SendResult.TRY_AGAIN),
        (500, SendResult.TRY_AGAIN),
        (503, SendResult.TRY_AGAIN),
    ],
)
def test_what_a_status_means(status: int, result: SendResult) -> None:
    assert outcome_of_status(status).result is result


AGAIN = SendOutcome(SendResult.TRY_AGAIN)
DOUBT = SendOutcome(SendResult.IN_DOUBT)


@pytest.mark.parametrize(
    ("outcome", "attempts", "repeatable", "following"),
    [
        (SendOutcome(SendResult.SENT), 1, True, DeliveryState(SendingStatus.SENT)),
        (SendOutcome(SendResult.REFUSED), 1, True, DeliveryState(SendingStatus.FAILED)),
        (AGAIN, 1, True, DeliveryState(SendingStatus.PENDING, NOW + timedelta(seconds=30))),
        (AGAIN, 2, False, DeliveryState(SendingStatus.PENDING, NOW + timedelta(seconds=60))),
        (AGAIN, 3, True, DeliveryState(SendingStatus.FAILED)),
        (DOUBT, 1, True, DeliveryState(SendingStatus.PENDING, NOW + timedelta(seconds=30))),
        (DOUBT, 3, True, DeliveryState(SendingStatus.FAILED)),
        (DOUBT, 1, False, DeliveryState(SendingStatus.UNKNOWN)),
        (
            SendOutcome(SendResult.TRY_AGAIN, retry_after=600),
            1,
            True,
            DeliveryState(SendingStatus.PENDING, NOW + timedelta(minutes=10)),
        ),
        (
            SendOutcome(SendResult.TRY_AGAIN, retry_after=1e9),
            1,
            True,
            DeliveryState(SendingStatus.FAILED),
        ),
    ],
)
def test_the_state_after_an_attempt(
    outcome: SendOutcome, attempts: int, repeatable: bool, following: DeliveryState
) -> None:
    found = state_after(outcome, attempts=attempts, repeatable=repeatable, now=NOW)
    assert found == following


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("120", 120),
        ("1.5", 1.5),
        ("-3", 0),
        ("Sat, 10 Jan 2026 12:01:30 GMT", 90),
        ("Fri, 01 Jan 2016 00:00:00 GMT", 0),
        ("soon", None),
        (None, None),
    ],
)
def test_both_forms_of_retry_after(header: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(header, NOW) == seconds


def test_discord_takes_two_thousand_characters() -> None:
    assert discord_content("Title", "Body") == "Title\r\nBody"
    cut = discord_content("t" * 100, "x" * 10_000)
    assert len(cut) == 2_000
    assert cut.endswith("x…")


HOSTS = ["hooks.example.com/in", "plain.example.org", "odd.example.net:8443"]


def checked(kind: ChannelType, text: str) -> str:
    return checked_identifier(kind, text, webhook_hosts=HOSTS, insecure=False)


@pytest.mark.parametrize(
    ("kind", "text", "used"),
    [
        (ChannelType.SMS, "+1 (415) 555-2671", "+14155552671"),
        (ChannelType.SMS, "+1234567890", "+1234567890"),
        (ChannelType.Email, "ada@example.com", "ada@example.com"),
        (
            ChannelType.Discord,
            "https://discord.com/api/webhooks/123/ab_C-d",
            "https://discord.com/api/webhooks/123/ab_C-d",
        ),
        (
            ChannelType.Discord,
            "https://discordapp.com/api/v10/webhooks/123/ab",
            "https://discordapp.com/api/v10/webhooks/123/ab",
        ),
        (
            ChannelType.Webhook,
            "https://hooks.example.com/in/x?y=z",
            "https://hooks.example.com/in/x?y=z",
        ),
        (ChannelType.Webhook, "https://plain.example.org", "https://plain.example.org"),
        (
            ChannelType.Webhook,
            "https://odd.example.net:8443/a",
            "https://odd.example.net:8443/a",
        ),
    ],
)
def test_addresses_that_are_allowed(kind: ChannelType, text: str, used: str) -> None:
    assert checked(kind, text) == used


REFUSED = [
    (ChannelType.SMS, "4165552671"),
    (ChannelType.SMS, "+0123456789"),
    (ChannelType.SMS, "+1234567890123456"),
    (ChannelType.SMS, "+1415555CALL"),
    (ChannelType.Email, "nobody"),
    (ChannelType.Email, "a@b.co\nBcc: c@d.co"),
    (ChannelType.Email, "a@b.co,c@d.co"),
    (ChannelType.Discord, "http://discord.com/api/webhooks/1/a"),
    (ChannelType.Discord, "https://discord.com.evil.example/api/webhooks/1/a"),
    (ChannelType.Discord, "https://evil.example/api/webhooks/1/a"),
    (ChannelType.Discord, "https://discord.com@evil.example/api/webhooks/1/a"),
    (ChannelType.Discord, "https://discord.com/api/webhooks/1/a/../../../users"),
    (ChannelType.Discord, "https://discord.com/api/users/1/a"),
    (ChannelType.Discord, "https://discord.com/api/webhooks/1/a?wait=1"),
    (ChannelType.Webhook, "https://127.0.0.1/"),
    (ChannelType.Webhook, "https://169.254.169.254/latest/meta-data"),
    (ChannelType.Webhook, "https://[::1]/"),
    (ChannelType.Webhook, "https://2130706433/"),
    (ChannelType.Webhook, "https://0x7f000001/"),
    (ChannelType.Webhook, "https://localhost/"),
    (ChannelType.Webhook, "http://hooks.example.com/in/x"),
    (ChannelType.Webhook, "file:///etc/passwd"),
    (ChannelType.Webhook, "gopher://hooks.example.com/in/"),
    (ChannelType.Webhook, "https://user:pass@hooks.example.com/in/x"),
    (ChannelType.Webhook, "https://hooks.example.com/inside"),
    (ChannelType.Webhook, "https://hooks.example.com/in/../admin"),
    (ChannelType.Webhook, "https://hooks.example.com/in/%2e%2e/admin"),
    (ChannelType.Webhook, "https://hooks.example.com/in/%2e%2E%2fadmin"),
    (ChannelType.Webhook, "https://hooks.example.com/in\\..\\admin"),
    (ChannelType.Webhook, "https://hooks.example.com:444/in/x"),
    (ChannelType.Webhook, "https://hooks.example.com.evil.example/in/x"),
    (ChannelType.Webhook, "https://evil.example/hooks.example.com/in/x"),
    (ChannelType.Webhook, "https://evil.example#hooks.example.com/in"),
    (ChannelType.Webhook, "https://hooks.example.com:x/in/x"),
    (ChannelType.Webhook, "https://hooks.example.com/in/x#y"),
    (ChannelType.Webhook, "https://hооks.example.com/in/x"),  # noqa: RUF001
    (ChannelType.Webhook, "hooks.example.com/in/x"),
]


@pytest.mark.parametrize(("kind", "text"), REFUSED)
def test_addresses_that_are_refused(kind: ChannelType, text: str) -> None:
    with pytest.raises(BadInput) as refused:
        checked(kind, text)
    assert text not in refused.value.message


@pytest.mark.parametrize("host", ["127.0.0.1", "0x7f000001", "2130706433", "127.1", "[::1]"])
def test_ip_addresses_are_refused_even_if_an_operator_allows_them(host: str) -> None:
    with pytest.raises(BadInput):
        checked_identifier(
            ChannelType.Webhook,
            f"https://{host}/",
            webhook_hosts=[host.strip("[]")],
            insecure=False,
        )


@pytest.mark.parametrize(
    ("kind", "text", "shown"),
    [
        (ChannelType.SMS, "+14155552671", "+1•••71"),
        (ChannelType.Email, "ada@example.com", "a•••@example.com"),
        (
            ChannelType.Discord,
            "https://discord.com/api/webhooks/123456789/secret",
            "discord.com/…6789",
        ),
        (ChannelType.Webhook, "https://hooks.example.com/in/secret", "hooks.example.com/•••"),
    ],
)
def test_addresses_are_shown_masked(kind: ChannelType, text: str, shown: str) -> None:
    assert masked(kind, text) == shown


def test_titles_are_one_line_and_texts_are_cut() -> None:
    assert title_line("a\r\nBcc: x@y.z\u202e b") == "a Bcc: x@y.z b"
    assert len(title_line("x" * 500)) == 120
    assert plain_body("a\nb\x00\x1b[31m") == "a\nb  [31m"
    assert len(plain_body("x" * 10_000)) == 1_800
