"""The graph: every domain's part of it, put together."""

import strawberry
from strawberry.schema.config import StrawberryConfig

from app.core.scalars import SCALARS
from app.domains.people.schema import PeopleMutation, PeopleQuery
from app.domains.people.types import User
from app.domains.rewards.schema import RewardsMutation, RewardsQuery
from app.domains.tracking.schema import TrackingMutation, TrackingQuery


@strawberry.type
class Query(PeopleQuery, RewardsQuery, TrackingQuery):
    pass


@strawberry.type
class Mutation(PeopleMutation, RewardsMutation, TrackingMutation):
    pass


def build_schema() -> strawberry.Schema:
    return strawberry.Schema(
        query=Query,
        mutation=Mutation,
        types=[User],
        config=StrawberryConfig(scalar_map=SCALARS),
    )


def export_schema() -> str:
    return build_schema().as_str() + "\n"
