"""Companies and who belongs to them."""

from functools import partial

import strawberry

from app.core.caller import Caller
from app.core.errors import Forbidden, NotFound, StaleVersion
from app.domains.community import keys
from app.domains.community.errors import LastAdmin
from app.domains.community.inputs import (
    AddToCompanyInput,
    CreateCompanyInput,
    RemoveFromCompanyInput,
    UpdateCompanyInput,
)
from app.domains.community.repository import MarketRepository
from app.domains.community.types import Company, CompanyMember, CompanyRole
from app.domains.people.service import Profiles
from app.domains.service import Decision, Service, expect_version
from app.resources import Resources
from app.table.conditions import attr, version_is
from app.table.gateway import Position, Rows
from app.table.writes import Check, Delete, Write, create, replace


class Companies(Service):
    def __init__(self, resources: Resources, caller: Caller, profiles: Profiles) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.repository = MarketRepository(resources.table)

    async def company(self, company_id: str) -> Company | None:
        return await self.repository.company(company_id)

    async def companies(self, *, limit: int, start: Position | None) -> Rows[Company]:
        return await self.repository.companies_of_user(
            self.caller.user_id, limit=limit, start=start
        )

    async def my_seat(self, company_id: str) -> CompanyMember | None:
        if self.caller.id is None:
            return None
        return await self.repository.member(company_id, self.caller.id)

    async def is_admin(self, company_id: str) -> bool:
        seat = await self.my_seat(company_id)
        return seat is not None and seat.role is CompanyRole.ADMIN

    async def members(
        self, company_id: str, *, limit: int, start: Position | None
    ) -> Rows[CompanyMember]:
        rows = await self.repository.members(company_id, limit=limit, start=start)
        return rows if await self.is_admin(company_id) else Rows([])

    async def administered(self, company_id: str) -> Company:
        company = await self.repository.company(company_id)
        if company is None:
            raise NotFound("company")
        if not await self.is_admin(company_id):
            raise Forbidden("This is for the company's admins.")
        return company

    def still_admin(self, company_id: str) -> Check[CompanyMember]:
        """What an admin may do, they may do until the very moment of writing."""
        return Check(
            keys.company_member(company_id, self.caller.user_id),
            attr("role").equals(CompanyRole.ADMIN),
            Forbidden("This is for the company's admins."),
        )

    async def create(self, request: CreateCompanyInput) -> Company:
        return await self.once(request, Company, partial(self._create, request))

    async def _create(self, request: CreateCompanyInput) -> Decision[Company]:
        company = Company(
            id=self.resources.ids.new(),
            created_at=self.now,
            updated_at=self.now,
            name=request.name,
            description=request.description or None,
            website=request.website or None,
        )
        seat = self._seat(company.id, self.caller.user_id, CompanyRole.ADMIN)
        taken = NotFound("company")
        return Decision(company, [create(company, taken), create(seat, taken)])

    def _seat(self, company_id: str, user_id: str, role: CompanyRole) -> CompanyMember:
        return CompanyMember(
            created_at=self.now,
            updated_at=self.now,
            company_id=strawberry.ID(company_id),
            user_id=strawberry.ID(user_id),
            role=role,
        )

    async def update(self, request: UpdateCompanyInput) -> Company:
        changes = request.changes(("name",))

        async def decide() -> Decision[Company]:
            old = await self.administered(request.id)
            expect_version(request, old, "company")
            new = old.evolve(self.now, **changes)
            return Decision(new, [replace(new, old, "company"), self.still_admin(old.id)])

        return await self.commit(decide)

    async def add(self, request: AddToCompanyInput) -> Company:
        return await self.commit(partial(self._add, request))

    async def _add(self, request: AddToCompanyInput) -> Decision[Company]:
        company = await self.administered(request.company_id)
        if await self.profiles.user(request.user_id) is None:
            raise NotFound("user")
        old = await self.repository.member(company.id, request.user_id)
        if old is None:
            seat = self._seat(company.id, request.user_id, request.role)
            writes: list[Write] = [create(seat, otherwise=StaleVersion("company", None))]
        elif old.role is request.role:
            return Decision(company)
        else:
            writes = [replace(old.evolve(self.now, role=request.role), old, "member")]
        more = (request.role is CompanyRole.ADMIN) - (
            old is not None and old.role is CompanyRole.ADMIN
        )
        return self._counted(company, more, writes, request.user_id)

    async def remove(self, request: RemoveFromCompanyInput) -> Company:
        return await self.commit(partial(self._remove, request.company_id, request.user_id))

    async def _remove(self, company_id: str, user_id: str) -> Decision[Company]:
        company = await self.repository.company(company_id)
        myself = user_id == self.caller.user_id
        if company is None or not (myself or await self.is_admin(company_id)):
            raise NotFound("company")
        seat = await self.repository.member(company_id, user_id)
        if seat is None:
            raise NotFound("member")
        fewer = -1 if seat.role is CompanyRole.ADMIN else 0
        return self._counted(company, fewer, await self.unseat(seat), user_id)

    async def unseat(self, seat: CompanyMember) -> list[Write]:
        """With the goals they put under the company: each of these moved the seat's version."""
        links = await self.repository.all_goals_of_member(seat.company_id, seat.user_id)
        gone = Delete(
            keys.company_member(seat.company_id, seat.user_id),
            version_is(seat.version),
            StaleVersion("company", None),
        )
        return [
            gone,
            *(Delete(keys.company_goal(seat.user_id, seat.company_id, e.goal_id)) for e in links),
        ]

    def _counted(
        self, company: Company, admins: int, writes: list[Write], user_id: str
    ) -> Decision[Company]:
        """The count of admins is what keeps the last one in the company."""
        new = company.evolve(self.now, admin_count=company.admin_count + admins)
        if new.admin_count < 1:
            raise LastAdmin
        writes = [replace(new, company, "company"), *writes]
        if user_id != self.caller.user_id:
            writes.append(self.still_admin(company.id))
        return Decision(new, writes)

    async def memberships(self) -> list[CompanyMember]:
        return await self.repository.memberships(self.caller.user_id)

    async def is_alone(self, company_id: str) -> bool:
        members = await self.repository.members(company_id, limit=2, start=None)
        return len(members.items) < 2

    async def depart(self, seat: CompanyMember) -> None:
        """When the account goes: the longest-standing member becomes admin, if there is none
        besides."""
        await self.commit(partial(self._depart, seat))

    async def _depart(self, known: CompanyMember) -> Decision[None]:
        try:
            decision = await self._remove(known.company_id, known.user_id)
            return Decision(None, decision.writes)
        except NotFound:
            return Decision(None)
        except LastAdmin:
            return Decision(None, await self._last_writes(known.company_id, known.user_id))

    async def _last_writes(self, company_id: str, leaving: str) -> list[Write]:
        members = await self.repository.all_members(company_id)
        gone = [
            write
            for seat in members
            if seat.user_id == leaving
            for write in await self.unseat(seat)
        ]
        staying = [seat for seat in members if seat.user_id != leaving]
        if not staying:
            return gone
        heir = min(staying, key=lambda each: (each.created_at, each.user_id))
        promoted = heir.evolve(self.now, role=CompanyRole.ADMIN)
        return [*gone, replace(promoted, heir, "member")]
