"""What attesters sign with their wallets, and what a signature stands for."""

import asyncio
import dataclasses
from dataclasses import dataclass

from app.domains.quests.errors import BadSignature, NoWalletAddress
from app.domains.quests.types import Attestation, AttesterRole, Quest
from app.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What an attester says of the work."""

    rating: int
    comments: str | None


class Signing:
    """Two messages: that the submission is what was asked for; or that, and the attester's words.
    Each attestation tells which of them was signed, and by which wallet."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def data(
        self, quest: Quest, role: AttesterRole, address: str | None, words: Words | None
    ) -> dict[str, object]:
        """It names the submission: after changes were requested, an old signature is worth
        nothing."""
        # Half a second to import, and only those with a wallet need it.
        from app.domains.quests.signatures import attestation_data

        if address is None:
            raise NoWalletAddress
        message = {
            "questId": quest.id,
            "role": role.value,
            "attester": address,
            "submittedAt": quest.submitted_at or "",
        }
        said = {"rating": words.rating, "comments": words.comments or ""} if words else {}
        return attestation_data(
            {**message, **said},
            chain_id=self.settings.chain_id,
            contract=self.settings.verifying_contract,
        )

    async def signed(
        self, quest: Quest, attestation: Attestation, address: str | None, signature: str
    ) -> Attestation:
        """With its signature, if that is over exactly these words, or over none."""
        from app.domains.quests.signatures import signer_of_data

        whole = Words(rating=attestation.rating, comments=attestation.comments)
        for words in (whole, None):
            data = self.data(quest, attestation.role, address, words)
            if await asyncio.to_thread(signer_of_data, data, signature) == address:
                return dataclasses.replace(
                    attestation,
                    signature=signature,
                    signer=address,
                    rating_signed=words is not None,
                )
        raise BadSignature
