"""What can be done with characters and their goals."""

from app.domains.characters.service.character_deletion import (
    CharacterDeletion,
    characters_to_finish,
)
from app.domains.characters.service.characters import Characters
from app.domains.characters.service.due import goals_due, unfinished_deletions
from app.domains.characters.service.goal_messages import GoalMessages
from app.domains.characters.service.goals import CharacterGoals
from app.domains.characters.service.polling import Polling
from app.domains.characters.service.progress import Progress

__all__ = [
    "CharacterDeletion",
    "CharacterGoals",
    "Characters",
    "GoalMessages",
    "Polling",
    "Progress",
    "characters_to_finish",
    "goals_due",
    "unfinished_deletions",
]
