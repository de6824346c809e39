"""The demo user's values: the examples of GraphiQL work, and filling again adds nothing."""

import dataclasses
from uuid import uuid4

from app.core.caller import acting_for
from app.demo import demo_session
from app.demo.plans import fill
from app.services import Services
from app.table.gateway import Gateway
from app.web.graphiql.plans import COMMIT_VALUES, DO_SOMETHING, MY_VALUES
from tests.api import Api, Person
from tests.plans.operations import revisions
from tests.servers import RunningServer


async def test_the_examples_of_graphiql(api: Api, server: RunningServer, table: Gateway) -> None:
    resources = dataclasses.replace(server.app.state.resources, table=table)
    session = await demo_session(resources)
    user = {"id": session.user.id, "nickname": session.user.nickname, "email": session.user.email}
    dana = Person(api, {"accessToken": session.access_token, "user": user})
    before = len(await revisions(dana))
    assert before >= 4
    await fill(Services(resources, acting_for(dana.id)))
    assert len(await revisions(dana)) == before
    shown = await dana.gql(MY_VALUES.query)
    assert [each["title"] for each in shown["valuesTree"]["roots"]] == [
        "Stay healthy",
        "Be there for my family",
        "Make things",
    ]
    assert [each["name"] for each in shown["valuesBranches"]] == ["by-the-sea"]
    new_id = uuid4().hex
    done = await dana.gql(DO_SOMETHING.query, **DO_SOMETHING.variables_with(new_id))
    assert done["completeAction"]["action"]["title"] == "Call Mum"
    for _ in range(2):
        again = await dana.gql(COMMIT_VALUES.query, **COMMIT_VALUES.variables_with(new_id))
        assert again["commitValues"]["conflicts"] == []
