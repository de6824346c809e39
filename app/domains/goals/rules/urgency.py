"""What to do first: a score out of priority, due date, state, what waits for it, and age."""

from datetime import datetime, timedelta

from app.domains.goals.rules.states import Priority, TaskStatus

BY_PRIORITY = {Priority.P1: 6.0, Priority.P2: 4.0, Priority.P3: 2.0, Priority.P4: 0.0}
BY_STATUS = {TaskStatus.InProgress: 4.0, TaskStatus.Blocked: -5.0, TaskStatus.OnHold: -3.0}
DUE = 12.0
BLOCKS_OTHERS = 8.0
OLD = 2.0
# Two weeks ahead a due date begins to matter; a week late it matters as much as it ever will.
AHEAD, LATE = timedelta(days=14), timedelta(days=7)
YEAR = timedelta(days=365)


def urgency(
    *,
    priority: Priority,
    status: TaskStatus,
    due: datetime | None,
    created: datetime,
    blocks: int,
    now: datetime,
) -> float:
    """Of an open task; 0 for one that is done or cancelled."""
    if status in (TaskStatus.Done, TaskStatus.Cancelled):
        return 0.0
    score = BY_PRIORITY[priority] + BY_STATUS.get(status, 0.0)
    score += BLOCKS_OTHERS if blocks else 0.0
    score += OLD * _within(0.0, (now - created) / YEAR, 1.0)
    score += DUE * due_weight(due, now) if due else 0.0
    return round(score, 2)


def due_weight(due: datetime, now: datetime) -> float:
    """0.2 from two weeks before, rising to 1 a week after."""
    return _within(0.2, 0.2 + 0.8 * ((now - due + AHEAD) / (AHEAD + LATE)), 1.0)


def _within(low: float, value: float, high: float) -> float:
    return min(max(low, value), high)
