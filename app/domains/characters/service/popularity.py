"""How many characters have a goal for a skill: counted as goals are created and deleted."""

from collections import Counter
from collections.abc import Iterable

from app.core.scalars import AWSDateTime
from app.domains.characters import keys
from app.domains.characters.rules.attributes import skill_named
from app.table.writes import Update, Write


def skill_count_writes(
    now: AWSDateTime, *, more: Iterable[str] = (), fewer: Iterable[str] = ()
) -> list[Write]:
    """Only skills of the game: other attributes are private."""
    change = Counter(each for each in more if skill_named(each))
    change.subtract(each for each in fewer if skill_named(each))
    return [
        Update(
            keys.popular_skill(skill),
            put={"updatedAt": now},
            add={"count": by, "version": 1},
            first={"createdAt": now, "skill": skill},
        )
        for skill, by in change.items()
        if by
    ]
