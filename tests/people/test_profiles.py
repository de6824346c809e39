"""Profiles, through HTTP."""

import asyncio
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from app.domains.people import keys
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.servers import TestClock

UPDATE = """
mutation ($input: UpdateProfileInput!) {
  updateProfile(input: $input) {
    id nickname email emailVerified fullName displayName birthDate country language gender pronouns
    bio avatarUrl tags tier timeZone dayStartHour version createdAt updatedAt
    preferences { theme defaultArea notifications }
  }
}
"""
USER = """
query ($id: ID!) {
  user(id: $id) {
    id nickname email emailVerified fullName displayName birthDate gender tier timeZone
    dayStartHour status bio preferences { theme } stats { level reputation experiencePoints }
  }
}
"""
BY_NICKNAME = "query ($nickname: String!) { userByNickname(nickname: $nickname) { id email } }"
BY_EMAIL = "query ($email: AWSEmail!) { userByEmail(email: $email) { id } }"


async def update(person: Person, **fields: object) -> Any:
    return (await person.gql(UPDATE, input=fields))["updateProfile"]


async def test_changes_only_what_is_sent(ada: Person) -> None:
    before = await update(ada, bio="Analyst", pronouns="she/her")
    after = await update(ada, displayName="Ada L.")
    assert after == before | {
        "displayName": "Ada L.",
        "version": before["version"] + 1,
        "updatedAt": after["updatedAt"],
    }
    assert after["createdAt"] == before["createdAt"]


async def test_null_clears_and_absent_keeps(ada: Person) -> None:
    await update(ada, bio="Analyst", country="pt", language="pt-BR")
    after = await update(ada, bio=None)
    assert (after["bio"], after["country"], after["language"]) == (None, "PT", "pt-BR")


@pytest.mark.parametrize("field", ["nickname", "tags", "timeZone", "dayStartHour", "preferences"])
async def test_what_cannot_be_empty_cannot_be_null(ada: Person, field: str) -> None:
    refused = await ada.refused(UPDATE, input={field: None})
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", f"input.{field}")


async def test_preferences_merge_key_by_key(ada: Person) -> None:
    await update(ada, preferences={"theme": "dark", "defaultArea": "Health"})
    after = await update(ada, preferences={"notifications": False})
    assert after["preferences"] == {
        "theme": "dark",
        "defaultArea": "Health",
        "notifications": False,
    }
    after = await update(ada, preferences={"theme": None})
    assert after["preferences"] == {
        "theme": None,
        "defaultArea": "Health",
        "notifications": False,
    }


async def test_unknown_preference_is_refused(ada: Person) -> None:
    refused = await ada.refused(UPDATE, input={"preferences": {"colour": "red"}})
    assert refused.code == "BAD_INPUT"


@pytest.mark.parametrize("field", ["tier", "version", "createdAt", "id", "groups", "walletAddress"])
async def test_what_the_server_decides_is_no_input(ada: Person, field: str) -> None:
    assert (await ada.refused(UPDATE, input={field: "pro"})).code == "BAD_INPUT"


async def test_stale_version_is_told_the_current_one(ada: Person) -> None:
    current = await update(ada, bio="one")
    refused = await ada.refused(UPDATE, input={"bio": "two", "expectedVersion": 1})
    assert refused.code == "CONFLICT"
    assert refused.info["currentVersion"] == current["version"]
    assert (await ada.gql("{ me { bio } }")) == {"me": {"bio": "one"}}


async def test_concurrent_changes_never_overwrite_silently(ada: Person) -> None:
    version = (await update(ada, bio="start"))["version"]
    attempts = await asyncio.gather(
        *(
            ada.api.post(
                UPDATE,
                headers=ada.headers,
                input={"bio": f"bio {i}", "expectedVersion": version},
            )
            for i in range(10)
        )
    )
    answers = [each.json() for each in attempts]
    winners = [each["data"]["updateProfile"] for each in answers if "errors" not in each]
    assert len(winners) == 1
    assert winners[0]["version"] == version + 1


async def test_changes_of_different_fields_at_once_all_happen(ada: Person) -> None:
    changes = {"bio": "b", "pronouns": "p", "gender": "g", "displayName": "d", "country": "PT"}
    await asyncio.gather(*(update(ada, **{name: value}) for name, value in changes.items()))
    now = await update(ada)
    assert {name: now[name] for name in changes} == changes


async def test_a_birth_date_in_the_future_is_not_called_a_child(ada: Person) -> None:
    for day in ("2999-01-01", "1800-01-01"):
        failed = await ada.refused(UPDATE, input={"birthDate": day})
        assert "between 13 and 130 years ago" in failed.errors[0]["message"]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("avatarUrl", "javascript:alert(1)"),
        ("avatarUrl", "data:text/html,<script>alert(1)</script>"),
        ("birthDate", "2999-01-01"),
        ("birthDate", "2020-01-01"),
        ("birthDate", "1850-01-01"),
        ("country", "Portugal"),
        ("language", "!"),
        ("bio", "x" * 2001),
        ("bio", "nul \x00"),
        ("dayStartHour", 7),
        ("dayStartHour", -1),
        ("timeZone", "../etc/passwd"),
        ("tags", ["x"] * 21),
        ("tags", [""]),
        ("tags", ["x" * 41]),
        ("gender", " "),
    ],
)
async def test_refuses_bad_values_and_changes_nothing(
    ada: Person, field: str, value: object
) -> None:
    before = await ada.gql("{ me { version } }")
    answer = await ada.api.post(UPDATE, headers=ada.headers, input={field: value})
    assert answer.status_code in (200, 400)
    assert answer.json()["errors"][0]["extensions"]["code"] in ("BAD_INPUT", "BAD_REQUEST")
    assert await ada.gql("{ me { version } }") == before


async def test_birthday_is_judged_in_the_users_zone(api: Api, clock: TestClock) -> None:
    clock.set(datetime(2026, 6, 1, 5, 0, tzinfo=UTC))
    early = await api.sign_up(timeZone="Pacific/Auckland")
    late = await api.sign_up(timeZone="America/Los_Angeles")
    assert (await update(early, birthDate="2013-06-01"))["birthDate"] == "2013-06-01"
    assert (await late.refused(UPDATE, input={"birthDate": "2013-06-01"})).code == "BAD_INPUT"


async def test_tags_are_normal_and_unique(ada: Person) -> None:
    after = await update(ada, tags=["#Deep Work", "deep-work", "ÉTÉ", " go "])
    assert after["tags"] == ["deep-work", "été", "go"]


async def test_text_is_kept_as_it_was_typed(ada: Person) -> None:
    bio = "a < b && <script>alert('x')</script> 👩🏽‍🚀 \u202e e\u0301"
    assert (await update(ada, bio=bio))["bio"] == bio


async def test_others_see_only_the_public_part(ada: Person, bob: Person) -> None:
    await update(
        ada,
        fullName="Ada Lovelace",
        birthDate="1990-12-10",
        gender="f",
        bio="Analyst",
        preferences={"theme": "dark"},
    )
    seen = (await bob.gql(USER, id=ada.id))["user"]
    assert seen["nickname"] == ada.nickname
    assert seen["bio"] == "Analyst"
    private = [
        "email",
        "emailVerified",
        "fullName",
        "birthDate",
        "gender",
        "tier",
        "timeZone",
        "dayStartHour",
        "preferences",
    ]
    assert [seen[name] for name in private] == [None] * len(private)
    own = (await ada.gql(USER, id=ada.id))["user"]
    assert (own["email"], own["fullName"], own["birthDate"]) == (
        ada.email,
        "Ada Lovelace",
        "1990-12-10",
    )


@pytest.mark.parametrize("id", ["nobody", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "-"])
async def test_an_unknown_user_is_null(ada: Person, id: str) -> None:
    assert await ada.gql(USER, id=id) == {"user": None}


@pytest.mark.parametrize("id", ["u1#WALLET", "#", "", "a" * 3000, "x\ny"])
async def test_an_id_that_cannot_stand_in_a_key_is_refused(ada: Person, id: str) -> None:
    assert (await ada.refused(USER, id=id)).code == "BAD_INPUT"


async def test_finds_by_nickname_in_any_case(ada: Person, bob: Person) -> None:
    found = await bob.gql(BY_NICKNAME, nickname=ada.nickname.upper())
    assert found == {"userByNickname": {"id": ada.id, "email": None}}
    assert await bob.gql(BY_NICKNAME, nickname="nobody-at-all") == {"userByNickname": None}


async def test_email_lookup_is_for_oneself(ada: Person, bob: Person) -> None:
    assert await ada.gql(BY_EMAIL, email=ada.email.upper()) == {"userByEmail": {"id": ada.id}}
    assert await bob.gql(BY_EMAIL, email=ada.email) == {"userByEmail": None}


async def test_stats_begin_at_nothing(ada: Person) -> None:
    assert (await ada.gql(USER, id=ada.id))["user"]["stats"] == {
        "level": 1,
        "reputation": 0,
        "experiencePoints": 0,
    }


async def test_renaming_frees_the_old_name(ada: Person, bob: Person, table: Gateway) -> None:
    old, new = ada.nickname, f"n{uuid4().hex[:10]}"
    await update(ada, nickname=new)
    assert await table.get(keys.nickname_lock(old)) is None
    assert (await update(bob, nickname=old))["nickname"] == old
    assert (await bob.gql(BY_NICKNAME, nickname=new))["userByNickname"]["id"] == ada.id


async def test_changing_only_the_letter_case_keeps_the_name(ada: Person) -> None:
    assert (await update(ada, nickname=ada.nickname.upper()))["nickname"] == ada.nickname.upper()


async def test_taken_names_are_refused_and_nothing_changes(ada: Person, bob: Person) -> None:
    refused = await ada.refused(UPDATE, input={"nickname": bob.nickname.upper(), "bio": "x"})
    assert refused.code == "NICKNAME_TAKEN"
    refused = await ada.refused(UPDATE, input={"email": bob.email.upper(), "bio": "x"})
    assert refused.code == "EMAIL_TAKEN"
    me = (await ada.gql("{ me { nickname email bio } }"))["me"]
    assert me == {"nickname": ada.nickname, "email": ada.email, "bio": None}


async def test_changing_the_email_moves_its_lock(ada: Person, table: Gateway) -> None:
    new = f"{uuid4().hex}@example.com"
    after = await update(ada, email=new)
    assert (after["email"], after["emailVerified"]) == (new, False)
    assert await table.get(keys.email_lock(ada.email)) is None
    lock = await table.get(keys.email_lock(new))
    assert lock is not None
    assert lock.user_id == ada.id


async def test_racing_for_a_freed_name_has_one_winner(api: Api, table: Gateway) -> None:
    people = [await api.sign_up() for _ in range(8)]
    wanted = f"n{uuid4().hex[:10]}"
    answers = await asyncio.gather(
        *(api.post(UPDATE, headers=p.headers, input={"nickname": wanted}) for p in people)
    )
    winners = [p for p, a in zip(people, answers, strict=True) if "errors" not in a.json()]
    assert len(winners) == 1
    lock = await table.get(keys.nickname_lock(wanted))
    assert lock is not None
    assert lock.user_id == winners[0].id


async def test_availability_is_true_right_after_the_commit(api: Api, ada: Person) -> None:
    asked = """query ($nickname: String!, $email: AWSEmail!) {
      nicknameAvailable(nickname: $nickname) emailAvailable(email: $email) }"""
    taken = await api.gql(asked, nickname=ada.nickname.title(), email=ada.email)
    assert taken == {"nicknameAvailable": False, "emailAvailable": False}
    free = await api.gql(asked, nickname="free-as-air", email="free@example.com")
    assert free == {"nicknameAvailable": True, "emailAvailable": True}


async def test_without_credentials_private_fields_ask_to_sign_in(api: Api) -> None:
    for query in ("{ me { id } }", "{ timeline { nextToken } }", '{ user(id: "x") { id } }'):
        answer = (await api.post(query)).json()
        error = answer["errors"][0]
        assert error["extensions"]["code"] == "UNAUTHENTICATED"
        assert error["errorType"] == "Unauthorized"


async def test_stored_item_has_the_documented_shape(ada: Person, table: Gateway) -> None:
    items = [each async for each in table.partition(f"USER#{ada.id}")]
    item = next(each for each in items if each["SK"]["S"].startswith("PROFILE#"))
    created = item["createdAt"]["S"]
    keys_of_item = {name: value["S"] for name, value in item.items() if name[:2] in ("PK", "SK")}
    indexes = {name: value["S"] for name, value in item.items() if name.startswith("GSI")}
    assert keys_of_item == {"PK": f"USER#{ada.id}", "SK": f"PROFILE#{ada.id}"}
    assert indexes == {
        "GSI1PK": f"USER#{ada.id}",
        "GSI1SK": f"ENTITY#User#{created}",
        "GSI2PK": f"NICK#{ada.nickname}",
        "GSI2SK": f"PROFILE#{ada.id}",
        "GSI3PK": f"EMAIL#{ada.email}",
        "GSI3SK": f"PROFILE#{ada.id}",
    }
    assert item["entityType"] == {"S": "User"}
    assert item["userId"] == {"S": ada.id}
    assert item["version"] == {"N": "1"}
    assert "ttl" not in item
