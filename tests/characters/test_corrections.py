"""Records in any order, corrected and deleted: everything that follows from them is right."""

import asyncio
import itertools
import random
from datetime import UTC, datetime
from typing import Any

import pytest
from strawberry import ID

from app.core.caller import acting_for
from app.core.scalars import AWSDateTime, WholeNumber
from app.domains.characters import keys
from app.domains.characters.inputs import (
    CorrectProgressInput,
    DeleteProgressInput,
    RecordProgressInput,
)
from app.jobs.characters import send_goal_messages
from app.resources import Resources
from app.services import Services
from app.table.gateway import Gateway
from app.table.writes import Delete
from tests.api import Person
from tests.characters.operations import (
    CORRECT,
    DELETE_PROGRESS,
    UPDATE_GOAL,
    correct,
    delete_progress,
    goal_of,
    new_goal,
    progress,
    record,
    see,
)
from tests.notifications.operations import inbox
from tests.servers import TestClock


def day(number: int) -> str:
    return f"2025-01-{number:02}T00:00:00.000Z"


async def fill(person: Person, goal_id: str, *values: int) -> None:
    """One value a day, from the first on."""
    for number, value in enumerate(values, 1):
        await record(person, goal_id, value, day(number))


async def flagged(person: Person, goal_id: str) -> list[float]:
    found = (await progress(person, goal_id, limit=100))["items"]
    return [each["progressValue"] for each in found if each["flagged"]]


async def bounds(person: Person, goal_id: str) -> tuple[Any, Any]:
    seen = await see(person, goal_id)
    return tuple(seen[end] and seen[end]["progressValue"] for end in ("earliest", "latest"))


@pytest.mark.parametrize("order", list(itertools.permutations(range(4))))
async def test_a_flag_stands_on_the_drop_in_whatever_order_they_arrive(
    ada: Person, order: tuple[int, ...]
) -> None:
    values = [500, 900, 400, 450]
    goal = await new_goal(ada)
    for index in order:
        await record(ada, goal["id"], values[index], day(index + 1))
    assert await flagged(ada, goal["id"]) == [400]
    assert await bounds(ada, goal["id"]) == (500, 450)
    assert (await see(ada, goal["id"]))["latest"]["flagged"] is False


async def test_the_latest_is_flagged_by_one_that_arrives_late(ada: Person) -> None:
    goal = await new_goal(ada)
    await fill(ada, goal["id"], 500, 600)
    await record(ada, goal["id"], 700, "2025-01-01T12:00:00Z")
    latest = (await see(ada, goal["id"]))["latest"]
    assert (latest["progressValue"], latest["flagged"], latest["version"]) == (600, True, 2)
    await delete_progress(ada, goal["id"], "2025-01-01T12:00:00Z")
    latest = (await see(ada, goal["id"]))["latest"]
    assert (latest["progressValue"], latest["flagged"], latest["version"]) == (600, False, 3)


async def test_a_corrected_value_takes_its_flags_along(ada: Person) -> None:
    goal = await new_goal(ada)
    await fill(ada, goal["id"], 100, 9_000, 200, 300)
    assert await flagged(ada, goal["id"]) == [200]
    answer = await correct(ada, goal["id"], 150, day(2))
    assert answer == {"progressValue": 150, "timestamp": day(2), "flagged": False, "version": 2}
    assert await flagged(ada, goal["id"]) == []
    await correct(ada, goal["id"], 50, day(2))
    assert await flagged(ada, goal["id"]) == [50]


async def test_the_ends_and_the_pace_follow_a_correction(ada: Person, clock: TestClock) -> None:
    clock.freeze(datetime(2025, 1, 5, tzinfo=UTC))
    person = await ada.api.sign_up()
    goal = await new_goal(person, targetValue=10_000, targetDate="2025-02-01")
    await fill(person, goal["id"], 1_000, 2_000, 3_000)
    await correct(person, goal["id"], 5_000, day(3))
    await correct(person, goal["id"], 2_600, day(1))
    await correct(person, goal["id"], 2_700, day(2))
    seen = await see(person, goal["id"])
    assert await bounds(person, goal["id"]) == (2_600, 5_000)
    forecast = seen["forecast"]
    assert (forecast["remaining"], forecast["pace"]) == (5_000, 600)
    assert (forecast["estimatedDate"], forecast["onTrack"]) == ("2025-01-13", True)


async def test_the_ends_follow_deletions_until_nothing_is_left(ada: Person) -> None:
    goal = await new_goal(ada)
    await fill(ada, goal["id"], 1, 2, 3, 4)
    deleted = await delete_progress(ada, goal["id"], day(4))
    assert deleted == {"progressValue": 4, "timestamp": day(4), "flagged": False}
    assert await bounds(ada, goal["id"]) == (1, 3)
    await delete_progress(ada, goal["id"], day(1))
    assert await bounds(ada, goal["id"]) == (2, 3)
    await delete_progress(ada, goal["id"], day(3))
    assert await bounds(ada, goal["id"]) == (2, 2)
    await delete_progress(ada, goal["id"], day(2))
    seen = await see(ada, goal["id"])
    assert (seen["earliest"], seen["latest"], seen["forecast"]) == (None, None, None)
    await record(ada, goal["id"], 7, day(9))
    assert await bounds(ada, goal["id"]) == (7, 7)


async def test_achieved_is_when_the_first_value_was_measured_that_reaches_it(ada: Person) -> None:
    goal = await new_goal(ada, targetValue=100)
    achieved = []
    for number, value in ((5, 120), (3, 110), (4, 115), (1, 10)):
        await record(ada, goal["id"], value, day(number))
        achieved.append((await see(ada, goal["id"]))["achievedAt"])
    assert achieved == [day(5), day(3), day(3), day(3)]
    await delete_progress(ada, goal["id"], day(3))
    assert (await see(ada, goal["id"]))["achievedAt"] == day(4)
    await correct(ada, goal["id"], 99, day(4))
    assert (await see(ada, goal["id"]))["achievedAt"] == day(5)
    await correct(ada, goal["id"], 100, day(1))
    assert (await see(ada, goal["id"]))["achievedAt"] == day(1)


async def test_a_goal_that_is_not_achieved_any_more_goes_on(
    ada: Person, table: Gateway, resources: Resources
) -> None:
    goal = await new_goal(ada, targetValue=100, frequency="daily")
    await record(ada, goal["id"], 1_000, day(1))
    await send_goal_messages(resources)
    await correct(ada, goal["id"], 10, day(1))
    assert (await see(ada, goal["id"]))["achievedAt"] is None
    stored = await table.get(keys.goal(ada.id, goal["characterName"], goal["id"]))
    assert stored is not None
    assert stored.poll_at
    assert stored.send_at
    await correct(ada, goal["id"], 100, day(1))
    await send_goal_messages(resources)
    assert (await see(ada, goal["id"]))["achievedAt"] == day(1)
    assert [each["kind"] for each in await inbox(ada)] == ["GOAL_REACHED"]


async def test_a_new_target_is_achieved_when_it_was_first_reached(ada: Person) -> None:
    goal = await new_goal(ada, targetValue=1_000)
    await fill(ada, goal["id"], 10, 50, 70)
    answer = await ada.gql(UPDATE_GOAL, input={"id": goal["id"], "targetValue": 40})
    assert answer["updateCharacterGoal"]["achievedAt"] == day(2)


async def test_the_earliest_can_be_deleted_when_its_record_has_expired(
    ada: Person, table: Gateway
) -> None:
    goal = await new_goal(ada)
    await fill(ada, goal["id"], 9_000, 20, 30)
    key = keys.progress_record(ada.id, goal["characterName"], goal["id"], day(1))
    await table.write(Delete(key))
    await correct(ada, goal["id"], 8_000, day(1))
    assert await bounds(ada, goal["id"]) == (8_000, 30)
    assert await table.get(key) is None
    await delete_progress(ada, goal["id"], day(1))
    assert await bounds(ada, goal["id"]) == (20, 30)
    assert await flagged(ada, goal["id"]) == []


async def test_only_what_there_is_of_ones_own(ada: Person, bob: Person) -> None:
    goal = await new_goal(ada)
    await fill(ada, goal["id"], 5)
    for person, at in ((ada, day(2)), (bob, day(1))):
        wanted = {"goalId": goal["id"], "timestamp": at}
        assert (await person.refused(DELETE_PROGRESS, input=wanted)).code == "NOT_FOUND"
        wanted |= {"progressValue": 6}
        assert (await person.refused(CORRECT, input=wanted)).code == "NOT_FOUND"
    wanted = {"goalId": goal["id"], "timestamp": day(1), "progressValue": 200_000_001}
    refused = await ada.refused(CORRECT, input=wanted)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.progressValue")
    wanted = {"goalId": goal["id"], "timestamp": day(1), "progressValue": 6, "expectedVersion": 2}
    assert (await ada.refused(CORRECT, input=wanted)).code == "CONFLICT"
    assert await bounds(ada, goal["id"]) == (5, 5)


async def test_a_repeated_deletion_gets_the_same_answer(ada: Person) -> None:
    goal = await new_goal(ada)
    await fill(ada, goal["id"], 5, 6)
    wanted = {"goalId": goal["id"], "timestamp": day(2), "idempotencyKey": "k"}
    first, second = [await ada.gql(DELETE_PROGRESS, input=wanted) for _ in range(2)]
    assert first == second
    assert await bounds(ada, goal["id"]) == (5, 5)


@pytest.mark.parametrize("seed", range(3))
async def test_changes_that_race_from_two_servers_leave_it_as_if_one_after_another(
    ada: Person, resources: Resources, seed: int
) -> None:
    """Not through one process: there a lock keeps them apart."""
    chance = random.Random(seed)
    goal = await new_goal(ada)
    numbers = chance.sample(range(1, 29), 12)
    kept, doomed = numbers[:8], numbers[8:]
    for number in doomed:
        await record(ada, goal["id"], chance.randrange(1_000), day(number))

    async def act(number: int) -> None:
        mine = Services(resources, acting_for(ada.id)).progress_of_goals
        where = {"goal_id": ID(goal["id"]), "timestamp": AWSDateTime(day(number))}
        if number in doomed:
            await mine.commit(lambda: mine._delete(DeleteProgressInput(**where)))  # type: ignore[arg-type]
            return
        value = WholeNumber(chance.randrange(1_000))
        await mine.commit(lambda: mine._record(_recorded(value, where)))
        right = WholeNumber(chance.randrange(1_000))
        await mine.commit(lambda: mine._correct(_corrected(right, where)))

    await asyncio.gather(*map(act, numbers))
    found = (await progress(ada, goal["id"], limit=100))["items"]
    assert [each["timestamp"] for each in found] == sorted(map(day, kept))
    values = [each["progressValue"] for each in found]
    drops = [False, *(later < former for former, later in itertools.pairwise(values))]
    assert [each["flagged"] for each in found] == drops
    assert await bounds(ada, goal["id"]) == (values[0], values[-1])
    assert (await see(ada, goal["id"]))["latest"]["flagged"] is drops[-1]


def _recorded(value: WholeNumber, where: Any) -> RecordProgressInput:
    return RecordProgressInput(progress_value=value, **where)


def _corrected(value: WholeNumber, where: Any) -> CorrectProgressInput:
    return CorrectProgressInput(progress_value=value, **where)


async def test_experience_beyond_the_largest_int(ada: Person) -> None:
    name = (await new_goal(ada))["characterName"]
    goal = await goal_of(ada, name, targetAttribute="Overall", targetValue=2**53 - 1)
    assert (goal["targetValue"], goal["targetXp"]) == (2**53 - 1, 2**53 - 1)
    await record(ada, goal["id"], 4_600_000_001, day(1))
    seen = await see(ada, goal["id"])
    assert seen["latest"]["progressValue"] == 4_600_000_001
    assert seen["forecast"]["remaining"] == 2**53 - 1 - 4_600_000_001
    wanted = {"goalId": goal["id"], "timestamp": day(1), "progressValue": 4_600_000_001.5}
    refused = await ada.refused(CORRECT, input=wanted)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "input.progressValue")
