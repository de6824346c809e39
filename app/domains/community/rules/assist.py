"""Assist threads: participation, and the errors of refused writes."""

from dataclasses import replace

from app.core.errors import AppError, NotFound, StaleVersion
from app.core.scalars import AWSDateTime
from app.domains.community.errors import NotAMember, RoomFull, ThreadResolved
from app.domains.community.rules.rooms import MOST_MEMBERS
from app.domains.community.types import AssistMember, AssistStatus, AssistThread

ERASED_TITLE = "Deleted"


def expect_participant(
    thread: AssistThread | None, member: AssistMember | None
) -> tuple[AssistThread, AssistMember]:
    if thread and member:
        return thread, member
    raise NotAMember("thread") if thread and thread.listed_at else NotFound("thread")


def expect_open(thread: AssistThread) -> None:
    if thread.status is not AssistStatus.OPEN:
        raise ThreadResolved


def thread_refusal(thread: AssistThread | None) -> AppError:
    """The error of a join or a message that the thread, as it is now, did not accept."""
    if thread is None:
        return NotFound("thread")
    if thread.status is not AssistStatus.OPEN:
        return ThreadResolved()
    if thread.member_count >= MOST_MEMBERS:
        return RoomFull(MOST_MEMBERS)
    return StaleVersion("thread", thread.version)


def without_opener(thread: AssistThread, now: AWSDateTime) -> AssistThread:
    """When the opener's account is deleted: their words go, and the thread is resolved."""
    return replace(
        thread,
        user_id=None,
        title=ERASED_TITLE,
        description=None,
        status=AssistStatus.RESOLVED,
        resolved_at=thread.resolved_at or now,
    )
