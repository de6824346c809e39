"""When an account goes, what it left in the partitions of others goes with it."""

from app.core.caller import Caller
from app.domains.community.service.assist import Assist
from app.domains.community.service.assist_messages import AssistMessages
from app.domains.community.service.companies import Companies
from app.domains.community.service.members import RoomMembers
from app.domains.community.service.messages import Messages
from app.domains.community.service.offers import Offers
from app.domains.community.service.sharing import Sharing
from app.domains.service import Service
from app.resources import Resources


class CommunityDeparture(Service):
    """May be broken off and begun again: what is done already is not found again."""

    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        *,
        room_members: RoomMembers,
        messages: Messages,
        assist: Assist,
        assist_messages: AssistMessages,
        companies: Companies,
        offers: Offers,
        sharing: Sharing,
    ) -> None:
        super().__init__(resources, caller)
        self.room_members = room_members
        self.messages = messages
        self.assist = assist
        self.assist_messages = assist_messages
        self.companies = companies
        self.offers = offers
        self.sharing = sharing

    async def leave(self) -> None:
        await self.messages.forget_everything()
        await self.room_members.leave_everything()
        await self.assist_messages.forget_everything()
        await self.assist.leave_everything()
        await self.sharing.leave_everything()
        for seat in await self.companies.memberships():
            # A company that nobody is left in keeps its name, and offers nothing.
            if await self.companies.is_alone(seat.company_id):
                await self.offers.close_all(seat.company_id)
            await self.companies.depart(seat)
