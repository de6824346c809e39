"""What a request may hold is measured before anything is coerced."""

import pytest
from graphql import OperationDefinitionNode, parse

from app.core.errors import BadInput, LimitExceeded
from app.web.schema import build_schema
from app.web.variables import VariableLimits
from tests.api import Api, Person

LIMITS = VariableLimits(build_schema()._schema)
LIST_GOALS = "query ($f: ModelGoalFilterInput) { listGoals(filter: $f) { items { id } } }"
COMMIT = "mutation ($i: CommitValuesInput!) { commitValues(input: $i) { head } }"
CREATE = "mutation ($i: CreateTaskInput!) { createTask(input: $i) { id } }"


def measure(query: str, **variables: object) -> int:
    operation = parse(query).definitions[0]
    assert isinstance(operation, OperationDefinitionNode)
    return LIMITS.measure(operation, variables)


@pytest.mark.parametrize(
    ("query", "variables", "field", "most"),
    [
        (LIST_GOALS, {"f": {"and": [{}] * 101}}, "filter.and", 100),
        (LIST_GOALS, {"f": {"and": [{"or": [{}] * 101}]}}, "filter.and.0.or", 100),
        (COMMIT, {"i": {"operations": [{}] * 5_001}}, "input.operations", 5_000),
        (CREATE, {"i": {"title": "t", "tags": ["a"] * 11}}, "input.tags", 10),
        ("query ($x: [ID!]!) { nodes(ids: $x) { id } }", {"x": ["a"] * 101}, "ids", 100),
    ],
)
def test_a_list_is_as_long_as_its_rule_allows(
    query: str, variables: dict[str, object], field: str, most: int
) -> None:
    with pytest.raises(BadInput, match=f"at most {most} at once") as refused:
        measure(query, **variables)
    assert refused.value.info["field"] == field


def test_what_is_within_its_lists_may_still_be_too_much() -> None:
    with pytest.raises(LimitExceeded):
        measure(LIST_GOALS, f={"and": [{"or": [{"and": [{}] * 100}] * 100}] * 100})


def test_a_commit_of_the_largest_tree_passes() -> None:
    add = {"nodeType": "ACTION", "title": "t", "driverId": "d", "parentIds": ["p"]}
    assert measure(COMMIT, i={"operations": [{"add": add}] * 5_000}) > 50_000


def test_few_values_take_few_visits() -> None:
    assert measure(CREATE, i={"title": "t"}) < 100


async def test_a_list_that_is_too_long_names_its_field(ada: Person) -> None:
    failed = await ada.refused(CREATE, i={"title": "t", "tags": ["a"] * 1_000})
    assert (failed.code, failed.info["field"]) == ("BAD_INPUT", "input.tags")


async def test_without_credentials_nothing_is_read(api: Api) -> None:
    answer = await api.post(COMMIT, i={"operations": [{"no": "such field"}] * 5_000})
    (error,) = answer.json()["errors"]
    assert error["extensions"]["code"] == "UNAUTHENTICATED"
    assert error["path"] == ["commitValues"]


async def test_with_one_open_field_the_others_are_refused_alone(api: Api) -> None:
    answer = (await api.post('{ __typename a: user(id: "u") { id } }')).json()
    assert answer["data"] == {"__typename": "Query", "a": None}
    assert [error["path"] for error in answer["errors"]] == [["a"]]


async def test_more_values_than_a_request_may_hold(api: Api) -> None:
    answer = await api.post("{ __typename }", values=[{}] * 50_000)
    assert answer.status_code == 413
    assert answer.json()["errors"][0]["extensions"]["code"] == "LIMIT_EXCEEDED"
