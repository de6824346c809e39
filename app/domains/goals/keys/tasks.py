"""Keys of tasks, and of everything that lies in one life area or is due on one day."""

from dataclasses import replace
from typing import Any

from app.core.record import Node
from app.domains.goals.types import Task
from app.table.entity import Entity, Key, RangeQuery, Template

TASK = Entity(
    "Task",
    Task,
    pk="USER#{user_id}",
    sk="TASK#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Task#{created_at}"),
    gsi2=("USER#{user_id}#TASK", "{status}#{created_at}"),
    gsi3=("USER#{user_id}#AREA#{area:folded}", "TASK#{created_at}"),
    gsi4=("DUE#{due_day}[#{shard}]", "{due_at}#TASK#{id}"),
    gsi5=("USER#{user_id}#{agenda}", "{agenda_at}#{id}"),
    gsi6=("USER#{user_id}#DUE", "{due_at}#{id}"),
    owns="TASK#{id}",
)
AREA_AS_SPELT = Template("USER#{user_id}#AREA#{area}")


def task(user_id: str, task_id: str) -> Key[Task]:
    """One of a user's tasks"""
    return TASK.key(user_id=user_id, id=task_id)


def tasks_of_user(user_id: str) -> RangeQuery[Task]:
    """A user's tasks, by creation time"""
    return TASK.within(user_id=user_id)


def tasks_by_status(user_id: str, status: str) -> RangeQuery[Task]:
    """A user's tasks of one status"""
    return TASK.within("GSI2", user_id=user_id, status=status)


def tasks_by_area(user_id: str, area: str) -> RangeQuery[Task]:
    """A user's tasks in one life area"""
    return TASK.within("GSI3", user_id=user_id, area=area)


def tasks_by_due(
    user_id: str, since: str | None = None, until: str | None = None
) -> RangeQuery[Task]:
    """A user's tasks by the moment they are due"""
    return TASK.span("GSI6", user_id=user_id, since=since, until=until)


def agenda(
    user_id: str, since: str | None = None, until: str | None = None, newest_first: bool = False
) -> RangeQuery[Task]:
    """A user's open tasks by the moment they are due or scheduled"""
    return TASK.span(
        "GSI5", user_id=user_id, agenda="OPEN", since=since, until=until, newest_first=newest_first
    )


def tasks_done_between(
    user_id: str, since: str | None = None, until: str | None = None
) -> RangeQuery[Task]:
    """A user's done tasks by the moment of completion"""
    return TASK.span("GSI5", user_id=user_id, agenda="DONE", since=since, until=until)


def records_due_on(
    due_day: str, since: str | None = None, until: str | None = None, shard: str | None = None
) -> RangeQuery[Any]:
    """All users' records due on a UTC day, optionally between two moments"""
    run = TASK.span("GSI4", since=since, until=until, due_day=due_day, shard=shard)
    return replace(run, entity=None)


def records_of_area(user_id: str, area: str) -> RangeQuery[Node]:
    """All records of a user in one life area, by type and date"""
    return RangeQuery(None, TASK.within("GSI3", user_id=user_id, area=area).pk, "GSI3")


def area_as_spelt(user_id: str, area: str) -> str:
    """The partition of a life area in release 0.1, in which letter case counts."""
    return AREA_AS_SPELT.render_required({"user_id": user_id, "area": area}.__getitem__)
