"""The plan of a day as plain data. A version is no part of what a todo or block says."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    action_id: str
    classification: str = "other"
    estimated_pomodoros: int = 1
    notes: str | None = None
    completed_at: str | None = None
    version: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    id: str
    block_type: str
    start: str
    end: str
    title: str | None = None
    action_id: str | None = None
    pomodoro_index: int | None = None
    version: int = field(default=0, compare=False)

    @property
    def pomodoro(self) -> tuple[str, int] | None:
        """Which pomodoro of which action it is."""
        if self.action_id is None or self.pomodoro_index is None:
            return None
        return (self.action_id, self.pomodoro_index)


@dataclass(frozen=True, slots=True)
class DayPlan:
    todos: tuple[Todo, ...] = ()
    blocks: tuple[Block, ...] = ()

    def todo(self, action_id: str) -> Todo | None:
        return next((each for each in self.todos if each.action_id == action_id), None)
