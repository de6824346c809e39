"""Which records are published on which channels, and to whose change lists they are added.

By stored name, not by class: events lie below the domains. A test fails if a name is no record.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from app.events.event import channel
from app.table.entity import Key, Template
from app.table.transaction import room_for
from app.table.writes import Check, Delete, Put, Write

AttributeReader = Callable[[str], object]
# A change of a quest takes up to five writes for each member of its team.
MOST_ALSO_NOTIFIED = room_for(5)


@dataclass(frozen=True, slots=True)
class PublishRule:
    """`channels`: for each channel, the attributes that distinguish it; the empty tuple is one
    channel for all records of the kind. `notify`: the attributes that hold the users whose change
    lists get the record. `also_notify`: a kind of record in the same partition; its owners get the
    change too, if their record is written in the same transaction."""

    channels: tuple[tuple[str, ...], ...] = (("user_id",),)
    notify: tuple[str, ...] = ("user_id",)
    also_notify: str | None = None


OWNER_ONLY = PublishRule()
PUBLISH_RULES: Mapping[str, PublishRule] = {
    "BranchRevision": OWNER_ONLY,
    "Character": OWNER_ONLY,
    "CharacterGoal": OWNER_ONLY,
    "Goal": OWNER_ONLY,
    "GoalActivity": OWNER_ONLY,
    "Habit": OWNER_ONLY,
    "HabitLog": OWNER_ONLY,
    "LogbookEntry": OWNER_ONLY,
    "Metric": OWNER_ONLY,
    "MetricLog": OWNER_ONLY,
    "Milestone": OWNER_ONLY,
    "Notification": OWNER_ONLY,
    "PlanRevision": OWNER_ONLY,
    "ProgressRecord": OWNER_ONLY,
    "Project": OWNER_ONLY,
    "Reward": OWNER_ONLY,
    "Task": OWNER_ONLY,
    "ValuesRevision": OWNER_ONLY,
    "Wallet": OWNER_ONLY,
    "Message": PublishRule(channels=(("room_id",),), notify=()),
    "AssistMsg": PublishRule(channels=(("thread_id",),), notify=()),
    "Quest": PublishRule(
        channels=((), ("id",)), notify=("creator_id", "performer_id"), also_notify="QuestSeat"
    ),
}


def publish_rule_of(write: Write) -> PublishRule | None:
    return None if isinstance(write, Check) else PUBLISH_RULES.get(write.key.entity.name)


def attribute_reader(write: Write) -> AttributeReader:
    """Reads attributes of the written record; of an Update only the key parts are known."""
    record = write.record if isinstance(write, Put | Delete) else None
    if record is not None:
        return lambda name: getattr(record, name, None)
    return key_parts(write.key).get


def channels_of(write: Write, rule: PublishRule) -> Iterator[str]:
    read = attribute_reader(write)
    for names in rule.channels:
        parts = {name: read(name) for name in names}
        if None not in parts.values():
            kind = write.key.entity.name
            yield channel(kind, **{name: str(value) for name, value in parts.items()})


def users_to_notify(write: Write, rule: PublishRule, writes: Sequence[Write]) -> set[str]:
    """`writes`: the whole transaction. In a team of more than MOST_ALSO_NOTIFIED only the users
    that the record itself names are notified."""
    read = attribute_reader(write)
    named = {str(user_id) for name in rule.notify if (user_id := read(name))}
    if rule.also_notify is None:
        return named
    keys = (each.key for each in writes if each.key.entity.name == rule.also_notify)
    team = {key_parts(key)["user_id"] for key in keys if key.pk == write.key.pk}
    return named | team if len(team) <= MOST_ALSO_NOTIFIED else named


def key_parts(key: Key[Any]) -> dict[str, str]:
    """The parts of a key by name. No part contains the separator."""
    partition, order = key.entity.templates[""]
    found: dict[str, str] = {}
    for template, text in ((partition, key.pk), (order, key.sk)):
        match = _pattern(template).fullmatch(text)
        found |= match.groupdict() if match else {}
    return found


@cache
def _pattern(template: Template) -> re.Pattern[str]:
    required = "".join(_part_pattern(*each) for each in template.required_parts)
    optional = "".join(_part_pattern(*each) for each in template.optional_parts)
    return re.compile(required + (f"(?:{optional})?" if optional else ""))


def _part_pattern(literal: str, name: str | None) -> str:
    return re.escape(literal) + (f"(?P<{name}>[^#]+)" if name else "")
