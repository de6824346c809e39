"""The graph: every domain's part of it, put together."""

import strawberry
from strawberry.schema.config import StrawberryConfig

from app.core.scalars import SCALARS
from app.domains.characters.schema import CharactersMutation, CharactersQuery
from app.domains.community.schema import CommunityMutation, CommunityQuery
from app.domains.goals.schema import GoalsMutation, GoalsQuery
from app.domains.notifications.schema import NotificationsMutation, NotificationsQuery
from app.domains.people.schema import PeopleMutation, PeopleQuery
from app.domains.people.types import User
from app.domains.plans.schema import PlansMutation, PlansQuery
from app.domains.plans.types import ActionNode, DriverNode, GenericNode, MilestoneNode
from app.domains.quests.schema import QuestsMutation, QuestsQuery
from app.domains.quests.types import QuestListing
from app.domains.rewards.schema import RewardsMutation, RewardsQuery
from app.domains.tracking.schema import TrackingMutation, TrackingQuery
from app.graph.fields import GraphSchema
from app.jobs.schema import JobsQuery
from app.web.amplify.aliases import ModelsQuery, ModelsSubscription
from app.web.amplify.conditions import conditional_mutations
from app.web.nodes import NodesQuery
from app.web.realtime.changes import ChangesQuery
from app.web.realtime.subscriptions import LiveSubscription
from app.web.search import SearchQuery


@strawberry.type(
    description="What can be read. A field that fails is null, and its error says why."
)
class Query(
    NodesQuery,
    SearchQuery,
    ChangesQuery,
    JobsQuery,
    CharactersQuery,
    NotificationsQuery,
    GoalsQuery,
    PeopleQuery,
    RewardsQuery,
    TrackingQuery,
    QuestsQuery,
    PlansQuery,
    CommunityQuery,
    ModelsQuery,
):
    pass


MUTATIONS = (
    CharactersMutation,
    NotificationsMutation,
    GoalsMutation,
    PeopleMutation,
    RewardsMutation,
    TrackingMutation,
    QuestsMutation,
    PlansMutation,
    CommunityMutation,
)


@strawberry.type(
    description="What can be changed. A field that fails is null, and its error says why; several "
    "are carried out one after the other."
)
@conditional_mutations(*MUTATIONS)
class Mutation(*MUTATIONS):  # type: ignore[misc]
    pass


@strawberry.type(description="What can be watched, over a WebSocket or as server-sent events.")
class Subscription(LiveSubscription, ModelsSubscription):
    pass


def build_schema() -> strawberry.Schema:
    return GraphSchema(
        query=Query,
        mutation=Mutation,
        subscription=Subscription,
        types=[User, QuestListing, ActionNode, DriverNode, GenericNode, MilestoneNode],
        config=StrawberryConfig(scalar_map=SCALARS),
    )


def export_schema() -> str:
    return build_schema().as_str() + "\n"
