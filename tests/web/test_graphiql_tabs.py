"""Every ready tab of GraphiQL works for a new user, and again."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from graphql import OperationDefinitionNode, OperationType, parse

from app.web.graphiql import TABS, Tab
from app.web.graphiql.tab import NEW_ID, NEW_NAME
from tests.api import Api, Person
from tests.servers import RunningServer

EMPTY_AT_FIRST = {"Inbox": "notifications"}


@pytest.fixture
def demo_server(start_server: Callable[..., RunningServer]) -> RunningServer:
    return start_server(table_name="gg_graphiql_tabs", demo=True)


def operation(tab: Tab) -> OperationDefinitionNode:
    (found,) = parse(tab.document).definitions
    assert isinstance(found, OperationDefinitionNode)
    return found


def name(tab: Tab) -> str:
    found = operation(tab).name
    assert found is not None
    return found.value


async def run_tabs(person: Person) -> dict[str, Any]:
    """As somebody who tries them from left to right, each twice."""
    new_id = uuid4().hex
    answers: dict[str, Any] = {}
    for tab in TABS:
        if operation(tab).operation is OperationType.SUBSCRIPTION:
            continue
        times = 1 if name(tab) == "SignUp" else 2
        for _ in range(times):
            answers[name(tab)] = await person.gql(tab.document, **tab.variables_with(new_id))
    return answers


def is_empty(value: Any) -> bool:
    return value is None or (isinstance(value, dict) and value.get("items") == [])


async def test_every_tab_works_for_a_new_user(demo_server: RunningServer) -> None:
    async with Api(demo_server.url) as api:
        answers = await run_tabs(await api.sign_up())
        for tab, answer in answers.items():
            for field, value in answer.items():
                may_be_empty = EMPTY_AT_FIRST.get(tab) == field or field == "assistThreads"
                assert may_be_empty or not is_empty(value), (tab, field)
        assert (await run_tabs(await api.sign_up())).keys() == answers.keys()
        assert [each["name"] for each in answers["MyRooms"]["rooms"]["items"]] == ["Saturday"]
        (goal,) = answers["Goals"]["goals"]["items"]
        assert goal["title"] == "Run the half marathon"
        assert answers["PointsAndRewards"]["wallet"]["balance"] > 0
        (character,) = answers["MyCharacters"]["characters"]["items"]
        assert len(character["goals"]["items"]) == 1


def test_the_tabs_about_characters_are_there() -> None:
    assert {"MyCharacters", "SetACharacterGoal", "Inbox"} <= {name(tab) for tab in TABS}


def test_no_two_tabs_have_one_name() -> None:
    names = [name(tab) for tab in TABS]
    assert len(names) == len(set(names))


def test_ids_and_names_are_made_anew() -> None:
    tab = next(each for each in TABS if name(each) == "SignUp")
    filled = tab.variables_with("f" * 32)["input"]
    assert (filled["nickname"], filled["email"]) == ("adaffffffff", "adaffffffff@example.com")
    texts = [str(each.variables_with("f" * 32)) for each in TABS]
    assert not [text for text in texts if NEW_ID in text or NEW_NAME in text or "demo-" in text]
