"""Filters of lists. All conditions that are sent must hold."""

from typing import Annotated

import strawberry
from pydantic import Field

from app.core.inputs import Input
from app.core.text import LifeArea
from app.domains.goals.inputs.field_types import InputDate, InputMoment, SubCategoryName
from app.domains.goals.types import GoalStatus, Priority, ProjectStatus, TaskStatus, TimeHorizon

Priorities = Annotated[list[Priority], Field(max_length=4)]
TaskStatuses = Annotated[list[TaskStatus], Field(max_length=6)]
GoalStatuses = Annotated[list[GoalStatus], Field(max_length=6)]
ProjectStatuses = Annotated[list[ProjectStatus], Field(max_length=5)]

FIRST_DAY, LAST_DAY = "The first day, in your time zone.", "The last day, in your time zone."
FIRST_MOMENT, LAST_MOMENT = "The first moment.", "The last moment."
PRIORITIES = "One of these priorities. An empty list finds nothing."
STATUSES = "One of these statuses. An empty list finds nothing."
AREA = "Life area, in any letter case."
SUB_CATEGORY = "In any letter case."
TAG = "A tag in any notation: #Deep Work finds deep-work."
TEXT = "A part of the title, in any letter case."


@strawberry.input(description="Conditions on tasks. All that are sent must hold.")
class TaskFilter(Input):
    statuses: TaskStatuses | None = strawberry.field(default=strawberry.UNSET, description=STATUSES)
    is_open: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="True: NotStarted, InProgress, Blocked or OnHold. False: Done or Cancelled.",
    )
    priorities: Priorities | None = strawberry.field(
        default=strawberry.UNSET, description=PRIORITIES
    )
    goal_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Linked to this goal."
    )
    project_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Linked to this project."
    )
    area: LifeArea | None = strawberry.field(default=strawberry.UNSET, description=AREA)
    sub_category: SubCategoryName | None = strawberry.field(
        default=strawberry.UNSET, description=SUB_CATEGORY
    )
    tag: str | None = strawberry.field(default=strawberry.UNSET, description=TAG)
    text: str | None = strawberry.field(default=strawberry.UNSET, description=TEXT)
    has_due_date: bool | None = strawberry.field(
        default=strawberry.UNSET, description="Only tasks with, or only tasks without a due date."
    )
    due_from: InputDate | None = strawberry.field(default=strawberry.UNSET, description=FIRST_DAY)
    due_to: InputDate | None = strawberry.field(default=strawberry.UNSET, description=LAST_DAY)
    scheduled_from: InputDate | None = strawberry.field(
        default=strawberry.UNSET, description=FIRST_DAY
    )
    scheduled_to: InputDate | None = strawberry.field(
        default=strawberry.UNSET, description=LAST_DAY
    )
    completed_from: InputMoment | None = strawberry.field(
        default=strawberry.UNSET, description=FIRST_MOMENT
    )
    completed_to: InputMoment | None = strawberry.field(
        default=strawberry.UNSET, description=LAST_MOMENT
    )
    updated_from: InputMoment | None = strawberry.field(
        default=strawberry.UNSET, description=FIRST_MOMENT
    )
    updated_to: InputMoment | None = strawberry.field(
        default=strawberry.UNSET, description=LAST_MOMENT
    )


@strawberry.input(description="Conditions on goals. All that are sent must hold.")
class GoalFilter(Input):
    statuses: GoalStatuses | None = strawberry.field(default=strawberry.UNSET, description=STATUSES)
    is_open: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="True: Planning, Active, OnTrack or AtRisk. False: Achieved or Abandoned.",
    )
    priorities: Priorities | None = strawberry.field(
        default=strawberry.UNSET, description=PRIORITIES
    )
    time_horizon: TimeHorizon | None = strawberry.field(
        default=strawberry.UNSET, description="Of this time horizon."
    )
    parent_goal_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Children of this goal."
    )
    area: LifeArea | None = strawberry.field(default=strawberry.UNSET, description=AREA)
    sub_category: SubCategoryName | None = strawberry.field(
        default=strawberry.UNSET, description=SUB_CATEGORY
    )
    tag: str | None = strawberry.field(default=strawberry.UNSET, description=TAG)
    text: str | None = strawberry.field(default=strawberry.UNSET, description=TEXT)
    target_from: InputDate | None = strawberry.field(
        default=strawberry.UNSET, description="The first target date."
    )
    target_to: InputDate | None = strawberry.field(
        default=strawberry.UNSET, description="The last target date."
    )
    updated_from: InputMoment | None = strawberry.field(
        default=strawberry.UNSET, description=FIRST_MOMENT
    )
    updated_to: InputMoment | None = strawberry.field(
        default=strawberry.UNSET, description=LAST_MOMENT
    )


@strawberry.input(description="Conditions on projects. All that are sent must hold.")
class ProjectFilter(Input):
    statuses: ProjectStatuses | None = strawberry.field(
        default=strawberry.UNSET, description=STATUSES
    )
    is_open: bool | None = strawberry.field(
        default=strawberry.UNSET,
        description="True: Planning, Active or OnHold. False: Completed or Cancelled.",
    )
    priorities: Priorities | None = strawberry.field(
        default=strawberry.UNSET, description=PRIORITIES
    )
    goal_id: strawberry.ID | None = strawberry.field(
        default=strawberry.UNSET, description="Linked to this goal."
    )
    area: LifeArea | None = strawberry.field(default=strawberry.UNSET, description=AREA)
    sub_category: SubCategoryName | None = strawberry.field(
        default=strawberry.UNSET, description=SUB_CATEGORY
    )
    text: str | None = strawberry.field(default=strawberry.UNSET, description=TEXT)
    end_from: InputDate | None = strawberry.field(
        default=strawberry.UNSET, description="The first planned end."
    )
    end_to: InputDate | None = strawberry.field(
        default=strawberry.UNSET, description="The last planned end."
    )
    updated_from: InputMoment | None = strawberry.field(
        default=strawberry.UNSET, description=FIRST_MOMENT
    )
    updated_to: InputMoment | None = strawberry.field(
        default=strawberry.UNSET, description=LAST_MOMENT
    )
