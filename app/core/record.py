"""A record is a stored Strawberry type: one class for type checker, schema and table."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import Any, Self, TypeVar

import strawberry

from app.core.scalars import AWSDateTime

F = TypeVar("F", bound=Callable[..., Any])
# The stored name of a field that was renamed: otherwise it is the field's name in camel case.
STORED_AS = "stored as"
# The value of a field whose attribute is absent, if it differs from the default of a new record.
DEFAULT_IF_ABSENT = "unless stored"
READS = "reads"


def computed(
    *, description: str, name: str | None = None, reads: Sequence[str] | None = None
) -> Callable[[F], F]:
    """A GraphQL field that is computed, not stored. `name`: its GraphQL name, if a stored field has
    the same Python name. `reads`: the heavy fields of the record that it reads; without it, the
    whole record is read."""
    metadata = {} if reads is None else {READS: reads}
    field: Callable[[F], F] = strawberry.field(
        description=description, name=name, metadata=metadata
    )
    return field


@strawberry.type
class Record:
    created_at: AWSDateTime = strawberry.field(description="When it was created.")
    updated_at: AWSDateTime = strawberry.field(description="When it was last changed.")
    version: int = strawberry.field(
        default=1,
        metadata={DEFAULT_IF_ABSENT: 0},
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
    id: strawberry.ID = strawberry.field(description="Its id.")
