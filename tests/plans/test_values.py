"""The values tree through the API: commits, history, time travel, review."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.plans.operations import (
    COMMIT,
    DIFF,
    HEALTH,
    HISTORY,
    TREE,
    add,
    by_id,
    commit,
    revisions,
    tree,
)
from tests.servers import TestClock
from tests.travel import travel

RESTORE = """
mutation ($input: RestoreValuesInput!) {
  restoreValues(input: $input) { revision { id parentIds message source } nodes { id title } }
}
"""
UNDO = "mutation { undoValues { revision { id parentIds message } nodes { id title } } }"
REVIEW = """
{ weeklyReview { week since { id } head { id } reviewedAt
    completed { id } added { id } archived { id } moved { id } } }
"""
FINISH = """
mutation ($input: FinishWeeklyReviewInput) {
  finishWeeklyReview(input: $input) { revision { id source message } nodes { id } }
}
"""

WITHOUT_TOMBSTONES = """
{ valuesTree {
    nodes(includeArchived: false) { id }
    roots { children(includeArchived: true) { id } } } }
"""


async def items(table: Gateway, person: Person, suffix: str = "") -> dict[str, dict[str, Any]]:
    found = table.partition(f"U#{person.id}{suffix}")
    return {item["SK"]["S"]: item async for item in found}


async def ids(person: Person, **at: object) -> set[str]:
    return set(by_id(await tree(person, **at)))


async def test_before_the_first_commit_the_tree_is_empty(ada: Person) -> None:
    shown = await tree(ada)
    assert (shown["revision"], shown["nodes"], shown["roots"]) == (None, [], [])
    assert await revisions(ada) == []


async def test_a_commit_is_stored_under_the_documented_keys(ada: Person, table: Gateway) -> None:
    done = await commit(ada, *HEALTH, message="begin")
    rev, ts = done["revision"]["id"], done["revision"]["createdAt"]
    stored = await items(table, ada)
    assert set(stored) == {"HEAD#VALUES", f"REV#VALUES#{ts}#{rev}"}
    head = stored["HEAD#VALUES"]
    assert (head["headRevId"]["S"], head["headRevTs"]["S"]) == (rev, ts)
    assert "updatedAt" in head
    log = stored[f"REV#VALUES#{ts}#{rev}"]
    facts = {name: log[name]["S"] for name in ("revId", "revTs", "message", "source")}
    assert facts == {"revId": rev, "revTs": ts, "message": "begin", "source": "daily_update"}
    assert "parentRevId" not in log
    snapshot = await items(table, ada, f"#VALUES#{rev}")
    assert set(snapshot) == {
        "NODE#health",
        "NODE#fitness",
        "NODE#run",
        "NODE#sleep",
        "EDGE#health#000000#fitness",
        "EDGE#health#000001#sleep",
        "EDGE#fitness#000000#run",
    }
    run = snapshot["NODE#run"]
    assert {name: run[name] for name in ("nodeType", "title", "archived", "driverId")} == {
        "nodeType": {"S": "ACTION"},
        "title": {"S": "Run"},
        "archived": {"BOOL": False},
        "driverId": {"S": "health"},
    }
    assert (run["parentMilestoneId"]["S"], run["rootDriverId"]["S"]) == ("fitness", "health")
    edge = snapshot["EDGE#fitness#000000#run"]
    assert (edge["childNodeId"]["S"], edge["childNodeType"]["S"]) == ("run", "ACTION")
    every = [*stored.values(), *snapshot.values()]
    assert not any(name.startswith("GSI") or name == "ttl" for each in every for name in each)


async def test_the_tree_at_the_head(ada: Person) -> None:
    done = await commit(ada, *HEALTH, message="begin", source="weekly_review")
    shown = await tree(ada)
    assert shown["revision"] == done["revision"]
    assert shown["revision"]["source"] == "weekly_review"
    assert shown["revision"]["parentIds"] == []
    assert shown["roots"] == [
        {
            "id": "health",
            "children": [
                {"id": "fitness", "children": [{"id": "run"}]},
                {"id": "sleep", "children": []},
            ],
        }
    ]
    kinds = {each["id"]: each["__typename"] for each in shown["nodes"]}
    assert kinds == {
        "health": "DriverNode",
        "fitness": "MilestoneNode",
        "run": "ActionNode",
        "sleep": "ActionNode",
    }


async def test_order_goes_past_nine(ada: Person) -> None:
    more = [add(f"a{i}", driverId="d") for i in range(12)]
    await commit(ada, add("d", "DRIVER"), *more)
    shown = await tree(ada)
    assert [each["id"] for each in shown["roots"][0]["children"]] == [f"a{i}" for i in range(12)]
    await commit(ada, {"reorder": {"parentId": "d", "childIds": ["a10", "a2"]}})
    shown = await tree(ada)
    assert [each["id"] for each in shown["roots"][0]["children"]][:3] == ["a10", "a2", "a0"]


async def test_drivers_keep_the_order_they_were_given(ada: Person) -> None:
    await commit(ada, *(add(each, "DRIVER") for each in "abc"))
    await commit(ada, {"reorder": {"childIds": ["c", "a"]}})
    await commit(ada, {"update": {"id": "b", "title": "Later"}})
    assert [each["id"] for each in (await tree(ada))["roots"]] == ["c", "a", "b"]


CHILDREN = """
query ($nodeId: ID!, $revisionId: ID, $limit: Int, $nextToken: String) {
  valuesChildren(nodeId: $nodeId, revisionId: $revisionId, limit: $limit, nextToken: $nextToken) {
    items { id nodeType children { id } parents { id } } nextToken
  }
}
"""


async def test_children_without_the_tree(ada: Person, bob: Person) -> None:
    assert (await ada.gql(CHILDREN, nodeId="health"))["valuesChildren"]["items"] == []
    first = await commit(ada, *HEALTH)
    await commit(ada, {"move": {"id": "sleep", "parentId": "fitness", "position": 0}})
    page = (await ada.gql(CHILDREN, nodeId="fitness", limit=1))["valuesChildren"]
    assert [each["id"] for each in page["items"]] == ["sleep"]
    more = await ada.gql(CHILDREN, nodeId="fitness", limit=1, nextToken=page["nextToken"])
    assert [each["id"] for each in more["valuesChildren"]["items"]] == ["run"]
    assert more["valuesChildren"]["nextToken"] is None
    old = await ada.gql(CHILDREN, nodeId="health", revisionId=first["head"])
    assert old["valuesChildren"]["items"] == [
        {
            "id": "fitness",
            "nodeType": "MILESTONE",
            "children": [{"id": "run"}],
            "parents": [{"id": "health"}],
        },
        {"id": "sleep", "nodeType": "ACTION", "children": [], "parents": [{"id": "health"}]},
    ]
    theirs = await bob.gql(CHILDREN, nodeId="health", revisionId=first["head"])
    assert theirs["valuesChildren"]["items"] == []


async def test_fields_are_cleared_by_null_and_kept_by_absence(ada: Person) -> None:
    await commit(ada, *HEALTH, {"update": {"id": "run", "notes": "slowly"}})
    kept = await commit(ada, {"update": {"id": "run", "title": "Walk"}})
    assert (by_id(kept)["run"]["title"], by_id(kept)["run"]["notes"]) == ("Walk", "slowly")
    cleared = await commit(ada, {"update": {"id": "run", "notes": None}})
    assert (by_id(cleared)["run"]["title"], by_id(cleared)["run"]["notes"]) == ("Walk", None)
    wanted = {"operations": [{"update": {"id": "run", "title": None}}]}
    assert (await ada.refused(COMMIT, input=wanted)).code == "BAD_INPUT"


BAD_COMMITS: list[tuple[list[dict[str, Any]], str]] = [
    ([add("a")], "ACTION_NEEDS_DRIVER"),
    ([add("a", driverId="fitness")], "ACTION_NEEDS_DRIVER"),
    ([{"archive": {"id": "health"}}, add("a", driverId="health")], "ACTION_NEEDS_DRIVER"),
    ([add("m", "MILESTONE", parentMilestoneId="run")], "WRONG_PARENT"),
    ([add("d", "DRIVER", parentIds=["health"])], "WRONG_PARENT"),
    ([{"move": {"id": "fitness", "parentId": "run"}}], "TREE_CYCLE"),
    ([{"archive": {"id": "fitness"}}, {"restore": {"id": "run"}}], "PARENT_ARCHIVED"),
    ([{"update": {"id": "nobody", "title": "x"}}], "NOT_FOUND"),
    ([add("run", driverId="health")], "BAD_INPUT"),
    ([{"complete": {"id": "health"}}], "BAD_INPUT"),
    ([{}], "BAD_INPUT"),
    ([{"archive": {"id": "run"}, "restore": {"id": "run"}}], "BAD_INPUT"),
    ([add("a#b", driverId="health")], "BAD_INPUT"),
    ([add("a", driverId="health", title="  ")], "BAD_INPUT"),
    ([{"move": {"id": "run", "parentId": "health", "parentIds": ["fitness"]}}], "BAD_INPUT"),
    ([], "BAD_INPUT"),
]


@pytest.mark.parametrize(("operations", "code"), BAD_COMMITS)
async def test_all_or_nothing(
    ada: Person, table: Gateway, operations: list[dict[str, Any]], code: str
) -> None:
    await commit(ada, *HEALTH)
    before = await items(table, ada)
    wanted = {"operations": [{"update": {"id": "run", "title": "Lost"}}, *operations]}
    if not operations:
        wanted = {"operations": []}
    assert (await ada.refused(COMMIT, input=wanted)).code == code
    assert await items(table, ada) == before
    assert by_id(await tree(ada))["run"]["title"] == "Run"


async def test_an_error_says_which_operation(ada: Person) -> None:
    wanted = {"operations": [*HEALTH, {"complete": {"id": "nobody"}}]}
    assert (await ada.refused(COMMIT, input=wanted)).info["operation"] == 4


async def test_an_unknown_source_is_refused(ada: Person) -> None:
    wanted = {"operations": HEALTH, "source": "mood"}
    assert (await ada.refused(COMMIT, input=wanted)).code in ("BAD_INPUT", "BAD_REQUEST")
    assert await revisions(ada) == []


async def test_a_stale_head_is_told_the_current_one(ada: Person, table: Gateway) -> None:
    first = await commit(ada, *HEALTH, expectedHead=None)
    second = await commit(ada, {"complete": {"id": "run"}}, expectedHead=first["head"])
    before = await items(table, ada)
    for stale in (first["head"], None):
        wanted = {"operations": [{"complete": {"id": "sleep"}}], "expectedHead": stale}
        refused = await ada.refused(COMMIT, input=wanted)
        assert (refused.code, refused.info["currentHead"]) == ("CONFLICT", second["head"])
    assert await items(table, ada) == before
    left_out = await commit(ada, {"complete": {"id": "sleep"}})
    assert left_out["revision"]["parentIds"] == [second["head"]]


async def test_moving_recomputes_the_root_driver(ada: Person) -> None:
    await commit(ada, *HEALTH, add("work", "DRIVER"))
    moved = by_id(await commit(ada, {"move": {"id": "fitness", "parentId": "work"}}))
    assert (moved["fitness"]["rootDriverId"], moved["run"]["rootDriverId"]) == ("work", "work")
    assert (moved["run"]["driverId"], moved["sleep"]["driverId"]) == ("work", "health")


async def test_a_node_may_have_several_parents(ada: Person) -> None:
    await commit(ada, *HEALTH, add("m", "MILESTONE", parentIds=["fitness", "health"]))
    shown = await tree(ada)
    assert by_id(shown)["m"]["parentIds"] == ["fitness", "health"]
    fitness, _, again = shown["roots"][0]["children"]
    assert [each["id"] for each in fitness["children"]] == ["run", "m"]
    assert again["id"] == "m"
    assert by_id(shown)["m"]["parentMilestoneId"] == "fitness"


async def test_archived_nodes_stay_in_later_commits(ada: Person) -> None:
    await commit(ada, *HEALTH)
    gone = await commit(ada, {"archive": {"id": "fitness"}})
    for title in ("One", "Two", "Three"):
        await commit(ada, {"update": {"id": "sleep", "title": title}})
    shown = await tree(ada)
    for node in ("fitness", "run"):
        assert by_id(shown)[node]["archived"] is True
        assert by_id(shown)[node]["deletedAt"] == by_id(gone)[node]["deletedAt"]
    assert [each["id"] for each in shown["roots"][0]["children"]] == ["sleep"]
    found = (await ada.gql(WITHOUT_TOMBSTONES))["valuesTree"]
    assert {each["id"] for each in found["nodes"]} == {"health", "sleep"}
    assert [each["id"] for each in found["roots"][0]["children"]] == ["fitness", "sleep"]
    back = by_id(await commit(ada, {"restore": {"id": "fitness"}}))
    assert (back["fitness"]["archived"], back["run"]["archived"]) == (False, False)
    assert back["run"]["deletedAt"] is None


async def test_history_newest_first_in_pages(ada: Person, bob: Person) -> None:
    made = [(await commit(ada, *HEALTH, message="0"))["head"]]
    for number in range(1, 5):
        made.append((await commit(ada, {"complete": {"id": "run"}}, message=str(number)))["head"])
    page = (await ada.gql(HISTORY, limit=3))["valuesHistory"]
    assert [each["message"] for each in page["items"]] == ["4", "3", "2"]
    assert [each["parentIds"] for each in page["items"]] == [[made[3]], [made[2]], [made[1]]]
    rest = (await ada.gql(HISTORY, limit=3, nextToken=page["nextToken"]))["valuesHistory"]
    assert [each["id"] for each in rest["items"]] == [made[1], made[0]]
    assert rest["nextToken"] is None
    assert (await bob.refused(HISTORY, limit=3, nextToken=page["nextToken"])).code == "BAD_TOKEN"


async def test_history_by_source_and_time(ada: Person, clock: TestClock) -> None:
    await travel(clock, datetime(2026, 1, 10, 10, tzinfo=UTC), ada)
    await commit(ada, *HEALTH, message="a", source="weekly_review")
    await travel(clock, datetime(2026, 1, 11, 10, tzinfo=UTC), ada)
    await commit(ada, {"complete": {"id": "run"}}, message="b", source="completion")
    await travel(clock, datetime(2026, 1, 12, 10, tzinfo=UTC), ada)
    await commit(ada, {"complete": {"id": "sleep"}}, message="c", source="completion")

    async def messages(**more: object) -> list[str]:
        return [each["message"] for each in await revisions(ada, **more)]

    assert await messages(source="completion") == ["c", "b"]
    assert await messages(source="daily_update") == []
    assert await messages(since="2026-01-11T10:00:00.000Z") == ["c", "b"]
    assert await messages(until="2026-01-11T10:00:00.000Z") == ["b", "a"]
    assert await messages(until="2026-01-11T09:59:59.999Z") == ["a"]
    assert await messages(since="2026-01-10T10:00:00.001Z", until="2026-01-12T09:00:00Z") == ["b"]


async def test_two_commits_in_one_millisecond(ada: Person, clock: TestClock) -> None:
    await travel(clock, datetime(2026, 1, 10, 10, tzinfo=UTC), ada)
    first = await commit(ada, *HEALTH)
    second = await commit(ada, {"complete": {"id": "run"}})
    assert first["revision"]["createdAt"] == "2026-01-10T10:00:00.000Z"
    assert second["revision"]["createdAt"] == "2026-01-10T10:00:00.001Z"
    assert [each["id"] for each in await revisions(ada)] == [second["head"], first["head"]]


async def test_a_clock_that_goes_backwards(ada: Person, clock: TestClock) -> None:
    await travel(clock, datetime(2026, 1, 10, 10, tzinfo=UTC), ada)
    first = await commit(ada, *HEALTH)
    await travel(clock, datetime(2026, 1, 10, 9, tzinfo=UTC), ada)
    second = await commit(ada, {"complete": {"id": "run"}})
    assert second["revision"]["createdAt"] == "2026-01-10T10:00:00.001Z"
    assert [each["id"] for each in await revisions(ada)] == [second["head"], first["head"]]
    assert (await tree(ada, revisionId=second["head"]))["revision"]["id"] == second["head"]


async def test_the_tree_as_of_an_instant(ada: Person, clock: TestClock) -> None:
    at = datetime(2026, 1, 10, 10, tzinfo=UTC)
    await travel(clock, at, ada)
    first = await commit(ada, *HEALTH)
    await travel(clock, at + timedelta(hours=2), ada)
    second = await commit(ada, add("eat", driverId="health"))

    async def head_at(moment: str) -> str | None:
        shown = await tree(ada, asOf=moment)
        return shown["revision"] and str(shown["revision"]["id"])

    assert await head_at("2026-01-10T09:59:59.999Z") is None
    assert (await tree(ada, asOf="2026-01-10T09:59:59.999Z"))["nodes"] == []
    assert await head_at("2026-01-10T10:00:00.000Z") == first["head"]
    assert await head_at("2026-01-10T12:59:59.000+01:00") == first["head"]
    assert await head_at("2026-01-10T12:00:00Z") == second["head"]
    assert "eat" not in await ids(ada, asOf="2026-01-10T11:00:00Z")
    refused = await ada.refused(TREE, asOf="2026-01-10T11:00:00Z", revisionId=first["head"])
    assert refused.code == "BAD_INPUT"


async def test_any_revision_can_be_read_by_its_id_alone(ada: Person) -> None:
    first = await commit(ada, *HEALTH)
    await commit(ada, {"update": {"id": "run", "title": "Walk"}})
    old = await tree(ada, revisionId=first["head"])
    assert (old["revision"]["id"], by_id(old)["run"]["title"]) == (first["head"], "Run")


@pytest.mark.parametrize(
    "unknown",
    ["01ARZ3NDEKTSV4RRFFQ69G5FAV", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "x", "#", "U#1", "é" * 26],
)
async def test_unknown_revisions_are_null(ada: Person, unknown: str) -> None:
    await commit(ada, *HEALTH)
    assert await ada.gql(TREE, revisionId=unknown) == {"valuesTree": None}
    assert await ada.gql(DIFF, **{"from": unknown}) == {"valuesDiff": None}
    assert await ada.gql(TREE, branch="no-such") == {"valuesTree": None}


async def test_what_differs_between_two_revisions(ada: Person) -> None:
    first = await commit(ada, *HEALTH, add("work", "DRIVER"))
    second = await commit(
        ada,
        {"update": {"id": "run", "title": "Walk", "notes": "far"}},
        {"move": {"id": "sleep", "parentId": "fitness"}},
        {"archive": {"id": "work"}},
        add("eat", driverId="health"),
    )
    found = (await ada.gql(DIFF, **{"from": first["head"], "to": second["head"]}))["valuesDiff"]
    assert (found["from"]["id"], found["to"]["id"]) == (first["head"], second["head"])
    assert (found["added"], found["removed"]) == ([{"id": "eat"}], [])
    changed = {each["nodeId"]: each["fields"] for each in found["changed"]}
    assert changed == {
        "run": [
            {"field": "title", "before": "Run", "after": "Walk"},
            {"field": "notes", "before": None, "after": "far"},
        ],
        "work": [{"field": "archived", "before": "false", "after": "true"}],
    }
    assert found["moved"] == [
        {"nodeId": "sleep", "fromParentIds": ["health"], "toParentIds": ["fitness"]}
    ]
    back = (await ada.gql(DIFF, **{"from": second["head"], "to": first["head"]}))["valuesDiff"]
    assert (back["added"], back["removed"]) == ([], [{"id": "eat"}])
    whole = (await ada.gql(DIFF))["valuesDiff"]
    assert whole["from"] is None
    assert {each["id"] for each in whole["added"]} == set(by_id(second))


async def test_restoring_a_revision_is_a_new_commit(ada: Person) -> None:
    first = await commit(ada, *HEALTH)
    second = await commit(
        ada, {"update": {"id": "run", "title": "Walk"}}, add("b", driverId="health")
    )
    back = (await ada.gql(RESTORE, input={"revisionId": first["head"]}))["restoreValues"]
    assert back["revision"]["parentIds"] == [second["head"]]
    assert {each["id"] for each in back["nodes"]} == {"health", "fitness", "run", "sleep"}
    assert by_id(await tree(ada))["run"]["title"] == "Run"
    again = await ada.gql(RESTORE, input={"revisionId": second["head"]})
    assert {"id": "run", "title": "Walk"} in again["restoreValues"]["nodes"]
    assert len(await revisions(ada)) == 4


async def test_restoring_one_node(ada: Person) -> None:
    first = await commit(ada, *HEALTH)
    await commit(
        ada,
        {"update": {"id": "run", "title": "Walk"}},
        {"update": {"id": "sleep", "title": "Nap"}},
    )
    wanted = {"revisionId": first["head"], "nodeId": "run"}
    nodes = (await ada.gql(RESTORE, input=wanted))["restoreValues"]["nodes"]
    titles = {each["id"]: each["title"] for each in nodes}
    assert (titles["run"], titles["sleep"]) == ("Run", "Nap")
    missing = await ada.refused(RESTORE, input=wanted | {"nodeId": "nobody"})
    assert missing.code == "NOT_FOUND"


async def test_a_second_undo_redoes(ada: Person) -> None:
    assert (await ada.refused(UNDO)).code == "NOTHING_TO_UNDO"
    await commit(ada, *HEALTH)
    await commit(ada, {"update": {"id": "run", "title": "Walk"}})
    titles = []
    for _ in range(3):
        nodes = (await ada.gql(UNDO))["undoValues"]["nodes"]
        titles.append({each["id"]: each["title"] for each in nodes}["run"])
    assert titles == ["Run", "Walk", "Run"]
    assert len(await revisions(ada)) == 5


async def test_the_first_commit_can_be_undone(ada: Person) -> None:
    first = await commit(ada, *HEALTH)
    undone = (await ada.gql(UNDO))["undoValues"]
    assert (undone["nodes"], undone["revision"]["parentIds"]) == ([], [first["head"]])


async def test_the_weekly_review(ada: Person, clock: TestClock) -> None:
    await travel(clock, datetime(2026, 1, 23, 10, tzinfo=UTC), ada)
    empty = (await ada.gql(REVIEW))["weeklyReview"]
    assert (empty["week"], empty["since"], empty["added"]) == ("2026-W04", None, [])
    await commit(ada, *HEALTH, add("work", "DRIVER"))
    first = (await ada.gql(REVIEW))["weeklyReview"]
    assert {each["id"] for each in first["added"]} == {"health", "work", "fitness", "run", "sleep"}
    done = (await ada.gql(FINISH, input={"message": "good week"}))["finishWeeklyReview"]
    assert (done["revision"]["source"], done["revision"]["message"]) == (
        "weekly_review",
        "good week",
    )
    await commit(
        ada,
        {"complete": {"id": "run"}},
        {"archive": {"id": "work"}},
        {"move": {"id": "sleep", "parentId": "fitness"}},
        add("eat", driverId="health"),
    )
    second = (await ada.gql(REVIEW))["weeklyReview"]
    assert second["since"]["id"] == done["revision"]["id"]
    assert second["reviewedAt"] == "2026-01-23T10:00:00.001Z"
    found = {name: [each["id"] for each in second[name]] for name in ("completed", "added")}
    assert found == {"completed": ["run"], "added": ["eat"]}
    assert [each["id"] for each in second["archived"]] == ["work"]
    assert [each["id"] for each in second["moved"]] == ["sleep"]


async def test_two_reviews_in_one_week(ada: Person) -> None:
    """The second begins where the first ended; a review may change things, too."""
    await commit(ada, *HEALTH)
    await ada.gql(FINISH)
    done = await ada.gql(FINISH, input={"operations": [{"complete": {"id": "run"}}]})
    shown = (await ada.gql(REVIEW))["weeklyReview"]
    assert shown["since"]["id"] == done["finishWeeklyReview"]["revision"]["id"]
    assert (shown["completed"], shown["added"]) == ([], [])
    assert [each["source"] for each in await revisions(ada)][:2] == ["weekly_review"] * 2


async def test_the_same_key_commits_once(ada: Person) -> None:
    wanted = {"operations": HEALTH, "idempotencyKey": "k1"}
    first = (await ada.gql(COMMIT, input=wanted))["commitValues"]
    again = (await ada.gql(COMMIT, input=wanted))["commitValues"]
    assert again["revision"] == first["revision"]
    assert by_id(again) == by_id(first)
    assert len(await revisions(ada)) == 1
    other = wanted | {"message": "other"}
    assert (await ada.refused(COMMIT, input=other)).code == "IDEMPOTENCY_MISMATCH"


async def test_values_of_others_are_not_found(ada: Person, bob: Person, table: Gateway) -> None:
    mine = await commit(ada, *HEALTH)
    await commit(bob, add("theirs", "DRIVER"))
    before = await items(table, bob)
    head = mine["head"]
    assert await bob.gql(TREE, revisionId=head) == {"valuesTree": None}
    assert await bob.gql(DIFF, **{"from": head}) == {"valuesDiff": None}
    assert await bob.gql(DIFF, to=head) == {"valuesDiff": None}
    assert (await bob.refused(RESTORE, input={"revisionId": head})).code == "NOT_FOUND"
    stranger = {"operations": [{"complete": {"id": "run"}}]}
    assert (await bob.refused(COMMIT, input=stranger)).code == "NOT_FOUND"
    on_top = {"operations": [add("x", "DRIVER")], "expectedHead": head}
    assert (await bob.refused(COMMIT, input=on_top)).code == "CONFLICT"
    merged = on_top | {"merge": True}
    assert (await bob.refused(COMMIT, input=merged)).code == "NOT_FOUND"
    assert await items(table, bob) == before
    assert await ids(bob) == {"theirs"}


async def test_values_need_a_signed_in_user(api: Api) -> None:
    answer = (await api.post("{ valuesTree { nodes { id } } }")).json()
    assert answer["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"


async def test_a_node_of_a_later_version_is_generic(ada: Person, table: Gateway) -> None:
    """A type that this version does not know is read, kept and carried along."""
    done = await commit(ada, *HEALTH)
    await table.client.update_item(
        TableName=table.table,
        Key={"PK": {"S": f"U#{ada.id}#VALUES#{done['head']}"}, "SK": {"S": "NODE#sleep"}},
        UpdateExpression="SET nodeType = :t",
        ExpressionAttributeValues={":t": {"S": "RITUAL"}},
    )
    found = by_id(await tree(ada))["sleep"]
    assert (found["__typename"], found["nodeType"]) == ("GenericNode", "RITUAL")
    kept = by_id(await commit(ada, {"complete": {"id": "run"}}))["sleep"]
    assert (kept["__typename"], kept["nodeType"]) == ("GenericNode", "RITUAL")


async def test_as_markdown_and_mermaid(ada: Person) -> None:
    await commit(ada, *HEALTH)
    shown = (await ada.gql("{ valuesTree { markdown mermaid } }"))["valuesTree"]
    assert shown["markdown"].startswith("# Values\n\n## Health\n\n- [ ] **Fitness**\n  - [ ] Run\n")
    assert shown["mermaid"].startswith("flowchart LR\n")
    assert shown["mermaid"].count("-->") == 3
