"""The next commit of a day's plan: the day that a client sent, its revision and its head."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from app.core.clock import parse_instant
from app.core.ids import Ids
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.plans.inputs import BlockInput, CommitPlanInput, TodoInput
from app.domains.plans.rules.revisions import instant_at, next_millisecond
from app.domains.plans.types import Block, DayPlan, PlanHead, PlanReason, PlanRevision, Todo

Planned = TypeVar("Planned", Todo, Block)
NOTHING_DONE: Mapping[str, str | None] = {}


def requested_day(base: DayPlan, request: CommitPlanInput, new_id: Callable[[], str]) -> DayPlan:
    """A list that was not sent stays as it is; what was completed stays completed."""
    done = {each.action_id: each.completed_at for each in base.todos}
    day = base
    if isinstance(request.todos, list):
        day = replace(day, todos=tuple(todo_from_input(each, done) for each in request.todos))
    if isinstance(request.blocks, list):
        ids = [each.id if isinstance(each.id, str) else new_id() for each in request.blocks]
        sent = zip(request.blocks, ids, strict=True)
        day = replace(day, blocks=tuple(block_from_input(each, id) for each, id in sent))
    return day


def todo_from_input(request: TodoInput, done: Mapping[str, str | None] = NOTHING_DONE) -> Todo:
    values = request.values()
    values.pop("position", None)
    if classification := values.pop("classification", None):
        values["classification"] = classification.value
    return Todo(**values, completed_at=done.get(request.action_id))


def block_from_input(request: BlockInput, id: str) -> Block:
    values = request.values()
    return Block(
        id=id,
        block_type=request.block_type.value,
        start=request.start_time_iso,
        end=request.end_time_iso,
        title=values.get("title"),
        action_id=values.get("action_id"),
        pomodoro_index=values.get("pomodoro_index"),
    )


def with_day_versions(before: DayPlan, day: DayPlan) -> DayPlan:
    """The next version of each todo and block that differs from the plan before."""
    todos = {each.action_id: each for each in before.todos}
    blocks = {each.id: each for each in before.blocks}
    return DayPlan(
        tuple(_with_version(todos.get(each.action_id), each) for each in day.todos),
        tuple(_with_version(blocks.get(each.id), each) for each in day.blocks),
    )


def _with_version(before: Planned | None, after: Planned) -> Planned:
    if before == after:
        return before
    return replace(after, version=max(after.version, before.version if before else 0) + 1)


@dataclass(frozen=True, slots=True)
class Rollover:
    """The plan whose open todos are taken over, and their actions."""

    source: PlanHead
    action_ids: Sequence[str]


def new_plan_revision(
    user_id: str,
    date: AWSDate,
    head: PlanHead | None,
    reason: PlanReason,
    *,
    now: datetime,
    ids: Ids,
) -> PlanRevision:
    parent = head.head_rev_id if head else None
    moved_at = parse_instant(head.updated_at) if head else now
    at = next_millisecond(max(now, moved_at), parent)
    rev_ts = AWSDateTime(instant_at(at))
    return PlanRevision(
        created_at=rev_ts,
        updated_at=rev_ts,
        user_id=user_id,
        date=date,
        rev_id=ids.at(at),
        rev_ts=rev_ts,
        parent_rev_id=parent,
        reason=reason,
    )


def next_plan_head(head: PlanHead | None, revision: PlanRevision, now: AWSDateTime) -> PlanHead:
    """The head after this commit."""
    return PlanHead(
        created_at=head.created_at if head else now,
        updated_at=now,
        version=head.version + 1 if head else 1,
        user_id=revision.user_id,
        date=revision.date,
        head_rev_id=revision.rev_id,
        head_rev_ts=revision.rev_ts,
        parent_rev_id=revision.parent_rev_id,
        merged_rev_id=revision.merged_rev_id,
        reason=revision.reason,
        rolled_date=head.rolled_date if head else None,
        rolled_rev_id=head.rolled_rev_id if head else None,
        rolled_action_ids=head.rolled_action_ids if head else None,
    )


def with_rollover(head: PlanHead, rollover: Rollover) -> PlanHead:
    """The head remembers what it took over, so that what is removed does not come back."""
    earlier = head.rolled_action_ids if head.rolled_date == rollover.source.date else None
    return replace(
        head,
        rolled_date=rollover.source.date,
        rolled_rev_id=rollover.source.head_rev_id,
        rolled_action_ids=list(dict.fromkeys([*(earlier or ()), *rollover.action_ids])),
    )
