"""The subscriptions: each is authorised when it begins and again for every event."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import strawberry

from app.core.scalars import AWSDate
from app.domains.characters.types import CharacterGoal, ProgressRecord
from app.domains.community.types import AssistMsg, Message
from app.domains.goals.types import Goal, GoalActivity, Task
from app.domains.notifications.types import Notification
from app.domains.plans.types import (
    DailyPlan,
    PlanRevision,
    ValuesCommit,
    ValuesRevision,
    ValuesTree,
)
from app.domains.quests.rules import QuestStatus
from app.domains.quests.types import Quest
from app.domains.rewards.types import Wallet
from app.domains.tracking.types import HabitLog, MetricLog
from app.events.event import Event, channel
from app.graph.context import Info
from app.graph.directives import PUBLIC, AwsSubscribe
from app.graph.fields import Gate, Guard, readers, signed_in
from app.web.filters import check, passes, subscription_filter
from app.web.realtime import rooms
from app.web.realtime.changes import Change, Since, follow
from app.web.realtime.source import Source, Versions, matches, own

LastMessage = Annotated[
    strawberry.ID | None,
    strawberry.argument(
        description="The id of the last message that you know, also if it was deleted; null: from "
        "now on."
    ),
]
F = TypeVar("F", bound=Callable[..., Any])
UNSET: Any = strawberry.UNSET

if TYPE_CHECKING:
    GoalFilter = Any
    MessageFilter = Any
    NotificationFilter = Any
    QuestFilter = Any
    TaskFilter = Any
else:
    GoalFilter = subscription_filter(Goal) | None
    MessageFilter = subscription_filter(Message) | None
    NotificationFilter = subscription_filter(Notification) | None
    QuestFilter = subscription_filter(Quest) | None
    TaskFilter = subscription_filter(Task) | None


def subscription(
    *mutations: str, guard: Guard = signed_in, description: str | None = None
) -> Callable[[F], F]:
    """`mutations`: those whose effect it tells of, for who reads the schema."""
    field: Callable[[F], F] = strawberry.subscription(
        extensions=[Gate(guard)],
        metadata={"guard": guard.__name__},
        description=description,
        directives=_directives(mutations, guard),
    )
    return field


def _directives(mutations: tuple[str, ...], guard: Guard) -> list[object]:
    told = [AwsSubscribe(mutations=list(mutations))] if mutations else []
    return [*told, *(PUBLIC if guard is readers else ())]


TASKS = (
    "createTask",
    "quickAddTask",
    "updateTask",
    "completeTask",
    "reopenTask",
    "skipOccurrence",
)
GOALS = ("createGoal", "updateGoal", "recomputeGoalProgress", "addCriterion", "updateCriterion")
QUESTS = (
    "createQuest",
    "updateQuest",
    "claimQuest",
    "submitQuest",
    "attestQuest",
    "disputeQuest",
    "cancelQuest",
)


@strawberry.type
class LiveSubscription:
    @subscription(
        "sendMessage",
        description="What is said in a room, for its members, in order and without gaps: `number` "
        "rises by one. With `since`, first what was said after that message. Messages do not stand "
        "in `changes` and `onChange`: this is how to go on with a room.",
    )
    async def on_message_sent(
        self,
        info: Info,
        room_id: strawberry.ID,
        filter: MessageFilter = UNSET,
        since: LastMessage = None,
    ) -> AsyncIterator[Message | None]:
        check(filter)
        return await rooms.messages(info, room_id, since, filter)

    @subscription(
        "sendAssistMessage",
        description="What is said in a thread you take part in, in order and without gaps. After a "
        "break, subscribe first, then read the thread's `messages` from the last that you know.",
    )
    async def on_assist_message_sent(
        self, info: Info, thread_id: strawberry.ID
    ) -> AsyncIterator[AssistMsg | None]:
        return await rooms.assist_messages(info, thread_id, None)

    @subscription(
        *TASKS,
        description="A task of yours, whenever it is written. That it is gone, `onDeleteTask` and "
        "`onChange` tell.",
    )
    async def on_task_changed(
        self, info: Info, id: strawberry.ID | None = UNSET, filter: TaskFilter = UNSET
    ) -> AsyncIterator[Task | None]:
        check(filter)
        return await own(info, Task, filter, id=id)

    @subscription(
        *GOALS,
        description="A goal of yours, whenever it is written. That it is gone, `onDeleteGoal` and "
        "`onChange` tell.",
    )
    async def on_goal_changed(
        self, info: Info, id: strawberry.ID | None = UNSET, filter: GoalFilter = UNSET
    ) -> AsyncIterator[Goal | None]:
        check(filter)
        return await own(info, Goal, filter, id=id)

    @subscription(description="What happens to your goals.")
    async def on_goal_activity(
        self, info: Info, goal_id: strawberry.ID | None = UNSET
    ) -> AsyncIterator[GoalActivity | None]:
        return await own(info, GoalActivity, goal_id=goal_id)

    @subscription("logHabit", description="That a habit of yours was logged.")
    async def on_habit_logged(
        self, info: Info, habit_id: strawberry.ID | None = UNSET
    ) -> AsyncIterator[HabitLog | None]:
        return await own(info, HabitLog, habit_id=habit_id)

    @subscription("logMetric", "updateMetricLog", description="That a metric of yours was logged.")
    async def on_metric_logged(
        self, info: Info, metric_id: strawberry.ID | None = UNSET
    ) -> AsyncIterator[MetricLog | None]:
        return await own(info, MetricLog, metric_id=metric_id)

    @subscription("adjustWallet", "buyFreeze", description="Your wallet, when points move.")
    async def on_wallet_changed(self, info: Info) -> AsyncIterator[Wallet | None]:
        return await own(info, Wallet)

    @subscription(*QUESTS, guard=readers, description="Quests, as they are written.")
    async def on_quest_changed(
        self,
        info: Info,
        quest_id: strawberry.ID | None = UNSET,
        status: QuestStatus | None = UNSET,
        filter: QuestFilter = UNSET,
    ) -> AsyncIterator[Quest | None]:
        check(filter)
        return await quests(info, quest_id, status, filter)

    @subscription(
        "commitValues",
        "restoreValues",
        "undoValues",
        "mergeValuesBranch",
        description="A commit of your values, on the main line or a branch, with its tree.",
    )
    async def on_values_committed(self, info: Info) -> AsyncIterator[ValuesCommit | None]:
        return await values(info)

    @subscription(
        "commitPlan",
        "restorePlan",
        "rolloverPlan",
        description="A commit of a day's plan: the plan at that revision.",
    )
    async def on_plan_committed(
        self, info: Info, date: AWSDate | None = UNSET
    ) -> AsyncIterator[DailyPlan | None]:
        return await plans(info, date)

    @subscription("recordProgress", description="Progress of your characters' goals.")
    async def on_progress_recorded(
        self, info: Info, goal_id: strawberry.ID | None = UNSET
    ) -> AsyncIterator[ProgressRecord | None]:
        return await own(info, ProgressRecord, goal_id=goal_id)

    @subscription(
        "updateCharacterGoal",
        description="A goal of your characters that has just been reached, by progress that was "
        "recorded or looked up, or by another target.",
    )
    async def on_character_goal_achieved(
        self, info: Info, goal_id: strawberry.ID | None = UNSET
    ) -> AsyncIterator[CharacterGoal | None]:
        return await own(info, CharacterGoal, id=goal_id, just_achieved=True)

    @subscription(description="What comes into your inbox.")
    async def on_notification(
        self, info: Info, filter: NotificationFilter = UNSET
    ) -> AsyncIterator[Notification | None]:
        check(filter)
        return await own(info, Notification, filter, version=1)

    @subscription(
        description="Everything of yours that changes: first what happened after `since`, then "
        "what happens, without a gap or a repeat. Without `since`: from now on."
    )
    async def on_change(self, info: Info, since: Since = None) -> AsyncIterator[Change | None]:
        return await follow(info, since)


async def quests(info: Info, quest_id: Any, status: Any, filter: Any) -> Source[Quest]:
    """Read anew for each event, as this caller may see it."""
    wanted = channel("Quest", id=quest_id) if isinstance(quest_id, str) else channel("Quest")
    mailbox = await info.context.resources.events.subscribe(wanted)
    versions = Versions()

    async def show(event: Event) -> Sequence[Quest]:
        stored = event.record(Quest)
        if stored is None or not versions.is_new(event, stored.version):
            return []
        quest = await info.context.quests.quest(stored.id)
        if quest is None:
            return []
        wished = {"id": quest_id, "status": status}
        return [quest] if matches(quest, wished) and passes(quest, filter) else []

    return Source(mailbox, show)


async def values(info: Info) -> Source[ValuesCommit]:
    mine = {"user_id": info.context.caller.user_id}
    mailbox = await info.context.resources.events.subscribe(
        channel("ValuesRevision", **mine), channel("BranchRevision", **mine)
    )

    async def show(event: Event) -> Sequence[ValuesCommit]:
        revision = event.record(ValuesRevision)
        tree = revision and await info.context.values.tree(revision.rev_id, None, None)
        return [_committed(tree)] if tree else []

    return Source(mailbox, show)


def _committed(tree: ValuesTree) -> ValuesCommit:
    revision = tree.revision
    return ValuesCommit(
        branch=tree.branch,
        revision=revision,
        tree=tree.tree,
        user_id=tree.user_id,
        head=strawberry.ID(revision.rev_id) if revision else None,
    )


async def plans(info: Info, date: Any) -> Source[DailyPlan]:
    mailbox = await info.context.resources.events.subscribe(
        channel("PlanRevision", user_id=info.context.caller.user_id)
    )

    async def show(event: Event) -> Sequence[DailyPlan]:
        revision = event.record(PlanRevision)
        if revision is None or not matches(revision, {"date": date}):
            return []
        plan = await info.context.plans.plan(revision.date, revision.rev_id, None)
        return [plan] if plan else []

    return Source(mailbox, show)
