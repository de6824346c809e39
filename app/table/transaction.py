"""Builds one transaction: at most one write per item, and at most a hundred writes.

It also protects partitions without a user id (GOAL#g, TASK#t, …): the write that creates the record
which owns such a partition also claims it, so another user cannot choose the same id.
"""

import dataclasses
from collections.abc import Iterable, Iterator
from typing import Any

from app.core.errors import AppError, LimitExceeded
from app.table.conditions import Condition, absent, attr
from app.table.entity import Key, entity_of
from app.table.keys import owner_of_partition
from app.table.types import PartitionOwner
from app.table.writes import Check, Delete, Otherwise, Put, Update, Write

MOST_IN_A_TRANSACTION = 100
# Reserved in every transaction: a receipt, and the pending changes of the users concerned.
RESERVED = 6


def room_for(writes_each: int, *, besides: int = 0) -> int:
    """How many things fit into one transaction, if each takes `writes_each` writes and the
    transaction has `besides` other writes."""
    return max(0, (MOST_IN_A_TRANSACTION - RESERVED - besides) // writes_each)


def build_transaction(writes: Iterable[Write]) -> list[Write]:
    found: dict[tuple[str, str], Write] = {}
    for write in _with_claims(writes):
        at = (write.key.pk, write.key.sk)
        found[at] = _merge(found[at], write) if at in found else write
    if len(found) > MOST_IN_A_TRANSACTION:
        raise LimitExceeded(
            f"This changes {len(found)} records, more than {MOST_IN_A_TRANSACTION} at once. "
            "Split it into smaller parts."
        )
    return list(found.values())


def _with_claims(writes: Iterable[Write]) -> Iterator[Write]:
    for write in writes:
        yield write
        if isinstance(write, Put) and write.when == absent():
            yield from _claim(write)
        elif isinstance(write, Delete) and _releases_partition(write.key):
            kind, _, thing = write.key.sk.partition("#")
            mine = attr("userId").equals(write.key.pk.partition("#")[2])
            yield Delete(owner_of_partition(kind, thing), when=absent() | mine)


def _releases_partition(key: Key[Any]) -> bool:
    """Not if the record lies in the partition itself: other records may still be in it."""
    return key.entity.owns == key.entity.sk != key.entity.pk


def _claim(write: Put[Any]) -> Iterator[Write]:
    record = write.record
    entity = entity_of(record)
    if entity.owns is None or entity.owns != entity.sk:
        return
    kind, _, thing = entity.key_of(record).sk.partition("#")
    owner = PartitionOwner(
        created_at=record.created_at,
        updated_at=record.updated_at,
        kind=kind,
        thing=thing,
        user_id=record.user_id,
    )
    yield Put(owner, when=absent(), otherwise=write.otherwise)


def _merge(first: Write, second: Write) -> Write:
    """DynamoDB allows one write per item in a transaction."""
    if isinstance(second, Check):
        first, second = second, first
    if isinstance(first, Check):
        when = first.when & second.when if second.when else first.when
        return dataclasses.replace(second, when=when, otherwise=_error_of_either(first, second))
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


def _error_of_either(check: Check[Any], write: Write) -> Otherwise:
    """DynamoDB does not report which of the two conditions failed. A check usually is that the item
    exists: if it does, the write's own condition failed, for example a stale version."""
    own, checked = write.otherwise, check.otherwise
    if own is None:
        return checked

    def otherwise(now: Any) -> AppError:
        error = checked if now is None else own
        return error if isinstance(error, AppError) else error(now)

    return otherwise


def _both(one: Condition | None, other: Condition | None) -> Condition | None:
    return one & other if one and other else one or other
