"""The typed data that attesters sign with their wallets, and the check of their signatures."""

import asyncio
import dataclasses
from dataclasses import dataclass

import orjson

from app.core.scalars import AWSJSON
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
        whole = RatedComments(rating=attestation.rating, comments=attestation.comments)
        for rated in (whole, None):
            data = self.typed_data(quest, attestation.role, address, rated)
            if await _signed_by(data, signature) == address:
                return dataclasses.replace(
                    attestation,
                    signature=signature,
                    signer=address,
                    rating_signed=rated is not None,
                    typed_data=_as_json(data),
                )
        raise InvalidWalletSignature

    async def with_restored_data(self, quest: Quest, attestation: Attestation) -> Attestation:
        """A signature that an earlier release stored without its typed data. They are restored only
        if the signature proves them: chain and contract may have been others at that time."""
        if attestation.signature is None or attestation.typed_data is not None:
            return attestation
        whole = RatedComments(rating=attestation.rating, comments=attestation.comments)
        rated = whole if attestation.rating_signed else None
        submitted = dataclasses.replace(quest, submitted_at=attestation.submitted_at)
        data = self.typed_data(submitted, attestation.role, attestation.signer, rated)
        is_proven = await _signed_by(data, attestation.signature) == attestation.signer
        return dataclasses.replace(attestation, typed_data=_as_json(data) if is_proven else None)


async def _signed_by(data: dict[str, object], signature: str) -> str | None:
    from app.domains.quests.signatures import signer_of_data

    return await asyncio.to_thread(signer_of_data, data, signature)


def _as_json(data: dict[str, object]) -> AWSJSON:
    return AWSJSON(orjson.dumps(data).decode())
