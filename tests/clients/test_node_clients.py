"""The clients that front ends use, as npm has them: each a small script beside this file."""

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from app.settings import Settings
from app.web.amplify.outputs import amplify_outputs
from tests.api import PASSWORD, Api, Person
from tests.clients.node import HERE, find_node
from tests.clients.servers import IAM_KEY, ClientServer, self_signed
from tests.servers import RunningServer

SECONDS = 120
PACKAGES = {
    "graphql_ws": ["graphql-ws", "ws"],
    "urql": ["@urql/core", "graphql-ws", "ws"],
    "apollo": ["@apollo/client", "aws-appsync-subscription-link", "ws"],
    "amplify": ["aws-amplify", "ws"],
    "amplify_outputs": ["aws-amplify", "ws"],
    "amplify_models": ["aws-amplify", "ws"],
}


@pytest.fixture(scope="module")
def plain_server(
    settings: Settings, server: RunningServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ClientServer]:
    with ClientServer(tmp_path_factory.mktemp("plain"), settings) as running:
        yield running


@pytest.fixture(scope="module")
def tls_server(
    settings: Settings, server: RunningServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ClientServer]:
    folder = tmp_path_factory.mktemp("tls")
    with ClientServer(folder, settings, self_signed(folder), IAM_KEYS=IAM_KEY) as running:
        yield running


async def play(
    name: str, server: ClientServer, person: Person, **environment: str
) -> dict[str, Any]:
    """Runs the script; what it told, by step. The server is restarted when it says so."""
    credentials = json.dumps({"email": person.email, "password": PASSWORD})
    process = await asyncio.create_subprocess_exec(
        find_node(*PACKAGES[name]),
        str(HERE / f"{name}.mjs"),
        server.url,
        credentials,
        cwd=HERE,
        env=server.environment_of_clients() | environment,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    assert process.stderr
    received: dict[str, Any] = {}
    try:
        async with asyncio.timeout(SECONDS):
            while line := await process.stdout.readline():
                step = json.loads(line)
                name_of_step = step.pop("step")
                received[name_of_step] = step
                if name_of_step == "restart":
                    await asyncio.to_thread(server.restart)
                    process.stdin.write(b"restarted\n")
                    await process.stdin.drain()
            await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
    errors = (await process.stderr.read()).decode()
    assert process.returncode == 0, (received, errors)
    return received


def check(received: dict[str, Any], person: Person, title: str) -> None:
    made = received["mutation"]["createTask"]["id"]
    assert received["query"]["me"]["id"] == person.id
    event = received["event"]["onTaskChanged"]
    assert (event["id"], event["title"], event["status"]) == (made, title, "NotStarted")
    assert event["urgency"] > 0
    assert received["refusal"] == {"code": "NOT_FOUND"}
    assert received["eventAfterRestart"]["onTaskChanged"]["title"] == "After the restart"
    assert "done" in received


@pytest.mark.parametrize(
    ("name", "title"),
    [("graphql_ws", "From graphql-ws"), ("urql", "From urql"), ("apollo", "From Apollo")],
)
async def test_node_clients_work_unchanged(
    plain_server: ClientServer, name: str, title: str
) -> None:
    async with Api(plain_server.url) as api:
        person = await api.sign_up()
    check(await play(name, plain_server, person), person, title)


async def test_amplify(tls_server: ClientServer, api: Api) -> None:
    async with tls_server.api() as own:
        person = await own.sign_up()
    received = await play("amplify", tls_server, person)
    check(received, person, "From Amplify")
    assert received["unauthorized"]["message"] == "Unauthorized"
    assert "authMode" in received["unauthorized"]["hint"]
    assert received["iam"]["onTaskChanged"]["title"] == "By IAM"


@pytest.fixture(scope="module")
def outputs(tls_server: ClientServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """An amplify_outputs.json, as the command prints it."""
    file = tmp_path_factory.mktemp("front") / "amplify_outputs.json"
    here = Settings(_env_file=None, public_url=tls_server.url)
    file.write_text(json.dumps(amplify_outputs(here)))
    return str(file)


async def test_amplify_from_its_outputs(tls_server: ClientServer, outputs: str) -> None:
    async with tls_server.api() as own:
        person = await own.sign_up()
    received = await play("amplify_outputs", tls_server, person, AMPLIFY_OUTPUTS=outputs)
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
    tls_server: ClientServer, outputs: str, model: str, fields: dict[str, Any]
) -> None:
    async with tls_server.api() as own:
        person = await own.sign_up()
    named = next(iter(fields))
    received = await play(
        "amplify_models",
        tls_server,
        person,
        AMPLIFY_OUTPUTS=outputs,
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
