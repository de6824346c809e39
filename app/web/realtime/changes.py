"""changes and onChange: every change of the caller's records, in one order, after a cursor."""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Self

import strawberry

from app.domains.characters.types import Character, CharacterGoal, ProgressRecord
from app.domains.goals.types import Goal, GoalActivity, Milestone, Project, Task
from app.domains.notifications.types import Notification
from app.domains.plans.types import PlanRevision, ValuesRevision
from app.domains.quests.types import Quest
from app.domains.rewards.types import Reward, Wallet
from app.domains.tracking.types import Habit, HabitLog, LogbookEntry, Metric, MetricLog
from app.events.bus import SubscriptionQueue
from app.events.changes import BEGINNING, ChangeReader, Cursor, ListedChange
from app.events.journal import changes_channel
from app.events.publish_rules import key_parts
from app.events.types import ChangedKey
from app.graph.context import Context, Info
from app.graph.fields import query
from app.graph.paging import Limit, page_size
from app.table.entity import ENTITIES, Key

READ_LIMIT = 50

ChangedRecord = Annotated[
    Character
    | CharacterGoal
    | Goal
    | GoalActivity
    | Habit
    | HabitLog
    | LogbookEntry
    | Metric
    | MetricLog
    | Milestone
    | Notification
    | PlanRevision
    | ProgressRecord
    | Project
    | Quest
    | Reward
    | Task
    | ValuesRevision
    | Wallet,
    strawberry.union(
        "ChangedRecord", description="The records that `onChange` and `changes` report."
    ),
]
SinceCursor = Annotated[
    str | None,
    strawberry.argument(description="The cursor of the last change that you have."),
]


@strawberry.type(name="Change", description="A record was written or deleted.")
class RecordChange:
    cursor: str = strawberry.field(description="Send it as `since` to continue after this change.")
    type: str = strawberry.field(description="The record's type, e.g. Task.")
    id: strawberry.ID = strawberry.field(
        description="The record's id. A record without one has the last part of its key here."
    )
    deleted: bool = strawberry.field(description="The record no longer exists.")
    record: ChangedRecord | None = strawberry.field(
        description="The record as it is now, possibly changed again meanwhile; null if deleted."
    )


@strawberry.type(description="Changes of your records, oldest first.")
class ChangePage:
    items: list[RecordChange] = strawberry.field(description="The changes, the oldest first.")
    next_token: str | None = strawberry.field(
        description="Send it as `since` for the next page; null: there are no more."
    )
    cursor: str = strawberry.field(
        description="The end of this page, also if it is empty: send it as `since` next time."
    )


@strawberry.type
class ChangesQuery:
    @query(
        description="Your records that were written or deleted in the last 7 days, in order, each "
        "change once. Several changes of one record may be joined into one, with the record as it "
        "is now. Changes of a quest are listed for its creator, its performers and those who have "
        "just left it; in a team of more than 18 only for its creator and its first performer. "
        "Without `since`: from the oldest change that is kept."
    )
    async def changes(self, info: Info, since: SinceCursor = None, limit: Limit = 20) -> ChangePage:
        cursor = Cursor.parse(BEGINNING if since is None else since)
        found = await change_log(info.context).after(cursor, limit=page_size(limit))
        end = str(found.items[-1].cursor if found.items else cursor)
        items = await to_changes(info.context, found.items)
        return ChangePage(items=items, cursor=end, next_token=end if found.more else None)


class ChangeStream:
    """Events only wake it up; the changes are read from the list. So none is missed or repeated."""

    def __init__(self, context: Context, wakeup: SubscriptionQueue, cursor: Cursor) -> None:
        self._context = context
        self._wakeup = wakeup
        self._cursor = cursor
        self._ready: deque[RecordChange] = deque()
        self._may_have_more = True

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> RecordChange:
        while not self._ready:
            if not self._may_have_more and await self._wakeup.next() is None:
                raise StopAsyncIteration
            found = await change_log(self._context).after(self._cursor, limit=READ_LIMIT)
            self._may_have_more = found.more
            if found.items:
                self._cursor = found.items[-1].cursor
                self._ready.extend(await to_changes(self._context, found.items))
        return self._ready.popleft()

    async def aclose(self) -> None:
        self._wakeup.close()


async def follow_changes(info: Info, since: str | None) -> ChangeStream:
    context = info.context
    wakeup = await context.resources.events.wakeup(changes_channel(context.caller.user_id))
    try:
        log = change_log(context)
        cursor = Cursor.parse(since) if since is not None else await log.end()
        await log.after(cursor, limit=1)
    except BaseException:
        wakeup.close()
        raise
    return ChangeStream(context, wakeup, cursor)


def change_log(context: Context) -> ChangeReader:
    resources = context.resources
    return ChangeReader(resources.table, resources.clock, resources.ids, context.caller.user_id)


async def to_changes(context: Context, listed: Sequence[ListedChange]) -> list[RecordChange]:
    keys = [Key(ENTITIES[each.key.kind], each.key.pk, each.key.sk) for each in listed]
    records = await context.resources.table.get_many(keys)
    return [
        RecordChange(
            cursor=str(each.cursor),
            type=TYPE_NAMES.get(each.key.kind, each.key.kind),
            id=_id(each.key, record),
            deleted=record is None,
            record=await _as_visible(context, record),
        )
        for each, record in zip(listed, records, strict=True)
    ]


TYPE_NAMES = {"BranchRevision": "ValuesRevision"}
# The id of records that several parts of the key identify.
ID_TEMPLATES = {"HabitLog": "{habit_id}:{date}"}
# Records that not every reader may see in full.
VISIBLE_TO_CALLER: dict[type, Callable[[Context, Any], Awaitable[Any]]] = {
    Quest: lambda context, quest: context.quests.quest(quest.id),
}


async def _as_visible(context: Context, record: Any) -> Any:
    read = VISIBLE_TO_CALLER.get(type(record))
    return await read(context, record) if read else record


def _id(key: ChangedKey, record: Any) -> strawberry.ID:
    """The record's own id, or the last part of its key."""
    parts = key_parts(Key(ENTITIES[key.kind], key.pk, key.sk))
    if key.kind in ID_TEMPLATES:
        return strawberry.ID(ID_TEMPLATES[key.kind].format(**parts))
    found = getattr(record, "id", None)
    own = found if isinstance(found, str) else parts.get("id")
    return strawberry.ID(own or list(parts.values())[-1])
