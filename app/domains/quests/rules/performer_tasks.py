"""How a performer's own task follows its quest."""

from collections.abc import Mapping

from app.domains.goals.types import Task, TaskStatus
from app.domains.quests.types import QuestAction, TaskOutcome

STATUS_AFTER = {
    TaskOutcome.DONE: TaskStatus.Done,
    TaskOutcome.DROPPED: TaskStatus.Cancelled,
    TaskOutcome.RESUMED: TaskStatus.NotStarted,
}
# Shown to the performer in the activity of the goal.
REASON_DROPPED: Mapping[QuestAction, str] = {
    QuestAction.UNCLAIM: "You gave the quest back.",
    QuestAction.RELEASE: "Its creator took the quest back.",
    QuestAction.LAPSE: "Your claim on the quest ran out.",
    QuestAction.EXPIRE: "The quest has expired.",
    QuestAction.CANCEL: "Its creator cancelled the quest.",
    QuestAction.RESOLVE: "A moderator cancelled the quest.",
}
REASON_ERASED = "The account of the quest's creator was deleted, and the quest with it."
REASON_SUBMITTED = "The work for the quest was submitted."
REASON_CHANGES_REQUESTED = "The creator of the quest requested changes."
REASON_CONTINUED = "A moderator let the quest continue."


def needs_change(task: Task, outcome: TaskOutcome) -> bool:
    match outcome:
        case TaskOutcome.DONE:
            return not task.is_done
        case TaskOutcome.DROPPED:
            return task.is_open
        case TaskOutcome.RESUMED:
            return task.is_done
