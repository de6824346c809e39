"""The operations about characters, and functions that send them."""

from typing import Any
from uuid import uuid4

from tests.api import Person

ADD = """
mutation ($input: AddCharacterInput!) {
  addCharacter(input: $input) { id name trackedSkills archivedAt formerNames { name } version }
}
"""
RENAME = """
mutation ($input: RenameCharacterInput!) {
  renameCharacter(input: $input) {
    id name formerNames { name until } trackedSkills
    goals { items { id characterName latest { progressValue } } }
  }
}
"""
ARCHIVE = """
mutation ($input: ArchiveCharacterInput!) {
  archiveCharacter(input: $input) { name archivedAt }
}
"""
DELETE_CHARACTER = """
mutation ($input: DeleteCharacterInput!) {
  deleteCharacter(input: $input) { id name trackedSkills }
}
"""
CHARACTERS = """
query ($all: Boolean, $limit: Int, $nextToken: String) {
  characters(includeArchived: $all, limit: $limit, nextToken: $nextToken) {
    items { id name trackedSkills hiscoresStatus polledAt goals { items { id } } } nextToken
  }
}
"""
CREATE_GOAL = """
mutation ($input: CreateCharacterGoalInput!) {
  createCharacterGoal(input: $input) {
    id characterName targetAttribute targetType targetValue targetXp targetDate
    notificationChannelType frequency retentionDays achievedAt version
  }
}
"""
UPDATE_GOAL = """
mutation ($input: UpdateCharacterGoalInput!) {
  updateCharacterGoal(input: $input) {
    id targetValue targetDate frequency notificationChannelType achievedAt version
  }
}
"""
DELETE_GOAL = """
mutation ($input: DeleteCharacterGoalInput!) { deleteCharacterGoal(input: $input) { id } }
"""
GOAL = """
query ($id: ID!) {
  characterGoal(id: $id) {
    id characterName targetValue achievedAt version
    latest { progressValue timestamp flagged version }
    earliest { progressValue timestamp }
    forecast { absolute sinceStart remaining neededPerDay pace estimatedDate onTrack }
  }
}
"""
PROGRESS = """
query ($id: ID!, $from: String, $to: String, $newest: Boolean, $limit: Int, $nextToken: String) {
  characterGoal(id: $id) {
    progress(from: $from, to: $to, newestFirst: $newest, limit: $limit, nextToken: $nextToken) {
      items { timestamp progressValue flagged } nextToken
    }
  }
}
"""
RECORD = """
mutation ($input: RecordProgressInput!) {
  recordProgress(input: $input) { goalId progressValue timestamp flagged version }
}
"""
CORRECT = """
mutation ($input: CorrectProgressInput!) {
  correctProgress(input: $input) { progressValue timestamp flagged version }
}
"""
DELETE_PROGRESS = """
mutation ($input: DeleteProgressInput!) {
  deleteProgress(input: $input) { progressValue timestamp flagged }
}
"""
REFRESH = """
mutation ($input: RefreshCharacterInput!) {
  refreshCharacter(input: $input) { name hiscoresStatus polledAt }
}
"""
POPULAR = "{ popularSkills(limit: 100) { items { skill count } } }"


def new_name() -> str:
    return f"c{uuid4().hex[:10]}"


async def add(person: Person, name: str | None = None) -> dict[str, Any]:
    answer = await person.gql(ADD, input={"name": name or new_name()})
    return dict(answer["addCharacter"])


async def goal_of(person: Person, name: str, **fields: object) -> dict[str, Any]:
    wanted = {
        "characterName": name,
        "targetAttribute": "Woodcutting",
        "targetType": "xp",
        "targetValue": 13_034_431,
    } | fields
    answer = await person.gql(CREATE_GOAL, input=wanted)
    return dict(answer["createCharacterGoal"])


async def new_goal(person: Person, **fields: object) -> dict[str, Any]:
    character = await add(person)
    return await goal_of(person, character["name"], **fields)


async def see(person: Person, goal_id: str) -> dict[str, Any]:
    return dict((await person.gql(GOAL, id=goal_id))["characterGoal"])


async def record(person: Person, goal_id: str, value: int, at: str | None = None) -> dict[str, Any]:
    wanted = {"goalId": goal_id, "progressValue": value} | ({"timestamp": at} if at else {})
    return dict((await person.gql(RECORD, input=wanted))["recordProgress"])


async def correct(person: Person, goal_id: str, value: int, at: str) -> dict[str, Any]:
    wanted = {"goalId": goal_id, "progressValue": value, "timestamp": at}
    return dict((await person.gql(CORRECT, input=wanted))["correctProgress"])


async def delete_progress(person: Person, goal_id: str, at: str) -> dict[str, Any]:
    wanted = {"goalId": goal_id, "timestamp": at}
    return dict((await person.gql(DELETE_PROGRESS, input=wanted))["deleteProgress"])


async def progress(person: Person, goal_id: str, **arguments: object) -> dict[str, Any]:
    answer = await person.gql(PROGRESS, id=goal_id, **arguments)
    return dict(answer["characterGoal"]["progress"])
