"""Deletes a company in steps that can be repeated.

First it is hidden; then its members, with their goals, and its offers are deleted. The company
itself is deleted some minutes later, when no index lags behind: an offer that was written at the
same moment is found then.
"""

from datetime import timedelta
from functools import partial

from app.core.clock import instant
from app.domains.community import keys
from app.domains.community.inputs import DeleteCompanyInput
from app.domains.community.service.companies import Companies
from app.domains.community.types import Company
from app.domains.service import Decision, Service, expect_version, uses
from app.resources import Resources
from app.table.writes import Delete, delete_if_unchanged, put_if_unchanged

INDEX_LAG = timedelta(minutes=2)
MOST_AT_ONCE = 25


class CompanyDeletion(Service):
    companies = uses(Companies)

    async def delete(self, request: DeleteCompanyInput) -> Company:
        company = await self.once(request, Company, partial(self._hide, request))
        await self._delete_contents(company.id)
        return company

    async def _hide(self, request: DeleteCompanyInput) -> Decision[Company]:
        old = await self.companies.administered_company(request.id)
        expect_version(request, old, "company")
        new = old.evolve(self.now, closing_since=self.now)
        return Decision(
            new, [put_if_unchanged(new, old, "company"), self.companies.admin_check(old.id)]
        )

    async def finish(self, company: Company) -> None:
        """Can be repeated."""
        await self._delete_contents(company.id)
        await self.table.write(Delete(keys.company(company.id)))

    async def _delete_contents(self, company_id: str) -> None:
        members = self.table.query_all(keys.members_of_company(company_id))
        for member in [each async for each in members]:
            await self.commit(partial(self._delete_member, company_id, member.user_id))
        offers = self.table.query_all(keys.offers_of_company(company_id))
        for offer in [each async for each in offers]:
            await self.commit(partial(self._delete_offer, offer.id))

    async def _delete_member(self, company_id: str, user_id: str) -> Decision[None]:
        member = await self.table.load(keys.company_member(company_id, user_id))
        return Decision(None, await self.companies.member_deletes(member) if member else [])

    async def _delete_offer(self, offer_id: str) -> Decision[None]:
        offer = await self.table.load(keys.offer(offer_id))
        if offer is None:
            return Decision(None)
        tags = [Delete(keys.tag_of_offer(offer.id, tag)) for tag in offer.tags]
        return Decision(None, [delete_if_unchanged(offer, "offer"), *tags])


async def companies_to_finish(resources: Resources) -> list[Company]:
    before = instant(resources.clock.now() - INDEX_LAG)
    query = keys.companies_being_deleted(before)
    return (await resources.table.query(query, limit=MOST_AT_ONCE)).items
