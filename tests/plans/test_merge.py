"""Three-way merge and diff: every line of the rules with exact values."""

from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from app.domains.plans.errors import Clash
from app.domains.plans.rules import operations
from app.domains.plans.rules.checks import check_tree
from app.domains.plans.rules.diff import Difference, diff, review
from app.domains.plans.rules.merge import merge
from app.domains.plans.rules.three_way import Choices
from app.domains.plans.rules.tree import with_derived_fields
from app.domains.plans.types.tree import NO_PARENT, Tree
from app.domains.plans.types.values import MergeSide
from tests.plans.test_tree_rules import LAST, LATER, NOW, grown, node, small

Edit = Callable[[Tree], None]


def edited(tree: Tree, *edits: Edit) -> Tree:
    new = tree.copy()
    for edit in edits:
        edit(new)
    check_tree(new)
    return with_derived_fields(new)


def title(node_id: str, text: str) -> Edit:
    return lambda tree: operations.update(tree, node_id, {"title": text}, LATER)


def notes(node_id: str, text: str | None) -> Edit:
    return lambda tree: operations.update(tree, node_id, {"notes": text}, LATER)


def done(node_id: str, at: str) -> Edit:
    return lambda tree: operations.complete(tree, node_id, at, at)


def moved(node_id: str, *parents: str) -> Edit:
    return lambda tree: operations.move(tree, node_id, list(parents), LATER)


def archived(node_id: str, at: str = LATER) -> Edit:
    return lambda tree: operations.archive(tree, node_id, at)


def added(node_id: str, **fields: object) -> Edit:
    return lambda tree: operations.add(tree, node(node_id, **fields))  # type: ignore[arg-type]


def both(ours: Edit, theirs: Edit, choices: Choices | None = None) -> tuple[Tree, list[Clash]]:
    base = small()
    tree, clashes = merge(base, edited(base, ours), edited(base, theirs), choices or {})
    if not clashes:
        check_tree(tree)
        tree = with_derived_fields(tree)
    return tree, clashes


def test_different_fields_of_one_node_come_together() -> None:
    tree, clashes = both(title("run", "Walk"), notes("run", "slowly"))
    assert clashes == []
    assert (tree.nodes["run"].title, tree.nodes["run"].notes) == ("Walk", "slowly")


def test_the_same_change_on_both_sides_is_none() -> None:
    tree, clashes = both(title("run", "Walk"), title("run", "Walk"))
    assert (clashes, tree.nodes["run"].title) == ([], "Walk")


def test_the_same_field_changed_differently_is_a_conflict() -> None:
    _, clashes = both(title("run", "Walk"), title("run", "Jog"))
    assert clashes == [Clash("run", "title", "Run", "Walk", "Jog")]
    for side, expected in ((MergeSide.OURS, "Walk"), (MergeSide.THEIRS, "Jog")):
        tree, left = both(title("run", "Walk"), title("run", "Jog"), {("run", "title"): side})
        assert (left, tree.nodes["run"].title) == ([], expected)


def test_cleared_against_changed_is_a_conflict() -> None:
    base = edited(small(), notes("run", "old"))
    ours, theirs = edited(base, notes("run", None)), edited(base, notes("run", "new"))
    _, clashes = merge(base, ours, theirs, {})
    assert clashes == [Clash("run", "notes", "old", None, "new")]


def test_archive_against_edit_is_a_conflict() -> None:
    for edit in (title("sleep", "Nap"), done("sleep", LATER), moved("sleep", "fitness")):
        _, clashes = both(archived("sleep"), edit)
        assert clashes == [Clash("sleep", "archived", "false", "true", "false")]
        _, clashes = both(edit, archived("sleep"))
        assert clashes == [Clash("sleep", "archived", "false", "false", "true")]


def test_archive_against_nothing_archives() -> None:
    tree, clashes = both(archived("sleep"), title("run", "Walk"))
    assert (clashes, tree.nodes["sleep"].archived) == ([], True)
    assert tree.nodes["sleep"].deleted_at == LATER


def test_archive_against_something_new_below_is_a_conflict() -> None:
    ours, theirs = archived("fitness"), added("swim", parent_ids=("fitness",))
    _, clashes = both(ours, theirs)
    assert clashes == [Clash("fitness", "archived", "false", "true", "false")]
    tree, left = both(ours, theirs, {("fitness", "archived"): MergeSide.OURS})
    assert left == []
    assert (tree.nodes["swim"].archived, tree.nodes["swim"].deleted_at) == (True, LATER)
    tree, left = both(ours, theirs, {("fitness", "archived"): MergeSide.THEIRS})
    assert left == []
    assert not tree.nodes["swim"].archived
    assert not tree.nodes["fitness"].archived


def test_the_earliest_completion_wins() -> None:
    for ours, theirs in ((NOW, LATER), (LATER, NOW)):
        tree, clashes = both(done("run", ours), done("run", theirs))
        assert (clashes, tree.nodes["run"].completed_at) == ([], NOW)


def test_a_removed_completion_stays_removed() -> None:
    base = edited(small(), done("run", NOW))
    ours = edited(base, lambda tree: operations.reopen(tree, "run", LATER))
    tree, clashes = merge(base, ours, edited(base, title("sleep", "Nap")), {})
    assert (clashes, tree.nodes["run"].completed_at) == ([], None)


def test_moved_to_two_places_is_a_conflict() -> None:
    base = edited(small(), added("strength", kind="MILESTONE", driver_id="health"))
    ours, theirs = edited(base, moved("run", "strength")), edited(base, moved("run", "health"))
    _, clashes = merge(base, ours, theirs, {})
    assert clashes == [Clash("run", "parentIds", "fitness", "strength", "health")]


def test_a_moved_branch_asks_about_the_branch_only() -> None:
    """Its actions follow its driver on both sides; they are not conflicts of their own."""
    base = edited(small(), added("play", kind="DRIVER"))
    ours, theirs = edited(base, moved("fitness", "work")), edited(base, moved("fitness", "play"))
    _, clashes = merge(base, ours, theirs, {})
    assert clashes == [Clash("fitness", "parentIds", "health", "work", "play")]
    tree, left = merge(base, ours, theirs, {("fitness", "parentIds"): MergeSide.OURS})
    check_tree(tree)
    assert (left, with_derived_fields(tree).nodes["run"].driver_id) == ([], "work")


def test_an_action_added_below_a_branch_that_moved_follows_it() -> None:
    tree, clashes = both(moved("fitness", "work"), added("swim", parent_ids=("fitness",)))
    assert clashes == []
    assert tree.nodes["fitness"].root_driver_id == "work"
    assert tree.nodes["swim"].driver_id == "work"


def test_additions_of_both_sides_are_kept() -> None:
    tree, clashes = both(added("a", driver_id="health"), added("b", driver_id="health"))
    assert clashes == []
    assert tree.children_of("health") == ["fitness", "sleep", "a", "b"]


def test_one_side_reorders_the_other_adds() -> None:
    def reorder(tree: Tree) -> None:
        operations.reorder(tree, "health", ["sleep", "fitness"])

    tree, clashes = both(reorder, added("a", driver_id="health"))
    assert (clashes, tree.children_of("health")) == ([], ["sleep", "a", "fitness"])


def test_two_orders_are_a_conflict() -> None:
    base = edited(small(), added("c", driver_id="health"))

    def order(*ids: str) -> Edit:
        return lambda tree: operations.reorder(tree, "health", list(ids))

    ours = edited(base, order("c", "fitness", "sleep"))
    theirs = edited(base, order("sleep", "fitness", "c"))
    _, clashes = merge(base, ours, theirs, {})
    expected = Clash("health", "order", "fitness,sleep,c", "c,fitness,sleep", "sleep,fitness,c")
    assert clashes == [expected]
    tree, left = merge(base, ours, theirs, {("health", "order"): MergeSide.OURS})
    assert (left, tree.children_of("health")) == ([], ["c", "fitness", "sleep"])


def test_the_order_of_roots_is_merged_too() -> None:
    def reorder(tree: Tree) -> None:
        operations.reorder(tree, None, ["work", "health"])

    tree, clashes = both(reorder, added("play", kind="DRIVER"))
    assert (clashes, tree.children_of(NO_PARENT)) == ([], ["work", "play", "health"])


def test_the_same_id_added_twice_differently_is_a_conflict() -> None:
    ours = added("a", driver_id="health", title="Ours")
    _, clashes = both(ours, added("a", driver_id="health", title="Theirs"))
    assert clashes == [Clash("a", "title", None, "Ours", "Theirs")]


def test_a_node_that_a_restore_removed() -> None:
    base = edited(small(), added("late", driver_id="health"))
    gone = small()
    tree, clashes = merge(base, edited(base, title("run", "Walk")), gone, {})
    assert (clashes, "late" in tree.nodes) == ([], False)
    _, clashes = merge(base, edited(base, title("late", "Later")), gone, {})
    assert clashes == [Clash("late", "exists", "true", "true", "false")]
    tree, _ = merge(
        base, edited(base, title("late", "Later")), gone, {("late", "exists"): MergeSide.OURS}
    )
    assert tree.nodes["late"].title == "Later"
    assert "late" in tree.children_of("health")


EDITS: list[Edit] = [
    title("run", "Walk"),
    title("sleep", "Nap"),
    notes("fitness", "note"),
    done("run", NOW),
    moved("run", "health"),
    moved("fitness", "work"),
    archived("sleep"),
    added("a", driver_id="work"),
    added("m", kind="MILESTONE", parent_ids=("fitness",)),
    lambda tree: operations.reorder(tree, "health", ["sleep"]),
]
some_edits = st.lists(st.sampled_from(range(len(EDITS))), max_size=4, unique=True)


@given(some_edits, some_edits)
@settings(max_examples=200, deadline=None)
def test_merging_is_symmetric(ours: list[int], theirs: list[int]) -> None:
    """With itself, with nothing, and in both directions."""
    base = small()
    one = edited(base, *(EDITS[each] for each in ours))
    other = edited(base, *(EDITS[each] for each in theirs))
    for first, second, expected in ((one, base, one), (base, other, other), (one, one, one)):
        tree, clashes = merge(base, first, second, {})
        assert (with_derived_fields(tree), clashes) == (expected, [])
    left, clashes = merge(base, one, other, {})
    right, mirrored = merge(base, other, one, {})
    assert {(c.node, c.field, c.ours, c.theirs) for c in clashes} == {
        (c.node, c.field, c.theirs, c.ours) for c in mirrored
    }
    if not clashes:
        assert {n.id: (n.title, n.parent_ids, n.archived) for n in left.nodes.values()} == {
            n.id: (n.title, n.parent_ids, n.archived) for n in right.nodes.values()
        }
        check_tree(left)


def test_what_differs() -> None:
    old = small()
    new = edited(
        old,
        title("run", "Walk"),
        done("run", LAST),
        archived("sleep"),
        moved("fitness", "work"),
        added("swim", parent_ids=("fitness",)),
        lambda tree: operations.reorder(tree, None, ["work"]),
    )
    found = diff(old, new)
    assert (found.added, found.removed, found.moved) == (["swim"], [], ["fitness"])
    assert found.changed == {
        "fitness": [Difference("driverId", "health", "work")],
        "run": [
            Difference("title", "Run", "Walk"),
            Difference("driverId", "health", "work"),
            Difference("completedAt", None, LAST),
        ],
        "sleep": [Difference("archived", False, True)],
    }
    assert found.reordered == [NO_PARENT]
    back = diff(new, old)
    assert (back.added, back.removed) == ([], ["swim"])
    assert diff(old, old) == diff(Tree(), Tree())


def test_what_a_review_shows() -> None:
    old = small()
    new = edited(
        old,
        done("run", LAST),
        archived("sleep"),
        moved("fitness", "work"),
        added("swim", parent_ids=("fitness",), completed_at=LAST),
    )
    found = review(old, new)
    assert (found.completed, found.added) == (["run", "swim"], ["swim"])
    assert (found.archived, found.moved) == (["sleep"], ["fitness"])


def test_five_thousand_nodes_merge_at_once() -> None:
    base = grown(node("d", "DRIVER"), *(node(f"a{i}", driver_id="d") for i in range(5_000)))
    ours = edited(base, *(title(f"a{i}", "x") for i in range(0, 5_000, 2)))
    theirs = edited(base, *(title(f"a{i}", "y") for i in range(1, 5_000, 2)))
    tree, clashes = merge(base, ours, theirs, {})
    assert clashes == []
    assert len({each.title for each in tree.nodes.values()}) == 3
