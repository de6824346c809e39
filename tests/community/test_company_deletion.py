"""The deletion of a company: nothing of it stays, whatever is written meanwhile."""

import asyncio
import dataclasses
from uuid import uuid4

import strawberry

from app.core.caller import acting_for
from app.domains.community import keys
from app.domains.community.inputs import DeleteCompanyInput
from app.jobs.community import finish_company_deletions
from app.services import Services
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.community.test_assist import new_goal
from tests.community.test_company_goals import PUT, put, stored
from tests.community.test_crashes import cut_at_call, sides
from tests.community.test_market import (
    ADD,
    COMPANY,
    CREATE_OFFER,
    OFFER,
    new_company,
    new_offer,
    offers,
)
from tests.rewards.test_wallet_machine import PowerCut
from tests.servers import RunningServer, TestClock

DELETE_COMPANY = """
mutation ($id: ID!, $version: Int) {
  deleteCompany(input: {id: $id, expectedVersion: $version}) { id name }
}
"""
COMPANIES = "{ companies { items { id } } }"


async def left_of(table: Gateway, company: str) -> list[str]:
    own = [item["SK"]["S"] async for item in table.partition(f"COMPANY#{company}")]
    listed = [item async for item in table.partition(f"COMPANY#{company}", index="GSI6")]
    return own + [item["SK"]["S"] for item in listed]


async def finish(server: RunningServer, table: Gateway, clock: TestClock) -> None:
    clock.move(minutes=3)
    await finish_company_deletions(dataclasses.replace(server.app.state.resources, table=table))
    clock.reset()


async def test_a_deleted_companys_offers_and_goal_links_are_deleted(
    ada: Person, bob: Person, server: RunningServer, table: Gateway, clock: TestClock
) -> None:
    company, kept, tag = await new_company(ada, bob), await new_company(ada), f"t{uuid4().hex}"
    made = [await new_offer(ada, company, tags=[tag], status=s) for s in ("OPEN", "DRAFT")]
    goal = await new_goal(bob)
    await put(bob, company, goal)
    assert (await ada.gql(DELETE_COMPANY, id=company))["deleteCompany"] == {
        "id": company,
        "name": "Forge",
    }
    for person in (ada, bob):
        assert await person.gql(COMPANY, id=company) == {"company": None}
        assert [await person.gql(OFFER, id=each) for each in made] == [{"offer": None}] * 2
    assert (await ada.gql(COMPANIES))["companies"]["items"] == [{"id": kept}]
    assert (await bob.gql(COMPANIES))["companies"]["items"] == []
    assert await offers(bob, tag=tag) == await offers(ada, companyId=company) == []
    assert await stored(table, bob) == 0
    assert await bob.gql("query ($id: ID!) { goal(id: $id) { id } }", id=goal) == {
        "goal": {"id": goal}
    }
    assert await left_of(table, company) == [f"COMPANY#{company}"]
    await finish(server, table, clock)
    assert await left_of(table, company) == []
    assert [item async for item in table.partition(f"OFFER#{made[0]}")] == []


async def test_only_admins_delete_a_company(ada: Person, bob: Person, api: Api) -> None:
    company, stranger = await new_company(ada, bob), await api.sign_up()
    for person in (bob, stranger):
        assert (await person.refused(DELETE_COMPANY, id=company)).code == "FORBIDDEN"
        assert (await person.refused(DELETE_COMPANY, id="nothing")).code == "NOT_FOUND"
    stale = await ada.refused(DELETE_COMPANY, id=company, version=7)
    assert (stale.code, stale.info["currentVersion"]) == ("CONFLICT", 2)
    assert (await ada.gql(COMPANY, id=company))["company"]["myRole"] == "ADMIN"
    await ada.gql(DELETE_COMPANY, id=company, version=2)
    assert (await ada.refused(DELETE_COMPANY, id=company)).code == "NOT_FOUND"
    refused = await ada.refused(CREATE_OFFER, input={"companyId": company, "title": "Swords"})
    assert refused.code == "NOT_FOUND"
    refused = await ada.refused(ADD, input={"companyId": company, "userId": bob.id})
    assert refused.code == "NOT_FOUND"
    goal = await new_goal(ada)
    assert (await ada.refused(PUT, company=company, goal=goal)).code == "NOT_FOUND"


async def test_records_written_during_the_deletion_are_deleted(
    ada: Person, bob: Person, api: Api, server: RunningServer, table: Gateway, clock: TestClock
) -> None:
    carl, company = await api.sign_up(), await new_company(ada, bob)
    goal = await new_goal(bob)

    def post(person: Person, query: str, **variables: object) -> "asyncio.Task[object]":
        work = person.api.post(query, headers=person.headers, **variables)
        return asyncio.ensure_future(work)

    wanted = {"companyId": company, "title": "Swords", "tags": ["iron"]}
    await asyncio.gather(
        *(post(ada, CREATE_OFFER, input=wanted) for _ in range(5)),
        post(ada, ADD, input={"companyId": company, "userId": carl.id}),
        post(bob, PUT, company=company, goal=goal),
        ada.gql(DELETE_COMPANY, id=company),
        *(post(ada, CREATE_OFFER, input=wanted) for _ in range(5)),
        post(bob, PUT, company=company, goal=goal),
    )
    await finish(server, table, clock)
    assert await left_of(table, company) == []
    assert await stored(table, bob) == 0


@sides
async def test_a_deletion_interrupted_anywhere_is_finished(
    ada: Person,
    bob: Person,
    server: RunningServer,
    table: Gateway,
    clock: TestClock,
    after: bool,
) -> None:
    resources = dataclasses.replace(server.app.state.resources, table=table)
    goal, number, cut = await new_goal(bob), 0, True
    while cut:
        number += 1
        company = await new_company(ada, bob)
        await put(bob, company, goal)
        await new_offer(ada, company, tags=["iron"])
        request = DeleteCompanyInput(id=strawberry.ID(company))
        try:
            with cut_at_call(table, number, after=after):
                await Services(resources, acting_for(ada.id)).company_deletion.delete(request)
            cut = False
        except PowerCut:
            await table.drain()
        if (
            await table.get(keys.company_member(company, ada.id))
            and (await ada.gql(COMPANY, id=company))["company"]
        ):
            await ada.gql(DELETE_COMPANY, id=company)
        await finish(server, table, clock)
        assert await left_of(table, company) == []
        assert await stored(table, bob) == 0
    assert number > 6
