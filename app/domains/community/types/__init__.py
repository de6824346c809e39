"""Rooms, assist threads, companies and offers, tags, and what is shared."""

from app.domains.community.rules import OfferStatus, RoomRole
from app.domains.community.types.assist import (
    AssistMember,
    AssistMsg,
    AssistRole,
    AssistScope,
    AssistStatus,
    AssistThread,
    SubjectKind,
)
from app.domains.community.types.conversation import (
    Conversation,
    MessageOrder,
    Participant,
    Post,
)
from app.domains.community.types.market import (
    Company,
    CompanyGoal,
    CompanyMember,
    CompanyRole,
    Offer,
    OfferTag,
    TaggedRecord,
    TagScope,
)
from app.domains.community.types.rooms import (
    Message,
    MessageAnchor,
    MessageEdit,
    ModerationAction,
    ModerationEntry,
    Report,
    ReportStatus,
    Room,
    RoomBan,
    RoomMember,
)
from app.domains.community.types.sharing import Share, ShareKind

__all__ = [
    "AssistMember",
    "AssistMsg",
    "AssistRole",
    "AssistScope",
    "AssistStatus",
    "AssistThread",
    "Company",
    "CompanyGoal",
    "CompanyMember",
    "CompanyRole",
    "Conversation",
    "Message",
    "MessageAnchor",
    "MessageEdit",
    "MessageOrder",
    "ModerationAction",
    "ModerationEntry",
    "Offer",
    "OfferStatus",
    "OfferTag",
    "Participant",
    "Post",
    "Report",
    "ReportStatus",
    "Room",
    "RoomBan",
    "RoomMember",
    "RoomRole",
    "Share",
    "ShareKind",
    "SubjectKind",
    "TagScope",
    "TaggedRecord",
]
