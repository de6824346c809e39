"""What one client can send to hold up all others: bodies of POST /graphql, frames of a socket."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import orjson
from graphql import get_introspection_query

Body = Callable[[], bytes]
NUMBERS = count()

LIST_GOALS = "query ($f: ModelGoalFilterInput) { listGoals(filter: $f) { items { id } } }"
COMMIT = "mutation ($i: CommitValuesInput!) { commitValues(input: $i) { head } }"
CREATE = "mutation ($i: CreateTaskInput!) { createTask(input: $i) { id } }"
NODES = "query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Goal { tasks { items { id } } } } }"
TASKS = "{ tasks(limit: 100) { items { id goals { id tasks(limit: 5) { items { id } } } } } }"
DASHBOARD = "dashboard { due { id } goals { id progress { percent } } habits { id streak } }"
GOALS = "goals(limit: 100) { items { id title } }"
SIGN_IN = '{ signIn(input: {email: "a@b.example", password: "wrong password"}) { expiresAt } }'
TYPES = "__schema { types { name fields { name description type { name } } } }"


@dataclass(frozen=True, slots=True)
class Attack:
    """`is_legal`: the server is expected to do the work. `varies`: another text each time.
    `over_socket`: the body is a frame, its NUMBER another each time."""

    name: str
    body: Body
    over_socket: bool = False
    signed_in: bool = False
    is_legal: bool = False
    varies: bool = False


def request(query: str, **variables: object) -> Body:
    return lambda: orjson.dumps({"query": query, "variables": variables})


def variables_text(text: str) -> Body:
    return f'{{"query":"{{__typename}}","variables":{text}}}'.encode


def repeated(field: str, times: int) -> str:
    return " ".join(f"a{number}: {field}" for number in range(times))


def nested_filter(levels: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for _ in range(levels):
        found = {"and": [found]}
    return found


def fragment_chain(length: int) -> str:
    links = (f"fragment F{n} on Query {{ ...F{n + 1} ...F{n + 1} }}" for n in range(length))
    return f"{{ ...F0 }} {' '.join(links)} fragment F{length} on Query {{ __typename }}"


def overlapping_fragments(number: int) -> str:
    spreads = " ".join(f"...O{n}" for n in range(number))
    bodies = (
        f"fragment O{n} on Goal {{ id title tasks {{ items {{ id }} }} }}" for n in range(number)
    )
    return f"{{ goals(limit: 20) {{ items {{ {spreads} }} }} }} {' '.join(bodies)}"


def new_drivers(number: int) -> dict[str, Any]:
    adds = [{"add": {"nodeType": "DRIVER", "title": f"d{n}"}} for n in range(number)]
    return {"message": "m", "operations": adds}


def bodies_without_credentials() -> Iterator[tuple[str, Body]]:
    yield "filter of 10,000 parts", request(LIST_GOALS, f={"and": [{}] * 10_000})
    yield "filter of 100,000 parts", request(LIST_GOALS, f={"and": [{}] * 100_000})
    yield "filter nested 90 deep", request(LIST_GOALS, f=nested_filter(90))
    yield "300,000 empty operations", request(COMMIT, i={"operations": [{}] * 300_000})
    yield "200,000 numbers as operations", request(COMMIT, i={"operations": [*range(200_000)]})
    yield "100,000 ids", request(NODES, ids=["x"] * 100_000)
    yield "100,000 tags", request(CREATE, i={"title": "t", "tags": ["x"] * 100_000})
    yield "30,000 unknown input fields", request(CREATE, i={f"f{n}": n for n in range(30_000)})
    yield (
        "30,000 undeclared variables",
        request("{ me { id } }", **{f"v{n}": n for n in range(30_000)}),
    )
    yield "JSON nested 100,000 deep", variables_text("[" * 100_000)
    yield "300,000 empty objects", variables_text("[" + "{}," * 300_000 + "{}]")
    yield "a string of 900,000 characters", request(CREATE, i={"title": "x" * 900_000})
    yield "150,000 escapes", variables_text('{"a":"' + "\\u0041" * 150_000 + '"}')
    yield "a number of 900,000 digits", variables_text('{"a":' + "9" * 900_000 + "}")
    yield "300,000 quotes", ('"\\"' * 300_000).encode
    yield "a query of 900,000 characters", request("{ " + "a " * 450_000 + "}")
    yield "49,000 brackets", request("{" * 49_000)
    yield "600 aliases", request("{ " + repeated("__typename", 600) + " }")
    yield "fragment bomb", request(fragment_chain(120))
    yield "fragment cycle", request("{ ...A } fragment A on Query { ...A }")
    yield "450 unknown fields", request("{ " + " ".join(f"goalz{n}" for n in range(450)) + " }")
    yield "450 unknown arguments", request("{ me(" + repeated("1", 450) + ") { id } }")
    yield "450 directives", request("{ me { id " + "@skip(if: false) " * 450 + "} }")
    yield "literal list of 1,900 ids", request("{ nodes(ids: [" + '"x" ' * 1_900 + "]) { id } }")
    literal = "{and: [" * 190 + "]}" * 190
    yield "literal nested 190 deep", request(f"{{ listGoals(filter: {literal}) {{ nextToken }} }}")
    yield "20 introspections", request("{ " + repeated(TYPES, 20) + " }")
    yield "limit of 4,301 digits", request("{ tasks(limit: " + "9" * 4_301 + ") { nextToken } }")


def legal_bodies_without_credentials() -> Iterator[tuple[str, Body]]:
    yield "introspection", request(get_introspection_query())
    yield "9 introspections", request("{ " + repeated(TYPES, 9) + " }")
    yield "wrong passwords", request(f"mutation {SIGN_IN}")


def legal_bodies() -> Iterator[tuple[str, Body]]:
    yield "filter of 100 parts", request(LIST_GOALS, f={"and": [{}] * 100})
    yield "100 tasks with goals with tasks", request(TASKS)
    yield (
        "20 x 100 goals",
        request("{ " + repeated(GOALS, 20) + " }"),
    )
    yield "overlapping fragments", request(overlapping_fragments(20))
    yield "nodes with 100 ids", request(NODES, ids=[f"id{n}" for n in range(100)])
    yield "20 dashboards", request("{ " + repeated(DASHBOARD, 20) + " }")
    yield "a commit of 500 nodes", request(COMMIT, i=new_drivers(500))


def frames() -> Iterator[tuple[str, Body, bool]]:
    """Each with whether it is legal."""
    yield "frames nested 30,000 deep", lambda: b'{"type":' + b"[" * 30_000, False
    yield "frames of 30,000 values", frame("ping", {"a": [1] * 30_000}), False
    yield "frames of pings", frame("ping", {}), True
    yield "frames of 20 x 100 goals", subscribe("{ " + repeated(GOALS, 20) + " }"), True
    yield "frames of dashboards", subscribe(f"{{ {DASHBOARD} }}"), True
    yield "frames of subscriptions", subscribe("subscription { onTaskChanged { id } }"), True


def frame(kind: str, payload: object) -> Body:
    return lambda: orjson.dumps({"type": kind, "id": "NUMBER", "payload": payload})


def subscribe(query: str) -> Body:
    return frame("subscribe", {"query": query})


def a_new_text() -> bytes:
    return orjson.dumps({"query": f"{{ __typename }} # {'x' * 40_000} {next(NUMBERS)}"})


ATTACKS = [
    *(Attack(name, body) for name, body in bodies_without_credentials()),
    *(Attack(name, body, is_legal=True) for name, body in legal_bodies_without_credentials()),
    Attack("a new text each time", a_new_text, is_legal=True, varies=True),
    Attack(
        "10,000 parts, signed in", request(LIST_GOALS, f={"and": [{}] * 10_000}), signed_in=True
    ),
    Attack(
        "5,001 operations, signed in",
        request(COMMIT, i={"operations": [{}] * 5_001}),
        signed_in=True,
    ),
    *(Attack(name, body, signed_in=True, is_legal=True) for name, body in legal_bodies()),
    *(
        Attack(name, body, over_socket=True, signed_in=True, is_legal=is_legal)
        for name, body, is_legal in frames()
    ),
]
