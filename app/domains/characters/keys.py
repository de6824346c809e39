"""Where characters and their goals are stored, and what can be asked about them."""

from dataclasses import replace
from typing import Any

from app.domains.characters.types import (
    Character,
    CharacterGoal,
    DeletedCharacter,
    DeletedGoal,
    EarliestProgress,
    GoalPointer,
    HiscoresPage,
    LatestProgress,
    PopularSkill,
    ProgressRecord,
)
from app.table.entity import Entity, Key, RangeQuery

CHARACTER = Entity("Character", Character, pk="USER#{user_id}", sk="CHARACTER#METADATA#{name_key}")
CHARACTER_GOAL = Entity(
    "CharacterGoal",
    CharacterGoal,
    pk="USER#{user_id}",
    sk="CHARACTER#{character_key}#GOAL#METADATA#{id}",
    gsi4=("DUE#{due_day}[#{shard}]", "{next_at}#CHARACTER_GOAL#{id}"),
)
GOAL_POINTER = Entity("GoalPlace", GoalPointer, pk="USER#{user_id}", sk="CHARACTER_GOAL#{goal_id}")
DELETED_GOAL = Entity(
    "GoalRemains",
    DeletedGoal,
    pk="USER#{user_id}",
    sk="CHARACTER_GOAL_REMAINS#{goal_id}",
    gsi4=("CHARACTER_GOALS#REMAINS", "{created_at}#{goal_id}"),
)
DELETED_CHARACTER = Entity(
    "CharacterRemains",
    DeletedCharacter,
    pk="USER#{user_id}",
    sk="CHARACTER_REMAINS#{character_key}",
    gsi4=("CHARACTERS#REMAINS", "{created_at}#{character_key}"),
)
PROGRESS_RECORD = Entity(
    "ProgressRecord",
    ProgressRecord,
    pk="USER#{user_id}",
    sk="CHARACTER#{character_key}#GOAL#{goal_id}#{timestamp}",
)
LATEST_PROGRESS = Entity(
    "LatestProgress",
    LatestProgress,
    pk="USER#{user_id}",
    sk="CHARACTER#{character_key}#GOAL#{goal_id}#LATEST",
)
EARLIEST_PROGRESS = Entity(
    "EarliestProgress",
    EarliestProgress,
    pk="USER#{user_id}",
    sk="CHARACTER#{character_key}#GOAL#{goal_id}#EARLIEST",
)
POPULAR_SKILL = Entity("PopularSkill", PopularSkill, pk="SKILL#{skill}", sk="COUNT")
HISCORES_PAGE = Entity(
    "HiscoresPage", HiscoresPage, pk="HISCORES#{name}", sk="HISCORES", secret=True
)


def character(user_id: str, name_key: str) -> Key[Character]:
    """One of someone's characters by its name"""
    return CHARACTER.key(user_id=user_id, name_key=name_key)


def characters_of_user(user_id: str) -> RangeQuery[Character]:
    """Someone's characters by name"""
    return CHARACTER.within(user_id=user_id)


def goal_pointer(user_id: str, goal_id: str) -> Key[GoalPointer]:
    """Which character a goal is of"""
    return GOAL_POINTER.key(user_id=user_id, goal_id=goal_id)


def goal_pointers_of_user(user_id: str) -> RangeQuery[GoalPointer]:
    """All of someone's character goals, the oldest first"""
    return GOAL_POINTER.within(user_id=user_id)


def goal(user_id: str, character_key: str, goal_id: str) -> Key[CharacterGoal]:
    """One goal of a character"""
    return CHARACTER_GOAL.key(user_id=user_id, character_key=character_key, id=goal_id)


def goals_of_character(user_id: str, character_key: str) -> RangeQuery[CharacterGoal]:
    """The goals of a character, the oldest first"""
    return CHARACTER_GOAL.within(user_id=user_id, character_key=character_key)


def goals_due(day: str, until: str, shard: str | None = None) -> RangeQuery[Any]:
    """Which goals are to be polled or need a message on a UTC day, up to a time"""
    # The partition of a day also has what is due in other domains.
    run = CHARACTER_GOAL.span("GSI4", since="0", until=until, due_day=day, shard=shard)
    return replace(run, entity=None)


def deleted_goals() -> RangeQuery[DeletedGoal]:
    """Deleted goals whose records are still to be deleted"""
    return DELETED_GOAL.within("GSI4")


def deleted_goal(user_id: str, goal_id: str) -> Key[DeletedGoal]:
    """Are the records of a deleted goal still to be deleted"""
    return DELETED_GOAL.key(user_id=user_id, goal_id=goal_id)


def deleted_characters() -> RangeQuery[DeletedCharacter]:
    """Deleted characters whose goals are still to be deleted"""
    return DELETED_CHARACTER.within("GSI4")


def deleted_character(user_id: str, character_key: str) -> Key[DeletedCharacter]:
    """Are the goals of a deleted character still to be deleted"""
    return DELETED_CHARACTER.key(user_id=user_id, character_key=character_key)


def progress_record(
    user_id: str, character_key: str, goal_id: str, timestamp: str
) -> Key[ProgressRecord]:
    """What was measured at one moment"""
    return PROGRESS_RECORD.key(
        user_id=user_id, character_key=character_key, goal_id=goal_id, timestamp=timestamp
    )


def progress_of_goal(
    user_id: str,
    character_key: str,
    goal_id: str,
    since: str | None = None,
    until: str | None = None,
    newest_first: bool = False,
) -> RangeQuery[ProgressRecord]:
    """What was measured for a goal, of all time or from one time to another"""
    return PROGRESS_RECORD.span(
        user_id=user_id,
        character_key=character_key,
        goal_id=goal_id,
        since=since,
        until=until,
        newest_first=newest_first,
    )


def latest_of_goal(user_id: str, character_key: str, goal_id: str) -> Key[LatestProgress]:
    """The newest record of a goal"""
    return LATEST_PROGRESS.key(user_id=user_id, character_key=character_key, goal_id=goal_id)


def earliest_of_goal(user_id: str, character_key: str, goal_id: str) -> Key[EarliestProgress]:
    """The oldest record of a goal"""
    return EARLIEST_PROGRESS.key(user_id=user_id, character_key=character_key, goal_id=goal_id)


def popular_skill(skill: str) -> Key[PopularSkill]:
    """How many characters have a goal for a skill"""
    return POPULAR_SKILL.key(skill=skill)


def hiscores_page(name: str) -> Key[HiscoresPage]:
    """What the hiscores said of a name"""
    return HISCORES_PAGE.key(name=name)
