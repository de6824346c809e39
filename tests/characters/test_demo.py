"""The demo user's character; filling again adds nothing."""

from uuid import uuid4

from app.core.caller import acting_for
from app.demo.characters import NAME, fill
from app.resources import Resources
from app.services import Services
from app.web.graphiql.characters import TABS
from tests.api import Person
from tests.characters.operations import CHARACTERS
from tests.notifications.operations import inbox


async def test_the_demo_data(ada: Person, resources: Resources) -> None:
    services = Services(resources, acting_for(ada.id))
    await fill(services)
    await fill(services)
    (character,) = (await ada.gql(CHARACTERS))["characters"]["items"]
    assert character["name"] == NAME
    assert character["trackedSkills"] == ["Woodcutting", "Fishing"]
    assert len(character["goals"]["items"]) == 2
    assert [each["kind"] for each in await inbox(ada)] == ["GOAL_REACHED"]


async def test_its_graphiql_tabs_work(ada: Person, resources: Resources) -> None:
    await fill(Services(resources, acting_for(ada.id)))
    new_id = uuid4().hex
    for tab in TABS:
        answer = await ada.gql(tab.document, **tab.variables_with(new_id))
        assert next(iter(answer.values())), tab.title
