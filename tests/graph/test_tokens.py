"""nextToken: valid for one caller, list and arguments, for a day."""

import base64
import itertools
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import app.web.routes
from app.auth.secret import ServerSecret
from app.core.errors import BadToken
from app.graph.tokens import MAX_TOKEN_LENGTH, PageTokens
from app.settings import Settings
from app.table.entity import ENTITIES
from app.table.gateway import Gateway
from app.table.writes import Put
from tests.api import PASSWORD, Api, Failed, Person
from tests.graph.sample_schema import LEAF, STONE, build_garden, planted
from tests.servers import RunningServer, TestClock

TIMELINE = """
query ($types: [String!], $limit: Int, $token: String) {
  timeline(types: $types, limit: $limit, nextToken: $token) {
    items { id createdAt __typename } nextToken
  }
}
"""
LEAVES = """
query ($hue: Hue, $bed: BedInput, $limit: Int, $token: String) {
  leaves(hue: $hue, bed: $bed, limit: $limit, nextToken: $token) { items { id } nextToken }
}
"""
SIGN_IN = """
mutation ($email: AWSEmail!, $password: String!) {
  signIn(input: {email: $email, password: $password}) {
    accessToken refreshToken user { id nickname email }
  }
}
"""
PURPOSE = b"one list of one caller"
SECRET = ServerSecret(b"m" * 32)
URL_SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


@pytest.fixture(scope="module")
def garden(settings: Settings, server: RunningServer, clock: TestClock) -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(ENTITIES, LEAF.name, LEAF)
        patch.setitem(ENTITIES, STONE.name, STONE)
        patch.setattr(app.web.routes, "build_schema", build_garden)
        with RunningServer(settings, clock) as running:
            yield running.url


@pytest.fixture(scope="module")
async def api(garden: str) -> AsyncIterator[Api]:
    async with Api(garden) as api:
        yield api


@pytest.fixture
async def gardener(ada: Person, table: Gateway) -> Person:
    """Has 25 leaves and 13 stones, and is on their own timeline too."""
    things = planted(ada.id, leaves=25, stones=13)
    await table.write(*(Put(thing) for thing in things))
    return ada


async def first_token(person: Person, query: str = TIMELINE, **variables: Any) -> str:
    answer = await person.gql(query, **({"limit": 2} | variables))
    (found,) = answer.values()
    assert isinstance(found["nextToken"], str)
    return found["nextToken"]


async def is_bad(person: Person, token: str, query: str = TIMELINE, **variables: Any) -> bool:
    refused = await person.refused(query, **({"limit": 2, "token": token} | variables))
    return refused.code == "BAD_TOKEN"


async def read_all(person: Person, limits: Iterator[int], **variables: Any) -> list[Any]:
    pages: list[Any] = []
    token = None
    while True:
        limit = next(limits)
        found = (await person.gql(TIMELINE, limit=limit, token=token, **variables))["timeline"]
        pages.append(found["items"])
        token = found["nextToken"]
        if token is None:
            return pages
        assert len(found["items"]) == limit


@pytest.mark.parametrize("limits", [[1], [2], [7], [38], [39], [100], [1, 100], [3, 1, 10]])
async def test_a_timeline_is_read_whole_and_in_order_in_pages_of_any_size(
    gardener: Person, limits: list[int]
) -> None:
    items = list(itertools.chain(*await read_all(gardener, itertools.cycle(limits))))
    ids = {(item["__typename"], item["id"]) for item in items}
    assert len(items) == len(ids) == 25 + 13 + 1
    moments = [item["createdAt"] for item in items]
    assert moments == sorted(moments, reverse=True)


@pytest.mark.parametrize(
    ("types", "count"), [(["Leaf"], 25), (["Stone"], 13), (["Stone", "Leaf"], 38), (["User"], 1)]
)
async def test_a_timeline_of_some_types(gardener: Person, types: list[str], count: int) -> None:
    pages = await read_all(gardener, itertools.repeat(4), types=types)
    items = list(itertools.chain(*pages))
    assert len(items) == count
    assert {item["__typename"] for item in items} == set(types)


async def test_a_list_that_fits_has_no_token(gardener: Person, bob: Person) -> None:
    assert await read_all(bob, itertools.repeat(5), types=["Leaf"]) == [[]]
    assert [len(page) for page in await read_all(gardener, itertools.repeat(100))] == [39]


async def test_a_record_created_between_pages_neither_repeats_nor_hides_another(
    gardener: Person, table: Gateway
) -> None:
    first = (await gardener.gql(TIMELINE, limit=10, types=["Leaf"]))["timeline"]
    newer = planted(gardener.id, leaves=30, stones=0)[25:]
    await table.write(*(Put(leaf) for leaf in newer))
    rest = await gardener.gql(TIMELINE, limit=100, types=["Leaf"], token=first["nextToken"])
    ids = [item["id"] for item in first["items"] + rest["timeline"]["items"]]
    assert ids == [f"Leaf-{number}" for number in reversed(range(25))]


@pytest.mark.parametrize("limit", [0, -1, 101, 2**31 - 1])
async def test_a_page_has_1_to_100_records(gardener: Person, limit: int) -> None:
    assert (await gardener.refused(TIMELINE, limit=limit)).code == "BAD_INPUT"


async def test_a_page_has_20_records_by_default(gardener: Person) -> None:
    for query in ("{ timeline { items { id } } }", "{ timeline(limit: null) { items { id } } }"):
        assert len((await gardener.gql(query))["timeline"]["items"]) == 20


async def test_another_limit_may_be_asked_for(gardener: Person) -> None:
    token = await first_token(gardener)
    sizes = [
        len((await gardener.gql(TIMELINE, limit=limit, token=token))["timeline"]["items"])
        for limit in (1, 5, 100)
    ]
    assert sizes == [1, 5, 37]


async def test_a_token_may_be_used_again(gardener: Person) -> None:
    token = await first_token(gardener)
    pages = [await gardener.gql(TIMELINE, limit=3, token=token) for _ in range(2)]
    assert pages[0]["timeline"]["items"] == pages[1]["timeline"]["items"]


async def test_tokens_show_nothing_of_the_table(gardener: Person) -> None:
    token = await first_token(gardener)
    raw = base64.urlsafe_b64decode(token + "==")
    for secret in (gardener.id, "USER#", "ENTITY", "GSI1", "Leaf"):
        assert secret.encode() not in raw
    assert token != await first_token(gardener)


async def test_another_callers_token_is_refused(gardener: Person, bob: Person) -> None:
    assert await is_bad(bob, await first_token(gardener))


async def test_another_fields_token_is_refused(gardener: Person) -> None:
    timeline = await first_token(gardener, types=["Leaf"])
    leaves = await first_token(gardener, LEAVES)
    assert await is_bad(gardener, timeline, LEAVES)
    assert await is_bad(gardener, leaves, types=["Leaf"])


async def test_another_owners_list_is_another_list(gardener: Person) -> None:
    query = """query ($tree: String!, $limit: Int, $token: String) {
      leavesOf(tree: $tree, limit: $limit, nextToken: $token) { items { id } nextToken } }"""
    token = await first_token(gardener, query, tree="oak")
    assert await is_bad(gardener, token, query, tree="elm")
    assert len((await gardener.gql(query, tree="oak", token=token))["leavesOf"]["items"]) == 20


@pytest.mark.parametrize(
    ("made_for", "asked_for"),
    [
        ({}, {"hue": "RED"}),
        ({"hue": "RED"}, {}),
        ({"hue": "RED"}, {"hue": "GREEN"}),
        ({"bed": {"rowNumber": 1}}, {"bed": {"rowNumber": 2}}),
        ({"bed": {"rowNumber": 1}}, {"bed": {"rowNumber": 1, "hues": ["RED"]}}),
        ({"bed": {"rowNumber": 1, "hues": ["RED"]}}, {"bed": {"rowNumber": 1, "hues": ["GREEN"]}}),
        ({"bed": {"rowNumber": 1}}, {"hue": "RED", "bed": {"rowNumber": 1}}),
    ],
)
async def test_other_arguments_need_another_token(
    gardener: Person, made_for: dict[str, Any], asked_for: dict[str, Any]
) -> None:
    token = await first_token(gardener, LEAVES, **made_for)
    assert await is_bad(gardener, token, LEAVES, **asked_for)
    assert (await gardener.gql(LEAVES, token=token, **made_for))["leaves"]["items"]


@pytest.mark.parametrize(("one", "other"), [(["Leaf"], ["Stone"]), (["Leaf"], None), (None, [])])
async def test_other_types_need_another_token(gardener: Person, one: Any, other: Any) -> None:
    assert await is_bad(gardener, await first_token(gardener, types=one), types=other)


@pytest.mark.parametrize(
    ("made_by", "used_by"),
    [
        ("leaves(limit: 2)", "leaves(nextToken: $t)"),
        ("leaves(limit: 2)", "leaves(hue: null, nextToken: $t)"),
        ("leaves(limit: 2)", "leaves(hue: $hue, nextToken: $t)"),
        ("leaves(hue: RED, limit: 2)", "leaves(nextToken: $t, hue: RED)"),
        ("leaves(hue: RED, limit: 2)", "leaves(nextToken: $t, hue: $red)"),
        ("other: leaves(limit: 2)", "leaves(nextToken: $t)"),
        (
            "leaves(bed: {rowNumber: 1, hues: [RED]}, limit: 2)",
            "leaves(nextToken: $t, bed: {hues: [$red], rowNumber: 1})",
        ),
    ],
)
async def test_how_the_arguments_are_written_does_not_matter(
    gardener: Person, made_by: str, used_by: str
) -> None:
    made = await gardener.gql(f"{{ {made_by} {{ nextToken }} }}")
    (found,) = made.values()
    names = {"$t": "String", "$hue": "Hue", "$red": "Hue!"}
    head = ", ".join(f"{name}: {kind}" for name, kind in names.items() if name in used_by)
    variables = {"t": found["nextToken"]} | ({"red": "RED"} if "$red" in used_by else {})
    used = await gardener.gql(f"query ({head}) {{ {used_by} {{ items {{ id }} }} }}", **variables)
    assert len(used["leaves"]["items"]) == 20


async def test_a_token_lasts_a_day(api: Api, gardener: Person, clock: TestClock) -> None:
    async def later() -> Person:
        session = await api.gql(SIGN_IN, email=gardener.email, password=PASSWORD)
        return Person(api, session["signIn"])

    token = await first_token(gardener)
    clock.move(hours=23, minutes=59)
    assert len((await (await later()).gql(TIMELINE, token=token))["timeline"]["items"]) == 20
    clock.move(minutes=2)
    assert await is_bad(await later(), token)


@pytest.mark.parametrize(
    "junk",
    [
        "",
        " ",
        "x",
        "null",
        "AAAA",
        "A" * 16,
        "A" * 100,
        "=" * 100,
        "💥" * 20,
        "{}",
        base64.urlsafe_b64encode(b'{"PK":{"S":"USER#1"},"SK":{"S":"PROFILE#1"}}').decode(),
        "A" * MAX_TOKEN_LENGTH,
        "A" * (MAX_TOKEN_LENGTH + 4),
        "A" * 900_000,
    ],
    ids=range(14),
)
async def test_a_malformed_token_is_refused(gardener: Person, junk: str) -> None:
    assert await is_bad(gardener, junk)


async def test_a_token_of_more_than_a_megabyte_is_not_even_read(api: Api, ada: Person) -> None:
    answer = await api.post(TIMELINE, headers=ada.headers, token="A" * 1_100_000)
    assert answer.status_code == 413
    assert (await ada.gql("{ __typename }")) == {"__typename": "GardenQuery"}


async def test_an_edited_token_is_refused(gardener: Person) -> None:
    token = await first_token(gardener)
    middle = len(token) // 2
    other = "A" if token[middle] != "A" else "B"
    edited = [
        token[:-1],
        token[:-10],
        token[1:],
        token[:20],
        token[:middle] + other + token[middle + 1 :],
        token[:middle] + "!" + token[middle:],
        token[:middle] + "\n" + token[middle:],
        token + "A",
        token + "=",
        token + "==",
        token + token,
        f" {token}",
        f"{token} ",
        token.swapcase(),
    ]
    for each in edited:
        assert await is_bad(gardener, each), each


async def test_a_bad_token_says_what_to_do(gardener: Person) -> None:
    with pytest.raises(Failed) as failed:
        await gardener.gql(TIMELINE, token="x")
    (error,) = failed.value.errors
    assert error["path"] == ["timeline"]
    assert "without a nextToken" in error["message"]


# Without a server: every edit there is.


@pytest.fixture
def tokens(clock: TestClock) -> PageTokens:
    return PageTokens(SECRET, clock)


POSITIONS = st.dictionaries(
    st.text(max_size=20), st.none() | st.text(max_size=50) | st.dictionaries(st.text(), st.text())
)


@given(POSITIONS, st.binary(min_size=1, max_size=40))
def test_a_token_opens_for_its_purpose_only(position: Any, purpose: bytes) -> None:
    tokens = PageTokens(SECRET, TestClock())
    token = tokens.seal(position, purpose)
    assert set(token) <= set(URL_SAFE)
    assert tokens.open(token, purpose) == position
    with pytest.raises(BadToken):
        tokens.open(token, purpose + b"!")
    with pytest.raises(BadToken):
        PageTokens(ServerSecret(b"n" * 32), TestClock()).open(token, purpose)


def test_no_character_can_be_changed_removed_or_added(tokens: PageTokens) -> None:
    token = tokens.seal({"PK": "USER#1"}, PURPOSE)
    for place in range(len(token)):
        before, sign, after = token[:place], token[place], token[place + 1 :]
        changed = [before + other + after for other in f"{URL_SAFE}=+/ \n" if other != sign]
        for edited in (*changed, before + after, before, before + "A" + sign + after):
            with pytest.raises(BadToken):
                tokens.open(edited, PURPOSE)


@given(st.text(max_size=200))
def test_no_text_is_a_token_by_chance(text: str) -> None:
    with pytest.raises(BadToken):
        PageTokens(SECRET, TestClock()).open(text, PURPOSE)


@given(st.binary(max_size=200))
def test_no_bytes_are_a_token_by_chance(raw: bytes) -> None:
    with pytest.raises(BadToken):
        PageTokens(SECRET, TestClock()).open(base64.urlsafe_b64encode(raw).decode(), PURPOSE)


def test_the_longest_position_of_a_timeline_fits(tokens: PageTokens) -> None:
    """Forty types, each stopped at a record with the longest ids there can be."""
    place = {
        name: "X" * length
        for name, length in (("PK", 70), ("SK", 100), ("GSI1PK", 70), ("GSI1SK", 60))
    }
    position = {f"SomeLongTypeName{number}": place for number in range(40)}
    token = tokens.seal(position, PURPOSE)
    assert tokens.open(token, PURPOSE) == position
