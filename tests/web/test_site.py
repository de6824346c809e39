"""Routes besides GraphQL, and the server with production settings."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from app.settings import ROOT, Settings
from tests.api import Api, Person
from tests.engines import copy
from tests.servers import RunningServer, TestClock

Start = Callable[..., RunningServer]
METRICS_TOKEN = "a-token-for-prometheus"
ORIGIN = "https://app.example"
API_KEY = "da2-of-production"
PAGE = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
INTROSPECTION = ("{ __schema { queryType { name } } }", '{ __type(name: "User") { name } }')


@pytest.fixture(scope="module")
def production_url(settings: Settings, server: RunningServer, clock: TestClock) -> Iterator[str]:
    """On the same table and with the same keys as the server of development."""
    changes = dict.fromkeys(("graphiql", "introspection", "demo", "worker"))
    own = {"stage": "production", "cors_origins": [ORIGIN], "api_keys": [API_KEY]}
    changed = Settings(_env_file=None, **(settings.model_dump() | changes | own))
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("AWS_ACCESS_KEY_ID", "local")
        environment.setenv("AWS_SECRET_ACCESS_KEY", "local")
        with RunningServer(changed, clock) as running:
            yield running.url


@pytest.fixture
async def production(production_url: str) -> AsyncIterator[Api]:
    async with Api(production_url) as api:
        yield api


# Health and readiness


async def test_says_that_it_is_alive_and_ready(api: Api) -> None:
    alive, ready = [await api.http.get(path) for path in ("/health", "/ready")]
    assert (alive.status_code, alive.json()) == (200, {"status": "alive"})
    assert (ready.status_code, ready.json()) == (200, {"status": "ready"})


@asynccontextmanager
async def passage(endpoint: str) -> AsyncIterator[tuple[asyncio.Server, Callable[[], None]]]:
    """A door to the engine, and how to cut everyone off who came through it."""
    host, _, port = endpoint.removeprefix("http://").partition(":")
    writers: set[asyncio.StreamWriter] = set()

    async def let_in(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inner_reader, inner_writer = await asyncio.open_connection(host, int(port))
        writers.update((writer, inner_writer))
        await asyncio.gather(copy(reader, inner_writer), copy(inner_reader, writer))

    def cut() -> None:
        for writer in writers:
            writer.transport.abort()

    async with await asyncio.start_server(let_in, "127.0.0.1", 0) as door:
        yield door, cut
        cut()


async def test_without_its_table_the_server_is_alive_but_not_ready(
    endpoint: str, start_server: Start
) -> None:
    async with passage(endpoint) as (door, cut):
        port = door.sockets[0].getsockname()[1]
        behind = await asyncio.to_thread(start_server, endpoint_url=f"http://127.0.0.1:{port}")
        async with Api(behind.url) as api:
            ada = await api.sign_up()
            assert (await api.http.get("/ready")).status_code == 200
            door.close()
            cut()
            ready = await api.http.get("/ready")
            assert ready.status_code == 503
            assert ready.json() == {"status": "the table does not answer"}
            assert (await api.http.get("/health")).status_code == 200
            assert await api.gql("{ __typename }") == {"__typename": "Query"}
            failed = await ada.refused("{ me { id } }")
            assert failed.code == "UNAVAILABLE"
            assert failed.info["retryable"] is True
            page = await api.http.get("/graphql", headers=PAGE)
            assert page.status_code == 503
            assert page.json()["errors"][0]["extensions"]["code"] == "UNAVAILABLE"


async def test_a_table_that_only_listens_is_not_ready(
    server: RunningServer, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silence(**_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(server.app.state.resources.table.client, "get_item", silence)
    assert (await api.http.get("/ready")).status_code == 503


# Metrics


async def test_metrics_are_open_in_development(api: Api) -> None:
    await api.gql("{ __typename }")
    answer = await api.http.get("/metrics")
    assert answer.status_code == 200
    assert 'guildhall_request_seconds_count{status="200"}' in answer.text
    assert "guildhall_dynamodb_calls_total" in answer.text


async def test_metrics_do_not_exist_in_production(production: Api) -> None:
    answer = await production.http.get("/metrics")
    assert (answer.status_code, answer.text) == (404, "Page not found.")


async def test_metrics_are_served_with_the_token(start_server: Start) -> None:
    running = start_server(metrics_token=METRICS_TOKEN)
    async with httpx.AsyncClient(base_url=running.url) as http:
        for given in ("", METRICS_TOKEN, "Bearer wrong", f"Bearer {METRICS_TOKEN}x", "Bearer é"):
            headers = {b"authorization": given.encode()}
            assert (await http.get("/metrics", headers=headers)).status_code == 404
        right = {"authorization": f"Bearer {METRICS_TOKEN}"}
        assert (await http.get("/metrics", headers=right)).status_code == 200


# Pages and headers


@pytest.mark.parametrize("path", ["/docs", "/redoc", "/openapi.json", "/", "/.env", "/debug"])
async def test_nothing_else_is_served(api: Api, path: str) -> None:
    assert (await api.http.get(path)).status_code == 404


@pytest.mark.parametrize(
    "path", ["/graphql?query={__typename}", "/graphql", "/health", "/ready", "/metrics", "/no"]
)
async def test_every_response_has_security_headers_and_no_server_header(
    api: Api, path: str
) -> None:
    answer = await api.http.get(path)
    assert answer.headers.get_list("x-content-type-options") == ["nosniff"]
    assert answer.headers.get_list("x-frame-options") == ["DENY"]
    assert answer.headers.get_list("referrer-policy") == ["no-referrer"]
    assert "server" not in answer.headers
    assert "x-powered-by" not in answer.headers
    assert answer.headers["date"]
    if path.startswith("/graphql"):
        assert answer.headers["cache-control"] == "no-store"


async def test_the_key_set_contains_only_public_keys(api: Api, server: RunningServer) -> None:
    keys = (await api.http.get("/.well-known/jwks.json")).json()["keys"]
    assert keys
    assert not any({"d", "p", "q", "k"} & set(key) for key in keys)
    about = (await api.http.get("/.well-known/openid-configuration")).json()
    address = server.settings.address
    assert about == {
        "issuer": "http://localhost:8000",
        "jwks_uri": f"{address}/.well-known/jwks.json",
    }


async def test_a_browser_finds_graphiql_and_all_its_files(api: Api) -> None:
    page = await api.http.get("/graphql", headers=PAGE)
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert page.headers["cache-control"] == "no-store"
    links = re.findall(r'(?:src|href)="([^"]+)"', page.text)
    assert len(links) == 7
    for link in links:
        asset = await api.http.get(link)
        assert asset.status_code == 200
        assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert asset.headers["etag"].strip('"') in link
        assert asset.headers.get_list("x-content-type-options") == ["nosniff"]


async def test_a_browser_that_sends_a_query_gets_its_result(api: Api) -> None:
    answer = await api.http.get("/graphql?query={__typename}", headers=PAGE)
    assert answer.json() == {"data": {"__typename": "Query"}}


@pytest.mark.parametrize("name", ["none.js", "..%2fpage.py", "%2e%2e/page.py", "page.js", ""])
async def test_there_are_no_other_files(api: Api, name: str) -> None:
    assert (await api.http.get(f"/graphql/assets/{name}")).status_code == 404


# CORS


FOREIGN = [
    "null",
    "https://evil.example",
    "https://app.example.evil",
    "https://evil-app.example",
    "http://app.example",
    "https://app.example:444",
    "https://app.example/",
    "HTTPS://APP.EXAMPLE",
]


def preflight(origin: str) -> dict[str, str]:
    wanted = "content-type,authorization,x-api-key,x-amz-date,x-amz-user-agent,x-custom"
    return {
        "origin": origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": wanted,
    }


async def test_every_origin_may_ask_in_development(api: Api) -> None:
    for origin in (ORIGIN, "null"):
        answer = await api.post("{ __typename }", headers={"origin": origin})
        assert answer.headers["access-control-allow-origin"] == "*"
        assert "access-control-allow-credentials" not in answer.headers


async def test_a_named_origin_may_ask_and_read_what_amplify_reads(production: Api) -> None:
    answer = await production.post("{ __typename }", headers={"origin": ORIGIN})
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert "Origin" in answer.headers["vary"]
    assert "access-control-allow-credentials" not in answer.headers
    exposed = answer.headers["access-control-expose-headers"]
    assert {"x-amzn-RequestId", "x-amzn-ErrorType", "Date"} <= set(exposed.split(", "))
    counted_calls = await production.http.options("/graphql", headers=preflight(ORIGIN))
    assert counted_calls.status_code == 200
    assert counted_calls.headers["access-control-allow-origin"] == ORIGIN
    assert counted_calls.headers["access-control-allow-methods"] == "GET, POST"
    assert counted_calls.headers["access-control-max-age"] == "600"
    allowed = counted_calls.headers["access-control-allow-headers"]
    assert allowed == preflight(ORIGIN)["access-control-request-headers"]


async def test_a_named_origin_reads_refusals_too(production: Api) -> None:
    headers = {"origin": ORIGIN, "authorization": "x"}
    answer = await production.post("{ __typename }", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["access-control-allow-origin"] == ORIGIN


@pytest.mark.parametrize("origin", FOREIGN)
async def test_other_origins_may_not(production: Api, origin: str) -> None:
    answer = await production.post("{ __typename }", headers={"origin": origin})
    counted_calls = await production.http.options("/graphql", headers=preflight(origin))
    assert counted_calls.status_code == 400
    for each in (answer, counted_calls):
        assert "access-control-allow-origin" not in each.headers


# Production


async def test_no_introspection_for_anonymous_callers(production: Api, ada: Person) -> None:
    for headers in ({}, {"x-api-key": API_KEY}):
        for query in INTROSPECTION:
            answer = (await production.post(query, headers=headers)).json()
            assert answer["data"] is None
            assert answer["errors"][0]["extensions"] == {"code": "GRAPHQL_VALIDATION_FAILED"}
    for query in INTROSPECTION:
        data = await production.gql(query, headers=ada.headers)
        assert len(data) == 1
    # The same text again, as what was prepared for one caller must not serve another.
    answer = (await production.post(INTROSPECTION[0])).json()
    assert answer["data"] is None


MISSPELT: list[tuple[str, dict[str, Any]]] = [
    ("{ meX }", {}),
    ("{ me { nicknam } }", {}),
    ("{ user(idd: 1) { id } }", {}),
    ("{ ... on Use { id } }", {}),
    ("query ($a: Sting) { __typename }", {}),
    ("{ __typename @skp(if: true) }", {}),
    ('mutation { signIn(input: {emai: "", password: ""}) { expiresAt } }', {}),
    (
        "mutation ($i: SignInInput!) { signIn(input: $i) { expiresAt } }",
        {"i": {"email": "a@example.com", "password": "x", "passwor": "x"}},
    ),
]


@pytest.mark.parametrize(("query", "variables"), MISSPELT)
async def test_no_suggestions(production: Api, query: str, variables: dict[str, Any]) -> None:
    answer = await production.post(query, **variables)
    assert answer.json()["errors"]
    assert "Did you mean" not in answer.text


async def test_no_graphiql_in_production(production: Api) -> None:
    page = await production.http.get("/graphql", headers={"accept": "text/html"})
    assert page.status_code == 406
    assert (await production.http.get("/graphql", headers=PAGE)).status_code == 400
    assert (await production.http.get("/graphql/assets/page.js")).status_code == 404


async def test_no_demo_and_no_known_key_in_production(production: Api) -> None:
    known = {"x-api-key": "da2-guildhall-development"}
    assert (await production.post("{ __typename }", headers=known)).status_code == 401


async def test_production_serves_signed_in_users(production: Api, ada: Person) -> None:
    me = await production.gql("{ me { id } }", headers=ada.headers)
    assert me == {"me": {"id": ada.id}}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"DEMO": "true"}, "DEMO has a known password: it must not be on in production"),
        ({"CORS_ORIGINS": "*"}, "CORS_ORIGINS must name its origins in production"),
        ({"PORT": "high"}, "PORT is 'high': Input should be a valid integer"),
        ({"SECRET_KEY": "short"}, "SECRET_KEY is not valid: Value should have at least 32 items"),
    ],
)
def test_refuses_bad_settings_with_a_message(settings: dict[str, str], says: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app", "serve"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "STAGE": "production", "COLUMNS": "200"} | settings,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert "short" not in done.stderr
