"""The versions of nodes and todos, and what a later release stored with a node."""

from typing import Any

from app.table.gateway import Gateway
from tests.api import Person
from tests.plans.operations import HEALTH, add, commit
from tests.plans.test_plans import FRIDAY, MONDAY, block, commit_plan, roll, todo
from tests.plans.test_plans import RESTORE as RESTORE_PLAN
from tests.plans.test_values import RESTORE, UNDO, items

VERSIONS = "{ valuesTree { revision { id } nodes { id version } } }"
COMPLETE = """
mutation ($id: ID!) { completeAction(input: {actionId: $id, date: "2026-01-23"}) { values { id } } }
"""
PLAN = """
query ($date: AWSDate!) {
  dailyPlan(date: $date) { todos { actionId version } blocks { id version } }
}
"""


async def versions(person: Person) -> dict[str, int]:
    nodes = (await person.gql(VERSIONS))["valuesTree"]["nodes"]
    return {node["id"]: node["version"] for node in nodes}


async def head_of(person: Person) -> str:
    return str((await person.gql(VERSIONS))["valuesTree"]["revision"]["id"])


async def test_a_node_has_the_next_version_in_each_commit_that_changes_it(ada: Person) -> None:
    first = (await commit(ada, *HEALTH))["head"]
    assert await versions(ada) == {"health": 1, "fitness": 1, "run": 1, "sleep": 1}
    await commit(
        ada, {"update": {"id": "run", "title": "Walk"}}, {"update": {"id": "run", "notes": "n"}}
    )
    assert await versions(ada) == {"health": 1, "fitness": 1, "run": 2, "sleep": 1}
    await commit(ada, {"complete": {"id": "run"}}, add("eat", driverId="health"))
    assert await versions(ada) == {"health": 1, "fitness": 1, "run": 3, "sleep": 1, "eat": 1}
    await commit(ada, {"reorder": {"parentId": "health", "childIds": ["sleep"]}})
    assert (await versions(ada))["sleep"] == 1, "an order is no part of a node"
    await ada.gql(RESTORE, input={"revisionId": first})
    assert await versions(ada) == {"health": 1, "fitness": 1, "run": 4, "sleep": 1}
    await ada.gql(UNDO)
    assert await versions(ada) == {"health": 1, "fitness": 1, "run": 5, "sleep": 1, "eat": 2}


async def test_what_follows_from_a_move_is_a_change_too(ada: Person) -> None:
    await commit(ada, *HEALTH, add("work", "DRIVER"))
    await commit(ada, {"move": {"id": "fitness", "parentId": "work"}})
    found = await versions(ada)
    assert found == {"health": 1, "fitness": 2, "run": 2, "sleep": 1, "work": 1}


async def test_versions_rise_through_a_merge_and_on_a_branch(ada: Person) -> None:
    base = (await commit(ada, *HEALTH))["head"]
    await commit(ada, {"update": {"id": "run", "title": "Walk"}})
    late = {"expectedHead": base, "merge": True}
    await commit(ada, {"update": {"id": "run", "notes": "far"}}, **late)
    assert await versions(ada) == {"health": 1, "fitness": 1, "run": 3, "sleep": 1}
    await ada.gql('mutation { createValuesBranch(input: {name: "b"}) { name } }')
    await commit(ada, {"update": {"id": "sleep", "title": "Nap"}}, branch="b")
    await commit(ada, {"update": {"id": "sleep", "notes": "deep"}}, branch="b")
    await ada.gql('mutation { mergeValuesBranch(input: {name: "b"}) { head } }')
    assert await versions(ada) == {"health": 1, "fitness": 1, "run": 3, "sleep": 2}


async def change_item(
    table: Gateway, person: Person, key: str, expression: str, **values: Any
) -> None:
    head = await head_of(person)
    more = {"ExpressionAttributeValues": {f":{k}": v for k, v in values.items()}} if values else {}
    await table.client.update_item(
        TableName=table.table,
        Key={"PK": {"S": f"U#{person.id}#VALUES#{head}"}, "SK": {"S": key}},
        UpdateExpression=expression,
        **more,
    )


async def test_a_node_stored_without_a_version_is_read_and_counted(
    ada: Person, table: Gateway
) -> None:
    await commit(ada, *HEALTH)
    for node in ("run", "sleep"):
        await change_item(table, ada, f"NODE#{node}", "REMOVE version")
    assert await versions(ada) == {"health": 1, "fitness": 1, "run": 0, "sleep": 0}
    await commit(ada, {"update": {"id": "run", "title": "Walk"}})
    assert await versions(ada) == {"health": 1, "fitness": 1, "run": 1, "sleep": 0}


MOOD, TAGS = {"S": "calm"}, {"M": {"a": {"L": [{"N": "1.5"}, {"BOOL": True}]}}}


async def stored_node(table: Gateway, person: Person, node: str) -> dict[str, Any]:
    snapshot = await items(table, person, f"#VALUES#{await head_of(person)}")
    return snapshot[f"NODE#{node}"]


async def test_what_a_later_release_stored_with_a_node_survives_every_commit(
    ada: Person, table: Gateway
) -> None:
    await commit(ada, *HEALTH)
    for node in ("run", "sleep"):
        await change_item(table, ada, f"NODE#{node}", "SET mood = :m, tags = :t", m=MOOD, t=TAGS)
    first = await head_of(ada)

    async def is_kept(node: str) -> bool:
        item = await stored_node(table, ada, node)
        return (item.get("mood"), item.get("tags")) == (MOOD, TAGS)

    await commit(ada, {"update": {"id": "run", "title": "Walk"}})
    assert [await is_kept(each) for each in ("run", "sleep")] == [True, True], "changed or not"
    assert "mood" not in await stored_node(table, ada, "fitness")
    await commit(ada, {"move": {"id": "run", "parentId": "health"}}, {"archive": {"id": "sleep"}})
    await ada.gql(COMPLETE, id="run")
    assert [await is_kept(each) for each in ("run", "sleep")] == [True, True]
    await commit(ada, add("eat", driverId="health"), expectedHead=first, merge=True)
    assert [await is_kept(each) for each in ("run", "sleep")] == [True, True]
    await ada.gql(RESTORE, input={"revisionId": first, "nodeId": "sleep"})
    await ada.gql(UNDO)
    assert [await is_kept(each) for each in ("run", "sleep")] == [True, True]
    await ada.gql('mutation { createValuesBranch(input: {name: "b"}) { name } }')
    await commit(ada, {"update": {"id": "run", "notes": "n"}}, branch="b")
    await ada.gql('mutation { mergeValuesBranch(input: {name: "b"}) { head } }')
    assert [await is_kept(each) for each in ("run", "sleep")] == [True, True]


async def test_several_commits_of_one_request_store_what_each_of_them_changed(
    ada: Person, table: Gateway
) -> None:
    """Within a request a tree is read once: what the first commit changed is not what was read."""
    query = """
      mutation ($one: CommitValuesInput!, $two: CommitValuesInput!) {
        one: commitValues(input: $one) { head }
        two: commitValues(input: $two) { head }
      }
    """
    await commit(ada, *HEALTH)
    one = {"operations": [{"update": {"id": "run", "title": "Walk"}}]}
    two = {"operations": [{"update": {"id": "sleep", "title": "Nap"}}]}
    await ada.gql(query, one=one, two=two)
    run = await stored_node(table, ada, "run")
    assert (run["title"], run["version"]) == ({"S": "Walk"}, {"N": "2"})
    head = await head_of(ada)
    partition = f"U#{ada.id}#VALUES#{head}"
    snapshot = await items(table, ada, f"#VALUES#{head}")
    assert len(snapshot) == 7
    for item in snapshot.values():
        assert (item["PK"], item["revId"]) == ({"S": partition}, {"S": head})


async def plan_versions(person: Person, date: str = FRIDAY) -> dict[str, int]:
    found = (await person.gql(PLAN, date=date))["dailyPlan"]
    todos = {each["actionId"]: each["version"] for each in found["todos"]}
    return todos | {each["id"]: each["version"] for each in found["blocks"]}


async def test_a_todo_and_a_block_have_the_next_version_with_every_change(ada: Person) -> None:
    await commit(ada, *HEALTH)
    meeting = block("09:00", "10:00", id="m")
    first = await commit_plan(ada, todos=[todo("run"), todo("sleep")], blocks=[meeting])
    assert await plan_versions(ada) == {"run": 1, "sleep": 1, "m": 1}
    await commit_plan(ada, todos=[todo("sleep"), todo("run", notes="far")])
    assert await plan_versions(ada) == {"sleep": 1, "run": 2, "m": 1}, "a place is no part of it"
    await commit_plan(ada, blocks=[meeting | {"title": "Stand-up"}])
    await ada.gql(COMPLETE, id="run")
    assert await plan_versions(ada) == {"sleep": 1, "run": 3, "m": 2}
    await ada.gql(UNDO)
    assert await plan_versions(ada) == {"sleep": 1, "run": 4, "m": 2}
    await ada.gql(RESTORE_PLAN, input={"date": FRIDAY, "revisionId": first["revision"]["id"]})
    assert await plan_versions(ada) == {"run": 5, "sleep": 1, "m": 3}
    await roll(ada, MONDAY)
    assert await plan_versions(ada, MONDAY) == {"run": 1, "sleep": 1}
