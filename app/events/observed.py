"""Which records are published, where, and in whose list of changes they are noted.

By name, not by class: this lies below the domains. A name that is no record is found by a test.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from app.events.event import channel
from app.table.entity import Key, Template
from app.table.writes import Check, Delete, Put, Write

Look = Callable[[str], object]
# A step of a quest takes up to five writes for everyone in its team, and a transaction holds 100.
MOST_BESIDE = 18


@dataclass(frozen=True, slots=True)
class Observed:
    """`by`: the attributes that tell channels apart; the empty tuple is a channel of all.
    `noted_for`: the attributes that hold the users in whose changes it stands. `beside`: records of
    other users in its partition: who has one that is written with it is told, too."""

    by: tuple[tuple[str, ...], ...] = (("user_id",),)
    noted_for: tuple[str, ...] = ("user_id",)
    beside: str | None = None


OWN = Observed()
OBSERVED: Mapping[str, Observed] = {
    "BranchRevision": OWN,
    "Character": OWN,
    "CharacterGoal": OWN,
    "Goal": OWN,
    "GoalActivity": OWN,
    "Habit": OWN,
    "HabitLog": OWN,
    "LogbookEntry": OWN,
    "Metric": OWN,
    "MetricLog": OWN,
    "Milestone": OWN,
    "Notification": OWN,
    "PlanRevision": OWN,
    "ProgressRecord": OWN,
    "Project": OWN,
    "Reward": OWN,
    "Task": OWN,
    "ValuesRevision": OWN,
    "Wallet": OWN,
    "Message": Observed(by=(("room_id",),), noted_for=()),
    "AssistMsg": Observed(by=(("thread_id",),), noted_for=()),
    "Quest": Observed(
        by=((), ("id",)), noted_for=("creator_id", "performer_id"), beside="QuestSeat"
    ),
}


def observed(write: Write) -> Observed | None:
    return None if isinstance(write, Check) else OBSERVED.get(write.key.entity.name)


def look_at(write: Write) -> Look:
    """What is known of the record: all of it, or only what stands in its key."""
    record = write.record if isinstance(write, Put | Delete) else None
    if record is not None:
        return lambda name: getattr(record, name, None)
    return parts_of(write.key).get


def channels_of(kind: str, seen: Observed, look: Look) -> Iterator[str]:
    for names in seen.by:
        parts = {name: look(name) for name in names}
        if None not in parts.values():
            yield channel(kind, **{name: str(value) for name, value in parts.items()})


def noted_for(write: Write, seen: Observed, writes: Sequence[Write]) -> set[str]:
    """`writes`: the whole transaction. Of a larger team only those are told who are named in the
    record itself."""
    look = look_at(write)
    named = {str(user_id) for name in seen.noted_for if (user_id := look(name))}
    if seen.beside is None:
        return named
    keys = (each.key for each in writes if each.key.entity.name == seen.beside)
    beside = {parts_of(key)["user_id"] for key in keys if key.pk == write.key.pk}
    return named | beside if len(beside) <= MOST_BESIDE else named


def parts_of(key: Key[Any]) -> dict[str, str]:
    """A key's parts by name: none of them contains the separator."""
    partition, order = key.entity.templates[""]
    found: dict[str, str] = {}
    for template, text in ((partition, key.pk), (order, key.sk)):
        match = _pattern(template).fullmatch(text)
        found |= match.groupdict() if match else {}
    return found


@cache
def _pattern(template: Template) -> re.Pattern[str]:
    plain = "".join(_step(*each) for each in template.steps)
    optional = "".join(_step(*each) for each in template.ending)
    return re.compile(plain + (f"(?:{optional})?" if optional else ""))


def _step(literal: str, name: str | None) -> str:
    return re.escape(literal) + (f"(?P<{name}>[^#]+)" if name else "")
