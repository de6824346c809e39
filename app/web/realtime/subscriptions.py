"""The subscriptions. Each is authorized when it begins and again for every event."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Annotated, Any, TypeVar

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
from app.domains.quests.types import Quest, QuestStatus
from app.domains.rewards.types import Wallet
from app.domains.tracking.types import HabitLog, MetricLog
from app.events.event import Event, channel
from app.graph.context import Info
from app.graph.directives import PUBLIC, AwsSubscribe
from app.graph.fields import GUARD, GuardExtension
from app.graph.guards import Guard, readers, signed_in
from app.web.filters import check_filter, matches_filter, subscription_filter
from app.web.realtime import rooms
from app.web.realtime.changes import RecordChange, SinceCursor, follow_changes
from app.web.realtime.source_stream import (
    ShownVersions,
    SourceStream,
    matches_arguments,
    own_record_stream,
)

LastMessage = Annotated[
    strawberry.ID | None,
    strawberry.argument(
        description="The id of the last message that you have, even if it was deleted; null: new "
        "messages only."
    ),
]
F = TypeVar("F", bound=Callable[..., Any])
UNSET: Any = strawberry.UNSET


def _filter_of(record: type) -> Any:
    return strawberry.argument(graphql_type=subscription_filter(record) | None)


GoalFilterArgument = Annotated[Any, _filter_of(Goal)]
MessageFilterArgument = Annotated[Any, _filter_of(Message)]
NotificationFilterArgument = Annotated[Any, _filter_of(Notification)]
QuestFilterArgument = Annotated[Any, _filter_of(Quest)]
TaskFilterArgument = Annotated[Any, _filter_of(Task)]


def subscription(
    *mutations: str, guard: Guard = signed_in, description: str | None = None
) -> Callable[[F], F]:
    """`mutations` are named in the schema, as @aws_subscribe does."""
    field: Callable[[F], F] = strawberry.subscription(
        extensions=[GuardExtension(guard)],
        metadata={GUARD: guard.name},
        description=description,
        directives=_directives(mutations, guard),
    )
    return field


def _directives(mutations: tuple[str, ...], guard: Guard) -> list[object]:
    subscribe = [AwsSubscribe(mutations=list(mutations))] if mutations else []
    return [*subscribe, *(PUBLIC if guard is readers else ())]


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
        description="New messages of a room, for its members, in order and without gaps: `number` "
        "rises by one. With `since`, first the messages after that one. `changes` and `onChange` "
        "do not contain messages: use `since` to catch up with a room.",
    )
    async def on_message_sent(
        self,
        info: Info,
        room_id: strawberry.ID,
        filter: MessageFilterArgument = UNSET,
        since: LastMessage = None,
    ) -> AsyncIterator[Message | None]:
        check_filter(filter)
        return await rooms.message_stream(info, room_id, since, filter)

    @subscription(
        "sendAssistMessage",
        description="New messages of a thread you take part in, in order and without gaps. After "
        "an interruption, subscribe first, then read the thread's `messages` after your last one.",
    )
    async def on_assist_message_sent(
        self, info: Info, thread_id: strawberry.ID
    ) -> AsyncIterator[AssistMsg | None]:
        return await rooms.assist_message_stream(info, thread_id, None)

    @subscription(
        *TASKS,
        description="One of your tasks, each time it is written. `onDeleteTask` and `onChange` "
        "report deletions.",
    )
    async def on_task_changed(
        self, info: Info, id: strawberry.ID | None = UNSET, filter: TaskFilterArgument = UNSET
    ) -> AsyncIterator[Task | None]:
        check_filter(filter)
        return await own_record_stream(info, Task, filter, id=id)

    @subscription(
        *GOALS,
        description="One of your goals, each time it is written. `onDeleteGoal` and `onChange` "
        "report deletions.",
    )
    async def on_goal_changed(
        self, info: Info, id: strawberry.ID | None = UNSET, filter: GoalFilterArgument = UNSET
    ) -> AsyncIterator[Goal | None]:
        check_filter(filter)
        return await own_record_stream(info, Goal, filter, id=id)

    @subscription(description="New activities of your goals.")
    async def on_goal_activity(
        self, info: Info, goal_id: strawberry.ID | None = UNSET
    ) -> AsyncIterator[GoalActivity | None]:
        return await own_record_stream(info, GoalActivity, goal_id=goal_id)

    @subscription("logHabit", description="New and changed logs of your habits.")
    async def on_habit_logged(
        self, info: Info, habit_id: strawberry.ID | None = UNSET
    ) -> AsyncIterator[HabitLog | None]:
        return await own_record_stream(info, HabitLog, habit_id=habit_id)

    @subscription(
        "logMetric", "updateMetricLog", description="New and changed logs of your metrics."
    )
    async def on_metric_logged(
        self, info: Info, metric_id: strawberry.ID | None = UNSET
    ) -> AsyncIterator[MetricLog | None]:
        return await own_record_stream(info, MetricLog, metric_id=metric_id)

    @subscription(
        "adjustWallet", "buyFreeze", description="Your wallet, each time its balance changes."
    )
    async def on_wallet_changed(self, info: Info) -> AsyncIterator[Wallet | None]:
        return await own_record_stream(info, Wallet)

    @subscription(
        *QUESTS, guard=readers, description="Quests that you may see, each time one is written."
    )
    async def on_quest_changed(
        self,
        info: Info,
        quest_id: strawberry.ID | None = UNSET,
        status: QuestStatus | None = UNSET,
        filter: QuestFilterArgument = UNSET,
    ) -> AsyncIterator[Quest | None]:
        check_filter(filter)
        return await quest_stream(info, quest_id, status, filter)

    @subscription(
        "commitValues",
        "restoreValues",
        "undoValues",
        "mergeValuesBranch",
        description="A new commit of your values, on the main line or a branch, with its tree.",
    )
    async def on_values_committed(self, info: Info) -> AsyncIterator[ValuesCommit | None]:
        return await values_stream(info)

    @subscription(
        "commitPlan",
        "restorePlan",
        "rolloverPlan",
        description="A new commit of a day's plan: the plan at that revision.",
    )
    async def on_plan_committed(
        self, info: Info, date: AWSDate | None = UNSET
    ) -> AsyncIterator[DailyPlan | None]:
        return await plan_stream(info, date)

    @subscription(
        "recordProgress",
        "correctProgress",
        description="New, corrected and newly flagged progress records of your characters' goals.",
    )
    async def on_progress_recorded(
        self, info: Info, goal_id: strawberry.ID | None = UNSET
    ) -> AsyncIterator[ProgressRecord | None]:
        return await own_record_stream(info, ProgressRecord, goal_id=goal_id)

    @subscription(
        "updateCharacterGoal",
        description="A goal of your characters that has just been achieved, by recorded or "
        "looked-up progress or by a new target.",
    )
    async def on_character_goal_achieved(
        self, info: Info, goal_id: strawberry.ID | None = UNSET
    ) -> AsyncIterator[CharacterGoal | None]:
        return await own_record_stream(info, CharacterGoal, id=goal_id, just_achieved=True)

    @subscription(description="New notifications in your inbox.")
    async def on_notification(
        self, info: Info, filter: NotificationFilterArgument = UNSET
    ) -> AsyncIterator[Notification | None]:
        check_filter(filter)
        return await own_record_stream(info, Notification, filter, version=1)

    @subscription(
        description="Every change of your records, without gaps or repeats: first those after "
        "`since`, then new ones. Without `since`: new ones only."
    )
    async def on_change(
        self, info: Info, since: SinceCursor = None
    ) -> AsyncIterator[RecordChange | None]:
        return await follow_changes(info, since)


async def quest_stream(info: Info, quest_id: Any, status: Any, filter: Any) -> SourceStream[Quest]:
    """Each quest is read again for the event, as this caller may see it."""
    quest_channel = channel("Quest", id=quest_id) if isinstance(quest_id, str) else channel("Quest")
    queue = await info.context.resources.events.subscribe(quest_channel)
    versions = ShownVersions()

    async def to_records(event: Event) -> Sequence[Quest]:
        stored = event.record(Quest)
        if stored is None or not versions.is_new(event, stored.version):
            return []
        quest = await info.context.quests.quest(stored.id)
        if quest is None:
            return []
        arguments = {"id": quest_id, "status": status}
        return (
            [quest] if matches_arguments(quest, arguments) and matches_filter(quest, filter) else []
        )

    return SourceStream(queue, to_records)


async def values_stream(info: Info) -> SourceStream[ValuesCommit]:
    owner = {"user_id": info.context.caller.user_id}
    queue = await info.context.resources.events.subscribe(
        channel("ValuesRevision", **owner), channel("BranchRevision", **owner)
    )

    async def to_records(event: Event) -> Sequence[ValuesCommit]:
        revision = event.record(ValuesRevision)
        tree = revision and await info.context.values.tree(revision.rev_id, None, None)
        return [_to_commit(tree)] if tree else []

    return SourceStream(queue, to_records)


def _to_commit(tree: ValuesTree) -> ValuesCommit:
    revision = tree.revision
    return ValuesCommit(
        branch=tree.branch,
        revision=revision,
        tree=tree.tree,
        user_id=tree.user_id,
        rev_id=tree.rev_id,
        head=strawberry.ID(revision.rev_id) if revision else None,
    )


async def plan_stream(info: Info, date: Any) -> SourceStream[DailyPlan]:
    queue = await info.context.resources.events.subscribe(
        channel("PlanRevision", user_id=info.context.caller.user_id)
    )

    async def to_records(event: Event) -> Sequence[DailyPlan]:
        revision = event.record(PlanRevision)
        if revision is None or not matches_arguments(revision, {"date": date}):
            return []
        plan = await info.context.plans.plan(revision.date, revision.rev_id, None)
        return [plan] if plan else []

    return SourceStream(queue, to_records)
