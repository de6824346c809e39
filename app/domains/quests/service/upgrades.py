"""Records of older versions in the present shape, for the migration."""

from dataclasses import replace

from app.core.clock import instant
from app.domains.quests import keys
from app.domains.quests.rules.quest import reindexed_for
from app.domains.quests.rules.submissions import (
    counting_attestations,
    past_attestation,
    with_submission,
)
from app.domains.quests.service.signing import AttestationSigner
from app.domains.quests.types import Quest, QuestSeat, QuestTag
from app.resources import Resources
from app.table.writes import Put


async def date_tag(resources: Resources, tag: QuestTag) -> QuestTag:
    """Its created_at is that of its quest already."""
    return replace(tag, dated=True)


async def place_seat(resources: Resources, seat: QuestSeat) -> QuestSeat:
    """If the quest changes meanwhile, so does the seat, and it is migrated again."""
    quest = await resources.table.get(keys.quest(seat.quest_id))
    return reindexed_for(seat, quest) if quest else replace(seat, placed=True)


async def bind_attestations(resources: Resources, quest: Quest) -> Quest:
    """Each attestation gets the submission that it is about and, if it is signed, its typed data.
    Those of earlier submissions are put beside the quest. A completed quest stays complete."""
    history = [each async for each in resources.table.query_all(keys.history_of_quest(quest.id))]
    signer = AttestationSigner(resources.settings)
    bound = [
        await signer.with_restored_data(quest, with_submission(each, quest, history))
        for each in quest.attestations
    ]
    new = replace(quest, attestations=bound)
    kept = counting_attestations(new)
    now = instant(resources.clock.now())
    past = [past_attestation(quest, each, now) for each in bound if each not in kept]
    await resources.table.write(*(Put(each) for each in past))
    return replace(new, attestations=kept)
