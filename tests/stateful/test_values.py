"""The values tree against a plain model: commit, merge, restore, branch, archive, in any order.

The model knows nothing of snapshots or heads: a dictionary of trees by revision, and of heads by
branch. After every step the served tree must be the model's, for every head.
"""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from tests.api import Api, Failed, Person
from tests.plans.operations import add, by_id, commit, revisions, tree

MAIN = "main"
RESTORE = """
mutation ($input: RestoreValuesInput!) { restoreValues(input: $input) { revision { id } } }
"""
BRANCH = """
mutation ($input: CreateValuesBranchInput!) { createValuesBranch(input: $input) { headRevId } }
"""
DROP = "mutation ($name: String!) { dropValuesBranch(input: {name: $name}) { name } }"
MERGE = """
mutation ($input: MergeValuesBranchInput!) {
  mergeValuesBranch(input: $input) { revision { id } conflicts { nodeId field } }
}
"""

ModelNode = dict[str, Any]
ModelTree = dict[str, ModelNode]


@dataclass
class ExpectedValues:
    """What a reader should see: trees by revision, heads by branch, parents by revision."""

    trees: dict[str | None, ModelTree] = field(default_factory=lambda: {None: {}})
    heads: dict[str, str | None] = field(default_factory=lambda: {MAIN: None})
    commits: dict[str, list[str]] = field(default_factory=lambda: {MAIN: []})

    def at(self, branch: str) -> ModelTree:
        return {key: dict(node) for key, node in self.trees[self.heads[branch]].items()}

    def committed(self, branch: str, revision: str, model: ModelTree) -> None:
        self.trees[revision] = model
        self.heads[branch] = revision
        self.commits[branch].insert(0, revision)


def merged(base: ModelTree, ours: ModelTree, theirs: ModelTree) -> ModelTree | None:
    """Field by field; None if both changed the same thing."""
    result: ModelTree = {}
    for key in {**theirs, **ours}:
        b, o, t = base.get(key), ours.get(key), theirs.get(key)
        if o is not None and t is not None:
            node = merged_node(b or {}, o, t)
            if node is None:
                return None
            result[key] = node
        elif b is None:
            result[key] = dict(o or t or {})
        elif (o or t) != b:
            return None
    return result


def merged_node(base: ModelNode, ours: ModelNode, theirs: ModelNode) -> ModelNode | None:
    node: ModelNode = {}
    archived = not base.get("archived") and ours["archived"] != theirs["archived"]
    if archived and base not in (ours, theirs):
        return None
    for name in ours:
        if ours[name] in (base.get(name), theirs[name]):
            node[name] = theirs[name]
        elif theirs[name] == base.get(name):
            node[name] = ours[name]
        else:
            return None
    return node


class ValuesMachine(RuleBasedStateMachine):
    """Drivers only, so that the model stays a dictionary: {id: {title, notes, archived}}."""

    run: Callable[[Coroutine[Any, Any, Any]], Any]
    person: Person
    counter = 0

    @initialize()
    def begin(self) -> None:
        self.expected_values = ExpectedValues()
        self.person = self.run(self.api.sign_up())

    api: Api

    def branches(self) -> list[str]:
        return sorted(self.expected_values.heads)

    def _commit(
        self, branch: str, model: ModelTree, *operations: ModelNode, **more: object
    ) -> None:
        where = {} if branch == MAIN else {"branch": branch}
        done = self.run(commit(self.person, *operations, **where, **more))
        self.expected_values.committed(branch, done["head"], model)

    @rule(data=st.data(), title=st.sampled_from("xyz"))
    def add(self, data: st.DataObject, title: str) -> None:
        branch = data.draw(st.sampled_from(self.branches()))
        model = self.expected_values.at(branch)
        type(self).counter += 1
        key = f"n{type(self).counter}"
        model[key] = {"title": title, "notes": None, "archived": False}
        self._commit(branch, model, add(key, "DRIVER", title=title))

    @precondition(
        lambda self: any(
            self.expected_values.trees[each] for each in self.expected_values.heads.values()
        )
    )
    @rule(data=st.data(), name=st.sampled_from(["title", "notes"]), text=st.sampled_from("pqr"))
    def update(self, data: st.DataObject, name: str, text: str) -> None:
        branch, key = self._some_node(data)
        model = self.expected_values.at(branch)
        model[key][name] = text
        self._commit(branch, model, {"update": {"id": key, name: text}})

    @precondition(
        lambda self: any(
            self.expected_values.trees[each] for each in self.expected_values.heads.values()
        )
    )
    @rule(data=st.data())
    def archive_or_restore(self, data: st.DataObject) -> None:
        branch, key = self._some_node(data)
        model = self.expected_values.at(branch)
        model[key]["archived"] = not model[key]["archived"]
        verb = "archive" if model[key]["archived"] else "restore"
        self._commit(branch, model, {verb: {"id": key}})

    def _some_node(self, data: st.DataObject) -> tuple[str, str]:
        full = [each for each in self.branches() if self.expected_values.at(each)]
        branch = data.draw(st.sampled_from(full))
        return branch, data.draw(st.sampled_from(sorted(self.expected_values.at(branch))))

    @precondition(lambda self: self.expected_values.commits[MAIN])
    @rule(data=st.data(), text=st.sampled_from("pqr"))
    def merge_late(self, data: st.DataObject, text: str) -> None:
        """A commit made on an older head of main, merged with what happened since."""
        seen = data.draw(st.sampled_from(self.expected_values.commits[MAIN]))
        base = self.expected_values.trees[seen]
        if not base:
            return
        key = data.draw(st.sampled_from(sorted(base)))
        ours = {each: dict(node) for each, node in base.items()}
        ours[key]["title"] = text
        head = self.expected_values.heads[MAIN]
        expected = ours if seen == head else merged(base, ours, self.expected_values.at(MAIN))
        done = self.run(
            commit(
                self.person,
                {"update": {"id": key, "title": text}},
                expectedHead=seen,
                merge=True,
            )
        )
        if expected is None:
            assert done["revision"] is None
            assert done["conflicts"]
            return
        assert done["conflicts"] == []
        parents = [head] if seen == head else [head, seen]
        assert done["revision"]["parentIds"] == parents
        self.expected_values.committed(MAIN, done["head"], expected)

    @precondition(lambda self: self.expected_values.commits[MAIN])
    @rule(data=st.data())
    def commit_on_a_stale_head(self, data: st.DataObject) -> None:
        seen = data.draw(st.sampled_from(self.expected_values.commits[MAIN]))
        if seen == self.expected_values.heads[MAIN]:
            return
        try:
            self.run(commit(self.person, add("never", "DRIVER"), expectedHead=seen))
        except Failed as failed:
            facts = (failed.code, failed.info["currentHead"])
        assert facts == ("CONFLICT", self.expected_values.heads[MAIN])

    @precondition(lambda self: any(self.expected_values.commits.values()))
    @rule(data=st.data())
    def restore_revision(self, data: st.DataObject) -> None:
        branch = data.draw(st.sampled_from(self.branches()))
        known = [each for each in self.expected_values.trees if each]
        old = data.draw(st.sampled_from(sorted(known)))
        wanted = {"revisionId": old} | ({} if branch == MAIN else {"branch": branch})
        done = self.run(self.person.gql(RESTORE, input=wanted))["restoreValues"]
        content = {key: dict(node) for key, node in self.expected_values.trees[old].items()}
        self.expected_values.committed(branch, done["revision"]["id"], content)

    @precondition(
        lambda self: self.expected_values.heads[MAIN] and len(self.expected_values.heads) < 3
    )
    @rule(name=st.sampled_from(["b", "c"]))
    def make_branch(self, name: str) -> None:
        if name in self.expected_values.heads:
            return
        self.run(self.person.gql(BRANCH, input={"name": name}))
        self.expected_values.heads[name] = self.expected_values.heads[MAIN]
        self.expected_values.commits[name] = []

    @precondition(lambda self: len(self.expected_values.heads) > 1)
    @rule(data=st.data())
    def drop_branch(self, data: st.DataObject) -> None:
        name = data.draw(st.sampled_from([each for each in self.branches() if each != MAIN]))
        self.run(self.person.gql(DROP, name=name))
        del self.expected_values.heads[name], self.expected_values.commits[name]

    @precondition(lambda self: len(self.expected_values.heads) > 1)
    @rule(data=st.data())
    def merge_branch(self, data: st.DataObject) -> None:
        """Whatever it answers, it is a whole tree with both sides' nodes, or nothing changed."""
        name = data.draw(st.sampled_from([each for each in self.branches() if each != MAIN]))
        done = self.run(self.person.gql(MERGE, input={"name": name}))["mergeValuesBranch"]
        if done["revision"] is None:
            assert done["conflicts"]
            return
        if done["revision"]["id"] == self.expected_values.heads[MAIN]:
            return
        shown = self.run(tree(self.person))
        self.expected_values.committed(MAIN, done["revision"]["id"], _plain(shown))

    @invariant()
    def every_head_is_what_the_model_says(self) -> None:
        if not hasattr(self, "expected_values"):
            return
        for branch, head in self.expected_values.heads.items():
            where = {} if branch == MAIN else {"branch": branch}
            shown = self.run(tree(self.person, **where))
            assert (shown["revision"] or {}).get("id") == head
            assert _plain(shown) == self.expected_values.trees[head]

    @invariant()
    def history_is_what_was_committed(self) -> None:
        if hasattr(self, "expected_values"):
            found = self.run(revisions(self.person, limit=100))
            assert [each["id"] for each in found] == self.expected_values.commits[MAIN]

    def teardown(self) -> None:
        """Every revision ever made is still what it was."""
        for revision, model in getattr(self, "expected_values", ExpectedValues()).trees.items():
            if revision:
                assert _plain(self.run(tree(self.person, revisionId=revision))) == model


def _plain(shown: dict[str, Any]) -> ModelTree:
    return {
        key: {name: node[name] for name in ("title", "notes", "archived")}
        for key, node in by_id(shown).items()
    }


@pytest.fixture
async def loop_runner(server_url: str) -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """The machine is not async; it waits for a loop in another thread."""
    loop = asyncio.get_running_loop()
    return lambda work: asyncio.run_coroutine_threadsafe(work, loop).result(60)


async def test_values_behave_like_a_dictionary(
    api: Api, loop_runner: Callable[[Coroutine[Any, Any, Any]], Any]
) -> None:
    class Machine(ValuesMachine):
        pass

    Machine.api = api
    Machine.run = staticmethod(loop_runner)
    quick = settings(
        max_examples=6,
        stateful_step_count=15,
        deadline=None,
        # Shrinking takes minutes through HTTP; the steps of a failure are printed anyway.
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    await asyncio.to_thread(run_state_machine_as_test, Machine, settings=quick)
