"""A wallet address counts once its owner has signed with it."""

import asyncio
import hmac
from datetime import UTC, datetime, timedelta

from app.core.caller import Caller
from app.core.clock import epoch, instant
from app.core.errors import BadInput
from app.domains.people.service import Profiles
from app.domains.people.types import User
from app.domains.quests.errors import BadSignature
from app.domains.quests.inputs import SetWalletAddressInput
from app.domains.quests.types import WalletChallenge
from app.domains.service import Service
from app.resources import Resources

WINDOW = timedelta(minutes=10)
MESSAGE = """Guildhall: this wallet is mine.

Account: {user_id}
Address: {address}
Nonce: {nonce}"""


class WalletAddresses(Service):
    """The nonce is derived, not stored. It ends with its window of time, and with its use: it
    depends on the address that the account had before."""

    def __init__(self, resources: Resources, caller: Caller, profiles: Profiles) -> None:
        super().__init__(resources, caller)
        self.profiles = profiles

    async def challenge(self, address: str) -> WalletChallenge:
        user = await self.profiles.me()
        checked = self._checksum(address, field="address")
        window = self._window(self.resources.clock.now())
        end = datetime.fromtimestamp((window + 2) * WINDOW.seconds, tz=UTC)
        return WalletChallenge(
            address=checked,
            message=self._message(user, checked, window),
            expires_at=instant(end),
        )

    async def set(self, request: SetWalletAddressInput) -> User:
        from app.domains.quests.signatures import signer_of_text

        user = await self.profiles.me()
        address = self._checksum(request.address, field="input.address")
        window = self._window(self.resources.clock.now())
        for each in (window, window - 1):
            message = self._message(user, address, each)
            if await asyncio.to_thread(signer_of_text, message, request.signature) == address:
                return await self.profiles.set_wallet_address(address)
        raise BadSignature

    async def remove(self) -> User:
        return await self.profiles.set_wallet_address(None)

    def _checksum(self, address: str, *, field: str) -> str:
        # Half a second to import, and only those with a wallet need it.
        from app.domains.quests.signatures import checksum_address

        checked = checksum_address(address)
        if checked is None:
            raise BadInput("This is no Ethereum address: a digit is off.", field=field)
        return checked

    def _window(self, moment: datetime) -> int:
        return epoch(moment) // WINDOW.seconds

    def _message(self, user: User, address: str, window: int) -> str:
        key = self.resources.secret.derive("wallet challenges")
        facts = "\n".join((user.id, user.wallet_address or "", address, str(window)))
        nonce = hmac.new(key, facts.encode(), "sha256").hexdigest()[:32]
        return MESSAGE.format(user_id=user.id, address=address, nonce=nonce)
