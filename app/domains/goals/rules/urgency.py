"""The urgency of a task: a score of priority, due date, status, blocked tasks and age."""

from datetime import datetime, timedelta

from app.core.clock import parse_instant
from app.domains.goals.types import Priority, Task, TaskStatus

BY_PRIORITY = {Priority.P1: 6.0, Priority.P2: 4.0, Priority.P3: 2.0, Priority.P4: 0.0}
BY_STATUS = {TaskStatus.InProgress: 4.0, TaskStatus.Blocked: -5.0, TaskStatus.OnHold: -3.0}
DUE = 12.0
BLOCKS_OTHERS = 8.0
OLD = 2.0
# The weight of a due date rises from two weeks before it until a week after it.
BEFORE_DUE, AFTER_DUE = timedelta(days=14), timedelta(days=7)
YEAR = timedelta(days=365)


def urgency(task: Task, now: datetime) -> float:
    """0 if the task is done or cancelled."""
    if not task.is_open:
        return 0.0
    score = BY_PRIORITY[task.priority] + BY_STATUS.get(task.status, 0.0)
    score += BLOCKS_OTHERS if task.blocks_ids else 0.0
    score += OLD * _clamp(0.0, (now - parse_instant(task.created_at)) / YEAR, 1.0)
    score += DUE * due_weight(parse_instant(task.due_at), now) if task.due_at else 0.0
    return round(score, 2)


def due_weight(due: datetime, now: datetime) -> float:
    """0.2 until two weeks before the due moment, rising to 1 a week after it."""
    rising = 0.2 + 0.8 * ((now - due + BEFORE_DUE) / (BEFORE_DUE + AFTER_DUE))
    return _clamp(0.2, rising, 1.0)


def _clamp(low: float, value: float, high: float) -> float:
    return min(max(low, value), high)
