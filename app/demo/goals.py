"""Demo data: two goals, a project and their tasks."""

from datetime import date, timedelta

import strawberry

from app.core.clock import to_day
from app.core.scalars import AWSDate
from app.domains.goals.inputs import (
    CompleteTaskInput,
    CreateGoalInput,
    CreateMilestoneInput,
    CreateProjectInput,
    CreateTaskInput,
    ProgressConfigInput,
    QuickAddTaskInput,
    RecurrenceRuleInput,
    SuccessCriterionInput,
)
from app.domains.goals.types import (
    GoalStatus,
    Priority,
    ProjectStatus,
    RecurrenceFrequency,
    TimeHorizon,
)
from app.services import Services

FIT, RACE, KITCHEN = (strawberry.ID(f"demo-{name}") for name in ("fit", "race", "kitchen"))
SHOES, LONG_RUN, PAINT, MEASURE, SHELVES = (
    strawberry.ID(f"demo-{name}") for name in ("shoes", "long-run", "paint", "measure", "shelves")
)


async def fill(services: Services) -> None:
    if await services.goals.goal(FIT) is not None:
        return
    today = await services.goals.today()
    await _create_goals(services, today)
    await _create_tasks(services, today)
    await services.tasks.quick_add(
        QuickAddTaskInput(text="Pay rent every month on the 1st at 9 p1 #Wealth")
    )
    await services.tasks.complete(CompleteTaskInput(id=SHOES))


def _day_after(days: int, today: date) -> AWSDate:
    return to_day(today + timedelta(days=days))


async def _create_goals(services: Services, today: date) -> None:
    await services.goals.create(
        CreateGoalInput(
            id=FIT,
            title="Be fit enough to enjoy every stair in Lisbon",
            area="Health",
            time_horizon=TimeHorizon.Yearly,
            status=GoalStatus.Active,
            tags=["running"],
            progress_config=ProgressConfigInput(criteria_weight=50),
        )
    )
    await services.goals.create(
        CreateGoalInput(
            id=RACE,
            title="Run the half marathon",
            area="Health",
            time_horizon=TimeHorizon.Quarterly,
            priority=Priority.P1,
            status=GoalStatus.OnTrack,
            target_date=_day_after(80, today),
            parent_goal_id=FIT,
            tags=["running"],
            success_criteria=[
                SuccessCriterionInput(text="Shoes that do not hurt", is_completed=True),
                SuccessCriterionInput(text="Run 15 km once"),
                SuccessCriterionInput(text="Cross the finish line"),
            ],
        )
    )
    for name, percentage in (("Off the sofa", 10), ("Half way", 50), ("Ready", 90)):
        await services.milestones.create(
            CreateMilestoneInput(goal_id=RACE, name=name, percentage=percentage)
        )
    await services.projects.create(
        CreateProjectInput(
            id=KITCHEN,
            name="A kitchen to sit in",
            area="Home",
            status=ProjectStatus.Active,
            impact=4,
            start_date=_day_after(-20, today),
            end_date=_day_after(40, today),
        )
    )


async def _create_tasks(services: Services, today: date) -> None:
    weekly = RecurrenceRuleInput(frequency=RecurrenceFrequency.WEEKLY)
    for request in (
        CreateTaskInput(id=SHOES, title="Buy running shoes", area="Health", size=60,
                        priority=Priority.P2, goal_ids=[RACE]),
        CreateTaskInput(id=LONG_RUN, title="Long run along the river", area="Health", size=90,
                        priority=Priority.P1, goal_ids=[RACE], due_date=_day_after(0, today),
                        recurrence_rule=weekly),
        CreateTaskInput(id=MEASURE, title="Measure the wall", area="Home", size=15,
                        priority=Priority.P2, project_ids=[KITCHEN],
                        due_date=_day_after(-1, today)),
        CreateTaskInput(id=SHELVES, title="Order the shelves", area="Home", size=30,
                        project_ids=[KITCHEN], depends_on_ids=[MEASURE]),
        CreateTaskInput(id=PAINT, title="Choose a colour", area="Home", size=20,
                        priority=Priority.P4, project_ids=[KITCHEN],
                        scheduled_date=_day_after(0, today)),
    ):  # fmt: skip
        await services.tasks.create(request.validate())
