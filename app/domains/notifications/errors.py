"""
AppError
├── ChannelUnavailable   CHANNEL_UNAVAILABLE    this server has no gateway for SMS, or for mail
├── ChannelNotVerified   CHANNEL_NOT_VERIFIED   send the code first: verifyNotificationChannel
├── ChannelMissing       BAD_INPUT              you have no channel of this type
├── AlreadyVerified      ALREADY_VERIFIED       the channel needs no code
├── WrongCode            WRONG_CODE             says how many tries are left
├── CodeExpired          CODE_EXPIRED           expired, or tried too often: set the channel again
└── AlreadyAnnounced     CONFLICT               internal: one message a period; decide anew
"""

from app.core.errors import AppError, BadInput, StaleVersion


class ChannelUnavailable(AppError):
    code = "CHANNEL_UNAVAILABLE"

    def __init__(self, kind: str, setting: str) -> None:
        super().__init__(
            f"This server cannot send to {kind} channels. Nothing was "
            f"saved. Choose another type, such as Discord, or ask its operator to set {setting}. "
            "Every message is in your inbox in any case.",
            field="input.channelType",
        )


class ChannelNotVerified(AppError):
    code = "CHANNEL_NOT_VERIFIED"

    def __init__(self) -> None:
        super().__init__(
            "This channel is not verified, or not active. Send the code that it received with "
            "verifyNotificationChannel, or set it again with setNotificationChannel."
        )


class ChannelMissing(BadInput):
    def __init__(self, kind: str, *, field: str) -> None:
        super().__init__(
            f"You have no {kind} channel. Set one with setNotificationChannel and verify it, or "
            "choose a type that you have (notificationChannels), or null: every message is in "
            "your inbox in any case.",
            field=field,
        )


class AlreadyVerified(AppError):
    code = "ALREADY_VERIFIED"

    def __init__(self, *, is_active: bool) -> None:
        next_step = (
            "There is nothing to do."
            if is_active
            else "It is not active: set it again with setNotificationChannel."
        )
        super().__init__(f"This channel is verified already. {next_step}", field="input.code")


class WrongCode(AppError):
    code = "WRONG_CODE"

    def __init__(self, tries_left: int) -> None:
        super().__init__(
            f"This is not the code. {tries_left} tries are left.",
            field="input.code",
            triesLeft=tries_left,
        )


class CodeExpired(AppError):
    code = "CODE_EXPIRED"

    def __init__(self) -> None:
        super().__init__(
            "There is no code to check: it has expired, or was tried too often. "
            "Set the channel again for a new one.",
            field="input.code",
        )


class AlreadyAnnounced(StaleVersion):
    """Another worker has sent the message of the period since the decision read what is sent."""

    def __init__(self) -> None:
        super().__init__("message", None)
