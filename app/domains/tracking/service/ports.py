"""Calls to the domains above this one. A port does nothing unless app/services.py connects it."""

from collections.abc import Sequence

from app.domains.service import Service
from app.table.writes import Write


class LinkedGoals(Service):
    """The goals that metrics and habits are linked to."""

    async def refresh(self, goal_ids: Sequence[str]) -> None:
        """Called after a change that may move the progress of these goals."""

    async def following_metric(self, metric_id: str) -> list[str]:
        """The goals with a criterion that follows the metric. They need not be linked to it."""
        return []

    def metric_links(
        self, metric_id: str, *, linked: Sequence[str], following: Sequence[str]
    ) -> list[Write]:
        """Deletes the items that lead to these goals, in the transaction of the deletion."""
        return []

    def habit_links(self, habit_id: str, goal_ids: Sequence[str]) -> list[Write]:
        """The same for a habit."""
        return []


class SharedRecords(Service):
    """Which records are shared with other users."""

    async def forget(self, kind: str, record_id: str) -> None:
        """Ends the sharing of a deleted record. Called before and after a habit is deleted: before,
        so that an interrupted deletion can be repeated; after, for what was shared meanwhile."""
