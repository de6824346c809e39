"""Measures variables against the schema before they are coerced.

Coercion visits every field of an input type for each object it is given, before any resolver runs,
and cannot be interrupted: ten thousand empty objects would hold all other requests for a second.
"""

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, get_type_hints

from graphql import (
    FieldNode,
    GraphQLInputObjectType,
    GraphQLInputType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    OperationDefinitionNode,
    VariableNode,
    type_from_ast,
)

from app.core.constraints import constraints_of
from app.core.errors import AppError, BadInput, LimitExceeded
from app.core.inputs import Input
from app.graph.fields import MAX_LIST_LENGTH

# A visit takes about 5 µs. A commit of 5,000 nodes comes to 160,000.
MOST_VISITS = 250_000
LONG_VISITS = 2_000


class InputValue(NamedTuple):
    """A value on its way into the schema, not yet coerced. `longest`: if it is a list."""

    value: object
    type: GraphQLInputType
    path: str
    longest: int = MAX_LIST_LENGTH


class VariableLimits:
    def __init__(self, schema: GraphQLSchema) -> None:
        self._schema = schema
        self._longest = dict(_list_limits(schema))

    def measure(
        self, operation: OperationDefinitionNode, variables: Mapping[str, object] | None
    ) -> int:
        """How many visits coercion takes. Raises if a list is too long, or all of it too much."""
        waiting = list(self._declared(operation, variables or {}))
        visits = 0
        while waiting:
            given = waiting.pop()
            if isinstance(given.value, list) and len(given.value) > given.longest:
                raise _too_long(given)
            inner = list(self._inside(given))
            visits += _visits(given) + len(inner)
            if visits > MOST_VISITS:
                raise _too_much()
            waiting += inner
        return visits

    def _declared(
        self, operation: OperationDefinitionNode, variables: Mapping[str, object]
    ) -> Iterator[InputValue]:
        arguments = arguments_by_variable(operation)
        for definition in operation.variable_definitions or ():
            name = definition.variable.name.value
            kind: Any = type_from_ast(self._schema, definition.type)
            if name in variables and kind is not None:
                yield InputValue(variables[name], kind, arguments.get(name, name))

    def _inside(self, given: InputValue) -> Iterator[InputValue]:
        value, kind, path, longest = given
        if isinstance(kind, GraphQLNonNull):
            yield InputValue(value, kind.of_type, path, longest)
        elif isinstance(kind, GraphQLList):
            items = value if isinstance(value, list) else [value]
            for index, item in enumerate(items):
                yield InputValue(item, kind.of_type, f"{path}.{index}")
        elif isinstance(kind, GraphQLInputObjectType) and isinstance(value, dict):
            for name in value.keys() & kind.fields.keys():
                longest = self._longest.get((kind.name, name), MAX_LIST_LENGTH)
                yield InputValue(value[name], kind.fields[name].type, f"{path}.{name}", longest)


def _visits(given: InputValue) -> int:
    if isinstance(given.type, GraphQLInputObjectType) and isinstance(given.value, dict):
        return len(given.type.fields) + len(given.value)
    return 1


def arguments_by_variable(operation: OperationDefinitionNode) -> dict[str, str]:
    """Errors name the argument, as rules do; the client may call its variable anything."""
    return {
        argument.value.name.value: argument.name.value
        for field in operation.selection_set.selections
        if isinstance(field, FieldNode)
        for argument in field.arguments or ()
        if isinstance(argument.value, VariableNode)
    }


def _list_limits(schema: GraphQLSchema) -> Iterator[tuple[tuple[str, str], int]]:
    """From the rules that check the inputs: (type, field) and the longest list there."""
    for kind in schema.type_map.values():
        definition: Any = (kind.extensions or {}).get("strawberry-definition")
        cls = getattr(definition, "origin", None)
        if isinstance(cls, type) and issubclass(cls, Input):
            names = {field.python_name: field.graphql_name for field in definition.fields}
            hints = get_type_hints(cls, include_extras=True)
            for field in dataclasses.fields(cls):  # type: ignore[arg-type]
                rule = constraints_of(hints[field.name])
                if rule.is_list and rule.max_length is not None:
                    yield (kind.name, names[field.name] or _camel(field.name)), rule.max_length


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _too_long(given: InputValue) -> AppError:
    return BadInput(f"{given.path}: at most {given.longest} at once.", field=given.path)


def _too_much() -> AppError:
    return LimitExceeded(
        f"The variables come to more than {MOST_VISITS} input fields. Send less at once."
    )
