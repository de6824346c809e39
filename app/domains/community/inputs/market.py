"""Inputs of the mutations about companies and offers."""

import strawberry

from app.core.inputs import Input
from app.core.scalars import AWSURL, AWSDateTime
from app.core.text import IdempotencyKey, LongText, ShortText, TagNames
from app.domains.community.types import CompanyRole, OfferStatus


@strawberry.input
class CreateCompanyInput(Input):
    name: ShortText
    description: LongText | None = strawberry.UNSET
    website: AWSURL | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="Fields that are left out stay unchanged; null clears a field.")
class UpdateCompanyInput(Input):
    id: strawberry.ID
    name: ShortText | None = strawberry.UNSET
    description: LongText | None = strawberry.UNSET
    website: AWSURL | None = strawberry.UNSET
    expected_version: int | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class DeleteCompanyInput(Input):
    id: strawberry.ID
    expected_version: int | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class AddToCompanyInput(Input):
    company_id: strawberry.ID
    user_id: strawberry.ID
    role: CompanyRole = strawberry.field(
        default=CompanyRole.MEMBER,
        description="If they are a member already, their role is changed.",
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RemoveFromCompanyInput(Input):
    company_id: strawberry.ID
    user_id: strawberry.ID = strawberry.field(description="Yourself, to leave.")
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class AddGoalToCompanyInput(Input):
    company_id: strawberry.ID = strawberry.field(description="A company you are a member of.")
    goal_id: strawberry.ID = strawberry.field(description="A goal of yours.")
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class RemoveGoalFromCompanyInput(Input):
    company_id: strawberry.ID
    goal_id: strawberry.ID
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input
class CreateOfferInput(Input):
    company_id: strawberry.ID
    title: ShortText
    description: LongText | None = strawberry.UNSET
    url: AWSURL | None = strawberry.UNSET
    tags: TagNames | None = strawberry.UNSET
    status: OfferStatus | None = strawberry.field(
        default=strawberry.UNSET, description="OPEN if left out."
    )
    expires_at: AWSDateTime | None = strawberry.field(
        default=strawberry.UNSET, description="In the future. Null: it never expires."
    )
    idempotency_key: IdempotencyKey | None = strawberry.UNSET


@strawberry.input(description="Fields that are left out stay unchanged; null clears a field.")
class UpdateOfferInput(Input):
    id: strawberry.ID
    title: ShortText | None = strawberry.UNSET
    description: LongText | None = strawberry.UNSET
    url: AWSURL | None = strawberry.UNSET
    tags: TagNames | None = strawberry.UNSET
    status: OfferStatus | None = strawberry.UNSET
    expires_at: AWSDateTime | None = strawberry.UNSET
    expected_version: int | None = strawberry.UNSET
    idempotency_key: IdempotencyKey | None = strawberry.UNSET
