"""The demo user among others: a room where people talk, someone to help, a bakery with offers."""

import strawberry

from app.core.caller import acting_for
from app.demo.quests import NEIGHBOUR, PROOFREAD
from app.domains.community.inputs import (
    CreateCompanyInput,
    CreateOfferInput,
    CreateRoomInput,
    OpenAssistThreadInput,
    SendAssistMessageInput,
    SendMessageInput,
)
from app.domains.community.types import SubjectKind
from app.services import Services

HALL = strawberry.ID("demo-hall")
TALK = (
    ("neighbour", "Morning! Who is in for the pier on Saturday?"),
    ("dana", "I am. I can bring gloves for four."),
    ("neighbour", "Then I bring the bags, and cake from the harbour."),
    ("neighbour", "Ten o'clock at the old crane?"),
)
OFFERS = (
    ("Day-old bread at half price", ["food", "lisbon"]),
    ("Saturday baking course", ["food", "learning"]),
)


async def fill(services: Services) -> None:
    """The room is made last: if it is there, so is all the rest."""
    if await services.rooms.room(HALL) is not None:
        return
    found = await services.profiles.user_by_nickname(NEIGHBOUR)
    if found is None:
        return
    neighbour = Services(services.resources, acting_for(found.id))
    await _sell(neighbour)
    await _ask(neighbour, services)
    await _talk(neighbour, services)


async def _sell(neighbour: Services) -> None:
    company = await neighbour.companies.create(
        CreateCompanyInput(
            name="Harbour Bakery",
            description="Bread and cake by the old crane.",
            idempotency_key="demo-bakery",
        )
    )
    for number, (title, tags) in enumerate(OFFERS):
        offer = CreateOfferInput(
            company_id=company.id,
            title=title,
            tags=tags,
            idempotency_key=f"demo-offer-{number}",
        )
        await neighbour.offers.create(offer.checked())


async def _ask(neighbour: Services, dana: Services) -> None:
    thread = await neighbour.assist.open(
        OpenAssistThreadInput(
            title="Is slide 7 clear?",
            description="The numbers are right, but nobody understands the picture.",
            subject_kind=SubjectKind.QUEST,
            subject_id=PROOFREAD,
            helper_ids=[strawberry.ID(dana.caller.user_id)],
            idempotency_key="demo-slides",
        )
    )
    await dana.assist_messages.send(
        SendAssistMessageInput(
            thread_id=thread.id,
            text="Turn it into two: the tide first, then the pools.",
            idempotency_key="demo-answer",
        )
    )


async def _talk(neighbour: Services, dana: Services) -> None:
    room = CreateRoomInput(
        id=HALL,
        name="Guild hall",
        description="Where everybody meets.",
        is_public=True,
        member_ids=[strawberry.ID(neighbour.caller.user_id)],
        idempotency_key="demo-hall",
    )
    await dana.rooms.create(room.checked())
    for number, (who, text) in enumerate(TALK):
        speaker = dana if who == "dana" else neighbour
        await speaker.messages.send(
            SendMessageInput(room_id=HALL, text=text, idempotency_key=f"demo-talk-{number}")
        )
