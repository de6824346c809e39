"""Who asks for little makes the table send little; whatever is asked for, the answer is right."""

from typing import Any

import pytest
from graphql import GraphQLList, GraphQLObjectType, get_named_type, is_leaf_type
from strawberry.utils.str_converters import to_camel_case

from app.core.record import READS
from app.table.entity import ENTITIES
from app.web.schema import build_schema
from tests.api import Api, Person
from tests.goals.test_progress import create
from tests.goals.world import do, goal, project, task
from tests.quests import play
from tests.servers import RunningServer
from tests.table.test_partial import Wire

SCHEMA = build_schema()._schema
LONG = ("All of them, and the ones in the kitchen too. " * 20).strip()
QUESTS = """
query ($id: ID!, $full: Boolean = false) {
  questsByCreator(creatorId: $id, limit: 20) { items { %s } nextToken @include(if: $full) }
}
"""
FRAGMENTS = {
    "Much": "fragment Much on Node { id ...More }",
    "More": "fragment More on Quest { ...Little ... on Quest { description } }",
    "Little": "fragment Little on Quest { id title }",
}
LEAN = [
    "id title",
    "__typename id title status tags rewardXp performers createdAt",
    "a: id b: title",
    "...Little",
    "... on Quest { id title }",
    "... on Node { id version }",
    "id title description @include(if: $full)",
    "id title ...More @include(if: $full)",
    "id ... @include(if: $full) { description requirements } title",
    "id description @skip(if: true)",
    "id title creator { id nickname } performer { id } history { items { id } }",
]
FULL = [
    "id title description",
    "a: description",
    "...More",
    "...Little ...More",
    "... on Node { id ... on Quest { d: description } }",
    "...Much",
    "id description @include(if: true)",
    "id description @skip(if: $full)",
    "id title checklist { text done }",
]


@pytest.fixture(scope="module")
async def creator(api: Api) -> Person:
    ada = await api.sign_up()
    for number in range(20):
        words = {"title": f"Plants {number}", "description": LONG, "tags": ["lean"]}
        await play.create(
            ada, **words, requirements=[f"{n} {LONG[:170].strip()}" for n in range(5)]
        )
    return ada


def quests(fields: str) -> str:
    """With the fragments that it needs, and no others."""
    query = QUESTS % fields
    for name, fragment in FRAGMENTS.items():
        query += fragment if f"...{name}" in query else ""
    return query


async def asked(
    server: RunningServer, person: Person, query: str, **variables: object
) -> tuple[Any, int]:
    """The answer, and how many bytes of the table's went into it."""
    with Wire(server.app.state.resources.table) as wire:
        answer = await person.gql(query, **variables)
    return answer, wire.bytes


@pytest.mark.parametrize("fields", LEAN)
async def test_long_texts_that_nobody_wants_do_not_travel(
    creator: Person, server: RunningServer, fields: str
) -> None:
    query = quests(f"{fields} ...Little")
    lean, size = await asked(server, creator, query, id=creator.id)
    assert size < 40_000
    assert len(lean["questsByCreator"]["items"]) == 20
    whole = quests(f"{fields} ...Little whole: description list: checklist {{ text }}")
    all_of_it, size = await asked(server, creator, whole, id=creator.id)
    assert size > 40_000
    for row in all_of_it["questsByCreator"]["items"]:
        assert (row.pop("whole"), len(row.pop("list"))) == (LONG, 5)
    assert lean["questsByCreator"]["items"] == all_of_it["questsByCreator"]["items"]


@pytest.mark.parametrize("fields", FULL)
async def test_what_is_asked_for_comes_whole(
    creator: Person, server: RunningServer, fields: str
) -> None:
    query = quests(f"{fields} own: description ...Little")
    answer, _ = await asked(server, creator, query, id=creator.id)
    alone, _ = await asked(server, creator, quests(fields), id=creator.id)
    for row, same in zip(
        answer["questsByCreator"]["items"], alone["questsByCreator"]["items"], strict=True
    ):
        assert same == {name: row[name] for name in same}


QUEST_LISTS = [
    'quests(tag: "lean", limit: 20) { items { %s } }',
    "quests(limit: 20) { items { %s } }",
    'questsByCreator(creatorId: "$id", limit: 20) { items { %s } }',
]


@pytest.mark.parametrize("field", QUEST_LISTS, ids=["tag", "status", "creator"])
async def test_every_list_of_quests(creator: Person, server: RunningServer, field: str) -> None:
    field = f"query {{ list: {field.replace('$id', creator.id)} }}"
    lean, small = await asked(server, creator, field % "id title")
    full, large = await asked(server, creator, field % "id title description checklist { text }")
    assert small < 25_000 < 50_000 < large
    rows = full["list"]["items"]
    assert lean["list"]["items"] == [{"id": row["id"], "title": row["title"]} for row in rows]


async def test_pages_go_on_where_they_ended(creator: Person) -> None:
    query = """
    query ($id: ID!, $token: String) {
      questsByCreator(creatorId: $id, limit: 7, nextToken: $token) { items { title } nextToken }
    }
    """
    seen: list[str] = []
    token = None
    for _ in range(3):
        page = (await creator.gql(query, id=creator.id, token=token))["questsByCreator"]
        seen += [each["title"] for each in page["items"]]
        token = page["nextToken"]
    assert token is None
    assert seen == [f"Plants {number}" for number in reversed(range(20))]


async def test_one_quest(creator: Person, server: RunningServer, bob: Person) -> None:
    made = await play.submitted(creator, bob, requirements=["All"], description=LONG)
    lean = "query ($id: ID!) { quest(id: $id) { title status performers } }"
    answer, small = await asked(server, creator, lean, id=made["id"])
    assert answer["quest"] == {
        "title": made["title"],
        "status": "PENDING_REVIEW",
        "performers": [bob.id],
    }
    answer, large = await asked(server, creator, play.GET, id=made["id"])
    assert answer["quest"] == made
    assert small + 1_000 < large


async def test_what_the_clock_does_and_who_may_see_it_hold_for_a_part_too(
    creator: Person, bob: Person, api: Api
) -> None:
    """A stranger's view blanks texts; here one of them was not even read."""
    made = await play.submitted(creator, bob)
    stranger = await api.sign_up()
    query = "query ($id: ID!) { quest(id: $id) { status %s } }"
    assert (await stranger.gql(query % "submission", id=made["id"]))["quest"] == {
        "status": "PENDING_REVIEW",
        "submission": None,
    }
    assert (await stranger.gql(query % "", id=made["id"]))["quest"] == {"status": "PENDING_REVIEW"}


OWN = {
    "Goal": ("goals", "title", ["description", "notes"]),
    "Task": ("tasks", "title", ["description", "extendedDescription", "notes", "nlpPlan"]),
    "Project": ("projects", "name", ["description", "notes"]),
}
LISTS = [
    ("goals", ""),
    ("goals", "(status: Active)"),
    ("goals", '(area: "Health")'),
    ("goals", "(timeHorizon: Yearly)"),
    ("goals", '(tag: "lean")'),
    ("tasks", ""),
    ("tasks", "(status: NotStarted)"),
    ("tasks", '(area: "Health")'),
    ("tasks", '(tag: "lean")'),
    ("tasks", "(orderBy: DUE)"),
    ("tasks", '(dueAfter: "2026-01-01")'),
    ("projects", ""),
    ("projects", "(status: Planning)"),
    ("projects", '(area: "Health")'),
]


@pytest.fixture(scope="module")
async def owner(api: Api) -> Person:
    ada = await api.sign_up()
    for number in range(5):
        area = {"area": "Health"}
        words = dict.fromkeys(OWN["Goal"][2], LONG)
        await goal(
            ada,
            title=f"g{number}",
            status="Active",
            timeHorizon="Yearly",
            tags=["lean"],
            **area,
            **words,
        )
        words = dict.fromkeys(OWN["Task"][2], LONG)
        due = {"dueDate": f"2026-02-0{number + 1}"} if number < 3 else {}
        await task(ada, title=f"t{number}", tags=["lean"], **area, **words, **due)
        await project(ada, name=f"p{number}", **area, **dict.fromkeys(OWN["Project"][2], LONG))
    return ada


@pytest.mark.parametrize(("root", "arguments"), LISTS)
async def test_lists_of_ones_own(
    owner: Person, server: RunningServer, root: str, arguments: str
) -> None:
    name, heavy = next((name, heavy) for each, name, heavy in OWN.values() if each == root)
    query = f"{{ {root}{arguments} {{ items {{ id {name} version %s }} nextToken }} }}"
    lean, small = await asked(server, owner, query % "")
    full, large = await asked(server, owner, query % " ".join(heavy))
    rows = full[root]["items"]
    assert rows
    assert small + 1_000 * len(rows) < large
    assert all(row.pop(each) == LONG for row in rows for each in heavy)
    assert lean[root]["items"] == rows


@pytest.mark.parametrize("kind", OWN)
async def test_one_of_ones_own(owner: Person, server: RunningServer, kind: str) -> None:
    root, name, heavy = OWN[kind]
    listed = f"{{ {root}(limit: 1) {{ items {{ id }} }} }}"
    id = (await owner.gql(listed))[root]["items"][0]["id"]
    query = f"query ($id: ID!) {{ {kind.lower()}(id: $id) {{ {name} %s }} }}"
    lean, small = await asked(server, owner, query % "", id=id)
    full, large = await asked(server, owner, query % " ".join(heavy), id=id)
    assert small + 1_000 < large
    assert lean[kind.lower()] == {name: full[kind.lower()][name]}


def fields_that_say_what_they_read() -> list[tuple[str, str, Any]]:
    return [
        (kind.name, name, field)
        for kind in map(SCHEMA.get_type, [*OWN, "Quest"])
        if isinstance(kind, GraphQLObjectType)
        for name, field in kind.fields.items()
        if READS in field.extensions["strawberry-definition"].metadata
    ]


def below(kind: Any, deep: int = 0) -> str:
    """Every leaf of a type, through pages and lists."""
    named = get_named_type(kind)
    if is_leaf_type(named):
        return ""
    inner = " ".join(
        f"{name} {below(each.type, deep + 1)}"
        for name, each in named.fields.items()
        if is_leaf_type(get_named_type(each.type)) or (name in ("items", "parts") and deep < 2)
    )
    return f"{{ {inner} }}"


@pytest.fixture(scope="module")
async def linked(api: Api) -> tuple[Person, dict[str, str]]:
    """One of each kind, with everything that a computed field may lead to."""
    ada, bob = await api.sign_up(), await api.sign_up()
    top = await goal(ada, title="top")
    metric, habit = await create(ada, "Metric", name="m"), await create(ada, "Habit", name="h")
    target = await goal(
        ada,
        title="g",
        parentGoalId=top["id"],
        successCriteria=[{"text": "c"}],
    )
    await do(ada, "linkToGoal", goalId=target["id"], metricId=metric)
    await do(ada, "linkToGoal", goalId=target["id"], habitId=habit)
    await goal(ada, title="child", parentGoalId=target["id"])
    await do(ada, "createMilestone", goalId=target["id"], name="m", percentage=50)
    garden = await project(ada, name="p", goalIds=[target["id"]])
    before = await task(ada, title="before")
    work = await task(
        ada,
        title="t",
        goalIds=[target["id"]],
        projectIds=[garden["id"]],
        dependsOnIds=[before["id"]],
    )
    await task(ada, title="after", dependsOnIds=[work["id"]])
    quest = await play.submitted(ada, bob, requirements=["All"])
    made = {"Goal": target, "Task": work, "Project": garden, "Quest": quest}
    return ada, {kind: each["id"] for kind, each in made.items()}


@pytest.mark.parametrize(
    ("kind", "name", "field"),
    [pytest.param(*each, id=".".join(each[:2])) for each in fields_that_say_what_they_read()],
)
async def test_a_computed_field_reads_no_more_than_it_says(
    linked: tuple[Person, dict[str, str]], kind: str, name: str, field: Any
) -> None:
    """The same, whether its record was read whole (by node) or without what it does not read."""
    ada, ids = linked
    inner = f"{name} {below(field.type)}"
    lean = f"query ($id: ID!) {{ {kind.lower()}(id: $id) {{ {inner} }} }}"
    whole = f"query ($id: ID!) {{ node(id: $id) {{ ... on {kind} {{ {inner} }} }} }}"
    answer = (await ada.gql(lean, id=ids[kind]))[kind.lower()]
    assert answer == (await ada.gql(whole, id=f"{kind}:{ids[kind]}"))["node"]
    shown = answer[name]
    assert shown not in ([], {"items": []}), "nothing to compare"
    assert isinstance(field.type, GraphQLList) <= isinstance(shown, list)


@pytest.mark.parametrize("kind", [*OWN, "Quest"])
def test_only_texts_that_the_graph_shows_are_heavy(kind: str) -> None:
    """So a selection tells whether they are needed."""
    shown = SCHEMA.get_type(kind)
    assert isinstance(shown, GraphQLObjectType)
    names = {to_camel_case(name) for name in ENTITIES[kind].heavy}
    assert names
    assert names <= shown.fields.keys()
