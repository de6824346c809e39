"""Operations about quests, for tests."""

import dataclasses
from typing import Any
from uuid import uuid4

from app.core.caller import MODERATORS
from app.domains.people.service.accounts import grant_group
from app.domains.quests import keys
from app.domains.quests.inputs import CreateQuestInput
from app.domains.quests.types import Grant, Quest, QuestTransition
from app.resources import Resources
from app.table.gateway import Gateway
from tests.api import PASSWORD, Api, Failed, Person
from tests.people.test_identity import sign_in
from tests.servers import RunningServer

QUEST = """
  id version creatorId title description rewardXp rewardReputation status performerId performers
  maxPerformers individualRewards dualAttestation createdAt updatedAt claimedAt submittedAt
  completedAt expiresAt submission tags requirements categoryId disputeReason
  checklist { text done }
  attestations { attesterId attesterUsername role rating comments timestamp signature onChain
    transactionHash blockNumber contractAddress tokenId }
"""
GET = f"query ($id: ID!) {{ quest(id: $id) {{ {QUEST} }} }}"
STATS = """
{ me { stats { reputation experiencePoints level questsCreated questsCompleted attestationsGiven
  attestationsReceived } } }
"""
INPUT: dict[str, object] = {
    "title": "Water the plants",
    "description": "While I am away, twice a week.",
    "rewardXp": 100,
    "rewardReputation": 5,
}
SUBMISSION = {"submission": "All of them are green."}
REASON = {"reason": "The plants are dead, all of them."}


def mutation(name: str, fields: str = QUEST) -> str:
    kind = f"{name[0].upper()}{name[1:]}Input!"
    return f"mutation ($input: {kind}) {{ {name}(input: $input) {{ {fields} }} }}"


async def do(who: Person, name: str, **fields: object) -> Any:
    return (await who.gql(mutation(name), input=fields))[name]


async def refused(who: Person, name: str, **fields: object) -> Failed:
    return await who.refused(mutation(name), input=fields)


async def code(who: Person, name: str, **fields: object) -> str:
    return (await refused(who, name, **fields)).code


async def create(who: Person, **fields: object) -> Any:
    return await do(who, "createQuest", **(INPUT | fields))


async def submitted(creator: Person, performer: Person, **fields: object) -> Any:
    quest = await create(creator, **fields)
    await do(performer, "claimQuest", questId=quest["id"])
    return await do(performer, "submitQuest", questId=quest["id"], **SUBMISSION)


async def get(who: Person, quest_id: str) -> Any:
    return (await who.gql(GET, id=quest_id))["quest"]


async def stats(who: Person) -> Any:
    return (await who.gql(STATS))["me"]["stats"]


async def stored(table: Gateway, quest_id: str) -> Quest:
    quest = await table.get(keys.quest(quest_id))
    assert quest is not None
    return quest


async def history(table: Gateway, quest_id: str) -> list[QuestTransition]:
    return [each async for each in table.query_all(keys.history_of_quest(quest_id))]


async def partition(table: Gateway, pk: str) -> dict[str, Any]:
    return {item["SK"]["S"]: item async for item in table.partition(pk)}


async def grants(table: Gateway, user_id: str) -> dict[str, int]:
    """Amounts by sort key."""
    found = await partition(table, f"USER#{user_id}")
    return {
        sk: int(item["amount"]["N"])
        for sk, item in found.items()
        if item["entityType"]["S"] == Grant.__name__
    }


async def sign_in_again(*people: Person) -> None:
    """After the clock was moved, tokens of before have run out."""
    for person in people:
        person.session = (await sign_in(person.api, person.email, PASSWORD)).session


def resources_of(server: RunningServer, table: Gateway) -> Resources:
    """The server's, with a table that belongs to the test's own event loop."""
    resources: Resources = server.app.state.resources
    return dataclasses.replace(resources, table=table)


async def moderator(api: Api, server: RunningServer, table: Gateway) -> Person:
    person = await api.sign_up(nickname=f"mod{uuid4().hex[:10]}")
    await grant_group(resources_of(server, table), person.email, MODERATORS, remove=False)
    return await sign_in(api, person.email, PASSWORD)


def quest_input(**fields: Any) -> CreateQuestInput:
    return CreateQuestInput(
        title="Count the stars",
        description="Every one that is to be seen.",
        reward_xp=100,
        reward_reputation=5,
        **fields,
    ).validate()
