"""Limits on documents: exact counts, fragment bombs, and queries that must pass."""

import pytest
from graphql import (
    GraphQLError,
    GraphQLSchema,
    build_schema,
    get_introspection_query,
    parse,
    specified_rules,
    validate,
)
from hypothesis import given
from hypothesis import strategies as st

from app.web import limits as limits_module
from app.web.cost import cost_breach, query_cost, worst_cost
from app.web.limits import COUNT_CAP, Limits, first_breach, limits_rule, parse_query

LIMITS = Limits()
SCHEMA: GraphQLSchema = build_schema(
    """
    type Query { a: Query b: String goals(limit: Int): Goals goal: Goal skills(limit: Int): [Goal] }
    type Goals { items: [Goal] nextToken: String }
    type Goal { id: ID title: String tasks(limit: Int): Goals }
    type Mutation { redeem: String }
    """
)


def breach(text: str, limits: Limits = LIMITS) -> str | None:
    found = first_breach(parse(text), limits)
    return found.message if found else None


def refusals(text: str) -> list[GraphQLError]:
    return validate(SCHEMA, parse(text), [*specified_rules, limits_rule(LIMITS)])


def nested(levels: int) -> str:
    return "{" + "a{" * (levels - 1) + "b" + "}" * levels


def doubling(fragments: int, leaf: str) -> str:
    links = (f"fragment F{i} on Query {{ ...F{i + 1} ...F{i + 1} }}" for i in range(fragments))
    return "{ ...F0 } " + " ".join(links) + f" fragment F{fragments} on Query {{ {leaf} }}"


def test_depth_stops_at_its_limit() -> None:
    assert breach(nested(15)) is None
    assert breach(nested(16)) == "This query has 16 levels; the limit is 15."


def test_depth_50_is_refused_once_with_its_code_and_place() -> None:
    (error,) = refusals(nested(50))
    assert error.message == "This query has 50 levels; the limit is 15."
    assert error.extensions == {"code": "QUERY_TOO_COMPLEX"}
    assert [(place.line, place.column) for place in error.locations or ()] == [(1, 1)]


def test_depth_goes_through_fragments() -> None:
    tail = "fragment F on Query { a { a { b } } }"
    assert breach(f"{{ a {{ ...F }} }} {tail}", Limits(depth=4)) is None
    assert breach(f"{{ a {{ a {{ ...F }} }} }} {tail}", Limits(depth=4)) is not None


def test_fields_aliases_and_directives_stop_at_their_limits() -> None:
    roots = Limits(root_fields=10**6, pairs=10**6)
    assert breach("{" + "b " * 500 + "}", roots) is None
    assert breach("{" + "b " * 501 + "}", roots) == "This query has 501 fields; the limit is 500."
    aliases = [f"x{i}: b" for i in range(51)]
    assert breach("{" + " ".join(aliases[:50]) + "}", roots) is None
    assert breach("{" + " ".join(aliases) + "}", roots) == (
        "This query has 51 aliases; the limit is 50."
    )
    assert breach("{ b " + "@skip(if: false) " * 20 + "}") is None
    assert breach("{ b " + "@skip(if: false) " * 21 + "}") == (
        "This query has 21 directives; the limit is 20."
    )


@pytest.mark.parametrize(
    "text",
    [
        "query @d @d { b }",
        "query ($x: Int @d @d) { b }",
        "{ ...F @d @d } fragment F on Query { b }",
        "{ ...F } fragment F on Query @d @d { b }",
        "{ ... @d @d { b } }",
        "{ b @d a { b @d } }",
    ],
)
def test_directives_count_wherever_they_stand(text: str) -> None:
    assert breach(text, Limits(directives=2)) is None
    assert breach(text, Limits(directives=1)) == "This query has 2 directives; the limit is 1."


def test_root_fields_are_counted_through_fragments() -> None:
    tail = "fragment F on Query { " + "b " * 10 + "}"
    assert breach(f"{{ ...F ... on Query {{ ...F }} }} {tail}") is None
    assert breach(f"{{ b ...F ... on Query {{ ...F }} }} {tail}") == (
        "This query has 21 root fields; the limit is 20."
    )


def test_a_mutation_runs_five_at_most() -> None:
    aliased = [f"m{i}: redeem" for i in range(6)]
    assert breach("mutation {" + " ".join(aliased[:5]) + "}") is None
    assert breach("mutation {" + " ".join(aliased) + "}") == (
        "This query has 6 mutations; the limit is 5."
    )


def test_every_operation_of_a_document_is_measured() -> None:
    assert breach("query A { b } query B " + nested(16)) is not None


def test_an_unused_fragment_is_counted() -> None:
    text = "{ b } fragment F on Query {" + "b " * 501 + "}"
    assert breach(text) == "This query has 501 fields; the limit is 500."


def test_a_fragment_bomb_is_refused_by_its_multiplied_fields() -> None:
    (error,) = refusals(doubling(14, "b"))
    assert error.message == "This query has 16384 root fields; the limit is 20."


def test_an_aliased_fragment_bomb_below_one_root_is_refused() -> None:
    text = doubling(14, "x: b").replace("{ ...F0 }", "{ a { ...F0 } }", 1)
    assert breach(text) == "This query has 16385 fields; the limit is 500."


def test_counts_do_not_grow_without_bound() -> None:
    assert breach(doubling(1_000, "b")) == (
        f"This query has over {COUNT_CAP} root fields; the limit is 20."
    )


@pytest.mark.parametrize(
    "text",
    [
        "{ ...F } fragment F on Query { b ...F }",
        "{ ...F } fragment F on Query { a { ...G } } fragment G on Query { a { ...F } }",
        "{ ...Unknown }",
    ],
)
def test_cycles_and_unknown_fragments_are_left_to_the_standard_rules(text: str) -> None:
    assert breach(text) is None
    assert refusals(text)
    assert query_cost(parse(text), None, None) >= 0


def chain(length: int) -> str:
    links = (f"fragment F{i} on Query {{ a {{ ...F{i + 1} }} }}" for i in range(length))
    return "{ ...F0 } " + " ".join(links) + f" fragment F{length} on Query {{ b }}"


def test_a_chain_longer_than_the_stack_is_measured() -> None:
    assert breach(chain(5_000)) == "This query has 5001 levels; the limit is 15."


def test_each_definition_is_visited_once_however_often_it_is_spread(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    visits = 0
    walk = limits_module._selection_size

    def counting(*args: object) -> object:
        nonlocal visits
        visits += 1
        return walk(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(limits_module, "_selection_size", counting)
    first_breach(parse(doubling(1_000, "b")), Limits(root_fields=10**12, fields=10**12))
    assert visits == 2 * 1_000 + 2


INTROSPECTION = [
    get_introspection_query(),
    get_introspection_query(
        descriptions=True,
        specified_by_url=True,
        directive_is_repeatable=True,
        schema_description=True,
        input_value_deprecation=True,
        experimental_directive_deprecation=True,
        one_of=True,
    ),
]


@pytest.mark.parametrize("text", INTROSPECTION)
def test_introspection_passes_even_with_a_small_depth(text: str) -> None:
    document = parse_query(text, LIMITS.tokens)
    assert first_breach(document, LIMITS) is None
    assert first_breach(document, Limits(depth=3)) is None
    assert worst_cost(document, None) <= LIMITS.cost


def test_introspection_has_its_own_depth() -> None:
    text = "{ __schema { types { " + "ofType { " * 18 + "name" + " }" * 21
    assert breach(text) == "This query has 21 levels of introspection; the limit is 20."


def test_a_wide_document_stops_before_the_other_rules() -> None:
    (error,) = refusals("{" + "nonsense " * 501 + "}")
    assert error.extensions == {"code": "QUERY_TOO_COMPLEX"}


@given(st.integers(1, 40), st.integers(1, 40))
def test_depth_and_fields_are_exact(levels: int, width: int) -> None:
    text = "{" + "a{" * (levels - 1) + "b " * width + "}" * levels
    total = levels - 1 + width
    wide = Limits(depth=levels, fields=total, root_fields=100)
    assert breach(text, wide) is None
    assert breach(text, Limits(depth=levels - 1, fields=total, root_fields=100)) is not None
    assert breach(text, Limits(depth=levels, fields=total - 1, root_fields=100)) is not None


GOALS = (
    "query Q($n: Int{default}) {{ goals(limit: {limit}) {{ items {{ id {below} }} nextToken }} }}"
)
TASKS = "tasks(limit: {limit}) {{ items {{ id title done }} }}"


def cost(text: str, variables: dict[str, object] | None = None) -> int:
    return query_cost(parse(text), None, variables)


def goals(limit: object, below: str = "", default: str = "") -> str:
    return GOALS.format(limit=limit, below=below, default=default)


def test_cost_without_pages_is_the_number_of_fields() -> None:
    assert cost("{ a { a { b } } b }") == 4


def test_rows_count_below_items() -> None:
    assert cost(goals(50)) == 1 + 2 + 50


def test_rows_multiply_from_page_to_page() -> None:
    assert cost(goals(100, TASKS.format(limit=50))) == 3 + 100 * (2 + 1 + 50 * 3)


def test_a_page_without_limit_has_twenty_rows() -> None:
    assert cost("{ goals { items { id } } }") == 2 + 20
    assert query_cost(parse("{ goals { items { id } } }"), None, None, default_page=5) == 2 + 5


def test_a_list_without_items_repeats_what_is_below_it() -> None:
    assert cost("{ skills(limit: 30) { id title } }") == 1 + 30 * 2


def test_each_id_of_a_list_is_a_row() -> None:
    assert cost('{ nodes(ids: ["a", "b", "c"]) { id version } }') == 1 + 3 * 2
    text = "query ($ids: [ID!]!) { nodes(ids: $ids) { id version } }"
    assert cost(text, {"ids": ["a"] * 40}) == 1 + 40 * 2
    assert cost('{ nodes(ids: "a") { id version } }') == 1 + 2
    assert worst_cost(parse(text), None) == 1 + 100 * 2


@pytest.mark.parametrize(
    ("variables", "rows"),
    [
        ({"n": 7}, 7),
        ({"n": 7.0}, 7),
        ({"n": 0}, 1),
        ({"n": -5}, 1),
        ({"n": 99_999_999}, 100),
        ({"n": None}, 20),
        ({"n": "7"}, 20),
        ({"n": [7]}, 20),
        ({}, 20),
        (None, 20),
    ],
)
def test_the_limit_may_be_a_variable(variables: dict[str, object] | None, rows: int) -> None:
    assert cost(goals("$n"), variables) == 3 + rows


def test_a_variable_may_have_a_default() -> None:
    text = goals("$n", default=" = 40")
    assert cost(text) == 3 + 40
    assert cost(text, {"n": 2}) == 3 + 2
    assert cost(text, {"n": None}) == 3 + 20


@pytest.mark.parametrize(
    ("literal", "rows"), [("-1", 1), ("0", 1), ("99999999", 100), ("9" * 5_000, 100), ("null", 20)]
)
def test_the_limit_may_be_any_literal(literal: str, rows: int) -> None:
    assert cost(goals(literal)) == 3 + rows


def test_items_inside_a_fragment_take_the_page_of_the_field_that_spreads_it() -> None:
    tail = " fragment P on Goals { items { id } nextToken }"
    assert cost("{ goals(limit: 50) { ...P } }" + tail) == 3 + 50
    assert cost("{ goals(limit: 5) { ... on Goals { ...P } } }" + tail) == 3 + 5


def test_the_cost_of_a_fragment_bomb_is_capped() -> None:
    assert cost(doubling(1_000, "b")) == COUNT_CAP


def test_the_named_operation_is_the_one_estimated() -> None:
    document = parse("query A { b } query B { goals(limit: 10) { items { id } } }")
    assert query_cost(document, "A", None) == 1
    assert query_cost(document, "B", None) == 12
    assert query_cost(document, None, None) == 0
    assert query_cost(document, "C", None) == 0


def test_queries_within_the_cost_limit() -> None:
    assert cost_breach(cost(goals(100, TASKS.format(limit=50))), LIMITS) is None
    three = goals(100, "tasks(limit: 100) { items { id tasks(limit: 100) { items { id } } } }")
    refused = cost_breach(cost(three), LIMITS)
    assert refused is not None
    assert refused.extensions == {"code": "QUERY_TOO_COMPLEX"}
    assert refused.message == (
        "The cost of this query is 1030303; the limit is 20000."
        " Ask for smaller pages (limit), fewer nested lists or fewer computed fields."
    )
    assert cost_breach(cost(goals(100, TASKS.format(limit=100))), LIMITS) is not None
    assert cost_breach(20_000, LIMITS) is None


@given(st.one_of(st.none(), st.integers(), st.floats(allow_nan=False), st.text(), st.booleans()))
def test_no_variables_exceed_the_worst_cost(limit: object) -> None:
    text = goals("$n", TASKS.format(limit="$n"))
    assert cost(text, {"n": limit}) <= worst_cost(parse(text), None)


def parse_error(text: str) -> GraphQLError | None:
    try:
        parse_query(text, LIMITS.tokens)
    except GraphQLError as error:
        return error
    return None


def refused_text(text: str, max_tokens: int = LIMITS.tokens) -> GraphQLError:
    with pytest.raises(GraphQLError) as refusal:
        parse_query(text, max_tokens, 10**7)
    return refusal.value


def test_tokens_stop_at_their_limit() -> None:
    assert parse_query("{ a b }", 4).definitions
    error = refused_text("{ a b c }", 4)
    assert error.message == "Syntax Error: Document contains more than 4 tokens. Parsing aborted."
    assert error.extensions == {"code": "LIMIT_EXCEEDED"}


def test_a_million_tokens_stop_early() -> None:
    error = refused_text("{" + "a " * 1_000_000 + "}")
    assert error.extensions == {"code": "LIMIT_EXCEEDED"}
    assert [place.column for place in error.locations or ()] == [2 * LIMITS.tokens]


def test_a_million_comments_stop_early() -> None:
    error = refused_text("#\n" * 1_000_000 + "{ a }")
    assert error.extensions == {"code": "LIMIT_EXCEEDED"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "{ a(",
        "\0",
        '{ a(s: "\\uD800") }',
        "{a" * 5_000 + "}" * 5_000,
        "{a(x:" + "[" * 5_000 + "]" * 5_000 + ")}",
        "{a(x:" + "{a:" * 2_000 + "1" + "}" * 2_000 + ")}",
        "query($a:" + "[" * 5_000 + "Int" + "]" * 5_000 + "){a}",
    ],
)
def test_a_syntax_error_is_a_parse_failure(text: str) -> None:
    error = refused_text(text, 10**6)
    assert error.extensions == {"code": "GRAPHQL_PARSE_FAILED"}


def test_a_syntax_error_has_its_location() -> None:
    places = refused_text("{\n  a(").locations or []
    assert [(place.line, place.column) for place in places] == [(2, 5)]


def test_a_long_message_is_cut() -> None:
    assert len(refused_text("x" * 1_000_000).message) == 300


def test_a_recursion_error_is_a_parse_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(*_: object, **__: object) -> None:
        raise RecursionError

    monkeypatch.setattr(limits_module, "parse", exhausted)
    assert refused_text("{a}").extensions == {"code": "GRAPHQL_PARSE_FAILED"}


def test_whatever_the_parser_accepts_can_be_measured() -> None:
    """Depths up to where the parser gives up: the measure must not give up before it."""
    accepted = 0
    for levels in range(50, 400, 10):
        try:
            document = parse_query(nested(levels), 10**6)
        except GraphQLError:
            break
        accepted = levels
        assert first_breach(document, LIMITS) is not None
        assert query_cost(document, None, None) == levels
    assert accepted >= 100


@given(st.text())
def test_any_text_parses_or_is_refused_with_a_code(text: str) -> None:
    error = parse_error(text)
    if error:
        assert (error.extensions or {})["code"] in {"GRAPHQL_PARSE_FAILED", "LIMIT_EXCEEDED"}
        assert len(error.message) <= 300


def test_a_field_written_five_hundred_times_is_refused_before_it_is_compared() -> None:
    document = parse("{ me { " + "id " * 490 + "} }")
    breach = first_breach(document, Limits())
    assert breach is not None
    assert "pairs of repeated fields" in breach.message


def test_many_fragments_side_by_side_are_refused() -> None:
    names = [f"F{number}" for number in range(40)]
    spreads = " ".join(f"...{name}" for name in names)
    fragments = " ".join(f"fragment {name} on User {{ id }}" for name in names)
    document = parse(
        f"{{ {' '.join(f'a{n}: me {{ {spreads} }}' for n in range(10))} }} {fragments}"
    )
    breach = first_breach(document, Limits())
    assert breach is not None


def test_a_dozen_fragments_of_components_pass() -> None:
    spreads = " ".join(f"...F{number}" for number in range(12))
    fragments = " ".join(f"fragment F{number} on User {{ id nickname }}" for number in range(12))
    assert first_breach(parse(f"{{ me {{ {spreads} }} }} {fragments}"), Limits()) is None


def test_a_long_text_is_refused_before_it_is_read() -> None:
    with pytest.raises(GraphQLError) as refused:
        parse_query('{ user(id: "' + "x" * 50_000 + '") { id } }', 2_000)
    assert refused.value.extensions == {"code": "LIMIT_EXCEEDED"}
