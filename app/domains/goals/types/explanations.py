"""The parts of computed numbers, so that a front end can show why."""

import strawberry


@strawberry.type(description="How the points of a task come about: minutes times multiplier.")
class PointsExplanation:
    minutes: int = strawberry.field(description="The size of the task, or 30 if it has none.")
    is_default_size: bool = strawberry.field(description="Whether the task has no size.")
    multiplier: float = strawberry.field(
        description="By priority: 3 (P1), 2 (P2), 1.5 (P3) or 1 (P4)."
    )
    value: int = strawberry.field(description="Their product, a half rounded up.")
    is_fixed: bool = strawberry.field(
        description="Whether the points were paid. Then pointValue stays as it was paid, also if "
        "size or priority change and `value` with them."
    )


@strawberry.type(description="A part of a task's urgency.")
class UrgencyPart:
    name: str = strawberry.field(description="priority, status, blocks, age or due")
    value: float = strawberry.field(description="What it adds to the score; may be negative.")
    reason: str = strawberry.field(description="Why, in one sentence.")
