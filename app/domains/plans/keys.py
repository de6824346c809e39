"""Where values and plans are stored, and their access patterns. All keys begin with U#<user>; no
index is used."""

from dataclasses import replace

from app.domains.plans.types import (
    BranchRevision,
    DraftsOfDay,
    PlanBlock,
    PlanDay,
    PlanDraft,
    PlanHead,
    PlanRevision,
    PlanTodo,
    TreeEdge,
    TreeNode,
    ValuesBranch,
    ValuesDraft,
    ValuesHead,
    ValuesRevision,
)
from app.table.entity import LAST_CHARACTER, Entity, Key, RangeQuery, declare_user_partition

USER = "U#{user_id}"
VALUES_SNAPSHOT = "U#{user_id}#VALUES#{rev_id}"
PLAN = "U#{user_id}#PLAN#{date}"
PLAN_SNAPSHOT = "U#{user_id}#PLAN#{date}#{rev_id}"

declare_user_partition(USER)

VALUES_HEAD = Entity("ValuesHead", ValuesHead, pk=USER, sk="HEAD#VALUES")
VALUES_BRANCH = Entity("ValuesBranch", ValuesBranch, pk=USER, sk="HEAD#VALUES#{name}")
VALUES_REVISION = Entity(
    "ValuesRevision",
    ValuesRevision,
    pk=USER,
    sk="REV#VALUES#{rev_ts}#{rev_id}",
    owns=VALUES_SNAPSHOT,
)
BRANCH_REVISION = Entity(
    "BranchRevision",
    BranchRevision,
    pk=USER,
    sk="REV#VALUES-{branch_name}#{rev_ts}#{rev_id}",
    owns=VALUES_SNAPSHOT,
)
TREE_NODE = Entity("TreeNode", TreeNode, pk=VALUES_SNAPSHOT, sk="NODE#{id}")
TREE_EDGE = Entity(
    "TreeEdge", TreeEdge, pk=VALUES_SNAPSHOT, sk="EDGE#{parent_node_id}#{order}#{child_node_id}"
)
PLAN_DAY = Entity("PlanDay", PlanDay, pk=USER, sk="PLAN#{date}", owns=PLAN)
PLAN_HEAD = Entity("PlanHead", PlanHead, pk=PLAN, sk="HEAD")
PLAN_REVISION = Entity(
    "PlanRevision", PlanRevision, pk=PLAN, sk="REV#{rev_ts}#{rev_id}", owns=PLAN_SNAPSHOT
)
PLAN_TODO = Entity("PlanTodo", PlanTodo, pk=PLAN_SNAPSHOT, sk="TODO#{order}#A#{action_id}")
PLAN_BLOCK = Entity("PlanBlock", PlanBlock, pk=PLAN_SNAPSHOT, sk="BLOCK#{start_time_iso}#{id}")
VALUES_DRAFT = Entity(
    "ValuesDraft", ValuesDraft, pk=USER, sk="DRAFT#VALUES#{rev_id}", owns=VALUES_SNAPSHOT
)
PLAN_DRAFT = Entity(
    "PlanDraft", PlanDraft, pk=USER, sk="DRAFT#PLAN#{date}#{rev_id}", owns=PLAN_SNAPSHOT
)
DRAFTS_OF_DAY = Entity("DraftsOfDay", DraftsOfDay, pk="DRAFTS#{day}", sk="U#{user_id}")


def values_head(user_id: str) -> Key[ValuesHead]:
    """The newest revision of a user's values"""
    return VALUES_HEAD.key(user_id=user_id)


def values_branch(user_id: str, name: str) -> Key[ValuesBranch]:
    """The newest revision of a branch"""
    return VALUES_BRANCH.key(user_id=user_id, name=name)


def branches_of_user(user_id: str) -> RangeQuery[ValuesBranch]:
    """A user's branches"""
    return VALUES_BRANCH.within(user_id=user_id)


def values_revision(user_id: str, rev_ts: str, rev_id: str) -> Key[ValuesRevision]:
    """A commit by its id, which contains its time"""
    return VALUES_REVISION.key(user_id=user_id, rev_ts=rev_ts, rev_id=rev_id)


def branch_revision(
    user_id: str, branch_name: str, rev_ts: str, rev_id: str
) -> Key[BranchRevision]:
    """A commit of a branch by its id, which contains its time and branch"""
    return BRANCH_REVISION.key(
        user_id=user_id, branch_name=branch_name, rev_ts=rev_ts, rev_id=rev_id
    )


def values_history(
    user_id: str, since: str | None = None, until: str | None = None
) -> RangeQuery[ValuesRevision]:
    """The commits of a user's values, newest first"""
    return VALUES_REVISION.span(user_id=user_id, since=since, until=until, newest_first=True)


def branch_history(
    user_id: str, branch_name: str, since: str | None = None, until: str | None = None
) -> RangeQuery[BranchRevision]:
    """The commits of a branch, newest first"""
    return BRANCH_REVISION.span(
        user_id=user_id, branch_name=branch_name, since=since, until=until, newest_first=True
    )


def snapshot_of_values(user_id: str, rev_id: str) -> RangeQuery[TreeNode | TreeEdge]:
    """The whole tree of a revision"""
    return RangeQuery(None, TREE_NODE.within(user_id=user_id, rev_id=rev_id).pk)


def node(user_id: str, rev_id: str, node_id: str) -> Key[TreeNode]:
    """One node of a revision"""
    return TREE_NODE.key(user_id=user_id, rev_id=rev_id, id=node_id)


def children_of_node(user_id: str, rev_id: str, parent_node_id: str) -> RangeQuery[TreeEdge]:
    """The children of a node, in order"""
    return TREE_EDGE.within(user_id=user_id, rev_id=rev_id, parent_node_id=parent_node_id)


def planned_days(user_id: str, since: str = "0", until: str = "9") -> RangeQuery[PlanDay]:
    """The days that have a plan, newest first"""
    run = PLAN_DAY.within(user_id=user_id, newest_first=True)
    ends = (run.begins + since, run.begins + until + LAST_CHARACTER)
    return replace(run, begins="", between=ends)


def plan_head(user_id: str, date: str) -> Key[PlanHead]:
    """The newest revision of a day's plan"""
    return PLAN_HEAD.key(user_id=user_id, date=date)


def plan_revision(user_id: str, date: str, rev_ts: str, rev_id: str) -> Key[PlanRevision]:
    """A commit of a day's plan by its id, which contains its time"""
    return PLAN_REVISION.key(user_id=user_id, date=date, rev_ts=rev_ts, rev_id=rev_id)


def plan_history(user_id: str, date: str, until: str | None = None) -> RangeQuery[PlanRevision]:
    """The commits of a day's plan, newest first"""
    return PLAN_REVISION.span(user_id=user_id, date=date, until=until, newest_first=True)


def snapshot_of_plan(user_id: str, date: str, rev_id: str) -> RangeQuery[PlanTodo | PlanBlock]:
    """The whole plan of a revision"""
    return RangeQuery(None, PLAN_TODO.within(user_id=user_id, date=date, rev_id=rev_id).pk)


def drafts_of_user(user_id: str) -> RangeQuery[ValuesDraft | PlanDraft]:
    """Unfinished commits of a user"""
    return RangeQuery(None, VALUES_DRAFT.within(user_id=user_id).pk, begins="DRAFT#")


def users_with_drafts(day: str) -> RangeQuery[DraftsOfDay]:
    """The users that began a commit on a day"""
    return DRAFTS_OF_DAY.within(day=day)


def values_draft(user_id: str, rev_id: str) -> Key[ValuesDraft]:
    """Is this snapshot being written"""
    return VALUES_DRAFT.key(user_id=user_id, rev_id=rev_id)


def plan_draft(user_id: str, date: str, rev_id: str) -> Key[PlanDraft]:
    """Is this day's snapshot being written"""
    return PLAN_DRAFT.key(user_id=user_id, date=date, rev_id=rev_id)
