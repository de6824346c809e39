"""Erases a deleted account from rooms, threads, companies and shares of others."""

from app.domains.community import keys
from app.domains.community.service.assist import Assist
from app.domains.community.service.assist_messages import AssistMessages
from app.domains.community.service.companies import Companies
from app.domains.community.service.members import RoomMembers
from app.domains.community.service.messages import Messages
from app.domains.community.service.offers import Offers
from app.domains.community.service.sharing import Sharing
from app.domains.people.service.ports import DeletedAccounts
from app.domains.service import uses


class CommunityAccountDeletion(DeletedAccounts):
    """Can be interrupted and repeated."""

    room_members = uses(RoomMembers)
    messages = uses(Messages)
    assist = uses(Assist)
    assist_messages = uses(AssistMessages)
    companies = uses(Companies)
    offers = uses(Offers)
    sharing = uses(Sharing)

    async def on_account_deleted(self) -> None:
        await self.messages.anonymize_all()
        await self.room_members.leave_all()
        await self.assist_messages.anonymize_all()
        await self.assist.leave_all()
        await self.sharing.delete_shares_with_me()
        memberships = self.table.query_all(keys.companies_of_user(self.caller.user_id))
        for company_id in [each.company_id async for each in memberships]:
            # A company without members keeps its name, but its offers are closed.
            if await self.companies.has_one_member(company_id):
                await self.offers.close_all(company_id)
            await self.companies.leave_for_good(company_id)
