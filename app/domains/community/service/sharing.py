"""Who may read a record of somebody else. This is the one place that decides it."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import strawberry

from app.core.caller import Caller
from app.core.errors import AppError, BadInput, Forbidden, LimitExceeded, NotFound, StaleVersion
from app.core.record import Node
from app.domains.community import keys
from app.domains.community.inputs import (
    AddGoalToCompanyInput,
    RemoveGoalFromCompanyInput,
    ShareWithInput,
    UnshareInput,
)
from app.domains.community.repository import ShareRepository
from app.domains.community.rules import MOST_GOALS_IN_COMPANY
from app.domains.community.service.companies import Companies
from app.domains.community.types import (
    AssistMember,
    AssistStatus,
    AssistThread,
    CompanyGoal,
    CompanyMember,
    Share,
    ShareKind,
    SubjectKind,
)
from app.domains.goals.types import Goal
from app.domains.people.service import Profiles
from app.domains.service import Decision, Service
from app.resources import Resources
from app.table.conditions import attr, present
from app.table.entity import entity_of
from app.table.gateway import Position, Rows
from app.table.writes import Check, Delete, Update, create

Kind = ShareKind | SubjectKind
SHARED_KINDS = frozenset(each.value for each in ShareKind)
# Reads a record as its owner does, through the service it belongs to: owner, kind, id.
ReadAsOwner = Callable[[str, str, str], Awaitable[Node | None]]


class Sharing(Service):
    def __init__(
        self,
        resources: Resources,
        caller: Caller,
        profiles: Profiles,
        companies: Companies,
        read_as_owner: ReadAsOwner,
    ) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles
        self.companies = companies
        self.read_as_owner = read_as_owner
        self.repository = ShareRepository(resources.table)

    async def may_read(self, owner_id: str, kind: Kind, record_id: str) -> bool:
        """One's own, and what its owner shares with the caller at this moment."""
        if owner_id == self.caller.user_id:
            return True
        share = await self.repository.share(owner_id, kind, record_id, self.caller.user_id)
        return share is not None

    async def read(self, owner_id: str, kind: Kind, record_id: str) -> Node | None:
        """Whether it is shared is looked at last: what is taken back is not read any more."""
        record = await self._shown(owner_id, kind, record_id)
        return record if record and await self.may_read(owner_id, kind, record_id) else None

    async def _shown(self, owner_id: str, kind: Kind, record_id: str) -> Node | None:
        """Who has deactivated their account is hidden, and so is what they shared."""
        record, owner = await asyncio.gather(
            self.read_as_owner(owner_id, kind.value, record_id), self.profiles.user(owner_id)
        )
        return record if owner else None

    async def read_subject(self, thread: AssistThread, seat: AssistMember | None) -> Node | None:
        """Who helps may read the one record that an open thread is about."""
        mine = seat and (seat.thread_id, seat.user_id) == (thread.id, self.caller.user_id)
        if not mine or thread.user_id is None:
            return None
        if thread.status is not AssistStatus.OPEN and thread.user_id != self.caller.user_id:
            return None
        # A quest is public, and shows its parties more than others.
        is_quest = thread.subject_kind is SubjectKind.QUEST
        reader = self.caller.user_id if is_quest else thread.user_id
        return await self._shown(reader, thread.subject_kind, thread.subject_id)

    async def read_in_company(self, link: CompanyGoal) -> Goal | None:
        """For the company's admins, as long as its owner leaves it there."""
        goal = await self._shown(link.user_id, ShareKind.GOAL, link.goal_id)
        if not isinstance(goal, Goal) or not await self._may_oversee(link):
            return None
        return goal

    async def _may_oversee(self, link: CompanyGoal) -> bool:
        if link.user_id == self.caller.user_id:
            return True
        is_admin, still_there = await asyncio.gather(
            self.companies.is_admin(link.company_id),
            self.repository.company_goal(link.user_id, link.company_id, link.goal_id),
        )
        return is_admin and still_there is not None

    async def must_be_mine(self, kind: Kind, record_id: str) -> Node:
        record = await self.read_as_owner(self.caller.user_id, kind.value, record_id)
        if record is None:
            raise NotFound(kind.value.lower())
        return record

    async def share(self, request: ShareWithInput) -> Share:
        return await self.commit(partial(self._share, request))

    async def _share(self, request: ShareWithInput) -> Decision[Share]:
        if request.user_id == self.caller.user_id:
            raise BadInput("You see your own records anyway.", field="input.userId")
        record = await self.must_be_mine(request.kind, request.id)
        if await self.profiles.user(request.user_id) is None:
            raise NotFound("user")
        earlier = await self.repository.share(
            self.caller.user_id, request.kind, request.id, request.user_id
        )
        if earlier:
            return Decision(earlier)
        share = Share(
            created_at=self.now,
            updated_at=self.now,
            user_id=strawberry.ID(self.caller.user_id),
            partner_id=request.user_id,
            kind=request.kind,
            record_id=request.id,
            note=request.note or None,
        )
        again = StaleVersion("share", None)
        return Decision(share, [create(share, otherwise=again), _still_there(record)])

    async def unshare(self, request: UnshareInput) -> Share:
        owner_id = request.owner_id or self.caller.user_id
        if self.caller.user_id not in (owner_id, request.user_id):
            raise NotFound("share")
        share = await self.repository.share(owner_id, request.kind, request.id, request.user_id)
        if share is None:
            raise NotFound("share")
        key = keys.share(owner_id, request.kind, request.id, request.user_id)
        await self.table.write(Delete(key))
        return share

    async def shared_by_me(self, *, limit: int, start: Position | None) -> Rows[Share]:
        return await self.repository.shares_of_user(self.caller.user_id, limit=limit, start=start)

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
        me = self.caller.user_id
        return await self.repository.goals_of_member(me, company_id, limit=limit, start=start)

    async def add_to_company(self, request: AddGoalToCompanyInput) -> CompanyGoal:
        return await self.once(request, CompanyGoal, partial(self._add_to_company, request))

    async def _add_to_company(self, request: AddGoalToCompanyInput) -> Decision[CompanyGoal]:
        me, company_id, goal_id = self.caller.user_id, request.company_id, request.goal_id
        if await self.companies.company(company_id) is None:
            raise NotFound("company")
        goal = await self.must_be_mine(ShareKind.GOAL, goal_id)
        if earlier := await self.repository.company_goal(me, company_id, goal_id):
            return Decision(earlier)
        link = CompanyGoal(
            created_at=self.now,
            updated_at=self.now,
            company_id=company_id,
            user_id=strawberry.ID(me),
            goal_id=goal_id,
        )
        room = attr("goalCount").absent() | attr("goalCount").below(MOST_GOALS_IN_COMPANY)
        counted = Update(
            keys.company_member(company_id, me),
            add={"goalCount": 1, "version": 1},
            when=present() & room,
            otherwise=_no_room,
        )
        again = StaleVersion("company", None)
        return Decision(link, [create(link, otherwise=again), counted, _still_there(goal)])

    async def remove_from_company(self, request: RemoveGoalFromCompanyInput) -> CompanyGoal:
        decide = partial(self._remove_from_company, request.company_id, request.goal_id)
        return await self.commit(decide)

    async def _remove_from_company(self, company_id: str, goal_id: str) -> Decision[CompanyGoal]:
        me = self.caller.user_id
        link = await self.repository.company_goal(me, company_id, goal_id)
        if link is None:
            raise NotFound("goal")
        late = StaleVersion("company", None)
        gone = Delete(keys.company_goal(me, company_id, goal_id), present(), late)
        counted = Update(
            keys.company_member(company_id, me),
            add={"goalCount": -1, "version": 1},
            otherwise=late,
        )
        return Decision(link, [gone, counted])

    async def forget(self, kind: str, record_id: str) -> None:
        """When a record is deleted. May be broken off and begun again."""
        if kind not in SHARED_KINDS:
            return
        me = self.caller.user_id
        shares = await self.repository.shares_of_record(me, kind, record_id)
        doomed = [keys.share(me, kind, record_id, each.partner_id) for each in shares]
        await self.table.delete_many((key.pk, key.sk) for key in doomed)
        if kind == ShareKind.GOAL.value:
            for link in await self.repository.companies_of_goal(me, record_id):
                await self.commit(partial(self._forget_in_company, link))

    async def _forget_in_company(self, link: CompanyGoal) -> Decision[None]:
        try:
            decision = await self._remove_from_company(link.company_id, link.goal_id)
        except NotFound:
            return Decision(None)
        return Decision(None, decision.writes)

    async def leave_everything(self) -> None:
        """When the account goes. What it shared itself lies with it and goes with it."""
        for share in await self.repository.all_with_partner(self.caller.user_id):
            key = keys.share(share.user_id, share.kind, share.record_id, share.partner_id)
            await self.table.write(Delete(key))


def _still_there(record: Node) -> Check[Node]:
    """What is being deleted is not shared: what its deletion takes away is all there is."""
    what = type(record).__name__.lower()
    return Check(entity_of(record).key_of(record), present(), NotFound(what))


def _no_room(seat: CompanyMember | None) -> AppError:
    if seat is None:
        return Forbidden("This is for the company's people. Ask its admins to add you.")
    return LimitExceeded(
        f"You can put {MOST_GOALS_IN_COMPANY} goals under a company. Take one away first."
    )
