"""A root field that fails is null; the others of the same request answer."""

from pathlib import Path

from graphql import GraphQLNonNull, build_schema

from tests.api import Api, Person

BOTH = """
mutation ($title: String!) {
  made: createTask(input: {title: $title}) { id title }
  refused: deleteTask(input: {id: "nothing"}) { id }
  after: createTask(input: {title: "After it"}) { title }
}
"""


async def test_a_refused_mutation_does_not_hide_what_others_created(ada: Person) -> None:
    answer = (await ada.api.post(BOTH, headers=ada.headers, title="Kept")).json()
    assert answer["data"]["made"]["title"] == "Kept"
    assert answer["data"]["refused"] is None
    assert answer["data"]["after"] == {"title": "After it"}
    (error,) = answer["errors"]
    assert (error["path"], error["extensions"]["code"]) == (["refused"], "NOT_FOUND")
    stored = await ada.gql(
        "query ($id: ID!) { task(id: $id) { title } }", id=answer["data"]["made"]["id"]
    )
    assert stored == {"task": {"title": "Kept"}}


async def test_a_refused_query_does_not_hide_its_siblings(ada: Person) -> None:
    query = "{ me { nickname } timeline(limit: 0) { nextToken } wallet { balance } }"
    answer = (await ada.api.post(query, headers=ada.headers)).json()
    assert answer["data"] == {
        "me": {"nickname": ada.nickname},
        "timeline": None,
        "wallet": {"balance": 0},
    }
    assert [error["path"] for error in answer["errors"]] == [["timeline"]]


async def test_public_fields_answer_beside_one_that_needs_a_user(api: Api) -> None:
    answer = (await api.post("{ popularSkills(limit: 1) { nextToken } me { id } }")).json()
    assert answer["data"]["me"] is None
    assert {error["extensions"]["code"] for error in answer["errors"]} == {"UNAUTHENTICATED"}


def test_every_query_and_mutation_is_nullable(root: Path) -> None:
    schema = build_schema((root / "schema.graphql").read_text())
    roots = (schema.query_type, schema.mutation_type)
    fields = {name: field for root in roots if root for name, field in root.fields.items()}
    assert len(fields) > 200
    assert [name for name, each in fields.items() if isinstance(each.type, GraphQLNonNull)] == []
