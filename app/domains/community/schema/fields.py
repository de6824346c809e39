"""Fields of records that take a service to answer."""

from functools import partial
from typing import Annotated

import strawberry

from app.core.record import Node, computed
from app.domains.community.types.assist import (
    AssistMember,
    AssistMsg,
    AssistMsgEdit,
    AssistThread,
)
from app.domains.community.types.conversation import (
    ConversationMessage,
    MessageOrder,
    Participant,
)
from app.domains.community.types.market import (
    Company,
    CompanyGoal,
    CompanyMember,
    CompanyRole,
    Offer,
    TaggedRecord,
)
from app.domains.community.types.rooms import (
    Message,
    MessageAnchor,
    MessageEdit,
    MessageReport,
    ModerationEntry,
    Room,
    RoomMember,
    RoomRole,
)
from app.domains.community.types.sharing import Share
from app.domains.goals.types import Goal
from app.domains.people.types import User
from app.graph.context import Info
from app.graph.fields import fields_of
from app.graph.paging import Limit, NextToken, Page, page

PARTICIPANTS_ONLY = "Null unless you take part."
MEMBERS_ONLY = "Null unless you are a member."
UNREAD = (
    "How many messages you have not read, without those that were deleted or have expired. Of more "
    "than 500 the oldest are all counted."
)
HIDDEN_USER = "Null if the account is hidden or deleted."

MessageOrderArgument = Annotated[
    MessageOrder, strawberry.argument(description="NEWEST_FIRST if left out.")
]
MessageAnchorArgument = Annotated[
    MessageAnchor | None,
    strawberry.argument(
        description="Begin at this place instead of at the end: NEWEST_FIRST gives it and earlier "
        "messages, OLDEST_FIRST it and later messages."
    ),
]


@fields_of(AssistMsg)
class AssistMsgFields(AssistMsg):
    @computed(description=f"Its earlier texts, oldest first. {PARTICIPANTS_ONLY}")
    async def edits(self, info: Info) -> list[AssistMsgEdit] | None:
        return await info.context.assist_messages.edits(self)


@fields_of(AssistThread)
class AssistThreadFields(AssistThread):
    @computed(
        description=f"The record it is about, while the thread is open. {PARTICIPANTS_ONLY} "
        "Null also if it was deleted."
    )
    async def subject(self, info: Info) -> Node | None:
        return await info.context.assist.subject(self)

    @computed(description=f"{UNREAD} {PARTICIPANTS_ONLY}")
    async def unread_count(self, info: Info) -> int | None:
        return await info.context.assist_messages.unread_count(self)

    @computed(description=f"In one order for all readers. {PARTICIPANTS_ONLY}")
    async def messages(
        self,
        info: Info,
        limit: Limit = 20,
        next_token: NextToken = None,
        order: MessageOrderArgument = MessageOrder.NEWEST_FIRST,
    ) -> Page[AssistMsg] | None:
        if not await info.context.assist.my_membership(self.id):
            return None
        fetch = partial(info.context.assist_messages.history, self.id, order)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description=PARTICIPANTS_ONLY)
    async def members(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[AssistMember] | None:
        if not await info.context.assist.my_membership(self.id):
            return None
        fetch = partial(info.context.assist.members, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


@fields_of(Participant)
class ParticipantFields(Participant):
    @computed(description=HIDDEN_USER)
    async def user(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.user_id)


@fields_of(ConversationMessage)
class ConversationMessageFields(ConversationMessage):
    @computed(description=HIDDEN_USER)
    async def user(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.user_id) if self.user_id else None


@fields_of(CompanyMember)
class CompanyMemberFields(CompanyMember):
    @computed(description=HIDDEN_USER)
    async def user(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.user_id)


@fields_of(CompanyGoal)
class CompanyGoalFields(CompanyGoal):
    @computed(description=f"The owner of the goal. {HIDDEN_USER}")
    async def user(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.user_id)

    @computed(
        description="The goal as it is now, with its progress; its tasks, milestones and other "
        "lists are empty. Null once it is deleted or removed from the company."
    )
    async def goal(self, info: Info) -> Goal | None:
        return await info.context.sharing.read_company_goal(self)


@fields_of(Company)
class CompanyFields(Company):
    @computed(description="Null unless you are a member.")
    async def my_role(self, info: Info) -> CompanyRole | None:
        member = await info.context.companies.my_membership(self.id)
        return member.role if member else None

    @computed(description="For its admins; null for everybody else.")
    async def members(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[CompanyMember] | None:
        if not await info.context.companies.is_admin(self.id):
            return None
        fetch = partial(info.context.companies.members, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(
        description="Goals that its members have added, the latest first. For its admins; null for "
        "everybody else."
    )
    async def goals(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[CompanyGoal] | None:
        if not await info.context.companies.is_admin(self.id):
            return None
        fetch = partial(info.context.sharing.goals_of_company, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description="Your goals in it. Null unless you are a member.")
    async def my_goals(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[CompanyGoal] | None:
        if not await info.context.companies.my_membership(self.id):
            return None
        fetch = partial(info.context.sharing.my_goals_in_company, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


@fields_of(Offer)
class OfferFields(Offer):
    @computed(description="The company that offers it.")
    async def company(self, info: Info) -> Company | None:
        return await info.context.companies.company(self.company_id)


@fields_of(TaggedRecord)
class TaggedRecordFields(TaggedRecord):
    @computed(description="The record itself; null if it is hidden or deleted.")
    async def record(self, info: Info) -> Node | None:
        return await info.context.records.find(self.type, self.id)


@fields_of(Message)
class MessageFields(Message):
    @computed(description="The message it answers; null if that has expired or you may not see it.")
    async def reply_to(self, info: Info) -> Message | None:
        if self.reply_to_id is None:
            return None
        return await info.context.messages.message(self.room_id, self.reply_to_id)

    @computed(description=f"Its earlier texts, oldest first. {MEMBERS_ONLY}")
    async def edits(self, info: Info) -> list[MessageEdit] | None:
        return await info.context.messages.edits(self)


@fields_of(MessageReport)
class MessageReportFields(MessageReport):
    @computed(description="The message, also for a moderator who is not in the room.")
    async def message(self, info: Info) -> Message | None:
        return await info.context.moderation.reported_message(self)


@fields_of(Room)
class RoomFields(Room):
    @computed(description=f"{UNREAD} {MEMBERS_ONLY}")
    async def unread_count(self, info: Info) -> int | None:
        return await info.context.messages.unread_count(self)

    @computed(description=MEMBERS_ONLY)
    async def my_role(self, info: Info) -> RoomRole | None:
        member = await info.context.rooms.my_membership(self.id)
        return member.role if member else None

    @computed(description=f"The newest message, unless it has expired. {MEMBERS_ONLY}")
    async def last_message(self, info: Info) -> Message | None:
        if self.last_message_id is None:
            return None
        return await info.context.messages.message(self.id, self.last_message_id)

    @computed(description=f"In one order for all readers. {MEMBERS_ONLY}")
    async def messages(
        self,
        info: Info,
        limit: Limit = 20,
        next_token: NextToken = None,
        order: MessageOrderArgument = MessageOrder.NEWEST_FIRST,
        around: MessageAnchorArgument = None,
    ) -> Page[Message] | None:
        if not await info.context.rooms.my_membership(self.id):
            return None
        fetch = partial(info.context.messages.history, self.id, order, around)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(description=MEMBERS_ONLY)
    async def members(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[RoomMember] | None:
        if not await info.context.rooms.my_membership(self.id):
            return None
        fetch = partial(info.context.rooms.members, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(
        description="The actions of moderators, newest first. For owner and moderators; else null."
    )
    async def moderation_log(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[ModerationEntry] | None:
        if not await info.context.moderation.may_moderate(self.id):
            return None
        fetch = partial(info.context.moderation.log, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)

    @computed(
        description="Open reports of messages, oldest first. For owner and moderators; else null."
    )
    async def open_reports(
        self, info: Info, limit: Limit = 20, next_token: NextToken = None
    ) -> Page[MessageReport] | None:
        if not await info.context.moderation.may_moderate(self.id):
            return None
        fetch = partial(info.context.moderation.reports_of_room, self.id)
        return await page(info, fetch, limit=limit, next_token=next_token, of=self.id)


@fields_of(Share)
class ShareFields(Share):
    @computed(description="The owner of the record.")
    async def owner(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.user_id)

    @computed(description="The user who may read it.")
    async def partner(self, info: Info) -> User | None:
        return await info.context.profiles.user(self.partner_id)

    @computed(
        description="The record as it is now; null once it is deleted or no longer shared. Its "
        "progress, health or streak is the same as for its owner. A goal's tasks, activity and "
        "milestones, a habit's logs and other lists are not shared: they are empty."
    )
    async def record(self, info: Info) -> Node | None:
        return await info.context.sharing.read(self.user_id, self.kind, self.record_id)
