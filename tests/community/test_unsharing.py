"""Deleting a shared record deletes its shares and links to companies."""

import asyncio
import dataclasses
import json

import pytest
import strawberry

from app.core.caller import acting_for
from app.core.errors import NotFound
from app.domains.community import keys
from app.domains.community.inputs import ShareWithInput
from app.domains.community.types import ShareKind
from app.domains.goals.inputs import DeleteGoalInput
from app.domains.tracking.inputs import DeleteHabitInput
from app.jobs.goals import finish_removals
from app.services import Services
from app.table.gateway import Gateway
from tests.api import PASSWORD, Api, Person
from tests.community.test_assist import new_thread
from tests.community.test_company_goals import goal_count, goals, put, stored
from tests.community.test_crashes import cut_at_call, sides
from tests.community.test_market import new_company
from tests.community.test_sharing import BY_ME, SHARE, with_me
from tests.goals.operations import create, delete
from tests.people.test_identity import sign_in
from tests.rewards.test_wallet_machine import PowerCut
from tests.servers import RunningServer

NAMES = {"Goal": "title", "Habit": "name", "Project": "name"}


async def new_record(person: Person, kind: str) -> str:
    return await create(person, kind, **{NAMES[kind]: "Forge"})


async def shared(person: Person, partner: Person, kind: str) -> str:
    record = await new_record(person, kind)
    await person.gql(SHARE, user=partner.id, kind=kind.upper(), id=record)
    return record


@pytest.mark.parametrize("kind", NAMES)
async def test_a_deleted_record_is_no_longer_shared(
    ada: Person, bob: Person, api: Api, table: Gateway, kind: str
) -> None:
    carl = await api.sign_up()
    gone, kept = await shared(ada, bob, kind), await shared(ada, bob, kind)
    await ada.gql(SHARE, user=carl.id, kind=kind.upper(), id=gone)
    await delete(ada, kind, gone)
    assert [each["recordId"] for each in await with_me(bob)] == [kept]
    assert await with_me(carl) == []
    assert [each["recordId"] for each in (await ada.gql(BY_ME))["sharedByMe"]["items"]] == [kept]
    assert await table.count(keys.shares_of_user(ada.id)) == 1


async def test_a_deleted_goal_is_removed_from_companies(
    ada: Person, bob: Person, table: Gateway
) -> None:
    first, second = await new_company(ada, bob), await new_company(ada, bob)
    gone, kept = await new_record(bob, "Goal"), await new_record(bob, "Goal")
    for company in (first, second):
        for goal in (gone, kept):
            await put(bob, company, goal)
    await delete(bob, "Goal", gone)
    for company in (first, second):
        assert await goals(ada, company) == [kept]
        assert await goal_count(table, company, bob) == 1
    assert await stored(table, bob) == 2


async def test_a_deactivated_account_hides_its_shares(ada: Person, bob: Person, api: Api) -> None:
    company, goal = await new_company(bob, ada), await shared(ada, bob, "Goal")
    await put(ada, company, goal)
    thread = await new_thread(ada, subjectId=goal, helperIds=[bob.id])
    query = """
    query ($company: ID!, $thread: ID!) {
      sharedWithMe { items { record { id } } }
      company(id: $company) { goals { items { goal { id } } } }
      assistThread(id: $thread) { subject { id } }
    }
    """
    asked = {"company": company, "thread": thread}
    before = await bob.gql(query, **asked)
    assert json.dumps(before).count(goal) == 3
    await ada.gql("mutation { deactivateAccount { id } }")
    assert await bob.gql(query, **asked) == {
        "sharedWithMe": {"items": [{"record": None}]},
        "company": {"goals": {"items": [{"goal": None}]}},
        "assistThread": {"subject": None},
    }
    await sign_in(api, ada.email, PASSWORD)
    assert await bob.gql(query, **asked) == before


@sides
async def test_a_goals_deletion_interrupted_anywhere_deletes_its_shares(
    ada: Person, bob: Person, server: RunningServer, table: Gateway, after: bool
) -> None:
    resources = dataclasses.replace(server.app.state.resources, table=table)
    company = await new_company(ada)
    number, cut = 0, True
    while cut:
        number += 1
        goal = await shared(ada, bob, "Goal")
        await put(ada, company, goal)
        wanted = DeleteGoalInput(id=strawberry.ID(goal))
        try:
            with cut_at_call(table, number, after=after):
                await Services(resources, acting_for(ada.id)).removals.delete_goal(wanted)
            cut = False
        except PowerCut:
            await table.drain()
        await finish_removals(resources)
        if await Services(resources, acting_for(ada.id)).goals.goal(goal):
            assert await goals(ada, company) == [goal], "not deleted: still shared"
            assert len(await with_me(bob)) == 1
            await delete(ada, "Goal", goal)
        assert await table.count(keys.shares_of_user(ada.id)) == 0
        assert await goals(ada, company) == []
        assert await goal_count(table, company, ada) == 0
    assert number > 8


@sides
async def test_a_habits_deletion_interrupted_anywhere_can_be_repeated(
    ada: Person, bob: Person, server: RunningServer, table: Gateway, after: bool
) -> None:
    resources = dataclasses.replace(server.app.state.resources, table=table)
    number, cut = 0, True
    while cut:
        number += 1
        habit = await shared(ada, bob, "Habit")
        wanted = DeleteHabitInput(id=strawberry.ID(habit))
        try:
            with cut_at_call(table, number, after=after):
                await Services(resources, acting_for(ada.id)).habits.delete(wanted)
            cut = False
        except PowerCut:
            await table.drain()
        if await Services(resources, acting_for(ada.id)).habits.find(habit):
            await delete(ada, "Habit", habit)
        assert await with_me(bob) == []
        assert await table.count(keys.shares_of_user(ada.id)) == 0
    assert number > 3


@pytest.mark.parametrize("kind", NAMES)
async def test_a_record_shared_during_its_deletion_leaves_no_share(
    ada: Person, bob: Person, server: RunningServer, table: Gateway, kind: str
) -> None:
    """The record is deleted between the read and the write of the share."""
    resources = dataclasses.replace(server.app.state.resources, table=table)
    record = await new_record(ada, kind)
    sharing = Services(resources, acting_for(ada.id)).sharing
    wanted = ShareWithInput(
        user_id=strawberry.ID(bob.id), kind=ShareKind(kind.upper()), id=strawberry.ID(record)
    )
    decision = await sharing._share(wanted)
    await delete(ada, kind, record)
    with pytest.raises(NotFound):
        await table.write(*decision.writes)
    assert await table.count(keys.shares_of_user(ada.id)) == 0


async def test_shares_and_deletions_at_the_same_time(
    ada: Person, bob: Person, table: Gateway
) -> None:
    company = await new_company(ada)
    for goal in [await new_record(ada, "Goal") for _ in range(5)]:
        await asyncio.gather(
            ada.api.post(SHARE, headers=ada.headers, user=bob.id, kind="GOAL", id=goal),
            delete(ada, "Goal", goal),
            put_if_there(ada, company, goal),
        )
    assert await table.count(keys.shares_of_user(ada.id)) == 0
    assert (await stored(table, ada), await goal_count(table, company, ada)) == (0, 0)


async def put_if_there(person: Person, company: str, goal: str) -> None:
    query = """
    mutation ($company: ID!, $goal: ID!) {
      addGoalToCompany(input: {companyId: $company, goalId: $goal}) { goalId }
    }
    """
    answer = await person.api.post(query, headers=person.headers, company=company, goal=goal)
    codes = [each["extensions"]["code"] for each in answer.json().get("errors", [])]
    assert codes in ([], ["NOT_FOUND"])
