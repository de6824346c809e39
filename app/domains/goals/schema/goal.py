"""Goals in the graph."""

from functools import partial

import strawberry

from app.core.text import normal_words
from app.domains.goals.inputs import (
    AddCriterionInput,
    CompleteCriterionInput,
    CreateGoalInput,
    CreateMilestoneInput,
    DeleteGoalInput,
    DeleteMilestoneInput,
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
from app.domains.goals.schema.arguments import Area, SubCategory, Tag, Text, tag_of
from app.domains.goals.types import Goal, GoalStatus, Milestone, TimeHorizon
from app.graph.context import Info
from app.graph.fields import mutation, query
from app.graph.paging import Limit, NextToken, Page, page
from app.graph.selection import unneeded


@strawberry.type
class GoalsOnlyQuery:
    @query(description="One of your goals; null if there is none with this id.")
    async def goal(self, info: Info, id: strawberry.ID) -> Goal | None:
        return await info.context.goals.goal(id, without=unneeded(info, Goal))

    @query(description="Your goals, in the order they were made.")
    async def goals(
        self,
        info: Info,
        status: GoalStatus | None = None,
        area: Area = None,
        sub_category: SubCategory = None,
        time_horizon: TimeHorizon | None = None,
        tag: Tag = None,
        text: Text = None,
        limit: Limit = 20,
        next_token: NextToken = None,
    ) -> Page[Goal]:
        wanted = info.context.goals.wanted(
            status=status,
            area=area and normal_words(area),
            sub_category=sub_category and normal_words(sub_category),
            time_horizon=time_horizon,
            tag=tag_of(tag),
            text=text,
            without=unneeded(info, Goal),
        )
        fetch = partial(info.context.goals.goals, wanted)
        return await page(info, fetch, limit=limit, next_token=next_token)

    @query(description="One milestone of one of your goals; null if there is none.")
    async def milestone(
        self, info: Info, goal_id: strawberry.ID, id: strawberry.ID
    ) -> Milestone | None:
        return await info.context.milestones.milestone(goal_id, id)


@strawberry.type
class GoalsOnlyMutation:
    @mutation()
    async def create_goal(self, info: Info, input: CreateGoalInput) -> Goal:
        return await info.context.goals.create(input)

    @mutation()
    async def update_goal(self, info: Info, input: UpdateGoalInput) -> Goal:
        return await info.context.goals.update(input)

    @mutation(
        description="Its tasks, projects, metrics and habits stay, without it; goals below it go "
        "up to the next one above. Answers with the goal as it was."
    )
    async def delete_goal(self, info: Info, input: DeleteGoalInput) -> Goal:
        return await info.context.removals.delete_goal(input)

    @mutation(description="Links one task, metric, habit or project. Twice is once.")
    async def link_to_goal(self, info: Info, input: LinkToGoalInput) -> Goal:
        return await info.context.links.link(input)

    @mutation(description="Removes one link. What is not linked stays so.")
    async def unlink_from_goal(self, info: Info, input: UnlinkFromGoalInput) -> Goal:
        return await info.context.links.unlink(input)

    @mutation(description="Counts everything anew. Needed only if something went wrong.")
    async def recompute_goal_progress(self, info: Info, input: RecomputeGoalProgressInput) -> Goal:
        return await info.context.goals.recompute(input)

    @mutation()
    async def add_criterion(self, info: Info, input: AddCriterionInput) -> Goal:
        return await info.context.criteria.add(input)

    @mutation()
    async def update_criterion(self, info: Info, input: UpdateCriterionInput) -> Goal:
        return await info.context.criteria.update(input)

    @mutation()
    async def complete_criterion(self, info: Info, input: CompleteCriterionInput) -> Goal:
        return await info.context.criteria.complete(input)

    @mutation()
    async def reopen_criterion(self, info: Info, input: ReopenCriterionInput) -> Goal:
        return await info.context.criteria.reopen(input)

    @mutation()
    async def remove_criterion(self, info: Info, input: RemoveCriterionInput) -> Goal:
        return await info.context.criteria.remove(input)

    @mutation()
    async def reorder_criteria(self, info: Info, input: ReorderCriteriaInput) -> Goal:
        return await info.context.criteria.reorder(input)

    @mutation(description="At most 20 for one goal.")
    async def create_milestone(self, info: Info, input: CreateMilestoneInput) -> Milestone:
        return await info.context.milestones.create(input)

    @mutation()
    async def update_milestone(self, info: Info, input: UpdateMilestoneInput) -> Milestone:
        return await info.context.milestones.update(input)

    @mutation()
    async def delete_milestone(self, info: Info, input: DeleteMilestoneInput) -> Milestone:
        return await info.context.milestones.delete(input)
