"""What a batch of logs answers."""

import strawberry

from app.core.batches import BatchError
from app.domains.tracking.types.habits import HabitLog
from app.domains.tracking.types.metrics import MetricLog


@strawberry.type(description="The result of one log of logHabits: the log, or why there is none.")
class HabitLogResult:
    log: HabitLog | None = strawberry.field(
        default=None, description="What was logged; null: it failed."
    )
    error: BatchError | None = strawberry.field(
        default=None, description="Why it failed; null: it did not."
    )


@strawberry.type(description="The result of one log of logMetrics: the log, or why there is none.")
class MetricLogResult:
    log: MetricLog | None = strawberry.field(
        default=None, description="What was logged; null: it failed."
    )
    error: BatchError | None = strawberry.field(
        default=None, description="Why it failed; null: it did not."
    )
