"""The community in the graph."""

import strawberry

from app.domains.community.schema import fields as fields
from app.domains.community.schema.assist import AssistMutation, AssistQuery
from app.domains.community.schema.market import MarketMutation, MarketQuery
from app.domains.community.schema.rooms import RoomsMutation, RoomsQuery
from app.domains.community.schema.sharing import SharingMutation, SharingQuery


@strawberry.type
class CommunityQuery(RoomsQuery, AssistQuery, MarketQuery, SharingQuery):
    pass


@strawberry.type
class CommunityMutation(RoomsMutation, AssistMutation, MarketMutation, SharingMutation):
    pass


__all__ = ["CommunityMutation", "CommunityQuery"]
