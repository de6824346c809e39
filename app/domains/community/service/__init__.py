"""The operations on rooms, assist threads, companies, offers and shares."""

from app.domains.community.service.account_deletion import CommunityAccountDeletion
from app.domains.community.service.assist import Assist
from app.domains.community.service.assist_messages import AssistMessages
from app.domains.community.service.companies import Companies
from app.domains.community.service.company_deletion import CompanyDeletion, companies_to_finish
from app.domains.community.service.members import RoomMembers
from app.domains.community.service.messages import Messages
from app.domains.community.service.moderation import Moderation
from app.domains.community.service.offers import Offers
from app.domains.community.service.rooms import Rooms
from app.domains.community.service.sharing import Sharing
from app.domains.community.service.tag_search import TagSearch

__all__ = [
    "Assist",
    "AssistMessages",
    "CommunityAccountDeletion",
    "Companies",
    "CompanyDeletion",
    "Messages",
    "Moderation",
    "Offers",
    "RoomMembers",
    "Rooms",
    "Sharing",
    "TagSearch",
    "companies_to_finish",
]
