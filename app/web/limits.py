"""Limits on documents, measured in time linear in the text: each definition is visited once, and
the size of a fragment is added wherever it is spread."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSyntaxError,
    OperationDefinitionNode,
    OperationType,
    SelectionNode,
    parse,
)
from graphql.validation import ASTValidationRule
from graphql.validation.validate import ValidationAbortedError

T = TypeVar("T")
Definition = OperationDefinitionNode | FragmentDefinitionNode

MAX_MESSAGE_LENGTH = 300
MAX_QUERY_LENGTH = 50_000
# Counts double with each nested fragment; larger ones are cut off here.
COUNT_CAP = 10**9
META_FIELDS = {"__schema", "__type"}


@dataclass(frozen=True, slots=True)
class Limits:
    """`cost` is the number of values an answer can hold (query_cost). One takes 4 to 20 µs, so
    20,000 hold the event loop for 0.4 s at most: 100 goals x 50 tasks x 3 fields pass, 100 x 100
    x 3 do not and need a smaller page."""

    tokens: int = 2_000
    depth: int = 15
    introspection_depth: int = 20
    aliases: int = 50
    fields: int = 500
    root_fields: int = 20
    mutation_fields: int = 5
    directives: int = 20
    pairs: int = 2_000
    characters: int = MAX_QUERY_LENGTH
    cost: int = 20_000


class SelectionSize(NamedTuple):
    """The size of a selection. `roots`: the fields of its first level. `pairs`: the comparisons
    that the rule on conflicting fields makes."""

    depth: int = 0
    introspection_depth: int = 0
    roots: int = 0
    fields: int = 0
    aliases: int = 0
    directives: int = 0
    pairs: int = 0


def parse_query(text: str, max_tokens: int, max_characters: int = MAX_QUERY_LENGTH) -> DocumentNode:
    """The parsed document, or a GraphQLError: LIMIT_EXCEEDED or GRAPHQL_PARSE_FAILED."""
    if len(text) > max_characters:
        limit = f"The query is longer than {max_characters} characters."
        raise limit_error(f"{limit} Long values belong in variables.", "LIMIT_EXCEEDED")
    try:
        return parse(text, max_lexical_tokens=max_tokens, max_comments=max_tokens)
    except GraphQLSyntaxError as error:
        raise _parse_failure(error) from None
    except RecursionError:
        raise limit_error("Syntax Error: nested too deeply.", "GRAPHQL_PARSE_FAILED") from None


def limits_rule(limits: Limits) -> type[ASTValidationRule]:
    """A validation rule. A breach aborts the validation, so that expensive rules never run."""

    class WithinLimits(ASTValidationRule):
        def enter_document(self, node: DocumentNode, *_: object) -> None:
            breach = first_breach(node, limits)
            if breach:
                raise breach

    return WithinLimits


def first_breach(document: DocumentNode, limits: Limits) -> ValidationAbortedError | None:
    """The first exceeded limit. Unused fragments count too: validation rules visit them."""
    for definition, size in _sizes(document):
        for what, found, limit in _counts(definition, size, limits):
            if found > limit:
                return _breach(definition, what, found, limit)
    return None


def limit_error(message: str, code: str) -> GraphQLError:
    return GraphQLError(message[:MAX_MESSAGE_LENGTH], extensions={"code": code})


def _parse_failure(error: GraphQLSyntaxError) -> GraphQLError:
    exceeded = error.message.startswith("Syntax Error: Document contains more than")
    code = "LIMIT_EXCEEDED" if exceeded else "GRAPHQL_PARSE_FAILED"
    message = error.message[:MAX_MESSAGE_LENGTH]
    return GraphQLError(
        message, source=error.source, positions=error.positions, extensions={"code": code}
    )


def _breach(definition: Definition, what: str, found: int, limit: int) -> ValidationAbortedError:
    shown = f"over {COUNT_CAP}" if found >= COUNT_CAP else found
    return ValidationAbortedError(
        f"This query has {shown} {what}; the limit is {limit}.",
        definition,
        extensions={"code": "QUERY_TOO_COMPLEX"},
    )


def _counts(
    definition: Definition, size: SelectionSize, limits: Limits
) -> Iterator[tuple[str, int, int]]:
    if isinstance(definition, OperationDefinitionNode):
        yield "levels", size.depth, limits.depth
        yield "levels of introspection", size.introspection_depth, limits.introspection_depth
        yield _root_count(definition, size, limits)
    yield "fields", size.fields, limits.fields
    yield "aliases", size.aliases, limits.aliases
    yield "directives", size.directives, limits.directives
    yield "pairs of repeated fields or fragments", size.pairs, limits.pairs


def _root_count(
    operation: OperationDefinitionNode, size: SelectionSize, limits: Limits
) -> tuple[str, int, int]:
    if operation.operation is OperationType.MUTATION:
        return "mutations", size.roots, limits.mutation_fields
    return "root fields", size.roots, limits.root_fields


def _sizes(document: DocumentNode) -> Iterator[tuple[Definition, SelectionSize]]:
    fragment_sizes = fold_fragments(document, _size_of)
    for node in document.definitions:
        if isinstance(node, OperationDefinitionNode):
            yield node, _size_of(node, fragment_sizes)
    for fragment in _fragments(document).values():
        yield fragment, fragment_sizes[fragment.name.value]


def _fragments(document: DocumentNode) -> dict[str, FragmentDefinitionNode]:
    found = (node for node in document.definitions if isinstance(node, FragmentDefinitionNode))
    return {node.name.value: node for node in found}


def fold_fragments(
    document: DocumentNode, measure: Callable[[Definition, Mapping[str, T]], T]
) -> dict[str, T]:
    fragment_sizes: dict[str, T] = {}
    for fragment in _innermost_first(document):
        fragment_sizes[fragment.name.value] = measure(fragment, fragment_sizes)
    return fragment_sizes


def _innermost_first(document: DocumentNode) -> Iterator[FragmentDefinitionNode]:
    """Each fragment after those it spreads. With a stack: a chain may exceed the recursion limit.
    A cycle is cut where it closes; the standard rules refuse it."""
    fragments = _fragments(document)
    seen: set[str] = set()
    stack = [(name, False) for name in fragments]
    while stack:
        name, visited = stack.pop()
        if visited:
            yield fragments[name]
        elif name in fragments and name not in seen:
            seen.add(name)
            stack.append((name, True))
            stack.extend((inner, False) for inner in _spread_names(fragments[name]))


def _spread_names(fragment: FragmentDefinitionNode) -> Iterator[str]:
    stack: list[SelectionNode] = list(fragment.selection_set.selections)
    while stack:
        node = stack.pop()
        if isinstance(node, FragmentSpreadNode):
            yield node.name.value
        else:
            stack.extend(selections_of(node))


def selections_of(node: object) -> tuple[SelectionNode, ...]:
    chosen = getattr(node, "selection_set", None)
    return chosen.selections if chosen else ()


def _size_of(definition: Definition, fragment_sizes: Mapping[str, SelectionSize]) -> SelectionSize:
    size = _size_within(definition, fragment_sizes)
    variables = getattr(definition, "variable_definitions", None) or ()
    own = sum(len(node.directives or ()) for node in (definition, *variables))
    return size._replace(directives=size.directives + own)


# The parser recurses deeper per level than these two do, so what it read they can walk.
def _size_within(node: object, fragment_sizes: Mapping[str, SelectionSize]) -> SelectionSize:
    total = SelectionSize()
    selections = selections_of(node)
    for selection in selections:
        total = _add(total, _selection_size(selection, fragment_sizes))
    return total._replace(pairs=total.pairs + _pairs(selections))


def _pairs(selections: tuple[SelectionNode, ...]) -> int:
    """The comparisons of the rule on conflicting fields: each field with each of the same name."""
    names = Counter((s.alias or s.name).value for s in selections if isinstance(s, FieldNode))
    spreads = sum(isinstance(s, FragmentSpreadNode) for s in selections)
    return sum(count * (count - 1) // 2 for count in (*names.values(), spreads))


def _selection_size(
    node: SelectionNode, fragment_sizes: Mapping[str, SelectionSize]
) -> SelectionSize:
    if isinstance(node, FragmentSpreadNode):
        size = fragment_sizes.get(node.name.value, SelectionSize())
    elif isinstance(node, FieldNode):
        size = _field_size(node, _size_within(node, fragment_sizes))
    else:
        size = _size_within(node, fragment_sizes)
    if not node.directives:
        return size
    return size._replace(directives=size.directives + len(node.directives))


def _field_size(field: FieldNode, inner: SelectionSize) -> SelectionSize:
    meta = field.name.value in META_FIELDS
    below = max(inner.depth, inner.introspection_depth) if meta else inner.introspection_depth
    return SelectionSize(
        depth=1 if meta else inner.depth + 1,
        introspection_depth=below + 1 if below else 0,
        roots=1,
        fields=inner.fields + 1,
        aliases=inner.aliases + bool(field.alias),
        directives=inner.directives,
        pairs=inner.pairs,
    )


def _add(one: SelectionSize, other: SelectionSize) -> SelectionSize:
    return SelectionSize(
        depth=max(one.depth, other.depth),
        introspection_depth=max(one.introspection_depth, other.introspection_depth),
        roots=min(one.roots + other.roots, COUNT_CAP),
        fields=min(one.fields + other.fields, COUNT_CAP),
        aliases=min(one.aliases + other.aliases, COUNT_CAP),
        directives=min(one.directives + other.directives, COUNT_CAP),
        pairs=min(one.pairs + other.pairs, COUNT_CAP),
    )
