"""Companies and offers: visibility, the next admin, limits."""

from collections.abc import Iterable
from datetime import datetime

from app.core.clock import parse_instant
from app.core.errors import AppError, BadInput, Forbidden, LimitExceeded
from app.domains.community.types import CompanyMember, CompanyRole, Offer, OfferStatus

# They are deleted in one transaction with their member.
MOST_GOALS_IN_COMPANY = 50


def is_public(offer: Offer, now: datetime) -> bool:
    """Open, and not expired."""
    expires_at = offer.expires_at
    return offer.status is OfferStatus.OPEN and (
        expires_at is None or parse_instant(expires_at) > now
    )


def public_tags(offer: Offer | None) -> list[str]:
    """Only an open offer is found by its tags."""
    return offer.tags if offer and offer.status is OfferStatus.OPEN else []


def expect_future_expiry(offer: Offer, now: datetime) -> None:
    if offer.expires_at and parse_instant(offer.expires_at) <= now:
        raise BadInput("expiresAt must lie in the future.", field="input.expiresAt")


def is_admin(member: CompanyMember | None) -> bool:
    return member is not None and member.role is CompanyRole.ADMIN


def next_admin(members: Iterable[CompanyMember], leaving: str) -> CompanyMember | None:
    """The one who joined first; None: nobody is left."""
    staying = [each for each in members if each.user_id != leaving]
    return min(staying, key=lambda each: (each.created_at, each.user_id), default=None)


def goal_refusal(member: CompanyMember | None) -> AppError:
    """Why no goal could be added to the company."""
    if member is None:
        return Forbidden("Only members add goals to a company. Ask its admins to add you.")
    return LimitExceeded(
        f"You can add at most {MOST_GOALS_IN_COMPANY} goals to a company. Remove one first."
    )
