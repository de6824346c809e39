"""Requests made from the schema: every argument of every root field, with one value that is hard to
read."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from graphql import (
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    get_named_type,
    is_composite_type,
)

DIGITS = 4_301
# As they are written in JSON and, but for escapes, in a GraphQL document.
HARD_VALUES = (
    "9" * DIGITS,
    "-" + "9" * DIGITS,
    "9" * 400,
    "0." + "9" * DIGITS,
    "1e400",
    "-1e-400",
    f"1e{'9' * 50}",
    "9223372036854775808",
    "1e38",
    "-0",
    '"' + "9" * DIGITS + '"',
    '"' + "9" * 400 + '"',
    '"-1e999999999"',
    '"1e-999999999"',
    '"NaN"',
    '"-Infinity"',
    '"²³"',
    '"٣"',
    '"9999-12-31"',
    '"0001-01-01"',
    '"9999-12-31T23:59:59.999999999Z"',
    '"0001-01-01T00:00:00+23:59"',
    '"2026-01-01T00:00:00-24:00"',
    '"24:00"',
    '"99999999999999999999-01-01"',
    '"#"',
    '"USER#1"',
    '""',
    '"\\u0000"',
    '"\\ud800"',
    '"\\ufeff"',
    '"' + "a\\u0301" * 300 + '"',
    '"' + "x" * 3_000 + '"',
    '"' + "😀" * 500 + '"',
    '"http://[::1"',
    '"http://' + "a" * 300 + '.example"',
    '"https://user:pass@localhost:99999999/"',
    '"{\\"a\\":' + "9" * DIGITS + '}"',
    '"' + "[" * 500 + '"',
    '"FREQ=DAILY;INTERVAL=' + "9" * 400 + '"',
    '"FREQ=SECONDLY;BYSECOND=61"',
    '"every ' + "9" * DIGITS + ' days"',
    '"p' + "9" * DIGITS + '"',
    '"0x' + "f" * 5_000 + '"',
    '"Etc/../UTC"',
    "true",
    "null",
    "[]",
    "{}",
    "[[[[]]]]",
    "[null]",
)
PLAUSIBLE: dict[str, Any] = {
    "String": "text",
    "ID": "some-id",
    "Int": 3,
    "Float": 1.5,
    "Boolean": True,
    "Decimal": "1.5",
    "AWSDate": "2026-03-01",
    "AWSTime": "10:00:00",
    "AWSDateTime": "2026-03-01T10:00:00Z",
    "AWSTimestamp": 1_770_000_000,
    "AWSEmail": "somebody@example.com",
    "AWSJSON": "{}",
    "AWSURL": "https://example.com/",
    "AWSPhone": "+14155550123",
    "AWSIPAddress": "192.0.2.1",
}
Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class HostileRequest:
    name: str
    body: bytes


def root_fields(schema: GraphQLSchema) -> Iterator[tuple[str, str, GraphQLField]]:
    for kind, root in (("query", schema.query_type), ("mutation", schema.mutation_type)):
        assert root
        for name, field in root.fields.items():
            yield kind, name, field


def leaves(kind: Any, path: Path = (), depth: int = 0) -> Iterator[Path]:
    """Where a value can stand, inside inputs and lists; recursive inputs to the second level."""
    if isinstance(kind, GraphQLNonNull):
        yield from leaves(kind.of_type, path, depth)
        return
    yield path
    if isinstance(kind, GraphQLList):
        yield from leaves(kind.of_type, (*path, 0), depth)
    elif isinstance(kind, GraphQLInputObjectType) and depth < 3:
        for name, field in kind.fields.items():
            yield from leaves(field.type, (*path, name), depth + 1)


def plausible(kind: Any, path: Path, value: object, depth: int = 0) -> Any:
    """A value of this type with `value` at the path; only what is required besides."""
    if path == ():
        return value
    if isinstance(kind, GraphQLNonNull):
        return plausible(kind.of_type, path, value, depth)
    if isinstance(kind, GraphQLList):
        return [plausible(kind.of_type, path[1:], value, depth)]
    assert isinstance(kind, GraphQLInputObjectType)
    given = required_fields(kind)
    name = str(path[0])
    return given | {name: plausible(kind.fields[name].type, path[1:], value, depth + 1)}


def required_fields(kind: GraphQLInputObjectType) -> dict[str, Any]:
    return {
        name: anything(field.type)
        for name, field in kind.fields.items()
        if isinstance(field.type, GraphQLNonNull)
    }


def anything(kind: Any) -> Any:
    if isinstance(kind, GraphQLNonNull):
        return anything(kind.of_type)
    if isinstance(kind, GraphQLList):
        return [anything(kind.of_type)]
    if isinstance(kind, GraphQLEnumType):
        return Bare(next(iter(kind.values)))
    if isinstance(kind, GraphQLInputObjectType):
        return required_fields(kind)
    return PLAUSIBLE[kind.name]


class Bare(str):
    """Text that a document has without quotes: an enum's value, or a hard value as it is."""


def literal(value: Any) -> str:
    if isinstance(value, Bare):
        return str(value)
    if isinstance(value, dict):
        return "{" + " ".join(f"{name}: {literal(each)}" for name, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + " ".join(map(literal, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def as_json(value: Any, hard: str) -> str:
    """`hard` stands where the only None is; an enum's value is a text."""
    if value is None:
        return hard
    if isinstance(value, dict):
        inner = (f"{json.dumps(name)}: {as_json(each, hard)}" for name, each in value.items())
        return "{" + ", ".join(inner) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(as_json(each, hard) for each in value) + "]"
    return json.dumps(value)


def selection(field: GraphQLField) -> str:
    return "{ __typename }" if is_composite_type(get_named_type(field.type)) else ""


def hostile_requests(kind: str, name: str, field: GraphQLField) -> Iterator[HostileRequest]:
    """Each leaf with each hard value, by literal and by variable."""
    for argument, definition in field.args.items():
        others = {
            other: anything(each.type)
            for other, each in field.args.items()
            if other != argument and isinstance(each.type, GraphQLNonNull)
        }
        for path in leaves(definition.type):
            for number, hard in enumerate(HARD_VALUES):
                where = f"{name}({argument}{''.join(f'.{step}' for step in path)}) #{number}"
                given = {argument: plausible(definition.type, path, Bare(hard))} | others
                inner = ", ".join(f"{each}: {literal(value)}" for each, value in given.items())
                text = f"{kind} {{ {name}({inner}) {selection(field)} }}"
                yield HostileRequest(f"{where} literal", json.dumps({"query": text}).encode())
                rest = ", ".join(f"{each}: {literal(value)}" for each, value in others.items())
                text = (
                    f"{kind} ($v: {definition.type}) {{ {name}({argument}: $v {rest}) "
                    f"{selection(field)} }}"
                )
                value = as_json(plausible(definition.type, path, None), hard)
                body = f'{{"query": {json.dumps(text)}, "variables": {{"v": {value}}}}}'
                yield HostileRequest(f"{where} variable", body.encode("utf-8", "surrogatepass"))
