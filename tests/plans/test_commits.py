"""Concurrent commits, merges, branches, and commits that are interrupted."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from app.domains.plans import keys
from app.domains.plans.inputs import AddNodeInput, CommitValuesInput, ValuesOperationInput
from app.domains.plans.service import sweep_drafts, users_with_drafts
from app.domains.plans.types import NodeType
from app.jobs.plans import JOBS
from app.resources import Resources
from app.services import Services
from app.table.gateway import Gateway
from app.table.writes import Delete
from tests.api import Api, Failed, Person
from tests.plans.faults import PowerCut, calls_of, power_cut
from tests.plans.operations import COMMIT, DIFF, HEALTH, add, by_id, commit, revisions, tree
from tests.plans.test_values import FINISH, RESTORE, REVIEW, UNDO, ids, items
from tests.servers import RunningServer, TestClock

BRANCH = """
mutation ($input: CreateValuesBranchInput!) {
  createValuesBranch(input: $input) {
    name headRevId forkedRevId revision { id message }
  }
}
"""
MERGE = """
mutation ($input: MergeValuesBranchInput!) {
  mergeValuesBranch(input: $input) {
    branch head revision { id parentIds message branch }
    conflicts { nodeId field base ours theirs }
    nodes { id title completedAt archived }
  }
}
"""
DROP = "mutation ($name: String!) { dropValuesBranch(input: {name: $name}) { name headRevId } }"
BRANCHES = "{ valuesBranches { name headRevId forkedRevId } }"


async def race(*tries: Any) -> tuple[list[dict[str, Any]], list[Failed]]:
    found = await asyncio.gather(*tries, return_exceptions=True)
    lost = [each for each in found if isinstance(each, Failed)]
    won = [each for each in found if isinstance(each, dict)]
    assert len(won) + len(lost) == len(tries)
    return won, lost


async def chain(person: Person) -> list[str]:
    """From the head along first parents to the beginning."""
    parents = {each["id"]: each["parentIds"] for each in await revisions(person, limit=100)}
    at = (await tree(person))["revision"]["id"]
    found = [at]
    while parents[at]:
        at = parents[at][0]
        found.append(at)
    assert set(found) == set(parents), "a commit is not reachable from the head"
    return found


async def test_of_fifty_commits_on_one_head_one_wins(ada: Person, table: Gateway) -> None:
    head = (await commit(ada, *HEALTH))["head"]
    tries = (commit(ada, add(f"n{i}", driverId="health"), expectedHead=head) for i in range(50))
    won, lost = await race(*tries)
    assert len(won) == 1
    assert {each.code for each in lost} == {"CONFLICT"}
    assert {each.info["currentHead"] for each in lost} == {won[0]["head"]}
    assert len(await chain(ada)) == 2
    assert len(await ids(ada)) == 5
    assert not [key for key in await items(table, ada) if key.startswith("DRAFT#")]


async def test_of_fifty_commits_with_merge_all_are_committed(ada: Person, table: Gateway) -> None:
    head = (await commit(ada, *HEALTH))["head"]
    tries = (
        commit(ada, add(f"n{i}", driverId="health"), expectedHead=head, merge=True)
        for i in range(50)
    )
    won, lost = await race(*tries)
    assert lost == []
    assert len({each["head"] for each in won}) == 50
    assert len(await chain(ada)) == 51
    assert len(await ids(ada)) == 54
    shown = await tree(ada)
    assert len({each["id"] for each in shown["roots"][0]["children"]}) == 52
    assert not [key for key in await items(table, ada) if key.startswith("DRAFT#")]


async def test_without_an_expected_head_all_are_committed(ada: Person) -> None:
    tries = (commit(ada, add(f"n{i}", "DRIVER")) for i in range(20))
    won, lost = await race(*tries)
    assert (len(won), lost) == (20, [])
    assert len(await chain(ada)) == 20
    assert len(await ids(ada)) == 20


async def test_two_servers_commit_on_one_head(
    ada: Person, start_server: Callable[..., RunningServer]
) -> None:
    """No memory is shared: only the condition on the head keeps them apart."""
    head = (await commit(ada, *HEALTH))["head"]
    async with Api(start_server().url) as second:
        twin = Person(second, ada.session)
        tries = (
            commit((ada, twin)[i % 2], add(f"n{i}", driverId="health"), expectedHead=head)
            for i in range(20)
        )
        won, lost = await race(*tries)
        assert (len(won), len(lost)) == (1, 19)
        more = (
            commit((ada, twin)[i % 2], add(f"m{i}", driverId="health"), merge=True)
            for i in range(20)
        )
        won, lost = await race(*more)
        assert lost == []
    assert len(await chain(ada)) == 22


async def test_the_same_key_sent_twenty_times_at_once(ada: Person) -> None:
    tries = (commit(ada, *HEALTH, idempotencyKey="once") for _ in range(20))
    won, lost = await race(*tries)
    assert lost == []
    assert len({each["revision"]["id"] for each in won}) == 1
    assert len(await revisions(ada)) == 1


async def test_a_merge_records_both_parents(ada: Person) -> None:
    base = (await commit(ada, *HEALTH))["head"]
    theirs = await commit(ada, {"update": {"id": "run", "title": "Walk"}})
    merged = await commit(
        ada, {"update": {"id": "run", "notes": "far"}}, expectedHead=base, merge=True
    )
    assert merged["revision"]["parentIds"] == [theirs["head"], base]
    run = by_id(merged)["run"]
    assert (run["title"], run["notes"], merged["conflicts"]) == ("Walk", "far", [])


async def test_conflicts_are_data_and_can_be_resolved(ada: Person, table: Gateway) -> None:
    base = (await commit(ada, *HEALTH))["head"]
    theirs = (await commit(ada, {"update": {"id": "run", "title": "Walk"}}))["head"]
    before = await items(table, ada)
    ours = {
        "operations": [{"update": {"id": "run", "title": "Jog"}}],
        "expectedHead": base,
        "merge": True,
        "idempotencyKey": "jog",
    }
    stopped = (await ada.gql(COMMIT, input=ours))["commitValues"]
    assert stopped["revision"] is None
    assert stopped["head"] == theirs
    assert stopped["conflicts"] == [
        {
            "nodeId": "run",
            "field": "title",
            "base": "Run",
            "ours": "Jog",
            "theirs": "Walk",
            "node": {"id": "run", "title": "Walk"},
        }
    ]
    assert await items(table, ada) == before
    answer = [{"nodeId": "run", "field": "title", "take": "OURS"}]
    done = (await ada.gql(COMMIT, input=ours | {"resolve": answer}))["commitValues"]
    assert by_id(done)["run"]["title"] == "Jog"
    assert done["revision"]["parentIds"] == [theirs, base]


async def test_a_merge_is_checked_again(ada: Person) -> None:
    """Each side is sound; together they would go round in a circle."""
    first = await commit(
        ada,
        add("d", "DRIVER"),
        add("a", "MILESTONE", driverId="d"),
        add("b", "MILESTONE", driverId="d"),
    )
    await commit(ada, {"move": {"id": "a", "parentId": "b"}})
    wanted = {
        "operations": [{"move": {"id": "b", "parentId": "a"}}],
        "expectedHead": first["head"],
        "merge": True,
    }
    assert (await ada.refused(COMMIT, input=wanted)).code == "TREE_CYCLE"


async def test_a_branch_is_compared_merged_and_dropped(ada: Person, table: Gateway) -> None:
    base = (await commit(ada, *HEALTH))["head"]
    made = (await ada.gql(BRANCH, input={"name": "what-if"}))["createValuesBranch"]
    assert (made["headRevId"], made["forkedRevId"]) == (base, base)
    on_branch = await commit(ada, add("dream", driverId="health"), branch="what-if", message="try")
    assert on_branch["revision"]["id"].endswith("-what-if")
    assert (on_branch["revision"]["parentIds"], on_branch["branch"]) == ([base], "what-if")
    on_main = await commit(ada, {"update": {"id": "run", "title": "Walk"}})
    assert "dream" not in await ids(ada)
    assert "dream" in await ids(ada, branch="what-if")
    assert (await tree(ada, revisionId=on_branch["head"]))["revision"]["branch"] == "what-if"
    assert [each["id"] for each in await revisions(ada)] == [on_main["head"], base]
    assert [each["id"] for each in await revisions(ada, branch="what-if")] == [on_branch["head"]]
    stored = set(await items(table, ada))
    ts = on_branch["revision"]["createdAt"]
    assert {"HEAD#VALUES#what-if", f"REV#VALUES-what-if#{ts}#{on_branch['head']}"} <= stored
    compared = await ada.gql(DIFF, **{"from": on_main["head"], "to": on_branch["head"]})
    assert compared["valuesDiff"]["added"] == [{"id": "dream"}]
    merged = (await ada.gql(MERGE, input={"name": "what-if"}))["mergeValuesBranch"]
    assert merged["revision"]["parentIds"] == [on_main["head"], on_branch["head"]]
    titles = {each["id"]: each["title"] for each in merged["nodes"]}
    assert (titles["dream"], titles["run"]) == ("Dream", "Walk")
    again = (await ada.gql(MERGE, input={"name": "what-if"}))["mergeValuesBranch"]
    assert again["revision"]["id"] == merged["revision"]["id"], "there was nothing new to merge"
    assert (await ada.gql(DROP, name="what-if"))["dropValuesBranch"]["name"] == "what-if"
    assert (await ada.gql(BRANCHES))["valuesBranches"] == []
    assert await ada.gql('{ valuesTree(branch: "what-if") { branch } }') == {"valuesTree": None}
    kept = await tree(ada, revisionId=on_branch["head"])
    assert kept["revision"]["id"] == on_branch["head"]
    assert (await ada.refused(DROP, name="what-if")).code == "NOT_FOUND"


async def test_main_is_merged_into_a_branch_and_back(ada: Person) -> None:
    """The second merge begins at the first one, not at the fork."""
    await commit(ada, *HEALTH)
    await ada.gql(BRANCH, input={"name": "b"})
    await commit(ada, {"update": {"id": "run", "title": "Main"}})
    wanted = {"name": "b", "into": "b"}
    assert (await ada.gql(MERGE, input=wanted))["mergeValuesBranch"]["conflicts"] == []
    main = (await tree(ada))["revision"]["id"]
    pulled = await commit(
        ada, {"update": {"id": "sleep", "title": "Nap"}}, branch="b", expectedHead=main, merge=True
    )
    assert by_id(pulled)["run"]["title"] == "Main"
    await commit(ada, {"update": {"id": "run", "title": "Branch"}}, branch="b")
    back = (await ada.gql(MERGE, input={"name": "b"}))["mergeValuesBranch"]
    titles = {each["id"]: each["title"] for each in back["nodes"]}
    assert (back["conflicts"], titles["run"], titles["sleep"]) == ([], "Branch", "Nap")


async def test_branches_conflict_as_data_too(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await ada.gql(BRANCH, input={"name": "b"})
    await commit(ada, {"archive": {"id": "sleep"}}, branch="b")
    await commit(ada, {"update": {"id": "sleep", "title": "Nap"}})
    stopped = (await ada.gql(MERGE, input={"name": "b"}))["mergeValuesBranch"]
    assert stopped["revision"] is None
    assert stopped["conflicts"] == [
        {"nodeId": "sleep", "field": "archived", "base": "false", "ours": "true", "theirs": "false"}
    ]
    answer = [{"nodeId": "sleep", "field": "archived", "take": "OURS"}]
    merged = await ada.gql(MERGE, input={"name": "b", "resolve": answer})
    sleep = {each["id"]: each for each in merged["mergeValuesBranch"]["nodes"]}["sleep"]
    assert (sleep["title"], sleep["archived"]) == ("Nap", True)


async def test_a_branch_of_a_name_that_was_used_before_begins_anew(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await ada.gql(BRANCH, input={"name": "b"})
    await commit(ada, add("old", "DRIVER"), branch="b")
    await ada.gql(DROP, name="b")
    await ada.gql(BRANCH, input={"name": "b"})
    assert await revisions(ada, branch="b") == []
    assert "old" not in await ids(ada, branch="b")


@pytest.mark.parametrize("name", ["main", "taken"])
async def test_a_name_is_taken_once(ada: Person, name: str) -> None:
    await commit(ada, *HEALTH)
    await ada.gql(BRANCH, input={"name": "taken"})
    assert (await ada.refused(BRANCH, input={"name": name})).code == "BRANCH_EXISTS"


@pytest.mark.parametrize("name", ["", "a#b", "A", "x" * 33, "-a", "ä"])
async def test_names_of_branches_are_plain(ada: Person, name: str) -> None:
    await commit(ada, *HEALTH)
    assert (await ada.refused(BRANCH, input={"name": name})).code == "BAD_INPUT"


async def test_branches_of_others_are_not_found(ada: Person, bob: Person, table: Gateway) -> None:
    head = (await commit(ada, *HEALTH))["head"]
    await ada.gql(BRANCH, input={"name": "mine"})
    assert (await bob.gql(BRANCHES))["valuesBranches"] == []
    assert (await bob.refused(MERGE, input={"name": "mine"})).code == "NOT_FOUND"
    assert (await bob.refused(DROP, name="mine")).code == "NOT_FOUND"
    at_mine = {"name": "b", "revisionId": head}
    assert (await bob.refused(BRANCH, input=at_mine)).code == "NOT_FOUND"
    assert await items(table, bob) == {}


def wished(key: str) -> CommitValuesInput:
    nodes = [
        AddNodeInput(id=f"new{i}", node_type=NodeType.DRIVER, title=f"New {i}")  # type: ignore[arg-type]
        for i in range(120)
    ]
    operations = [ValuesOperationInput(add=each) for each in nodes]
    return CommitValuesInput(operations=operations, idempotency_key=key).validate()


@pytest.mark.parametrize("carried_out", [False, True], ids=["before", "after"])
async def test_interrupted_at_every_call(
    ada: Person,
    table: Gateway,
    resources: Resources,
    services: Callable[[Person], Services],
    clock: TestClock,
    carried_out: bool,
) -> None:
    """Readers see a whole tree, old or new; the same key completes it, once; nothing stays."""
    await commit(ada, add("old", "DRIVER"))
    seen, cuts = {"old"}, 0
    while True:
        prefix = f"cut-{cuts}"
        wanted = wished(prefix)
        try:
            with power_cut(table, cuts, carried_out=carried_out):
                await services(ada).values.commit_values(wanted)
            break
        except PowerCut:
            cuts += 1
        now = await ids(ada)
        assert now in (seen, seen | {f"new{i}" for i in range(120)})
        done = await services(ada).values.commit_values(wanted)
        again = await services(ada).values.commit_values(wanted)
        assert done.head == again.head
        assert await ids(ada) == seen | {f"new{i}" for i in range(120)}
        await ada.gql(UNDO)
        assert await ids(ada) == seen
    assert cuts >= 6
    assert len(await chain(ada)) == 1 + 2 * cuts + 1
    await leave_nothing(ada, table, resources, clock)


async def sweep(resources: Resources) -> int:
    entries = await users_with_drafts(resources)
    return sum([await sweep_drafts(resources, each) for each in entries])


async def leave_nothing(
    person: Person, table: Gateway, resources: Resources, clock: TestClock
) -> None:
    """After an hour the sweep removes what crashes left, and only that."""
    drafts = [key for key in await items(table, person) if key.startswith("DRAFT#")]
    assert drafts, "the crashes must have left something"
    assert await sweep(resources) == 0, "a commit under way is left alone"
    clock.move(hours=2)
    assert await sweep(resources) >= len(drafts)
    left = await items(table, person)
    assert not [key for key in left if key.startswith("DRAFT#")]
    for key in drafts:
        orphan = key.removeprefix("DRAFT#VALUES#")
        assert await items(table, person, f"#VALUES#{orphan}") == {}
    kept = [key.rpartition("#")[2] for key in left if key.startswith("REV#VALUES#")]
    for rev in kept:
        assert await items(table, person, f"#VALUES#{rev}") != {}
    clock.reset()


async def test_a_swept_commit_cannot_be_finished(
    ada: Person,
    table: Gateway,
    resources: Resources,
    services: Callable[[Person], Services],
    clock: TestClock,
) -> None:
    """Its snapshot is gone, so its last transaction must fail; it is then done anew."""
    await commit(ada, add("old", "DRIVER"))
    values = services(ada).values
    write = table.write

    async def sweep_then_write(*writes: Any) -> None:
        if not any(isinstance(each, Delete) for each in writes):
            return await write(*writes)
        table.write = write  # type: ignore[method-assign]
        clock.move(hours=2)
        assert await sweep(resources) >= 1
        clock.reset()
        return await write(*writes)

    table.write = sweep_then_write  # type: ignore[method-assign]
    try:
        done = await values.commit_values(wished("slow"))
    finally:
        table.write = write  # type: ignore[method-assign]
    assert len(await ids(ada)) == 121
    assert done.revision is not None
    assert len(await revisions(ada)) == 2


async def test_the_sweep_is_a_job() -> None:
    assert [job.name for job in JOBS] == ["sweep-orphan-snapshots"]


async def test_no_index_is_ever_read(ada: Person, server: RunningServer) -> None:
    """Every field of this domain, and every call it makes."""
    with calls_of(server.app.state.resources.table) as calls:
        base = (await commit(ada, *HEALTH))["head"]
        await commit(ada, {"complete": {"id": "run"}}, expectedHead=base)
        await commit(ada, {"complete": {"id": "sleep"}}, expectedHead=base, merge=True)
        for at in ({}, {"revisionId": base}, {"asOf": "2040-01-01T00:00:00Z"}):
            await tree(ada, **at)
        await revisions(ada, source="completion")
        await ada.gql(DIFF, **{"from": base})
        await ada.gql(UNDO)
        await ada.gql(RESTORE, input={"revisionId": base})
        await ada.gql(REVIEW)
        await ada.gql(FINISH)
        await ada.gql(BRANCH, input={"name": "b"})
        await commit(ada, add("x", "DRIVER"), branch="b")
        await ada.gql(MERGE, input={"name": "b"})
        await ada.gql(DROP, name="b")
        await ada.gql(
            '{ valuesChildren(nodeId: "health") { items { id } } valuesBranches { name } }'
        )
    assert len(calls) > 60
    assert [name for name, sent in calls if "IndexName" in sent] == []
    assert not any(name == "scan" for name, _ in calls)
    mine = [sent for name, sent in calls if name == "query"]
    assert mine
    partitions = [sent["ExpressionAttributeValues"][":v0"]["S"] for sent in mine]
    assert all(each.startswith(f"U#{ada.id}") for each in partitions)


async def test_the_head_is_one_get_and_one_query(ada: Person, server: RunningServer) -> None:
    await commit(ada, *HEALTH)
    table: Gateway = server.app.state.resources.table
    with calls_of(table) as calls:
        await tree(ada)
    about = [
        (name, sent.get("Key", {}).get("SK", {}).get("S"))
        for name, sent in calls
        if f"U#{ada.id}" in str(sent)
    ]
    assert about == [("get_item", "HEAD#VALUES"), ("query", None)]


async def patiently(person: Person, key: str, operations: list[dict[str, Any]]) -> str:
    """As a client should: whose time was over asks again with the same key."""
    short = "mutation ($input: CommitValuesInput!) { commitValues(input: $input) { head } }"
    wanted = {"operations": operations, "idempotencyKey": key}
    for _ in range(6):
        try:
            return str((await person.gql(short, input=wanted))["commitValues"]["head"])
        except Failed as failed:
            if failed.code != "OUTCOME_UNKNOWN":
                raise
    raise AssertionError("it never came to an end")


async def test_a_large_tree(ada: Person, table: Gateway) -> None:
    """5,000 nodes: committed, read and compared, more than one page of DynamoDB."""
    nodes = [add("d", "DRIVER")]
    nodes += [add(f"m{i}", "MILESTONE", driverId="d") for i in range(99)]
    nodes += [
        add(f"a{i}", driverId="d", parentMilestoneId=f"m{i % 99}", notes="x" * 60)
        for i in range(4_900)
    ]
    head = await patiently(ada, "grow", nodes)
    shown = (await ada.gql("{ valuesTree { nodes { id title } } }"))["valuesTree"]["nodes"]
    assert len(shown) == 5_000
    found = (await ada.gql(DIFF, to=head))["valuesDiff"]
    assert (len(found["added"]), found["changed"]) == (5_000, [])
    with calls_of(table) as calls:
        count = await table.count(keys.snapshot_of_values(ada.id, head))
    assert count == 5_000 + 4_999
    assert len(calls) > 1, "more than one page"
    assert len(await revisions(ada)) == 1


async def test_a_tree_of_a_thousand_levels(ada: Person) -> None:
    chain_of = [add("d", "DRIVER"), add("m0", "MILESTONE", driverId="d")]
    chain_of += [add(f"m{i}", "MILESTONE", parentMilestoneId=f"m{i - 1}") for i in range(1, 1_000)]
    done = await commit(ada, *chain_of)
    assert by_id(done)["m999"]["rootDriverId"] == "d"
    await commit(ada, add("e", "DRIVER"), {"move": {"id": "m0", "parentId": "e"}})
    assert by_id(await tree(ada))["m999"]["rootDriverId"] == "e"
    await commit(ada, {"archive": {"id": "m0"}})
    assert by_id(await tree(ada))["m999"]["archived"] is True
