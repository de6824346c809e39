"""The demo data."""

import dataclasses
from uuid import uuid4

from app.core.caller import acting_for
from app.demo import EMAIL, PASSWORD
from app.demo.goals import fill
from app.services import Services
from app.table.gateway import Gateway
from app.web.graphiql.goals import TABS
from tests.api import Api, Person
from tests.servers import RunningServer

SIGN_IN = """
mutation ($input: SignInInput!) {
  signIn(input: $input) { accessToken user { id nickname email } }
}
"""


async def test_the_demo_fills_once_and_every_tab_works_on_it(
    api: Api, server: RunningServer, table: Gateway
) -> None:
    credentials = {"email": EMAIL, "password": PASSWORD}
    dana = Person(api, (await api.gql(SIGN_IN, input=credentials))["signIn"])
    resources = dataclasses.replace(server.app.state.resources, table=table)
    await fill(Services(resources, acting_for(dana.id)))
    new_id = uuid4().hex
    answers = [(await dana.gql(tab.query, **tab.variables_with(new_id))) for tab in TABS]
    added, completed, day, _, goals = answers
    assert "Measure the wall" in [each["title"] for each in day["dashboard"]["overdue"]]
    assert [each["title"] for each in goals["goals"]["items"]][:2] == [
        "Be fit enough to enjoy every stair in Lisbon",
        "Run the half marathon",
    ]
    assert goals["goals"]["items"][1]["progress"]["percent"] > 0
    assert added["quickAddTask"]["title"] == "Call the landlord"
    assert completed["completeTask"]["nextTaskId"] is not None
