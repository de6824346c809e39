"""Categories of quests, and templates for new ones."""

import strawberry

from app.core.record import Node, Record


@strawberry.type(description="A category of quests. Moderators manage the categories.")
class QuestCategory(Node):
    name: str = strawberry.field(
        description="2 to 60 characters, unique without regard to letter case. Categories that an "
        "earlier release stored may share a name until one of them is renamed."
    )
    description: str | None = strawberry.field(
        default=None,
        description="What belongs into it.",
    )
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


@strawberry.type(description="What quests made from a template pay.")
class DefaultRewards:
    xp: int = strawberry.field(
        description="Experience points that a quest from this template pays."
    )
    reputation: int = strawberry.field(
        description="Reputation that a quest from this template pays."
    )


@strawberry.type(description="A template for your new quests. Only you see it.")
class QuestTemplate(Node):
    user_id: strawberry.Private[str]
    title: str = strawberry.field(description="The title of quests made from it.")
    description: str = strawberry.field(description="The description of quests made from it.")
    default_rewards: DefaultRewards = strawberry.field(
        description="What quests made from it pay, unless said otherwise."
    )
    tags: list[str] = strawberry.field(
        default_factory=list,
        description="Words to find them by.",
    )
    requirements: list[str] = strawberry.field(
        default_factory=list,
        description="The checklist of quests made from it.",
    )
    category_id: strawberry.ID | None = strawberry.field(
        default=None,
        description="Their category; null: none.",
    )
    max_performers: int = strawberry.field(
        default=1,
        description="How many may take part.",
    )
    individual_rewards: bool = strawberry.field(
        default=False,
        description="true: each performer gets the whole reward; false: it is divided.",
    )
    dual_attestation: bool = strawberry.field(
        default=False,
        description="Whether the performer must attest, too.",
    )
