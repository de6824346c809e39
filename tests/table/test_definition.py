"""The table's shape: made, compared, and every difference told."""

import asyncio
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from app.table.definition import WrongTable, check_table, create_table, table_definition
from app.table.gateway import Gateway
from app.table.writes import Put
from tests.table.things import key, new_shelf, thing

Shape = dict[str, Any]
MISSING = (
    "There is no table named {}. Check TABLE_NAME, or create it with: python -m app create-table"
)


@pytest.fixture
async def fresh(engine_table: Gateway) -> Gateway:
    """A name that no table has yet."""
    return Gateway(engine_table.client, f"shape_{uuid4().hex}")


async def make(table: Gateway, wanted: Shape, *, ttl: str | None = "ttl") -> None:
    await table.client.create_table(**wanted)
    if ttl:
        specification = {"Enabled": True, "AttributeName": ttl}
        await table.client.update_time_to_live(
            TableName=table.table, TimeToLiveSpecification=specification
        )


async def problems_of(table: Gateway) -> list[str]:
    with pytest.raises(WrongTable) as wrong:
        await check_table(table)
    head, *problems = str(wrong.value).split("\n- ")
    assert head == f"The table {table.table} has another definition than this release needs:"
    return problems


async def test_a_table_that_was_made_is_right_and_works(fresh: Gateway) -> None:
    assert await create_table(fresh) is True
    await check_table(fresh)
    shelf = new_shelf()
    await fresh.write(Put(thing(shelf)))
    assert await fresh.get(key(shelf)) == thing(shelf)


async def test_a_table_that_is_there_is_left_as_it_is(fresh: Gateway) -> None:
    await create_table(fresh)
    shelf = new_shelf()
    await fresh.write(Put(thing(shelf)))
    assert await create_table(fresh) is False
    await check_table(fresh)
    assert await fresh.get(key(shelf)) == thing(shelf)


async def test_concurrent_creations_all_find_the_table_ready(fresh: Gateway) -> None:
    made = await asyncio.gather(*(create_table(fresh) for _ in range(4)))
    assert sorted(made) == [False, False, False, True]
    await check_table(fresh)


async def test_a_making_that_was_broken_off_is_finished(fresh: Gateway) -> None:
    await make(fresh, table_definition(fresh.table), ttl=None)
    assert await problems_of(fresh) == ["time to live must be on, with the attribute ttl"]
    assert await create_table(fresh) is False
    await check_table(fresh)


async def test_the_shape_is_the_documented_one() -> None:
    wanted = table_definition("gg_core")
    assert wanted["BillingMode"] == "PAY_PER_REQUEST"
    assert wanted["KeySchema"] == [
        {"AttributeName": "PK", "KeyType": "HASH"},
        {"AttributeName": "SK", "KeyType": "RANGE"},
    ]
    names = [index["IndexName"] for index in wanted["GlobalSecondaryIndexes"]]
    assert names == [f"GSI{number}" for number in range(1, 7)]


def index(wanted: Shape, name: str) -> Shape:
    indexes = {each["IndexName"]: each for each in wanted["GlobalSecondaryIndexes"]}
    found: Shape = indexes[name]
    return found


def without(wanted: Shape, *attributes: str) -> None:
    definitions = wanted["AttributeDefinitions"]
    wanted["AttributeDefinitions"] = [
        each for each in definitions if each["AttributeName"] not in attributes
    ]


def lacks_gsi3(wanted: Shape) -> None:
    wanted["GlobalSecondaryIndexes"].remove(index(wanted, "GSI3"))
    without(wanted, "GSI3PK", "GSI3SK")


def has_no_index(wanted: Shape) -> None:
    del wanted["GlobalSecondaryIndexes"]
    wanted["AttributeDefinitions"] = wanted["AttributeDefinitions"][:2]


def has_another_key(wanted: Shape) -> None:
    wanted["KeySchema"][1]["AttributeName"] = "GSI1SK"
    without(wanted, "SK")


def has_no_sort_key(wanted: Shape) -> None:
    wanted["KeySchema"].pop()
    without(wanted, "SK")


def has_numbers_for_keys(wanted: Shape) -> None:
    for definition in wanted["AttributeDefinitions"]:
        if definition["AttributeName"] == "GSI2SK":
            definition["AttributeType"] = "N"


def has_an_index_of_another_key(wanted: Shape) -> None:
    index(wanted, "GSI2")["KeySchema"][0]["AttributeName"] = "GSI1PK"
    without(wanted, "GSI2PK")


def has_an_index_of_keys_only(wanted: Shape) -> None:
    index(wanted, "GSI5")["Projection"] = {"ProjectionType": "KEYS_ONLY"}


def has_no_stream(wanted: Shape) -> None:
    del wanted["StreamSpecification"]


def has_a_stream_of_keys(wanted: Shape) -> None:
    wanted["StreamSpecification"]["StreamViewType"] = "KEYS_ONLY"


KEY = "its key must be PK (partition) and SK (sort)"
STREAM = "its stream must be on, with NEW_AND_OLD_IMAGES"


@pytest.mark.parametrize(
    ("change", "problems"),
    [
        (lacks_gsi3, ["the index GSI3 (GSI3PK, GSI3SK) is missing"]),
        (has_no_index, [f"the index GSI{n} (GSI{n}PK, GSI{n}SK) is missing" for n in range(1, 7)]),
        (has_another_key, [KEY]),
        (has_no_sort_key, [KEY]),
        (has_numbers_for_keys, ["the key attribute GSI2SK must be a string (S)"]),
        (has_an_index_of_another_key, ["the index GSI2 must have the key GSI2PK, GSI2SK"]),
        (has_an_index_of_keys_only, ["the index GSI5 must project all attributes"]),
        (has_no_stream, [STREAM]),
        (has_a_stream_of_keys, [STREAM]),
    ],
)
async def test_each_difference_is_listed(
    fresh: Gateway, change: Callable[[Shape], None], problems: list[str]
) -> None:
    wanted = table_definition(fresh.table)
    change(wanted)
    await make(fresh, wanted)
    assert await problems_of(fresh) == problems


@pytest.mark.parametrize("ttl", [None, "expires"])
async def test_time_to_live_off_or_on_another_attribute_is_listed(
    fresh: Gateway, ttl: str | None
) -> None:
    await make(fresh, table_definition(fresh.table), ttl=ttl)
    assert await problems_of(fresh) == ["time to live must be on, with the attribute ttl"]


async def test_all_differences_are_listed_together(fresh: Gateway) -> None:
    wanted = table_definition(fresh.table)
    has_no_stream(wanted)
    lacks_gsi3(wanted)
    await make(fresh, wanted, ttl=None)
    assert await problems_of(fresh) == [
        "the index GSI3 (GSI3PK, GSI3SK) is missing",
        STREAM,
        "time to live must be on, with the attribute ttl",
    ]


async def test_the_message_of_a_missing_table_says_how_to_create_it(fresh: Gateway) -> None:
    with pytest.raises(WrongTable) as wrong:
        await check_table(fresh)
    assert str(wrong.value) == MISSING.format(fresh.table)
