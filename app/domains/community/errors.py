"""
AppError
├── NotAMember       NOT_A_MEMBER       a public room or thread must be joined first
├── Banned           BANNED             removed from the room: they may return only by invitation
├── Muted            MUTED              says until when
├── RoomArchived     ROOM_ARCHIVED      it can be read only
├── RoomFull         LIMIT_EXCEEDED
├── EditTooLate      EDIT_TOO_LATE      15 minutes have passed
├── MessageGone      MESSAGE_DELETED    it cannot be edited or answered
├── ThreadResolved   THREAD_RESOLVED    it can be read only, until its opener reopens it
└── LastAdmin        LAST_ADMIN         the last admin of a company cannot leave
"""

from app.core.errors import AppError, LimitExceeded


class NotAMember(AppError):
    code = "NOT_A_MEMBER"

    def __init__(self, what: str) -> None:
        super().__init__(f"You are not in this {what}. Join it first.")


class Banned(AppError):
    code = "BANNED"

    def __init__(self) -> None:
        super().__init__("You were removed from this room. Ask its moderators to invite you.")


class Muted(AppError):
    code = "MUTED"

    def __init__(self, until: str | None) -> None:
        super().__init__("A moderator muted you in this room for a while.", until=until)


class RoomArchived(AppError):
    code = "ROOM_ARCHIVED"

    def __init__(self) -> None:
        super().__init__("This room is archived: it can be read, and restored by its owner.")


class RoomFull(LimitExceeded):
    def __init__(self, most: int) -> None:
        super().__init__(f"This has {most} members already, and cannot take more.")


class EditTooLate(AppError):
    code = "EDIT_TOO_LATE"

    def __init__(self) -> None:
        super().__init__("A message can be edited for 15 minutes. Send a new one.")


class MessageGone(AppError):
    code = "MESSAGE_DELETED"

    def __init__(self) -> None:
        super().__init__("This message was deleted.")


class ThreadResolved(AppError):
    code = "THREAD_RESOLVED"

    def __init__(self) -> None:
        super().__init__("This thread is resolved: it can be read, and reopened by its opener.")


class LastAdmin(AppError):
    code = "LAST_ADMIN"

    def __init__(self) -> None:
        super().__init__("A company needs an admin. Make somebody else one first.")
