"""No text of a client gives INTERNAL: in literals, variables, headers, paths, socket frames."""

import asyncio
import base64
import json
import random
from collections import Counter
from collections.abc import Iterable

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from app.web.schema import build_schema
from tests.api import Api, Person
from tests.realtime.sockets import TransportClient
from tests.web.hostile import DIGITS, HARD_VALUES, HostileRequest, hostile_requests, root_fields

SCHEMA = build_schema()._schema
FIELDS = list(root_fields(SCHEMA))
# These end a session or speak of an ended one, so that each has a user of its own.
ENDS_SESSION = {
    *("deleteAccount", "deactivateAccount", "signOut", "changePassword"),
    "refreshSession",
}
PER_FIELD = 12
NINES = "9" * DIGITS


def sample(kind: str, *, ends_session: bool) -> list[HostileRequest]:
    """Some of each field, always the same ones; scripts may send all."""
    chosen: list[HostileRequest] = []
    for operation, name, field in FIELDS:
        if operation == kind and (name in ENDS_SESSION) is ends_session:
            found = list(hostile_requests(operation, name, field))
            chosen += random.Random(name).sample(found, min(PER_FIELD, len(found)))
    return chosen


def codes(answer: httpx.Response) -> list[str]:
    return [error["extensions"]["code"] for error in answer.json().get("errors", [])] or ["none"]


async def send_all(person: Person, requests: Iterable[HostileRequest]) -> Counter[str]:
    """The codes of all answers; fails at one that is the server's fault."""
    found: Counter[str] = Counter()
    pending = iter(requests)
    headers = {**person.headers, "content-type": "application/json"}

    async def send() -> None:
        for request in pending:
            answer = await person.api.http.post("/graphql", content=request.body, headers=headers)
            assert answer.status_code < 500, f"{request.name}: {answer.text}"
            assert "INTERNAL" not in codes(answer), f"{request.name}: {request.body[:500]!r}"
            found.update(codes(answer))

    await asyncio.gather(*(send() for _ in range(4)))
    return found


@pytest.mark.parametrize("kind", ["query", "mutation"])
async def test_hard_values_in_every_argument(ada: Person, kind: str) -> None:
    requests = sample(kind, ends_session=False)
    found = await send_all(ada, requests)
    # All were sent by a user who was, and still is, signed in.
    assert await ada.gql("{ me { id } }") == {"me": {"id": ada.id}}
    assert found["BAD_INPUT"] > len(requests) / 5
    assert found["none"] > 0


async def test_hard_values_where_the_session_may_end(api: Api) -> None:
    for request in sample("mutation", ends_session=True):
        await send_all(await api.sign_up(), [request])


@pytest.mark.parametrize(
    "query",
    [
        "mutation { reportMessage(input: [[[[]]]]) { __typename } }",
        "{ logbook(to: [null]) { __typename } }",
        "{ listGoals(filter: {not: {title: []}}) { __typename } }",
        f"{{ tasks(limit: {NINES}) {{ __typename }} }}",
        f"{{ me {{ id @skip(if: {NINES}) }} }}",
        f'{{ node(id: {NINES}) {{ id }} a: node(id: "{NINES}") {{ id }} }}',
        f"query ($a: Int = {NINES}) {{ tasks(limit: $a) {{ __typename }} }}",
        f'{{ tasks(nextToken: "{NINES}") {{ __typename }} }}',
    ],
)
async def test_texts_that_were_the_servers_fault(ada: Person, query: str) -> None:
    answer = await ada.api.post(query, headers=ada.headers)
    assert answer.status_code == 200
    assert set(codes(answer)) & {"INTERNAL", "UNAVAILABLE"} == set()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("authorization", NINES),
        ("authorization", f"Bearer {NINES}"),
        ("x-api-key", NINES),
        ("accept", f"application/json;q={NINES}"),
        ("accept", "*/*;q=1e999"),
        ("content-type", f"application/json; charset={NINES}"),
        ("content-encoding", NINES),
        ("origin", f"http://localhost:{NINES}"),
        ("host", f"localhost:{NINES}"),
        ("x-forwarded-for", NINES),
        ("range", f"bytes={NINES}-"),
        ("x-amz-date", NINES),
        ("if-none-match", NINES),
    ],
)
async def test_long_numbers_in_headers(api: Api, name: str, value: str) -> None:
    headers = {"content-type": "application/json", name: value}
    answer = await api.http.post("/graphql", content=b'{"query":"{__typename}"}', headers=headers)
    assert answer.status_code < 500


@pytest.mark.parametrize("claim", ["exp", "iat", "nbf", "sub", "iss", "aud"])
@pytest.mark.parametrize("value", [NINES, "1e400", "-1", "null", "[]", '"\\u0000"'])
async def test_hard_values_in_a_forged_token(api: Api, claim: str, value: str) -> None:
    def part(text: str) -> str:
        return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")

    token = f'{part(json.dumps({"alg": "ES256"}))}.{part(f"""{{"{claim}": {value}}}""")}.AAAA'
    answer = await api.post("{ me { id } }", headers={"authorization": token})
    assert (answer.status_code, codes(answer)) == (401, ["UNAUTHENTICATED"])


@pytest.mark.parametrize(
    "path",
    [
        f"/charts/metric/{NINES}.svg",
        f"/charts/values/{NINES}.svg",
        f"/charts/metric/a.svg?expires={NINES}&signature={NINES}&token={NINES}",
        f"/charts/{NINES}/a.svg",
        "/charts/metric/%00.svg",
        "/charts/metric/%ff.svg",
        "/charts/metric/%23.svg",
        f"/graphql?query={{__typename}}&variables={{%22a%22:{NINES}}}",
        "/graphql?query={__typename}&variables=%ff",
        f"/graphql?query={{tasks(limit:{NINES}){{nextToken}}}}",
        f"/{NINES}",
    ],
)
async def test_hard_values_in_paths(ada: Person, path: str) -> None:
    answer = await ada.api.http.get(path, headers=ada.headers)
    assert answer.status_code < 500
    assert "INTERNAL" not in answer.text


@pytest.mark.parametrize("hard", HARD_VALUES, ids=range(len(HARD_VALUES)))
async def test_hard_values_in_socket_frames(server_url: str, ada: Person, hard: str) -> None:
    """Refused as an operation, or the frame is no JSON: then the socket is closed."""
    query = "subscription ($v: ID!) { onMessageSent(roomId: $v) { id } }"
    async with TransportClient.signed_in(server_url, ada) as socket:
        payload = f'{{"query": {json.dumps(query)}, "variables": {{"v": {hard}}}}}'
        await socket.raw(f'{{"type": "subscribe", "id": "1", "payload": {payload}}}')
        try:
            error = (await socket.expect("error"))["payload"][0]
            assert error["extensions"]["code"] in ("BAD_INPUT", "NOT_FOUND")
        except ConnectionClosed:
            assert (await socket.closed())[0] == 4400
