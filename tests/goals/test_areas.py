"""Life areas and subcategories: the letter case of their names does not count. Through HTTP."""

from typing import Any

import pytest

from app.domains.goals import keys, repository
from app.table.gateway import Gateway
from app.table.writes import item_of
from tests.api import Person
from tests.goals.operations import create, do, goal, ids, pages, project, read, task

SPELLINGS = ("Work", "work", "WORK", "wOrK")


async def in_area(person: Person, field: str, area: str, **filters: str) -> set[str]:
    arguments = "".join(f'{name}: "{value}", ' for name, value in {"area": area, **filters}.items())
    return set(ids(await pages(person, field, arguments, limit=2)))


async def one_of_each(person: Person, area: str, sub_category: str) -> dict[str, str]:
    fields: dict[str, Any] = {"area": area, "subCategory": sub_category}
    return {
        "goals": (await goal(person, **fields))["id"],
        "tasks": (await task(person, **fields))["id"],
        "projects": (await project(person, **fields))["id"],
        "metrics": await create(person, "Metric", name="m", **fields),
        "habits": await create(person, "Habit", name="h", **fields),
    }


async def test_every_kind_is_found_by_any_spelling_and_keeps_its_own(ada: Person) -> None:
    made = [await one_of_each(ada, each, f"{each} notes") for each in SPELLINGS]
    await one_of_each(ada, "Workshop", "x")
    for spelling in SPELLINGS:
        for field in made[0]:
            assert await in_area(ada, field, spelling) == {each[field] for each in made}
        everything = set(ids(await pages(ada, "area", f'name: "{spelling}", ', limit=3)))
        assert everything == {id for each in made for id in each.values()}
    stored = [(await read(ada, "task", each["tasks"]))["area"] for each in made]
    assert stored == [*SPELLINGS]
    for field in ("goals", "tasks", "projects"):
        found = await in_area(ada, field, "WORK", subCategory="WORK NOTES")
        assert found == {each[field] for each in made}


async def test_a_quick_added_task_is_in_the_same_area(ada: Person) -> None:
    first = await task(ada, area="Work")
    quick = await do(ada, "quickAddTask", text="Call the bank #work")
    assert (quick["area"], quick["title"]) == ("work", "Call the bank")
    assert await in_area(ada, "tasks", "Work") == {first["id"], quick["id"]}


@pytest.mark.parametrize(
    ("one", "other"),
    [("Straße", "STRASSE"), ("Café", "CAFE\N{COMBINING ACUTE ACCENT}"), ("ΣΊΣΥΦΟΣ", "σίσυφος")],
)
async def test_letters_of_other_languages(ada: Person, one: str, other: str) -> None:
    made = {(await task(ada, area=each))["id"] for each in (one, other)}
    assert await in_area(ada, "tasks", one) == await in_area(ada, "tasks", other) == made


async def test_another_spelling_moves_nothing_to_another_area(ada: Person) -> None:
    made = await task(ada, area="Work")
    changed = await do(ada, "updateTask", id=made["id"], area="WORK")
    assert changed["area"] == "WORK"
    assert await in_area(ada, "tasks", "work") == {made["id"]}
    await do(ada, "updateTask", id=made["id"], area="Home")
    assert await in_area(ada, "tasks", "work") == set()


# Items of servers of release 0.1, whose key has the area as it is spelt.


async def as_release_0_1(table: Gateway, person: Person, task_id: str) -> None:
    stored = await table.get(keys.task(person.id, task_id))
    assert stored is not None
    assert stored.area is not None
    partition = {"S": keys.area_as_spelt(person.id, stored.area)}
    item = item_of(stored) | {"GSI3PK": partition}
    await table.client.put_item(TableName=table.table, Item=item)


async def test_old_and_new_items_are_one_list(ada: Person, table: Gateway) -> None:
    """In pages of any size, also such that end inside the old items."""
    made = [(await task(ada, f"t{number}", area="Work"))["id"] for number in range(7)]
    for each in made[:4]:
        await as_release_0_1(table, ada, each)
    for limit in (1, 2, 3, 4, 20):
        for arguments in ('area: "Work", ', 'area: "Work", text: "t", '):
            found = ids(await pages(ada, "tasks", arguments, limit=limit))
            assert sorted(found) == sorted(made)
        found = ids(await pages(ada, "area", 'name: "Work", ', limit=limit))
        assert sorted(found) == sorted(made)


async def test_a_change_moves_an_old_item_to_the_new_key(ada: Person, table: Gateway) -> None:
    made = await task(ada, area="Work")
    await as_release_0_1(table, ada, made["id"])
    assert await in_area(ada, "tasks", "WORK") == set()
    await do(ada, "updateTask", id=made["id"], notes="n")
    assert await in_area(ada, "tasks", "WORK") == {made["id"]}


# To choose from.

AREAS = """{ areas {
  name total goals tasks projects metrics habits subCategories { name total }
} }"""


async def test_areas_with_counts_in_their_first_spelling(ada: Person, bob: Person) -> None:
    await one_of_each(ada, "Work", "Deep")
    await one_of_each(ada, "WORK", "deep")
    await task(ada, area="work", subCategory="Mail")
    await task(ada, area="Art")
    await task(ada)
    await one_of_each(bob, "Other", "x")
    kinds = ("goals", "tasks", "projects", "metrics", "habits")
    assert (await ada.gql(AREAS))["areas"] == [
        {"name": "Art", "total": 1, **dict.fromkeys(kinds, 0), "tasks": 1, "subCategories": []},
        {
            "name": "Work",
            "total": 11,
            **dict.fromkeys(kinds, 2),
            "tasks": 3,
            "subCategories": [{"name": "Deep", "total": 10}, {"name": "Mail", "total": 1}],
        },
    ]


async def test_tags_with_counts(ada: Person) -> None:
    await task(ada, tags=["Deep Work", "b"])
    await task(ada, tags=["b"])
    await goal(ada, tags=["b"])
    assert (await ada.gql("{ tags { name total goals tasks } }"))["tags"] == [
        {"name": "b", "total": 3, "goals": 1, "tasks": 2},
        {"name": "deep-work", "total": 1, "goals": 0, "tasks": 1},
    ]


async def test_a_new_user_has_nothing_to_choose_from(ada: Person) -> None:
    assert await ada.gql("{ areas { name } tags { name } }") == {"areas": [], "tags": []}


async def test_choices_of_too_many_records_are_refused(
    ada: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repository, "MOST_SORTED", 1)
    for _ in range(2):
        await task(ada, tags=["a"], area="Work")
    for query in ("{ areas { name } }", "{ tags { name } }"):
        assert (await ada.refused(query)).code == "LIMIT_EXCEEDED"
