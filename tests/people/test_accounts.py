"""A whole account: its timeline, its export, its end."""

import dataclasses
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any
from unittest.mock import patch

import pytest

from app.core.caller import acting_for
from app.core.clock import instant
from app.domains.people import keys
from app.domains.people.types import User, UserStatus
from app.jobs.people import finish_account_deletions
from app.services import Services
from app.table.gateway import Gateway
from app.table.types import Receipt
from app.table.writes import Put, put_if_unchanged
from tests.api import PASSWORD, Api, Failed, Person
from tests.people.test_identity import ME, REFRESH, SIGN_IN, sign_in
from tests.servers import RunningServer, TestClock

TIMELINE = """
query ($types: [String!], $limit: Int, $nextToken: String) {
  timeline(types: $types, limit: $limit, nextToken: $nextToken) {
    items { __typename id createdAt }
    nextToken
  }
}
"""
DELETE = """
mutation ($nickname: String!, $password: String) {
  deleteAccount(input: {confirmNickname: $nickname, password: $password}) { id status }
}
"""
NOW = instant(datetime(2026, 1, 1, tzinfo=UTC))
DEACTIVATE = "mutation { deactivateAccount { id status } }"


async def partition_of(table: Gateway, person: Person) -> list[str]:
    return [item["SK"]["S"] async for item in table.partition(f"USER#{person.id}")]


async def test_timeline_begins_with_oneself(ada: Person) -> None:
    page = (await ada.gql(TIMELINE))["timeline"]
    assert [(each["__typename"], each["id"]) for each in page["items"]] == [("User", ada.id)]
    assert page["nextToken"] is None


async def test_timeline_of_an_unknown_type_names_the_known_ones(ada: Person) -> None:
    refused = await ada.refused(TIMELINE, types=["Wizard"])
    assert refused.code == "BAD_INPUT"
    assert "User" in refused.errors[0]["message"]


@pytest.mark.parametrize("limit", [0, -1, 101, 99999999])
async def test_page_size_has_bounds(ada: Person, limit: int) -> None:
    assert (await ada.refused(TIMELINE, limit=limit)).code == "BAD_INPUT"


async def test_export_has_everything_but_secrets(ada: Person) -> None:
    exported = json.loads((await ada.gql("{ exportData }"))["exportData"])
    assert set(exported) == {"User", "UserStats", "Wallet"}
    assert exported["User"][0]["email"] == ada.email
    text = json.dumps(exported)
    assert "argon2" not in text
    assert "PK" not in exported["User"][0]


async def test_export_and_deletion_reach_into_partitions_of_their_own(
    ada: Person, table: Gateway
) -> None:
    quest = """mutation { createQuest(input: {
      title: "Plant trees", description: "Ten of them, please", rewardXp: 10, rewardReputation: 1
    }) { id } }"""
    quest_id = (await ada.gql(quest))["createQuest"]["id"]
    exported = json.loads((await ada.gql("{ exportData }"))["exportData"])
    assert [each["id"] for each in exported["Quest"]] == [quest_id]
    await ada.gql(DELETE, nickname=ada.nickname, password=PASSWORD)
    assert await partition_of(table, ada) == []
    assert [item async for item in table.partition(f"QUEST#{quest_id}")] == []


async def test_deactivated_people_are_hidden_until_they_return(
    api: Api, ada: Person, bob: Person
) -> None:
    assert (await ada.gql(DEACTIVATE))["deactivateAccount"]["status"] == "deactivated"
    assert (await api.post(ME, headers=ada.headers)).status_code == 401
    seen = "query ($id: ID!) { user(id: $id) { id } }"
    assert await bob.gql(seen, id=ada.id) == {"user": None}
    back = await sign_in(api, ada.email, PASSWORD)
    assert back.session["user"]["status"] == "active"
    assert await bob.gql(seen, id=ada.id) == {"user": {"id": ada.id}}


async def test_a_deactivated_account_cannot_be_refreshed(api: Api, ada: Person) -> None:
    await ada.gql(DEACTIVATE)
    with pytest.raises(Failed) as failed:
        await api.gql(REFRESH, token=ada.session["refreshToken"])
    assert failed.value.code == "UNAUTHENTICATED"


async def test_what_was_written_while_the_account_went_is_swept_later(
    api: Api, ada: Person, server: RunningServer, table: Gateway, clock: TestClock
) -> None:
    await ada.gql(DELETE, nickname=ada.nickname, password=PASSWORD)
    receipt = Receipt(
        created_at=NOW,
        updated_at=NOW,
        user_id=ada.id,
        key="late",
        fingerprint="",
        answer="",
        ttl=2**40,
    )
    await table.write(Put(receipt))
    resources = dataclasses.replace(server.app.state.resources, table=table)
    await finish_account_deletions(resources)
    assert await partition_of(table, ada) == ["IDEMPOTENCY#late"]
    clock.move(minutes=3)
    await finish_account_deletions(resources)
    assert await partition_of(table, ada) == []


async def test_deletion_must_be_meant(ada: Person) -> None:
    refused = await ada.refused(DELETE, nickname="someone", password=PASSWORD)
    assert refused.code == "BAD_INPUT"
    refused = await ada.refused(DELETE, nickname=ada.nickname, password="guess")
    assert refused.code == "WRONG_CREDENTIALS"
    assert (await ada.gql("{ me { status } }")) == {"me": {"status": "active"}}


async def test_deletion_leaves_nothing(api: Api, ada: Person, table: Gateway) -> None:
    await ada.gql(DELETE, nickname=ada.nickname, password=PASSWORD)
    assert await partition_of(table, ada) == []
    assert await table.get(keys.email_lock(ada.email)) is None
    assert await table.get(keys.nickname_lock(ada.nickname)) is None
    assert (await api.post(ME, headers=ada.headers)).status_code == 401
    with pytest.raises(Failed) as failed:
        await api.gql(SIGN_IN, email=ada.email, password=PASSWORD)
    assert failed.value.code == "WRONG_CREDENTIALS"


async def test_a_deleted_email_can_begin_anew(api: Api, ada: Person) -> None:
    await ada.gql(DELETE, nickname=ada.nickname, password=PASSWORD)
    again = await api.sign_up(email=ada.email, nickname=ada.nickname)
    assert again.id != ada.id


class PowerCut(BaseException):
    """The process ends here, whatever it was doing."""


@contextmanager
def power_cut_before_call(table: Gateway, number: int) -> Iterator[None]:
    real, seen = table._call, 0

    async def call(operation: str, **parameters: object) -> dict[str, Any]:
        nonlocal seen
        seen += 1
        if seen > number:
            raise PowerCut
        return await real(operation, **parameters)

    with patch.object(table, "_call", call):
        yield


async def begin_deletion(table: Gateway, person: Person) -> User:
    user = await table.get(keys.user(person.id))
    assert user is not None
    now = user.updated_at
    leaving = user.evolve(now, status=UserStatus.deleting, deleting_since=now)
    await table.write(put_if_unchanged(leaving, user, "profile"))
    return leaving


async def test_deletion_cut_off_anywhere_is_finished_by_the_job(
    api: Api, server: RunningServer, table: Gateway
) -> None:
    """Cut before each of its calls in turn, until it comes through uncut."""
    resources = dataclasses.replace(server.app.state.resources, table=table)
    cuts = 0
    while True:
        person = await api.sign_up()
        await begin_deletion(table, person)
        accounts = Services(resources, acting_for(person.id)).accounts
        try:
            with power_cut_before_call(table, cuts):
                await accounts.erase(person.id)
            break
        except PowerCut:
            cuts += 1
        await finish_account_deletions(resources)
        assert await partition_of(table, person) == []
        assert await table.get(keys.nickname_lock(person.nickname)) is None
        assert await table.get(keys.email_lock(person.email)) is None
    assert cuts >= 4
