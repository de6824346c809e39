"""Subscriptions through server-sent events."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest

from tests.api import Api, Person
from tests.realtime.sockets import SECONDS
from tests.servers import RunningServer

ON_TASK = "subscription { onTaskChanged { title } }"
CREATE = "mutation ($t: String!) { createTask(input: {title: $t}) { id } }"


class Events:
    def __init__(self, answer: httpx.Response) -> None:
        self.answer = answer
        self._lines = answer.aiter_lines()

    async def next(self) -> tuple[str, Any]:
        async with asyncio.timeout(SECONDS):
            async for line in self._lines:
                if line.startswith("event: "):
                    data = (await anext(self._lines)).removeprefix("data: ")
                    return line.removeprefix("event: "), json.loads(data) if data else None
        raise AssertionError("the stream ended")


@asynccontextmanager
async def stream(person: Person, query: str, **headers: str) -> AsyncIterator[Events]:
    body = {"query": query}
    async with person.api.http.stream(
        "POST", "/graphql/stream", json=body, headers=person.headers | headers
    ) as answer:
        yield Events(answer)


async def test_sends_the_events_of_a_subscription(server: RunningServer, ada: Person) -> None:
    events = server.app.state.resources.events
    before = events.subscription_count
    async with stream(ada, ON_TASK) as received:
        assert received.answer.headers["content-type"] == "text/event-stream; charset=utf-8"
        for title in ("one", "two"):
            await ada.gql(CREATE, t=title)
            assert await received.next() == ("next", {"data": {"onTaskChanged": {"title": title}}})
        assert events.subscription_count == before + 1
    for _ in range(100):
        if events.subscription_count == before:
            break
        await asyncio.sleep(0.05)
    assert events.subscription_count == before


async def test_a_query_is_answered_once(ada: Person) -> None:
    async with stream(ada, "{ me { id } }") as received:
        assert await received.next() == ("next", {"data": {"me": {"id": ada.id}}})
        assert await received.next() == ("complete", None)


async def test_a_refusal_is_sent_as_a_result(ada: Person) -> None:
    query = 'subscription { onMessageSent(roomId: "none") { text } }'
    async with stream(ada, query) as received:
        kind, payload = await received.next()
        assert kind == "next"
        assert payload["errors"][0]["extensions"]["code"] == "NOT_FOUND"
        assert await received.next() == ("complete", None)


async def test_wrong_credentials(api: Api, ada: Person) -> None:
    async with stream(ada, ON_TASK, authorization="no.such.token") as received:
        assert received.answer.status_code == 401


async def test_a_user_has_at_most_ten_streams(ada: Person) -> None:
    streams = [stream(ada, ON_TASK) for _ in range(10)]
    for each in streams:
        await each.__aenter__()
    async with stream(ada, ON_TASK) as received:
        assert received.answer.status_code == 429
    for each in streams:
        await each.__aexit__(None, None, None)


async def test_accepts_only_post_with_json(ada: Person) -> None:
    assert (await ada.api.http.get("/graphql/stream")).status_code == 405
    answer = await ada.api.http.post("/graphql/stream", content=b"{}")
    assert answer.status_code == 415


async def test_at_graphql_a_client_that_accepts_only_events_gets_them(ada: Person) -> None:
    headers = ada.headers | {"accept": "text/event-stream"}
    body = {"query": ON_TASK}
    async with ada.api.http.stream("POST", "/graphql", json=body, headers=headers) as answer:
        received = Events(answer)
        await ada.gql(CREATE, t="streamed")
        event = {"data": {"onTaskChanged": {"title": "streamed"}}}
        assert await received.next() == ("next", event)


@pytest.mark.parametrize(
    "accept", ["application/json, text/event-stream", "*/*", "text/event-stream, */*;q=0.1"]
)
async def test_who_accepts_json_too_gets_it(ada: Person, accept: str) -> None:
    headers = ada.headers | {"accept": accept}
    answer = await ada.api.http.post("/graphql", json={"query": "{ me { id } }"}, headers=headers)
    assert answer.json() == {"data": {"me": {"id": ada.id}}}


async def test_a_subscription_by_plain_post_is_told_the_ways_that_work(ada: Person) -> None:
    refused = await ada.refused(ON_TASK)
    assert refused.code == "GRAPHQL_VALIDATION_FAILED"
    message = refused.errors[0]["message"]
    assert "WebSocket" in message
    assert "/graphql/realtime" in message
    assert "Accept: text/event-stream" in message
