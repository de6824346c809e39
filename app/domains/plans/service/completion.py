"""Completing an action: the values and the day's plan say so in one transaction, or neither."""

from functools import partial

from app.core.caller import Caller
from app.core.clock import day as date_text
from app.core.errors import NotFound
from app.core.scalars import AWSDate, AWSDateTime
from app.domains.goals.types import Task
from app.domains.people.service import Profiles
from app.domains.plans.errors import ActionNotLive
from app.domains.plans.inputs import CompleteActionInput
from app.domains.plans.rules.day import with_done
from app.domains.plans.rules.operations import complete, reopen
from app.domains.plans.rules.tree import ACTION, Node, Tree
from app.domains.plans.service.lines import About, Line
from app.domains.plans.service.plans import Plans
from app.domains.plans.service.snapshots import Committing, Snapshots
from app.domains.plans.service.values import Values
from app.domains.plans.types import ActionDone, CompletedAction, PlanReason, ValuesSource
from app.domains.service import Decision
from app.resources import Resources
from app.table.writes import Write


class Completion(Committing):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        *,
        profiles: Profiles,
        values: Values,
        plans: Plans,
    ) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.values = values
        self.plans = plans

    async def complete_action(self, request: CompleteActionInput) -> CompletedAction:
        date = request.date if isinstance(request.date, str) else await self._today()
        done = await self.commit_once(
            request,
            ActionDone,
            partial(self._decide, request, date),
            lambda each: [each.values_rev_id, each.plan_rev_id],
        )
        await self.values.links.catch_up()
        return await self._shown(done)

    async def task_turned(self, task: Task) -> list[Write]:
        """What a task's completion, or its reopening, means for the action that points to it."""
        if task.action_id is None or self.values.links.is_turning(task.id):
            return []
        line = await self.values.line(None)
        tree = await self.values.snapshot(line.head_id if line else None)
        node = tree.nodes.get(task.action_id)
        if line is None or node is None or node.archived or node.task_id != task.id:
            return []
        if (node.completed_at is not None) == task.is_done:
            return []
        snapshots = Snapshots(self.table, self.now)
        with self.values.links.turning(task.id):
            if not task.is_done:
                return await self._reopened(line, tree, node, snapshots)
            decision = await self._done(line, tree, node, await self._today(), self.now, snapshots)
        return list(decision.writes)

    async def _reopened(
        self, line: Line, tree: Tree, node: Node, snapshots: Snapshots
    ) -> list[Write]:
        opened = tree.copy()
        reopen(opened, node.id, self.now)
        about = About(message=f"Reopen {node.title}", source=ValuesSource.completion)
        decision = await self.values.written(line, opened, about, snapshots)
        return list(decision.writes)

    async def _today(self) -> AWSDate:
        return date_text(self.profiles.today(await self.profiles.me()))

    async def _shown(self, done: ActionDone) -> CompletedAction:
        tree = await self.values.tree(done.values_rev_id, None, None)
        plan = await self.plans.plan(AWSDate(done.date), done.plan_rev_id, None)
        if tree is None or tree.revision is None or plan is None:
            raise NotFound("action")
        return CompletedAction(action=tree.shown[done.action_id], values=tree.revision, plan=plan)

    async def _decide(
        self, request: CompleteActionInput, date: AWSDate, snapshots: Snapshots
    ) -> Decision[ActionDone]:
        at = request.completed_at if isinstance(request.completed_at, str) else self.now
        line, tree, node = await self._action(request.action_id)
        return await self._done(line, tree, node, date, at, snapshots)

    async def _done(
        self,
        line: Line,
        tree: Tree,
        node: Node,
        date: AWSDate,
        at: AWSDateTime,
        snapshots: Snapshots,
    ) -> Decision[ActionDone]:
        values = await self._in_values(line, tree, node, at, snapshots)
        plan = await self._in_plan(node, date, node.completed_at or at, snapshots)
        done = ActionDone(node.id, date, values.answer, plan.answer)
        return Decision(done, [*values.writes, *plan.writes])

    async def _action(self, action_id: str) -> tuple[Line, Tree, Node]:
        line = await self.values.line(None)
        if line is None or line.head_id is None:
            raise NotFound("action")
        tree = await self.values.snapshot(line.head_id)
        node = tree.nodes.get(action_id)
        if node is None or node.node_type != ACTION:
            raise NotFound("action")
        if node.archived:
            raise ActionNotLive(action_id, "input.actionId")
        return line, tree, node

    async def _in_values(
        self, line: Line, tree: Tree, node: Node, at: AWSDateTime, snapshots: Snapshots
    ) -> Decision[str]:
        if node.completed_at:
            head = line.head_id or ""
            return Decision(head, [self.plans.values_unmoved(head)])
        done = tree.copy()
        complete(done, node.id, at, self.now)
        about = About(message=f"Complete {node.title}", source=ValuesSource.completion)
        decision = await self.values.written(line, done, about, snapshots)
        return Decision(decision.answer.rev_id, decision.writes)

    async def _in_plan(
        self, node: Node, date: AWSDate, at: str, snapshots: Snapshots
    ) -> Decision[str]:
        head = await self.plans.repository.head(date)
        plan = await self.plans.plan(date, head.head_rev_id if head else None, None)
        day = plan.content() if plan else None
        if day is None:
            raise NotFound("revision")
        done = with_done(day, node.id, at)
        if head and done == day:
            return Decision(head.head_rev_id)
        revision = self.plans.new_revision(date, head, PlanReason.completion)
        writes: list[Write] = await self.plans.written(head, revision, done, snapshots)
        return Decision(revision.rev_id, writes)
