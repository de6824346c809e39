"""What goes into one transaction: at most one write per item, and at most a hundred.

It also keeps partitions that name no owner (GOAL#g, TASK#t, …) apart: whoever creates the record
that owns one also claims it, so that nobody can come in by choosing the same id.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

import strawberry

from app.core.errors import AppError, LimitExceeded
from app.core.record import Record
from app.table.conditions import Condition, absent, attr
from app.table.entity import Entity, Key, entity_of
from app.table.writes import Check, Delete, Otherwise, Put, Update, Write

MOST_IN_A_TRANSACTION = 100


@strawberry.type
class Owner(Record):
    """Whose the partition is."""

    kind: str
    thing: str
    user_id: str


OWNER = Entity(Owner, pk="{kind}#{thing}", sk="OWNER", secret=True)


def together(writes: Iterable[Write]) -> list[Write]:
    found: dict[tuple[str, str], Write] = {}
    for write in _with_claims(writes):
        at = (write.key.pk, write.key.sk)
        found[at] = _joined(found[at], write) if at in found else write
    if len(found) > MOST_IN_A_TRANSACTION:
        raise LimitExceeded(
            f"This changes {len(found)} records; at most {MOST_IN_A_TRANSACTION} change at once. "
            "Do it in smaller parts."
        )
    return list(found.values())


def _with_claims(writes: Iterable[Write]) -> Iterator[Write]:
    for write in writes:
        yield write
        if isinstance(write, Put) and write.when == absent():
            yield from _claim(write)
        elif isinstance(write, Delete) and _gives_up_a_partition(write.key):
            kind, _, thing = write.key.sk.partition("#")
            mine = attr("userId").equals(write.key.pk.partition("#")[2])
            yield Delete(OWNER.key(kind=kind, thing=thing), when=absent() | mine)


def _gives_up_a_partition(key: Key[Any]) -> bool:
    """A record that lies in the partition itself leaves it claimed: the rest may still be there."""
    return key.entity.owns == key.entity.sk != key.entity.pk


def _claim(write: Put[Any]) -> Iterator[Write]:
    record = write.record
    entity = entity_of(record)
    if entity.owns is None or entity.owns != entity.sk:
        return
    kind, _, thing = entity.key_of(record).sk.partition("#")
    owner = Owner(
        created_at=record.created_at,
        updated_at=record.updated_at,
        kind=kind,
        thing=thing,
        user_id=record.user_id,
    )
    yield Put(owner, when=absent(), otherwise=write.otherwise)


def _joined(first: Write, second: Write) -> Write:
    """One item may stand only once in a transaction."""
    if isinstance(second, Check):
        first, second = second, first
    if isinstance(first, Check):
        when = first.when & second.when if second.when else first.when
        return dataclasses.replace(second, when=when, otherwise=_told(first, second))
    assert isinstance(first, Update), f"two writes on {first.key}"
    assert isinstance(second, Update), f"two writes on {second.key}"
    adds = {
        name: first.add.get(name, 0) + second.add.get(name, 0)
        for name in {**first.add, **second.add}
    }
    return Update(
        first.key,
        put={**first.put, **second.put},
        add=adds,
        first={**first.first, **second.first},
        remove=(*first.remove, *second.remove),
        when=_both(first.when, second.when),
        otherwise=first.otherwise or second.otherwise,
    )


def _told(check: Check[Any], write: Write) -> Otherwise:
    """DynamoDB does not say which of two joined conditions failed. A check mostly is that the item
    is there: if it is, the failure was the write's own, a stale version say."""
    own, checked = write.otherwise, check.otherwise
    if own is None:
        return checked

    def otherwise(now: Any) -> AppError:
        error = checked if now is None else own
        return error if isinstance(error, AppError) else error(now)

    return otherwise


def _both(one: Condition | None, other: Condition | None) -> Condition | None:
    return one & other if one and other else one or other
