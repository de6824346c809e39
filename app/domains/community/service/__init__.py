"""What one can do in the community."""

from app.domains.community.service.assist import Assist
from app.domains.community.service.assist_messages import AssistMessages
from app.domains.community.service.closing import CompanyClosing, companies_to_finish
from app.domains.community.service.companies import Companies
from app.domains.community.service.departure import CommunityDeparture
from app.domains.community.service.members import RoomMembers
from app.domains.community.service.messages import Messages
from app.domains.community.service.moderation import Moderation
from app.domains.community.service.offers import Offers
from app.domains.community.service.rooms import Rooms
from app.domains.community.service.sharing import Sharing
from app.domains.community.service.tags import Tags

__all__ = [
    "Assist",
    "AssistMessages",
    "CommunityDeparture",
    "Companies",
    "CompanyClosing",
    "Messages",
    "Moderation",
    "Offers",
    "RoomMembers",
    "Rooms",
    "Sharing",
    "Tags",
    "companies_to_finish",
]
