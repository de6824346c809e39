"""The demo data of the community is created, and only once."""

import dataclasses
from uuid import uuid4

from app import demo
from app.core.caller import acting_for
from app.demo import community
from app.services import Services
from app.table.gateway import Gateway
from app.web.graphiql.community import TABS
from tests.api import Api, Person
from tests.people.test_identity import sign_in
from tests.servers import RunningServer

OVERVIEW = """{
  rooms { items { id messageCount members { items { userId } } } }
  assistThreads { items { title messageCount } }
  offers(tag: "food") { items { title company { name } } }
}"""


async def test_the_demo_is_filled_once_and_its_tabs_work(
    api: Api, server: RunningServer, table: Gateway
) -> None:
    """The server has filled it when it started."""
    person: Person = await sign_in(api, demo.EMAIL, demo.PASSWORD)
    resources = dataclasses.replace(server.app.state.resources, table=table)
    first = await person.gql(OVERVIEW)
    await community.fill(Services(resources, acting_for(person.id)))
    assert await person.gql(OVERVIEW) == first
    (hall,) = first["rooms"]["items"]
    assert (hall["id"], hall["messageCount"] >= 4) == ("demo-hall", True)
    assert len(hall["members"]["items"]) == 2
    assert first["assistThreads"]["items"] == [{"title": "Is slide 7 clear?", "messageCount": 1}]
    assert len(first["offers"]["items"]) == 2
    new_id = uuid4().hex
    for tab in TABS:
        answer = await person.gql(tab.document, **tab.variables_with(new_id))
        assert None not in answer.values()
