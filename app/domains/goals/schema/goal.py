"""Queries and mutations of goals."""

from functools import partial

import strawberry

from app.domains.goals.inputs import (
    AddCriterionInput,
    CompleteCriterionInput,
    CreateGoalInput,
    CreateMilestoneInput,
    DeleteGoalInput,
    DeleteMilestoneInput,
    GoalFilter,
    LinkToGoalInput,
    RecomputeGoalProgressInput,
    RemoveCriterionInput,
    ReopenCriterionInput,
    ReorderCriteriaInput,
    UnlinkFromGoalInput,
    UpdateCriterionInput,
    UpdateGoalInput,
    UpdateMilestoneInput,
)
from app.domains.goals.schema.arguments import (
    AreaArgument,
    SubCategoryArgument,
    TagArgument,
    TextArgument,
)
from app.domains.goals.schema.list_filters import goal_filter
from app.domains.goals.types import Goal, GoalOrder, GoalStatus, Milestone, TimeHorizon
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.ordering import DirectionArgument, OrderDirection
from app.graph.paging import Limit, NextToken, Page, page


@strawberry.type
class GoalsOnlyQuery:
    @query(description="One of your goals. Null if you have none with this id.")
    async def goal(self, info: Info, id: strawberry.ID) -> Goal | None:
        return await info.context.goals.goal(id)

    @query(
        description="Your goals. A status, an area, a tag, a time horizon or a parent is looked "
        "up; for other conditions at most 5,000 goals are read at once, and a page may then be "
        "short though there is a nextToken."
    )
    async def goals(
        self,
        info: Info,
        status: GoalStatus | None = None,
        area: AreaArgument = None,
        sub_category: SubCategoryArgument = None,
        time_horizon: TimeHorizon | None = None,
        tag: TagArgument = None,
        text: TextArgument = None,
        filter: GoalFilter | None = None,
        order_by: GoalOrder = GoalOrder.CREATED,
        direction: DirectionArgument = OrderDirection.ASC,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Goal]:
        goals = info.context.goals
        found = goal_filter(
            filter,
            status=status,
            area=area,
            sub_category=sub_category,
            time_horizon=time_horizon,
            tag=tag,
            text=text,
        )
        is_descending = direction is OrderDirection.DESC
        fetch = partial(goals.goals, found, order=order_by, is_descending=is_descending)
        count = partial(goals.count, found)
        return await page(info, fetch, limit=limit, next_token=next_token, count=count)

    @query(description="A milestone of one of your goals. Null if there is none with these ids.")
    async def milestone(
        self, info: Info, goal_id: strawberry.ID, id: strawberry.ID
    ) -> Milestone | None:
        return await info.context.milestones.milestone(goal_id, id)


@strawberry.type
class GoalsOnlyMutation:
    @mutation(description="Creates a goal.")
    async def create_goal(self, info: Info, input: CreateGoalInput) -> Goal:
        return await info.context.goals.create(input)

    @mutation(description="Changes the fields that are sent; null clears one.")
    async def update_goal(self, info: Info, input: UpdateGoalInput) -> Goal:
        return await info.context.goals.update(input)

    @mutation(
        description="Its tasks, projects, metrics and habits are kept and unlinked. Its child "
        "goals move to its parent. Returns the goal as it was."
    )
    async def delete_goal(self, info: Info, input: DeleteGoalInput) -> Goal:
        return await info.context.removals.delete_goal(input)

    @mutation(
        description="Links a task, metric, habit or project. No effect if it is linked already."
    )
    async def link_to_goal(self, info: Info, input: LinkToGoalInput) -> Goal:
        return await info.context.links.link_to_goal(input)

    @mutation(description="Removes a link. No effect if there is none.")
    async def unlink_from_goal(self, info: Info, input: UnlinkFromGoalInput) -> Goal:
        return await info.context.links.unlink_from_goal(input)

    @mutation(description="Counts tasks, metrics and habits again. Normally not needed.")
    async def recompute_goal_progress(self, info: Info, input: RecomputeGoalProgressInput) -> Goal:
        return await info.context.goals.recompute(input)

    @mutation(description="Adds a success criterion to a goal.")
    async def add_criterion(self, info: Info, input: AddCriterionInput) -> Goal:
        return await info.context.criteria.add(input)

    @mutation(description="Changes a success criterion.")
    async def update_criterion(self, info: Info, input: UpdateCriterionInput) -> Goal:
        return await info.context.criteria.update(input)

    @mutation(
        description="Says that a criterion is met. One that follows a task or metric is decided by "
        "that."
    )
    async def complete_criterion(self, info: Info, input: CompleteCriterionInput) -> Goal:
        return await info.context.criteria.complete(input)

    @mutation(description="Says that a criterion is not met after all.")
    async def reopen_criterion(self, info: Info, input: ReopenCriterionInput) -> Goal:
        return await info.context.criteria.reopen(input)

    @mutation(
        description="Removes a success criterion; the metric or task that decided it stays as it "
        "is."
    )
    async def remove_criterion(self, info: Info, input: RemoveCriterionInput) -> Goal:
        return await info.context.criteria.remove(input)

    @mutation(description="Puts the criteria of a goal in another order.")
    async def reorder_criteria(self, info: Info, input: ReorderCriteriaInput) -> Goal:
        return await info.context.criteria.reorder(input)

    @mutation(description="A goal has at most 20 milestones.")
    async def create_milestone(self, info: Info, input: CreateMilestoneInput) -> Milestone:
        return await info.context.milestones.create(input)

    @mutation(
        description="Changes a milestone. It is achieved at once if progress has reached its "
        "percentage."
    )
    async def update_milestone(self, info: Info, input: UpdateMilestoneInput) -> Milestone:
        return await info.context.milestones.update(input)

    @mutation(description="Deletes a milestone.")
    async def delete_milestone(self, info: Info, input: DeleteMilestoneInput) -> Milestone:
        return await info.context.milestones.delete(input)
