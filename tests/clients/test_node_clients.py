"""The clients that front ends use, as npm has them: each a small script beside this file."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.settings import Settings
from app.web.amplify.outputs import amplify_outputs as amplify_outputs_of
from tests.api import Api, Person
from tests.clients.node import HERE
from tests.clients.scripts import play
from tests.clients.servers import ClientServer, self_signed
from tests.servers import RunningServer

AMPLIFY = ("aws-amplify", "ws")
PACKAGES = {
    "graphql_ws": ("graphql-ws", "ws"),
    "urql": ("@urql/core", "graphql-ws", "ws"),
    "graphql_sse": ("graphql-sse", "@urql/core"),
    "apollo": ("@apollo/client", "aws-appsync-subscription-link", "ws"),
}


def check(received: dict[str, Any], person: Person, title: str) -> None:
    assert received["query"]["me"]["id"] == person.id
    event = received["event"]
    assert (event["title"], event["status"]) == (title, "NotStarted")
    assert event["urgency"] > 0
    assert received["refusal"] == {"code": "NOT_FOUND"}
    assert received["eventAfterRestart"]["title"] == "After the restart"
    assert "done" in received


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("graphql_ws", "From graphql-ws"),
        ("graphql_sse", "From graphql-sse"),
        ("urql", "From urql"),
        ("apollo", "From Apollo"),
    ],
)
async def test_node_clients_work_unchanged(
    plain_server: ClientServer, name: str, title: str
) -> None:
    async with Api(plain_server.url) as api:
        person = await api.sign_up()
    script = HERE / f"{name}.mjs"
    received = await play(script, plain_server, person, packages=PACKAGES[name])
    check(received, person, title)


async def test_amplify(tls_server: ClientServer, api: Api) -> None:
    async with tls_server.api() as own:
        person = await own.sign_up()
    received = await play(HERE / "amplify.mjs", tls_server, person, packages=AMPLIFY)
    check(received, person, "From Amplify")
    assert received["unauthorized"]["message"] == "Unauthorized"
    assert "authMode" in received["unauthorized"]["hint"]
    assert received["iam"]["title"] == "By IAM"


async def test_amplify_shows_that_there_are_too_many_sockets(
    settings: Settings, server: RunningServer, tmp_path: Path
) -> None:
    certificate = self_signed(tmp_path)
    with ClientServer(tmp_path, settings, certificate, MAX_SOCKETS="1") as narrow:
        outputs = tmp_path / "amplify_outputs.json"
        here = Settings(_env_file=None, public_url=narrow.url)
        outputs.write_text(json.dumps(amplify_outputs_of(here)))
        async with narrow.api() as own:
            person = await own.sign_up()
        received = await play(
            HERE / "amplify_limit.mjs",
            narrow,
            person,
            packages=(*AMPLIFY, "graphql-ws"),
            AMPLIFY_OUTPUTS=str(outputs),
        )
    assert "LimitExceededError" in received["refused"]["text"]


async def test_amplify_from_its_outputs(tls_server: ClientServer, amplify_outputs: Path) -> None:
    async with tls_server.api() as own:
        person = await own.sign_up()
    received = await play(
        HERE / "amplify_outputs.mjs",
        tls_server,
        person,
        packages=AMPLIFY,
        AMPLIFY_OUTPUTS=str(amplify_outputs),
    )
    task = received["mutation"]
    assert task["title"] == "By the outputs"
    assert task["recurrenceRule"] is None
    assert received["event"]["id"] == task["id"]
    assert [each["id"] for each in received["query"]["items"]] == [task["id"]]


def without_chart(record: dict[str, Any]) -> dict[str, Any]:
    """The URL of a chart contains when it expires, so two answers may differ."""
    return {name: value for name, value in record.items() if name != "chartUrl"}


@pytest.mark.parametrize(
    ("model", "fields"),
    [
        ("Goal", {"title": "", "tags": ["a"], "progressConfig": {"tasksWeight": 50}}),
        ("Task", {"title": "", "dueDate": "2031-05-02", "size": 10}),
        ("Project", {"name": "", "impact": 3}),
        ("Habit", {"name": "", "weekdays": ["Mon"]}),
        ("Metric", {"name": "", "targetValue": "1.5"}),
        ("Reward", {"title": "", "pointCost": 5}),
    ],
)
async def test_amplify_models(
    tls_server: ClientServer, amplify_outputs: Path, model: str, fields: dict[str, Any]
) -> None:
    async with tls_server.api() as own:
        person = await own.sign_up()
    named = next(iter(fields))
    received = await play(
        HERE / "amplify_models.mjs",
        tls_server,
        person,
        packages=AMPLIFY,
        AMPLIFY_OUTPUTS=str(amplify_outputs),
        MODEL=model,
        FIELDS=json.dumps(fields),
    )
    made = received["create"]
    assert made[named] == "Wanted"
    assert received["onCreate"][named] == "Wanted before"
    assert without_chart(received["get"]) == without_chart(made)
    assert received["getNothing"] == {"data": None}
    assert received["list"] == {"names": ["Wanted before", "Wanted"]}
    assert received["listAll"] == {"names": ["Wanted before", "Wanted", "Other"]}
    assert list(received["selection"]) == ["id"]
    kept = {name: received["update"][name] for name in fields if name != named}
    assert kept == {name: made[name] for name in kept}
    assert received["update"][named] == "Wanted, changed"
    updated = without_chart(received["update"])
    assert without_chart(received["onUpdate"]) == updated
    assert without_chart(received["delete"]) == without_chart(received["onDelete"]) == updated
    assert received["observedFirst"]["names"] == ["Wanted before"]
    assert received["observedCreate"]["names"] == ["Wanted before", "Wanted"]
    assert received["observedUpdate"]["names"] == ["Wanted before", "Wanted, changed"]
    assert received["observedDelete"]["names"] == ["Wanted before"]
    assert received["refusal"] == {"data": None, "type": "NOT_FOUND"}
