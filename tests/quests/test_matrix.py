"""Every mutation on a quest of every status, through the server: allowed by the table, or refused
without a trace."""

from typing import Any

import pytest

from app.domains.quests.types import QuestStatus
from app.table.gateway import Gateway
from tests.api import Api, Failed, Person
from tests.quests.operations import (
    REASON,
    SUBMISSION,
    create,
    do,
    moderator,
    mutation,
    partition,
    sign_in_again,
    stored,
)
from tests.servers import RunningServer, TestClock

LATER = {"expiresAt": "2090-01-01T00:00:00Z"}
# Who does it, with what, and where it leads from each status. All else must be refused.
MOVES: dict[str, tuple[str, dict[str, object], dict[str, str]]] = {
    "updateQuest": ("creator", {"title": "Other title"}, {"OPEN": "OPEN"}),
    "claimQuest": ("stranger", {}, {"OPEN": "CLAIMED"}),
    "joinTeamQuest": ("stranger", {}, {"OPEN": "CLAIMED"}),
    "unclaimQuest": ("performer", {}, {"CLAIMED": "OPEN"}),
    "releaseQuest": ("creator", {}, {"CLAIMED": "OPEN"}),
    "checkRequirement": ("performer", {"index": 0}, {"CLAIMED": "CLAIMED"}),
    "submitQuest": ("performer", dict(SUBMISSION), {"CLAIMED": "PENDING_REVIEW"}),
    "requestChanges": ("creator", {}, {"PENDING_REVIEW": "CLAIMED"}),
    "attestQuest": ("creator", {"rating": 4}, {"PENDING_REVIEW": "COMPLETE"}),
    "disputeQuest": ("performer", dict(REASON), {"PENDING_REVIEW": "DISPUTED"}),
    "cancelQuest": ("creator", {}, {"OPEN": "CANCELLED"}),
    "extendQuest": (
        "creator",
        dict(LATER),
        {"OPEN": "OPEN", "CLAIMED": "CLAIMED", "EXPIRED": "OPEN"},
    ),
    "startQuest": ("creator", {}, {}),
}
OUTCOMES = {"COMPLETE": "COMPLETE", "CLAIMED": "CLAIMED", "CANCELLED": "CANCELLED"}
REFUSALS = {
    "QUEST_STATUS",
    "ALREADY_CLAIMED",
    "QUEST_EXPIRED",
    "ALREADY_ATTESTED",
    "FORBIDDEN",
    "BAD_INPUT",
}


class Cast:
    """Those who take part, and how a quest comes to each status."""

    def __init__(self, creator: Person, performer: Person, stranger: Person) -> None:
        self.creator, self.performer, self.stranger = creator, performer, stranger

    async def quest(self, status: QuestStatus, clock: TestClock) -> str:
        quest: str = (await create(self.creator, requirements=["Water"]))["id"]
        match status:
            case QuestStatus.OPEN:
                return quest
            case QuestStatus.CANCELLED:
                await do(self.creator, "cancelQuest", questId=quest)
                return quest
            case QuestStatus.EXPIRED:
                soon = clock.now().isoformat().replace("+00:00", "Z")
                clock.move(hours=-1)
                await sign_in_again(self.creator)
                await do(self.creator, "extendQuest", questId=quest, expiresAt=soon)
                clock.reset()
                await sign_in_again(self.creator)
                return quest
            case _:
                return await self._taken(quest, status)

    async def _taken(self, quest: str, status: QuestStatus) -> str:
        await do(self.performer, "claimQuest", questId=quest)
        if status is not QuestStatus.CLAIMED:
            await do(self.performer, "submitQuest", questId=quest, **SUBMISSION)
        if status is QuestStatus.COMPLETE:
            await do(self.creator, "attestQuest", questId=quest, rating=5)
        if status is QuestStatus.DISPUTED:
            await do(self.performer, "disputeQuest", questId=quest, **REASON)
        return quest


@pytest.fixture
async def cast(ada: Person, bob: Person, cleo: Person) -> Cast:
    return Cast(ada, bob, cleo)


async def outcome(who: Person, name: str, fields: dict[str, object]) -> Any:
    try:
        answer = await who.gql(mutation(name, "status"), input=fields)
    except Failed as failed:
        if failed.code == "QUEST_STATUS":
            check_remedy(failed)
        return failed.code
    return answer[name]["status"]


# What is possible only for teams, or for others than those above.
ALSO_POSSIBLE = {"OPEN": {"startQuest", "unclaimQuest"}, "DISPUTED": {"resolveDispute"}}


def check_remedy(failed: Failed) -> None:
    """The refusal says what else can be done, and what it says is true."""
    status, message = failed.info["status"], failed.errors[0]["message"]
    true = {name for name, (_, _, allowed) in MOVES.items() if status in allowed}
    true = (true | ALSO_POSSIBLE.get(status, set())) - {"joinTeamQuest"}
    assert set(failed.info["possible"]) == true
    assert all(name in message for name in true)
    assert true or "final" in message


async def trace(table: Gateway, quest_id: str) -> dict[str, Any]:
    return await partition(table, f"QUEST#{quest_id}")


@pytest.mark.parametrize("name", MOVES)
@pytest.mark.parametrize("status", QuestStatus)
async def test_every_mutation_on_every_status(
    cast: Cast, table: Gateway, clock: TestClock, name: str, status: QuestStatus
) -> None:
    role, fields, allowed = MOVES[name]
    quest = await cast.quest(status, clock)
    who: Person = getattr(cast, role)
    if name == "releaseQuest":
        clock.move(hours=73)
        await sign_in_again(who)
    before = await trace(table, quest)
    answer = await outcome(who, name, {"questId": quest, **fields})
    if status.value in allowed:
        assert answer == allowed[status.value]
        assert (await stored(table, quest)).status.value == answer
        raw = (await trace(table, quest))[f"QUEST#{quest}"]
        assert raw["GSI1PK"] == {"S": f"STATUS#{answer}"}
    else:
        assert answer in REFUSALS
        assert await trace(table, quest) == before


@pytest.mark.parametrize("status", QuestStatus)
async def test_resolving_on_every_status(
    api: Api,
    server: RunningServer,
    cast: Cast,
    table: Gateway,
    clock: TestClock,
    status: QuestStatus,
) -> None:
    judge = await moderator(api, server, table)
    for wanted in QuestStatus:
        quest = await cast.quest(status, clock)
        before = await trace(table, quest)
        answer = await outcome(judge, "resolveDispute", {"questId": quest, "outcome": wanted.value})
        if status is QuestStatus.DISPUTED and wanted.value in OUTCOMES:
            assert answer == wanted.value
        else:
            assert answer in REFUSALS
            assert await trace(table, quest) == before
        if (await stored(table, quest)).status is QuestStatus.CLAIMED:
            await do(cast.performer, "unclaimQuest", questId=quest)
