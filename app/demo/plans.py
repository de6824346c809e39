"""The demo user's values, a branch of them, and a plan of yesterday."""

from datetime import datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import strawberry

from app.core.clock import instant, to_day
from app.domains.plans.inputs import (
    AddNodeInput,
    BlockInput,
    CommitPlanInput,
    CommitValuesInput,
    CompleteActionInput,
    CompleteNodeInput,
    CreateValuesBranchInput,
    FinishWeeklyReviewInput,
    TodoInput,
    ValuesOperationInput,
)
from app.domains.plans.types import BlockType, NodeType, TodoClassification
from app.services import Services

DRIVERS = (
    ("health", "Stay healthy"),
    ("family", "Be there for my family"),
    ("craft", "Make things"),
)
MILESTONES = (
    ("fitness", "Run ten kilometres", "health"),
    ("sleep-well", "Sleep seven hours", "health"),
    ("workshop", "A workshop in the cellar", "craft"),
)
ACTIONS = (
    ("shoes", "Buy running shoes", "fitness"),
    ("first-5k", "Run five kilometres without a pause", "fitness"),
    ("no-screens", "No screens after ten", "sleep-well"),
    ("call-mum", "Call Mum on Sunday", "family"),
    ("bench", "Build the workbench", "workshop"),
    ("tools", "Sort the tools", "workshop"),
)


async def fill(services: Services) -> None:
    tree = await services.values.tree(None, None, None)
    if tree is not None and tree.revision is not None:
        return
    await _grow(services)
    await _branch(services)
    await _plan(services)


async def _grow(services: Services) -> None:
    nodes = [_node(key, NodeType.DRIVER, title) for key, title in DRIVERS]
    nodes += [_node(k, NodeType.MILESTONE, title, driver_id=d) for k, title, d in MILESTONES]
    nodes += [_node(k, NodeType.ACTION, title, parent_ids=[p]) for k, title, p in ACTIONS]
    await _commit(services, "What I live for", *(ValuesOperationInput(add=each) for each in nodes))
    await services.values.finish_review(FinishWeeklyReviewInput(message="First review").validate())
    done = CompleteNodeInput(id=strawberry.ID("shoes"))
    await _commit(services, "New shoes", ValuesOperationInput(complete=done))


async def _commit(services: Services, message: str, *operations: ValuesOperationInput) -> None:
    request = CommitValuesInput(message=message, operations=list(operations))
    await services.values.commit_values(request.validate())


def _node(key: str, kind: NodeType, title: str, **more: Any) -> AddNodeInput:
    return AddNodeInput(id=strawberry.ID(key), node_type=kind, title=title, **more)


async def _branch(services: Services) -> None:
    """A branch: Dana moves to the coast."""
    await services.values.create_branch(CreateValuesBranchInput(name="by-the-sea").validate())
    surfing = _node("surf", NodeType.MILESTONE, "Learn to surf", driver_id="health")
    request = CommitValuesInput(
        message="Move to Ericeira",
        branch="by-the-sea",
        operations=[ValuesOperationInput(add=surfing)],
    )
    await services.values.commit_values(request.validate())


async def _plan(services: Services) -> None:
    """Yesterday's plan with open todos, for a rollover."""
    me = await services.profiles.me()
    date = services.profiles.today(me) - timedelta(days=1)
    zone = ZoneInfo(me.time_zone or "UTC")
    nine = datetime.combine(date, time(9), zone)
    urgent = TodoClassification.urgent
    todos = [
        TodoInput(action_id=strawberry.ID("bench"), estimated_pomodoros=4),
        TodoInput(
            action_id=strawberry.ID("first-5k"), classification=urgent, estimated_pomodoros=2
        ),
        TodoInput(action_id=strawberry.ID("tools")),
    ]
    meeting = BlockInput(
        block_type=BlockType.MEETING,
        title="Stand-up",
        start_time_iso=instant(nine),
        end_time_iso=instant(nine + timedelta(minutes=30)),
    )
    request = CommitPlanInput(date=to_day(date), todos=todos, blocks=[meeting])
    await services.plans.commit_plan(request.validate())
    done = CompleteActionInput(action_id=strawberry.ID("tools"), date=to_day(date))
    await services.completion.complete_action(done.validate())
