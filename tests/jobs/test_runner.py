"""Workers: who runs a job, for how long, and what becomes of it when they fail."""

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from app.core.errors import NotFound, Unavailable
from app.domains.people.service.accounts import grant_group
from app.jobs.job import Job, SomeFailed, for_each
from app.jobs.keys import lease_of_job
from app.jobs.lease import take_lease
from app.jobs.runner import JOBS, run_due, work
from app.resources import Resources
from tests.api import Api, Person
from tests.remote_fixtures import later
from tests.servers import TestClock

STATUS = "{ jobs { name lastRun nextRun lastError running everySeconds } }"


def job_of(run: Callable[[Resources], Awaitable[None]]) -> Job:
    return Job(name=f"test-{uuid4().hex}", every=timedelta(minutes=1), run=run)


async def test_several_workers_share_the_work(resources: Resources, clock: TestClock) -> None:
    runs = 0

    async def count(_: Resources) -> None:
        nonlocal runs
        runs += 1
        await asyncio.sleep(0)

    job = job_of(count)
    await asyncio.gather(*(run_due(resources, f"w{number}", [job]) for number in range(20)))
    assert runs == 1
    await run_due(resources, "w", [job])
    assert runs == 1
    clock.move(seconds=61)
    await asyncio.gather(*(run_due(resources, f"w{number}", [job]) for number in range(20)))
    assert runs == 2


async def test_a_dead_worker_is_replaced_when_its_lease_is_over(
    resources: Resources, clock: TestClock
) -> None:
    runs: list[str] = []

    async def note(_: Resources) -> None:
        runs.append("run")

    job = job_of(note)
    assert await take_lease(resources, job.name, holder="dead")
    await run_due(resources, "alive", [job])
    clock.move(minutes=4)
    await run_due(resources, "alive", [job])
    assert runs == []
    clock.move(minutes=2)
    await run_due(resources, "alive", [job])
    assert runs == ["run"]


async def test_a_worker_with_an_expired_lease_does_not_disturb_the_new_holder(
    resources: Resources, clock: TestClock
) -> None:
    async def slow(_: Resources) -> None:
        clock.move(minutes=6)
        assert await take_lease(resources, job.name, holder="other")

    job = job_of(slow)
    await run_due(resources, "late", [job])
    held = await resources.table.get(lease_of_job(job.name))
    assert held is not None
    assert (held.holder, held.last_run) == ("other", None)


async def test_a_failure_is_noted_and_stops_no_other(
    resources: Resources, clock: TestClock
) -> None:
    runs: list[str] = []
    mended = asyncio.Event()

    async def fail(_: Resources) -> None:
        if not mended.is_set():
            raise RuntimeError("broken")

    async def go(_: Resources) -> None:
        runs.append("run")

    bad, good = job_of(fail), job_of(go)
    await run_due(resources, "w", [bad, good])
    held = await resources.table.get(lease_of_job(bad.name))
    assert held is not None
    assert held.last_error == "RuntimeError('broken')"
    assert runs == ["run"]
    mended.set()
    clock.move(minutes=2)
    await run_due(resources, "w", [bad])
    held = await resources.table.get(lease_of_job(bad.name))
    assert held is not None
    assert held.last_error is None


async def test_a_job_that_hangs_is_ended_before_its_lease(resources: Resources) -> None:
    async def hang(_: Resources) -> None:
        await asyncio.Event().wait()

    job = job_of(hang)
    settings = resources.settings.model_copy(update={"lease_seconds": 0.3})
    async with asyncio.timeout(10):
        await run_due(dataclasses.replace(resources, settings=settings), "w", [job])
    held = await resources.table.get(lease_of_job(job.name))
    assert held is not None
    assert held.last_error == ("Stopped after 0.27 seconds; the rest is left for the next run.")


async def test_a_long_job_does_not_delay_the_others(resources: Resources, clock: TestClock) -> None:
    stop, go, turns = asyncio.Event(), asyncio.Event(), asyncio.Queue[str]()

    async def long(_: Resources) -> None:
        await go.wait()
        turns.put_nowait("long")

    async def short(_: Resources) -> None:
        turns.put_nowait("short")

    worker = asyncio.create_task(
        work(resources, stop, [job_of(long), job_of(short)], poll_seconds=0.01)
    )
    async with asyncio.timeout(20):
        for _ in range(3):
            assert await turns.get() == "short"
            clock.move(minutes=2)
        go.set()
        while await turns.get() != "long":
            continue
        stop.set()
        await worker


async def test_a_stopped_worker_finishes_running_jobs(resources: Resources) -> None:
    stop, begun, go, ended = (asyncio.Event() for _ in range(4))

    async def long(_: Resources) -> None:
        begun.set()
        await go.wait()
        ended.set()

    job = job_of(long)
    worker = asyncio.create_task(work(resources, stop, [job], poll_seconds=0.01))
    async with asyncio.timeout(20):
        await begun.wait()
        stop.set()
        await asyncio.sleep(0.05)
        assert not worker.done()
        go.set()
        await worker
    assert ended.is_set()
    held = await resources.table.get(lease_of_job(job.name))
    assert held is not None
    assert held.last_run is not None


def test_every_job_has_a_name_of_its_own() -> None:
    names = [job.name for job in JOBS]
    assert len(names) == len(set(names))
    wanted = {"poll-hiscores", "tell-goal-news", "send-notifications", "remind-daily"}
    assert wanted | {"expire-quests", "retry-failed-rewards"} <= set(names)


async def test_the_status_is_for_admins(ada: Person) -> None:
    assert (await ada.refused(STATUS)).code == "FORBIDDEN"


async def test_the_status_of_every_job(
    ada: Person, api: Api, resources: Resources, clock: TestClock
) -> None:
    await grant_group(resources, ada.email, "admins", remove=False)
    admin = await later(ada)
    job = next(each for each in JOBS if each.name == "sweep-goal-records")
    clock.move(minutes=30)
    await run_due(resources, "w", [job])
    found = {each["name"]: each for each in (await admin.gql(STATUS))["jobs"]}
    assert list(found) == [each.name for each in JOBS]
    status = found[job.name]
    assert status["lastRun"] < status["nextRun"]
    assert (status["lastError"], status["running"], status["everySeconds"]) == (None, False, 300)


async def test_runs_are_measured(api: Api) -> None:
    text = (await api.http.get("/metrics")).text
    assert "guildhall_job_runs_total" in text
    assert "guildhall_job_seconds" in text
    assert "guildhall_notifications_total" in text


@pytest.mark.parametrize("count", [1, 3])
async def test_a_job_is_tried_again_when_the_table_cannot_be_reached(
    resources: Resources, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, ran, stop = count, asyncio.Event(), asyncio.Event()

    async def broken(*args: object, **kwargs: object) -> object:
        nonlocal left
        if left:
            left -= 1
            raise OSError("no table")
        return await take_lease(*args, **kwargs)  # type: ignore[arg-type]

    async def go(_: Resources) -> None:
        ran.set()

    monkeypatch.setattr("app.jobs.runner.take_lease", broken)
    worker = asyncio.create_task(work(resources, stop, [job_of(go)], poll_seconds=0.01))
    async with asyncio.timeout(20):
        await ran.wait()
        stop.set()
        await worker
    assert left == 0


@pytest.mark.parametrize("at_once", [1, 3])
async def test_one_failure_does_not_stop_the_others(at_once: int) -> None:
    under_way, most, done = 0, 0, []

    async def work_on(number: int) -> None:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0)
        under_way -= 1
        if number == 2:
            raise RuntimeError("bad")
        done.append(number)

    with pytest.raises(SomeFailed, match=r"1 failed, .*: RuntimeError\('bad'\) \(1\)"):
        await for_each(range(6), work_on, at_once=at_once)
    assert sorted(done) == [0, 1, 3, 4, 5]
    assert most == at_once


async def test_failures_of_a_run_are_shown_to_admins(resources: Resources) -> None:
    async def leave(number: int) -> None:
        raise RuntimeError("bad") if number < 3 else NotFound("goal")

    async def some(_: Resources) -> None:
        await for_each([1, 2, 3], leave)

    job = job_of(some)
    await run_due(resources, "w", [job])
    held = await resources.table.get(lease_of_job(job.name))
    assert held is not None
    left = "3 failed, to be repeated in the next run: RuntimeError('bad') (2), NotFound("
    assert held.last_error is not None
    assert held.last_error.startswith(f'SomeFailed("{left}')


async def test_a_failure_of_single_items_is_logged_without_a_traceback(
    resources: Resources,
) -> None:
    async def run(_: Resources) -> None:
        raise SomeFailed([Unavailable("Nobody answers.")])

    with capture_logs() as logged:
        await run_due(resources, "w", [job_of(run)])
    (event,) = [each for each in logged if each["event"] == "job failed in part"]
    assert "Nobody answers." in event["error"]
    assert "exc_info" not in event
