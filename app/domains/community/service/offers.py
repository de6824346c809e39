"""What companies offer, and the tags it is found by."""

from functools import partial

from app.core.caller import Caller
from app.core.clock import moment_of
from app.core.errors import BadInput, NotFound
from app.core.shards import every_shard, shard_of
from app.core.text import normal_tag
from app.domains.community import keys
from app.domains.community.inputs import CreateOfferInput, UpdateOfferInput
from app.domains.community.repository import MarketRepository
from app.domains.community.rules import is_on_offer
from app.domains.community.service.companies import Companies
from app.domains.community.types import Offer, OfferStatus, OfferTag
from app.domains.service import Decision, Service, expect_version
from app.resources import Resources
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Put, Write, create, replace

NEVER_NULL = ("title", "tags", "status")


class Offers(Service):
    def __init__(self, resources: Resources, caller: Caller, companies: Companies) -> None:
        super().__init__(resources, caller)
        self.companies = companies
        self.repository = MarketRepository(resources.table)

    async def offer(self, offer_id: str) -> Offer | None:
        offer = await self.repository.offer(offer_id)
        if offer is None or self._is_public(offer):
            return offer
        return offer if await self.companies.is_admin(offer.company_id) else None

    def _is_public(self, offer: Offer) -> bool:
        return is_on_offer(offer.status, offer.expires_at, self.resources.clock.now())

    async def offers(
        self,
        tag: str | None,
        company_id: str | None,
        status: OfferStatus,
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[Offer]:
        """By company, else by tag, else by status: each has an index. Only a company's admins see
        what is not public, and only in the list of that company."""
        wanted = normal_tag(tag) if tag else None
        inside = company_id is not None and await self.companies.is_admin(company_id)

        def keep(offer: Offer) -> bool:
            fits = offer.status is status and (wanted is None or wanted in offer.tags)
            return fits and (inside or self._is_public(offer))

        if company_id is None and status is not OfferStatus.OPEN:
            return Rows([])
        if company_id is None and wanted:
            shards = every_shard(self.resources.settings.shards)
            return await self.repository.offers_with_tag(
                wanted, shards, keep, limit=limit, start=start
            )
        query = keys.offers_of_company(company_id) if company_id else keys.offers_by_status(status)
        return await self.repository.offers(query, keep, limit=limit, start=start)

    async def create(self, request: CreateOfferInput) -> Offer:
        return await self.once(request, Offer, partial(self._create, request))

    async def _create(self, request: CreateOfferInput) -> Decision[Offer]:
        company = await self.companies.administered(request.company_id)
        offer = Offer(
            id=self.resources.ids.new(),
            created_at=self.now,
            updated_at=self.now,
            company_id=company.id,
            title=request.title,
            description=request.description or None,
            url=request.url or None,
            tags=request.tags or [],
            status=request.status or OfferStatus.OPEN,
            expires_at=request.expires_at or None,
        )
        self._must_end_later(offer)
        writes = [create(offer, NotFound("offer")), *self._tagging(None, offer)]
        return Decision(offer, [*writes, self.companies.still_admin(company.id)])

    def _must_end_later(self, offer: Offer) -> None:
        now = self.resources.clock.now()
        if offer.expires_at and moment_of(offer.expires_at) <= now:
            raise BadInput("expiresAt must lie in the future.", field="input.expiresAt")

    async def update(self, request: UpdateOfferInput) -> Offer:
        return await self.commit(partial(self._update, request))

    async def _update(self, request: UpdateOfferInput) -> Decision[Offer]:
        old = await self.offer(request.id)
        if old is None:
            raise NotFound("offer")
        await self.companies.administered(old.company_id)
        expect_version(request, old, "offer")
        changes = request.changes(NEVER_NULL)
        new = old.evolve(self.now, **changes)
        if "expires_at" in changes:
            self._must_end_later(new)
        writes = [replace(new, old, "offer"), *self._tagging(old, new)]
        return Decision(new, [*writes, self.companies.still_admin(old.company_id)])

    def _tagging(self, old: Offer | None, new: Offer) -> list[Write]:
        """Only an open offer is found by its tags."""
        before, after = _shown_tags(old), _shown_tags(new)
        return [
            *(Delete(keys.tag_of_offer(new.id, tag)) for tag in before if tag not in after),
            *(Put(self._entry(new, tag)) for tag in after if tag not in before),
        ]

    def _entry(self, offer: Offer, tag: str) -> OfferTag:
        return OfferTag(
            created_at=self.now,
            updated_at=self.now,
            offer_id=offer.id,
            tag=tag,
            shard=shard_of(offer.id, self.resources.settings.shards),
        )

    async def close_all(self, company_id: str) -> None:
        """Of a company that nobody is left in."""
        for offer in await self.repository.all_offers(company_id):
            if offer.status is OfferStatus.OPEN:
                closed = offer.evolve(self.now, status=OfferStatus.CLOSED)
                await self.table.write(
                    replace(closed, offer, "offer"), *self._tagging(offer, closed)
                )


def _shown_tags(offer: Offer | None) -> list[str]:
    return offer.tags if offer and offer.status is OfferStatus.OPEN else []
