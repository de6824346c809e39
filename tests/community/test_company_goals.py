"""Goals that members add to a company, for its admins to read."""

import asyncio
from typing import Any

from app.domains.community import keys
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.community.test_account_deletion import delete_account
from tests.community.test_assist import new_goal
from tests.community.test_market import ADD, REMOVE, new_company
from tests.community.test_rooms import calls_of

PUT = """
mutation ($company: ID!, $goal: ID!, $key: String) {
  addGoalToCompany(input: {companyId: $company, goalId: $goal, idempotencyKey: $key}) {
    companyId userId goalId createdAt goal { title }
  }
}
"""
TAKE = """
mutation ($company: ID!, $goal: ID!) {
  removeGoalFromCompany(input: {companyId: $company, goalId: $goal}) { goalId }
}
"""
GOALS = """
query ($id: ID!, $limit: Int = 100, $nextToken: String) {
  company(id: $id) {
    goals(limit: $limit, nextToken: $nextToken) {
      items { userId goalId user { nickname } goal { title cachedProgress progress { percent } } }
      nextToken
    }
  }
}
"""
MINE = "query ($id: ID!) { company(id: $id) { myGoals { items { goalId goal { title } } } } }"


async def put(person: Person, company: str, goal: str, key: str | None = None) -> Any:
    answer = await person.gql(PUT, company=company, goal=goal, key=key)
    return answer["addGoalToCompany"]


async def goals(person: Person, company: str) -> Any:
    found = (await person.gql(GOALS, id=company))["company"]["goals"]
    return None if found is None else [each["goalId"] for each in found["items"]]


async def stored(table: Gateway, person: Person) -> int:
    return await table.count(keys.goals_of_company_member(person.id))


async def goal_count(table: Gateway, company: str, person: Person) -> int:
    member = await table.get(keys.company_member(company, person.id))
    assert member is not None
    return member.goal_count


async def test_only_admins_read_goals_of_members(ada: Person, bob: Person, api: Api) -> None:
    carl, stranger = await api.sign_up(), await api.sign_up()
    company = await new_company(ada, bob, carl)
    first, second = await new_goal(bob, "Sell swords"), await new_goal(bob, "Sell shields")
    made = await put(bob, company, first)
    assert (made["companyId"], made["userId"], made["goalId"]) == (company, bob.id, first)
    assert made["goal"] == {"title": "Sell swords"}
    await put(bob, company, second)
    seen = (await ada.gql(GOALS, id=company))["company"]["goals"]["items"]
    assert seen[1] == {
        "userId": bob.id,
        "goalId": first,
        "user": {"nickname": bob.nickname},
        "goal": {"title": "Sell swords", "cachedProgress": 0, "progress": {"percent": 0}},
    }
    assert [each["goalId"] for each in seen] == [second, first], "the latest first"
    for person in (bob, carl, stranger):
        assert await goals(person, company) is None
    mine = (await bob.gql(MINE, id=company))["company"]["myGoals"]["items"]
    assert {each["goalId"] for each in mine} == {first, second}
    assert (await carl.gql(MINE, id=company))["company"]["myGoals"]["items"] == []
    assert (await stranger.gql(MINE, id=company))["company"]["myGoals"] is None
    read = "query ($id: ID!) { goal(id: $id) { id } }"
    assert await ada.gql(read, id=first) == {"goal": None}, "read-only: it is not her own"
    change = 'mutation ($id: ID!) { updateGoal(input: {id: $id, title: "Mine"}) { id } }'
    assert (await ada.refused(change, id=first)).code == "NOT_FOUND"


async def test_members_add_only_their_own_goals(ada: Person, bob: Person, table: Gateway) -> None:
    company, others = await new_company(ada), await new_company(bob)
    mine, theirs = await new_goal(ada), await new_goal(bob)
    for goal in (theirs, "nothing"):
        assert (await ada.refused(PUT, company=company, goal=goal)).code == "NOT_FOUND"
    refused = await ada.refused(PUT, company=others, goal=mine)
    assert (refused.code, "Ask its admins" in str(refused)) == ("FORBIDDEN", True)
    assert (await ada.refused(PUT, company="nothing", goal=mine)).code == "NOT_FOUND"
    await put(ada, company, mine)
    for goal in (mine, theirs):
        assert (await bob.refused(TAKE, company=company, goal=goal)).code == "NOT_FOUND"
    assert (await stored(table, ada), await stored(table, bob)) == (1, 0)


async def test_a_company_goal_is_stored_as_documented(ada: Person, table: Gateway) -> None:
    company, goal = await new_company(ada), await new_goal(ada)
    made = await put(ada, company, goal)
    (item,) = [item async for item in table.partition(f"COMPANY#{company}", index="GSI6")]
    assert item["GSI6SK"]["S"] == f"Goal#{made['createdAt']}#{goal}"
    assert (item["entityType"]["S"], item["userId"]["S"]) == ("CompanyGoal", ada.id)


async def test_adding_a_goal_again_changes_nothing(ada: Person, table: Gateway) -> None:
    company, goal = await new_company(ada), await new_goal(ada)
    made = await asyncio.gather(
        *(put(ada, company, goal, key="k") for _ in range(10)),
        *(put(ada, company, goal) for _ in range(10)),
    )
    assert len({str(each) for each in made}) == 1
    assert await goals(ada, company) == [goal]
    assert await goal_count(table, company, ada) == 1
    await ada.gql(TAKE, company=company, goal=goal)
    assert (await ada.refused(TAKE, company=company, goal=goal)).code == "NOT_FOUND"
    assert (await goals(ada, company), await goal_count(table, company, ada)) == ([], 0)


async def test_a_removed_goal_is_hidden_at_once_even_on_later_pages(
    ada: Person, bob: Person
) -> None:
    company = await new_company(ada, bob)
    made = [await new_goal(bob, f"{i}") for i in range(5)]
    for goal in made:
        await put(bob, company, goal)
    page = (await ada.gql(GOALS, id=company, limit=2))["company"]["goals"]
    assert [each["goalId"] for each in page["items"]] == [made[4], made[3]]
    await bob.gql(TAKE, company=company, goal=made[2])
    token = page["nextToken"]
    page = (await ada.gql(GOALS, id=company, limit=2, nextToken=token))["company"]["goals"]
    assert [each["goalId"] for each in page["items"]] == [made[1], made[0]]
    assert page["nextToken"] is None
    other = await new_company(ada)
    assert (await ada.refused(GOALS, id=other, limit=2, nextToken=token)).code == "BAD_TOKEN"


async def test_a_former_admin_reads_no_goals(ada: Person, bob: Person) -> None:
    company = await new_company(ada, bob)
    await ada.gql(ADD, input={"companyId": company, "userId": bob.id, "role": "ADMIN"})
    for goal in [await new_goal(bob) for _ in range(3)]:
        await put(bob, company, goal)
    token = (await ada.gql(GOALS, id=company, limit=1))["company"]["goals"]["nextToken"]
    await bob.gql(ADD, input={"companyId": company, "userId": ada.id, "role": "MEMBER"})
    seen = await ada.gql(GOALS, id=company, limit=1, nextToken=token)
    assert seen == {"company": {"goals": None}}


async def test_goals_of_a_former_member_are_removed(
    ada: Person, bob: Person, api: Api, table: Gateway
) -> None:
    carl = await api.sign_up()
    company, other = await new_company(ada, bob, carl), await new_company(ada, bob)
    kept, theirs = await new_goal(bob), await new_goal(carl)
    for where in (company, other):
        await put(bob, where, kept)
    await put(carl, company, theirs)
    await bob.gql(REMOVE, input={"companyId": company, "userId": bob.id})
    assert await goals(ada, company) == [theirs]
    assert await goals(ada, other) == [kept]
    await ada.gql(REMOVE, input={"companyId": company, "userId": carl.id})
    assert await goals(ada, company) == []
    assert (await stored(table, bob), await stored(table, carl)) == (1, 0)
    await ada.gql(ADD, input={"companyId": company, "userId": carl.id})
    assert await goals(ada, company) == [], "who comes back begins anew"


async def test_a_goal_added_while_leaving_does_not_stay(
    ada: Person, bob: Person, table: Gateway
) -> None:
    company, made = await new_company(ada, bob), [await new_goal(bob) for _ in range(8)]
    wanted = [{"company": company, "goal": goal} for goal in made]
    leaving = {"input": {"companyId": company, "userId": bob.id}}
    answers = await asyncio.gather(
        *(bob.api.post(PUT, headers=bob.headers, **each) for each in wanted[:4]),
        bob.api.post(REMOVE, headers=bob.headers, **leaving),
        *(bob.api.post(PUT, headers=bob.headers, **each) for each in wanted[4:]),
    )
    assert "errors" not in answers[4].json()
    codes = {e["extensions"]["code"] for a in answers for e in a.json().get("errors", [])}
    assert codes <= {"FORBIDDEN"}
    assert await stored(table, bob) == 0
    assert await goals(ada, company) == []
    assert (await bob.refused(PUT, company=company, goal=made[0])).code == "FORBIDDEN"


async def test_goals_of_a_deleted_account_are_removed(
    ada: Person, bob: Person, table: Gateway
) -> None:
    company = await new_company(ada, bob)
    await put(bob, company, await new_goal(bob))
    await put(ada, company, await new_goal(ada))
    await delete_account(bob)
    assert len(await goals(ada, company)) == 1
    assert await stored(table, bob) == 0
    await delete_account(ada)
    index = [item async for item in table.partition(f"COMPANY#{company}", index="GSI6")]
    assert index == []


async def test_at_most_50_goals_in_a_company(ada: Person, table: Gateway) -> None:
    company = await new_company(ada)
    made = await asyncio.gather(*(new_goal(ada, f"{i}") for i in range(51)))
    for goal in made[:49]:
        await put(ada, company, goal)
    answers = await asyncio.gather(
        *(ada.api.post(PUT, headers=ada.headers, company=company, goal=goal) for goal in made[49:])
    )
    refused = [e["extensions"]["code"] for a in answers for e in a.json().get("errors", [])]
    assert refused == ["LIMIT_EXCEEDED"]
    assert (await stored(table, ada), await goal_count(table, company, ada)) == (50, 50)
    await delete_account(ada)
    assert await stored(table, ada) == 0


async def test_a_page_costs_the_same_for_any_number_of_goals(ada: Person, bob: Person) -> None:
    company = await new_company(ada, bob)
    for _ in range(2):
        await put(bob, company, await new_goal(bob))
    await ada.gql(GOALS, id=company)
    few, _ = await calls_of(ada, GOALS, id=company)
    for _ in range(10):
        await put(bob, company, await new_goal(bob))
    many, answer = await calls_of(ada, GOALS, id=company)
    assert isinstance(answer, dict)
    titles = [each["goal"]["title"] for each in answer["company"]["goals"]["items"]]
    assert titles == ["Learn to forge"] * 12
    assert few == many <= 8
