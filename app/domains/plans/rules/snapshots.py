"""A day's plan as the records of a snapshot, and when a snapshot is abandoned."""

from datetime import datetime, timedelta

from app.core.clock import parse_instant
from app.domains.plans.types import (
    Block,
    BlockType,
    DailyPlan,
    DayPlan,
    PlanBlock,
    PlanDraft,
    PlanRevision,
    PlanTodo,
    Todo,
    TodoClassification,
    ValuesDraft,
)

# A commit that takes longer was interrupted: no request lives that long.
ABANDONED_AFTER = timedelta(hours=1)


def fixed_width(index: int) -> str:
    """Every snapshot is written whole, so positions are simply counted anew, in fixed width."""
    return f"{index:06d}"


def plan_records(day: DayPlan, revision: PlanRevision) -> DailyPlan:
    owner = {
        "user_id": revision.user_id,
        "date": revision.date,
        "rev_id": revision.rev_id,
        "created_at": revision.created_at,
        "updated_at": revision.created_at,
    }
    blocks = sorted(day.blocks, key=lambda block: (block.start, block.id))
    return DailyPlan(
        date=revision.date,
        revision=revision,
        todos=[_todo_record(each, index, owner) for index, each in enumerate(day.todos)],
        blocks=[block_record(each, owner) for each in blocks],
    )


def _todo_record(todo: Todo, index: int, owner: dict[str, str]) -> PlanTodo:
    return PlanTodo(
        **owner,  # type: ignore[arg-type]
        order=fixed_width(index),
        action_id=todo.action_id,  # type: ignore[arg-type]
        classification=TodoClassification(todo.classification),
        estimated_pomodoros=todo.estimated_pomodoros,
        notes=todo.notes,
        completed_at=todo.completed_at,  # type: ignore[arg-type]
        version=todo.version,
    )


def block_record(block: Block, owner: dict[str, str]) -> PlanBlock:
    return PlanBlock(
        **owner,  # type: ignore[arg-type]
        id=block.id,  # type: ignore[arg-type]
        block_type=BlockType(block.block_type),
        start_time_iso=block.start,  # type: ignore[arg-type]
        end_time_iso=block.end,  # type: ignore[arg-type]
        title=block.title,
        action_id=block.action_id,  # type: ignore[arg-type]
        pomodoro_index=block.pomodoro_index,
        version=block.version,
    )


def is_abandoned(draft: ValuesDraft | PlanDraft, now: datetime) -> bool:
    return parse_instant(draft.created_at) <= now - ABANDONED_AFTER
