"""Reads the GraphQL parameters of a request body; MalformedBody if it has none (HTTP 400)."""

from dataclasses import dataclass
from typing import TypeVar

from app.core.scalars import holds_more_values, read_json, text_is_clean

T = TypeVar("T")

MAX_BODY_DEPTH = 200
MAX_VALUES = 40_000
EMPTY_BODY = "Request body is empty."
UNREADABLE_BODY = "Unable to parse GraphQL query."


class MalformedBody(Exception):
    """The body is not a GraphQL request. The message is for the client."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass(frozen=True, slots=True)
class Params:
    query: str
    variables: dict[str, object] | None
    operation_name: str | None
    extensions: dict[str, object] | None
    size: int = 0  # of the request, in bytes


class TooManyValues(MalformedBody):
    def __init__(self, max_values: int) -> None:
        super().__init__(
            f"The request holds more than {max_values} values. Send it in smaller parts."
        )


def decode_body(raw: bytes, max_values: int = MAX_VALUES) -> object:
    """The JSON value of a body: UTF-8, no key twice in one object, no NUL character."""
    if not raw or raw.isspace():
        raise MalformedBody(EMPTY_BODY)
    try:
        if holds_more_values(raw, max_values):
            raise TooManyValues(max_values)
        value = read_json(raw, deepest=MAX_BODY_DEPTH)
    except ValueError:
        raise MalformedBody(UNREADABLE_BODY) from None
    # JSON can write a NUL only in this way, so most bodies need not be searched.
    if b"\\u0000" in raw and not _has_no_nul(value):
        raise MalformedBody("The request contains a NUL character (\\u0000).")
    return value


def graphql_params(value: object, size: int = 0) -> Params:
    """The parameters of one request; unknown keys are ignored, as AppSync does."""
    if isinstance(value, list) and value:
        raise MalformedBody("Batching is not supported: send one operation per request.")
    if not isinstance(value, dict) or not value:
        raise MalformedBody(UNREADABLE_BODY)
    return Params(
        query=_query(value),
        variables=_optional(value, "variables", dict, "an object"),
        operation_name=_optional(value, "operationName", str, "a string") or None,
        extensions=_optional(value, "extensions", dict, "an object"),
        size=size,
    )


def _query(value: dict[str, object]) -> str:
    query = _optional(value, "query", str, "a string")
    if query is None:
        raise MalformedBody("The request has no query.")
    if not query.strip():
        raise MalformedBody("The query is empty.")
    return query


def _optional(value: dict[str, object], key: str, kind: type[T], shape: str) -> T | None:
    found = value.get(key)
    if found is None or isinstance(found, kind):
        return found
    raise MalformedBody(f"{key} must be {shape}.")


def _has_no_nul(value: object) -> bool:
    stack = [value]
    while stack:
        node = stack.pop()
        if isinstance(node, dict):
            stack.extend((*node, *node.values()))
        elif isinstance(node, list):
            stack.extend(node)
        elif isinstance(node, str) and not text_is_clean(node):
            return False
    return True
