"""The urgency of a task: a score of priority, due date, status, blocked tasks and age."""

from datetime import datetime, timedelta

from app.core.clock import parse_instant
from app.domains.goals.types import Priority, Task, TaskStatus, UrgencyPart

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
    return round(sum(part.value for part in urgency_parts(task, now)), 2)


def urgency_parts(task: Task, now: datetime) -> list[UrgencyPart]:
    """Those that are not 0; none if the task is done or cancelled."""
    if not task.is_open:
        return []
    status, priority = task.status.value, task.priority.value
    age = _clamp(0.0, (now - parse_instant(task.created_at)) / YEAR, 1.0)
    weight = due_weight(parse_instant(task.due_at), now) if task.due_at else 0.0
    parts = [
        UrgencyPart(
            name="priority", value=BY_PRIORITY[task.priority], reason=f"It has priority {priority}."
        ),
        UrgencyPart(
            name="status", value=BY_STATUS.get(task.status, 0.0), reason=f"It is {status}."
        ),
        UrgencyPart(
            name="blocks",
            value=BLOCKS_OTHERS if task.blocks_ids else 0.0,
            reason="Other tasks wait for it.",
        ),
        UrgencyPart(
            name="age",
            value=round(OLD * age, 2),
            reason=f"{round(age * 100)} % of a year have passed since it was created.",
        ),
        UrgencyPart(
            name="due",
            value=round(DUE * weight, 2),
            reason=f"Its due date, {task.due_date}, counts {round(weight * 100)} %: 20 % until two "
            "weeks before it, all of it a week after it.",
        ),
    ]
    return [part for part in parts if part.value]


def due_weight(due: datetime, now: datetime) -> float:
    """0.2 until two weeks before the due moment, rising to 1 a week after it."""
    rising = 0.2 + 0.8 * ((now - due + BEFORE_DUE) / (BEFORE_DUE + AFTER_DUE))
    return _clamp(0.2, rising, 1.0)


def _clamp(low: float, value: float, high: float) -> float:
    return min(max(low, value), high)
