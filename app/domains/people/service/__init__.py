"""What one can do as and about people."""

from app.domains.people.service.accounts import Accounts
from app.domains.people.service.identity import Identity
from app.domains.people.service.profiles import Profiles

__all__ = ["Accounts", "Identity", "Profiles"]
