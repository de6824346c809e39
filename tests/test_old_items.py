"""Items from before versions were counted: read as version 0, changed like any other."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from app.domains.notifications import keys
from app.domains.people.keys import stats_of_user
from app.table.gateway import Gateway
from tests.api import Failed, Person
from tests.notifications.operations import UPDATE_SETTINGS
from tests.quests import operations


@dataclass(frozen=True)
class Kind:
    """A kind of record, how one is made, and what a change calls its id."""

    name: str
    made_of: dict[str, object]
    key: tuple[str, str]
    change: dict[str, object]
    id: str = "id"
    root: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", self.name[0].lower() + self.name[1:])

    async def create(self, person: Person) -> str:
        query = (
            f"mutation ($input: Create{self.name}Input!) "
            f"{{ create{self.name}(input: $input) {{ id version }} }}"
        )
        made = (await person.gql(query, input=self.made_of))[f"create{self.name}"]
        assert made["version"] == 1
        return str(made["id"])

    async def version(self, person: Person, id: str) -> int:
        query = f"query ($id: ID!) {{ {self.root}(id: $id) {{ version }} }}"
        return int((await person.gql(query, id=id))[self.root]["version"])

    async def update(self, person: Person, id: str, **fields: object) -> int:
        query = (
            f"mutation ($input: Update{self.name}Input!) "
            f"{{ update{self.name}(input: $input) {{ version }} }}"
        )
        answer = await person.gql(query, input={self.id: id, **self.change, **fields})
        return int(answer[f"update{self.name}"]["version"])

    async def late(self, person: Person, id: str, **fields: object) -> Any:
        with pytest.raises(Failed) as failed:
            await self.update(person, id, **fields)
        return failed.value.code, failed.value.info["currentVersion"]


OWN = "USER#{user}"
KINDS = [
    Kind("Goal", {"title": "g"}, (OWN, "GOAL#{id}"), {"notes": "n"}),
    Kind("Task", {"title": "t"}, (OWN, "TASK#{id}"), {"notes": "n"}),
    Kind("Project", {"name": "p"}, (OWN, "PROJECT#{id}"), {"notes": "n"}),
    Kind("Metric", {"name": "m"}, (OWN, "METRIC#{id}"), {"description": "d"}),
    Kind("Habit", {"name": "h"}, (OWN, "HABIT#{id}"), {"description": "d"}),
    Kind(
        "Reward",
        {"title": "r", "pointCost": 1, "category": "Treat"},
        (OWN, "REWARD#{id}"),
        {"description": "d"},
    ),
    Kind("Quest", operations.INPUT, ("QUEST#{id}", "QUEST#{id}"), {"rewardXp": 20}, "questId"),
    Kind("Room", {"name": "r"}, ("ROOM#{id}", "META"), {"description": "d"}, "roomId"),
    Kind("Company", {"name": "c"}, ("COMPANY#{id}", "COMPANY#{id}"), {"description": "d"}),
]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


async def forget_version(table: Gateway, pk: str, sk: str) -> None:
    await table.client.update_item(
        TableName=table.table,
        Key={"PK": {"S": pk}, "SK": {"S": sk}},
        UpdateExpression="REMOVE version",
        ConditionExpression="attribute_exists(version)",
    )


async def old_item(kind: Kind, person: Person, table: Gateway) -> str:
    id = await kind.create(person)
    pk, sk = (part.format(user=person.id, id=id) for part in kind.key)
    await forget_version(table, pk, sk)
    return id


@every_kind
async def test_it_has_version_0_until_it_is_changed(
    kind: Kind, ada: Person, table: Gateway
) -> None:
    id = await old_item(kind, ada, table)
    assert await kind.version(ada, id) == 0
    assert await kind.late(ada, id, expectedVersion=1) == ("CONFLICT", 0)
    assert await kind.update(ada, id, expectedVersion=0) == 1
    assert await kind.late(ada, id, expectedVersion=0) == ("CONFLICT", 1)
    assert await kind.version(ada, id) == 1


@every_kind
async def test_of_two_who_change_it_one_is_told(kind: Kind, ada: Person, table: Gateway) -> None:
    id = await old_item(kind, ada, table)
    both = (kind.update(ada, id, expectedVersion=0) for _ in range(2))
    answers = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(isinstance(answer, Failed) for answer in answers) == [False, True]
    assert await kind.version(ada, id) == 1


async def test_settings_that_are_stored_without_one(ada: Person, table: Gateway) -> None:
    await ada.gql(UPDATE_SETTINGS, input={"hour": 7})
    key = keys.settings_of_user(ada.id)
    await forget_version(table, key.pk, key.sk)
    changed = await ada.gql(UPDATE_SETTINGS, input={"hour": 8, "expectedVersion": 0})
    settings = changed["updateNotificationSettings"]
    assert (settings["hour"], settings["version"]) == (8, 1)


async def test_a_user_from_before_experience_points_has_none(ada: Person, table: Gateway) -> None:
    await operations.create(ada)
    key = stats_of_user(ada.id)
    await table.client.update_item(
        TableName=table.table,
        Key={"PK": {"S": key.pk}, "SK": {"S": key.sk}},
        UpdateExpression="REMOVE experiencePoints, version",
        ConditionExpression="questsCreated = :one",
        ExpressionAttributeValues={":one": {"N": "1"}},
    )
    seen = await operations.stats(ada)
    assert (seen["experiencePoints"], seen["level"], seen["questsCreated"]) == (0, 1, 1)
    await operations.create(ada)
    assert (await operations.stats(ada))["questsCreated"] == 2
