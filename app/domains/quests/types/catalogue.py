"""Categories of quests, and templates for new ones."""

import strawberry

from app.core.record import Node, Record


@strawberry.type(description="A category of quests. Moderators manage the categories.")
class QuestCategory(Node):
    name: str = strawberry.field(
        description="2 to 60 characters, unique without regard to letter case. Categories that an "
        "earlier release stored may share a name until one of them is renamed."
    )
    description: str | None = None
    quest_count: int = strawberry.field(default=0, description="Quests in it, of any status.")
    user_id: strawberry.Private[str]

    @property
    def name_key(self) -> str:
        return self.name.casefold().replace("#", " ")


@strawberry.type
class CategoryNameLock(Record):
    """The name of a category, in the form in which it is unique."""

    name_key: str
    category_id: str


@strawberry.type
class DefaultRewards:
    xp: int
    reputation: int


@strawberry.type(description="A template for your new quests. Only you see it.")
class QuestTemplate(Node):
    user_id: strawberry.Private[str]
    title: str
    description: str
    default_rewards: DefaultRewards
    tags: list[str] = strawberry.field(default_factory=list)
    requirements: list[str] = strawberry.field(default_factory=list)
    category_id: strawberry.ID | None = None
    max_performers: int = 1
    individual_rewards: bool = False
    dual_attestation: bool = False
