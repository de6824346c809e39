"""The end of a company. First it is hidden; then its people, with their goals, and its offers go,
in steps that may be repeated. It goes itself when no index can hide an offer of it any more."""

from datetime import timedelta
from functools import partial

from app.core.caller import Caller
from app.core.clock import instant
from app.domains.community import keys
from app.domains.community.inputs import DeleteCompanyInput
from app.domains.community.repository import MarketRepository
from app.domains.community.service.companies import Companies
from app.domains.community.types import Company
from app.domains.service import Decision, Service, expect_version
from app.resources import Resources
from app.table.writes import Delete, remove, replace

AFTER_ALL = timedelta(minutes=2)


class CompanyClosing(Service):
    def __init__(self, resources: Resources, caller: Caller, companies: Companies) -> None:
        super().__init__(resources, caller)
        self.companies = companies
        self.repository = MarketRepository(resources.table)

    async def delete(self, request: DeleteCompanyInput) -> Company:
        company = await self.commit(partial(self._close, request))
        await self._sweep(company.id)
        return company

    async def _close(self, request: DeleteCompanyInput) -> Decision[Company]:
        old = await self.companies.administered(request.id)
        expect_version(request, old, "company")
        new = old.evolve(self.now, closing_since=self.now)
        return Decision(new, [replace(new, old, "company"), self.companies.still_admin(old.id)])

    async def finish(self, company: Company) -> None:
        """Safe to begin again."""
        await self._sweep(company.id)
        await self.table.write(Delete(keys.company(company.id)))

    async def _sweep(self, company_id: str) -> None:
        for seat in await self.repository.all_members(company_id):
            await self.commit(partial(self._without_member, company_id, seat.user_id))
        for offer in await self.repository.all_offers(company_id):
            await self.commit(partial(self._without_offer, offer.id))

    async def _without_member(self, company_id: str, user_id: str) -> Decision[None]:
        seat = await self.repository.member(company_id, user_id)
        return Decision(None, await self.companies.unseat(seat) if seat else [])

    async def _without_offer(self, offer_id: str) -> Decision[None]:
        offer = await self.repository.offer(offer_id)
        if offer is None:
            return Decision(None)
        tags = [Delete(keys.tag_of_offer(offer.id, tag)) for tag in offer.tags]
        return Decision(None, [remove(offer, "offer"), *tags])


async def companies_to_finish(resources: Resources) -> list[Company]:
    before = instant(resources.clock.now() - AFTER_ALL)
    return await MarketRepository(resources.table).closing_companies(before, most=25)
