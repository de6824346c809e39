"""The body of a request: strict JSON, four parameters, one kind of refusal."""

import gzip
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.web.body import MalformedBody, Params, decode_body, graphql_params

UNREADABLE = "Unable to parse GraphQL query."


def refusal(raw: bytes) -> str:
    with pytest.raises(MalformedBody) as refused:
        decode_body(raw)
    assert str(refused.value) == refused.value.message
    return refused.value.message


def outcome(action: Callable[[], object]) -> str | None:
    try:
        action()
    except MalformedBody as refused:
        return refused.message
    return None


def params_refusal(value: object) -> str:
    with pytest.raises(MalformedBody) as refused:
        graphql_params(value)
    return refused.value.message


@pytest.mark.parametrize("raw", [b"", b" ", b"\r\n\t "])
def test_an_empty_body_is_told_as_appsync_tells_it(raw: bytes) -> None:
    assert refusal(raw) == "Request body is empty."


@pytest.mark.parametrize(
    "raw",
    [
        b"{",
        b"query { a }",
        b"{'query': 1}",
        b'{"query": "{a}"} x',
        b'{"query": "{a}",}',
        b'"\x01"',
        b'"\xff"',
        b'"\xed\xa0\x80"',
        b'"\\ud800"',
        b"\xef\xbb\xbf{}",
        '{"query": "{a}"}'.encode("utf-16"),
        '{"query": "{a}"}'.encode("utf-16-le"),
        gzip.compress(b'{"query": "{a}"}', mtime=0),
        b"NaN",
        b'{"a": NaN}',
        b"[Infinity]",
        b"-Infinity",
        b"1e400",
        b"9" * 4_301,
        b"-" + b"9" * 4_301,
        b'{"query": "{a}", "query": "{b}"}',
        b'{"variables": {"a": [{"b": 1, "\\u0062": 2}]}}',
        b"[" * 201 + b"]" * 201,
        b'{"a":' * 201 + b"1" + b"}" * 201,
        b"[" * 1_000 + b"]" * 1_000,
        b"[" * 5_000 + b"]" * 5_000,
        b"[" * 200_000,
        b'{"a":' * 200_000,
    ],
    ids=lambda raw: repr(raw[:24]),
)
def test_what_is_no_strict_json_is_refused_with_one_text(raw: bytes) -> None:
    assert refusal(raw) == UNREADABLE


def test_200_levels_are_allowed() -> None:
    value = decode_body(b"[" * 200 + b"]" * 200)
    assert json.dumps(value) == "[" * 200 + "]" * 200


def test_brackets_inside_text_are_no_levels() -> None:
    query = "{" * 300 + "}" * 300
    assert decode_body(json.dumps({"query": query}).encode()) == {"query": query}


def test_wide_is_not_deep() -> None:
    assert decode_body(b"[" + b"[]," * 999 + b"[]]") == [[]] * 1_000


def test_integers_stay_exact_beyond_64_bits() -> None:
    assert decode_body(b"[99999999999999999999, 18446744073709551616]") == [10**20 - 1, 2**64]


def test_a_nul_is_refused_in_values_and_keys() -> None:
    told = "The request holds a NUL character (\\u0000)."
    assert refusal(b'{"variables": {"a": ["x\\u0000"]}}') == told
    assert refusal(b'{"\\u0000": 1}') == told


def test_an_escaped_backslash_before_u0000_is_no_nul() -> None:
    assert decode_body(b'{"a": "\\\\u0000"}') == {"a": "\\u0000"}


def test_emoji_bidi_and_combining_marks_are_kept_exactly() -> None:
    text = "👩‍🚀\u202eabc" + "e" + "\u0301" * 10_000
    assert decode_body(json.dumps([text]).encode()) == [text]
    assert decode_body(json.dumps([text], ensure_ascii=False).encode()) == [text]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc"), inner),
    max_leaves=20,
)


@given(JSON, st.booleans())
def test_any_json_comes_back_as_it_was(value: object, ascii_only: bool) -> None:
    assert decode_body(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary())
def test_any_bytes_are_read_or_refused(raw: bytes) -> None:
    told = outcome(lambda: decode_body(raw))
    assert told in {None, "Request body is empty.", UNREADABLE}


def test_all_four_parameters() -> None:
    value = {
        "query": "{ a }",
        "variables": {"x": None},
        "operationName": "Q",
        "extensions": {"clientLibrary": {"name": "apollo"}},
        "unknown": [1],
        "__proto__": {"query": "{ b }"},
    }
    assert graphql_params(value) == Params(
        query="{ a }",
        variables={"x": None},
        operation_name="Q",
        extensions={"clientLibrary": {"name": "apollo"}},
    )


def test_null_and_absent_are_the_same_here() -> None:
    alone = Params(query="{ a }", variables=None, operation_name=None, extensions=None)
    nulls = {"query": "{ a }", "variables": None, "operationName": None, "extensions": None}
    assert graphql_params({"query": "{ a }"}) == alone
    assert graphql_params(nulls) == alone


def test_empty_variables_stay_an_object() -> None:
    assert graphql_params({"query": "{ a }", "variables": {}}).variables == {}


@pytest.mark.parametrize("value", [None, 1, 1.5, True, "x", "{ a }", [], {}])
def test_what_is_no_request_is_refused(value: object) -> None:
    assert params_refusal(value) == UNREADABLE


def test_a_batch_is_refused() -> None:
    told = "Batching is off: send one operation per request."
    assert params_refusal([{"query": "{ a }"}] * 1_000) == told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"variables": {}}, "The request has no query."),
        ({"query": None}, "The request has no query."),
        ({"query": ""}, "The query is empty."),
        ({"query": " \n"}, "The query is empty."),
        ({"query": 1}, "query must be a string."),
        ({"query": ["{ a }"]}, "query must be a string."),
        ({"query": {"a": 1}}, "query must be a string."),
        ({"query": "{ a }", "variables": []}, "variables must be an object."),
        ({"query": "{ a }", "variables": "{}"}, "variables must be an object."),
        ({"query": "{ a }", "variables": 0}, "variables must be an object."),
        ({"query": "{ a }", "variables": False}, "variables must be an object."),
        ({"query": "{ a }", "operationName": 1}, "operationName must be a string."),
        ({"query": "{ a }", "operationName": {}}, "operationName must be a string."),
        ({"query": "{ a }", "extensions": "x"}, "extensions must be an object."),
        ({"query": "{ a }", "extensions": []}, "extensions must be an object."),
    ],
)
def test_a_wrong_parameter_is_named(value: object, told: str) -> None:
    assert params_refusal(value) == told


@given(JSON)
def test_any_json_is_a_request_or_is_refused(value: object) -> None:
    told = outcome(lambda: graphql_params(value))
    assert told is None or told.endswith(".")
