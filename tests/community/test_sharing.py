"""Sharing one record with a partner, through HTTP."""

import asyncio
from typing import Any

import pytest

from app.domains.community import keys
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.community.test_assist import new_goal
from tests.community.test_rooms import calls_of

SHARE = """
mutation ($user: ID!, $kind: ShareKind!, $id: ID!) {
  shareWith(input: {userId: $user, kind: $kind, id: $id, note: "Keep me at it"}) {
    userId partnerId kind recordId note owner { nickname } partner { nickname }
    record { __typename id }
  }
}
"""
UNSHARE = """
mutation ($user: ID!, $kind: ShareKind!, $id: ID!, $owner: ID) {
  unshare(input: {userId: $user, kind: $kind, id: $id, ownerId: $owner}) { recordId }
}
"""
WITH_ME = """
{
  sharedWithMe {
    items { kind recordId owner { id email } record { __typename id ... on Goal { title } } }
    nextToken
  }
}
"""
BY_ME = "{ sharedByMe { items { kind recordId partnerId } } }"
GOAL = "query ($id: ID!) { goal(id: $id) { id } }"


async def with_me(person: Person) -> list[Any]:
    found: list[Any] = (await person.gql(WITH_ME))["sharedWithMe"]["items"]
    return found


async def test_a_partner_sees_a_goal_until_it_is_unshared(
    ada: Person, bob: Person, api: Api
) -> None:
    goal = await new_goal(ada, "Run")
    shared = (await ada.gql(SHARE, user=bob.id, kind="GOAL", id=goal))["shareWith"]
    assert (shared["userId"], shared["partnerId"], shared["recordId"]) == (ada.id, bob.id, goal)
    assert (shared["owner"]["nickname"], shared["partner"]["nickname"]) == (
        ada.nickname,
        bob.nickname,
    )
    (card,) = await with_me(bob)
    assert card["record"] == {"__typename": "Goal", "id": goal, "title": "Run"}
    assert card["owner"] == {"id": ada.id, "email": None}
    assert await with_me(await api.sign_up()) == []
    assert await bob.gql(GOAL, id=goal) == {"goal": None}, "read-only: it is not his own"
    change = 'mutation ($id: ID!) { updateGoal(input: {id: $id, title: "Mine"}) { id } }'
    assert (await bob.refused(change, id=goal)).code == "NOT_FOUND"
    await ada.gql(UNSHARE, user=bob.id, kind="GOAL", id=goal)
    assert await with_me(bob) == []
    assert (await ada.gql(BY_ME))["sharedByMe"]["items"] == []


async def test_related_records_are_not_shared(ada: Person, bob: Person) -> None:
    goal = await new_goal(ada)
    task = 'mutation ($g: ID!) { createTask(input: {title: "Secret", goalIds: [$g]}) { id } }'
    hidden = (await ada.gql(task, g=goal))["createTask"]["id"]
    await ada.gql(SHARE, user=bob.id, kind="GOAL", id=goal)
    query = """
    {
      sharedWithMe {
        items { record { ... on Goal { tasks { items { id } } milestones { id } parent { id } } } }
      }
    }
    """
    (card,) = (await bob.gql(query))["sharedWithMe"]["items"]
    assert card["record"] == {"tasks": {"items": []}, "milestones": [], "parent": None}
    assert await bob.gql("query ($id: ID!) { task(id: $id) { id } }", id=hidden) == {"task": None}


async def test_lists_of_shares_cost_the_same_for_any_number(
    ada: Person, bob: Person, api: Api
) -> None:
    query = """
    {
      sharedWithMe(limit: 50) {
        items { owner { id } record { ... on Goal { title progress { percent } } } }
      }
    }
    """
    for owner in (ada, await api.sign_up()):
        await owner.gql(SHARE, user=bob.id, kind="GOAL", id=await new_goal(owner))
    await bob.gql(query)
    few, _ = await calls_of(bob, query)
    for owner in (ada, *[await api.sign_up() for _ in range(9)]):
        await owner.gql(SHARE, user=bob.id, kind="GOAL", id=await new_goal(owner))
    many, answer = await calls_of(bob, query)
    assert isinstance(answer, dict)
    records = [each["record"] for each in answer["sharedWithMe"]["items"]]
    assert records == [{"title": "Learn to forge", "progress": {"percent": 0}}] * 12
    assert few == many <= 6


async def test_sharing_again_changes_nothing(ada: Person, bob: Person) -> None:
    goal = await new_goal(ada)
    await asyncio.gather(*(ada.gql(SHARE, user=bob.id, kind="GOAL", id=goal) for _ in range(20)))
    assert len(await with_me(bob)) == 1
    assert (await ada.gql(BY_ME))["sharedByMe"]["items"] == [
        {"kind": "GOAL", "recordId": goal, "partnerId": bob.id}
    ]


async def test_only_own_records_are_shared_with_existing_users(
    ada: Person, bob: Person, api: Api, table: Gateway
) -> None:
    goal, carl = await new_goal(ada), await api.sign_up()
    for record in (goal, "nothing"):
        for kind in ("GOAL", "HABIT", "PROJECT"):
            refused = await bob.refused(SHARE, user=carl.id, kind=kind, id=record)
            assert refused.code == "NOT_FOUND"
    assert (await ada.refused(SHARE, user="nobody", kind="GOAL", id=goal)).code == "NOT_FOUND"
    assert (await ada.refused(SHARE, user=ada.id, kind="GOAL", id=goal)).code == "BAD_INPUT"
    assert await with_me(carl) == []
    for owner in (ada, bob):
        assert await table.count(keys.shares_of_user(owner.id)) == 0


async def test_a_stranger_cannot_unshare(ada: Person, bob: Person, api: Api) -> None:
    goal, carl = await new_goal(ada), await api.sign_up()
    await ada.gql(SHARE, user=bob.id, kind="GOAL", id=goal)
    for owner in (None, ada.id):
        refused = await carl.refused(UNSHARE, user=bob.id, kind="GOAL", id=goal, owner=owner)
        assert refused.code == "NOT_FOUND"
    assert len(await with_me(bob)) == 1


async def test_a_partner_can_unshare(ada: Person, bob: Person) -> None:
    goal = await new_goal(ada)
    await ada.gql(SHARE, user=bob.id, kind="GOAL", id=goal)
    await bob.gql(UNSHARE, user=bob.id, kind="GOAL", id=goal, owner=ada.id)
    assert await with_me(bob) == []
    refused = await ada.refused(UNSHARE, user=bob.id, kind="GOAL", id=goal)
    assert refused.code == "NOT_FOUND"


@pytest.mark.parametrize(
    ("kind", "create"),
    [
        ("PROJECT", 'mutation { made: createProject(input: {name: "Forge"}) { id } }'),
        ("HABIT", 'mutation { made: createHabit(input: {name: "Run"}) { id } }'),
    ],
)
async def test_habits_and_projects_are_shared_too(
    ada: Person, bob: Person, kind: str, create: str
) -> None:
    record = (await ada.gql(create))["made"]["id"]
    await ada.gql(SHARE, user=bob.id, kind=kind, id=record)
    (card,) = await with_me(bob)
    assert (card["kind"], card["record"]) == (
        kind,
        {"__typename": kind.capitalize(), "id": record},
    )
