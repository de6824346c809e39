"""What the workers share about their jobs."""

import strawberry

from app.core.record import Record
from app.core.scalars import AWSDateTime


@strawberry.type
class Lease(Record):
    """The right to run a job until `held_until`, and how its last run ended."""

    job: str
    holder: str
    held_until: AWSDateTime
    next_run: AWSDateTime
    last_run: AWSDateTime | None = None
    last_error: str | None = None


@strawberry.type
class Sweep(Record):
    """The day, or instant, up to which a job has finished everything that was due."""

    job: str
    day: str
    moment: str | None = None
