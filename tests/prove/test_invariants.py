"""The harness finds what it looks for: a planted bug of each kind."""

import copy
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from app.settings import ROOT, Settings
from app.table.gateway import Gateway
from tests.api import Api, Person
from tests.conftest import REGION
from tests.servers import RunningServer, TestClock

sys.path.insert(0, str(ROOT / "scripts/prove"))

from invariants import INVARIANTS, History, Item, violations

TABLE = "prove_invariants"
Plant = Callable[[list[Item], History], None]


@pytest.fixture(scope="module")
def own_server(
    settings: Settings, clock: TestClock, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningServer]:
    changes = {"table_name": TABLE, "data_dir": tmp_path_factory.mktemp("prove")}
    changed = Settings(_env_file=None, **(settings.model_dump() | changes | {"demo": False}))
    with RunningServer(changed, clock) as running:
        yield running


async def ask(person: Person, name: str, answer: str, /, **given: object) -> Any:
    kind = name[0].upper() + name[1:]
    query = f"mutation ($i: {kind}Input!) {{ {name}(input: $i) {{ {answer} }} }}"
    return (await person.gql(query, i=given))[name]


@pytest.fixture(scope="module")
async def world(
    own_server: RunningServer, endpoint: str
) -> AsyncIterator[tuple[list[Item], History]]:
    """A table with some of everything, and what its clients were told."""
    history = History()

    async def told(person: Person, key: str, name: str, answer: str, /, **given: object) -> Any:
        found = await ask(person, name, answer, idempotencyKey=key, **given)
        history.done[key] = dict(found)
        return found

    async with Api(own_server.url) as api:
        ada, bob = await api.sign_up(), await api.sign_up()
        await told(ada, "paid", "adjustWallet", "balance", amount=5, reason="paid")
        history.done["paid"]["pays"] = True
        room = await ask(ada, "createRoom", "id", name="Hall")
        await told(ada, "said", "sendMessage", "id", roomId=room["id"], text="said")
        history.done["said"]["says"] = True
        goal = await ask(ada, "createGoal", "id", title="Win")
        first = await ask(ada, "createTask", "id", title="One", goalIds=[goal["id"]])
        await ask(ada, "createTask", "id", title="Two", dependsOnIds=[first["id"]])
        for key in ("commit1", "commit2"):
            add = {"add": {"nodeType": "DRIVER", "title": key}}
            await told(ada, key, "commitValues", "head", message=key, operations=[add])
        what = {"title": "Sweep the yard", "description": "All of it, and the steps as well."}
        quest = await ask(ada, "createQuest", "id", **what, rewardXp=10, rewardReputation=1)
        await told(bob, "claim", "claimQuest", "id", questId=quest["id"])
        history.done["claim"] |= {"claimed": quest["id"], "by": bob.id}
    async with Gateway.open(table=TABLE, region=REGION, endpoint=endpoint) as table:
        pages = table.client.get_paginator("scan").paginate(TableName=TABLE, ConsistentRead=True)
        yield [item async for page in pages for item in page["Items"]], history


def of_kind(items: list[Item], kind: str) -> list[Item]:
    return [item for item in items if item["entityType"]["S"] == kind]


def change(kind: str, attribute: str, value: Any) -> Plant:
    def plant(items: list[Item], _: History) -> None:
        of_kind(items, kind)[0][attribute] = value

    return plant


def remove(kind: str) -> Plant:
    def plant(items: list[Item], _: History) -> None:
        items.remove(of_kind(items, kind)[0])

    return plant


def tell(**done: Any) -> Plant:
    def plant(_: list[Item], history: History) -> None:
        history.done |= done

    return plant


def refuse(key: str) -> Plant:
    def plant(_: list[Item], history: History) -> None:
        del history.done[key]
        history.refused[key] = "CONFLICT"

    return plant


PLANTED: dict[str, tuple[str, Plant]] = {
    "an item without a field": ("cannot be read", change("Wallet", "userId", {"N": "1"})),
    "a stray index entry": ("index_entries", change("Wallet", "GSI1PK", {"S": "USER#x"})),
    "an index entry of before": ("index_entries", change("Task", "GSI1SK", {"S": "ENTITY#Task"})),
    "a balance that moved alone": ("balances", change("Wallet", "balance", {"N": "6"})),
    "a lost transaction": ("balances", remove("WalletTransaction")),
    "a lost lock": ("unique_names", remove("NicknameLock")),
    "a lock of nobody": ("unique_names", remove("User")),
    "a lost email lock": ("unique_names", remove("EmailLock")),
    "a lost message": ("rooms", remove("Message")),
    "a lost member": ("rooms", remove("RoomMember")),
    "a lost room": ("rooms", remove("Room")),
    "a lost revision": ("values_are_linear", remove("ValuesRevision")),
    "a commit that was acknowledged": ("values_are_linear", tell(c={"head": "nowhere"})),
    "a link one way": ("links", remove("GoalTask")),
    "a task without its blocker": ("links", change("Task", "blocksIds", {"L": []})),
    "two winners": ("quests", tell(c={"claimed": "QUEST", "by": "somebody else"})),
    "an acknowledged payment": ("exactly_once", tell(p={"pays": True})),
    "a refused payment": ("exactly_once", refuse("paid")),
    "an acknowledged message": ("exactly_once", tell(p={"says": True})),
    "a lost receipt": ("receipts", remove("Receipt")),
    "a receipt of a refusal": ("receipts", refuse("commit1")),
    "an orphan": ("orphans", remove("Goal")),
}


def test_a_healthy_table_has_no_violations(world: tuple[list[Item], History]) -> None:
    assert violations(*world) == []
    assert len(world[0]) > 30


@pytest.mark.parametrize("name", PLANTED)
def test_a_planted_bug_is_found(world: tuple[list[Item], History], name: str) -> None:
    expected, plant = PLANTED[name]
    items, history = copy.deepcopy(world)
    if name == "two winners":
        history.done["claim"]["claimed"] = "QUEST"
        of_kind(items, "Quest")[0]["id"] = {"S": "QUEST"}
    plant(items, history)
    found = violations(items, history)
    assert [each for each in found if expected in each], found


def test_every_invariant_has_a_planted_bug() -> None:
    names = {check.__name__ for check in INVARIANTS} - {"readable"}
    assert names == {expected for expected, _ in PLANTED.values()} - {"cannot be read"}


def test_the_programs_exist(root: Path) -> None:
    for name in ("neighbours", "sweep", "storm"):
        assert (root / "scripts/prove" / name).stat().st_mode & 0o100
