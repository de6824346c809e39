"""The reads about daily plans that take more than one key."""

from app.domains.plans import keys
from app.domains.plans.rules.revisions import revision_time, was_head_at
from app.domains.plans.types import DailyPlan, PlanRevision, PlanTodo
from app.domains.plans.types.revisions import branch_of
from app.table.gateway import Gateway


class PlansRepository:
    def __init__(self, table: Gateway, user_id: str) -> None:
        self.table = table
        self.user_id = user_id

    async def revision(self, date: str, rev_id: str) -> PlanRevision | None:
        rev_ts = revision_time(rev_id)
        if rev_ts is None or branch_of(rev_id):
            return None
        return await self.table.get(keys.plan_revision(self.user_id, date, rev_ts, rev_id))

    async def head_at(self, date: str, moment: str) -> PlanRevision | None:
        """The newest commit that the head had moved to by then."""
        run = keys.plan_history(self.user_id, date, until=moment)
        async for revision in self.table.query_all(run, page=2):
            if was_head_at(revision, moment):
                return revision
        return None

    async def snapshot(self, revision: PlanRevision) -> DailyPlan:
        run = keys.snapshot_of_plan(self.user_id, revision.date, revision.rev_id)
        plan = DailyPlan(date=revision.date, revision=revision, todos=[], blocks=[])
        async for record in self.table.query_all(run):
            if isinstance(record, PlanTodo):
                plan.todos.append(record)
            else:
                plan.blocks.append(record)
        return plan
