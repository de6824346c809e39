"""Daily plans through the API, and completing an action in both repositories."""

import asyncio
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from app.core.caller import acting_for
from app.domains.plans.inputs import CompleteActionInput
from app.resources import Resources
from app.services import Services
from app.table.gateway import Gateway
from tests.api import PASSWORD, Api, Person
from tests.plans.faults import PowerCut, calls_of, power_cut
from tests.plans.operations import HEALTH, add, by_id, commit, revisions, tree
from tests.plans.test_values import UNDO, items
from tests.servers import RunningServer, TestClock
from tests.travel import travel

FRIDAY, SATURDAY, MONDAY = "2026-01-23", "2026-01-24", "2026-01-26"
CONTENT = """
fragment Plan on DailyPlan {
  date revision { id parentIds reason createdAt date }
  todos { actionId classification estimatedPomodoros notes completedAt action { title } }
  blocks { id blockType startTimeIso endTimeIso title actionId pomodoroIndex }
  warnings
}
"""
PLAN = (
    """
query ($date: AWSDate!, $revisionId: ID, $asOf: AWSDateTime) {
  dailyPlan(date: $date, revisionId: $revisionId, asOf: $asOf) { ...Plan }
}
"""
    + CONTENT
)
COMMIT = "mutation ($input: CommitPlanInput!) { commitPlan(input: $input) { ...Plan } }" + CONTENT
RESTORE = (
    "mutation ($input: RestorePlanInput!) { restorePlan(input: $input) { ...Plan } }" + CONTENT
)
ROLLOVER = (
    "mutation ($input: RolloverPlanInput!) { rolloverPlan(input: $input) { ...Plan } }" + CONTENT
)
COMPLETE = (
    """
mutation ($input: CompleteActionInput!) {
  completeAction(input: $input) {
    action { id completedAt } values { id source message } plan { ...Plan }
  }
}
"""
    + CONTENT
)
HISTORY = """
query ($date: AWSDate!, $limit: Int, $nextToken: String) {
  planHistory(date: $date, limit: $limit, nextToken: $nextToken) {
    items { id reason parentIds } nextToken
  }
}
"""
DIFF = """
query ($date: AWSDate!, $from: ID, $to: ID) {
  planDiff(date: $date, from: $from, to: $to) {
    from { id } to { id } reordered
    todos { actionId before { notes } after { notes } }
    blocks { blockId before { id } after { id } }
  }
}
"""
SUGGEST = """
query ($date: AWSDate!, $from: AWSTime, $to: AWSTime) {
  suggestBlocks(date: $date, from: $from, to: $to) {
    blocks { blockType startTimeIso endTimeIso actionId pomodoroIndex } warnings
  }
}
"""
DAYS = "{ plannedDays { items { date } } }"


def todo(action: str, **more: object) -> dict[str, Any]:
    return {"actionId": action, **more}


def block(start: str, end: str, kind: str = "MEETING", **more: object) -> dict[str, Any]:
    return {
        "blockType": kind,
        "startTimeIso": f"{FRIDAY}T{start}:00Z",
        "endTimeIso": f"{FRIDAY}T{end}:00Z",
        **more,
    }


async def plan(person: Person, date: str = FRIDAY, **at: object) -> dict[str, Any]:
    found: dict[str, Any] = (await person.gql(PLAN, date=date, **at))["dailyPlan"]
    return found


async def commit_plan(person: Person, date: str = FRIDAY, **more: object) -> dict[str, Any]:
    done: dict[str, Any] = (await person.gql(COMMIT, input={"date": date, **more}))["commitPlan"]
    return done


def planned(shown: dict[str, Any]) -> list[str]:
    return [each["actionId"] for each in shown["todos"]]


async def test_before_the_first_commit_a_day_is_empty(ada: Person) -> None:
    assert await plan(ada) == {
        "date": FRIDAY,
        "revision": None,
        "todos": [],
        "blocks": [],
        "warnings": [],
    }
    assert (await ada.gql(DAYS))["plannedDays"]["items"] == []


async def test_a_plan_is_stored_under_the_documented_keys(ada: Person, table: Gateway) -> None:
    await commit(ada, *HEALTH)
    done = await commit_plan(
        ada,
        todos=[
            todo("sleep", classification="urgent", estimatedPomodoros=2, notes="n"),
            todo("run"),
        ],
        blocks=[
            block("09:00", "10:00", id="m", title="Stand-up"),
            block("10:00", "10:25", "POMODORO", id="p", actionId="sleep", pomodoroIndex=2),
        ],
    )
    rev, ts = done["revision"]["id"], done["revision"]["createdAt"]
    stored = await items(table, ada, f"#PLAN#{FRIDAY}")
    assert set(stored) == {"HEAD", f"REV#{ts}#{rev}"}
    assert stored["HEAD"]["headRevId"]["S"] == rev
    assert stored[f"REV#{ts}#{rev}"]["reason"]["S"] == "morning_plan"
    snapshot = await items(table, ada, f"#PLAN#{FRIDAY}#{rev}")
    assert set(snapshot) == {
        "TODO#000000#A#sleep",
        "TODO#000001#A#run",
        f"BLOCK#{FRIDAY}T09:00:00.000Z#m",
        f"BLOCK#{FRIDAY}T10:00:00.000Z#p",
    }
    first = snapshot["TODO#000000#A#sleep"]
    assert (first["actionId"]["S"], first["classification"]["S"]) == ("sleep", "urgent")
    assert (first["estimatedPomodoros"]["N"], first["notes"]["S"]) == ("2", "n")
    work = snapshot[f"BLOCK#{FRIDAY}T10:00:00.000Z#p"]
    assert (work["blockType"]["S"], work["endTimeIso"]["S"]) == (
        "POMODORO",
        f"{FRIDAY}T10:25:00.000Z",
    )
    assert (work["actionId"]["S"], work["pomodoroIndex"]["N"]) == ("sleep", "2")
    every = [*stored.values(), *snapshot.values(), *(await items(table, ada)).values()]
    assert not any(name.startswith("GSI") or name == "ttl" for each in every for name in each)
    assert f"PLAN#{FRIDAY}" in await items(table, ada)


async def test_a_plan_comes_back_in_order(ada: Person) -> None:
    await commit(ada, add("d", "DRIVER"), *(add(f"a{i}", driverId="d") for i in range(12)))
    wanted = [f"a{i}" for i in (11, 2, 10, 0, 1, 3, 4, 5, 6, 7, 8, 9)]
    done = await commit_plan(
        ada,
        todos=[todo(each) for each in wanted],
        blocks=[
            block("15:00", "16:00"),
            {
                "blockType": "MEETING",
                "startTimeIso": f"{FRIDAY}T14:00:00+05:00",
                "endTimeIso": f"{FRIDAY}T15:00:00+05:00",
            },
        ],
    )
    assert planned(done) == wanted
    assert await plan(ada) == done
    assert [each["startTimeIso"] for each in done["blocks"]] == [
        f"{FRIDAY}T09:00:00.000Z",
        f"{FRIDAY}T15:00:00.000Z",
    ]
    assert done["todos"][0]["action"] == {"title": "A11"}
    assert (done["todos"][0]["classification"], done["todos"][0]["estimatedPomodoros"]) == (
        "other",
        1,
    )


BAD: list[tuple[dict[str, Any], str]] = [
    ({"todos": [todo("run"), todo("run")]}, "ACTION_TWICE"),
    ({"todos": [todo("nobody")]}, "ACTION_NOT_LIVE"),
    ({"todos": [todo("fitness")]}, "ACTION_NOT_LIVE"),
    ({"todos": [todo("gone")]}, "ACTION_NOT_LIVE"),
    ({"blocks": [block("10:00", "09:00")]}, "BAD_INPUT"),
    ({"blocks": [block("10:00", "10:00")]}, "BAD_INPUT"),
    ({"blocks": [block("09:00", "10:00"), block("09:30", "11:00")]}, "BLOCKS_OVERLAP"),
    (
        {"blocks": [block("09:00", "09:25", "POMODORO", actionId="run", pomodoroIndex=1)]},
        "NOT_IN_TODOS",
    ),
    (
        {
            "todos": [todo("run")],
            "blocks": [block("09:00", "09:25", "POMODORO", actionId="run", pomodoroIndex=2)],
        },
        "BAD_INPUT",
    ),
    ({"todos": [todo("run", estimatedPomodoros=0)]}, "BAD_INPUT"),
    ({"todos": [todo("a#b")]}, "BAD_INPUT"),
    ({"reason": "whim"}, "GRAPHQL_VALIDATION_FAILED"),
    ({"expectedHead": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}, "CONFLICT"),
]


@pytest.mark.parametrize(("wanted", "code"), BAD)
async def test_invalid_plans_are_refused(
    ada: Person, table: Gateway, wanted: dict[str, Any], code: str
) -> None:
    await commit(ada, *HEALTH, add("gone", driverId="health"), {"archive": {"id": "gone"}})
    before = await items(table, ada)
    refused = await ada.refused(COMMIT, input={"date": FRIDAY, **wanted})
    assert refused.code in (
        code,
        "BAD_INPUT" if code.startswith("GRAPHQL") else code,
        "BAD_REQUEST",
    )
    assert await items(table, ada) == before
    assert await items(table, ada, f"#PLAN#{FRIDAY}") == {}


async def test_a_list_left_out_stays_and_an_empty_one_clears(ada: Person) -> None:
    await commit(ada, *HEALTH)
    first = await commit_plan(ada, todos=[todo("run")], blocks=[block("09:00", "10:00")])
    assert first["revision"]["reason"] == "morning_plan"
    second = await commit_plan(ada, todos=[todo("sleep")], expectedHead=first["revision"]["id"])
    assert (planned(second), len(second["blocks"])) == (["sleep"], 1)
    assert second["revision"]["reason"] == "midday_replan"
    third = await commit_plan(ada, todos=[], blocks=[])
    assert (third["todos"], third["blocks"]) == ([], [])
    stale = {"date": FRIDAY, "todos": [], "expectedHead": first["revision"]["id"]}
    refused = await ada.refused(COMMIT, input=stale)
    assert refused.info["currentHead"] == third["revision"]["id"]


async def test_each_day_has_its_own_commits(ada: Person) -> None:
    await commit(ada, *HEALTH)
    friday = await commit_plan(ada, todos=[todo("run")], expectedHead=None)
    monday = await commit_plan(ada, MONDAY, todos=[todo("sleep")], expectedHead=None)
    assert (planned(await plan(ada)), planned(await plan(ada, MONDAY))) == (["run"], ["sleep"])
    assert await ada.gql(PLAN, date=MONDAY, revisionId=friday["revision"]["id"]) == {
        "dailyPlan": None
    }
    assert monday["revision"]["parentIds"] == []
    days = (await ada.gql(DAYS))["plannedDays"]["items"]
    assert days == [{"date": MONDAY}, {"date": FRIDAY}]


async def test_history_diff_restore_and_time_travel(ada: Person, clock: TestClock) -> None:
    await travel(clock, datetime(2026, 1, 23, 8, tzinfo=UTC), ada)
    await commit(ada, *HEALTH)
    first = await commit_plan(ada, todos=[todo("run"), todo("sleep")])
    await travel(clock, datetime(2026, 1, 23, 12, tzinfo=UTC), ada)
    second = await commit_plan(
        ada,
        todos=[todo("sleep"), todo("run", notes="far")],
        blocks=[block("09:00", "10:00", id="m")],
    )
    one, two = first["revision"]["id"], second["revision"]["id"]
    page = (await ada.gql(HISTORY, date=FRIDAY, limit=1))["planHistory"]
    assert page["items"] == [{"id": two, "reason": "midday_replan", "parentIds": [one]}]
    rest = await ada.gql(HISTORY, date=FRIDAY, limit=1, nextToken=page["nextToken"])
    assert [each["id"] for each in rest["planHistory"]["items"]] == [one]
    found = (await ada.gql(DIFF, date=FRIDAY, **{"from": one, "to": two}))["planDiff"]
    assert found["todos"] == [
        {"actionId": "run", "before": {"notes": None}, "after": {"notes": "far"}}
    ]
    assert found["blocks"] == [{"blockId": "m", "before": None, "after": {"id": "m"}}]
    assert found["reordered"] is True
    assert (await plan(ada, asOf="2026-01-23T07:59:59Z"))["revision"] is None
    assert (await plan(ada, asOf="2026-01-23T08:00:00.000Z"))["revision"]["id"] == one
    assert (await plan(ada, asOf="2026-01-23T11:59:59Z"))["revision"]["id"] == one
    assert (await plan(ada, asOf="2026-01-23T12:00:00Z"))["revision"]["id"] == two
    await commit(ada, {"archive": {"id": "run"}})
    back = (await ada.gql(RESTORE, input={"date": FRIDAY, "revisionId": one}))["restorePlan"]
    assert (planned(back), back["revision"]["parentIds"]) == (["run", "sleep"], [two])
    assert back["warnings"] == ["ACTION_ARCHIVED: run is not a live action any more."]
    unknown = {"date": FRIDAY, "revisionId": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}
    assert (await ada.refused(RESTORE, input=unknown)).code == "NOT_FOUND"


async def roll(person: Person, to: str) -> dict[str, Any]:
    done: dict[str, Any] = (await person.gql(ROLLOVER, input={"to": to}))["rolloverPlan"]
    return done


async def test_rollover_takes_the_open_todos(ada: Person) -> None:
    await commit(ada, *HEALTH, *(add(each, driverId="health") for each in ("eat", "read", "old")))
    await commit_plan(
        ada, todos=[todo(each, notes="!") for each in ("run", "sleep", "eat", "read", "old")]
    )
    await ada.gql(COMPLETE, input={"actionId": "run", "date": FRIDAY})
    await commit(ada, {"archive": {"id": "old"}}, {"complete": {"id": "read"}})
    await commit_plan(ada, MONDAY, todos=[todo("eat", classification="urgent")])
    rolled = await roll(ada, MONDAY)
    assert planned(rolled) == ["eat", "sleep"]
    assert (rolled["todos"][0]["classification"], rolled["todos"][1]["notes"]) == ("urgent", "!")
    assert rolled["revision"]["reason"] == "rollover"
    assert planned(await plan(ada)) == ["run", "sleep", "eat", "read", "old"]


async def test_a_repeated_rollover_changes_nothing(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run")])
    first = await roll(ada, MONDAY)
    assert (await roll(ada, MONDAY))["revision"] == first["revision"]
    await commit_plan(ada, MONDAY, todos=[])
    assert planned(await roll(ada, MONDAY)) == [], "what was struck out must not come back"
    await commit_plan(ada, todos=[todo("run"), todo("sleep")])
    assert planned(await roll(ada, MONDAY)) == ["sleep"]


async def test_twenty_rollovers_at_once(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run"), todo("sleep")])
    done = await asyncio.gather(*(roll(ada, SATURDAY) for _ in range(20)))
    assert len({each["revision"]["id"] for each in done}) == 1
    history = (await ada.gql(HISTORY, date=SATURDAY))["planHistory"]["items"]
    assert len(history) == 1


async def test_rollover_with_nothing_to_roll(ada: Person) -> None:
    assert (await roll(ada, MONDAY))["revision"] is None
    await commit(ada, *HEALTH)
    await commit_plan(ada, MONDAY, todos=[todo("run")])
    assert (await roll(ada, FRIDAY))["todos"] == [], "only days before count"
    assert (await roll(ada, MONDAY))["revision"]["reason"] == "morning_plan"


async def test_completing_an_action_commits_both(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run"), todo("sleep")])
    wanted = {"actionId": "run", "date": FRIDAY, "completedAt": "2026-01-23T10:00:00Z"}
    done = (await ada.gql(COMPLETE, input=wanted))["completeAction"]
    assert done["action"] == {"id": "run", "completedAt": "2026-01-23T10:00:00.000Z"}
    assert (done["values"]["source"], done["values"]["message"]) == ("completion", "Complete Run")
    assert done["plan"]["revision"]["reason"] == "completion"
    assert [each["completedAt"] for each in done["plan"]["todos"]] == [
        "2026-01-23T10:00:00.000Z",
        None,
    ]
    assert by_id(await tree(ada))["run"]["completedAt"] == "2026-01-23T10:00:00.000Z"
    again = (await ada.gql(COMPLETE, input={"actionId": "run", "date": FRIDAY}))["completeAction"]
    assert again["values"]["id"] == done["values"]["id"]
    assert again["plan"]["revision"] == done["plan"]["revision"]
    replanned = await commit_plan(ada, todos=[todo("sleep"), todo("run")])
    assert replanned["todos"][1]["completedAt"] == "2026-01-23T10:00:00.000Z"


async def test_what_was_not_planned_is_added_as_done(ada: Person, clock: TestClock) -> None:
    await commit(ada, *HEALTH)
    await travel(clock, datetime(2026, 1, 23, 23, 30, tzinfo=UTC), ada)
    await ada.gql('mutation { updateProfile(input: {timeZone: "Asia/Tokyo"}) { id } }')
    done = (await ada.gql(COMPLETE, input={"actionId": "run"}))["completeAction"]
    assert done["plan"]["date"] == SATURDAY, "it is tomorrow in Tokyo"
    assert [(each["actionId"], each["completedAt"]) for each in done["plan"]["todos"]] == [
        ("run", "2026-01-23T23:30:00.000Z")
    ]


async def test_what_cannot_be_completed(ada: Person, table: Gateway) -> None:
    await commit(ada, *HEALTH, {"archive": {"id": "sleep"}})
    before = await items(table, ada)
    for action, code in (
        ("nobody", "NOT_FOUND"),
        ("fitness", "NOT_FOUND"),
        ("sleep", "ACTION_NOT_LIVE"),
    ):
        refused = await ada.refused(COMPLETE, input={"actionId": action, "date": FRIDAY})
        assert refused.code == code
    assert await items(table, ada) == before
    assert await items(table, ada, f"#PLAN#{FRIDAY}") == {}


async def test_a_plan_restored_from_when_it_was_done_gives_a_warning(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await ada.gql(COMPLETE, input={"actionId": "run", "date": FRIDAY})
    done = (await plan(ada))["revision"]["id"]
    await commit(ada, {"reopen": {"id": "run"}})
    assert (await plan(ada))["warnings"] == []
    await ada.gql(RESTORE, input={"date": FRIDAY, "revisionId": done})
    assert (await plan(ada))["warnings"] == ["ACTION_REOPENED: run is open again in your values."]


async def test_twenty_completions_at_once(ada: Person) -> None:
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run"), todo("sleep")])
    tries = (
        ada.gql(COMPLETE, input={"actionId": each, "date": FRIDAY})
        for each in ["run", "sleep"] * 10
    )
    await asyncio.gather(*tries)
    assert all(each["completedAt"] for each in (await plan(ada))["todos"])
    assert len(await revisions(ada)) == 3
    history = (await ada.gql(HISTORY, date=FRIDAY))["planHistory"]["items"]
    assert len(history) == 3


@pytest.mark.parametrize("carried_out", [False, True], ids=["before", "after"])
async def test_a_completion_interrupted_at_every_call(
    ada: Person, table: Gateway, services: Callable[[Person], Services], carried_out: bool
) -> None:
    """Both repositories say so, or neither; the same key completes it once."""
    await commit(ada, *HEALTH)
    await commit_plan(ada, todos=[todo("run")])
    planned_first = (await plan(ada))["revision"]["id"]
    cuts = 0
    while True:
        wanted = CompleteActionInput(
            action_id="run",  # type: ignore[arg-type]
            date=FRIDAY,  # type: ignore[arg-type]
            idempotency_key=f"cut-{cuts}",
        )
        try:
            with power_cut(table, cuts, carried_out=carried_out):
                await services(ada).completion.complete_action(wanted)
            break
        except PowerCut:
            cuts += 1
        assert await both_agree(ada)
        await services(ada).completion.complete_action(wanted)
        count = len(await revisions(ada, limit=100))
        await services(ada).completion.complete_action(wanted)
        assert len(await revisions(ada, limit=100)) == count
        assert await both_agree(ada)
        await ada.gql(UNDO)
        await ada.gql(RESTORE, input={"date": FRIDAY, "revisionId": planned_first})
    assert cuts >= 8
    assert len(await revisions(ada, limit=100)) == 1 + 2 * cuts + 1


async def both_agree(person: Person) -> bool:
    in_values = by_id(await tree(person))["run"]["completedAt"]
    in_plan = (await plan(person))["todos"][0]["completedAt"]
    return bool(in_values == in_plan)


async def test_a_plan_races_with_the_archive(ada: Person) -> None:
    """Whoever is first: no plan is committed with an action that was archived before it."""
    for number in range(5):
        name = f"a{number}"
        await commit(ada, add(f"d{number}", "DRIVER"), add(name, driverId=f"d{number}"))
        date = f"2026-02-0{number + 1}"
        done, _ = await asyncio.gather(
            ada.gql(COMMIT, input={"date": date, "todos": [todo(name)]}),
            commit(ada, {"archive": {"id": name}}),
            return_exceptions=True,
        )
        archived_at = by_id(await tree(ada))[name]["deletedAt"]
        if isinstance(done, dict):
            assert done["commitPlan"]["revision"]["createdAt"] <= archived_at


async def test_suggested_blocks(ada: Person) -> None:
    await ada.gql('mutation { updateProfile(input: {timeZone: "Europe/Paris"}) { id } }')
    await commit(ada, *HEALTH)
    await commit_plan(
        ada,
        todos=[todo("run", estimatedPomodoros=2), todo("sleep")],
        blocks=[block("08:30", "09:00")],
    )
    found = (await ada.gql(SUGGEST, date=FRIDAY))["suggestBlocks"]
    assert [(each["blockType"], each["startTimeIso"][11:16]) for each in found["blocks"]] == [
        ("POMODORO", "08:00"),
        ("BREAK", "08:25"),
        ("POMODORO", "09:00"),
        ("BREAK", "09:25"),
        ("POMODORO", "09:30"),
    ]
    assert found["warnings"] == []
    short = await ada.gql(SUGGEST, date=FRIDAY, **{"from": "09:00", "to": "09:45"})
    assert short["suggestBlocks"]["warnings"] == [
        "DAY_TOO_FULL: 2 of 3 pomodoros do not fit into the day."
    ]
    wrong = await ada.refused(SUGGEST, date=FRIDAY, **{"from": "18:00", "to": "09:00"})
    assert wrong.code == "BAD_INPUT"
    assert (await ada.gql(SUGGEST, date=MONDAY))["suggestBlocks"]["blocks"] == []
    kept = [{k: v for k, v in each.items() if v is not None} for each in found["blocks"]]
    both = await commit_plan(ada, blocks=[block("08:30", "09:00"), *kept])
    assert len(both["blocks"]) == 6


async def test_plans_of_others_are_not_found(ada: Person, bob: Person, table: Gateway) -> None:
    await commit(ada, *HEALTH)
    mine = await commit_plan(ada, todos=[todo("run")])
    rev = mine["revision"]["id"]
    assert (await plan(bob))["revision"] is None
    assert await bob.gql(PLAN, date=FRIDAY, revisionId=rev) == {"dailyPlan": None}
    assert (await bob.gql(HISTORY, date=FRIDAY))["planHistory"]["items"] == []
    assert await bob.gql(DIFF, date=FRIDAY, to=rev) == {"planDiff": None}
    restore = {"date": FRIDAY, "revisionId": rev}
    assert (await bob.refused(RESTORE, input=restore)).code == "NOT_FOUND"
    done = {"actionId": "run", "date": FRIDAY}
    assert (await bob.refused(COMPLETE, input=done)).code == "NOT_FOUND"
    other = {"date": FRIDAY, "todos": [todo("run")]}
    assert (await bob.refused(COMMIT, input=other)).code == "ACTION_NOT_LIVE"
    assert await items(table, bob) == {}
    assert (await bob.gql(DAYS))["plannedDays"]["items"] == []


async def test_plans_read_no_index_and_todos_read_together(
    ada: Person, server: RunningServer
) -> None:
    table: Gateway = server.app.state.resources.table
    await commit(ada, add("d", "DRIVER"), *(add(f"a{i}", driverId="d") for i in range(30)))
    with calls_of(table) as calls:
        await commit_plan(ada, todos=[todo(f"a{i}") for i in range(30)])
        await ada.gql(COMPLETE, input={"actionId": "a1", "date": FRIDAY})
        await roll(ada, MONDAY)
        await ada.gql(SUGGEST, date=FRIDAY)
        await ada.gql(HISTORY, date=FRIDAY)
        await ada.gql(DAYS)
    assert len(calls) > 20
    assert [name for name, sent in calls if "IndexName" in sent or name == "scan"] == []
    with calls_of(table) as calls:
        shown = await plan(ada)
    assert all(each["action"] for each in shown["todos"])
    mine = [name for name, sent in calls if f"U#{ada.id}" in str(sent)]
    assert len(mine) <= 6, "not one read per todo"


async def test_values_and_plans_are_deleted_with_the_account(
    api: Api, ada: Person, table: Gateway, resources: Resources
) -> None:
    """Exported with everything, erased with everything, drafts of crashes too."""
    await commit(ada, *HEALTH)
    await commit(ada, {"complete": {"id": "run"}})
    await commit_plan(ada, todos=[todo("sleep")], blocks=[block("09:00", "10:00")])
    with pytest.raises(PowerCut), power_cut(table, 5, carried_out=True):
        await Services(resources, acting_for(ada.id)).completion.complete_action(
            CompleteActionInput(action_id="sleep", date=FRIDAY)  # type: ignore[arg-type]
        )
    exported = json.loads((await ada.gql("{ exportData }"))["exportData"])
    assert len(exported["ValuesRevision"]) == 2
    assert {each["title"] for each in exported["TreeNode"]} == {"Health", "Fitness", "Run", "Sleep"}
    assert exported["PlanTodo"][0]["actionId"] == "sleep"
    assert exported["PlanBlock"][0]["blockType"] == "MEETING"
    partitions = await every_partition(table, ada)
    assert len(partitions) >= 6
    delete = """
      mutation ($nickname: String!, $password: String) {
        deleteAccount(input: {confirmNickname: $nickname, password: $password}) { id }
      }
    """
    await ada.gql(delete, nickname=ada.nickname, password=PASSWORD)
    left = [item for pk in partitions for item in await stored_in(table, pk)]
    assert left == []


async def stored_in(table: Gateway, pk: str) -> list[Any]:
    return [item async for item in table.partition(pk)]


async def every_partition(table: Gateway, person: Person) -> list[str]:
    """By the engine's own list of items, which no code of ours can hide from."""
    found: set[str] = set()
    start: dict[str, Any] = {}
    while True:
        answer = await table.client.scan(TableName=table.table, ProjectionExpression="PK", **start)
        found |= {item["PK"]["S"] for item in answer["Items"]}
        if "LastEvaluatedKey" not in answer:
            break
        start = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}
    return [pk for pk in found if pk.startswith(f"U#{person.id}")]
