"""IAM: signatures as AWS's own library makes them, over HTTP and on sockets."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from tests.realtime.sockets import AppSyncClient, coded, opened
from tests.servers import RunningServer, TestClock

KEY, SECRET = "AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
ME = json.dumps({"query": "{ me { id } }"}).encode()


@pytest.fixture(scope="module")
def signing_server(settings: Any, clock: TestClock) -> Iterator[RunningServer]:
    changed = settings.model_copy(update={"iam_keys": [f"{KEY}:{SECRET}"]})
    with RunningServer(changed, clock) as running:
        yield running


def signed(
    url: str,
    body: bytes,
    *,
    key: str = KEY,
    secret: str = SECRET,
    service: str = "appsync",
    token: str | None = None,
    **headers: str,
) -> dict[str, str]:
    request = AWSRequest(
        "POST", url, data=body, headers={"content-type": "application/json"} | headers
    )
    SigV4Auth(Credentials(key, secret, token), service, "us-east-1").add_auth(request)
    host = url.removeprefix("http://").partition("/")[0]
    return {"host": host} | {name: str(value) for name, value in request.headers.items()}


async def post(url: str, body: bytes, headers: dict[str, str]) -> httpx.Response:
    async with httpx.AsyncClient() as http:
        return await http.post(url, content=body, headers=headers)


async def test_a_signed_request_is_accepted(signing_server: RunningServer) -> None:
    url = f"{signing_server.url}/graphql"
    answer = await post(url, ME, signed(url, ME, token="session-token"))
    assert answer.json() == {"data": {"me": {"id": f"iam-{KEY}"}}}


@pytest.mark.parametrize(
    ("changes", "error_type"),
    [
        ({"secret": "another"}, "InvalidSignatureException"),
        ({"key": "AKIDUNKNOWN"}, "UnrecognizedClientException"),
        ({"service": "execute-api"}, "InvalidSignatureException"),
    ],
)
async def test_a_wrong_key_secret_or_service_is_refused(
    signing_server: RunningServer, changes: dict[str, str], error_type: str
) -> None:
    url = f"{signing_server.url}/graphql"
    answer = await post(url, ME, signed(url, ME, **changes))
    assert answer.status_code == 403
    assert answer.headers["x-amzn-errortype"] == error_type
    assert answer.json()["errors"][0]["errorType"] == error_type


async def test_another_body_than_was_signed_is_refused(signing_server: RunningServer) -> None:
    url = f"{signing_server.url}/graphql"
    other = json.dumps({"query": "{ me { email } }"}).encode()
    answer = await post(url, other, signed(url, ME))
    assert answer.status_code == 403


async def test_a_changed_header_is_refused(signing_server: RunningServer) -> None:
    url = f"{signing_server.url}/graphql"
    headers = signed(url, ME, **{"x-amz-user-agent": "aws-amplify/6"})
    answer = await post(url, ME, headers | {"x-amz-user-agent": "someone-else/1"})
    assert answer.status_code == 403


async def test_an_old_signature_is_refused(signing_server: RunningServer, clock: TestClock) -> None:
    url = f"{signing_server.url}/graphql"
    headers = signed(url, ME)
    clock.move(minutes=6)
    assert (await post(url, ME, headers)).status_code == 403
    clock.reset()
    assert (await post(url, ME, headers)).status_code == 200


@pytest.mark.parametrize(
    "header",
    [
        "AWS4-HMAC-SHA256",
        "AWS4-HMAC-SHA256 Credential=x",
        f"AWS4-HMAC-SHA256 Credential={KEY}/20260101/r/appsync/aws4_request, "
        f"SignedHeaders=host, Signature={'0' * 64}",
    ],
)
async def test_an_incomplete_signature_is_refused(
    signing_server: RunningServer, header: str
) -> None:
    url = f"{signing_server.url}/graphql"
    now = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    headers = {"authorization": header, "content-type": "application/json", "x-amz-date": now}
    assert (await post(url, ME, headers)).status_code == 403


async def test_without_configured_keys_every_signature_is_refused(server_url: str) -> None:
    url = f"{server_url}/graphql"
    assert (await post(url, ME, signed(url, ME))).status_code == 401


async def test_on_a_socket(signing_server: RunningServer) -> None:
    url = f"{signing_server.url}/graphql"
    extra = {
        "accept": "application/json, text/javascript",
        "content-encoding": "amz-1.0",
        "content-type": "application/json; charset=UTF-8",
    }
    connect = signed(f"{url}/connect", b"{}", **extra)
    query = json.dumps({"query": "subscription { onTaskChanged { title } }", "variables": {}})
    create = json.dumps({"query": 'mutation { createTask(input: {title: "By IAM"}) { id } }'})
    async with opened(
        signing_server.url, "graphql-ws", coded(connect), path="/graphql/realtime"
    ) as frames:
        socket = AppSyncClient(frames.socket)
        await socket.send(type="connection_init")
        await socket.expect("connection_ack")
        extensions = {"authorization": signed(url, query.encode(), **extra)}
        await socket.send(type="start", id="1", payload={"data": query, "extensions": extensions})
        await socket.expect("start_ack")
        await post(url, create.encode(), signed(url, create.encode()))
        data = (await socket.expect("data"))["payload"]["data"]
        assert data == {"onTaskChanged": {"title": "By IAM"}}
        wrong = {"authorization": signed(url, b"{}", **extra)}
        await socket.send(type="start", id="2", payload={"data": query, "extensions": wrong})
        error = (await socket.expect("error"))["payload"]["errors"][0]
        assert error["errorType"] == "InvalidSignatureException"


def test_keys_must_be_whole(settings: Any) -> None:
    make: Callable[..., Any] = type(settings)
    for word in ("AKID", "AKID:", ":secret", "a:b:c:d"):
        with pytest.raises(ValueError, match="IAM_KEYS"):
            make(_env_file=None, iam_keys=[word])


async def test_a_key_may_act_as_a_user(start_server: Any, ada: Any) -> None:
    server = start_server(iam_keys=[f"{KEY}:{SECRET}:{ada.id}"])
    url = f"{server.url}/graphql"
    assert (await post(url, ME, signed(url, ME))).json() == {"data": {"me": {"id": ada.id}}}
