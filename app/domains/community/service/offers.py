"""Offers of companies, and the tags that they are found by."""

from functools import partial

from app.core.errors import NotFound
from app.core.shards import every_shard, shard_of
from app.core.text import normalize_tag
from app.domains.community import keys
from app.domains.community.inputs import CreateOfferInput, UpdateOfferInput
from app.domains.community.repository import MarketRepository
from app.domains.community.rules.market import expect_future_expiry, is_public, public_tags
from app.domains.community.service.companies import Companies
from app.domains.community.types import Offer, OfferStatus, OfferTag
from app.domains.service import Decision, Service, expect_version, required, uses
from app.table.gateway import Position, Rows
from app.table.writes import Delete, Put, Write, put_if_absent, put_if_unchanged

NEVER_NULL = ("title", "tags", "status")


class Offers(Service):
    companies = uses(Companies)

    @property
    def repository(self) -> MarketRepository:
        return MarketRepository(self.table)

    async def offer(self, offer_id: str) -> Offer | None:
        offer = await self.table.load(keys.offer(offer_id))
        if offer is None or self._is_public(offer):
            return offer
        return offer if await self.companies.is_admin(offer.company_id) else None

    def _is_public(self, offer: Offer) -> bool:
        return is_public(offer, self.resources.clock.now())

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
        offers that are not public, and only in the list of that company."""
        wanted = normalize_tag(tag) if tag else None
        sees_all = company_id is not None and await self.companies.is_admin(company_id)

        def keep(offer: Offer) -> bool:
            fits = offer.status is status and (wanted is None or wanted in offer.tags)
            return fits and (sees_all or self._is_public(offer))

        if company_id is None and status is not OfferStatus.OPEN:
            return Rows([])
        if company_id is None and wanted:
            shards = every_shard(self.resources.settings.shards)
            return await self.repository.offers_with_tag(
                wanted, shards, keep, limit=limit, start=start
            )
        query = keys.offers_of_company(company_id) if company_id else keys.offers_by_status(status)
        return await self.table.query(query, limit=limit, start=start, keep=keep)

    async def create(self, request: CreateOfferInput) -> Offer:
        return await self.once(request, Offer, partial(self._create, request))

    async def _create(self, request: CreateOfferInput) -> Decision[Offer]:
        company = await self.companies.administered_company(request.company_id)
        offer = Offer(
            id=self.new_id(),
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
        expect_future_expiry(offer, self.resources.clock.now())
        writes = [put_if_absent(offer, NotFound("offer")), *self._tag_writes(None, offer)]
        return Decision(offer, [*writes, self.companies.admin_check(company.id)])

    async def update(self, request: UpdateOfferInput) -> Offer:
        return await self.once(request, Offer, partial(self._update, request))

    async def _update(self, request: UpdateOfferInput) -> Decision[Offer]:
        old = required(await self.offer(request.id), "offer")
        await self.companies.administered_company(old.company_id)
        expect_version(request, old, "offer")
        changes = request.changes(NEVER_NULL)
        new = old.evolve(self.now, **changes)
        if "expires_at" in changes:
            expect_future_expiry(new, self.resources.clock.now())
        writes = [put_if_unchanged(new, old, "offer"), *self._tag_writes(old, new)]
        return Decision(new, [*writes, self.companies.admin_check(old.company_id)])

    def _tag_writes(self, old: Offer | None, new: Offer) -> list[Write]:
        before, after = public_tags(old), public_tags(new)
        return [
            *(Delete(keys.tag_of_offer(new.id, tag)) for tag in before if tag not in after),
            *(Put(self._tag_entry(new, tag)) for tag in after if tag not in before),
        ]

    def _tag_entry(self, offer: Offer, tag: str) -> OfferTag:
        return OfferTag(
            created_at=self.now,
            updated_at=self.now,
            offer_id=offer.id,
            tag=tag,
            shard=shard_of(offer.id, self.resources.settings.shards),
        )

    async def close_all(self, company_id: str) -> None:
        """Of a company without members."""
        offers = self.table.query_all(keys.offers_of_company(company_id))
        for offer in [each async for each in offers]:
            if offer.status is OfferStatus.OPEN:
                closed = offer.evolve(self.now, status=OfferStatus.CLOSED)
                await self.table.write(
                    put_if_unchanged(closed, offer, "offer"), *self._tag_writes(offer, closed)
                )
