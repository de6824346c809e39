"""Urgency of tasks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from app.core.clock import instant
from app.domains.goals.rules.urgency import due_weight, urgency
from app.domains.goals.types import Priority, TaskStatus
from tests.goals.rules.records import make_task


def test_urgency_rises_as_the_due_date_comes_near() -> None:
    now = datetime(2026, 1, 10, tzinfo=UTC)
    weights = [due_weight(now + timedelta(days=d), now) for d in (30, 14, 7, 0, -7, -30)]
    assert weights == sorted(weights)
    assert (weights[0], weights[-1]) == (0.2, 1.0)
    usual = make_task(created_at=instant(now))
    scores = [urgency(replace(usual, priority=each), now) for each in Priority]
    assert scores == [6.0, 4.0, 2.0, 0.0]
    done = replace(usual, priority=Priority.P1, status=TaskStatus.Done)
    assert urgency(done, now) == 0.0
