"""A list by status also shows the quests that their deadline has given this status: until the job
runs they are stored with another. Both parts are one list, newest first."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.domains.quests.types import Quest, QuestStatus
from app.table.entity import RangeQuery, position_after
from app.table.gateway import Position, Rows

# A deadline turns a quest of these stored statuses into one of the status on the left.
STORED_BEFORE = {
    QuestStatus.OPEN: [QuestStatus.CLAIMED],
    QuestStatus.EXPIRED: [QuestStatus.OPEN, QuestStatus.CLAIMED],
}
# Of each stored status and shard. The job takes them away every minute.
MOST_LATE = 1000


@dataclass(frozen=True, slots=True)
class ListPosition:
    """`stored`: the position in the part that is stored with the status. `last`: the age of the
    last quest that was shown."""

    stored: Position | None = None
    last: str | None = None

    @classmethod
    def parse(cls, start: Position | None) -> "ListPosition":
        if start is None or "last" in start:
            return cls(**(start or {}))
        return cls(stored=start, last="")

    def is_after(self, quest: Quest) -> bool:
        """Whether the quest has not been shown yet."""
        return self.last is None or age(quest) < self.last

    def next(self, stored: Position, chosen: Sequence[Quest]) -> Position:
        return {"stored": stored, "last": age(chosen[-1]) if chosen else self.last}


def age(quest: Quest) -> str:
    return f"{quest.created_at}#{quest.id}"


def merge_late(
    place: ListPosition,
    stored: Rows[Quest],
    late: Sequence[Quest],
    *,
    limit: int,
    position_of: Callable[[Quest], Position],
) -> Rows[Quest]:
    """The next page of both parts. `position_of`: the position in the stored part after a quest."""
    known = {quest.id for quest in stored.items}
    unseen = [quest for quest in late if quest.id not in known and place.is_after(quest)]
    every = sorted([*stored.items, *unseen], key=age, reverse=True)
    chosen = every[:limit]
    if len(every) > len(chosen):
        return Rows(chosen, place.next(position_of(chosen[-1]), chosen))
    return Rows(chosen, place.next(stored.next, chosen) if stored.next else None)


def position_in(queries: Sequence[RangeQuery[Quest]], status: QuestStatus, last: Quest) -> Position:
    """The position of the shards of a list after a quest that may be stored with another status."""
    at = position_after(replace(last, status=status), queries[0].index)
    places = [{**at, f"{query.index}PK": query.pk} for query in queries]
    return places[0] if len(places) == 1 else {str(n): each for n, each in enumerate(places)}
