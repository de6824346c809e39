"""The rules of the tree without any I/O: operations, checks, drawings."""

import pytest

from app.core.errors import AppError, BadInput, LimitExceeded, NotFound
from app.domains.plans.errors import ActionNeedsDriver, ParentArchived, TreeCycle, WrongParent
from app.domains.plans.rules import operations
from app.domains.plans.rules.checks import MOST_NODES, check_tree
from app.domains.plans.rules.drawing import markdown, mermaid, svg
from app.domains.plans.rules.tree import with_derived_fields
from app.domains.plans.types.tree import NO_PARENT, Tree, TreeItem

NOW = "2026-01-10T10:00:00.000Z"
LATER = "2026-01-11T10:00:00.000Z"
LAST = "2026-01-12T10:00:00.000Z"


def node(node_id: str, kind: str = "ACTION", **fields: object) -> TreeItem:
    values = {"title": node_id.title(), "created_at": NOW, "updated_at": NOW} | fields
    return TreeItem(id=node_id, node_type=kind, **values)  # type: ignore[arg-type]


def grown(*nodes: TreeItem) -> Tree:
    tree = Tree()
    for each in nodes:
        operations.add(tree, each)
    check_tree(tree)
    return with_derived_fields(tree)


def small() -> Tree:
    return grown(
        node("health", "DRIVER"),
        node("work", "DRIVER"),
        node("fitness", "MILESTONE", driver_id="health"),
        node("run", driver_id="health", parent_ids=("fitness",)),
        node("sleep", driver_id="health"),
    )


def test_derived_fields() -> None:
    nodes = small().nodes
    facts = {
        each.id: (each.driver_id, each.parent_milestone_id, each.root_driver_id, each.parent_ids)
        for each in nodes.values()
    }
    assert facts == {
        "health": (None, None, "health", ()),
        "work": (None, None, "work", ()),
        "fitness": ("health", None, "health", ("health",)),
        "run": ("health", "fitness", "health", ("fitness",)),
        "sleep": ("health", None, "health", ("health",)),
    }


def test_an_action_gets_the_driver_above_its_parent() -> None:
    tree = small()
    operations.add(tree, node("swim", parent_ids=("fitness",)))
    assert tree.nodes["swim"].driver_id == "health"


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (node("a"), ActionNeedsDriver),
        (node("a", driver_id="fitness"), ActionNeedsDriver),
        (node("d", "DRIVER", parent_ids=("health",)), WrongParent),
        (node("m", "MILESTONE", parent_ids=("run",)), WrongParent),
        (node("a", driver_id="health", parent_ids=("run",)), WrongParent),
    ],
    ids=["no driver", "a milestone as driver", "driver below", "milestone in action", "action"],
)
def test_invalid_trees(wrong: TreeItem, error: type[AppError]) -> None:
    tree = small()
    operations.add(tree, wrong)
    with pytest.raises(error):
        check_tree(tree)


def test_an_archived_driver_does_not_count() -> None:
    tree = small()
    operations.archive(tree, "work", NOW)
    operations.add(tree, node("a", driver_id="work"))
    with pytest.raises(ActionNeedsDriver):
        check_tree(tree)


def test_ids_are_unique_and_parents_are_there() -> None:
    tree = small()
    with pytest.raises(BadInput):
        operations.add(tree, node("run", driver_id="health"))
    with pytest.raises(NotFound):
        operations.add(tree, node("a", driver_id="health", parent_ids=("nowhere",)))


def test_a_driver_with_actions_cannot_become_a_milestone() -> None:
    tree = small()
    operations.update(tree, "health", {"node_type": "MILESTONE"}, NOW)
    with pytest.raises(ActionNeedsDriver):
        check_tree(tree)
    free = small()
    operations.update(free, "work", {"node_type": "MILESTONE"}, NOW)
    check_tree(free)
    assert with_derived_fields(free).nodes["work"].root_driver_id is None


def test_moving_takes_everything_below_to_the_new_driver() -> None:
    tree = small()
    operations.move(tree, "fitness", ["work"], LATER)
    check_tree(tree)
    nodes = with_derived_fields(tree).nodes
    assert (nodes["fitness"].root_driver_id, nodes["fitness"].driver_id) == ("work", "work")
    assert (nodes["run"].driver_id, nodes["run"].root_driver_id) == ("work", "work")
    assert nodes["run"].parent_milestone_id == "fitness"
    assert nodes["sleep"].driver_id == "health"
    assert tree.children_of("work") == ["fitness"]
    assert tree.children_of("health") == ["sleep"]


def test_an_action_with_a_driver_of_its_own_keeps_it() -> None:
    tree = small()
    operations.add(tree, node("budget", driver_id="work", parent_ids=("fitness",)))
    operations.move(tree, "fitness", [], LATER)
    assert tree.nodes["budget"].driver_id == "work"
    assert tree.nodes["run"].driver_id == "health"


def test_an_action_moved_without_parents_gets_its_driver_as_parent() -> None:
    tree = small()
    operations.move(tree, "run", [], LATER)
    assert tree.nodes["run"].parent_ids == ("health",)
    operations.move(tree, "run", [], LATER, driver_id="work")
    assert (tree.nodes["run"].parent_ids, tree.nodes["run"].driver_id) == (("work",), "work")


def test_several_parents_are_allowed_and_cycles_are_not() -> None:
    tree = small()
    operations.add(tree, node("m", "MILESTONE", parent_ids=("fitness", "work")))
    check_tree(tree)
    assert with_derived_fields(tree).nodes["m"].root_driver_id == "health"
    with pytest.raises(TreeCycle):
        operations.move(tree, "fitness", ["m"], LATER)
    with pytest.raises(TreeCycle):
        operations.move(tree, "m", ["m"], LATER)


def test_a_cycle_is_found_wherever_it_comes_from() -> None:
    nodes = [
        node("d", "DRIVER"),
        node("a", "MILESTONE", parent_ids=("b",)),
        node("b", "MILESTONE", parent_ids=("a",)),
    ]
    tree = Tree({each.id: each for each in nodes}, {NO_PARENT: ["d"], "a": ["b"], "b": ["a"]})
    with pytest.raises(TreeCycle):
        check_tree(tree)
    assert with_derived_fields(tree).nodes["a"].root_driver_id is None


def test_reordering() -> None:
    tree = grown(node("d", "DRIVER"), *(node(f"a{i}", driver_id="d") for i in range(12)))
    assert tree.children_of("d") == [f"a{i}" for i in range(12)]
    operations.reorder(tree, "d", ["a10", "a2"])
    assert tree.children_of("d")[:4] == ["a10", "a2", "a0", "a1"]
    operations.add(tree, node("first", driver_id="d"), position=0)
    assert tree.children_of("d")[0] == "first"
    operations.add(tree, node("e", "DRIVER"))
    operations.reorder(tree, None, ["e"])
    assert tree.children_of(NO_PARENT) == ["e", "d"]
    with pytest.raises(BadInput):
        operations.reorder(tree, "d", ["e"])
    with pytest.raises(NotFound):
        operations.reorder(tree, "nowhere", [])


def test_completing_keeps_the_first_time() -> None:
    tree = small()
    operations.complete(tree, "run", NOW, NOW)
    operations.complete(tree, "run", LATER, LATER)
    assert tree.nodes["run"].completed_at == NOW
    operations.reopen(tree, "run", LATER)
    assert tree.nodes["run"].completed_at is None
    with pytest.raises(BadInput):
        operations.complete(tree, "health", NOW, NOW)


def test_archiving_includes_nodes_without_another_live_parent() -> None:
    tree = small()
    operations.add(tree, node("shared", driver_id="work", parent_ids=("fitness", "work")))
    operations.archive(tree, "health", LATER)
    check_tree(tree)
    archived = {each.id for each in tree.nodes.values() if each.archived}
    assert archived == {"health", "fitness", "run", "sleep"}
    assert tree.nodes["run"].deleted_at == LATER
    assert tree.children_of("fitness") == ["run", "shared"]


def test_restoring_includes_what_was_archived_together() -> None:
    tree = small()
    operations.archive(tree, "sleep", NOW)
    operations.archive(tree, "health", LATER)
    operations.restore(tree, "health", LAST)
    check_tree(tree)
    assert [each.id for each in tree.nodes.values() if each.archived] == ["sleep"]
    assert tree.nodes["run"].deleted_at is None


def test_a_live_node_needs_a_live_parent() -> None:
    tree = small()
    operations.archive(tree, "fitness", NOW)
    operations.restore(tree, "run", LATER)
    with pytest.raises(ParentArchived):
        check_tree(tree)


def test_one_node_of_an_older_tree() -> None:
    old, new = small(), small()
    operations.update(new, "run", {"title": "Walk"}, LATER)
    operations.move(new, "run", ["work"], LATER)
    operations.restore_node(new, old, "run", LAST)
    check_tree(new)
    assert (new.nodes["run"].title, new.nodes["run"].parent_ids) == ("Run", ("fitness",))
    assert new.children_of("work") == []
    with pytest.raises(NotFound):
        operations.restore_node(new, old, "nowhere", LAST)


def test_the_size_is_limited() -> None:
    nodes = {f"n{i}": node(f"n{i}", "DRIVER") for i in range(MOST_NODES + 1)}
    with pytest.raises(LimitExceeded):
        check_tree(Tree(nodes, {NO_PARENT: list(nodes)}))


def deep(levels: int) -> Tree:
    chain = [node("m0", "MILESTONE", parent_ids=("d",))]
    chain += [node(f"m{i}", "MILESTONE", parent_ids=(f"m{i - 1}",)) for i in range(1, levels)]
    return grown(
        node("d", "DRIVER"), *chain, node("leaf", driver_id="d", parent_ids=(f"m{levels - 1}",))
    )


def test_a_tree_of_a_thousand_levels_is_checked() -> None:
    tree = deep(1_000)
    assert tree.nodes["leaf"].root_driver_id == "d"
    assert tree.nodes["m999"].root_driver_id == "d"
    operations.add(tree, node("e", "DRIVER"))
    operations.move(tree, "m0", ["e"], LATER)
    assert with_derived_fields(tree).nodes["leaf"].driver_id == "e"
    operations.archive(tree, "e", LAST)
    check_tree(tree)
    assert all(each.archived for each in tree.nodes.values() if each.id != "d")
    operations.restore(tree, "e", LAST)
    assert not tree.nodes["leaf"].archived
    assert markdown(tree).count("\n") == 1_007
    assert mermaid(tree).count("-->") == 1_001
    assert svg(tree, "deep").count("<circle") == 1_003


def test_as_markdown() -> None:
    tree = small()
    operations.update(tree, "run", {"title": "Run *5* km", "notes": "Slowly.\nTwice"}, NOW)
    operations.complete(tree, "sleep", NOW, NOW)
    operations.add(tree, node("old", driver_id="work"))
    operations.archive(tree, "old", NOW)
    assert markdown(tree) == (
        "# Values\n\n"
        "## Health\n\n"
        "- [ ] **Fitness**\n"
        "  - [ ] Run \\*5\\* km\n"
        "    > Slowly.\n"
        "    > Twice\n"
        "- [x] Sleep\n"
        "## Work\n"
    )
    assert markdown(Tree()) == "# Values\n"


def test_a_node_with_two_parents_is_written_out_once() -> None:
    """Diamonds on diamonds would double the text at every level."""
    tree = grown(node("d", "DRIVER"))
    above = ["d"]
    for level in range(40):
        for side in "ab":
            operations.add(tree, node(f"{side}{level}", "MILESTONE", parent_ids=tuple(above)))
        above = [f"a{level}", f"b{level}"]
    assert markdown(tree).count("- [ ] **") == 80
    assert markdown(tree).count("(see above)") == 78
    assert svg(tree, "x").count("<circle") == 1 + 80 + 78


def test_as_mermaid() -> None:
    tree = grown(node("d", "DRIVER", title='Say "hi"; <b>'), node("a", driver_id="d"))
    operations.complete(tree, "a", NOW, NOW)
    assert mermaid(tree) == (
        'flowchart LR\n  n0(["Say #34;hi#34;#59; #60;b#62;"])\n  n1("✓ A")\n  n0 --> n1\n'
    )


def test_titles_are_escaped_in_pictures() -> None:
    tree = grown(node("d", "DRIVER", title="<script>alert(1)</script>"))
    picture = svg(tree, "<b>")
    assert "<script" not in picture
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in picture
    assert "<title>&lt;b&gt;</title>" in picture
