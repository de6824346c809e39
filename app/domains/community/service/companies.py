"""Companies and their members."""

from functools import partial

import strawberry

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
from app.domains.community.rules.market import is_admin, next_admin
from app.domains.community.types import Company, CompanyMember, CompanyRole
from app.domains.people.service import Profiles
from app.domains.service import Decision, Service, expect_version, required, uses
from app.table.conditions import attr, version_is
from app.table.gateway import Position, Rows
from app.table.writes import Check, Delete, Write, put_if_absent, put_if_unchanged

ADMINS_ONLY = "Only the company's admins may do this."


class Companies(Service):
    profiles = uses(Profiles)

    @property
    def repository(self) -> MarketRepository:
        return MarketRepository(self.table)

    async def company(self, company_id: str) -> Company | None:
        return await self.repository.company(company_id)

    async def companies(self, *, limit: int, start: Position | None) -> Rows[Company]:
        return await self.repository.companies_of_user(
            self.caller.user_id, limit=limit, start=start
        )

    async def my_membership(self, company_id: str) -> CompanyMember | None:
        if self.caller.id is None:
            return None
        return await self.table.load(keys.company_member(company_id, self.caller.id))

    async def is_admin(self, company_id: str) -> bool:
        return is_admin(await self.my_membership(company_id))

    async def members(
        self, company_id: str, *, limit: int, start: Position | None
    ) -> Rows[CompanyMember]:
        query = keys.members_of_company(company_id)
        rows = await self.table.query(query, limit=limit, start=start)
        return rows if await self.is_admin(company_id) else Rows([])

    async def administered_company(self, company_id: str) -> Company:
        company = required(await self.company(company_id), "company")
        if not await self.is_admin(company_id):
            raise Forbidden(ADMINS_ONLY)
        return company

    def admin_check(self, company_id: str) -> Check[CompanyMember]:
        """The caller is an admin until the very moment of writing."""
        return Check(
            keys.company_member(company_id, self.caller.user_id),
            attr("role").equals(CompanyRole.ADMIN),
            Forbidden(ADMINS_ONLY),
        )

    async def create(self, request: CreateCompanyInput) -> Company:
        return await self.once(request, Company, partial(self._create, request))

    async def _create(self, request: CreateCompanyInput) -> Decision[Company]:
        company = Company(
            id=self.new_id(),
            created_at=self.now,
            updated_at=self.now,
            name=request.name,
            description=request.description or None,
            website=request.website or None,
        )
        admin = self._new_member(company.id, self.caller.user_id, CompanyRole.ADMIN)
        taken = NotFound("company")
        return Decision(company, [put_if_absent(company, taken), put_if_absent(admin, taken)])

    def _new_member(self, company_id: str, user_id: str, role: CompanyRole) -> CompanyMember:
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
            old = await self.administered_company(request.id)
            expect_version(request, old, "company")
            new = old.evolve(self.now, **changes)
            return Decision(new, [put_if_unchanged(new, old, "company"), self.admin_check(old.id)])

        return await self.once(request, Company, decide)

    async def add(self, request: AddToCompanyInput) -> Company:
        return await self.once(request, Company, partial(self._add, request))

    async def _add(self, request: AddToCompanyInput) -> Decision[Company]:
        company = await self.administered_company(request.company_id)
        if await self.profiles.user(request.user_id) is None:
            raise NotFound("user")
        old = await self.table.load(keys.company_member(company.id, request.user_id))
        if old is None:
            member = self._new_member(company.id, request.user_id, request.role)
            writes: list[Write] = [put_if_absent(member, otherwise=StaleVersion("company", None))]
        elif old.role is request.role:
            return Decision(company)
        else:
            writes = [put_if_unchanged(old.evolve(self.now, role=request.role), old, "member")]
        more = (request.role is CompanyRole.ADMIN) - is_admin(old)
        return self._with_admin_count(company, more, writes, request.user_id)

    async def remove(self, request: RemoveFromCompanyInput) -> Company:
        return await self.once(
            request, Company, partial(self._remove, request.company_id, request.user_id)
        )

    async def _remove(self, company_id: str, user_id: str) -> Decision[Company]:
        company = await self.company(company_id)
        myself = user_id == self.caller.user_id
        if company is None or not (myself or await self.is_admin(company_id)):
            raise NotFound("company")
        found = await self.table.load(keys.company_member(company_id, user_id))
        member = required(found, "member")
        fewer = -1 if is_admin(member) else 0
        writes = await self.member_deletes(member)
        return self._with_admin_count(company, fewer, writes, user_id)

    async def member_deletes(self, member: CompanyMember) -> list[Write]:
        """With the member's goals in the company: adding one changes the member's version."""
        me, company_id = member.user_id, member.company_id
        query = keys.goals_of_company_member(me, company_id)
        links = [each async for each in self.table.query_all(query)]
        removed = Delete(
            keys.company_member(company_id, me),
            version_is(member.version),
            StaleVersion("company", None),
        )
        return [
            removed,
            *(Delete(keys.company_goal(me, company_id, each.goal_id)) for each in links),
        ]

    def _with_admin_count(
        self, company: Company, admins: int, writes: list[Write], user_id: str
    ) -> Decision[Company]:
        """The last admin cannot leave: the count decides it."""
        new = company.evolve(self.now, admin_count=company.admin_count + admins)
        if new.admin_count < 1:
            raise LastAdmin
        writes = [put_if_unchanged(new, company, "company"), *writes]
        if user_id != self.caller.user_id:
            writes.append(self.admin_check(company.id))
        return Decision(new, writes)

    async def has_one_member(self, company_id: str) -> bool:
        rows = await self.table.query(keys.members_of_company(company_id), limit=2, start=None)
        return len(rows.items) < 2

    async def leave_for_good(self, company_id: str) -> None:
        """When the account is deleted: if it was the last admin, the member who joined first
        becomes admin."""
        await self.commit(partial(self._leave_for_good, company_id))

    async def _leave_for_good(self, company_id: str) -> Decision[None]:
        me = self.caller.user_id
        try:
            decision = await self._remove(company_id, me)
            return Decision(None, decision.writes)
        except NotFound:
            return Decision(None)
        except LastAdmin:
            return Decision(None, await self._succession(company_id, me))

    async def _succession(self, company_id: str, leaving: str) -> list[Write]:
        query = keys.members_of_company(company_id)
        members = [each async for each in self.table.query_all(query)]
        deletes = [
            write
            for member in members
            if member.user_id == leaving
            for write in await self.member_deletes(member)
        ]
        successor = next_admin(members, leaving)
        if successor is None:
            return deletes
        promoted = successor.evolve(self.now, role=CompanyRole.ADMIN)
        return [*deletes, put_if_unchanged(promoted, successor, "member")]
