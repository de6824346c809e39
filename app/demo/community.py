"""Demo data of the community: a room with messages, an assist thread, a company with offers."""

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
ROOM_MESSAGES = (
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
    """The room is created last: if it exists, everything else does."""
    if await services.rooms.room(HALL) is not None:
        return
    found = await services.profiles.user_by_nickname(NEIGHBOUR)
    if found is None:
        return
    neighbour = Services(services.resources, acting_for(found.id))
    await _add_company(neighbour)
    await _add_assist_thread(neighbour, services)
    await _add_room(neighbour, services)


async def _add_company(neighbour: Services) -> None:
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
        await neighbour.offers.create(offer.validate())


async def _add_assist_thread(neighbour: Services, dana: Services) -> None:
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


async def _add_room(neighbour: Services, dana: Services) -> None:
    room = CreateRoomInput(
        id=HALL,
        name="Guild hall",
        description="Where everybody meets.",
        is_public=True,
        member_ids=[strawberry.ID(neighbour.caller.user_id)],
        idempotency_key="demo-hall",
    )
    await dana.rooms.create(room.validate())
    for number, (sender, text) in enumerate(ROOM_MESSAGES):
        services = dana if sender == "dana" else neighbour
        await services.messages.send(
            SendMessageInput(room_id=HALL, text=text, idempotency_key=f"demo-talk-{number}")
        )
