"""The body of a request: strict JSON with four parameters, or MalformedBody."""

import gzip
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.web.body import MalformedBody, Params, TooManyValues, decode_body, graphql_params

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
def test_an_empty_body_is_refused_with_appsyncs_message(raw: bytes) -> None:
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
    ],
    ids=lambda raw: repr(raw[:24]),
)
def test_everything_but_strict_json_is_refused_with_one_message(raw: bytes) -> None:
    assert refusal(raw) == UNREADABLE


def test_200_levels_are_allowed() -> None:
    value = decode_body(b"[" * 200 + b"]" * 200)
    assert json.dumps(value) == "[" * 200 + "]" * 200


def test_brackets_inside_a_string_do_not_count_as_depth() -> None:
    query = "{" * 300 + "}" * 300
    assert decode_body(json.dumps({"query": query}).encode()) == {"query": query}


def test_many_values_side_by_side_are_allowed() -> None:
    assert decode_body(b"[" + b"[]," * 999 + b"[]]") == [[]] * 1_000


def test_integers_stay_exact_beyond_64_bits() -> None:
    assert decode_body(b"[99999999999999999999, 18446744073709551616]") == [10**20 - 1, 2**64]


def test_a_nul_is_refused_in_values_and_keys() -> None:
    received = "The request contains a NUL character (\\u0000)."
    assert refusal(b'{"variables": {"a": ["x\\u0000"]}}') == received
    assert refusal(b'{"\\u0000": 1}') == received


def test_an_escaped_backslash_before_u0000_is_not_a_nul() -> None:
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
def test_any_json_is_decoded_unchanged(value: object, ascii_only: bool) -> None:
    assert decode_body(json.dumps(value, ensure_ascii=ascii_only).encode()) == value


@given(st.binary())
def test_any_bytes_are_decoded_or_refused(raw: bytes) -> None:
    received = outcome(lambda: decode_body(raw))
    assert received in {None, "Request body is empty.", UNREADABLE}


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


def test_a_null_parameter_counts_as_absent() -> None:
    alone = Params(query="{ a }", variables=None, operation_name=None, extensions=None)
    nulls = {"query": "{ a }", "variables": None, "operationName": None, "extensions": None}
    assert graphql_params({"query": "{ a }"}) == alone
    assert graphql_params(nulls) == alone


def test_empty_variables_stay_an_object() -> None:
    assert graphql_params({"query": "{ a }", "variables": {}}).variables == {}


@pytest.mark.parametrize("value", [None, 1, 1.5, True, "x", "{ a }", [], {}])
def test_json_that_is_not_a_request_is_refused(value: object) -> None:
    assert params_refusal(value) == UNREADABLE


def test_a_batch_is_refused() -> None:
    received = "Batching is not supported: send one operation per request."
    assert params_refusal([{"query": "{ a }"}] * 1_000) == received


@pytest.mark.parametrize(
    ("value", "received"),
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
def test_a_wrong_parameter_is_named(value: object, received: str) -> None:
    assert params_refusal(value) == received


@given(JSON)
def test_any_json_is_a_request_or_is_refused(value: object) -> None:
    received = outcome(lambda: graphql_params(value))
    assert received is None or received.endswith(".")


@pytest.mark.parametrize(
    "raw",
    [
        b"[" * 200_000,
        b'{"a":' * 200_000,
        b"[" + b"{}," * 200_000 + b"{}]",
        b'{"a": [' + b'"x",' * 200_000 + b"1]}",
        b'{"a": [' + b"1," * 50_000 + b"1]}",
    ],
)
def test_more_values_than_allowed_are_refused_before_they_are_built(raw: bytes) -> None:
    with pytest.raises(TooManyValues, match="more than 40000 values"):
        decode_body(raw)


@pytest.mark.parametrize(
    "raw",
    [
        json.dumps({"text": "a, [b] {c}" * 50_000}).encode(),
        json.dumps({"text": '\\", ' * 50_000}).encode(),
        b'{"text": "' + b"\\\\" * 50_000 + b'"}',
        json.dumps([0] * 40_000).encode(),
    ],
)
def test_signs_within_texts_are_no_values(raw: bytes) -> None:
    assert decode_body(raw) == json.loads(raw)
