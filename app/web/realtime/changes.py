"""Everything of the caller's that changes, in one list that a client can go on from."""

from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, Any, Self

import strawberry

from app.core.errors import BadInput
from app.domains.characters.types import Character, CharacterGoal, ProgressRecord
from app.domains.goals.types import Goal, GoalActivity, Milestone, Project, Task
from app.domains.notifications.types import Notification
from app.domains.plans.types import PlanRevision, ValuesRevision
from app.domains.quests.types import Quest
from app.domains.rewards.types import Reward, Wallet
from app.domains.tracking.types import Habit, HabitLog, LogbookEntry, Metric, MetricLog
from app.events.bus import Mailbox
from app.events.changes import BEGINNING, ChangesOfUser, Cursor, Marked
from app.events.journal import Mark, changes_channel
from app.events.observed import parts_of
from app.graph.context import Context, Info
from app.graph.fields import query
from app.graph.paging import MOST_PER_PAGE, USUAL_PER_PAGE, Limit
from app.table.entity import ENTITIES, Key

PAGE = 50

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
    strawberry.union("ChangedRecord", description="What `onChange` and `changes` tell of."),
]
Since = Annotated[
    str | None,
    strawberry.argument(description="The cursor of the last change that you know."),
]


@strawberry.type(description="That a record was written or deleted.")
class Change:
    cursor: str = strawberry.field(description="Send it as `since` to go on after this change.")
    type: str = strawberry.field(description="The record's type, e.g. Task.")
    id: strawberry.ID = strawberry.field(
        description="The record's id; of a record without one, what tells it apart."
    )
    deleted: bool = strawberry.field(description="It is gone.")
    record: ChangedRecord | None = strawberry.field(
        description="As it is now, perhaps changed again meanwhile; null if it is gone."
    )


@strawberry.type(description="What happened to your records, oldest first.")
class ChangePage:
    items: list[Change]
    next_token: str | None = strawberry.field(
        description="Send it as `since` for more; null: this was all."
    )
    cursor: str = strawberry.field(
        description="Where this page ends: send it as `since` next time, also if it is empty."
    )


@strawberry.type
class ChangesQuery:
    @query(
        description="What was written or deleted of yours, each once and in order, for 7 days. "
        "Something that changed several times may stand once, as it is now. A quest is told to its "
        "creator, to who does it and to who has just left it; of a team of more than 18 only to "
        "the first. Without `since`: from the oldest that is kept."
    )
    async def changes(self, info: Info, since: Since = None, limit: Limit = 20) -> ChangePage:
        cursor = Cursor.read(BEGINNING if since is None else since)
        most = USUAL_PER_PAGE if limit is None else limit
        if not 1 <= most <= MOST_PER_PAGE:
            raise BadInput(f"limit must be 1 to {MOST_PER_PAGE}.", field="limit")
        found = await log_of(info.context).after(cursor, limit=most)
        end = str(found.items[-1].cursor if found.items else cursor)
        items = await shown(info.context, found.items)
        return ChangePage(items=items, cursor=end, next_token=end if found.more else None)


class ChangeSource:
    """Woken by events, it reads the list: so nothing is missed and nothing comes twice."""

    def __init__(self, context: Context, bell: Mailbox, cursor: Cursor) -> None:
        self._context = context
        self._bell = bell
        self._cursor = cursor
        self._ready: deque[Change] = deque()
        self._may_have_more = True

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Change:
        while not self._ready:
            if not self._may_have_more and await self._bell.next() is None:
                raise StopAsyncIteration
            found = await log_of(self._context).after(self._cursor, limit=PAGE)
            self._may_have_more = found.more
            if found.items:
                self._cursor = found.items[-1].cursor
                self._ready.extend(await shown(self._context, found.items))
        return self._ready.popleft()

    async def aclose(self) -> None:
        self._bell.close()


async def follow(info: Info, since: str | None) -> ChangeSource:
    context = info.context
    bell = await context.resources.events.bell(changes_channel(context.caller.user_id))
    try:
        log = log_of(context)
        cursor = Cursor.read(since) if since is not None else await log.end()
        await log.after(cursor, limit=1)
    except BaseException:
        bell.close()
        raise
    return ChangeSource(context, bell, cursor)


def log_of(context: Context) -> ChangesOfUser:
    resources = context.resources
    return ChangesOfUser(resources.table, resources.clock, resources.ids, context.caller.user_id)


async def shown(context: Context, marked: Sequence[Marked]) -> list[Change]:
    keys = [Key(ENTITIES[each.mark.kind], each.mark.pk, each.mark.sk) for each in marked]
    records = await context.resources.table.get_many(keys)
    return [
        Change(
            cursor=str(each.cursor),
            type=TYPE_NAMES.get(each.mark.kind, each.mark.kind),
            id=_id(each.mark, record),
            deleted=record is None,
            record=await _seen(context, record),
        )
        for each, record in zip(marked, records, strict=True)
    ]


TYPE_NAMES = {"BranchRevision": "ValuesRevision"}
# Of records whose id is made of several parts of their key.
IDS = {"HabitLog": "{habit_id}:{date}"}
SEEN_BY: dict[type, Callable[[Context, Any], Awaitable[Any]]] = {
    Quest: lambda context, quest: context.quests.quest(quest.id),
}


async def _seen(context: Context, record: Any) -> Any:
    look = SEEN_BY.get(type(record))
    return await look(context, record) if look else record


def _id(mark: Mark, record: Any) -> strawberry.ID:
    """Its own, or the last part of its key."""
    parts = parts_of(Key(ENTITIES[mark.kind], mark.pk, mark.sk))
    if mark.kind in IDS:
        return strawberry.ID(IDS[mark.kind].format(**parts))
    found = getattr(record, "id", None)
    own = found if isinstance(found, str) else parts.get("id")
    return strawberry.ID(own or list(parts.values())[-1])
