"""Nicknames: what looks alike is one, reserved names are nobody's, old users keep theirs."""

import asyncio
from dataclasses import replace
from uuid import uuid4

import pytest

from app.core.confusables import nickname_skeletons
from app.domains.people import keys
from app.domains.people.types import User
from app.migration.upgrades import needed_upgrades, upgrade
from app.table.gateway import Gateway
from app.table.writes import Delete, Put
from tests.api import PASSWORD, SIGN_UP, Api, Failed, Person
from tests.people.test_profiles import UPDATE, update
from tests.quests.operations import resources_of
from tests.quests.test_fairness import delete_account
from tests.servers import RunningServer

FREE = "query ($name: String!) { nicknameAvailable(nickname: $name) }"
CYRILLIC_SCOPE = "\u0455\u0441\u043e\u0440\u0435"


def unique(word: str) -> str:
    """With letters that look like no other."""
    return word + "".join(chr(ord("a") + int(digit, 16) % 8) for digit in uuid4().hex[:12])


async def sign_up(api: Api, nickname: str) -> Failed | Person:
    try:
        return await api.sign_up(nickname=nickname)
    except Failed as failed:
        return failed


async def is_free(api: Api, nickname: str) -> bool:
    return bool((await api.gql(FREE, name=nickname))["nicknameAvailable"])


async def stored(table: Gateway, user_id: str) -> User:
    user = await table.get(keys.user(user_id))
    assert user is not None
    return user


async def holder(table: Gateway, nickname: str) -> str | None:
    (skeleton,) = nickname_skeletons(nickname)
    lock = await table.get(keys.nickname_skeleton_lock(skeleton))
    return lock.user_id if lock else None


@pytest.mark.parametrize(("one", "other"), [("0", "o"), ("1", "l"), ("rn", "m"), ("l", "I")])
async def test_what_looks_alike_is_one_nickname(
    api: Api, ada: Person, table: Gateway, one: str, other: str
) -> None:
    base = unique("x")
    first = await api.sign_up(nickname=f"{base}{one}")
    for imitation in (f"{base}{other}", f"X{base[1:]}{other}"):
        refused = await sign_up(api, imitation)
        assert isinstance(refused, Failed)
        assert (refused.code, refused.info["field"]) == ("NICKNAME_TAKEN", "input.nickname")
        assert (await ada.refused(UPDATE, input={"nickname": imitation})).code == "NICKNAME_TAKEN"
        assert not await is_free(api, imitation)
        assert await table.get(keys.nickname_lock(imitation)) is None, "nothing was written"
    await update(first, nickname=unique("y"))
    assert await is_free(api, f"{base}{other}")
    assert isinstance(await sign_up(api, f"{base}{other}"), Person)


async def test_look_alikes_at_once_are_one(api: Api, table: Gateway) -> None:
    base = unique("x")
    names = [f"{base}{end}" for end in ("oo", "0o", "o0", "00", "OO", "O0")]
    answers = await asyncio.gather(*(sign_up(api, each) for each in names))
    people = [each for each in answers if isinstance(each, Person)]
    assert [each.code for each in answers if isinstance(each, Failed)] == ["NICKNAME_TAKEN"] * 5
    assert await holder(table, names[0]) == people[0].id


@pytest.mark.parametrize(
    "name", ["admin", "Administrator", "MODERATOR", "r00t", "_support_", "guildhall", "sys.tem"]
)
async def test_reserved_names_are_refused(api: Api, ada: Person, name: str) -> None:
    fields = {"email": f"{uuid4().hex}@example.com", "nickname": name, "password": PASSWORD}
    refused = (await api.post(SIGN_UP, input=fields)).json()["errors"][0]
    assert refused["extensions"]["code"] == "BAD_INPUT"
    assert refused["extensions"]["field"] == "input.nickname"
    assert "reserved" in refused["message"]
    assert (await ada.refused(UPDATE, input={"nickname": name})).code == "BAD_INPUT"
    assert not await is_free(api, name)


async def test_a_whole_script_that_looks_latin_is_refused(api: Api, ada: Person) -> None:
    refused = await ada.refused(UPDATE, input={"nickname": CYRILLIC_SCOPE})
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.nickname")
    assert not await is_free(api, CYRILLIC_SCOPE)


async def test_a_deleted_account_frees_what_its_nickname_looks_like(
    api: Api, table: Gateway
) -> None:
    name = unique("x")
    person = await api.sign_up(nickname=f"{name}0")
    assert await holder(table, f"{name}o") == person.id
    await delete_account(person)
    assert await holder(table, f"{name}o") is None
    assert isinstance(await sign_up(api, f"{name}o"), Person)


async def as_before(table: Gateway, person: Person, nickname: str) -> User:
    """As the release before stored a user: with the lock of the nickname and no other."""
    user = await stored(table, person.id)
    for skeleton in user.nickname_skeletons:
        await table.write(Delete(keys.nickname_skeleton_lock(skeleton)))
    lock = await table.get(keys.nickname_lock(user.nickname))
    assert lock is not None
    old = replace(user, nickname=nickname, skeleton_locked=False)
    await table.write(Delete(keys.nickname_lock(user.nickname)))
    await table.write(Put(replace(lock, nickname=old.nickname_key)), Put(old))
    return old


async def test_users_of_the_release_before_keep_their_nicknames(
    api: Api, ada: Person, table: Gateway
) -> None:
    name = f"{unique('x')}admin"
    await as_before(table, ada, "root")
    seen = await update(ada, nickname="root", bio="Here since 0.1")
    assert (seen["nickname"], seen["bio"]) == ("root", "Here since 0.1")
    assert (await update(ada, nickname="Root"))["nickname"] == "Root"
    assert (await update(ada, nickname=name))["nickname"] == name
    assert (await ada.refused(UPDATE, input={"nickname": "root"})).code == "BAD_INPUT"
    assert await table.get(keys.nickname_lock("root")) is None


async def test_the_migration_locks_what_old_nicknames_look_like(
    api: Api, ada: Person, bob: Person, table: Gateway, server: RunningServer
) -> None:
    """Of two that look alike the first gets the lock, and both keep their nicknames."""
    name = unique("x")
    first, second = (
        await as_before(table, ada, f"{name}0"),
        await as_before(table, bob, f"{name}o"),
    )
    resources = resources_of(server, table)
    for old in (first, second):
        new = await upgrade(resources, old)
        assert (new.nickname, new.skeleton_locked) == (old.nickname, True)
        assert needed_upgrades(new) == []
        assert await upgrade(resources, new) == new, "once"
        await table.write(Put(new))
    assert await holder(table, f"{name}o") == ada.id
    assert isinstance(await sign_up(api, f"{name}O"), Failed)
    assert (await update(bob, nickname=f"{name}O"))["nickname"] == f"{name}O", "only the case"
    bob.session["user"]["nickname"] = f"{name}O"
    await delete_account(bob)
    assert await holder(table, f"{name}o") == ada.id
    assert isinstance(await sign_up(api, f"{name}o"), Failed)


async def test_a_lock_that_a_server_of_the_release_before_left_holds_no_nickname(
    api: Api, ada: Person, table: Gateway
) -> None:
    """Such a server renames a user without this lock."""
    user = await stored(table, ada.id)
    await table.write(Put(replace(user, nickname=unique("z"))))
    assert await holder(table, ada.nickname) == ada.id
    await table.write(Delete(keys.nickname_lock(ada.nickname)))
    assert await is_free(api, ada.nickname)
    other = await api.sign_up(nickname=ada.nickname)
    assert await holder(table, ada.nickname) == other.id
