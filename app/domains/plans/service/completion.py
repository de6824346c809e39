"""Completing an action in the values and in the day's plan, in one transaction."""

from functools import partial

from app.core.clock import to_day
from app.core.errors import NotFound
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.goals.service import GoalWriter
from app.domains.goals.service.ports import TaskObserver
from app.domains.goals.types import Task
from app.domains.people.service import Profiles
from app.domains.plans.errors import ActionNotLive
from app.domains.plans.inputs import CompleteActionInput, ReopenActionInput
from app.domains.plans.rules.branches import BranchTip, CommitNote
from app.domains.plans.rules.operations import check_not_in_the_future, complete, reopen
from app.domains.plans.rules.plan_links import CompletionChange
from app.domains.plans.rules.tree import ACTION
from app.domains.plans.service.plans import DailyPlans
from app.domains.plans.service.snapshots import SnapshotService
from app.domains.plans.service.values import Values
from app.domains.plans.service.values_commits import NewCommit
from app.domains.plans.types import (
    ActionDone,
    ActionReopened,
    CompletedAction,
    ReopenedAction,
    Tree,
    TreeItem,
    ValuesSource,
)
from app.domains.service import Decision, required, uses
from app.table.writes import Write


class Completion(SnapshotService, TaskObserver):
    profiles = uses(Profiles)
    goal_writer = uses(GoalWriter)
    values = uses(Values)
    plans = uses(DailyPlans)

    async def complete_action(self, request: CompleteActionInput) -> CompletedAction:
        date = request.date if isinstance(request.date, str) else await self._today()
        done = await self.commit_once(request, ActionDone, partial(self._decide, request, date))
        await self.goal_writer.finish_pending_milestones()
        return await self._completed(done)

    async def reopen_action(self, request: ReopenActionInput) -> ReopenedAction:
        decide = partial(self._decide_reopening, request.action_id)
        done = await self.commit_once(request, ActionReopened, decide)
        await self.goal_writer.finish_pending_milestones()
        return await self._reopened(done)

    async def on_done_changed(self, task: Task) -> list[Write]:
        """Completes or reopens the action that points to the task."""
        if task.action_id is None or self.values.links.is_changing(task.id):
            return []
        await self.join_commit()
        tip = await self.values.tip(None)
        tree = await self.values.snapshot(tip.head_id if tip else None)
        item = tree.nodes.get(task.action_id)
        if tip is None or item is None or item.archived or item.task_id != task.id:
            return []
        if (item.completed_at is not None) == task.is_done:
            return []
        with self.values.links.changing(task.id):
            if not task.is_done:
                return list((await self._reopen(tip, tree, item)).writes)
            decision = await self._complete(tip, tree, item, await self._today(), self.now)
        return list(decision.writes)

    async def _decide_reopening(self, action_id: str) -> Decision[ActionReopened]:
        tip, tree, item = await self._live_action(action_id)
        if item.completed_at is None:
            return Decision(ActionReopened(item.id, tip.head_id or ""))
        commit = await self._reopen(tip, tree, item)
        plans = {str(each.date): each.rev_id for each in commit.plans}
        return Decision(ActionReopened(item.id, commit.revision.rev_id, plans), commit.writes)

    async def _reopen(self, tip: BranchTip, tree: Tree, item: TreeItem) -> NewCommit:
        opened = tree.copy()
        reopen(opened, item.id, self.now)
        note = CommitNote(message=f"Reopen {item.title}", source=ValuesSource.completion)
        return await self.values.new_commit(tip, opened, note)

    async def _reopened(self, done: ActionReopened) -> ReopenedAction:
        tree = required(await self.values.tree(done.values_rev_id, None, None), "action")
        days = sorted(done.plan_rev_ids.items(), reverse=True)
        plans = [await self.plans.plan(AWSDate(date), rev_id, None) for date, rev_id in days]
        return ReopenedAction(
            action=tree.node_of(done.action_id),
            values=required(tree.revision, "action"),
            plans=[each for each in plans if each],
        )

    async def _today(self) -> AWSDate:
        return to_day(self.profiles.today(await self.profiles.me()))

    async def _completed(self, done: ActionDone) -> CompletedAction:
        tree = await self.values.tree(done.values_rev_id, None, None)
        plan = await self.plans.plan(AWSDate(done.date), done.plan_rev_id, None)
        if tree is None or tree.revision is None or plan is None:
            raise NotFound("action")
        return CompletedAction(action=tree.node_of(done.action_id), values=tree.revision, plan=plan)

    async def _decide(self, request: CompleteActionInput, date: AWSDate) -> Decision[ActionDone]:
        at = request.completed_at if isinstance(request.completed_at, str) else self.now
        check_not_in_the_future(at, self.now, "input.completedAt")
        tip, tree, item = await self._live_action(request.action_id)
        return await self._complete(tip, tree, item, date, at)

    async def _complete(
        self, tip: BranchTip, tree: Tree, item: TreeItem, date: AWSDate, at: AWSDateTime
    ) -> Decision[ActionDone]:
        done = tree.copy()
        complete(done, item.id, at, self.now, day=date)
        if done.nodes[item.id] == item:
            return await self._complete_in_plan(tip, item, date)
        note = CommitNote(message=f"Complete {item.title}", source=ValuesSource.completion)
        commit = await self.values.new_commit(tip, done, note)
        plans = {each.date: each.rev_id for each in commit.plans}
        plan_id = plans.get(date) or await self._plan_head(date)
        return Decision(ActionDone(item.id, date, commit.revision.rev_id, plan_id), commit.writes)

    async def _complete_in_plan(
        self, tip: BranchTip, item: TreeItem, date: AWSDate
    ) -> Decision[ActionDone]:
        """The values say so already; the plan may have been restored since."""
        values_id = tip.head_id or ""
        change = CompletionChange(item.id, date, at=item.completed_at)
        stored = await self.values.plan_links.store_day(date, [change])
        if stored is None:
            return Decision(ActionDone(item.id, date, values_id, await self._plan_head(date)))
        decision = self.plans.to_head(stored)
        done = ActionDone(item.id, date, values_id, decision.answer.rev_id)
        return Decision(done, [*decision.writes, self.plans.values_unmoved(values_id)])

    async def _plan_head(self, date: AWSDate) -> str:
        return required(await self.plans.head(date), "revision").head_rev_id

    async def _live_action(self, action_id: str) -> tuple[BranchTip, Tree, TreeItem]:
        tip = required(await self.values.tip(None), "action")
        tree = await self.values.snapshot(tip.head_id)
        item = required(tree.nodes.get(action_id), "action")
        if item.node_type != ACTION:
            raise NotFound("action")
        if item.archived:
            raise ActionNotLive(action_id, "input.actionId")
        return tip, tree, item
