"""The demo user's metrics, habits, logbook and rewards: there, believable, and there only once."""

import dataclasses
from typing import Any
from uuid import uuid4

from app import demo
from app.core.caller import acting_for
from app.demo import tracking
from app.services import Services
from app.table.gateway import Gateway
from app.web.graphiql.tracking import TABS
from tests.api import Api, Person
from tests.rewards.test_wallet import sums
from tests.servers import RunningServer
from tests.travel import SIGN_IN

OVERVIEW = """{
  metrics { items { id latestValue streak trend } }
  habits { items { id streak longestStreak strength } }
  logbook { items { title } }
  rewards { items { title } }
}"""


async def owned(table: Gateway, person: Person) -> list[str]:
    keys = [item["SK"]["S"] async for item in table.partition(f"USER#{person.id}")]
    return [key for key in keys if not key.startswith(("SESSION#", "EVENT#"))]


async def test_the_demo_is_filled_once_and_its_tabs_work(
    api: Api, server: RunningServer, table: Gateway
) -> None:
    """The server has filled it when it started."""
    session = (await api.gql(SIGN_IN, email=demo.EMAIL, password=demo.PASSWORD))["signIn"]
    person = Person(api, session)
    resources = dataclasses.replace(server.app.state.resources, table=table)
    first: dict[str, Any] = await person.gql(OVERVIEW)
    items = await owned(table, person)
    await tracking.fill(Services(resources, acting_for(person.id)))
    assert await person.gql(OVERVIEW) == first
    assert await owned(table, person) == items
    assert {each["id"]: each["streak"] for each in first["metrics"]["items"]} == {
        "demo-weight": 60,
        "demo-steps": 60,
    }
    streaks = {each["id"]: each["streak"] for each in first["habits"]["items"]}
    assert (streaks["demo-reading"], streaks["demo-sugar"]) == (16, 60)
    assert len(first["logbook"]["items"]) == len(first["rewards"]["items"]) == 2
    assert (await sums(table, person.id)).balance > 1000
    new_id = uuid4().hex
    for tab in TABS:
        answer = await person.gql(tab.document, **tab.variables_with(new_id))
        assert None not in answer.values()
