"""GraphQL over HTTP, through the real server: methods, media types, bodies, answers."""

import gzip
import json
from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import httpx
import pytest

from app.web.limits import Limits
from tests.api import PASSWORD, Api, Person
from tests.web.wire import Wire, ask, head, request

JSON = "application/json"
RESPONSE_JSON = "application/graphql-response+json"
TYPENAME = b'{"query": "{ __typename }"}'
GOOD = {"data": {"__typename": "Query"}}
SIGN_UP = "signUp(input: {email: %s, nickname: %s, password: %s}) { expiresAt }"
EMPTY = "Request body is empty."
UNREADABLE = "Unable to parse GraphQL query."


@pytest.fixture(autouse=True)
async def answers_afterwards(api: Api) -> AsyncIterator[None]:
    yield
    answer = await api.post("{ __typename }")
    assert (answer.status_code, answer.json()) == (200, GOOD)


@pytest.fixture
def nickname() -> str:
    return f"n{uuid4().hex[:12]}"


def sign_up(nickname: str, alias: str = "a") -> str:
    words = (f"{nickname}@example.com", nickname, PASSWORD)
    return f"{alias}: {SIGN_UP % tuple(json.dumps(word) for word in words)}"


async def is_free(api: Api, nickname: str) -> bool:
    query = "query ($nickname: String!) { nicknameAvailable(nickname: $nickname) }"
    return bool((await api.gql(query, nickname=nickname))["nicknameAvailable"])


async def post(api: Api, content: bytes, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return await api.http.post("/graphql", content=content, headers={"content-type": JSON, **named})


async def get(api: Api, *, accept: str = JSON, **params: str) -> httpx.Response:
    return await api.http.get("/graphql", params=params, headers={"accept": accept})


def malformed(message: str, code: str = "BAD_REQUEST") -> dict[str, Any]:
    """AppSync's shape of what it refuses at the door, and the code beside it."""
    error = {
        "message": message,
        "errorType": "MalformedHttpRequestException",
        "extensions": {"code": code},
    }
    return {"errors": [error], "message": message}


def assert_refused(
    answer: httpx.Response, status: int, message: str, code: str = "BAD_REQUEST"
) -> None:
    assert answer.json() == malformed(message, code)
    assert answer.status_code == status
    assert answer.headers["x-amzn-errortype"] == "MalformedHttpRequestException"


def codes(answer: httpx.Response) -> list[str]:
    return [error["extensions"]["code"] for error in answer.json()["errors"]]


# Content types


@pytest.mark.parametrize(
    "content_type",
    [
        JSON,
        "application/json; charset=utf-8",
        'application/json;charset="UTF-8"',
        "Application/JSON ; charset=UTF-8",
        "application/graphql",
        "application/graphql; charset=utf-8",
    ],
)
async def test_takes_json_under_both_of_appsyncs_names(api: Api, content_type: str) -> None:
    answer = await post(api, TYPENAME, content_type=content_type)
    assert (answer.status_code, answer.json()) == (200, GOOD)


@pytest.mark.parametrize(
    "content_type",
    [
        "",
        "text/plain",
        "text/plain; application/json",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/octet-stream",
        "application/json, text/plain",
        "application/jsonp",
    ],
)
async def test_refuses_what_a_foreign_page_could_send(
    api: Api, nickname: str, content_type: str
) -> None:
    body = json.dumps({"query": f"mutation {{ {sign_up(nickname)} }}"}).encode()
    answer = await post(api, body, content_type=content_type)
    assert_refused(answer, 415, "Send the request as application/json.")
    assert await is_free(api, nickname)


def test_refuses_a_missing_content_type(server_url: str) -> None:
    lines = ("POST /graphql HTTP/1.1", "host: test", f"content-length: {len(TYPENAME)}")
    answer = ask(server_url, head(*lines) + TYPENAME)
    assert answer.status == 415
    assert answer.json() == malformed("Send the request as application/json.")


@pytest.mark.parametrize("charset", ["utf-16", "latin-1", "us-ascii"])
async def test_refuses_other_charsets(api: Api, charset: str) -> None:
    answer = await post(api, TYPENAME, content_type=f"application/json; charset={charset}")
    assert_refused(answer, 415, "Send the request in UTF-8.")


# Media types of the answer


@pytest.mark.parametrize(
    ("accept", "media"),
    [
        ("", JSON),
        ("*/*", JSON),
        ("application/*", JSON),
        (JSON, JSON),
        ("APPLICATION/JSON", JSON),
        ("application/json; charset=utf-8", JSON),
        (RESPONSE_JSON, RESPONSE_JSON),
        (f"{RESPONSE_JSON},{JSON};q=0.9", RESPONSE_JSON),
        (f"{JSON};q=0.9, {RESPONSE_JSON}", RESPONSE_JSON),
        (f"{RESPONSE_JSON};q=0.5,{JSON};q=0.9", JSON),
        (f"{RESPONSE_JSON}, {JSON}", RESPONSE_JSON),
        (f"{JSON}, {RESPONSE_JSON}", JSON),
        (f"{RESPONSE_JSON}, */*", RESPONSE_JSON),
        ("text/html, */*;q=0.1", JSON),
        (f"{JSON};q=0, */*", RESPONSE_JSON),
        (f"{RESPONSE_JSON};q=0, application/*", JSON),
    ],
)
async def test_answers_in_the_media_type_of_the_highest_quality(
    api: Api, accept: str, media: str
) -> None:
    answer = await post(api, TYPENAME, accept=accept)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == f"{media}; charset=utf-8"


@pytest.mark.parametrize(
    "accept", ["text/html", "*/*;q=0", "image/*", f"{JSON};q=0", f"{JSON};q=x", ",", "json"]
)
async def test_not_acceptable(api: Api, accept: str) -> None:
    answer = await post(api, TYPENAME, accept=accept)
    assert_refused(answer, 406, f"Accept {RESPONSE_JSON} or {JSON}.")


REQUESTS: dict[str, dict[str, object]] = {
    "GRAPHQL_PARSE_FAILED": {"query": "{"},
    "GRAPHQL_VALIDATION_FAILED": {"query": "{ nothing }"},
    "QUERY_TOO_COMPLEX": {"query": "{" + "a{" * 16 + "b" + "}" * 17},
    "LIMIT_EXCEEDED": {"query": "{" + "a " * 2_000 + "}"},
    "BAD_INPUT": {"query": "query ($n: String!) { nicknameAvailable(nickname: $n) }"},
}


@pytest.mark.parametrize("code", REQUESTS)
async def test_a_wrong_request_is_200_as_json_and_400_as_a_graphql_response(
    api: Api, code: str
) -> None:
    body = json.dumps(REQUESTS[code]).encode()
    as_json, as_response = [await post(api, body, accept=each) for each in (JSON, RESPONSE_JSON)]
    assert (as_json.status_code, as_response.status_code) == (200, 400)
    assert codes(as_json) == codes(as_response) == [code]
    assert as_json.json()["data"] is None
    assert "data" not in as_response.json()


@pytest.mark.parametrize("accept", [JSON, RESPONSE_JSON])
async def test_an_error_of_a_field_is_200_with_the_rest_of_the_data(api: Api, accept: str) -> None:
    body = b'{"query": "{ __typename user(id: \\"u\\") { id } }"}'
    answer = await post(api, body, accept=accept)
    assert answer.status_code == 200
    assert answer.json()["data"] == {"__typename": "Query", "user": None}
    assert codes(answer) == ["UNAUTHENTICATED"]


# Methods


async def test_get_reads_all_parameters_from_the_query_string(api: Api) -> None:
    query = "query A($n: String!) { nicknameAvailable(nickname: $n) } query B { __typename }"
    variables = '{"n": "a-free-nickname"}'
    answer = await get(api, query=query, operationName="A", variables=variables, extensions="{}")
    assert (answer.status_code, answer.json()) == (200, {"data": {"nicknameAvailable": True}})


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ("", UNREADABLE),
        ("query=", UNREADABLE),
        ("operationName=a", "The request has no query."),
        ("query=%20", "The query is empty."),
        ("query={__typename}&variables=[]", "variables must be an object."),
        ("query={__typename}&variables={", UNREADABLE),
        ('query={__typename}&variables={"a":1,"a":2}', UNREADABLE),
        ("query={__typename}&extensions=1", "extensions must be an object."),
        ("query={__typename}&query={__typename}", "The parameter query was sent twice."),
        ("query={__typename}&variables={}&variables={}", "The parameter variables was sent twice."),
        ("query=%ff", "The query string is not a GraphQL request."),
        ("a=1&" * 21, "The query string is not a GraphQL request."),
    ],
)
async def test_refuses_malformed_query_strings(api: Api, params: str, message: str) -> None:
    answer = await api.http.get(f"/graphql?{params}", headers={"accept": JSON})
    assert_refused(answer, 400, message)


@pytest.mark.parametrize("name", [None, "Change"])
async def test_get_never_changes_anything(api: Api, nickname: str, name: str | None) -> None:
    query = f"mutation Change {{ {sign_up(nickname)} }}"
    if name:
        query += " query Read { __typename }"
    answer = await get(api, query=query, **({"operationName": name} if name else {}))
    assert_refused(answer, 405, "Send mutations by POST.")
    assert answer.headers["allow"] == "POST"
    assert await is_free(api, nickname)


async def test_get_may_run_the_query_of_a_document_that_also_has_a_mutation(
    api: Api, nickname: str
) -> None:
    query = f"mutation Change {{ {sign_up(nickname)} }} query Read {{ __typename }}"
    assert (await get(api, query=query, operationName="Read")).json() == GOOD
    assert await is_free(api, nickname)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
async def test_other_methods_are_not_allowed(api: Api, method: str) -> None:
    answer = await api.http.request(method, "/graphql", headers={"content-type": JSON})
    assert_refused(answer, 405, "Use POST, or GET for queries.")
    assert answer.headers["allow"] == "GET, POST"


async def test_head_is_not_allowed_and_has_no_body(api: Api) -> None:
    answer = await api.http.head("/graphql?query={__typename}")
    assert (answer.status_code, answer.content) == (405, b"")
    assert answer.headers["allow"] == "GET, POST"


# Operations


async def test_several_operations_without_a_name_execute_none(api: Api, nickname: str) -> None:
    both = f"mutation A {{ {sign_up(nickname)} }} mutation B {{ {sign_up(nickname + 'b')} }}"
    answer = await api.post(both)
    assert codes(answer) == ["BAD_INPUT"]
    assert answer.json()["data"] is None
    assert await is_free(api, nickname)
    assert await is_free(api, nickname + "b")


async def test_an_empty_operation_name_counts_as_none(api: Api) -> None:
    body = b'{"query": "query A { __typename }", "operationName": ""}'
    assert (await post(api, body)).json() == GOOD
    assert (await get(api, query="query A { __typename }", operationName="")).json() == GOOD


async def test_an_unknown_operation_is_refused(api: Api) -> None:
    body = b'{"query": "query A { __typename }", "operationName": "B"}'
    assert codes(await post(api, body)) == ["BAD_INPUT"]


async def test_a_subscription_does_not_run_over_http(api: Api) -> None:
    answer = await api.post("subscription { __typename }")
    assert codes(answer) == ["GRAPHQL_VALIDATION_FAILED"]
    assert answer.json()["data"] is None


async def test_unknown_keys_are_ignored_as_appsync_does(api: Api) -> None:
    body = b'{"query": "{ __typename }", "id": 1, "extensions": {"clientLibrary": {}}}'
    assert (await post(api, body)).json() == GOOD


# Bodies


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b"", EMPTY),
        (b" \r\n", EMPTY),
        (b"null", UNREADABLE),
        (b"1", UNREADABLE),
        (b'"x"', UNREADABLE),
        (b"true", UNREADABLE),
        (b"[]", UNREADABLE),
        (b"{}", UNREADABLE),
        (b"{", UNREADABLE),
        (b"query { __typename }", UNREADABLE),
        (b'{"query": "\xff"}', UNREADABLE),
        (b'{"query": "\\ud800"}', UNREADABLE),
        (TYPENAME.decode().encode("utf-16"), UNREADABLE),
        (b"\xef\xbb\xbf" + TYPENAME, UNREADABLE),
        (gzip.compress(TYPENAME, mtime=0), UNREADABLE),
        (b'{"query": "{ __typename }", "variables": {"a": NaN}}', UNREADABLE),
        (b'{"query": "{ __typename }", "variables": {"a": -Infinity}}', UNREADABLE),
        (b'{"query": "{ __typename }", "variables": {"a": 1e400}}', UNREADABLE),
        (b'{"query": "{ __typename }", "variables": {"a": ' + b"9" * 4_301 + b"}}", UNREADABLE),
        (b'{"query": "{ __typename }", "query": "{ me { id } }"}', UNREADABLE),
        (b"[" * 5_000 + b"]" * 5_000, UNREADABLE),
        (b'{"variables":' * 5_000 + b"1" + b"}" * 5_000, UNREADABLE),
        (b"[" + TYPENAME + b"]", "Batching is not supported: send one operation per request."),
        (b'{"variables": {}}', "The request has no query."),
        (b'{"query": null}', "The request has no query."),
        (b'{"query": " "}', "The query is empty."),
        (b'{"query": 1}', "query must be a string."),
        (b'{"query": "{a}", "variables": []}', "variables must be an object."),
        (b'{"query": "{a}", "variables": "{}"}', "variables must be an object."),
        (b'{"query": "{a}", "operationName": 1}', "operationName must be a string."),
        (b'{"query": "{a}", "extensions": "x"}', "extensions must be an object."),
    ],
    ids=lambda each: repr(each[:28]),
)
async def test_a_malformed_request_is_400_with_appsyncs_message(
    api: Api, body: bytes, message: str
) -> None:
    assert_refused(await post(api, body), 400, message)


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate", "gzip, identity"])
async def test_compressed_bodies_are_refused(api: Api, encoding: str) -> None:
    answer = await post(api, gzip.compress(TYPENAME, mtime=0), content_encoding=encoding)
    assert_refused(answer, 415, "Send the body uncompressed.")


TOO_LARGE = "The body is larger than 1000000 bytes."


def test_a_body_of_exactly_the_limit_is_read(server_url: str) -> None:
    answer = ask(server_url, request(TYPENAME.ljust(1_000_000)))
    assert (answer.status, answer.json()) == (200, GOOD)


def test_a_larger_body_is_refused_before_it_is_sent(server_url: str) -> None:
    answer = ask(server_url, request(content_length="1000001"))
    assert answer.status == 413
    assert answer.json() == malformed(TOO_LARGE, "LIMIT_EXCEEDED")


def test_a_client_that_waits_for_100_continue_is_refused_at_once(server_url: str) -> None:
    answer = ask(server_url, request(content_length="50000000", expect="100-continue"))
    assert answer.status == 413


async def test_a_client_that_sends_50_mb_reads_the_refusal(api: Api) -> None:
    async def endless() -> AsyncIterator[bytes]:
        for _ in range(50):
            yield b"x" * 1_000_000

    headers = {"content-type": JSON}
    answer = await api.http.post("/graphql", content=endless(), headers=headers)
    assert_refused(answer, 413, TOO_LARGE, "LIMIT_EXCEEDED")


def test_a_chunked_body_is_refused_when_it_exceeds_the_limit(server_url: str) -> None:
    lines = ("POST /graphql HTTP/1.1", "host: test", f"content-type: {JSON}")
    with Wire(server_url) as wire:
        wire.send(head(*lines, "transfer-encoding: chunked"))
        for _ in range(16):
            wire.send(b"10000\r\n" + b"x" * 65536 + b"\r\n")
        answer = wire.answer()
    assert answer.status == 413
    assert answer.json() == malformed(TOO_LARGE, "LIMIT_EXCEEDED")


def test_bytes_after_the_declared_length_are_not_a_request(server_url: str) -> None:
    with Wire(server_url) as wire:
        wire.send(request(TYPENAME + b"x" * 2_000_000, content_length=str(len(TYPENAME))))
        answer = wire.answer()
        assert answer.status in (200, 400)
        assert b"HTTP/1.1 2" not in wire.rest()


@pytest.mark.parametrize(
    "lines",
    [
        ("content-length: 5", "transfer-encoding: chunked"),
        ("content-length: 5", "content-length: 6"),
        ("content-length: -5",),
        ("content-length: \xb2",),
        ("content-length: " + "9" * 30,),
        ("transfer-encoding: gzip, chunked, identity",),
    ],
    ids=str,
)
def test_ambiguous_lengths_are_400(server_url: str, lines: tuple[str, ...]) -> None:
    start = ("POST /graphql HTTP/1.1", "host: test", f"content-type: {JSON}")
    assert ask(server_url, head(*start, *lines) + TYPENAME).status == 400


def test_leading_zeros_of_a_length_are_ignored(server_url: str) -> None:
    length = f"{len(TYPENAME):05000}"
    assert ask(server_url, request(TYPENAME, content_length=length)).json() == GOOD


async def test_text_comes_back_as_it_was_sent(api: Api, ada: Person) -> None:
    words = "naïve 日本 🧙‍♀️ \u202e'\"\\</script>"
    update = "mutation ($bio: String) { updateProfile(input: {bio: $bio}) { bio } }"
    assert (await ada.gql(update, bio=words))["updateProfile"] == {"bio": words}


# Answers


async def test_an_error_has_appsyncs_shape(api: Api) -> None:
    answer = await api.post("{ me { id } }")
    assert answer.json() == {
        "errors": [
            {
                "message": "Sign in first: send the access token as the Authorization header.",
                "path": ["me"],
                "locations": [{"line": 1, "column": 3}],
                "errorType": "Unauthorized",
                "errorInfo": None,
                "extensions": {"code": "UNAUTHENTICATED"},
            }
        ],
        "data": {"me": None},
    }


async def test_details_of_an_error_are_in_error_info_and_extensions(ada: Person) -> None:
    failed = await ada.refused("{ timeline(limit: 0) { nextToken } }")
    (error,) = failed.errors
    assert error["errorType"] == "BAD_INPUT"
    assert error["errorInfo"] == {"field": "limit"}
    assert error["extensions"] == {"code": "BAD_INPUT", "field": "limit"}


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ({"authorization": "Bearer x"}, "Unable to parse JWT token."),
        ({"authorization": "Bearer Bearer x"}, "Valid authorization header not provided."),
        ({"x-api-key": "da2-wrong"}, "You are not authorized to make this call."),
    ],
)
async def test_wrong_credentials_are_401_as_in_appsync(
    api: Api, headers: dict[str, str], message: str
) -> None:
    answer = await api.post("{ __typename }", headers=headers)
    assert answer.status_code == 401
    assert answer.headers["x-amzn-errortype"] == "UnauthorizedException"
    error = {
        "message": message,
        "errorType": "UnauthorizedException",
        "extensions": {"code": "UNAUTHENTICATED"},
    }
    assert answer.json() == {"errors": [error], "message": message}


@pytest.mark.parametrize("name", ["authorization", "x-api-key"])
async def test_credentials_sent_twice_are_401(api: Api, ada: Person, name: str) -> None:
    good = ada.headers.get(name, "da2-guildhall-development")
    headers = [("content-type", JSON), (name, good), (name, good)]
    answer = await api.http.post("/graphql", content=TYPENAME, headers=headers)
    assert answer.status_code == 401
    assert answer.json()["message"] == f"The header {name} was sent twice."


def test_an_api_key_with_non_ascii_letters_is_401(server_url: str) -> None:
    assert ask(server_url, request(TYPENAME, x_api_key="d\xe9")).status == 401


async def test_every_response_has_its_own_request_id(api: Api) -> None:
    answers = [await post(api, body) for body in (TYPENAME, b"", b'{"query": "{"}')]
    ids = {answer.headers["x-amzn-requestid"] for answer in answers}
    assert len(ids) == 3
    assert all(len(bytes.fromhex(each)) == 16 for each in ids)


async def test_at_most_five_errors_of_at_most_300_characters(api: Api) -> None:
    many = "{ " + " ".join(f"{'x' * 400}{i}" for i in range(20)) + " }"
    errors = (await api.post(many)).json()["errors"]
    assert len(errors) == 5
    assert {len(error["message"]) for error in errors} == {300}
    assert {error["extensions"]["code"] for error in errors} == {"GRAPHQL_VALIDATION_FAILED"}


async def test_at_most_twenty_fields_of_variables_are_named(ada: Person) -> None:
    query = "query ($types: [String!]) { timeline(types: $types) { nextToken } }"
    (error,) = (await ada.refused(query, types=[1] * 100)).errors
    fields = [each["field"] for each in error["extensions"]["fields"]]
    assert fields == [f"types.{index}" for index in range(20)]
    assert error["extensions"]["code"] == "BAD_INPUT"


async def test_null_where_only_the_default_would_do_is_the_clients_mistake(ada: Person) -> None:
    query = 'query ($id: ID = "u") { user(id: $id) { id } }'
    assert await ada.gql(query) == {"user": None}
    failed = await ada.refused(query, id=None)
    assert failed.code == "BAD_INPUT"
    assert failed.errors[0]["path"] == ["user"]
    assert failed.errors[0]["message"].startswith("Argument 'id' has invalid value")


async def test_the_limit_on_tokens(api: Api) -> None:
    most = Limits().tokens
    answer = await api.post("{" + " __typename" * (most - 2) + " }")
    assert codes(answer) == ["QUERY_TOO_COMPLEX"]
    answer = await api.post("{" + " __typename" * (most - 1) + " }")
    assert codes(answer) == ["LIMIT_EXCEEDED"]
