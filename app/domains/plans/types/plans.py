"""The plan of a day, with todos and time blocks; each day has commits of its own."""

from dataclasses import dataclass, field
from enum import Enum

import strawberry

from app.core.enums import enum_type
from app.core.record import Record, computed
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.plans.types.days import Block, DayPlan, Todo
from app.domains.plans.types.revisions import ValuesRevision
from app.domains.plans.types.tree import TreeNode


@enum_type(
    "What led to a commit of a plan.",
    morning_plan="Planned in the morning.",
    midday_replan="Changed during the day.",
    rollover="Unfinished todos came from an earlier day.",
    completion="An action was completed or reopened.",
)
class PlanReason(Enum):
    morning_plan = "morning_plan"
    midday_replan = "midday_replan"
    rollover = "rollover"
    completion = "completion"


@enum_type(
    "How much a todo matters today.",
    urgent="It cannot wait.",
    important="It matters, but could wait.",
    other="Neither.",
)
class TodoClassification(Enum):
    urgent = "urgent"
    important = "important"
    other = "other"


@enum_type(
    "Blocks never overlap, except that a BUFFER may overlap others.",
    MEETING="At a fixed time, with others.",
    POMODORO="25 minutes for one action.",
    BREAK="A pause.",
    BUFFER="Spare time; it may overlap other blocks.",
)
class BlockType(Enum):
    MEETING = "MEETING"
    POMODORO = "POMODORO"
    BREAK = "BREAK"
    BUFFER = "BUFFER"


@strawberry.type(description="A commit of a day's plan. It never changes and is kept for ever.")
class PlanRevision(Record):
    user_id: strawberry.Private[str]
    date: AWSDate = strawberry.field(description="The day that is planned.")
    rev_id: strawberry.Private[str]
    rev_ts: strawberry.Private[str]
    parent_rev_id: strawberry.Private[str | None] = None
    merged_rev_id: strawberry.Private[str | None] = None
    # When it became the head: `rev_ts` is when the commit began. None: as `rev_ts`.
    moved_at: strawberry.Private[str | None] = None
    reason: PlanReason = strawberry.field(description="What led to this commit.")

    @computed(description="Time-ordered: later commits have greater ids.")
    def id(self) -> strawberry.ID:
        return strawberry.ID(self.rev_id)

    @computed(
        description="The commit before it; none for the first of the day. Two for a merge, the "
        "previous head first."
    )
    def parent_ids(self) -> list[strawberry.ID]:
        return [strawberry.ID(each) for each in (self.parent_rev_id, self.merged_rev_id) if each]


@strawberry.type
class PlanHead(Record):
    """`rolled_*`: the plan whose open todos were taken over last, and their actions, so that a
    repeated rollover changes nothing. `updated_at` is when the head moved."""

    user_id: str
    date: str
    head_rev_id: str
    head_rev_ts: str
    parent_rev_id: str | None = None
    merged_rev_id: str | None = None
    reason: PlanReason
    rolled_date: str | None = None
    rolled_rev_id: str | None = None
    rolled_action_ids: list[str] | None = None

    @property
    def revision(self) -> PlanRevision:
        return PlanRevision(
            created_at=AWSDateTime(self.head_rev_ts),
            updated_at=AWSDateTime(self.head_rev_ts),
            user_id=self.user_id,
            date=AWSDate(self.date),
            rev_id=self.head_rev_id,
            rev_ts=self.head_rev_ts,
            parent_rev_id=self.parent_rev_id,
            merged_rev_id=self.merged_rev_id,
            reason=self.reason,
        )


@strawberry.type(description="A day that has a plan.")
class PlanDay(Record):
    """Marks a day that has a plan, for the list of planned days."""

    user_id: str = strawberry.field(description="Whose plan it is.")
    date: str = strawberry.field(description="The day, in the user's time zone.")


@strawberry.type(description="An action chosen for the day.")
class PlanTodo(Record):
    user_id: strawberry.Private[str]
    date: strawberry.Private[str]
    rev_id: strawberry.Private[str]
    order: strawberry.Private[str]
    action_id: strawberry.ID = strawberry.field(description="The action of the values tree.")
    classification: TodoClassification = strawberry.field(description="How much it matters today.")
    estimated_pomodoros: int = strawberry.field(default=1, description="25 minutes each.")
    notes: str | None = strawberry.field(
        default=None,
        description="Your notes for today; null: none.",
    )
    completed_at: AWSDateTime | None = strawberry.field(
        default=None, description="When it was completed in this plan."
    )

    def to_todo(self) -> Todo:
        return Todo(
            action_id=self.action_id,
            classification=self.classification.value,
            estimated_pomodoros=self.estimated_pomodoros,
            notes=self.notes,
            completed_at=self.completed_at,
            version=self.version,
        )


@strawberry.type(description="A period of the day.")
class PlanBlock(Record):
    user_id: strawberry.Private[str]
    date: strawberry.Private[str]
    rev_id: strawberry.Private[str]
    id: strawberry.ID = strawberry.field(description="Its id.")
    block_type: BlockType = strawberry.field(description="What the time is for.")
    start_time_iso: AWSDateTime = strawberry.field(description="UTC.")
    end_time_iso: AWSDateTime = strawberry.field(description="UTC; after the start.")
    title: str | None = strawberry.field(
        default=None,
        description="What it is called; null: the action's title says it.",
    )
    action_id: strawberry.ID | None = strawberry.field(
        default=None, description="Of a POMODORO: a todo of the day."
    )
    pomodoro_index: int | None = strawberry.field(
        default=None, description="Of a POMODORO: 1 up to the todo's estimate."
    )

    def to_block(self) -> Block:
        return Block(
            id=self.id,
            block_type=self.block_type.value,
            start=self.start_time_iso,
            end=self.end_time_iso,
            title=self.title,
            action_id=self.action_id,
            pomodoro_index=self.pomodoro_index,
            version=self.version,
        )


@strawberry.type(description="Both sides changed it since the plan that you have seen.")
class PlanConflict:
    action_id: strawberry.ID | None = strawberry.field(description="Of a todo, else null.")
    block_id: strawberry.ID | None = strawberry.field(
        description="Of a block, else null. Both null: the order of the todos."
    )
    field: str = strawberry.field(
        description="Of a todo: classification, estimatedPomodoros or notes. Of a block: "
        "blockType, time (start and end), title or pomodoro (action and index). Of both: exists "
        "(one side removed it, the other changed it). Otherwise order."
    )
    base: str | None = strawberry.field(
        description="In the plan that you have seen; several values are separated by commas."
    )
    ours: str | None = strawberry.field(description="In your commit.")
    theirs: str | None = strawberry.field(description="At the head.")


@strawberry.type(description="A day's plan at one revision; empty before the first.")
class DailyPlan:
    date: AWSDate = strawberry.field(description="The day, in your time zone.")
    revision: PlanRevision | None = strawberry.field(
        description="The commit that you see; null: nothing is planned for that day."
    )
    todos: list[PlanTodo] = strawberry.field(description="In order.")
    blocks: list[PlanBlock] = strawberry.field(description="By their start.")

    conflicts: list[PlanConflict] = strawberry.field(
        default_factory=list,
        description="Only of commitPlan with merge: what both sides changed. Then nothing was "
        "committed, and this is the plan at the head. Send the same commit again, with "
        "expectedHead as it was and resolve for each of them.",
    )

    def to_day(self) -> DayPlan:
        return DayPlan(
            tuple(each.to_todo() for each in self.todos),
            tuple(each.to_block() for each in self.blocks),
        )


@strawberry.type(description="A todo that differs between two revisions.")
class TodoChange:
    action_id: strawberry.ID = strawberry.field(description="The action.")
    before: PlanTodo | None = strawberry.field(description="Null: it is new.")
    after: PlanTodo | None = strawberry.field(description="Null: it was removed.")


@strawberry.type(description="A block that differs between two revisions.")
class BlockChange:
    block_id: strawberry.ID = strawberry.field(description="The block that differs.")
    before: PlanBlock | None = strawberry.field(description="Null: it is new.")
    after: PlanBlock | None = strawberry.field(description="Null: it was removed.")


@strawberry.type(description="The differences between two revisions of a day's plan.")
class PlanDiff:
    from_: PlanRevision | None = strawberry.field(
        name="from",
        description="The earlier revision; null: the empty plan.",
    )
    to: PlanRevision | None = strawberry.field(
        description="The later revision; null: the empty plan."
    )
    todos: list[TodoChange] = strawberry.field(description="The todos that differ.")
    blocks: list[BlockChange] = strawberry.field(description="The blocks that differ.")
    reordered: bool = strawberry.field(
        description="Whether todos of both revisions have another order."
    )


@strawberry.type(description="A proposal: nothing is stored until commitPlan.")
class SuggestedBlocks:
    date: AWSDate = strawberry.field(description="The day, in your time zone.")
    blocks: list[PlanBlock] = strawberry.field(
        description="What fits into the day; nothing is stored."
    )
    warnings: list[str] = strawberry.field(description="DAY_TOO_FULL if not all pomodoros fit.")


@strawberry.type(description="An action that is done, in the values and in the day's plan.")
class CompletedAction:
    action: TreeNode = strawberry.field(description="The action as it is now.")
    values: ValuesRevision = strawberry.field(description="The revision in which it is done.")
    plan: DailyPlan = strawberry.field(description="The plan of the day as it is now.")


@strawberry.type(description="An action that is open again, in the values and in the plans.")
class ReopenedAction:
    action: TreeNode = strawberry.field(description="The action as it is now.")
    values: ValuesRevision = strawberry.field(
        description="The revision in which it is open; the head if it was open already."
    )
    plans: list[DailyPlan] = strawberry.field(
        description="The changed plans of the days that showed it as done, newest day first; empty "
        "if it was open already."
    )


@dataclass(frozen=True)
class ActionReopened:
    """What a receipt stores of it: the revisions of the values and, by day, of the plans."""

    action_id: str
    values_rev_id: str
    plan_rev_ids: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ActionDone:
    """What a receipt stores of a completion."""

    action_id: str
    date: str
    values_rev_id: str
    plan_rev_id: str


@dataclass(frozen=True)
class Rolled:
    """What a receipt stores of a rollover: the target's head afterwards, if any."""

    date: str
    rev_id: str | None = None
