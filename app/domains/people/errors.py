"""
AppError
├── NicknameTaken      NICKNAME_TAKEN
├── EmailTaken         EMAIL_TAKEN
├── WrongCredentials   WRONG_CREDENTIALS   unknown email or wrong password: the same error
├── ProfileExists      PROFILE_EXISTS
└── IdentityElsewhere  IDENTITY_ELSEWHERE  an outside issuer signs users in
"""

from app.core.errors import AppError


class NicknameTaken(AppError):
    code = "NICKNAME_TAKEN"

    def __init__(self, nickname: str) -> None:
        super().__init__(
            f"The nickname {nickname} is taken, or looks like one that is. Choose another.",
            field="input.nickname",
        )


class EmailTaken(AppError):
    code = "EMAIL_TAKEN"

    def __init__(self) -> None:
        super().__init__(
            "An account with this email exists. Sign in, or use another email.",
            field="input.email",
        )


class WrongCredentials(AppError):
    code = "WRONG_CREDENTIALS"

    def __init__(self) -> None:
        super().__init__("The email and the password do not match an account.")


class ProfileExists(AppError):
    code = "PROFILE_EXISTS"

    def __init__(self) -> None:
        super().__init__("Your profile exists already. Change it with updateProfile.")


class IdentityElsewhere(AppError):
    code = "IDENTITY_ELSEWHERE"

    def __init__(self) -> None:
        super().__init__("Sign up and sign in with the configured identity provider.")
