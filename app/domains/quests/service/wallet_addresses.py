"""Wallet addresses, proven by a signature."""

import asyncio
import hmac
from datetime import UTC, datetime, timedelta
from functools import partial

from app.core.clock import epoch_seconds, instant
from app.core.errors import BadInput
from app.domains.people.service import Profiles
from app.domains.people.types import User
from app.domains.quests.errors import InvalidWalletSignature
from app.domains.quests.inputs import SetWalletAddressInput
from app.domains.quests.types import WalletChallenge
from app.domains.service import Decision, Service, uses

WINDOW = timedelta(minutes=10)
MESSAGE = """Guildhall: this wallet is mine.

Account: {user_id}
Address: {address}
Nonce: {nonce}"""


class WalletAddresses(Service):
    """The nonce is derived, not stored. It expires with its window of time. It can be used once,
    because it depends on the previous address of the account."""

    profiles = uses(Profiles)

    async def challenge(self, address: str) -> WalletChallenge:
        user = await self.profiles.me()
        checked = self._checksum(address, field="address")
        window = self._window()
        end = datetime.fromtimestamp((window + 2) * WINDOW.seconds, tz=UTC)
        return WalletChallenge(
            address=checked,
            message=self._message(user, checked, window),
            expires_at=instant(end),
        )

    async def set(self, request: SetWalletAddressInput) -> User:
        return await self.once(request, User, partial(self._set, request))

    async def _set(self, request: SetWalletAddressInput) -> Decision[User]:
        from app.domains.quests.signatures import signer_of_text

        user = await self.profiles.me()
        address = self._checksum(request.address, field="input.address")
        window = self._window()
        for each in (window, window - 1):
            message = self._message(user, address, each)
            if await asyncio.to_thread(signer_of_text, message, request.signature) == address:
                return await self.profiles.set_wallet_address(address)
        raise InvalidWalletSignature

    async def remove(self) -> User:
        return await self.commit(partial(self.profiles.set_wallet_address, None))

    def _checksum(self, address: str, *, field: str) -> str:
        # Imported here because it takes half a second and few requests need it.
        from app.domains.quests.signatures import checksum_address

        checked = checksum_address(address)
        if checked is None:
            raise BadInput("This is no Ethereum address, or its checksum is wrong.", field=field)
        return checked

    def _window(self) -> int:
        return epoch_seconds(self.resources.clock.now()) // WINDOW.seconds

    def _message(self, user: User, address: str, window: int) -> str:
        key = self.resources.secret.derive("wallet challenges")
        facts = "\n".join((user.id, user.wallet_address or "", address, str(window)))
        nonce = hmac.new(key, facts.encode(), "sha256").hexdigest()[:32]
        return MESSAGE.format(user_id=user.id, address=address, nonce=nonce)
