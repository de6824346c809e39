"""Keys and access patterns of rooms, assist threads, companies, offers and shares."""

from dataclasses import replace

from app.core.record import Record
from app.domains.community.types import (
    AssistMember,
    AssistMsg,
    AssistMsgEdit,
    AssistThread,
    Company,
    CompanyGoal,
    CompanyMember,
    Message,
    MessageEdit,
    MessageReport,
    ModerationEntry,
    Offer,
    OfferTag,
    Room,
    RoomBan,
    RoomMember,
    Share,
)
from app.table.entity import Entity, Key, RangeQuery

ROOM = Entity("Room", Room, pk="ROOM#{id}", sk="META", gsi2=("ROOMS#PUBLIC", "{listed_at}"))
ROOM_MEMBER = Entity(
    "RoomMember",
    RoomMember,
    pk="ROOM#{room_id}",
    sk="MEMBER#{user_id}",
    gsi1=("USER#{user_id}", "ENTITY#Room#{created_at}"),
)
MESSAGE = Entity(
    "Message",
    Message,
    pk="ROOM#{room_id}",
    sk="MSG#{created_at}#{id}",
    gsi1=("USER#{user_id}", "ENTITY#Message#{created_at}"),
)
MESSAGE_EDIT = Entity(
    "MessageEdit",
    MessageEdit,
    pk="ROOM#{room_id}",
    sk="EDIT#{message_id}#{place}",
    gsi1=("USER#{user_id}", "EDIT#Message#{created_at}"),
)
ROOM_BAN = Entity("RoomBan", RoomBan, pk="ROOM#{room_id}", sk="BAN#{user_id}")
MODERATION_ENTRY = Entity(
    "ModerationEntry", ModerationEntry, pk="ROOM#{room_id}", sk="MODERATION#{created_at}#{id}"
)
REPORT = Entity(
    "Report",
    MessageReport,
    pk="USER#{user_id}",
    sk="REPORT#{message_id}",
    gsi1=("STATUS#REPORT#{status}", "{created_at}#{message_id}"),
    gsi2=("ROOM#{room_id}#REPORT", "{status}#{created_at}"),
)
ASSIST_THREAD = Entity(
    "AssistThread", AssistThread, pk="ASSIST#{id}", sk="META", gsi2=("ASSIST#OPEN", "{listed_at}")
)
ASSIST_MEMBER = Entity(
    "AssistMember",
    AssistMember,
    pk="ASSIST#{thread_id}",
    sk="MEMBER#{user_id}",
    gsi1=("USER#{user_id}", "ENTITY#AssistThread#{created_at}"),
)
ASSIST_MSG = Entity(
    "AssistMsg",
    AssistMsg,
    pk="ASSIST#{thread_id}",
    sk="MSG#{created_at}#{id}",
    gsi1=("USER#{user_id}", "ENTITY#AssistMsg#{created_at}"),
)
ASSIST_MSG_EDIT = Entity(
    "AssistMsgEdit",
    AssistMsgEdit,
    pk="ASSIST#{thread_id}",
    sk="EDIT#{message_id}#{place}",
    gsi1=("USER#{user_id}", "EDIT#AssistMsg#{created_at}"),
)
COMPANY = Entity(
    "Company",
    Company,
    pk="COMPANY#{id}",
    sk="COMPANY#{id}",
    gsi4=("COMPANIES#CLOSING", "{closing_since}#{id}"),
)
COMPANY_MEMBER = Entity(
    "CompanyMember",
    CompanyMember,
    pk="COMPANY#{company_id}",
    sk="MEMBER#{user_id}",
    gsi1=("USER#{user_id}", "ENTITY#Company#{created_at}"),
)
COMPANY_GOAL = Entity(
    "CompanyGoal",
    CompanyGoal,
    pk="USER#{user_id}",
    sk="COMPANYGOAL#{company_id}#{goal_id}",
    gsi6=("COMPANY#{company_id}", "Goal#{created_at}#{goal_id}"),
)
OFFER = Entity(
    "Offer",
    Offer,
    pk="OFFER#{id}",
    sk="OFFER#{id}",
    gsi1=("STATUS#OFFER#{status}", "{created_at}"),
    gsi6=("COMPANY#{company_id}", "Offer#{created_at}#{id}"),
)
OFFER_TAG = Entity(
    "OfferTag",
    OfferTag,
    pk="OFFER#{offer_id}",
    sk="TAG#{tag}",
    gsi5=("TAG#{tag}[#{shard}]", "Offer#{offer_id}"),
)
SHARE = Entity(
    "Share",
    Share,
    pk="USER#{user_id}",
    sk="SHARE#{kind}#{record_id}#{partner_id}",
    gsi2=("SHARED#{partner_id}", "{created_at}#{kind}#{record_id}"),
)


def room(room_id: str) -> Key[Room]:
    """A room by id"""
    return ROOM.key(id=room_id)


def public_rooms() -> RangeQuery[Room]:
    """The directory of public rooms, newest first"""
    return ROOM.within("GSI2", newest_first=True)


def room_member(room_id: str, user_id: str) -> Key[RoomMember]:
    """A user's membership of a room"""
    return ROOM_MEMBER.key(room_id=room_id, user_id=user_id)


def members_of_room(room_id: str) -> RangeQuery[RoomMember]:
    """Members of a room"""
    return ROOM_MEMBER.within(room_id=room_id)


def rooms_of_user(user_id: str) -> RangeQuery[RoomMember]:
    """Room memberships of a user, the latest joined first"""
    return ROOM_MEMBER.within("GSI1", user_id=user_id, newest_first=True)


def message(room_id: str, sent_at: str, message_id: str) -> Key[Message]:
    """A message by its time and id"""
    return MESSAGE.key(room_id=room_id, created_at=sent_at, id=message_id)


def messages_of_room(
    room_id: str, since: str | None = None, until: str | None = None, newest_first: bool = True
) -> RangeQuery[Message]:
    """Messages of a room"""
    return MESSAGE.span(room_id=room_id, since=since, until=until, newest_first=newest_first)


def messages_of_user(user_id: str) -> RangeQuery[Message]:
    """Messages of a user in all rooms"""
    return MESSAGE.within("GSI1", user_id=user_id)


def edits_of_message(room_id: str, message_id: str) -> RangeQuery[MessageEdit]:
    """The earlier texts of a message, oldest first"""
    return MESSAGE_EDIT.within(room_id=room_id, message_id=message_id)


def room_ban(room_id: str, user_id: str) -> Key[RoomBan]:
    """A user's ban from a room"""
    return ROOM_BAN.key(room_id=room_id, user_id=user_id)


def moderation_log(room_id: str) -> RangeQuery[ModerationEntry]:
    """Actions of moderators in a room, newest first"""
    return MODERATION_ENTRY.within(room_id=room_id, newest_first=True)


def report(user_id: str, message_id: str) -> Key[MessageReport]:
    """A user's report of a message"""
    return REPORT.key(user_id=user_id, message_id=message_id)


def reports_by_status(status: object) -> RangeQuery[MessageReport]:
    """Reports of one status from all rooms, the oldest first"""
    return REPORT.within("GSI1", status=status)


def reports_of_room(room_id: str, status: object) -> RangeQuery[MessageReport]:
    """Reports of one status from a room, the oldest first"""
    return REPORT.within("GSI2", room_id=room_id, status=status)


def assist_thread(thread_id: str) -> Key[AssistThread]:
    """A thread by id"""
    return ASSIST_THREAD.key(id=thread_id)


def open_assist_threads() -> RangeQuery[AssistThread]:
    """Public threads that are open, newest first"""
    return ASSIST_THREAD.within("GSI2", newest_first=True)


def assist_member(thread_id: str, user_id: str) -> Key[AssistMember]:
    """A user's membership of a thread"""
    return ASSIST_MEMBER.key(thread_id=thread_id, user_id=user_id)


def members_of_assist_thread(thread_id: str) -> RangeQuery[AssistMember]:
    """Members of a thread"""
    return ASSIST_MEMBER.within(thread_id=thread_id)


def assist_threads_of_user(user_id: str) -> RangeQuery[AssistMember]:
    """Thread memberships of a user, the latest joined first"""
    return ASSIST_MEMBER.within("GSI1", user_id=user_id, newest_first=True)


def assist_message(thread_id: str, sent_at: str, message_id: str) -> Key[AssistMsg]:
    """A thread's message by its time and id"""
    return ASSIST_MSG.key(thread_id=thread_id, created_at=sent_at, id=message_id)


def edits_of_assist_message(thread_id: str, message_id: str) -> RangeQuery[AssistMsgEdit]:
    """The earlier texts of a thread's message, oldest first"""
    return ASSIST_MSG_EDIT.within(thread_id=thread_id, message_id=message_id)


def messages_of_assist_thread(
    thread_id: str, since: str | None = None, newest_first: bool = True
) -> RangeQuery[AssistMsg]:
    """Messages of a thread"""
    return ASSIST_MSG.span(thread_id=thread_id, since=since, newest_first=newest_first)


def assist_messages_of_user(user_id: str) -> RangeQuery[AssistMsg]:
    """Messages of a user in all threads"""
    return ASSIST_MSG.within("GSI1", user_id=user_id)


def company(company_id: str) -> Key[Company]:
    """A company by id"""
    return COMPANY.key(id=company_id)


def companies_being_deleted(until: str) -> RangeQuery[Company]:
    """Companies whose deletion began by then"""
    return COMPANY.span("GSI4", until=until)


def company_member(company_id: str, user_id: str) -> Key[CompanyMember]:
    """A user's membership of a company"""
    return COMPANY_MEMBER.key(company_id=company_id, user_id=user_id)


def members_of_company(company_id: str) -> RangeQuery[CompanyMember]:
    """Members of a company"""
    return COMPANY_MEMBER.within(company_id=company_id)


def companies_of_user(user_id: str) -> RangeQuery[CompanyMember]:
    """Company memberships of a user, the latest joined first"""
    return COMPANY_MEMBER.within("GSI1", user_id=user_id, newest_first=True)


def company_goal(user_id: str, company_id: str, goal_id: str) -> Key[CompanyGoal]:
    """A goal that a user has added to a company"""
    return COMPANY_GOAL.key(user_id=user_id, company_id=company_id, goal_id=goal_id)


def goals_of_company_member(user_id: str, company_id: str | None = None) -> RangeQuery[CompanyGoal]:
    """Goals that a user has added to one company, or to all"""
    return COMPANY_GOAL.within(user_id=user_id, company_id=company_id)


def goals_of_company(company_id: str) -> RangeQuery[CompanyGoal]:
    """Goals of a company, the latest added first"""
    return COMPANY_GOAL.within("GSI6", company_id=company_id, newest_first=True)


def offer(offer_id: str) -> Key[Offer]:
    """An offer by id"""
    return OFFER.key(id=offer_id)


def offers_by_status(status: object) -> RangeQuery[Offer]:
    """Offers of one status, newest first"""
    return OFFER.within("GSI1", status=status, newest_first=True)


def offers_of_company(company_id: str) -> RangeQuery[Offer]:
    """Offers of a company, newest first"""
    return OFFER.within("GSI6", company_id=company_id, newest_first=True)


def offers_with_tag(tag: str, shard: str | None = None) -> RangeQuery[OfferTag]:
    """Open offers with a tag, newest first"""
    return OFFER_TAG.within("GSI5", tag=tag, shard=shard, newest_first=True)


def tag_of_offer(offer_id: str, tag: str) -> Key[OfferTag]:
    """One tag of an offer"""
    return OFFER_TAG.key(offer_id=offer_id, tag=tag)


def public_records_with_tag(
    tag: str, type_: str | None = None, shard: str | None = None
) -> RangeQuery[Record]:
    """Public records with a tag, of one type or of all"""
    partition = OFFER_TAG.within("GSI5", tag=tag, shard=shard).pk
    return RangeQuery(None, partition, "GSI5", f"{type_}#" if type_ else "", newest_first=True)


def private_records_with_tag(
    user_id: str, tag: str, type_: str | None = None
) -> RangeQuery[Record]:
    """A user's own records with a tag, of one type or of all"""
    owner = ROOM_MEMBER.within("GSI1", user_id=user_id).pk
    public = public_records_with_tag(tag, type_)
    return replace(public, pk=f"{owner}#{public.pk}")


def share(user_id: str, kind: object, record_id: str, partner_id: str) -> Key[Share]:
    """A record that is shared with a user"""
    return SHARE.key(user_id=user_id, kind=kind, record_id=record_id, partner_id=partner_id)


def shares_of_user(user_id: str) -> RangeQuery[Share]:
    """Shares of a user's records"""
    return SHARE.within(user_id=user_id)


def shares_of_record(user_id: str, kind: object, record_id: str) -> RangeQuery[Share]:
    """Shares of one record"""
    return SHARE.within(user_id=user_id, kind=kind, record_id=record_id)


def shares_with_partner(partner_id: str) -> RangeQuery[Share]:
    """Shares with a user, newest first"""
    return SHARE.within("GSI2", partner_id=partner_id, newest_first=True)
