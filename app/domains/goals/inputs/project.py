"""Inputs of projects."""

from typing import Annotated

import strawberry
from pydantic import Field

from app.core.ids import CLIENT_ID, ClientId
from app.core.inputs import Input
from app.core.text import DocumentText, IdempotencyKey, LifeArea, LongText, ShortText
from app.domains.goals.inputs.field_types import (
    EXPECTED_VERSION,
    IDEMPOTENCY_KEY,
    InputDate,
    SubCategoryName,
    UpToTenIds,
)
from app.domains.goals.types import Priority, ProjectStatus

Impact = Annotated[int, Field(ge=1, le=5)]


@strawberry.input
class CreateProjectInput(Input):
    name: ShortText
    id: ClientId | None = strawberry.field(default=strawberry.UNSET, description=CLIENT_ID)
    description: LongText | None = strawberry.UNSET
    area: LifeArea | None = strawberry.UNSET
    sub_category: SubCategoryName | None = strawberry.UNSET
    priority: Priority | None = strawberry.UNSET
    status: ProjectStatus | None = strawberry.UNSET
    impact: Impact | None = strawberry.field(
        default=strawberry.UNSET,
        description="From little to much.",
    )
    start_date: InputDate | None = strawberry.UNSET
    end_date: InputDate | None = strawberry.UNSET
    notes: DocumentText | None = strawberry.UNSET
    goal_ids: UpToTenIds | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=IDEMPOTENCY_KEY
    )


@strawberry.input(description="Fields that are left out stay as they are. Null clears a field.")
class UpdateProjectInput(Input):
    id: strawberry.ID
    name: ShortText | None = strawberry.UNSET
    description: LongText | None = strawberry.UNSET
    area: LifeArea | None = strawberry.UNSET
    sub_category: SubCategoryName | None = strawberry.UNSET
    priority: Priority | None = strawberry.UNSET
    status: ProjectStatus | None = strawberry.UNSET
    impact: Impact | None = strawberry.UNSET
    start_date: InputDate | None = strawberry.UNSET
    end_date: InputDate | None = strawberry.UNSET
    notes: DocumentText | None = strawberry.UNSET
    goal_ids: UpToTenIds | None = strawberry.UNSET
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_VERSION
    )
    idempotency_key: IdempotencyKey | None = strawberry.field(
        default=strawberry.UNSET, description=IDEMPOTENCY_KEY
    )


@strawberry.input
class DeleteProjectInput(Input):
    id: strawberry.ID
    expected_version: int | None = strawberry.field(
        default=strawberry.UNSET, description=EXPECTED_VERSION
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class LinkToProjectInput(Input):
    project_id: strawberry.ID
    task_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class UnlinkFromProjectInput(Input):
    project_id: strawberry.ID
    task_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
