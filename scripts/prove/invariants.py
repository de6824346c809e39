"""What must hold in the table whatever happened: read from the raw items, not through the API.

Each function takes all records by kind and yields violations as text. `History` is what clients
were told.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from app import main  # noqa: F401 - every domain registers its entities
from app.table.codec import decoder_of
from app.table.entity import ENTITIES
from app.table.scan import item_differences
from app.table.writes import item_of

Item = dict[str, Any]
# A partition that is named after one record; those of snapshots are named after their user.
OWN_PARTITION = re.compile(r"[A-Z]+#\{\w+\}")
FAILED_REWARDS = "REWARD#FAILED"


class Table:
    """All items of a table, as records by the name of their entity."""

    def __init__(self, items: Iterable[Item]) -> None:
        self.items = list(items)
        self._records: dict[str, list[Any]] = defaultdict(list)
        self.unreadable: list[str] = []
        for item in self.items:
            self._add(item)

    def _add(self, item: Item) -> None:
        name = item.get("entityType", {}).get("S", "")
        try:
            self._records[name].append(decoder_of(ENTITIES[name].cls)(item))
        except Exception as problem:
            place = f"{item['PK']['S']} / {item['SK']['S']}"
            self.unreadable.append(f"{place} cannot be read: {problem!r}")

    def all(self, kind: str) -> list[Any]:
        return self._records.get(kind, [])


@dataclass(slots=True)
class History:
    """By idempotencyKey: what was acknowledged and refused. What is in neither, nobody knows."""

    done: dict[str, dict[str, Any]] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)


def readable(table: Table, _: History) -> Iterator[str]:
    yield from table.unreadable


def index_entries(table: Table, _: History) -> Iterator[str]:
    """Keys and index entries follow from the record's fields."""
    for item in table.items:
        entity = ENTITIES.get(item.get("entityType", {}).get("S", ""))
        if entity is None:
            yield f"{item['PK']['S']} / {item['SK']['S']} is of no known kind"
            continue
        changed, stray = item_differences(item, item_of(decoder_of(entity.cls)(item)))
        if changed or stray:
            place = f"{item['PK']['S']} / {item['SK']['S']}"
            yield f"{place} differs from its record: {sorted(changed)} {stray}"


def balances(table: Table, _: History) -> Iterator[str]:
    sums: Counter[str] = Counter()
    for each in table.all("WalletTransaction"):
        sums[each.user_id] += each.amount
    for wallet in table.all("Wallet"):
        if wallet.balance != sums.pop(wallet.user_id, 0) or wallet.balance < 0:
            yield f"the wallet of {wallet.user_id} holds {wallet.balance}, not its transactions"
    yield from (f"{user} has transactions but no wallet" for user in sums)


def unique_names(table: Table, _: History) -> Iterator[str]:
    users = {user.id: user for user in table.all("User")}
    locks = {lock.user_id: lock.nickname for lock in table.all("NicknameLock")}
    if len(locks) != len(table.all("NicknameLock")):
        yield "somebody holds two nicknames"
    for user_id in users.keys() | locks.keys():
        user = users.get(user_id)
        if user is None or user.nickname.casefold() != locks.get(user_id, "").casefold():
            yield f"nickname and lock of {user_id} differ: {user and user.nickname}"
    emails = {lock.user_id: lock.email for lock in table.all("EmailLock")}
    for user_id in {id for id, user in users.items() if user.email} | emails.keys():
        if user_id not in users or user_id not in emails:
            yield f"email and lock of {user_id} differ"


def rooms(table: Table, _: History) -> Iterator[str]:
    """One order without gaps; counters as many as there are."""
    messages: dict[str, list[int]] = defaultdict(list)
    members: Counter[str] = Counter(each.room_id for each in table.all("RoomMember"))
    for each in table.all("Message"):
        messages[each.room_id].append(each.number)
    for room in table.all("Room"):
        numbers = sorted(messages.pop(room.id, []))
        if numbers != list(range(1, room.message_count + 1)):
            yield f"room {room.id} counts {room.message_count} messages, has {numbers[-5:]}"
        if members.pop(room.id, 0) != room.member_count:
            yield f"room {room.id} counts {room.member_count} members"
    yield from (f"messages without their room {room}" for room in messages)
    yield from (f"members without their room {room}" for room in members)


def values_are_linear(table: Table, history: History) -> Iterator[str]:
    """From the head by parents to the root, over every revision that was acknowledged."""
    by_user: dict[str, dict[str, Any]] = defaultdict(dict)
    for revision in table.all("ValuesRevision"):
        by_user[revision.user_id][revision.rev_id] = revision
    acknowledged = {each["head"] for each in history.done.values() if "head" in each}
    reached: set[str] = set()
    for head in table.all("ValuesHead"):
        revisions, at, seen = by_user[head.user_id], head.head_rev_id, set()
        while at is not None and at not in seen and at in revisions:
            seen.add(at)
            at = revisions[at].parent_rev_id
        if at is not None and at != head.head_rev_id:
            yield f"the history of {head.user_id} ends at {at}, which is missing or a circle"
        reached |= seen | {head.head_rev_id}
    yield from (
        f"acknowledged commit {each} is not in the history" for each in acknowledged - reached
    )


def links(table: Table, _: History) -> Iterator[str]:
    """In both directions: tasks and the items that find them from their goals and blockers."""
    tasks = {task.id: task for task in table.all("Task")}
    of_goals = {(each.goal_id, each.task_id) for each in table.all("GoalTask")}
    wanted = {(goal, task.id) for task in tasks.values() for goal in task.goal_ids}
    yield from (f"goal and task are linked one way only: {each}" for each in of_goals ^ wanted)
    goals = {goal.id for goal in table.all("Goal")}
    yield from (
        f"task {task} is linked to goal {goal}, which is gone"
        for goal, task in wanted
        if goal not in goals
    )
    for task in tasks.values():
        for blocker in task.depends_on_ids:
            if blocker not in tasks or task.id not in tasks[blocker].blocks_ids:
                yield f"task {task.id} waits for {blocker}, which does not know it"


def quests(table: Table, history: History) -> Iterator[str]:
    winners: dict[str, set[str]] = defaultdict(set)
    for each in history.done.values():
        if "claimed" in each:
            winners[each["claimed"]].add(each["by"])
    for quest in table.all("Quest"):
        told = winners.get(quest.id, set())
        if len(told) > 1 or (told and quest.performer_id not in told):
            yield f"quest {quest.id} was given to {told}, its performer is {quest.performer_id}"


def exactly_once(table: Table, history: History) -> Iterator[str]:
    """Each acknowledged payment is in the wallet once, each refused one not at all."""
    paid = Counter(each.reason for each in table.all("WalletTransaction"))
    sent = Counter(each.text for each in table.all("Message"))
    for key, answer in history.done.items():
        if answer.get("pays") and paid[key] != 1:
            yield f"payment {key} was acknowledged and is there {paid[key]} times"
        if answer.get("says") and sent[key] != 1:
            yield f"message {key} was acknowledged and is there {sent[key]} times"
    for key in history.refused:
        if paid[key] or sent[key]:
            yield f"{key} was refused, but is there"
    yield from (f"{each} is there {n} times" for each, n in (paid + sent).items() if n > 1)


def receipts(table: Table, history: History) -> Iterator[str]:
    """What was acknowledged under a key has its receipt."""
    kept = {each.key for each in table.all("Receipt")}
    yield from (
        f"{key} was acknowledged, but has no receipt" for key in history.done if key not in kept
    )
    yield from (f"{key} was refused, but has a receipt" for key in history.refused if key in kept)


def orphans(table: Table, _: History) -> Iterator[str]:
    """What lies in a partition that a record owns exists only with that record."""
    owned = {
        partition
        for name, entity in ENTITIES.items()
        if entity.owns
        for record in table.all(name)
        if (partition := entity.owned_partition(record))
    }
    prefixes = {
        entity.owns.partition("{")[0]
        for entity in ENTITIES.values()
        if entity.owns and OWN_PARTITION.fullmatch(entity.owns)
    }
    for item in table.items:
        partition = item["PK"]["S"]
        is_owned = partition.partition("#")[0] + "#" in prefixes
        if is_owned and partition not in owned and not partition.startswith(FAILED_REWARDS):
            yield f"{partition} / {item['SK']['S']} has lost its owner"


INVARIANTS: tuple[Callable[[Table, History], Iterator[str]], ...] = (
    *(readable, index_entries, balances, unique_names, rooms, values_are_linear),
    *(links, quests, exactly_once, receipts, orphans),
)


def violations(items: Iterable[Item], history: History) -> list[str]:
    table = Table(items)
    if table.unreadable:
        return table.unreadable
    return [f"{check.__name__}: {each}" for check in INVARIANTS for each in check(table, history)]
