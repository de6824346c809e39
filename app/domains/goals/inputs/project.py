"""What clients send about projects."""

from typing import Annotated

import strawberry
from pydantic import Field

from app.core.ids import ClientId
from app.core.inputs import Input
from app.core.text import Area, Document, IdempotencyKey, Line, Paragraph
from app.domains.goals.inputs.words import CLIENT_ID, EXPECTED, REPEAT, Day, FewIds, SubCategory
from app.domains.goals.types import Priority, ProjectStatus

Impact = Annotated[int, Field(ge=1, le=5)]


@strawberry.input
class CreateProjectInput(Input):
    name: Line
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CLIENT_ID)
    description: Paragraph | None = strawberry.UNSET
    area: Area | None = strawberry.UNSET
    sub_category: SubCategory | None = strawberry.UNSET
    priority: Priority | None = strawberry.UNSET
    status: ProjectStatus | None = strawberry.UNSET
    impact: Impact | None = strawberry.field(
        default=strawberry.UNSET, description="1 (little) to 5 (much)."
    )
    start_date: Day | None = strawberry.UNSET
    end_date: Day | None = strawberry.UNSET
    notes: Document | None = strawberry.UNSET
    goal_ids: FewIds | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=REPEAT
    )


@strawberry.input(description="What is left out stays as it is; null clears a field.")
class UpdateProjectInput(Input):
    id: strawberry.ID
    name: Line | None = strawberry.UNSET
    description: Paragraph | None = strawberry.UNSET
    area: Area | None = strawberry.UNSET
    sub_category: SubCategory | None = strawberry.UNSET
    priority: Priority | None = strawberry.UNSET
    status: ProjectStatus | None = strawberry.UNSET
    impact: Impact | None = strawberry.UNSET
    start_date: Day | None = strawberry.UNSET
    end_date: Day | None = strawberry.UNSET
    notes: Document | None = strawberry.UNSET
    goal_ids: FewIds | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=EXPECTED)
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=REPEAT
    )


@strawberry.input
class DeleteProjectInput(Input):
    id: strawberry.ID
    expected_version: int | None = strawberry.field(default=strawberry.UNSET, description=EXPECTED)


@strawberry.input
class LinkToProjectInput(Input):
    project_id: strawberry.ID
    task_id: strawberry.ID


@strawberry.input
class UnlinkFromProjectInput(Input):
    project_id: strawberry.ID
    task_id: strawberry.ID
