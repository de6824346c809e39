"""Categories that count, templates that do not follow."""

import asyncio
from dataclasses import replace
from typing import Any
from uuid import uuid4

from app.domains.quests import keys
from app.table.gateway import Gateway
from app.table.writes import Delete, Put
from tests.api import Failed, Person
from tests.quests.operations import INPUT, create, do, mutation, refused
from tests.quests.test_lists import QUESTS, ids, read

CATEGORY = "id name description questCount version"
TEMPLATE = """
  id title description defaultRewards { xp reputation } tags requirements categoryId maxPerformers
  individualRewards dualAttestation version
"""


CREATE = mutation("createQuestCategory", CATEGORY)
RENAME = mutation("updateQuestCategory", CATEGORY)
REMOVE = mutation("deleteQuestCategory", "id")


async def category(judge: Person, name: str | None = None) -> Any:
    """Names are unique in the table that the tests share."""
    wanted = name or f"Garden {uuid4().hex}"
    return (await judge.gql(CREATE, input={"name": wanted}))["createQuestCategory"]


async def count(table: Gateway, category_id: str) -> int:
    found = await table.get(keys.category(category_id))
    assert found is not None
    return found.quest_count


async def test_a_category_counts_its_quests(ada: Person, judge: Person, table: Gateway) -> None:
    one, two = await category(judge), await category(judge)
    made = [await create(ada, categoryId=one["id"]) for _ in range(3)]
    assert await count(table, one["id"]) == 3
    await do(ada, "updateQuest", questId=made[0]["id"], categoryId=two["id"])
    await do(ada, "updateQuest", questId=made[1]["id"], categoryId=None)
    await do(ada, "updateQuest", questId=made[2]["id"], title="Same place")
    assert (await count(table, one["id"]), await count(table, two["id"])) == (1, 1)
    shown = await read(ada, QUESTS, 1, "quests", categoryId=one["id"])
    assert ids(shown) == [made[2]["id"]]
    tagged = await read(ada, QUESTS, 1, "quests", categoryId=one["id"], tag="nothing")
    assert tagged == []


async def test_counts_hold_when_raced(ada: Person, judge: Person, table: Gateway) -> None:
    shelf = await category(judge)
    await asyncio.gather(*(create(ada, categoryId=shelf["id"]) for _ in range(25)))
    assert await count(table, shelf["id"]) == 25
    assert len(await read(ada, QUESTS, 7, "quests", categoryId=shelf["id"])) == 25


async def test_an_unknown_category(ada: Person) -> None:
    failed = await refused(ada, "createQuest", **(INPUT | {"categoryId": "nope"}))
    assert (failed.code, failed.info["field"]) == ("BAD_INPUT", "input.categoryId")


async def test_only_an_empty_category_can_go(ada: Person, judge: Person, table: Gateway) -> None:
    shelf = await category(judge)
    quest = await create(ada, categoryId=shelf["id"])
    delete = mutation("deleteQuestCategory", "id")
    failed = await judge.refused(delete, input={"id": shelf["id"]})
    assert (failed.code, failed.info["questCount"]) == ("CATEGORY_IN_USE", 1)
    await do(ada, "updateQuest", questId=quest["id"], categoryId=None)
    await judge.gql(delete, input={"id": shelf["id"]})
    assert await table.get(keys.category(shelf["id"])) is None
    assert (await judge.refused(delete, input={"id": shelf["id"]})).code == "NOT_FOUND"


async def test_categories_are_kept_by_moderators(ada: Person, judge: Person) -> None:
    old_name = f"Old name {judge.id}"
    shelf = await category(judge, f"  Old  name {judge.id} ")
    assert shelf["name"] == old_name
    for name, fields in (
        ("createQuestCategory", {"name": "Mine"}),
        ("updateQuestCategory", {"id": shelf["id"], "name": "Mine"}),
        ("deleteQuestCategory", {"id": shelf["id"]}),
    ):
        assert (await ada.refused(mutation(name, "id"), input=fields)).code == "FORBIDDEN"
    update = mutation("updateQuestCategory", CATEGORY)
    changed = await judge.gql(update, input={"id": shelf["id"], "description": "Green things"})
    assert changed["updateQuestCategory"]["description"] == "Green things"
    assert changed["updateQuestCategory"]["name"] == old_name
    stale = {"id": shelf["id"], "name": "X y", "expectedVersion": 1}
    assert (await judge.refused(update, input=stale)).code == "CONFLICT"
    query = "query ($id: ID!) { questCategory(id: $id) { name } }"
    assert (await ada.gql(query, id=shelf["id"]))["questCategory"] == {"name": old_name}
    assert (await ada.gql(query, id="nope"))["questCategory"] is None
    listed = """query ($limit: Int, $nextToken: String) {
      questCategories(limit: $limit, nextToken: $nextToken) { items { id name } nextToken } }"""
    found = await read(ada, listed, 2, "questCategories")
    assert shelf["id"] in ids(found)
    names = [each["name"].casefold() for each in found]
    assert names == sorted(names)


async def names(table: Gateway, prefix: str) -> list[str]:
    found = [each async for each in table.query_all(keys.categories())]
    return sorted(each.name for each in found if each.name.casefold().startswith(prefix.casefold()))


async def test_two_categories_of_one_name_are_a_conflict(judge: Person, table: Gateway) -> None:
    word = f"Straße {judge.id}"
    first = await category(judge, word)
    for same in (word, word.upper(), word.casefold(), f" {word.replace(' ', '  ')} "):
        failed = await judge.refused(CREATE, input={"name": same})
        assert (failed.code, failed.info["field"]) == ("CONFLICT", "input.name")
        assert failed.info["categoryId"] == first["id"]
    second = await category(judge, f"{word} 2")
    failed = await judge.refused(RENAME, input={"id": second["id"], "name": word.upper()})
    assert failed.code == "CONFLICT"
    assert await names(table, word) == [word, f"{word} 2"], "nothing was written"


async def test_a_category_may_change_its_spelling_and_its_name_becomes_free(
    judge: Person, table: Gateway
) -> None:
    word = f"Errands {judge.id}"
    first = await category(judge, word)
    for name in (word.upper(), f"{word} old"):
        changed = await judge.gql(RENAME, input={"id": first["id"], "name": name})
        assert changed["updateQuestCategory"]["name"] == name
    second = await category(judge, word)
    await judge.gql(REMOVE, input={"id": second["id"]})
    assert await table.get(keys.category_name(word.casefold())) is None
    await judge.gql(RENAME, input={"id": first["id"], "name": word})
    assert (await judge.refused(CREATE, input={"name": word})).code == "CONFLICT"


async def test_one_name_is_raced_for(judge: Person, table: Gateway) -> None:
    word = f"Race {judge.id}"
    others = [await category(judge) for _ in range(3)]
    answers = await asyncio.gather(
        *(judge.gql(CREATE, input={"name": each}) for each in (word, word.upper(), word.lower())),
        *(judge.gql(RENAME, input={"id": each["id"], "name": word}) for each in others),
        return_exceptions=True,
    )
    failed = [each for each in answers if isinstance(each, Failed)]
    assert [each.code for each in failed] == ["CONFLICT"] * 5
    assert len(await names(table, word)) == 1
    lock = await table.get(keys.category_name(word.casefold()))
    assert lock is not None
    holder = await table.get(keys.category(lock.category_id))
    assert holder is not None
    assert holder.name_key == word.casefold()


async def test_categories_of_the_release_before_keep_their_names_and_hold_them(
    judge: Person, table: Gateway
) -> None:
    """That release allowed two of one name and wrote no locks."""
    word = f"Twins {judge.id}"
    one, two = await category(judge, word), await category(judge, f"{word} 2")
    for key in (word.casefold(), f"{word} 2".casefold()):
        await table.write(Delete(keys.category_name(key)))
    stored = await table.get(keys.category(two["id"]))
    assert stored is not None
    await table.write(Put(replace(stored, name=word.upper())))
    assert (await judge.refused(CREATE, input={"name": word})).code == "CONFLICT"
    more = {"id": one["id"], "description": "The first of two"}
    assert (await judge.gql(RENAME, input=more))["updateQuestCategory"]["name"] == word
    await judge.gql(RENAME, input={"id": two["id"], "name": f"{word} 3"})
    assert await names(table, word) == [word, f"{word} 3"]
    assert (await judge.refused(CREATE, input={"name": word})).code == "CONFLICT"


async def test_a_lock_that_a_server_of_the_release_before_left_holds_no_name(
    judge: Person, table: Gateway
) -> None:
    """Such a server renames a category without its lock."""
    word = f"Left {judge.id}"
    moved = await category(judge, word)
    stored = await table.get(keys.category(moved["id"]))
    assert stored is not None
    await table.write(Put(replace(stored, name=f"{word} elsewhere")))
    taken = await category(judge, word)
    lock = await table.get(keys.category_name(word.casefold()))
    assert lock is not None
    assert lock.category_id == taken["id"]


async def make_template(who: Person, **fields: object) -> Any:
    wanted = {
        "title": "Weekly watering",
        "description": "Every plant, once a week.",
        "defaultRewards": {"xp": 50, "reputation": 2},
        "tags": ["garden"],
        "requirements": ["Water"],
        "maxPerformers": 2,
    } | fields
    query = mutation("createQuestTemplate", TEMPLATE)
    return (await who.gql(query, input=wanted))["createQuestTemplate"]


async def test_a_quest_from_a_template_is_its_own(ada: Person) -> None:
    template = await make_template(ada)
    quest = await do(ada, "createQuestFromTemplate", templateId=template["id"])
    assert (quest["title"], quest["rewardXp"], quest["rewardReputation"]) == (
        "Weekly watering",
        50,
        2,
    )
    assert (quest["tags"], quest["requirements"], quest["maxPerformers"]) == (
        ["garden"],
        ["Water"],
        2,
    )
    update = mutation("updateQuestTemplate", TEMPLATE)
    changes = {
        "id": template["id"],
        "title": "Other",
        "defaultRewards": {"xp": 60, "reputation": 3},
    }
    changed = (await ada.gql(update, input=changes))["updateQuestTemplate"]
    assert (changed["title"], changed["tags"]) == ("Other", ["garden"])
    same = await ada.gql("query ($id: ID!) { quest(id: $id) { title rewardXp } }", id=quest["id"])
    assert same["quest"] == {"title": "Weekly watering", "rewardXp": 50}
    own = await do(
        ada, "createQuestFromTemplate", templateId=template["id"], title="This week", rewardXp=99
    )
    assert (own["title"], own["rewardXp"], own["rewardReputation"]) == ("This week", 99, 3)


async def test_a_template_names_a_category_that_is_there_and_may_outlive_it(
    ada: Person, judge: Person
) -> None:
    fields = {"categoryId": "nope", "title": "Weekly", "description": "Every plant, weekly."}
    rewards = {"defaultRewards": {"xp": 50, "reputation": 2}}
    made = await ada.refused(mutation("createQuestTemplate", "id"), input={**fields, **rewards})
    assert (made.code, made.info["field"]) == ("BAD_INPUT", "input.categoryId")
    shelf = await category(judge)
    template = await make_template(ada, categoryId=shelf["id"])
    update = mutation("updateQuestTemplate", "id")
    changed = await ada.refused(update, input={"id": template["id"], "categoryId": "nope"})
    assert changed.code == "BAD_INPUT"
    quest = await do(ada, "createQuestFromTemplate", templateId=template["id"])
    assert quest["categoryId"] == shelf["id"]
    await do(ada, "updateQuest", questId=quest["id"], categoryId=None)
    await judge.gql(mutation("deleteQuestCategory", "id"), input={"id": shelf["id"]})
    quest = await do(ada, "createQuestFromTemplate", templateId=template["id"])
    assert quest["categoryId"] is None


async def test_templates_are_private(ada: Person, bob: Person) -> None:
    template = await make_template(ada)
    query = "query ($id: ID!) { questTemplate(id: $id) { id } }"
    assert (await ada.gql(query, id=template["id"]))["questTemplate"] == {"id": template["id"]}
    for foreign in (template["id"], "nope"):
        assert (await bob.gql(query, id=foreign))["questTemplate"] is None
        for name, fields in (
            ("updateQuestTemplate", {"id": foreign, "title": "Mine"}),
            ("deleteQuestTemplate", {"id": foreign}),
            ("createQuestFromTemplate", {"templateId": foreign}),
        ):
            failed = await bob.refused(mutation(name, "id"), input=fields)
            assert failed.code == "NOT_FOUND"
    listed = "{ questTemplates { items { id } } }"
    assert (await bob.gql(listed))["questTemplates"]["items"] == []
    assert ids((await ada.gql(listed))["questTemplates"]["items"]) == [template["id"]]
    await ada.gql(mutation("deleteQuestTemplate", "id"), input={"id": template["id"]})
    assert (await ada.gql(listed))["questTemplates"]["items"] == []


async def test_null_clears_only_what_may_be_empty(ada: Person, judge: Person) -> None:
    shelf = await category(judge)
    template = await make_template(ada, categoryId=shelf["id"])
    update = mutation("updateQuestTemplate", TEMPLATE)
    for field in ("title", "defaultRewards", "tags", "maxPerformers"):
        failed = await ada.refused(update, input={"id": template["id"], field: None})
        assert (failed.code, failed.info["field"]) == ("BAD_INPUT", f"input.{field}")
    cleared = await ada.gql(update, input={"id": template["id"], "categoryId": None})
    assert cleared["updateQuestTemplate"]["categoryId"] is None
