"""Arguments of the queries about values and plans."""

from typing import Annotated, TypeVar

import strawberry

from app.core.errors import BadInput
from app.core.scalars import AWSDate, AWSDateTime, AWSTime
from app.domains.plans.types import ValuesSource


def _argument(description: str, name: str | None = None) -> object:
    return strawberry.argument(description=description, name=name)


AsOfArgument = Annotated[AWSDateTime | None, _argument("What was the head at this instant.")]
BranchArgument = Annotated[str | None, _argument("The name of a branch; null: main.")]
RevisionArgument = Annotated[strawberry.ID | None, _argument("A revision; null: the head.")]
SourceArgument = Annotated[
    ValuesSource | None, _argument("Only commits with this source.", "source")
]
CommittedSince = Annotated[AWSDateTime | None, _argument("Only commits from this instant on.")]
CommittedUntil = Annotated[AWSDateTime | None, _argument("Only commits up to this instant.")]
FromRevision = Annotated[
    strawberry.ID | None, _argument("A revision; null: before the first.", "from")
]
OfDriver = Annotated[strawberry.ID | None, _argument("Only of this driver; null: of all.")]
BelowMilestone = Annotated[
    strawberry.ID | None,
    _argument("Only below this milestone, at any depth; null: all. Of an unknown one: none."),
]
FirstDay = Annotated[AWSDate | None, _argument("Only from this day on.", "from")]
LastDay = Annotated[AWSDate | None, _argument("Only up to this day.")]
WorkBegins = Annotated[AWSTime | None, _argument("Local; null: 09:00.", "from")]
WorkEnds = Annotated[AWSTime | None, _argument("Local; null: 18:00.")]

IdOrNull = TypeVar("IdOrNull", bound=str | None)


def checked_id(field: str, id: IdOrNull) -> IdOrNull:
    """Null is not given; an empty id would silently mean the same."""
    if id == "":
        raise BadInput(f"{field} is empty. Send an id, or leave it out.", field=field)
    return id


def plain_day(date: AWSDate) -> AWSDate:
    """A date may have an offset, which is dropped."""
    return AWSDate(date[:10])
