"""The list of changes: a client with a cursor misses nothing and gets nothing twice."""

import asyncio
from typing import Any

from tests.api import Api, Person
from tests.quests.operations import SUBMISSION, create, do
from tests.quests.test_fairness import delete_account
from tests.realtime.sockets import TransportClient
from tests.servers import RunningServer, TestClock
from tests.tracking.test_deletions import ask, habit_log, metric_log

CHANGES = """
query ($since: String, $limit: Int) {
  changes(since: $since, limit: $limit) {
    items { cursor type id deleted record { __typename ... on Task { title status } } }
    nextToken cursor
  }
}
"""
ON_CHANGE = """
subscription ($since: String) {
  onChange(since: $since) { cursor type id deleted record { ... on Task { title } } }
}
"""
CREATE = "mutation ($t: String!) { createTask(input: {title: $t}) { id version } }"
RENAME = "mutation ($id: ID!, $t: String!) { updateTask(input: {id: $id, title: $t}) { id } }"
DELETE = "mutation ($id: ID!) { deleteTask(input: {id: $id}) { id } }"


async def new_task(person: Person, title: str = "Task") -> str:
    return str((await person.gql(CREATE, t=title))["createTask"]["id"])


async def changes(person: Person, since: str | None = None, limit: int = 100) -> Any:
    return (await person.gql(CHANGES, since=since, limit=limit))["changes"]


async def now(person: Person) -> str:
    """The cursor after everything so far."""
    page = await changes(person)
    while page["nextToken"]:
        page = await changes(person, page["nextToken"])
    return str(page["cursor"])


async def test_lists_the_changes_after_a_cursor(ada: Person) -> None:
    start = await now(ada)
    assert (await changes(ada, start))["items"] == []
    task = await new_task(ada, "First")
    page = await changes(ada, start)
    received = [(each["type"], each["id"], each["deleted"]) for each in page["items"]]
    assert received == [("Task", task, False)]
    assert page["items"][0]["record"] == {
        "__typename": "Task",
        "title": "First",
        "status": "NotStarted",
    }
    assert page["nextToken"] is None
    assert (await changes(ada, page["cursor"]))["items"] == []


async def test_a_change_has_the_record_as_it_is_now(ada: Person) -> None:
    start = await now(ada)
    task = await new_task(ada, "Old")
    await ada.gql(RENAME, id=task, t="New")
    items = (await changes(ada, start))["items"]
    assert [(each["id"], each["record"]["title"]) for each in items] == [(task, "New")]


async def test_a_deletion_is_listed(ada: Person) -> None:
    task = await new_task(ada)
    start = await now(ada)
    await ada.gql(DELETE, id=task)
    items = [each for each in (await changes(ada, start))["items"] if each["type"] == "Task"]
    assert [(each["id"], each["deleted"], each["record"]) for each in items] == [(task, True, None)]


async def test_the_deletion_of_a_log_is_listed_with_its_id(ada: Person) -> None:
    start = await now(ada)
    of_metric, of_habit = await metric_log(ada), await habit_log(ada)
    logs = {
        ("MetricLog", of_metric["id"]),
        ("HabitLog", f"{of_habit['habitId']}:{of_habit['date']}"),
    }
    items = (await changes(ada, start))["items"]
    assert logs <= {(each["type"], each["id"]) for each in items}
    start = await now(ada)
    await ask(ada, "deleteMetricLog", **of_metric)
    await ask(ada, "deleteHabitLog", **of_habit)
    items = (await changes(ada, start))["items"]
    assert {(each["type"], each["id"]) for each in items if each["deleted"]} == logs


async def quests_listed(person: Person, since: str) -> list[tuple[str, bool]]:
    items = (await changes(person, since))["items"]
    return [(each["id"], each["deleted"]) for each in items if each["type"] == "Quest"]


async def test_a_change_of_a_quest_is_listed_for_the_whole_team(
    api: Api, ada: Person, bob: Person
) -> None:
    cleo = await api.sign_up()
    quest = (await create(ada, maxPerformers=2))["id"]
    for person in (bob, cleo):
        await do(person, "claimQuest", questId=quest)
    starts = [(person, await now(person)) for person in (ada, bob, cleo)]
    await do(bob, "submitQuest", questId=quest, **SUBMISSION)
    for person, start in starts:
        assert await quests_listed(person, start) == [(quest, False)]


async def test_a_change_of_a_quest_is_listed_for_a_member_who_left(
    ada: Person, bob: Person
) -> None:
    quest = (await create(ada))["id"]
    await do(bob, "claimQuest", questId=quest)
    start = await now(bob)
    await do(bob, "unclaimQuest", questId=quest)
    assert await quests_listed(bob, start) == [(quest, False)]
    await do(bob, "claimQuest", questId=quest)
    start = await now(bob)
    await delete_account(ada)
    assert await quests_listed(bob, start) == [(quest, True)]


async def test_page_by_page_each_once(ada: Person) -> None:
    start = await now(ada)
    tasks = [await new_task(ada, f"{n}") for n in range(25)]
    seen, cursor = [], start
    while True:
        page = await changes(ada, cursor, limit=7)
        seen += [each["id"] for each in page["items"]]
        cursor = page["cursor"]
        if page["nextToken"] is None:
            break
    assert seen == tasks


async def test_the_list_continues_after_every_cursor(ada: Person) -> None:
    start = await now(ada)
    tasks = [await new_task(ada, f"{n}") for n in range(5)]
    items = (await changes(ada, start))["items"]
    for place, item in enumerate(items):
        rest = (await changes(ada, item["cursor"]))["items"]
        assert [each["id"] for each in rest] == tasks[place + 1 :]


async def test_changes_are_not_listed_for_others(ada: Person, bob: Person) -> None:
    start = await now(bob)
    await new_task(ada)
    assert (await changes(bob, start))["items"] == []


async def test_a_refused_mutation_leaves_no_trace(ada: Person) -> None:
    start = await now(ada)
    await ada.refused(RENAME, id="no-such-task", t="x")
    assert (await changes(ada, start))["items"] == []


async def test_concurrent_readers_and_writers_see_one_list(ada: Person) -> None:
    """Readers put the notes in order while writers go on: no gap, no repeat, one order."""
    start = await now(ada)
    writing = [asyncio.create_task(new_task(ada, f"{n}")) for n in range(40)]

    async def follow() -> list[str]:
        seen: list[str] = []
        cursor = start
        while len(seen) < len(writing):
            page = await changes(ada, cursor, limit=5)
            seen += [each["id"] for each in page["items"]]
            cursor = page["cursor"]
        return seen

    async with asyncio.timeout(30):
        readings = await asyncio.gather(*(follow() for _ in range(5)))
    made = {await each for each in writing}
    assert all(reading == readings[0] for reading in readings)
    assert set(readings[0]) == made
    assert len(readings[0]) == len(made)


async def test_an_expired_cursor_is_refused(ada: Person, clock: TestClock) -> None:
    await new_task(ada)
    cursor = await now(ada)
    clock.move(days=8)
    person = Person(ada.api, await renewed(ada))
    failed = await person.refused(CHANGES, since=cursor)
    assert failed.code == "CURSOR_EXPIRED"


async def renewed(person: Person) -> dict[str, Any]:
    query = """
    mutation ($t: String!) {
      refreshSession(input: {refreshToken: $t}) { accessToken refreshToken user { id nickname } }
    }
    """
    session = (await person.api.gql(query, t=person.session["refreshToken"]))["refreshSession"]
    return dict(session)


async def test_a_malformed_cursor_is_refused(ada: Person) -> None:
    for text in ("", "x", "01ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAV.-1", "#"):
        assert (await ada.refused(CHANGES, since=text)).code == "BAD_INPUT"


async def test_replays_changes_and_continues_live(server_url: str, ada: Person) -> None:
    start = await now(ada)
    missed = [await new_task(ada, f"missed {n}") for n in range(3)]
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe(ON_CHANGE, since=start)
        received = [(await socket.data())["onChange"] for _ in missed]
        assert [each["id"] for each in received] == missed
        live = [await new_task(ada, f"live {n}") for n in range(3)]
        received = [(await socket.data())["onChange"] for _ in live]
        assert [each["id"] for each in received] == live
        await socket.silent()
    after = await new_task(ada, "after")
    rest = (await changes(ada, received[-1]["cursor"]))["items"]
    assert [each["id"] for each in rest] == [after]


async def test_without_a_cursor_only_new_changes_are_sent(server_url: str, ada: Person) -> None:
    await new_task(ada, "before")
    async with TransportClient.signed_in(server_url, ada) as socket:
        await socket.subscribe(ON_CHANGE)
        await socket.silent(0.3)
        task = await new_task(ada, "after")
        assert (await socket.data())["onChange"]["id"] == task


async def test_reconnecting_all_the_time_misses_nothing(server_url: str, ada: Person) -> None:
    cursor = await now(ada)
    writing = asyncio.create_task(write_slowly(ada, 40))
    seen: list[str] = []
    async with asyncio.timeout(60):
        while len(seen) < 40:
            async with TransportClient.signed_in(server_url, ada) as socket:
                await socket.subscribe(ON_CHANGE, since=cursor)
                for _ in range(min(3, 40 - len(seen))):
                    received = (await socket.data())["onChange"]
                    seen.append(received["id"])
                    cursor = received["cursor"]
    assert seen == await writing


async def write_slowly(person: Person, count: int) -> list[str]:
    made = []
    for n in range(count):
        made.append(await new_task(person, f"{n}"))
        await asyncio.sleep(0.01)
    return made


async def test_a_lost_event_loses_no_change(server: RunningServer, ada: Person) -> None:
    events = server.app.state.resources.events
    async with TransportClient.signed_in(server.url, ada) as socket:
        await socket.subscribe(ON_CHANGE)
        await socket.silent(0.3)
        deliver, events.deliver = events.deliver, lambda event: None
        lost = await new_task(ada, "lost")
        events.deliver = deliver
        server.call(events.on_interrupted)
        assert (await socket.data())["onChange"]["id"] == lost


async def test_replayed_changes_equal_the_state(ada: Person) -> None:
    """Old state and changes make the new state, for what the changes tell."""
    start = await now(ada)
    kept = [await new_task(ada, f"{n}") for n in range(4)]
    await ada.gql(RENAME, id=kept[1], t="renamed")
    await ada.gql(DELETE, id=kept[2])
    state: dict[str, str] = {}
    for each in (await changes(ada, start))["items"]:
        if each["type"] != "Task":
            continue
        if each["deleted"]:
            state.pop(each["id"], None)
        else:
            state[each["id"]] = each["record"]["title"]
    page = await ada.gql("{ tasks(limit: 100) { items { id title } } }")
    assert state == {each["id"]: each["title"] for each in page["tasks"]["items"]}
