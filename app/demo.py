"""The demo user, whose password everyone knows: refused by the settings in production."""

from app.core.caller import anonymous
from app.core.scalars import AWSEmail
from app.domains.people.errors import EmailTaken, NicknameTaken
from app.domains.people.inputs import SignInInput, SignUpInput
from app.domains.people.types import Session
from app.resources import Resources
from app.services import Services
from app.web.graphiql.page import PageConfig

EMAIL = AWSEmail("demo@guildhall.example")
PASSWORD = "guildhall-demo"
NICKNAME = "demo"


async def ensure_demo(resources: Resources) -> None:
    """Makes the demo user and their data, unless they are there."""
    if not (resources.settings.demo and resources.settings.embedded_identity):
        return
    try:
        await Services(resources, anonymous("demo")).identity.sign_up(
            SignUpInput(
                email=EMAIL,
                nickname=NICKNAME,
                password=PASSWORD,
                full_name="Dana Demo",
                display_name="Dana",
                time_zone="Europe/Lisbon",
            ).checked()
        )
    except (EmailTaken, NicknameTaken):
        return


async def demo_session(resources: Resources) -> Session:
    services = Services(resources, anonymous("demo"))
    return await services.identity.sign_in(SignInInput(email=EMAIL, password=PASSWORD))


async def greet_as_demo(resources: Resources) -> PageConfig:
    """GraphiQL's visitor is the demo user, where there is one."""
    if not (resources.settings.demo and resources.settings.embedded_identity):
        return PageConfig()
    session = await demo_session(resources)
    return PageConfig(
        headers={"Authorization": f"Bearer {session.access_token}"},
        user=f"Signed in as {session.user.nickname}",
    )
