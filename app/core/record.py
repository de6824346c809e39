"""A record is a Strawberry type that is stored: one class for reader, schema and table."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Self, TypeVar

import strawberry

from app.core.scalars import AWSDateTime

F = TypeVar("F", bound=Callable[..., Any])
# What an item without the attribute is read as, where a new record begins with something else.
UNLESS_STORED = "unless stored"
READS = "reads"


def computed(
    *, description: str, name: str | None = None, reads: Sequence[str] | None = None
) -> Callable[[F], F]:
    """A field of the graph that is worked out when it is asked for, not stored. `name`: where the
    stored attribute has the field's name. `reads`: the only heavy attributes of its record that it
    reads; unless it says so, the record is read whole for it."""
    metadata = {} if reads is None else {READS: reads}
    field: Callable[[F], F] = strawberry.field(
        description=description, name=name, metadata=metadata
    )
    return field


@strawberry.type
class Record:
    created_at: AWSDateTime
    updated_at: AWSDateTime
    version: int = strawberry.field(
        default=1,
        metadata={UNLESS_STORED: 0},
        description="Rises with every change. Send it back as expectedVersion to be told "
        "when somebody else changed the record first. 0: stored before changes were counted.",
    )

    def evolve(self, now: AWSDateTime, **changes: object) -> Self:
        return dataclasses.replace(
            self,
            **changes,  # type: ignore[arg-type]
            updated_at=now,
            version=self.version + 1,
        )


@strawberry.interface(description="Anything with an id of its own.")
class Node(Record):
    id: strawberry.ID
