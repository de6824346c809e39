"""Says which field of a variable or literal does not fit its type, in our own words.

graphql-core refuses a value as a whole. What is wrong inside is searched only after it has refused.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from graphql import (
    ArgumentNode,
    DocumentNode,
    GraphQLEnumType,
    GraphQLError,
    GraphQLInputObjectType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLSchema,
    ListValueNode,
    Node,
    ObjectFieldNode,
    OperationDefinitionNode,
    TypeInfo,
    TypeInfoVisitor,
    Undefined,
    ValueNode,
    VariableNode,
    Visitor,
    get_named_type,
    get_nullable_type,
    is_required_input_field,
    type_from_ast,
    value_from_ast_untyped,
    visit,
)
from graphql.pyutils import suggestion_list

from app.core.errors import BadInput
from app.core.scalars.words import echo
from app.web.variables import arguments_by_variable

MOST_PROBLEMS = 20
MOST_NAMES = 20
LONGEST_NAME = 60
LITERALS = (ValueNode, ObjectFieldNode)
BUILT_IN = {
    "String": "must be a string",
    "ID": "must be a string or a whole number",
    "Boolean": "must be true or false",
    "Int": "must be a whole number from -2147483648 to 2147483647",
    "Float": "must be a number",
}


class Problem(NamedTuple):
    field: str
    message: str


def variable_errors(
    schema: GraphQLSchema,
    operation: OperationDefinitionNode,
    variables: Mapping[str, object],
    *,
    suggestions: bool,
) -> list[GraphQLError]:
    """One error that names the fields that are wrong; none if all variables fit."""
    found = _variable_problems(schema, operation, variables, suggestions)
    problems = list(islice(found, MOST_PROBLEMS))
    if not problems:
        return []
    refusal = _to_bad_input(problems)
    return [GraphQLError(refusal.message, original_error=refusal)]


def _variable_problems(
    schema: GraphQLSchema,
    operation: OperationDefinitionNode,
    variables: Mapping[str, object],
    suggestions: bool,
) -> Iterator[Problem]:
    arguments = arguments_by_variable(operation)
    for definition in operation.variable_definitions or ():
        name = definition.variable.name.value
        kind: Any = type_from_ast(schema, definition.type)
        path = arguments.get(name, name)
        if name in variables:
            yield from _problems(variables[name], kind, path, suggestions)
        elif isinstance(kind, GraphQLNonNull) and definition.default_value is None:
            yield Problem(path, "is required.")


def _to_bad_input(problems: Sequence[Problem]) -> BadInput:
    first = problems[0]
    return BadInput(
        f"{first.field}: {first.message}",
        field=first.field,
        fields=[{"field": field, "message": message} for field, message in problems],
    )


def _problems(value: object, kind: Any, path: str, suggestions: bool) -> Iterator[Problem]:
    if isinstance(kind, GraphQLNonNull):
        if value is None:
            yield Problem(path, "cannot be null.")
        else:
            yield from _problems(value, kind.of_type, path, suggestions)
    elif value is None or value is Undefined:
        # Undefined: a variable stands here, which is checked by itself.
        return
    elif isinstance(kind, GraphQLList):
        items = value if isinstance(value, list) else [value]
        for index, item in enumerate(items):
            here = f"{path}.{index}" if isinstance(value, list) else path
            yield from _problems(item, kind.of_type, here, suggestions)
    elif isinstance(kind, GraphQLInputObjectType):
        yield from _object_problems(value, kind, path, suggestions)
    else:
        yield from _leaf_problems(value, kind, path)


def _object_problems(
    value: object, kind: GraphQLInputObjectType, path: str, suggestions: bool
) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield Problem(path, f"must be an object, not {echo(value)}.")
        return
    for name, field in kind.fields.items():
        if name in value:
            yield from _problems(value[name], field.type, f"{path}.{name}", suggestions)
        elif is_required_input_field(field):
            yield Problem(f"{path}.{name}", "is required.")
    yield from _unknown_fields(value, kind, path, suggestions)


def _unknown_fields(
    value: Mapping[str, object], kind: GraphQLInputObjectType, path: str, suggestions: bool
) -> Iterator[Problem]:
    for name in sorted(value.keys() - kind.fields.keys()):
        near = suggestion_list(name, list(kind.fields))[:1] if suggestions else []
        hint = f" Did you mean {near[0]}?" if near else ""
        yield Problem(f"{path}.{name[:LONGEST_NAME]}", f"is not a field of {kind.name}.{hint}")


def _leaf_problems(value: object, kind: Any, path: str) -> Iterator[Problem]:
    try:
        kind.parse_value(value)
    except GraphQLError as error:
        yield Problem(path, _leaf_message(value, kind, error))


def _leaf_message(value: object, kind: Any, error: GraphQLError) -> str:
    if isinstance(kind, GraphQLEnumType):
        return f"{_choices(kind)}, not {echo(value)}."
    if kind.name in BUILT_IN:
        return f"{BUILT_IN[kind.name]}, not {echo(value)}."
    return error.message.removeprefix(f"{kind.name} ")


def _choices(kind: GraphQLEnumType) -> str:
    names = list(kind.values)
    more = " …" if len(names) > MOST_NAMES else ""
    return f"must be one of {', '.join(names[:MOST_NAMES])}{more}"


def with_literal_problem(
    schema: GraphQLSchema, document: DocumentNode, error: GraphQLError, *, suggestions: bool
) -> GraphQLError:
    """The same error in our words and with its field, if it is about a literal."""
    node = next((each for each in error.nodes or () if isinstance(each, LITERALS)), None)
    if node is None or isinstance(node, VariableNode):
        return error
    search = _LiteralSearch(TypeInfo(schema), node, suggestions)
    visit(document, TypeInfoVisitor(search.types, search))
    if search.problem is None:
        return error
    field, message = search.problem
    if error.extensions:
        # A refusal of our own scalars has better words already.
        kind: Any = get_named_type(search.types.get_input_type())
        message = error.message.removeprefix(f"{kind.name} ")
    extensions = (error.extensions or {}) | {"field": field}
    return GraphQLError(f"{field}: {message}", error.nodes, extensions=extensions)


class _LiteralSearch(Visitor):
    """Finds a value inside the arguments of a field, and what is wrong with it."""

    def __init__(self, types: TypeInfo, target: Node, suggestions: bool) -> None:
        super().__init__()
        self.types = types
        self.problem: Problem | None = None
        self._target = target
        self._suggestions = suggestions

    def enter(self, node: Node, _key: object, _parent: object, path: Any, above: Any) -> Any:
        if node is not self._target:
            return None
        field = ".".join(_steps(above[0], path)) if above else ""
        self.problem = next(self._problems(node, field), None) if field else None
        return self.BREAK

    def _problems(self, node: Any, path: str) -> Iterator[Problem]:
        if isinstance(node, ObjectFieldNode):
            outer, _, name = path.rpartition(".")
            kind: Any = get_named_type(self.types.get_parent_input_type())
            yield from _unknown_fields({name: None}, kind, outer, self._suggestions)
            return
        # A list where none is expected gives its items no type: then that of the list counts.
        found = self.types.get_input_type() or self.types.get_parent_input_type()
        kind = get_nullable_type(found)
        yield from _problems(value_from_ast_untyped(node), kind, path, self._suggestions)
        if isinstance(kind, GraphQLEnumType):
            yield Problem(path, f"{_choices(kind)}, without quotes.")


def _steps(document: Any, path: Sequence[str | int]) -> Iterator[str]:
    """From graphql-core's path through the document to the path through the arguments."""
    node, in_list = document, False
    for key in path:
        node = node[key] if isinstance(key, int) else getattr(node, key)
        if isinstance(node, ArgumentNode | ObjectFieldNode):
            yield node.name.value
        elif in_list and isinstance(key, int):
            yield str(key)
        in_list = isinstance(node, ListValueNode) or (in_list and isinstance(node, tuple))
