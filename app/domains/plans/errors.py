"""
AppError
├── Conflict
│   ├── HeadMoved         CONFLICT             the head has moved; says currentHead
│   └── MergeStopped      CONFLICT             internal: both sides changed the same thing
├── ActionNeedsDriver     ACTION_NEEDS_DRIVER  an action without a live driver
├── WrongParent           WRONG_PARENT         a node under one that cannot hold it
├── ParentArchived        PARENT_ARCHIVED      a live node whose parents are all archived
├── TreeCycle             TREE_CYCLE           a node would be its own ancestor
├── ActionNotLive         ACTION_NOT_LIVE      a new todo of an action that is not in the tree
├── ActionTwice           ACTION_TWICE         two todos of one action
├── BlocksOverlap         BLOCKS_OVERLAP       two time blocks at one time
├── NotInTodos            NOT_IN_TODOS         a pomodoro of an action that is not planned
├── NothingToUndo         NOTHING_TO_UNDO      there is no commit yet
└── BranchExists          BRANCH_EXISTS        the name is in use already
"""

from collections.abc import Sequence
from dataclasses import dataclass

from app.core.errors import AppError, Conflict, StaleVersion


class HeadMoved(StaleVersion):
    def __init__(self, head: str | None) -> None:
        Conflict.__init__(
            self,
            "The head has moved. Read the current head and repeat on top of it, "
            "or send merge: true.",
            currentHead=head,
        )


@dataclass(frozen=True, slots=True)
class Clash:
    """What both sides changed. `node` is empty for the order of the roots."""

    node: str
    field: str
    base: str | None
    ours: str | None
    theirs: str | None


class MergeStopped(Conflict):
    """Carries the conflicts to the service, which returns them as data."""

    def __init__(self, head: str | None, conflicts: Sequence[Clash]) -> None:
        super().__init__("Both sides changed the same thing.", currentHead=head)
        self.head = head
        self.conflicts = conflicts


class TreeError(AppError):
    """`node` is the one that breaks the rule."""

    code = "BAD_INPUT"

    def __init__(self, message: str, node: str) -> None:
        super().__init__(message, nodeId=node)


class ActionNeedsDriver(TreeError):
    code = "ACTION_NEEDS_DRIVER"

    def __init__(self, node: str, title: str) -> None:
        super().__init__(
            f"The action {title!r} needs a driverId that names a driver which is not archived.",
            node,
        )


class WrongParent(TreeError):
    code = "WRONG_PARENT"


class ParentArchived(TreeError):
    code = "PARENT_ARCHIVED"

    def __init__(self, node: str, title: str) -> None:
        super().__init__(
            f"All parents of {title!r} are archived. Restore one, or move {title!r} first.",
            node,
        )


class TreeCycle(TreeError):
    code = "TREE_CYCLE"

    def __init__(self, node: str, title: str) -> None:
        super().__init__(f"{title!r} would be its own ancestor.", node)


class ActionNotLive(AppError):
    code = "ACTION_NOT_LIVE"

    def __init__(self, action_id: str, field: str) -> None:
        super().__init__(
            "This is not an action of your values tree, or it is archived.",
            field=field,
            actionId=action_id,
        )


class ActionTwice(AppError):
    code = "ACTION_TWICE"

    def __init__(self, action_id: str, field: str) -> None:
        super().__init__(
            "An action can be planned once a day. Raise estimatedPomodoros instead.",
            field=field,
            actionId=action_id,
        )


class BlocksOverlap(AppError):
    code = "BLOCKS_OVERLAP"

    def __init__(self, first: str, second: str) -> None:
        super().__init__(
            "Two blocks overlap. Only a BUFFER may overlap another block.",
            blockIds=[first, second],
        )


class NotInTodos(AppError):
    code = "NOT_IN_TODOS"

    def __init__(self, action_id: str, field: str) -> None:
        super().__init__(
            "The action of a pomodoro must be a todo of the day. Add the todo first.",
            field=field,
            actionId=action_id,
        )


class NothingToUndo(AppError):
    code = "NOTHING_TO_UNDO"

    def __init__(self) -> None:
        super().__init__("There is no commit to undo.")


class BranchExists(AppError):
    code = "BRANCH_EXISTS"

    def __init__(self, name: str) -> None:
        super().__init__(
            f"The branch {name} exists already. Choose another name, or drop it first.",
            field="input.name",
        )
