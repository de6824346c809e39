"""The demo user, with a public password. The settings refuse it in production."""

from collections.abc import Awaitable, Callable

from app.core.caller import acting_for, anonymous
from app.core.errors import RateLimited
from app.core.scalars import AWSEmail
from app.demo import characters, community, goals, plans, quests, tracking
from app.domains.people.errors import EmailTaken, NicknameTaken, WrongCredentials
from app.domains.people.inputs import SignInInput, SignUpInput
from app.domains.people.types import Session
from app.resources import Resources
from app.services import Services
from app.web.graphiql.page import PageConfig

EMAIL = AWSEmail("demo@guildhall.example")
PASSWORD = "guildhall-demo"
NICKNAME = "demo"


# Each creates the demo data of one domain. It may run again and must not create them twice.
Fill = Callable[[Services], Awaitable[None]]
FILLS: list[Fill] = [
    goals.fill,
    quests.fill,
    tracking.fill,
    community.fill,
    plans.fill,
    characters.fill,
]


async def ensure_demo(resources: Resources) -> None:
    """Creates the demo user and their data at the first start."""
    if _is_enabled(resources) and await _sign_up(resources):
        await fill_demo(resources)


async def fill_demo(resources: Resources) -> None:
    session = await demo_session(resources)
    services = Services(resources, acting_for(session.user.id))
    for fill in FILLS:
        await fill(services)


async def _sign_up(resources: Resources) -> bool:
    """False if the demo user exists already."""
    request = SignUpInput(
        email=EMAIL,
        nickname=NICKNAME,
        password=PASSWORD,
        full_name="Dana Demo",
        display_name="Dana",
        time_zone="Europe/Lisbon",
    )
    try:
        await Services(resources, anonymous("demo")).identity.sign_up(request.validate())
    except (EmailTaken, NicknameTaken):
        return False
    return True


def _is_enabled(resources: Resources) -> bool:
    return bool(resources.settings.demo and resources.settings.embedded_identity)


async def demo_session(resources: Resources) -> Session:
    services = Services(resources, anonymous("demo"))
    return await services.identity.sign_in(SignInInput(email=EMAIL, password=PASSWORD))


async def graphiql_session_of_demo(resources: Resources) -> PageConfig:
    """GraphiQL is signed in as the demo user, if there is one."""
    if not _is_enabled(resources):
        return PageConfig()
    try:
        session = await demo_session(resources)
    except (WrongCredentials, RateLimited):  # the demo user's password was changed
        return PageConfig()
    return PageConfig(
        headers={"Authorization": f"Bearer {session.access_token}"},
        user=f"Signed in as {session.user.nickname}",
    )
