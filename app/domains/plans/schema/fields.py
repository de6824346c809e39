"""Fields of values and plans that need a service."""

import strawberry

from app.core.record import computed
from app.core.scalars import AWSURL
from app.domains.plans.rules.drawing import markdown, mermaid
from app.domains.plans.schema.arguments import checked_id
from app.domains.plans.types import DailyPlan, NodeType, PlanBlock, PlanTodo, TreeNode, ValuesTree
from app.domains.plans.types.values import IncludeArchivedNodes
from app.graph.context import Info
from app.graph.fields import fields_of


@fields_of(PlanTodo)
class PlanTodoFields(PlanTodo):
    @computed(description="As it is in your values now; null if it no longer exists.")
    async def action(self, info: Info) -> TreeNode | None:
        return await info.context.values.node_at_head(self.action_id)


@fields_of(PlanBlock)
class PlanBlockFields(PlanBlock):
    @computed(
        description="Of a POMODORO: its action as it is in your values now; null for other blocks, "
        "and if it no longer exists."
    )
    async def action(self, info: Info) -> TreeNode | None:
        return await info.context.values.node_at_head(self.action_id) if self.action_id else None


@fields_of(DailyPlan)
class DailyPlanFields(DailyPlan):
    @computed(
        description="What may be a mistake. Each begins with a stable word: ACTION_ARCHIVED, "
        "ACTION_DONE, ACTION_REOPENED, OUTSIDE_DAY, PAST_MIDNIGHT."
    )
    async def warnings(self, info: Info) -> list[str]:
        return await info.context.plans.warnings(self)


@fields_of(TreeNode)
class TreeNodeFields(TreeNode):
    @computed(description="Its children, in order. An action has none.")
    async def children(
        self, info: Info, include_archived: IncludeArchivedNodes = False
    ) -> list["TreeNode"]:
        if self.node_type == NodeType.ACTION.value:
            return []
        return await info.context.values.children_of(self, include_archived=include_archived)

    @computed(description="All its parents. The first says where it belongs.")
    async def parents(self, info: Info) -> list["TreeNode"]:
        return await info.context.values.parents_of(self)


@fields_of(ValuesTree)
class ValuesTreeFields(ValuesTree):
    @computed(name="node", description="One node by its id; null if it is not in this tree.")
    def node_by_id(self, id: strawberry.ID) -> TreeNode | None:
        return self.node(checked_id("id", id))

    @computed(name="markdown", description="What is not archived, as a Markdown document.")
    def as_markdown(self) -> str:
        return markdown(self.tree)

    @computed(name="mermaid", description="What is not archived, as a Mermaid flow chart.")
    def as_mermaid(self) -> str:
        return mermaid(self.tree)

    @computed(
        description="The URL of an SVG picture of this revision. It needs no token and is valid "
        "for a day. null before the first commit."
    )
    def chart_url(self, info: Info) -> AWSURL | None:
        return info.context.values.chart_address(self.revision.rev_id) if self.revision else None
