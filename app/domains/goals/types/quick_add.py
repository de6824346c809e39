"""What quick add understands."""

import strawberry

from app.core.scalars import AWSDate, AWSTime
from app.domains.goals.types.enums import PhraseKind, Priority


@strawberry.type(description="Words of a quick-add text, and what they were taken for.")
class UnderstoodPhrase:
    text: str = strawberry.field(description="The words, as written.")
    start: int = strawberry.field(description="Where they begin in the text, in characters.")
    end: int = strawberry.field(description="Where they end.")
    kind: PhraseKind = strawberry.field(
        description="What they say. Words with two meanings (tonight) appear once for each."
    )
    meaning: str = strawberry.field(description="The value, in the form that `kind` names.")


@strawberry.type(description="The task that quickAddTask would create from a text.")
class QuickAddPreview:
    title: str = strawberry.field(description="All words that were not understood otherwise.")
    due_date: AWSDate | None = strawberry.field(description="In your time zone.")
    due_time: AWSTime | None = strawberry.field(description="In your time zone.")
    rrule: str | None = strawberry.field(description="The RFC 5545 rule of a recurring task.")
    recurrence_end: AWSDate | None = strawberry.field(description="No occurrence after this day.")
    priority: Priority | None = strawberry.field(description="Null: P3, as for every task.")
    area: str | None = strawberry.field(description="Life area, e.g. Health.")
    tags: list[str] = strawberry.field(description="At most 10.")
    size: int | None = strawberry.field(description="Estimated minutes.")
    understood: list[UnderstoodPhrase] = strawberry.field(description="In their order.")
