"""Lists of Amplify's models: every field can be filtered, long pages, indexes, conditions."""

import asyncio
from typing import Any

import pytest

from app.web.amplify.introspection import introspection
from app.web.amplify.models import MODELS, Model
from app.web.schema import build_schema
from tests.api import Person

CREATE_TASK = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }"
LIST_TASKS = """
query ($filter: ModelTaskFilterInput, $limit: Int, $nextToken: String) {
  listTasks(filter: $filter, limit: $limit, nextToken: $nextToken) {
    items { title } nextToken
  }
}
"""


async def create_task(person: Person, title: str, **fields: object) -> str:
    made = await person.gql(CREATE_TASK, input={"title": title, **fields})
    return str(made["createTask"]["id"])


async def task_titles(person: Person, query: str, **variables: object) -> tuple[list[str], Any]:
    (page,) = (await person.gql(query, **variables)).values()
    return [each["title"] for each in page["items"]], page["nextToken"]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_every_value_that_the_outputs_name_can_be_filtered(model: Model) -> None:
    schema = build_schema()._schema
    fields = introspection(schema)["models"][model.name]["fields"]
    plain = [each for each in fields.values() if not isinstance(each["type"], dict)]
    values = {each["name"] for each in plain} | {
        name for name, each in fields.items() if "enum" in each["type"]
    }
    for kind in ("", "Subscription"):
        filter: Any = schema.type_map[f"Model{kind}{model.name}FilterInput"]
        assert values - set(filter.fields) == set()
    condition: Any = schema.type_map[f"Model{model.name}ConditionInput"]
    assert values - set(condition.fields) == {"id"}


@pytest.mark.parametrize(
    ("filter", "expected"),
    [
        ({"done": {"eq": True}}, ["done"]),
        ({"done": {"ne": True}}, ["late", "linked"]),
        ({"not": {"done": {"eq": False}}}, ["done"]),
        ({"goalId": {"attributeExists": True}}, ["linked"]),
        ({"urgency": {"eq": 0}}, ["done"]),
        ({"urgency": {"gt": 0}, "title": {"beginsWith": "l"}}, ["late", "linked"]),
        ({"not": {"urgency": {"gt": 0}}}, ["done"]),
        ({"not": {"not": {"urgency": {"gt": 0}}}}, ["late", "linked"]),
        ({"or": [{"urgency": {"eq": 0}}, {"title": {"eq": "late"}}]}, ["late", "done"]),
        ({"and": [{"urgency": {"gt": 0}}, {"title": {"eq": "done"}}]}, []),
        ({"title": {"attributeType": "string"}}, ["late", "done", "linked"]),
        ({"size": {"attributeType": "number"}}, ["late"]),
        ({"size": {"attributeType": "_null"}}, ["done", "linked"]),
        ({"tags": {"attributeType": "list"}}, ["late", "done", "linked"]),
        ({"done": {"attributeType": "bool"}, "size": {"attributeType": "string"}}, []),
    ],
)
async def test_computed_values_and_types(
    ada: Person, filter: dict[str, Any], expected: list[str]
) -> None:
    goal = (await ada.gql('mutation { createGoal(input: {title: "g"}) { id } }'))["createGoal"]
    await create_task(ada, "late", dueDate="2020-01-01", size=5)
    done = await create_task(ada, "done")
    await ada.gql("mutation ($id: ID!) { completeTask(input: {id: $id}) { id } }", id=done)
    await create_task(ada, "linked", goalIds=[goal["id"]], dueDate="2020-01-01")
    assert await task_titles(ada, LIST_TASKS, filter=filter) == (expected, None)


async def test_lists_of_enum_values(ada: Person) -> None:
    create = "mutation ($input: CreateHabitInput!) { createHabit(input: $input) { id } }"
    for name, days in (("one", ["Mon"]), ("two", ["Mon", "Tue"])):
        await ada.gql(create, input={"name": name, "weekdays": days})
    query = (
        "query ($filter: ModelHabitFilterInput)"
        " { listHabits(filter: $filter) { items { title: name } nextToken } }"
    )
    contains = {"weekdays": {"contains": "Tue"}}
    assert await task_titles(ada, query, filter=contains) == (["two"], None)
    assert await task_titles(ada, query, filter={"weekdays": {"eq": ["Mon"]}}) == (["one"], None)
    none = {"weekdays": {"notContains": "Mon"}}
    assert await task_titles(ada, query, filter=none) == ([], None)


async def test_pages_by_computed_values_are_full_and_continue(ada: Person) -> None:
    for n in range(6):
        await create_task(ada, f"open {n}", dueDate="2020-01-01")
        done = await create_task(ada, f"done {n}")
        await ada.gql("mutation ($id: ID!) { completeTask(input: {id: $id}) { id } }", id=done)
    filter = {"urgency": {"gt": 0}}
    found, token = [], None
    for size in (4, 2):
        titles, token = await task_titles(ada, LIST_TASKS, filter=filter, limit=4, nextToken=token)
        assert len(titles) == size
        found += titles
    assert (found, token) == ([f"open {n}" for n in range(6)], None)


async def test_a_page_holds_up_to_1000_rows(ada: Person) -> None:
    for batch in range(0, 130, 10):
        await asyncio.gather(*(create_task(ada, f"t{n}") for n in range(batch, batch + 10)))
    assert len((await task_titles(ada, LIST_TASKS))[0]) == 100
    titles, token = await task_titles(ada, LIST_TASKS, limit=1000)
    assert (len(titles), token) == (130, None)
    assert len((await task_titles(ada, LIST_TASKS, limit=5000))[0]) == 130
    titles, token = await task_titles(ada, LIST_TASKS, limit=120)
    assert len(titles) == 120
    assert len((await task_titles(ada, LIST_TASKS, limit=120, nextToken=token))[0]) == 10
    assert (await ada.refused(LIST_TASKS, limit=0)).code == "BAD_INPUT"


BY_STATUS_AND_DUE = """
query ($status: TaskStatus!, $dueDate: ModelStringKeyConditionInput,
       $sortDirection: ModelSortDirection, $filter: ModelTaskFilterInput,
       $limit: Int, $nextToken: String) {
  listTaskByStatusAndDueDate(status: $status, dueDate: $dueDate, sortDirection: $sortDirection,
      filter: $filter, limit: $limit, nextToken: $nextToken) { items { title } nextToken }
}
"""


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (None, ["a", "b", "c"]),
        ({"eq": "2031-02-01"}, ["b"]),
        ({"ge": "2031-02-01"}, ["b", "c"]),
        ({"gt": "2031-02-01"}, ["c"]),
        ({"le": "2031-02-01"}, ["a", "b"]),
        ({"lt": "2031-02-01"}, ["a"]),
        ({"between": ["2031-01-15", "2031-02-15"]}, ["b"]),
        ({"beginsWith": "2031-0"}, ["a", "b", "c"]),
        ({"beginsWith": "2031-03"}, ["c"]),
    ],
)
async def test_an_index_in_both_directions(
    ada: Person, condition: dict[str, Any] | None, expected: list[str]
) -> None:
    await create_task(ada, "c", dueDate="2031-03-01")
    await create_task(ada, "a", dueDate="2031-01-01")
    await create_task(ada, "b", dueDate="2031-02-01")
    await create_task(ada, "no due date")
    await create_task(ada, "other status", dueDate="2031-02-01", status="OnHold")
    given = {"status": "NotStarted", "dueDate": condition}
    assert await task_titles(ada, BY_STATUS_AND_DUE, **given) == (expected, None)
    backwards = given | {"sortDirection": "DESC"}
    assert await task_titles(ada, BY_STATUS_AND_DUE, **backwards) == (expected[::-1], None)


async def test_an_index_with_pages_and_a_filter(ada: Person, bob: Person) -> None:
    for n in range(1, 6):
        await create_task(ada, f"{'odd' if n % 2 else 'even'} {n}", dueDate=f"2031-01-0{n}")
    given = {"status": "NotStarted", "filter": {"title": {"beginsWith": "odd"}}, "limit": 2}
    given["sortDirection"] = "DESC"
    titles, token = await task_titles(ada, BY_STATUS_AND_DUE, **given)
    assert titles == ["odd 5", "odd 3"]
    last = await task_titles(ada, BY_STATUS_AND_DUE, **given, nextToken=token)
    assert last == (["odd 1"], None)
    assert await task_titles(bob, BY_STATUS_AND_DUE, **given) == ([], None)
    for wrong in ({"ge": "soon"}, {"between": ["2031-01-01"]}):
        refused = await ada.refused(BY_STATUS_AND_DUE, status="NotStarted", dueDate=wrong)
        assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "dueDate")


@pytest.mark.parametrize("name", ["Goal", "Project"])
async def test_indexes_by_status_and_area(ada: Person, name: str) -> None:
    title = "title" if name == "Goal" else "name"
    for n in range(3):
        fields = f'{title}: "{n}", area: "Health"'
        await ada.gql(f"mutation {{ create{name}(input: {{{fields}}}) {{ id }} }}")
    query = f"""{{
      list{name}ByAreaAndCreatedAt(area: " Health ", sortDirection: DESC) {{
        items {{ title: {title} createdAt }} nextToken
      }}
    }}"""
    (page,) = (await ada.gql(query)).values()
    assert [each["title"] for each in page["items"]] == ["2", "1", "0"]
    newest = page["items"][0]["createdAt"]
    query = f"""query ($since: String!) {{
      list{name}ByAreaAndCreatedAt(area: "Health", createdAt: {{ge: $since}}) {{
        items {{ title: {title} }} nextToken
      }}
    }}"""
    titles, _ = await task_titles(ada, query, since=newest)
    assert titles[-1] == "2"


UPDATE_IF = """
mutation ($input: UpdateTaskInput!, $condition: ModelTaskConditionInput) {
  updateTask(input: $input, condition: $condition) { title version }
}
"""


async def test_an_update_under_a_condition(ada: Person) -> None:
    id = await create_task(ada, "first", size=5)
    change = {"id": id, "title": "second"}
    refused = await ada.refused(UPDATE_IF, input=change, condition={"size": {"gt": 5}})
    assert refused.code == "CONDITION_FAILED"
    assert refused.errors[0]["errorType"] == "DynamoDB:ConditionalCheckFailedException"
    assert await task_titles(ada, LIST_TASKS) == (["first"], None)
    made = await ada.gql(UPDATE_IF, input=change, condition={"size": {"eq": 5}})
    assert made["updateTask"] == {"title": "second", "version": 2}
    computed = await ada.gql(UPDATE_IF, input=change, condition={"done": {"eq": False}})
    assert computed["updateTask"]["title"] == "second"
    missing = {"id": "no-such-id", "title": "x"}
    refused = await ada.refused(UPDATE_IF, input=missing, condition={"size": {"eq": 5}})
    assert refused.code == "NOT_FOUND"
    stale = change | {"expectedVersion": 1}
    refused = await ada.refused(UPDATE_IF, input=stale, condition={"size": {"eq": 5}})
    assert refused.code == "CONFLICT"
    deep: dict[str, Any] = {"not": {"not": {"not": {"not": {"not": {}}}}}}
    refused = await ada.refused(UPDATE_IF, input=change, condition=deep)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "condition")


async def test_of_racing_updates_under_a_condition_one_wins(ada: Person) -> None:
    id = await create_task(ada, "free")
    condition = {"title": {"eq": "free"}}

    async def take(number: int) -> bool:
        answer = await ada.api.post(
            UPDATE_IF,
            headers=ada.headers,
            input={"id": id, "title": f"taken by {number}"},
            condition=condition,
        )
        return "errors" not in answer.json()

    assert sum(await asyncio.gather(*(take(n) for n in range(8)))) == 1


async def test_a_deletion_and_a_creation_under_a_condition(ada: Person) -> None:
    id = await create_task(ada, "kept")
    delete = """
    mutation ($id: ID!, $condition: ModelTaskConditionInput) {
      deleteTask(input: {id: $id}, condition: $condition) { id }
    }
    """
    refused = await ada.refused(delete, id=id, condition={"title": {"ne": "kept"}})
    assert refused.code == "CONDITION_FAILED"
    assert await task_titles(ada, LIST_TASKS) == (["kept"], None)
    gone = await ada.gql(delete, id=id, condition={"title": {"eq": "kept"}})
    assert gone["deleteTask"] == {"id": id}
    create = """
    mutation ($input: CreateTaskInput!, $condition: ModelTaskConditionInput) {
      createTask(input: $input, condition: $condition) { title }
    }
    """
    for condition in ({"title": {"eq": "new"}}, {"title": {"attributeExists": True}}):
        refused = await ada.refused(create, input={"title": "new"}, condition=condition)
        assert refused.code == "CONDITION_FAILED"
    assert await task_titles(ada, LIST_TASKS) == ([], None)
    absent = {"title": {"attributeExists": False}}
    made = await ada.gql(create, input={"title": "new"}, condition=absent)
    assert made["createTask"] == {"title": "new"}
    twice = {"title": "new", "idempotencyKey": "one-and-the-same"}
    refused = await ada.refused(create, input=twice, condition=absent)
    assert (refused.code, refused.info["field"]) == ("BAD_INPUT", "condition")
