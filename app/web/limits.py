"""What a document may ask for, measured in time linear in its text: each definition is walked once,
and what a fragment holds is added wherever it is spread."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSyntaxError,
    IntValueNode,
    OperationDefinitionNode,
    OperationType,
    SelectionNode,
    ValueNode,
    VariableNode,
    get_operation_ast,
    parse,
)
from graphql.validation import ASTValidationRule
from graphql.validation.validate import ValidationAbortedError

T = TypeVar("T")
Definition = OperationDefinitionNode | FragmentDefinitionNode

LONGEST_MESSAGE = 300
LONGEST_QUERY = 50_000
# A larger page is refused by the field itself, with a better message than a cost.
LARGEST_PAGE = 100
# Counts double through nested fragments; past this only "too many" matters.
COUNTLESS = 10**9
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
    characters: int = LONGEST_QUERY
    cost: int = 20_000


class Size(NamedTuple):
    """What a selection holds. `roots` are the fields at its first level."""

    depth: int = 0
    meta_depth: int = 0
    roots: int = 0
    fields: int = 0
    aliases: int = 0
    directives: int = 0
    pairs: int = 0


class Cost(NamedTuple):
    """The values a selection yields: `plain` ones, and those below `items` for each `row`."""

    plain: int = 0
    row: int = 0


def parse_query(text: str, max_tokens: int, longest: int = LONGEST_QUERY) -> DocumentNode:
    """The parsed document, or a GraphQLError: LIMIT_EXCEEDED or GRAPHQL_PARSE_FAILED."""
    if len(text) > longest:
        message = f"The query is longer than {longest} characters. Long values belong in variables."
        raise _refusal(message, "LIMIT_EXCEEDED")
    try:
        return parse(text, max_lexical_tokens=max_tokens, max_comments=max_tokens)
    except GraphQLSyntaxError as error:
        raise _parse_failure(error) from None
    except RecursionError:
        raise _refusal("Syntax Error: nested too deeply.", "GRAPHQL_PARSE_FAILED") from None


def limits_rule(limits: Limits) -> type[ASTValidationRule]:
    """A validation rule. It ends the validation at once, so costly rules never see a bomb."""

    class WithinLimits(ASTValidationRule):
        def enter_document(self, node: DocumentNode, *_: object) -> None:
            breach = first_breach(node, limits)
            if breach:
                raise breach

    return WithinLimits


def first_breach(document: DocumentNode, limits: Limits) -> ValidationAbortedError | None:
    """The first limit exceeded. Fragments are counted too: rules walk even those nobody uses."""
    for definition, size in _sizes(document):
        for what, found, limit in _counted(definition, size, limits):
            if found > limit:
                return _breach(definition, what, found, limit)
    return None


def query_cost(
    document: DocumentNode,
    operation_name: str | None,
    variables: Mapping[str, object] | None,
    default_page: int = 20,
) -> int:
    """How many values the answer can hold: what stands below `items` counts once per row, and rows
    multiply from page to page. 0 if it is not clear which operation is meant: none will run."""
    return _Pricing(default_page, variables or {}).of(document, operation_name)


def worst_cost(document: DocumentNode, operation_name: str | None, default_page: int = 20) -> int:
    """The cost under the worst variables. If it is within the limit, which holds for nearly every
    document, it can be remembered with the document and query_cost never be asked."""
    return _Pricing(default_page, None).of(document, operation_name)


def cost_breach(cost: int, limits: Limits) -> GraphQLError | None:
    if cost <= limits.cost:
        return None
    message = (
        f"The answer could hold {cost} values; the limit is {limits.cost}."
        " Ask for smaller pages (limit) or fewer nested lists."
    )
    return _refusal(message, "QUERY_TOO_COMPLEX")


def _refusal(message: str, code: str) -> GraphQLError:
    return GraphQLError(message[:LONGEST_MESSAGE], extensions={"code": code})


def _parse_failure(error: GraphQLSyntaxError) -> GraphQLError:
    exceeded = error.message.startswith("Syntax Error: Document contains more than")
    code = "LIMIT_EXCEEDED" if exceeded else "GRAPHQL_PARSE_FAILED"
    message = error.message[:LONGEST_MESSAGE]
    return GraphQLError(
        message, source=error.source, positions=error.positions, extensions={"code": code}
    )


def _breach(definition: Definition, what: str, found: int, limit: int) -> ValidationAbortedError:
    shown = f"over {COUNTLESS}" if found >= COUNTLESS else found
    return ValidationAbortedError(
        f"This query has {shown} {what}; the limit is {limit}.",
        definition,
        extensions={"code": "QUERY_TOO_COMPLEX"},
    )


def _counted(definition: Definition, size: Size, limits: Limits) -> Iterator[tuple[str, int, int]]:
    if isinstance(definition, OperationDefinitionNode):
        yield "levels", size.depth, limits.depth
        yield "levels of introspection", size.meta_depth, limits.introspection_depth
        yield _counted_roots(definition, size, limits)
    yield "fields", size.fields, limits.fields
    yield "aliases", size.aliases, limits.aliases
    yield "directives", size.directives, limits.directives
    yield "pairs of repeated fields or fragments", size.pairs, limits.pairs


def _counted_roots(
    operation: OperationDefinitionNode, size: Size, limits: Limits
) -> tuple[str, int, int]:
    if operation.operation is OperationType.MUTATION:
        return "mutations", size.roots, limits.mutation_fields
    return "root fields", size.roots, limits.root_fields


def _sizes(document: DocumentNode) -> Iterator[tuple[Definition, Size]]:
    known = _fold_fragments(document, _size_of)
    for node in document.definitions:
        if isinstance(node, OperationDefinitionNode):
            yield node, _size_of(node, known)
    for fragment in _fragments(document).values():
        yield fragment, known[fragment.name.value]


def _fragments(document: DocumentNode) -> dict[str, FragmentDefinitionNode]:
    found = (node for node in document.definitions if isinstance(node, FragmentDefinitionNode))
    return {node.name.value: node for node in found}


def _fold_fragments(
    document: DocumentNode, measure: Callable[[Definition, Mapping[str, T]], T]
) -> dict[str, T]:
    known: dict[str, T] = {}
    for fragment in _innermost_first(document):
        known[fragment.name.value] = measure(fragment, known)
    return known


def _innermost_first(document: DocumentNode) -> Iterator[FragmentDefinitionNode]:
    """Each fragment after those it spreads. By a stack: a chain may be longer than Python recurses.
    A cycle is cut where it closes; the standard rules refuse it."""
    fragments = _fragments(document)
    seen: set[str] = set()
    stack = [(name, False) for name in fragments]
    while stack:
        name, walked = stack.pop()
        if walked:
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
            stack.extend(_selections(node))


def _selections(node: object) -> tuple[SelectionNode, ...]:
    chosen = getattr(node, "selection_set", None)
    return chosen.selections if chosen else ()


def _size_of(definition: Definition, known: Mapping[str, Size]) -> Size:
    size = _size_within(definition, known)
    variables = getattr(definition, "variable_definitions", None) or ()
    own = sum(len(node.directives or ()) for node in (definition, *variables))
    return size._replace(directives=size.directives + own)


# The parser recurses deeper per level than these two do, so what it read they can walk.
def _size_within(node: object, known: Mapping[str, Size]) -> Size:
    total = Size()
    selections = _selections(node)
    for selection in selections:
        total = _joined(total, _selection_size(selection, known))
    return total._replace(pairs=total.pairs + _pairs(selections))


def _pairs(selections: tuple[SelectionNode, ...]) -> int:
    """What the rule on conflicting fields compares: each with each of the same name."""
    names = Counter((s.alias or s.name).value for s in selections if isinstance(s, FieldNode))
    spreads = sum(isinstance(s, FragmentSpreadNode) for s in selections)
    return sum(count * (count - 1) // 2 for count in (*names.values(), spreads))


def _selection_size(node: SelectionNode, known: Mapping[str, Size]) -> Size:
    if isinstance(node, FragmentSpreadNode):
        size = known.get(node.name.value, Size())
    elif isinstance(node, FieldNode):
        size = _field_size(node, _size_within(node, known))
    else:
        size = _size_within(node, known)
    if not node.directives:
        return size
    return size._replace(directives=size.directives + len(node.directives))


def _field_size(field: FieldNode, inner: Size) -> Size:
    meta = field.name.value in META_FIELDS
    below = max(inner.depth, inner.meta_depth) if meta else inner.meta_depth
    return Size(
        depth=1 if meta else inner.depth + 1,
        meta_depth=below + 1 if below else 0,
        roots=1,
        fields=inner.fields + 1,
        aliases=inner.aliases + bool(field.alias),
        directives=inner.directives,
        pairs=inner.pairs,
    )


def _joined(one: Size, other: Size) -> Size:
    return Size(
        depth=max(one.depth, other.depth),
        meta_depth=max(one.meta_depth, other.meta_depth),
        roots=min(one.roots + other.roots, COUNTLESS),
        fields=min(one.fields + other.fields, COUNTLESS),
        aliases=min(one.aliases + other.aliases, COUNTLESS),
        directives=min(one.directives + other.directives, COUNTLESS),
        pairs=min(one.pairs + other.pairs, COUNTLESS),
    )


@dataclass(frozen=True, slots=True)
class _Pricing:
    default_page: int
    variables: Mapping[str, object] | None  # None: the worst that could be given

    def of(self, document: DocumentNode, operation_name: str | None) -> int:
        operation = get_operation_ast(document, operation_name)
        if not operation:
            return 0
        pricing = self.with_defaults(operation)
        return sum(pricing.within(operation, _fold_fragments(document, pricing.within)))

    def with_defaults(self, operation: OperationDefinitionNode) -> "_Pricing":
        if self.variables is None:
            return self
        defined = operation.variable_definitions or ()
        defaults = {node.variable.name.value: _number(node.default_value) for node in defined}
        return replace(self, variables=defaults | dict(self.variables))

    def within(self, node: object, known: Mapping[str, Cost]) -> Cost:
        plain = row = 0
        for selection in _selections(node):
            found = self.selection(selection, known)
            plain, row = plain + found.plain, row + found.row
        return Cost(min(plain, COUNTLESS), min(row, COUNTLESS))

    def selection(self, node: SelectionNode, known: Mapping[str, Cost]) -> Cost:
        if isinstance(node, FragmentSpreadNode):
            return known.get(node.name.value, Cost())
        inner = self.within(node, known)
        return self.field(node, inner) if isinstance(node, FieldNode) else inner

    def field(self, field: FieldNode, inner: Cost) -> Cost:
        page = self.page(field)
        # A list without `items` repeats everything below it.
        once, row = (inner.plain, inner.row) if inner.row or not page else (0, inner.plain)
        below = once + row * (page or self.default_page)
        return Cost(1, below) if field.name.value == "items" else Cost(1 + below)

    def page(self, field: FieldNode) -> int | None:
        for argument in field.arguments or ():
            if argument.name.value == "limit":
                return self.size(argument.value)
        return None

    def size(self, value: ValueNode) -> int:
        number = self.chosen(value) if isinstance(value, VariableNode) else _number(value)
        if not isinstance(number, int | float):
            return self.default_page
        return int(max(1, min(number, LARGEST_PAGE)))

    def chosen(self, variable: VariableNode) -> object:
        if self.variables is None:
            return LARGEST_PAGE
        return self.variables.get(variable.name.value)


def _number(value: ValueNode | None) -> int | None:
    if not isinstance(value, IntValueNode):
        return None
    # Ten digits are past every page, and Python refuses to read 4301.
    return int(value.value[:10])
