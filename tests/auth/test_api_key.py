"""x-api-key: reads what is public, and nothing else."""

from collections.abc import Callable
from uuid import uuid4

import pytest

from app.settings import DEVELOPMENT_API_KEY
from tests.api import PASSWORD, Api, Failed, Person
from tests.servers import RunningServer

KEY = {"x-api-key": DEVELOPMENT_API_KEY}
ME = "{ me { id } }"
USER = "query ($id: ID!) { user(id: $id) { id nickname email fullName timeZone } }"
BY_NICKNAME = "query ($n: String!) { userByNickname(nickname: $n) { id email } }"
PRIVATE = [
    ME,
    "{ timeline { nextToken } }",
    "{ exportData }",
    '{ userByEmail(email: "a@example.com") { id } }',
]
MUTATIONS = [
    'mutation { updateProfile(input: {bio: "x"}) { id } }',
    'mutation { createProfile(input: {nickname: "abc"}) { id } }',
    "mutation { signOut }",
    "mutation { deactivateAccount { id } }",
    'mutation { deleteAccount(input: {confirmNickname: "x"}) { id } }',
    'mutation { changePassword(input: {currentPassword: "x", newPassword: "12345678"}) { id } }',
]


async def code_of(api: Api, query: str, headers: dict[str, str]) -> str:
    with pytest.raises(Failed) as failed:
        await api.gql(query, headers=headers)
    return failed.value.code


async def test_a_key_reads_what_is_public(api: Api, ada: Person) -> None:
    shown = {"id": ada.id, "nickname": ada.nickname}
    hidden = {"email": None, "fullName": None, "timeZone": None}
    assert await api.gql(USER, headers=KEY, id=ada.id) == {"user": shown | hidden}
    found = await api.gql(BY_NICKNAME, headers=KEY, n=ada.nickname.upper())
    assert found == {"userByNickname": {"id": ada.id, "email": None}}


async def test_without_a_key_it_is_not_public(api: Api, ada: Person) -> None:
    with pytest.raises(Failed) as failed:
        await api.gql(USER, id=ada.id)
    assert failed.value.code == "UNAUTHENTICATED"


@pytest.mark.parametrize("query", PRIVATE)
async def test_a_key_does_not_read_what_is_private(api: Api, query: str) -> None:
    assert await code_of(api, query, KEY) == "FORBIDDEN"


@pytest.mark.parametrize("query", MUTATIONS)
async def test_a_key_changes_nothing(api: Api, query: str) -> None:
    assert await code_of(api, query, KEY) == "FORBIDDEN"


@pytest.mark.parametrize(
    "key",
    ["wrong", "", DEVELOPMENT_API_KEY.upper(), DEVELOPMENT_API_KEY + "x", DEVELOPMENT_API_KEY[:-1]],
)
async def test_a_wrong_key_is_refused_at_the_door(api: Api, ada: Person, key: str) -> None:
    for query in (ME, "{ __typename }"):
        answer = await api.post(query, headers={"x-api-key": key})
        assert answer.status_code == 401
        assert answer.headers["x-amzn-errortype"] == "UnauthorizedException"
        assert answer.json()["errors"][0]["extensions"]["code"] == "UNAUTHENTICATED"


async def test_signs_of_any_kind_in_a_key_are_only_wrong(api: Api) -> None:
    raw = "schlüssel".encode("latin-1")
    answer = await api.http.post("/graphql", json={"query": ME}, headers=[(b"x-api-key", raw)])
    assert answer.status_code == 401


async def test_a_wrong_key_is_not_saved_by_a_good_token(api: Api, ada: Person) -> None:
    answer = await api.post(ME, headers=ada.headers | {"x-api-key": "wrong"})
    assert answer.status_code == 401


async def test_a_good_key_beside_a_token_takes_nothing_away(api: Api, ada: Person) -> None:
    """AppSync's clients may send both; the token says who it is."""
    assert await api.gql(ME, headers=ada.headers | KEY) == {"me": {"id": ada.id}}


async def test_a_good_key_does_not_save_a_wrong_token(api: Api) -> None:
    answer = await api.post(ME, headers=KEY | {"authorization": "Bearer wrong"})
    assert answer.status_code == 401


async def test_two_keys_in_one_request_are_refused(api: Api) -> None:
    headers = [("x-api-key", DEVELOPMENT_API_KEY)] * 2
    answer = await api.http.post("/graphql", json={"query": ME}, headers=headers)
    assert answer.status_code == 401


async def test_the_name_of_the_header_may_be_written_in_any_case(api: Api, ada: Person) -> None:
    found = await api.gql(USER, headers={"X-Api-Key": DEVELOPMENT_API_KEY}, id=ada.id)
    assert found["user"]["id"] == ada.id


async def test_whoever_has_only_a_key_can_still_sign_up_and_in(api: Api) -> None:
    """AppSync's clients send the key of their configuration with every call."""
    name = f"k{uuid4().hex[:12]}"
    sign_up = """mutation ($email: AWSEmail!, $name: String!, $password: String!) {
      signUp(input: {email: $email, nickname: $name, password: $password}) { user { nickname } } }
    """
    email = f"{name}@example.com"
    made = await api.gql(sign_up, headers=KEY, email=email, name=name, password=PASSWORD)
    assert made == {"signUp": {"user": {"nickname": name}}}


async def test_each_configured_key_counts_and_the_development_key_then_does_not(
    start_server: Callable[..., RunningServer], ada: Person
) -> None:
    async with Api(start_server(api_keys=["da2-one", "da2-two"]).url) as api:
        for key in ("da2-one", "da2-two"):
            found = await api.gql(USER, headers={"x-api-key": key}, id=ada.id)
            assert found["user"]["id"] == ada.id
        assert (await api.post(ME, headers=KEY)).status_code == 401


async def test_without_configured_keys_production_takes_none(
    server: RunningServer,
    start_server: Callable[..., RunningServer],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first server has made the table, which production must find."""
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "local")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "local")
    strict = start_server(
        stage="production", api_keys=[], demo=False, cors_origins=[], graphiql=False
    )
    async with Api(strict.url) as api:
        for key in (DEVELOPMENT_API_KEY, "", "x"):
            assert (await api.post(ME, headers={"x-api-key": key})).status_code == 401
