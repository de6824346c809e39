"""Polling the hiscores, against a server that answers like the game's, with its failures."""

import asyncio
import dataclasses
from typing import Any

import pytest

from app.domains.characters import keys
from app.domains.characters.hiscores import Hiscores
from app.jobs.characters import poll_hiscores
from app.jobs.job import SomeFailed
from app.resources import Resources
from app.table.gateway import Gateway
from tests.api import Person
from tests.characters.operations import (
    ARCHIVE,
    CHARACTERS,
    DELETE_GOAL,
    REFRESH,
    add,
    goal_of,
    new_name,
    progress,
    record,
    see,
)
from tests.remote_fixtures import later
from tests.remote_servers import Answer, Received, RemoteServer, hiscores
from tests.servers import TestClock
from tests.table.faults import Call, FaultyClient

PATH = "/hiscores"
PAGE = hiscores(
    {"Overall": (1, 2_277, 4_600_000_000), "Mining": (7, 70, 800_000), "Cooking": (-1, 1, -1)},
    {"Zulrah": (-1, -1), "Vorkath": (4, 12)},
)


def asked(remote_server: RemoteServer, name: str) -> list[Received]:
    return [each for each in remote_server.at(PATH) if each.query["player"] == [name]]


async def refresh(person: Person, name: str) -> dict[str, Any]:
    return dict((await person.gql(REFRESH, input={"name": name}))["refreshCharacter"])


async def poll(resources: Resources) -> None:
    await poll_hiscores(resources)


async def test_one_answer_serves_all_goals(ada: Person, remote_server: RemoteServer) -> None:
    remote_server.answer(PATH, Answer(200, PAGE))
    name = (await add(ada))["name"]
    wanted = [("Mining", "xp"), ("Mining", "level"), ("Mining", "rank"), ("Overall", "xp")]
    goals = [
        await goal_of(ada, name, targetAttribute=attribute, targetType=kind, targetValue=1)
        if kind == "rank"
        else await goal_of(ada, name, targetAttribute=attribute, targetType=kind, targetValue=99)
        if kind == "level"
        else await goal_of(
            ada,
            name,
            targetAttribute=attribute,
            targetType=kind,
            targetValue=5_000_000_000 if attribute == "Overall" else 13_034_431,
        )
        for attribute, kind in wanted
    ]
    score = await goal_of(
        ada, name, targetAttribute="vorkath", targetType="score", targetValue=1_000
    )
    seen = await refresh(ada, name)
    assert seen["hiscoresStatus"] == "RANKED"
    assert seen["polledAt"]
    values = [(await see(ada, each["id"]))["latest"]["progressValue"] for each in [*goals, score]]
    assert values == [800_000, 70, 7, 4_600_000_000, 12]
    assert len(asked(remote_server, name)) == 1


async def test_unknown_is_not_zero(ada: Person, remote_server: RemoteServer) -> None:
    remote_server.answer(PATH, Answer(200, PAGE))
    name = (await add(ada))["name"]
    skill = await goal_of(ada, name, targetAttribute="Cooking")
    level = await goal_of(ada, name, targetAttribute="Cooking", targetType="level", targetValue=99)
    boss = await goal_of(ada, name, targetAttribute="Zulrah", targetType="score", targetValue=5)
    other = await goal_of(ada, name, targetAttribute="Sailing")
    await refresh(ada, name)
    for goal in (skill, level, boss, other):
        assert (await see(ada, goal["id"]))["latest"] is None


async def test_at_most_one_request_a_minute_for_all_users(
    ada: Person, bob: Person, remote_server: RemoteServer, clock: TestClock
) -> None:
    remote_server.answer(PATH, Answer(200, PAGE))
    name = (await add(ada))["name"]
    await add(bob, name.upper())
    goal = await goal_of(bob, name, targetAttribute="Mining")
    await asyncio.gather(*(refresh(ada, name) for _ in range(10)), return_exceptions=True)
    await refresh(bob, name)
    assert len(asked(remote_server, name)) == 1
    assert (await see(bob, goal["id"]))["latest"]["progressValue"] == 800_000
    clock.move(seconds=61)
    await refresh(ada, name)
    assert len(asked(remote_server, name)) == 2


async def test_a_name_without_a_rank(ada: Person, remote_server: RemoteServer) -> None:
    remote_server.answer(PATH, Answer(404))
    name = (await add(ada))["name"]
    goal = await goal_of(ada, name)
    assert (await refresh(ada, name))["hiscoresStatus"] == "UNRANKED"
    assert (await see(ada, goal["id"]))["latest"] is None


@pytest.mark.parametrize(
    "answer",
    [
        Answer(500),
        Answer(503, b"busy"),
        Answer(200, b"<html>maintenance</html>"),
        Answer(200, b'{"skills": []}'),
        Answer(302, b"", {"location": "http://127.0.0.1:1/"}),
        Answer(200, b"x" * 600_000),
        Answer(hang_up=True),
    ],
    ids=["500", "503", "html", "empty", "redirect", "too much", "hang-up"],
)
async def test_no_answer_records_nothing(
    ada: Person, remote_server: RemoteServer, answer: Answer
) -> None:
    remote_server.answer(PATH, answer)
    name = (await add(ada))["name"]
    goal = await goal_of(ada, name)
    await record(ada, goal["id"], 5)
    refused = await ada.refused(REFRESH, input={"name": name})
    assert (refused.code, refused.info["retryAfter"]) == ("HISCORES_UNAVAILABLE", 60)
    assert len((await progress(ada, goal["id"]))["items"]) == 1


async def test_no_answer_is_given_up_after_the_timeout(
    ada: Person, remote_server: RemoteServer, resources: Resources, monkeypatch: pytest.MonkeyPatch
) -> None:
    silence = asyncio.Event()
    loop = asyncio.get_running_loop()
    remote_server.answer(
        PATH,
        Answer(before=lambda: asyncio.run_coroutine_threadsafe(silence.wait(), loop).result(30)),
    )
    monkeypatch.setattr("app.domains.characters.hiscores.TIMEOUT_SECONDS", 0.2)
    with pytest.raises(Exception, match="do not answer"):
        await Hiscores(resources).look_up(new_name())
    silence.set()


async def test_back_off_grows_and_ends(
    ada: Person, remote_server: RemoteServer, clock: TestClock, table: Gateway
) -> None:
    remote_server.answer(PATH, Answer(500))
    name = (await add(ada))["name"]
    waits = []
    for _ in range(8):
        refused = await ada.refused(REFRESH, input={"name": name})
        waits.append(refused.info["retryAfter"])
        again = await ada.refused(REFRESH, input={"name": name})
        assert again.code == "HISCORES_UNAVAILABLE"
        clock.move(seconds=waits[-1] + 1)
        ada = await later(ada)
    assert waits == [60, 120, 240, 480, 960, 1_920, 3_600, 3_600]
    assert len(asked(remote_server, name)) == 8
    remote_server.answer(PATH, Answer(200, PAGE))
    assert (await refresh(ada, name))["hiscoresStatus"] == "RANKED"
    page = await table.get(keys.hiscores_page(name))
    assert page is not None
    assert page.failures == 0


async def test_retry_after_is_honoured(ada: Person, remote_server: RemoteServer) -> None:
    remote_server.answer(PATH, Answer(429, headers={"retry-after": "300"}))
    name = (await add(ada))["name"]
    refused = await ada.refused(REFRESH, input={"name": name})
    assert refused.info["retryAfter"] == 300


async def test_an_impossible_drop_is_flagged(ada: Person, remote_server: RemoteServer) -> None:
    remote_server.answer(PATH, Answer(200, PAGE))
    name = (await add(ada))["name"]
    goal = await goal_of(ada, name, targetAttribute="Mining")
    await record(ada, goal["id"], 900_000, "2025-01-01T00:00:00Z")
    await refresh(ada, name)
    latest = (await see(ada, goal["id"]))["latest"]
    assert (latest["progressValue"], latest["flagged"]) == (800_000, True)


async def test_the_job_polls_what_is_due(
    ada: Person, remote_server: RemoteServer, resources: Resources, table: Gateway, clock: TestClock
) -> None:
    remote_server.answer(PATH, Answer(200, PAGE))
    name = (await add(ada))["name"]
    goal = await goal_of(ada, name, targetAttribute="Mining")
    other = await goal_of(ada, name, targetAttribute="Mining", targetType="level", targetValue=80)
    await poll(resources)
    assert len(asked(remote_server, name)) == 1
    assert (await see(ada, goal["id"]))["latest"]["progressValue"] == 800_000
    assert (await see(ada, other["id"]))["latest"]["progressValue"] == 70
    await poll(resources)
    assert len(asked(remote_server, name)) == 1
    clock.move(minutes=61)
    await poll(resources)
    assert len(asked(remote_server, name)) == 2
    # Nothing has changed and it is the same day, or else one more of the new day.
    ada = await later(ada)
    found = (await progress(ada, goal["id"]))["items"]
    assert len({each["timestamp"][:10] for each in found}) == len(found)


async def test_the_job_waits_when_the_hiscores_are_down(
    ada: Person, remote_server: RemoteServer, resources: Resources, table: Gateway, clock: TestClock
) -> None:
    remote_server.answer(PATH, Answer(500))
    name = (await add(ada))["name"]
    goal = await goal_of(ada, name, targetAttribute="Mining")
    with pytest.raises(SomeFailed, match="HiscoresUnavailable"):
        await poll(resources)
    await poll(resources)
    assert len(asked(remote_server, name)) == 1
    clock.move(seconds=62)
    remote_server.answer(PATH, Answer(200, PAGE))
    await poll(resources)
    assert (await see(ada, goal["id"]))["latest"]["progressValue"] == 800_000


async def test_a_reached_goal_is_no_longer_polled(
    ada: Person, remote_server: RemoteServer, resources: Resources, clock: TestClock
) -> None:
    remote_server.answer(PATH, Answer(200, PAGE))
    name = (await add(ada))["name"]
    goal = await goal_of(ada, name, targetAttribute="Mining", targetValue=700_000)
    await poll(resources)
    assert (await see(ada, goal["id"]))["achievedAt"] is not None
    clock.move(hours=3)
    await poll(resources)
    assert len(asked(remote_server, name)) == 1


async def test_an_archived_character_is_not_polled(
    ada: Person, remote_server: RemoteServer, resources: Resources
) -> None:
    remote_server.answer(PATH, Answer(200, PAGE))
    name = (await add(ada))["name"]
    await goal_of(ada, name, targetAttribute="Mining")
    await ada.gql(ARCHIVE, input={"name": name})
    await poll(resources)
    assert asked(remote_server, name) == []
    assert (await ada.refused(REFRESH, input={"name": name})).code == "BAD_INPUT"


async def test_refreshing_another_users_character_is_not_found(
    ada: Person, bob: Person, remote_server: RemoteServer
) -> None:
    name = (await add(ada))["name"]
    assert (await bob.refused(REFRESH, input={"name": name})).code == "NOT_FOUND"
    assert asked(remote_server, name) == []


async def test_two_servers_ask_once(
    ada: Person, remote_server: RemoteServer, resources: Resources
) -> None:
    remote_server.answer(PATH, Answer(200, PAGE))
    name = new_name()
    twin = dataclasses.replace(resources)
    await asyncio.gather(
        *(Hiscores(each).look_up(name) for each in (resources, twin) * 10),
        return_exceptions=True,
    )
    assert len(asked(remote_server, name)) == 1


async def test_status_in_the_list(ada: Person, remote_server: RemoteServer) -> None:
    remote_server.answer(PATH, Answer(200, PAGE))
    name = (await add(ada))["name"]
    before = (await ada.gql(CHARACTERS))["characters"]["items"]
    assert [each["hiscoresStatus"] for each in before] == ["UNKNOWN"]
    await refresh(ada, name)
    after = (await ada.gql(CHARACTERS))["characters"]["items"]
    assert [each["hiscoresStatus"] for each in after] == ["RANKED"]


async def test_a_character_is_named_by_an_argument_or_in_the_input(
    ada: Person, remote_server: RemoteServer
) -> None:
    remote_server.answer(PATH, Answer(200, PAGE))
    name = (await add(ada))["name"]
    answer = await ada.gql(f'mutation {{ refreshCharacter(name: "{name}") {{ name }} }}')
    assert answer == {"refreshCharacter": {"name": name}}
    assert (await refresh(ada, name))["name"] == name


@pytest.mark.parametrize(
    "arguments",
    ["", "(name: null)", '(name: "x", input: {name: "x"})', '(name: "a#b")', '(name: "")'],
)
async def test_a_character_is_named_once_and_rightly(ada: Person, arguments: str) -> None:
    refused = await ada.refused(f"mutation {{ refreshCharacter{arguments} {{ name }} }}")
    assert refused.code == "BAD_INPUT"
    assert refused.info["field"] in ("name", "input.name")


async def test_another_ones_character_cannot_be_looked_up(ada: Person, bob: Person) -> None:
    name = (await add(ada))["name"]
    refused = await bob.refused(f'mutation {{ refreshCharacter(name: "{name}") {{ name }} }}')
    assert refused.code == "NOT_FOUND"


async def test_a_goal_deleted_during_the_poll_is_skipped(
    ada: Person, remote_server: RemoteServer, resources: Resources, table: Gateway
) -> None:
    remote_server.answer(PATH, Answer(200, PAGE))
    name = (await add(ada))["name"]
    goals = [await goal_of(ada, name, targetAttribute=each) for each in ("Mining", "Overall")]

    async def delete_first(call: Call, _parameters: dict[str, Any]) -> Any:
        await ada.gql(DELETE_GOAL, input={"id": goals[0]["id"]})
        return await call()

    client = FaultyClient(table.client)
    client.meet("transact_write_items", delete_first)
    await poll(dataclasses.replace(resources, table=Gateway(client, table.table)))
    assert (await see(ada, goals[1]["id"]))["latest"]["progressValue"] == 4_600_000_000
