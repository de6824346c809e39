"""Keys of goals, their milestones and their history."""

from app.domains.goals.types import Goal, GoalActivity, Milestone
from app.table.entity import Entity, Key, RangeQuery

GOAL = Entity(
    "Goal",
    Goal,
    pk="USER#{user_id}",
    sk="GOAL#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Goal#{created_at}"),
    gsi2=("USER#{user_id}#GOAL", "{status}#{created_at}"),
    gsi3=("USER#{user_id}#AREA#{area:folded}", "GOAL#{created_at}"),
    gsi6=("USER#{user_id}#HORIZON#{time_horizon}", "GOAL#{created_at}"),
    owns="GOAL#{id}",
)
MILESTONE = Entity(
    "Milestone",
    Milestone,
    pk="USER#{user_id}",
    sk="MILESTONE#{goal_id}#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Milestone#{created_at}"),
)
ACTIVITY = Entity(
    "GoalActivity", GoalActivity, pk="GOAL#{goal_id}", sk="ACTIVITY#{created_at}#{id}"
)


def goal(user_id: str, goal_id: str) -> Key[Goal]:
    """One of a user's goals"""
    return GOAL.key(user_id=user_id, id=goal_id)


def goals_of_user(user_id: str) -> RangeQuery[Goal]:
    """A user's goals, by creation time"""
    return GOAL.within(user_id=user_id)


def goals_by_status(user_id: str, status: str) -> RangeQuery[Goal]:
    """A user's goals of one status"""
    return GOAL.within("GSI2", user_id=user_id, status=status)


def goals_by_area(user_id: str, area: str) -> RangeQuery[Goal]:
    """A user's goals in one life area"""
    return GOAL.within("GSI3", user_id=user_id, area=area)


def goals_by_horizon(user_id: str, horizon: str) -> RangeQuery[Goal]:
    """A user's goals of one time horizon"""
    return GOAL.within("GSI6", user_id=user_id, time_horizon=horizon)


def milestone(user_id: str, goal_id: str, milestone_id: str) -> Key[Milestone]:
    """One milestone of a user's goal"""
    return MILESTONE.key(user_id=user_id, goal_id=goal_id, id=milestone_id)


def milestones_of_goal(user_id: str, goal_id: str) -> RangeQuery[Milestone]:
    """A goal's milestones"""
    return MILESTONE.within(user_id=user_id, goal_id=goal_id)


def milestones_of_user(user_id: str) -> RangeQuery[Milestone]:
    """All of a user's milestones"""
    return MILESTONE.within(user_id=user_id)


def activity_of_goal(goal_id: str) -> RangeQuery[GoalActivity]:
    """A goal's activities, newest first"""
    return ACTIVITY.within(goal_id=goal_id, newest_first=True)
