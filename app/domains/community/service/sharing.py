"""Decides which records of other users a user may read. No other place does."""

import asyncio
from functools import partial

from app.core.errors import BadInput, NotFound, StaleVersion
from app.core.record import Node
from app.domains.community import keys
from app.domains.community.inputs import (
    AddGoalToCompanyInput,
    RemoveGoalFromCompanyInput,
    ShareWithInput,
    UnshareInput,
)
from app.domains.community.repository import ShareRepository
from app.domains.community.rules.market import MOST_GOALS_IN_COMPANY, goal_refusal
from app.domains.community.service.companies import Companies
from app.domains.community.service.ports import RecordFinder
from app.domains.community.types import (
    AssistMember,
    AssistStatus,
    AssistThread,
    CompanyGoal,
    Share,
    ShareKind,
    SubjectKind,
)
from app.domains.goals.types import Goal
from app.domains.people.service import Profiles
from app.domains.service import Decision, required, uses
from app.domains.tracking.service.ports import SharedRecords
from app.table.conditions import attr, present
from app.table.entity import entity_of
from app.table.gateway import Position, Rows
from app.table.writes import Check, Delete, Update, put_if_absent

SharedKind = ShareKind | SubjectKind
SHARED_KINDS = frozenset(each.value for each in ShareKind)


class Sharing(SharedRecords):
    profiles = uses(Profiles)
    companies = uses(Companies)

    @property
    def repository(self) -> ShareRepository:
        return ShareRepository(self.table)

    async def _read_as_owner(self, owner_id: str, kind: str, record_id: str) -> Node | None:
        """The methods below decide whether the caller may see it."""
        return await self.scope.acting_for(owner_id).get(RecordFinder).find(kind, record_id)

    async def may_read(self, owner_id: str, kind: SharedKind, record_id: str) -> bool:
        """The caller's own records, and those that are shared with the caller now."""
        me = self.caller.user_id
        if owner_id == me:
            return True
        return await self.table.load(keys.share(owner_id, kind, record_id, me)) is not None

    async def read(self, owner_id: str, kind: SharedKind, record_id: str) -> Node | None:
        """The share is read last: a record that is unshared meanwhile is not returned."""
        record = await self._read_of_active_owner(owner_id, kind, record_id)
        return record if record and await self.may_read(owner_id, kind, record_id) else None

    async def _read_of_active_owner(
        self, owner_id: str, kind: SharedKind, record_id: str
    ) -> Node | None:
        """None if the owner has deactivated their account: then all they share is hidden."""
        record, owner = await asyncio.gather(
            self._read_as_owner(owner_id, kind.value, record_id), self.profiles.user(owner_id)
        )
        return record if owner else None

    async def read_subject(self, thread: AssistThread, member: AssistMember | None) -> Node | None:
        """Helpers may read the one record that an open thread is about."""
        mine = member and (member.thread_id, member.user_id) == (thread.id, self.caller.user_id)
        if not mine or thread.user_id is None:
            return None
        if thread.status is not AssistStatus.OPEN and thread.user_id != self.caller.user_id:
            return None
        # A quest is public, and its creator and performers see more of it than others.
        is_quest = thread.subject_kind is SubjectKind.QUEST
        reader = self.caller.user_id if is_quest else thread.user_id
        return await self._read_of_active_owner(reader, thread.subject_kind, thread.subject_id)

    async def read_company_goal(self, link: CompanyGoal) -> Goal | None:
        """For its owner and the company's admins, while it is in the company."""
        goal = await self._read_of_active_owner(link.user_id, ShareKind.GOAL, link.goal_id)
        if not isinstance(goal, Goal) or not await self._may_read_company_goal(link):
            return None
        return goal

    async def _may_read_company_goal(self, link: CompanyGoal) -> bool:
        if link.user_id == self.caller.user_id:
            return True
        is_admin, stored = await asyncio.gather(
            self.companies.is_admin(link.company_id),
            self.table.load(keys.company_goal(link.user_id, link.company_id, link.goal_id)),
        )
        return is_admin and stored is not None

    async def own_record(self, kind: SharedKind, record_id: str) -> Node:
        """A record of the caller, or NOT_FOUND."""
        found = await self._read_as_owner(self.caller.user_id, kind.value, record_id)
        return required(found, kind.value.lower())

    async def share(self, request: ShareWithInput) -> Share:
        return await self.once(request, Share, partial(self._share, request))

    async def _share(self, request: ShareWithInput) -> Decision[Share]:
        if request.user_id == self.caller.user_id:
            raise BadInput("You cannot share a record with yourself.", field="input.userId")
        record = await self.own_record(request.kind, request.id)
        if await self.profiles.user(request.user_id) is None:
            raise NotFound("user")
        key = keys.share(self.caller.user_id, request.kind, request.id, request.user_id)
        if earlier := await self.table.load(key):
            return Decision(earlier)
        share = Share(
            **self.stamp(),
            partner_id=request.user_id,
            kind=request.kind,
            record_id=request.id,
            note=request.note or None,
        )
        again = StaleVersion("share", None)
        return Decision(
            share, [put_if_absent(share, otherwise=again), self._existence_check(record)]
        )

    def _existence_check(self, record: Node) -> Check[Node]:
        """A record that is being deleted is not shared any more: its deletion finds all shares."""
        what = type(record).__name__.lower()
        return Check(entity_of(record).key_of(record), present(), NotFound(what))

    async def unshare(self, request: UnshareInput) -> Share:
        owner_id = request.owner_id or self.caller.user_id
        if self.caller.user_id not in (owner_id, request.user_id):
            raise NotFound("share")
        key = keys.share(owner_id, request.kind, request.id, request.user_id)

        async def decide() -> Decision[Share]:
            return Decision(required(await self.table.get(key), "share"), [Delete(key)])

        return await self.once(request, Share, decide)

    async def shared_by_me(self, *, limit: int, start: Position | None) -> Rows[Share]:
        query = keys.shares_of_user(self.caller.user_id)
        return await self.table.query(query, limit=limit, start=start)

    async def shared_with_me(self, *, limit: int, start: Position | None) -> Rows[Share]:
        return await self.repository.shares_with_partner(
            self.caller.user_id, limit=limit, start=start
        )

    async def goals_of_company(
        self, company_id: str, *, limit: int, start: Position | None
    ) -> Rows[CompanyGoal]:
        rows = await self.repository.goals_of_company(company_id, limit=limit, start=start)
        return rows if await self.companies.is_admin(company_id) else Rows([])

    async def my_goals_in_company(
        self, company_id: str, *, limit: int, start: Position | None
    ) -> Rows[CompanyGoal]:
        query = keys.goals_of_company_member(self.caller.user_id, company_id)
        return await self.table.query(query, limit=limit, start=start)

    async def add_to_company(self, request: AddGoalToCompanyInput) -> CompanyGoal:
        return await self.once(request, CompanyGoal, partial(self._add_to_company, request))

    async def _add_to_company(self, request: AddGoalToCompanyInput) -> Decision[CompanyGoal]:
        me, company_id, goal_id = self.caller.user_id, request.company_id, request.goal_id
        required(await self.companies.company(company_id), "company")
        goal = await self.own_record(ShareKind.GOAL, goal_id)
        if earlier := await self.table.load(keys.company_goal(me, company_id, goal_id)):
            return Decision(earlier)
        link = CompanyGoal(**self.stamp(), company_id=company_id, goal_id=goal_id)
        has_place = attr("goalCount").absent() | attr("goalCount").below(MOST_GOALS_IN_COMPANY)
        counted = Update(
            keys.company_member(company_id, me),
            add={"goalCount": 1, "version": 1},
            when=present() & has_place,
            otherwise=goal_refusal,
        )
        again = StaleVersion("company", None)
        return Decision(
            link, [put_if_absent(link, otherwise=again), counted, self._existence_check(goal)]
        )

    async def remove_from_company(self, request: RemoveGoalFromCompanyInput) -> CompanyGoal:
        decide = partial(self._remove_from_company, request.company_id, request.goal_id)
        return await self.once(request, CompanyGoal, decide)

    async def _remove_from_company(self, company_id: str, goal_id: str) -> Decision[CompanyGoal]:
        me = self.caller.user_id
        key = keys.company_goal(me, company_id, goal_id)
        link = required(await self.table.load(key), "goal")
        late = StaleVersion("company", None)
        removed = Delete(key, present(), late)
        counted = Update(
            keys.company_member(company_id, me),
            add={"goalCount": -1, "version": 1},
            otherwise=late,
        )
        return Decision(link, [removed, counted])

    async def forget(self, kind: str, record_id: str) -> None:
        """When a record is deleted. Can be interrupted and repeated."""
        if kind not in SHARED_KINDS:
            return
        me = self.caller.user_id
        shares = self.table.query_all(keys.shares_of_record(me, kind, record_id))
        found = [keys.share(me, kind, record_id, each.partner_id) async for each in shares]
        await self.table.delete_many((key.pk, key.sk) for key in found)
        if kind == ShareKind.GOAL.value:
            for link in await self.repository.companies_of_goal(me, record_id):
                await self.commit(partial(self._remove_deleted_goal, link))

    async def _remove_deleted_goal(self, link: CompanyGoal) -> Decision[None]:
        try:
            decision = await self._remove_from_company(link.company_id, link.goal_id)
        except NotFound:
            return Decision(None)
        return Decision(None, decision.writes)

    async def delete_shares_with_me(self) -> None:
        """When the account is deleted. Its own shares are in its own partition, which is deleted
        as a whole."""
        shares = self.table.query_all(keys.shares_with_partner(self.caller.user_id))
        for share in [each async for each in shares]:
            key = keys.share(share.user_id, share.kind, share.record_id, share.partner_id)
            await self.table.write(Delete(key))
