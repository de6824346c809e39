"""The cost of a document: the number of values that its answer can hold, and the work of fields
that read other records (app/web/work.py)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    InlineFragmentNode,
    IntValueNode,
    ListValueNode,
    OperationDefinitionNode,
    SelectionNode,
    ValueNode,
    VariableNode,
    get_operation_ast,
)

from app.graph.paging import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE
from app.web.limits import (
    COUNT_CAP,
    Definition,
    Limits,
    fold_fragments,
    limit_error,
    selections_of,
)
from app.web.work import FieldWork

VALUES_ONLY = FieldWork()
MAX_LIST_SIZE = 1_000
# What a list of more than MAX_PAGE_SIZE rows may hold: it gets shorter, and is not refused.
LIST_VALUES = 15_000


class SelectionCost(NamedTuple):
    """The number of values of a selection: `plain` ones, and those below `items` per `row`."""

    plain: int = 0
    row: int = 0


def query_cost(
    document: DocumentNode,
    operation_name: str | None,
    variables: Mapping[str, object] | None,
    work: FieldWork = VALUES_ONLY,
    *,
    default_page: int = DEFAULT_PAGE_SIZE,
) -> int:
    """Fields below `items` count once per row, and rows of nested pages multiply. 0 if the
    operation is ambiguous: then none is executed."""
    return _Estimator(default_page, variables or {}, work).cost_of(document, operation_name)


def worst_cost(
    document: DocumentNode, operation_name: str | None, work: FieldWork = VALUES_ONLY
) -> int:
    """The cost with the most expensive variables. It is kept with the document: if it is low, as
    for nearly every document, no request has to be estimated with query_cost."""
    return _Estimator(DEFAULT_PAGE_SIZE, None, work).cost_of(document, operation_name)


def cost_breach(cost: int, limits: Limits) -> GraphQLError | None:
    if cost <= limits.cost:
        return None
    message = (
        f"The cost of this query is {cost}; the limit is {limits.cost}."
        " Ask for smaller pages (limit), fewer nested lists or fewer computed fields."
    )
    return limit_error(message, "QUERY_TOO_COMPLEX")


@dataclass(frozen=True, slots=True)
class _Estimator:
    default_page: int
    variables: Mapping[str, object] | None  # None: the most expensive ones
    work: FieldWork

    def cost_of(self, document: DocumentNode, operation_name: str | None) -> int:
        operation = get_operation_ast(document, operation_name)
        if not operation:
            return 0
        estimator = self.with_defaults(operation)
        fragments = fold_fragments(document, estimator.definition)
        return sum(estimator.definition(operation, fragments))

    def with_defaults(self, operation: OperationDefinitionNode) -> "_Estimator":
        if self.variables is None:
            return self
        defined = operation.variable_definitions or ()
        defaults = {node.variable.name.value: _number(node.default_value) for node in defined}
        return replace(self, variables=defaults | dict(self.variables))

    def definition(self, node: Definition, known: Mapping[str, SelectionCost]) -> SelectionCost:
        if isinstance(node, OperationDefinitionNode):
            return self.selection_set(node, known, self.work.root_type(node))
        return self.selection_set(node, known, node.type_condition.name.value)

    def selection_set(
        self, node: object, known: Mapping[str, SelectionCost], parent: str
    ) -> SelectionCost:
        plain = row = 0
        for selection in selections_of(node):
            cost = self.selection(selection, known, parent)
            plain, row = plain + cost.plain, row + cost.row
        return SelectionCost(min(plain, COUNT_CAP), min(row, COUNT_CAP))

    def selection(
        self, node: SelectionNode, known: Mapping[str, SelectionCost], parent: str
    ) -> SelectionCost:
        if isinstance(node, FragmentSpreadNode):
            return known.get(node.name.value, SelectionCost())
        if isinstance(node, FieldNode):
            kind = self.work.type_of(parent, node.name.value)
            return self.field(node, self.selection_set(node, known, kind), parent)
        if isinstance(node, InlineFragmentNode) and node.type_condition:
            parent = node.type_condition.name.value
        return self.selection_set(node, known, parent)

    def field(self, field: FieldNode, inner: SelectionCost, parent: str) -> SelectionCost:
        name, page = field.name.value, self.page_size(field)
        if _is_model_list(field):
            page = min(page or MAX_PAGE_SIZE, most_rows(inner.row))
        # A list without `items` repeats everything below it.
        once, row = (inner.plain, inner.row) if inner.row or not page else (0, inner.plain)
        row += self.work.per_row(parent, name)
        below = once + row * (page or self.default_page)
        own = self.work.once(parent, name)
        return SelectionCost(own, below) if name == "items" else SelectionCost(own + below)

    def page_size(self, field: FieldNode) -> int | None:
        is_model_list = _is_model_list(field)
        default = MAX_PAGE_SIZE if is_model_list else None
        most = MAX_LIST_SIZE if is_model_list else MAX_PAGE_SIZE
        for argument in field.arguments or ():
            if argument.name.value == "limit":
                return self.limit(argument.value, default or self.default_page, most)
            if argument.name.value == "ids":
                return self.id_count(argument.value)
        return default

    def limit(self, value: ValueNode, default: int, most: int) -> int:
        if isinstance(value, VariableNode):
            number = self.variable_value(value, most)
        else:
            number = _number(value)
        if not isinstance(number, int | float):
            return default
        return int(max(1, min(number, most)))

    def id_count(self, ids: ValueNode) -> int:
        """One row for each id."""
        if not isinstance(ids, VariableNode):
            return len(ids.values) if isinstance(ids, ListValueNode) else 1
        value = self.variable_value(ids)
        return len(value) if isinstance(value, list) else MAX_PAGE_SIZE

    def variable_value(self, variable: VariableNode, most: int = MAX_PAGE_SIZE) -> object:
        if self.variables is None:
            return most
        return self.variables.get(variable.name.value)


def most_rows(row: int) -> int:
    """How many rows of so many values a list of Amplify's models may have."""
    return max(MAX_PAGE_SIZE, min(MAX_LIST_SIZE, LIST_VALUES // max(row, 1)))


def row_cost(
    field: FieldNode, fragments: Mapping[str, FragmentDefinitionNode], work: FieldWork
) -> int:
    """The cost of one row of a list of the root, with the most expensive variables."""
    estimator = _Estimator(DEFAULT_PAGE_SIZE, None, work)
    document = DocumentNode(definitions=tuple(fragments.values()))
    known = fold_fragments(document, estimator.definition)
    kind = work.type_of("Query", field.name.value)
    return estimator.selection_set(field, known, kind).row


def _is_model_list(field: FieldNode) -> bool:
    """Amplify's listGoals and the like: 100 rows without a limit, and up to MAX_LIST_SIZE."""
    return field.name.value.startswith("list")


def _number(value: ValueNode | None) -> int | None:
    if not isinstance(value, IntValueNode):
        return None
    # Ten digits exceed every page size; Python refuses to parse 4301 digits.
    return int(value.value[:10])
