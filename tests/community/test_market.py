"""Companies, offers and tags, through HTTP."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest

from app.core.clock import instant
from app.domains.community import keys
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.servers import TestClock

CREATE_COMPANY = """
mutation ($input: CreateCompanyInput!) {
  createCompany(input: $input) { id name description website version myRole }
}
"""
COMPANY = """
query ($id: ID!) {
  company(id: $id) { id name version myRole members { items { userId role } } }
}
"""
UPDATE_COMPANY = """
mutation ($input: UpdateCompanyInput!) {
  updateCompany(input: $input) { id name description version }
}
"""
ADD = "mutation ($input: AddToCompanyInput!) { addToCompany(input: $input) { id } }"
REMOVE = "mutation ($input: RemoveFromCompanyInput!) { removeFromCompany(input: $input) { id } }"
CREATE_OFFER = """
mutation ($input: CreateOfferInput!) {
  createOffer(input: $input) { id title tags status expiresAt company { name } version }
}
"""
UPDATE_OFFER = """
mutation ($input: UpdateOfferInput!) {
  updateOffer(input: $input) { id title tags status expiresAt description version }
}
"""
OFFER = "query ($id: ID!) { offer(id: $id) { id title status } }"
OFFERS = """
query (
  $tag: String, $companyId: ID, $status: OfferStatus = OPEN, $limit: Int, $nextToken: String
) {
  offers(
    tag: $tag, companyId: $companyId, status: $status, limit: $limit, nextToken: $nextToken
  ) { items { id } nextToken }
}
"""
BY_TAG = """
query ($tag: String!, $type: String, $scope: TagScope, $limit: Int, $nextToken: String) {
  byTag(tag: $tag, type: $type, scope: $scope, limit: $limit, nextToken: $nextToken) {
    items { type id isPublic record { __typename id } } nextToken
  }
}
"""


async def new_company(admin: Person, *members: Person) -> str:
    made = await admin.gql(CREATE_COMPANY, input={"name": "Forge"})
    company = str(made["createCompany"]["id"])
    for member in members:
        await admin.gql(ADD, input={"companyId": company, "userId": member.id})
    return company


async def new_offer(admin: Person, company: str, **fields: object) -> str:
    wanted = {"companyId": company, "title": "Swords"} | fields
    return str((await admin.gql(CREATE_OFFER, input=wanted))["createOffer"]["id"])


async def offers(person: Person, **arguments: object) -> list[str]:
    """All pages."""
    found: list[str] = []
    token: str | None = None
    while True:
        page = (await person.gql(OFFERS, nextToken=token, **arguments))["offers"]
        found += [each["id"] for each in page["items"]]
        token = page["nextToken"]
        if token is None:
            return found


async def test_founder_becomes_the_companys_admin(ada: Person, bob: Person) -> None:
    wanted = {"name": "Forge", "website": "https://forge.example"}
    made = (await ada.gql(CREATE_COMPANY, input=wanted))["createCompany"]
    assert (made["name"], made["website"], made["myRole"]) == (
        "Forge",
        "https://forge.example",
        "ADMIN",
    )
    mine = (await ada.gql("{ companies { items { id } } }"))["companies"]["items"]
    assert mine == [{"id": made["id"]}]
    seen = (await bob.gql(COMPANY, id=made["id"]))["company"]
    assert (seen["name"], seen["members"], seen["myRole"]) == ("Forge", None, None)


async def test_only_admins_see_and_change_the_members(ada: Person, bob: Person, api: Api) -> None:
    carl = await api.sign_up()
    company = await new_company(ada, bob)
    members = (await ada.gql(COMPANY, id=company))["company"]["members"]["items"]
    assert {each["userId"]: each["role"] for each in members} == {
        ada.id: "ADMIN",
        bob.id: "MEMBER",
    }
    assert (await bob.gql(COMPANY, id=company))["company"]["members"] is None
    refused = await bob.refused(ADD, input={"companyId": company, "userId": carl.id})
    assert refused.code == "FORBIDDEN"
    refused = await carl.refused(REMOVE, input={"companyId": company, "userId": bob.id})
    assert refused.code == "NOT_FOUND"
    for wrong in (
        {"companyId": "none", "userId": bob.id},
        {"companyId": company, "userId": "none"},
    ):
        assert (await ada.refused(ADD, input=wrong)).code == "NOT_FOUND"
    refused = await bob.refused(UPDATE_COMPANY, input={"id": company, "name": "Mine"})
    assert refused.code == "FORBIDDEN"
    assert (await ada.gql(COMPANY, id=company))["company"]["name"] == "Forge"


async def test_the_last_admin_cannot_leave(ada: Person, bob: Person) -> None:
    company = await new_company(ada, bob)
    leave = {"companyId": company, "userId": ada.id}
    assert (await ada.refused(REMOVE, input=leave)).code == "LAST_ADMIN"
    demote = leave | {"role": "MEMBER"}
    assert (await ada.refused(ADD, input=demote)).code == "LAST_ADMIN"
    await ada.gql(ADD, input={"companyId": company, "userId": bob.id, "role": "ADMIN"})
    answers = await asyncio.gather(
        *(
            each.api.post(
                REMOVE, headers=each.headers, input={"companyId": company, "userId": each.id}
            )
            for each in (ada, bob)
        )
    )
    codes = [e["extensions"]["code"] for a in answers for e in a.json().get("errors", [])]
    assert codes == ["LAST_ADMIN"]


async def test_updates_a_company_and_detects_a_stale_version(ada: Person) -> None:
    company = await new_company(ada)
    changed = await ada.gql(UPDATE_COMPANY, input={"id": company, "description": "Hot"})
    assert changed["updateCompany"]["version"] == 2
    stale = {"id": company, "name": "x", "expectedVersion": 1}
    assert (await ada.refused(UPDATE_COMPANY, input=stale)).code == "CONFLICT"
    refused = await ada.refused(UPDATE_COMPANY, input={"id": company, "name": None})
    assert refused.code == "BAD_INPUT"
    cleared = await ada.gql(UPDATE_COMPANY, input={"id": company, "description": None})
    assert cleared["updateCompany"]["description"] is None


async def test_offers_are_found_by_company_tag_and_status(ada: Person, bob: Person) -> None:
    company, tag = await new_company(ada), f"t{uuid4().hex}"
    made = [await new_offer(ada, company, tags=[f"#{tag.upper()}", "iron"]) for _ in range(5)]
    assert await offers(bob, companyId=company, limit=2) == made[::-1]
    assert set(await offers(bob, tag=tag, limit=2)) == set(made)
    assert set(await offers(bob, tag=tag, companyId=company)) == set(made)
    assert set(made) <= set(await offers(bob, limit=100))
    assert await offers(bob, tag="nobody-has-this") == []


async def test_only_admins_see_offers_that_are_not_open(
    ada: Person, bob: Person, table: Gateway
) -> None:
    company, tag = await new_company(ada, bob), f"t{uuid4().hex}"
    draft = await new_offer(ada, company, status="DRAFT", tags=[tag])
    assert await bob.gql(OFFER, id=draft) == {"offer": None}
    assert (await ada.gql(OFFER, id=draft))["offer"]["status"] == "DRAFT"
    assert await offers(ada, companyId=company, status="DRAFT") == [draft]
    assert await offers(bob, companyId=company, status="DRAFT") == []
    assert await offers(ada, status="DRAFT") == []
    assert await offers(ada, tag=tag) == []
    assert await table.get(keys.tag_of_offer(draft, tag)) is None
    await ada.gql(UPDATE_OFFER, input={"id": draft, "status": "OPEN"})
    assert await offers(bob, tag=tag) == [draft]
    await ada.gql(UPDATE_OFFER, input={"id": draft, "status": "CLOSED"})
    assert await offers(bob, tag=tag) == []
    assert await table.get(keys.tag_of_offer(draft, tag)) is None


async def test_an_expired_offer_is_hidden(ada: Person, bob: Person, clock: TestClock) -> None:
    company, tag = await new_company(ada), f"t{uuid4().hex}"
    ends = instant(clock.now() + timedelta(minutes=10))
    offer = await new_offer(ada, company, tags=[tag], expiresAt=ends)
    assert await offers(bob, tag=tag) == [offer]
    clock.move(minutes=20)
    assert await bob.gql(OFFER, id=offer) == {"offer": None}
    for arguments in ({"tag": tag}, {"companyId": company}, {"limit": 100}):
        assert offer not in await offers(bob, **arguments)
    assert await offers(ada, companyId=company) == [offer]
    later = instant(clock.now() + timedelta(hours=1))
    await ada.gql(UPDATE_OFFER, input={"id": offer, "expiresAt": later})
    assert await offers(bob, tag=tag) == [offer]
    past = {"id": offer, "expiresAt": "2020-01-01T00:00:00Z"}
    assert (await ada.refused(UPDATE_OFFER, input=past)).code == "BAD_INPUT"


async def test_tag_entries_change_with_the_offer(ada: Person, table: Gateway) -> None:
    company = await new_company(ada)
    offer = await new_offer(ada, company, tags=["one", "two"])
    changed = await ada.gql(UPDATE_OFFER, input={"id": offer, "tags": ["two", "three", "Three"]})
    assert changed["updateOffer"]["tags"] == ["two", "three"]
    entries = [
        item["SK"]["S"]
        async for item in table.partition(f"OFFER#{offer}")
        if item["SK"]["S"].startswith("TAG#")
    ]
    assert sorted(entries) == ["TAG#three", "TAG#two"]
    refused = await ada.refused(UPDATE_OFFER, input={"id": offer, "tags": ["x"] * 21})
    assert refused.code == "BAD_INPUT"


async def test_only_admins_write_offers(ada: Person, bob: Person) -> None:
    company = await new_company(ada, bob)
    offer = await new_offer(ada, company)
    wanted = {"companyId": company, "title": "Mine"}
    assert (await bob.refused(CREATE_OFFER, input=wanted)).code == "FORBIDDEN"
    assert (await bob.refused(UPDATE_OFFER, input={"id": offer, "title": "x"})).code == "FORBIDDEN"
    draft = await new_offer(ada, company, status="DRAFT")
    assert (await bob.refused(UPDATE_OFFER, input={"id": draft, "title": "x"})).code == "NOT_FOUND"
    assert (await ada.refused(CREATE_OFFER, input=wanted | {"companyId": "no"})).code == "NOT_FOUND"
    assert await offers(bob, companyId=company) == [offer]
    assert (await ada.gql(OFFER, id=offer))["offer"]["title"] == "Swords"


async def test_one_idempotency_key_creates_one_offer(ada: Person) -> None:
    company = await new_company(ada)
    made = await asyncio.gather(
        *(new_offer(ada, company, tags=["x"], idempotencyKey="k") for _ in range(20))
    )
    assert len(set(made)) == 1
    assert await offers(ada, companyId=company) == made[:1]


async def test_by_tag_finds_public_records_and_ones_own(ada: Person, bob: Person) -> None:
    tag = f"t{uuid4().hex}"
    offer = await new_offer(ada, await new_company(ada), tags=[tag])
    create_goal = "mutation ($input: CreateGoalInput!) { createGoal(input: $input) { id } }"
    goal = await ada.gql(create_goal, input={"title": "Forge a sword", "tags": [tag]})
    mine = goal["createGoal"]["id"]
    found = (await ada.gql(BY_TAG, tag=f"#{tag.upper()}"))["byTag"]["items"]
    as_offer = {"type": "Offer", "id": offer, "isPublic": True}
    as_goal = {"type": "Goal", "id": mine, "isPublic": False}
    assert sorted(found, key=lambda each: str(each["type"])) == [
        as_goal | {"record": {"__typename": "Goal", "id": mine}},
        as_offer | {"record": {"__typename": "Offer", "id": offer}},
    ]
    for scope, expected in (("PRIVATE", [mine]), ("PUBLIC", [offer])):
        page = (await ada.gql(BY_TAG, tag=tag, scope=scope))["byTag"]["items"]
        assert [each["id"] for each in page] == expected
    page = (await ada.gql(BY_TAG, tag=tag, type="Goal"))["byTag"]["items"]
    assert [each["id"] for each in page] == [mine]
    seen_by_bob = (await bob.gql(BY_TAG, tag=tag))["byTag"]["items"]
    assert [each["id"] for each in seen_by_bob] == [offer]


async def test_by_tag_is_paged(ada: Person) -> None:
    tag, company = f"t{uuid4().hex}", await new_company(ada)
    made = {await new_offer(ada, company, tags=[tag]) for _ in range(5)}
    found: list[str] = []
    token: str | None = None
    while True:
        page = (await ada.gql(BY_TAG, tag=tag, limit=2, nextToken=token))["byTag"]
        found += [each["id"] for each in page["items"]]
        token = page["nextToken"]
        if token is None:
            break
    assert (len(found), set(found)) == (5, made)


@pytest.mark.parametrize("arguments", [{"tag": "x", "type": "Wizard"}, {"tag": "#"}, {"tag": ""}])
async def test_by_tag_needs_a_tag_and_a_known_type(
    ada: Person, arguments: dict[str, object]
) -> None:
    assert (await ada.refused(BY_TAG, **arguments)).code == "BAD_INPUT"
