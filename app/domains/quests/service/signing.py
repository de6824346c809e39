"""The typed data that attesters sign with their wallets, and the check of their signatures."""

import asyncio
import dataclasses
from dataclasses import dataclass

from app.domains.quests.errors import InvalidWalletSignature, NoWalletAddress
from app.domains.quests.types import Attestation, AttesterRole, Quest
from app.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedComments:
    """The part of an attestation that may be signed, too."""

    rating: int
    comments: str | None


class AttestationSigner:
    """A signature covers the submission alone, or the submission with rating and comments. Each
    attestation records which of them, and by which wallet."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def typed_data(
        self, quest: Quest, role: AttesterRole, address: str | None, rated: RatedComments | None
    ) -> dict[str, object]:
        """It names the submission, so that an old signature does not cover a later submission."""
        # Imported here because it takes half a second and few requests need it.
        from app.domains.quests.signatures import attestation_data

        if address is None:
            raise NoWalletAddress
        message = {
            "questId": quest.id,
            "role": role.value,
            "attester": address,
            "submittedAt": quest.submitted_at or "",
        }
        signed = {"rating": rated.rating, "comments": rated.comments or ""} if rated else {}
        return attestation_data(
            {**message, **signed},
            chain_id=self.settings.chain_id,
            contract=self.settings.verifying_contract,
        )

    async def with_signature(
        self, quest: Quest, attestation: Attestation, address: str | None, signature: str
    ) -> Attestation:
        """Accepts a signature over exactly this rating and these comments, or over neither."""
        from app.domains.quests.signatures import signer_of_data

        whole = RatedComments(rating=attestation.rating, comments=attestation.comments)
        for rated in (whole, None):
            data = self.typed_data(quest, attestation.role, address, rated)
            if await asyncio.to_thread(signer_of_data, data, signature) == address:
                return dataclasses.replace(
                    attestation,
                    signature=signature,
                    signer=address,
                    rating_signed=rated is not None,
                )
        raise InvalidWalletSignature
