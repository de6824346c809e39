"""A branch that was merged, and then undone, can be merged again."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.api import Person
from tests.plans.operations import HEALTH, add, by_id, commit, revisions, tree
from tests.plans.test_commits import BRANCH, MERGE
from tests.plans.test_values import RESTORE, UNDO, ids


async def merge(person: Person, **more: object) -> dict[str, Any]:
    wanted = {"name": "b", **more}
    answer: dict[str, Any] = (await person.gql(MERGE, input=wanted))["mergeValuesBranch"]
    return answer


async def branched(person: Person) -> tuple[str, str]:
    """The heads of main and of a branch with two changes."""
    main = (await commit(person, *HEALTH))["head"]
    await person.gql(BRANCH, input={"name": "b"})
    branch = await commit(
        person,
        add("dream", driverId="health"),
        {"update": {"id": "run", "title": "Jog"}},
        branch="b",
    )
    return main, branch["head"]


async def undo(person: Person, before: str) -> None:
    await person.gql(UNDO)


async def restore(person: Person, before: str) -> None:
    await person.gql(RESTORE, input={"revisionId": before})


async def take_one_change_back(person: Person, before: str) -> None:
    await person.gql(RESTORE, input={"revisionId": before, "nodeId": "run"})


@pytest.mark.parametrize("take_back", [undo, restore, take_one_change_back])
async def test_a_merge_that_was_taken_back_is_made_anew(
    ada: Person, take_back: Callable[[Person, str], Any]
) -> None:
    main, branch = await branched(ada)
    await merge(ada)
    await take_back(ada, main)
    await commit(ada, {"update": {"id": "sleep", "title": "Nap"}})
    head = (await tree(ada))["revision"]["id"]
    again = await merge(ada)
    assert again["conflicts"] == []
    assert again["revision"]["parentIds"] == [head, branch]
    nodes = by_id(await tree(ada))
    assert (nodes["run"]["title"], nodes["sleep"]["title"]) == ("Jog", "Nap")
    assert "dream" in nodes
    commits = len(await revisions(ada))
    assert (await merge(ada))["revision"]["id"] == again["revision"]["id"], "nothing is left"
    assert len(await revisions(ada)) == commits


async def test_merged_undone_and_merged_as_often_as_you_like(ada: Person) -> None:
    await branched(ada)
    for _ in range(3):
        assert "dream" in {each["id"] for each in (await merge(ada))["nodes"]}
        await ada.gql(UNDO)
        assert "dream" not in await ids(ada)


async def test_what_was_changed_after_the_merge_stays(ada: Person) -> None:
    """It was not taken back: a repeated merge has nothing to do."""
    await branched(ada)
    await merge(ada)
    edited = await commit(
        ada, {"update": {"id": "run", "title": "Sprint"}}, {"archive": {"id": "dream"}}
    )
    assert (await merge(ada))["revision"]["id"] == edited["head"]
    nodes = by_id(await tree(ada))
    assert (nodes["run"]["title"], nodes["dream"]["archived"]) == ("Sprint", True)


async def test_after_an_undo_both_may_have_changed_the_same(ada: Person) -> None:
    await branched(ada)
    await merge(ada)
    await ada.gql(UNDO)
    await commit(ada, {"update": {"id": "run", "title": "Sprint"}})
    before = await revisions(ada)
    stopped = await merge(ada)
    assert stopped["revision"] is None
    assert stopped["conflicts"] == [
        {"nodeId": "run", "field": "title", "base": "Run", "ours": "Jog", "theirs": "Sprint"}
    ]
    assert await revisions(ada) == before
    done = await merge(ada, resolve=[{"nodeId": "run", "field": "title", "take": "OURS"}])
    assert (done["conflicts"], by_id(done)["run"]["title"]) == ([], "Jog")


async def test_later_commits_of_the_branch_come_with_what_was_taken_back(ada: Person) -> None:
    await branched(ada)
    await merge(ada)
    await ada.gql(UNDO)
    again = await merge(ada)
    await commit(ada, {"update": {"id": "dream", "notes": "big"}}, branch="b")
    done = await merge(ada)
    assert done["revision"]["parentIds"][0] == again["revision"]["id"]
    assert by_id(await tree(ada))["dream"]["notes"] == "big"


async def test_the_branch_goes_on_after_its_merge_was_undone(ada: Person) -> None:
    """Its later commits do not come alone."""
    await branched(ada)
    await merge(ada)
    await ada.gql(UNDO)
    await commit(ada, {"update": {"id": "sleep", "title": "Nap"}}, branch="b")
    assert (await merge(ada))["conflicts"] == []
    nodes = by_id(await tree(ada))
    assert (nodes["run"]["title"], nodes["sleep"]["title"]) == ("Jog", "Nap")
    assert "dream" in nodes


async def test_only_the_merge_that_was_undone_is_made_anew(ada: Person) -> None:
    """What main changed after the first one stays as main has it."""
    await branched(ada)
    await merge(ada)
    await commit(ada, {"update": {"id": "run", "title": "Sprint"}})
    await commit(ada, {"update": {"id": "sleep", "title": "Nap"}}, branch="b")
    await merge(ada)
    await ada.gql(UNDO)
    await commit(ada, {"update": {"id": "sleep", "notes": "deep"}}, branch="b")
    assert (await merge(ada))["conflicts"] == []
    nodes = by_id(await tree(ada))
    assert (nodes["run"]["title"], nodes["sleep"]["title"]) == ("Sprint", "Nap")
    assert nodes["sleep"]["notes"] == "deep"


async def test_main_that_was_merged_into_a_branch_and_undone_there(ada: Person) -> None:
    await branched(ada)
    await commit(ada, add("eat", driverId="health"))
    assert "eat" in {each["id"] for each in (await merge(ada, name="main", into="b"))["nodes"]}
    await ada.gql('mutation { undoValues(input: {branch: "b"}) { head } }')
    assert "eat" not in await ids(ada, branch="b")
    assert (await merge(ada, name="main", into="b"))["branch"] == "b"
    assert {"eat", "dream"} <= await ids(ada, branch="b")


async def test_a_branch_without_commits_of_its_own_has_nothing_to_merge(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await commit(ada, add("eat", driverId="health"))
    await ada.gql(BRANCH, input={"name": "b"})
    await ada.gql(UNDO)
    head = (await tree(ada))["revision"]["id"]
    assert (await merge(ada))["revision"]["id"] == head
