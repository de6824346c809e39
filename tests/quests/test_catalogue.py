"""Categories that count, templates that do not follow."""

import asyncio
from typing import Any

from app.domains.quests import keys
from app.table.gateway import Gateway
from tests.api import Person
from tests.quests.operations import INPUT, create, do, mutation, refused
from tests.quests.test_lists import QUESTS, ids, read

CATEGORY = "id name description questCount version"
TEMPLATE = """
  id title description defaultRewards { xp reputation } tags requirements categoryId maxPerformers
  individualRewards dualAttestation version
"""


async def category(judge: Person, name: str = "Garden") -> Any:
    query = mutation("createQuestCategory", CATEGORY)
    return (await judge.gql(query, input={"name": name}))["createQuestCategory"]


async def count(table: Gateway, category_id: str) -> int:
    found = await table.get(keys.category(category_id))
    assert found is not None
    return found.quest_count


async def test_a_category_counts_its_quests(ada: Person, judge: Person, table: Gateway) -> None:
    one, two = await category(judge, "Garden"), await category(judge, "House")
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
    shelf = await category(judge, "  Old  name ")
    assert shelf["name"] == "Old name"
    for name, fields in (
        ("createQuestCategory", {"name": "Mine"}),
        ("updateQuestCategory", {"id": shelf["id"], "name": "Mine"}),
        ("deleteQuestCategory", {"id": shelf["id"]}),
    ):
        assert (await ada.refused(mutation(name, "id"), input=fields)).code == "FORBIDDEN"
    update = mutation("updateQuestCategory", CATEGORY)
    changed = await judge.gql(update, input={"id": shelf["id"], "description": "Green things"})
    assert changed["updateQuestCategory"]["description"] == "Green things"
    assert changed["updateQuestCategory"]["name"] == "Old name"
    stale = {"id": shelf["id"], "name": "X y", "expectedVersion": 1}
    assert (await judge.refused(update, input=stale)).code == "CONFLICT"
    query = "query ($id: ID!) { questCategory(id: $id) { name } }"
    assert (await ada.gql(query, id=shelf["id"]))["questCategory"] == {"name": "Old name"}
    assert (await ada.gql(query, id="nope"))["questCategory"] is None
    listed = """query ($limit: Int, $nextToken: String) {
      questCategories(limit: $limit, nextToken: $nextToken) { items { id name } nextToken } }"""
    found = await read(ada, listed, 2, "questCategories")
    assert shelf["id"] in ids(found)
    names = [each["name"].casefold() for each in found]
    assert names == sorted(names)


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
