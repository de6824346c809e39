"""The next commit without any I/O: its id, its head, the requested day, the linked tasks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import strawberry

from app.core.clock import SystemClock, instant
from app.core.errors import BadInput
from app.core.ids import Ids
from app.core.scalars import AWSDate
from app.domains.goals.types import Task, TaskStatus
from app.domains.plans.inputs import BlockInput, CommitPlanInput, TodoInput
from app.domains.plans.rules.branches import (
    BranchTip,
    CommitNote,
    new_branch,
    new_revision,
    next_head,
)
from app.domains.plans.rules.plan_commits import (
    Rollover,
    new_plan_revision,
    next_plan_head,
    requested_day,
    with_day_versions,
    with_rollover,
)
from app.domains.plans.rules.snapshots import is_abandoned
from app.domains.plans.rules.task_links import (
    MOST_TASKS,
    actions_by_task,
    changed_task_ids,
    task_changes,
)
from app.domains.plans.types import (
    Block,
    BlockType,
    BranchRevision,
    DayPlan,
    PlanReason,
    Todo,
    TodoClassification,
    Tree,
    TreeItem,
    ValuesDraft,
    ValuesHead,
    ValuesRevision,
    ValuesSource,
)

NOW = datetime(2026, 1, 23, 9, tzinfo=UTC)
IDS = Ids(SystemClock())
NOTE = CommitNote(message="Run", source=ValuesSource.daily_update)
MAIN = BranchTip("ada", None, None)


def committed(tip: BranchTip, note: CommitNote = NOTE, now: datetime = NOW) -> ValuesRevision:
    return new_revision(tip, note, now=now, ids=IDS)


def moved_on(tip: BranchTip, note: CommitNote = NOTE, now: datetime = NOW) -> BranchTip:
    return BranchTip(
        tip.user_id, tip.branch, next_head(tip, committed(tip, note, now), instant(now))
    )


def test_the_first_commit_has_no_parent_and_makes_the_head() -> None:
    revision = committed(MAIN)
    assert (revision.rev_ts, revision.parent_rev_id) == ("2026-01-23T09:00:00.000Z", None)
    head = next_head(MAIN, revision, instant(NOW))
    assert isinstance(head, ValuesHead)
    assert (head.head_rev_id, head.version, head.last_review_rev_id) == (revision.rev_id, 1, None)


def test_a_later_commit_is_later_than_the_head_though_the_clock_is_behind() -> None:
    tip = moved_on(MAIN)
    revision = committed(tip, now=NOW - timedelta(hours=1))
    assert revision.rev_ts == "2026-01-23T09:00:00.001Z"
    assert revision.parent_rev_id == tip.head_id
    assert next_head(tip, revision, instant(NOW)).version == 2


def test_only_a_weekly_review_is_remembered_as_the_last_review() -> None:
    review = CommitNote(message="Review", source=ValuesSource.weekly_review)
    reviewed = moved_on(moved_on(MAIN), review)
    later = moved_on(reviewed)
    assert isinstance(later.head, ValuesHead)
    assert later.head.last_review_rev_id == reviewed.head_id


def test_a_branch_begins_after_what_an_earlier_one_of_its_name_has_left() -> None:
    start = committed(MAIN)
    first = BranchTip("ada", "sea", new_branch("sea", start, None, NOW))
    left = committed(first, now=NOW + timedelta(days=1))
    assert isinstance(left, BranchRevision)
    assert (left.branch_name, left.parent_rev_id) == ("sea", start.rev_id)
    second = BranchTip("ada", "sea", new_branch("sea", start, left, NOW))
    assert first.has_ancestor(left.rev_id)
    assert not second.has_ancestor(left.rev_id)
    assert not MAIN.has_ancestor(left.rev_id)


BASE = DayPlan(
    (Todo(action_id="run", completed_at="2026-01-23T08:00:00.000Z"), Todo(action_id="sleep")),
    (Block(id="b", block_type="MEETING", start="s", end="e"),),
)


def request(**lists: Any) -> CommitPlanInput:
    return CommitPlanInput(date=AWSDate("2026-01-23"), **lists)


def test_a_list_that_was_not_sent_stays() -> None:
    assert requested_day(BASE, request(), str) == BASE
    assert requested_day(BASE, request(todos=[]), str) == DayPlan((), BASE.blocks)


def test_what_was_completed_stays_completed() -> None:
    urgent = TodoClassification.urgent
    todos = [TodoInput(action_id=strawberry.ID("run"), classification=urgent)]
    day = requested_day(BASE, request(todos=todos), str)
    assert day.todos == (
        Todo(action_id="run", classification="urgent", completed_at="2026-01-23T08:00:00.000Z"),
    )


def test_a_block_without_an_id_gets_one() -> None:
    block = BlockInput(
        block_type=BlockType.BUFFER,
        start_time_iso=instant(NOW),
        end_time_iso=instant(NOW + timedelta(hours=1)),
    )
    day = requested_day(BASE, request(blocks=[block]), lambda: "new")
    assert [(each.id, each.block_type) for each in day.blocks] == [("new", "BUFFER")]


def test_a_plan_remembers_what_was_rolled_over() -> None:
    def after(head: Any, date: str, rollover: Rollover | None = None) -> Any:
        revision = new_plan_revision(
            "ada", AWSDate(date), head, PlanReason.rollover, now=NOW, ids=IDS
        )
        moved = next_plan_head(head, revision, instant(NOW))
        return with_rollover(moved, rollover) if rollover else moved

    wednesday, thursday = after(None, "2026-01-21"), after(None, "2026-01-22")
    friday = after(None, "2026-01-23", Rollover(thursday, ["run"]))
    assert (friday.rolled_date, friday.rolled_rev_id) == ("2026-01-22", thursday.head_rev_id)
    later = after(friday, "2026-01-23")
    assert (later.rolled_rev_id, later.version) == (thursday.head_rev_id, 2)
    assert (later.parent_rev_id, later.rolled_action_ids) == (friday.head_rev_id, ["run"])
    more = after(later, "2026-01-23", Rollover(thursday, ["sleep", "run"]))
    assert more.rolled_action_ids == ["run", "sleep"]
    assert after(more, "2026-01-23", Rollover(wednesday, ["eat"])).rolled_action_ids == ["eat"]


def test_a_commit_begins_after_the_head_moved_though_the_clock_is_behind() -> None:
    """Then at most one commit had begun and not ended at any moment."""
    head = replace(moved_on(MAIN).head, updated_at=instant(NOW + timedelta(seconds=3)))  # type: ignore[type-var]
    revision = committed(BranchTip("ada", None, head))
    assert revision.rev_ts == "2026-01-23T09:00:03.000Z"
    first = new_plan_revision(
        "ada", AWSDate("2026-01-23"), None, PlanReason.rollover, now=NOW, ids=IDS
    )
    day = next_plan_head(None, first, instant(NOW + timedelta(seconds=3)))
    second = new_plan_revision(
        "ada", AWSDate("2026-01-23"), day, PlanReason.rollover, now=NOW, ids=IDS
    )
    assert second.rev_ts == "2026-01-23T09:00:03.000Z"


def test_versions_rise_with_what_changes() -> None:
    block = Block(id="b", block_type="BUFFER", start="s", end="e", version=3)
    before = DayPlan((Todo(action_id="run", version=2), Todo(action_id="sleep")), (block,))
    changed = DayPlan(
        (Todo(action_id="sleep"), Todo(action_id="run", notes="n"), Todo(action_id="eat")),
        (replace(block, version=0),),
    )
    after = with_day_versions(before, changed)
    assert [each.version for each in after.todos] == [0, 3, 1]
    assert [each.version for each in after.blocks] == [3]
    restored = with_day_versions(after, before)
    assert [(each.action_id, each.version) for each in restored.todos] == [("run", 4), ("sleep", 0)]


def action(node_id: str, task_id: str | None, *, done: bool = False, **more: Any) -> TreeItem:
    at = instant(NOW)
    return TreeItem(
        id=node_id,
        node_type="ACTION",
        title=node_id,
        created_at=at,
        updated_at=at,
        task_id=task_id,
        completed_at=at if done else None,
        **more,
    )


def tree(*actions: TreeItem) -> Tree:
    return Tree({each.id: each for each in actions}, {})


def task(*, action_id: str | None = None, status: TaskStatus = TaskStatus.NotStarted) -> Task:
    return Task(
        id=strawberry.ID("t"),
        user_id="ada",
        title="Run",
        created_at=instant(NOW),
        updated_at=instant(NOW),
        action_id=strawberry.ID(action_id) if action_id else None,
        status=status,
    )


def test_archived_actions_have_no_task_and_no_task_has_two_actions() -> None:
    old = action("old", "t", archived=True)
    assert list(actions_by_task(tree(old, action("run", "t"), action("sleep", None)))) == ["t"]
    with pytest.raises(BadInput):
        actions_by_task(tree(action("run", "t"), action("sleep", "t")))


def test_tasks_change_with_their_action_or_its_completion() -> None:
    before = actions_by_task(tree(action("a", "1"), action("b", "2"), action("c", "3")))
    after = actions_by_task(tree(action("a", "1"), action("b", "2", done=True), action("d", "4")))
    assert changed_task_ids(before, after) == ["2", "3", "4"]
    many = {str(each): action(str(each), str(each)) for each in range(MOST_TASKS + 1)}
    with pytest.raises(BadInput):
        changed_task_ids({}, many)


def test_a_task_follows_its_action() -> None:
    open_, done = action("run", "t"), action("run", "t", done=True)
    linked = task(action_id="run")
    assert task_changes(task(), None, open_) == {"action_id": "run"}
    assert task_changes(linked, open_, None) == {"action_id": None}
    assert task_changes(linked, open_, done) == {"status": TaskStatus.Done}
    finished = task(action_id="run", status=TaskStatus.Done)
    assert task_changes(finished, done, open_) == {"status": TaskStatus.NotStarted}
    assert task_changes(finished, open_, done) == {}


@pytest.mark.parametrize(("age", "abandoned"), [(59, False), (60, True)])
def test_a_draft_is_abandoned_after_an_hour(age: int, abandoned: bool) -> None:
    at = instant(NOW - timedelta(minutes=age))
    draft = ValuesDraft(created_at=at, updated_at=at, user_id="ada", rev_id="r")
    assert is_abandoned(draft, NOW) is abandoned
