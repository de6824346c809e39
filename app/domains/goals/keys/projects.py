"""Keys of projects."""

from app.domains.goals.types import Project
from app.table.entity import Entity, Key, RangeQuery

PROJECT = Entity(
    "Project",
    Project,
    pk="USER#{user_id}",
    sk="PROJECT#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Project#{created_at}"),
    gsi2=("USER#{user_id}#PROJECT", "{status}#{created_at}"),
    gsi3=("USER#{user_id}#AREA#{area:folded}", "PROJECT#{created_at}"),
    owns="PROJECT#{id}",
)


def project(user_id: str, project_id: str) -> Key[Project]:
    """One of a user's projects"""
    return PROJECT.key(user_id=user_id, id=project_id)


def projects_of_user(user_id: str) -> RangeQuery[Project]:
    """A user's projects, by creation time"""
    return PROJECT.within(user_id=user_id)


def projects_by_status(user_id: str, status: str) -> RangeQuery[Project]:
    """A user's projects of one status"""
    return PROJECT.within("GSI2", user_id=user_id, status=status)


def projects_by_area(user_id: str, area: str) -> RangeQuery[Project]:
    """A user's projects in one life area"""
    return PROJECT.within("GSI3", user_id=user_id, area=area)
