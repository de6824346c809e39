"""What the domains above do when tasks change. The port does nothing unless app/services.py
connects it."""

from app.domains.goals.types import Task
from app.domains.service import Service
from app.table.writes import Write


class TaskObserver(Service):
    async def on_done_changed(self, task: Task) -> list[Write]:
        """Called when a task was completed or reopened; the writes join its transaction."""
        return []
