"""A task out of plain words: "Pay rent every month on the 1st at 9 p1 #Wealth"."""

from app.domains.goals.rules.quick_add.reader import read_quick_task
from app.domains.goals.rules.quick_add.task import QuickTask, Understood

__all__ = ["QuickTask", "Understood", "read_quick_task"]
