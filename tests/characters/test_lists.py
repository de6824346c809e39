"""Filters of goals, and the stats of a character as the hiscores were last read."""

from typing import Any

import pytest

from tests.api import Person
from tests.characters.operations import add, goal_of, record
from tests.characters.test_hiscores import PAGE, PATH, refresh
from tests.remote_servers import Answer, RemoteServer

GOALS = """
query ($name: String, $attribute: String, $type: TargetType, $achieved: Boolean, $limit: Int,
       $nextToken: String) {
  characterGoals(characterName: $name, targetAttribute: $attribute, targetType: $type,
                 achieved: $achieved, limit: $limit, nextToken: $nextToken) {
    items { characterName targetAttribute targetType } nextToken
  }
}
"""
STATS = """
query ($name: String!) {
  character(name: $name) {
    stats {
      readAt
      skills {
        name rank level xp
        levelProgress {
          level experience experienceOfLevel experienceOfNextLevel remaining share
        }
      }
      activities { name rank score }
    }
  }
}
"""


async def three_goals(person: Person) -> None:
    for name in ("One", "Two"):
        await add(person, name)
    reached = await goal_of(person, "One", targetAttribute="Mining", targetValue=5)
    await record(person, reached["id"], 5)
    await goal_of(person, "One", targetAttribute="Vorkath", targetType="score", targetValue=5)
    await goal_of(person, "Two", targetAttribute="Mining")


@pytest.mark.parametrize(
    ("filter", "found"),
    [
        ({}, ["One Mining", "One Vorkath", "Two Mining"]),
        ({"name": "one"}, ["One Mining", "One Vorkath"]),
        ({"name": "three"}, []),
        ({"attribute": "mining"}, ["One Mining", "Two Mining"]),
        ({"type": "score"}, ["One Vorkath"]),
        ({"achieved": True}, ["One Mining"]),
        ({"achieved": False}, ["One Vorkath", "Two Mining"]),
        ({"achieved": False, "attribute": "MINING"}, ["Two Mining"]),
    ],
)
async def test_filters_of_goals(ada: Person, filter: dict[str, Any], found: list[str]) -> None:
    await three_goals(ada)
    answer = (await ada.gql(GOALS, **filter))["characterGoals"]
    assert [
        f"{each['characterName']} {each['targetAttribute']}" for each in answer["items"]
    ] == found
    assert answer["nextToken"] is None


async def test_pages_of_filtered_goals(ada: Person) -> None:
    await three_goals(ada)
    first = (await ada.gql(GOALS, attribute="Mining", limit=1))["characterGoals"]
    token = first["nextToken"]
    rest = (await ada.gql(GOALS, attribute="Mining", limit=1, nextToken=token))["characterGoals"]
    found = [each["characterName"] for page in (first, rest) for each in page["items"]]
    assert found == ["One", "Two"]


async def test_stats_as_they_were_last_read(
    ada: Person, bob: Person, remote_server: RemoteServer
) -> None:
    remote_server.answer(PATH, Answer(200, PAGE))
    name = (await add(ada))["name"]
    assert (await ada.gql(STATS, name=name))["character"]["stats"] is None
    seen = await refresh(ada, name)
    stats = (await ada.gql(STATS, name=name))["character"]["stats"]
    assert stats["readAt"] == seen["polledAt"]
    overall, mining = stats["skills"]
    assert (overall["xp"], overall["levelProgress"]) == (4_600_000_000, None)
    assert mining == {
        "name": "Mining",
        "rank": 7,
        "level": 70,
        "xp": 800_000,
        "levelProgress": {
            "level": 70,
            "experience": 800_000,
            "experienceOfLevel": 737_627,
            "experienceOfNextLevel": 814_445,
            "remaining": 14_445,
            "share": 0.8119,
        },
    }
    assert stats["activities"] == [{"name": "Vorkath", "rank": 4, "score": 12}]
    remote_server.answer(PATH, Answer(404))
    other = (await add(bob))["name"]
    await refresh(bob, other)
    assert (await bob.gql(STATS, name=other))["character"]["stats"] is None


async def test_the_level_of_a_user_explains_itself(ada: Person) -> None:
    query = """{ me { stats { level levelProgress {
      level experience experienceOfLevel experienceOfNextLevel remaining share } } } }"""
    assert (await ada.gql(query))["me"]["stats"] == {
        "level": 1,
        "levelProgress": {
            "level": 1,
            "experience": 0,
            "experienceOfLevel": 0,
            "experienceOfNextLevel": 100,
            "remaining": 100,
            "share": 0.0,
        },
    }
