"""What the domains above do when accounts come and go. Each port does nothing unless
app/services.py connects it."""

from app.domains.people.types import User
from app.domains.service import Service
from app.table.writes import Write


class NewAccounts(Service):
    def writes_for(self, user: User) -> list[Write]:
        """Part of the transaction that creates the profile."""
        return []


class DeletedAccounts(Service):
    async def on_account_deleted(self) -> None:
        """Removes what the caller has in partitions of others. May be interrupted and repeated."""
