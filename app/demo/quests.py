"""Quests of the demo user: some to claim, one that waits for her review, one that is complete."""

import secrets

import strawberry

from app.core.caller import acting_for, anonymous
from app.core.scalars import AWSEmail
from app.domains.people.errors import EmailTaken, NicknameTaken
from app.domains.people.inputs import SignUpInput
from app.domains.quests.inputs import (
    AttestQuestInput,
    ClaimQuestInput,
    CreateQuestInput,
    SubmitQuestInput,
)
from app.services import Services

NEIGHBOUR = "mika-demo"
PLANTS, PROOFREAD, PIER, LIBRARY = (
    strawberry.ID(f"demo-{name}") for name in ("plants", "proofread", "pier", "library")
)
OFFERED = {
    PROOFREAD: CreateQuestInput(
        id=PROOFREAD,
        title="Proofread my talk",
        description="Ten slides about tide pools. I need a pair of fresh eyes before Friday.",
        reward_xp=80,
        reward_reputation=3,
        tags=["writing", "science"],
        requirements=["Mark what is unclear", "Check the numbers on slide 7"],
    ),
    PIER: CreateQuestInput(
        id=PIER,
        title="Clean up the old pier",
        description="An hour with gloves and bags. Whoever comes shares the reward.",
        reward_xp=300,
        reward_reputation=10,
        tags=["outdoors", "team"],
        max_performers=4,
    ),
    LIBRARY: CreateQuestInput(
        id=LIBRARY,
        title="Bring my books back",
        description="Three novels to the library on Rua Augusta, before they close.",
        reward_xp=120,
        reward_reputation=4,
        tags=["errand"],
    ),
}
WATERING = CreateQuestInput(
    id=PLANTS,
    title="Water my plants",
    description="Twice while I am away. The fern wants more than the others.",
    reward_xp=100,
    reward_reputation=5,
    tags=["home"],
    requirements=["The fern", "All the others"],
)


async def fill(services: Services) -> None:
    if await services.quests.quest(PLANTS) is not None:
        return
    neighbour = await _neighbour(services)
    for offer in OFFERED.values():
        if await services.quests.quest(offer.id or "") is None:
            await neighbour.quests.create(offer.validate())
    await _perform(services, LIBRARY, "All three are back; here is the receipt.")
    await neighbour.quest_reviews.attest(
        AttestQuestInput(quest_id=LIBRARY, rating=5, comments="Quick and kind.")
    )
    await services.quests.create(WATERING.validate())
    await _perform(neighbour, PLANTS, "Watered on Tuesday and Friday. The fern has a new leaf!")


async def _perform(performer: Services, quest_id: strawberry.ID, submission: str) -> None:
    await performer.quest_claims.claim(ClaimQuestInput(quest_id=quest_id))
    await performer.quest_claims.submit(SubmitQuestInput(quest_id=quest_id, submission=submission))


async def _neighbour(services: Services) -> Services:
    """A second user, with a random password."""
    visitor = Services(services.resources, anonymous("demo"))
    request = SignUpInput(
        email=AWSEmail("mika@guildhall.example"),
        nickname=NEIGHBOUR,
        password=secrets.token_urlsafe(24),
        display_name="Mika",
    )
    try:
        user = (await visitor.identity.sign_up(request.validate())).user
    except (EmailTaken, NicknameTaken):
        found = await visitor.profiles.user_by_nickname(NEIGHBOUR)
        assert found is not None, "the nickname is taken, so somebody has it"
        user = found
    return Services(services.resources, acting_for(user.id))
