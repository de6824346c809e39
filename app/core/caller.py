"""The caller of a request. A service acts for one caller and cannot act for another."""

from dataclasses import dataclass
from enum import Enum

from app.core.errors import Forbidden, Unauthenticated

MODERATORS = "moderators"
ADMINS = "admins"


class Access(Enum):
    ANONYMOUS = "anonymous"
    API_KEY = "api key"
    USER = "user"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    access: Access
    id: str | None = None
    groups: frozenset[str] = frozenset()
    session_id: str | None = None
    email: str | None = None
    email_verified: bool = False
    issued_at: int | None = None
    expires_at: int | None = None
    address: str = ""
    denied: frozenset[str] = frozenset()
    # A signing key or a caller of an authorizer: often one for many people or devices.
    is_shared: bool = False

    @property
    def user_id(self) -> str:
        if self.id is None:
            raise Unauthenticated(
                "Sign in first: send the access token as the Authorization header."
            )
        return self.id

    @property
    def is_admin(self) -> bool:
        return ADMINS in self.groups

    @property
    def is_moderator(self) -> bool:
        return self.is_admin or MODERATORS in self.groups

    def must_be_moderator(self) -> None:
        if not self.is_moderator:
            raise Forbidden("This is for moderators.")

    def must_be_admin(self) -> None:
        if not self.is_admin:
            raise Forbidden("This is for admins.")


def anonymous(address: str = "") -> Caller:
    return Caller(access=Access.ANONYMOUS, address=address)


def acting_for(user_id: str) -> Caller:
    """The system, acting for a user."""
    return Caller(access=Access.SYSTEM, id=user_id)
