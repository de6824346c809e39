"""What a document may cost: the number of values that its answer can hold."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentSpreadNode,
    GraphQLError,
    IntValueNode,
    ListValueNode,
    OperationDefinitionNode,
    SelectionNode,
    ValueNode,
    VariableNode,
    get_operation_ast,
)

from app.web.limits import COUNTLESS, Limits, fold_fragments, refusal, selections_of

# A larger page is refused by the field itself, with a better message than a cost.
LARGEST_PAGE = 100


class Cost(NamedTuple):
    """The values a selection yields: `plain` ones, and those below `items` for each `row`."""

    plain: int = 0
    row: int = 0


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
    return refusal(message, "QUERY_TOO_COMPLEX")


@dataclass(frozen=True, slots=True)
class _Pricing:
    default_page: int
    variables: Mapping[str, object] | None  # None: the worst that could be given

    def of(self, document: DocumentNode, operation_name: str | None) -> int:
        operation = get_operation_ast(document, operation_name)
        if not operation:
            return 0
        pricing = self.with_defaults(operation)
        return sum(pricing.within(operation, fold_fragments(document, pricing.within)))

    def with_defaults(self, operation: OperationDefinitionNode) -> "_Pricing":
        if self.variables is None:
            return self
        defined = operation.variable_definitions or ()
        defaults = {node.variable.name.value: _number(node.default_value) for node in defined}
        return replace(self, variables=defaults | dict(self.variables))

    def within(self, node: object, known: Mapping[str, Cost]) -> Cost:
        plain = row = 0
        for selection in selections_of(node):
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
        # Amplify's listGoals and the like give as many as they may, unless told otherwise.
        usual = LARGEST_PAGE if field.name.value.startswith("list") else None
        for argument in field.arguments or ():
            if argument.name.value == "limit":
                return self.size(argument.value, usual or self.default_page)
            if argument.name.value == "ids":
                return self.count(argument.value)
        return usual

    def size(self, value: ValueNode, usual: int) -> int:
        number = self.chosen(value) if isinstance(value, VariableNode) else _number(value)
        if not isinstance(number, int | float):
            return usual
        return int(max(1, min(number, LARGEST_PAGE)))

    def count(self, ids: ValueNode) -> int:
        """One row for each id."""
        if not isinstance(ids, VariableNode):
            return len(ids.values) if isinstance(ids, ListValueNode) else 1
        given = self.chosen(ids)
        return len(given) if isinstance(given, list) else LARGEST_PAGE

    def chosen(self, variable: VariableNode) -> object:
        if self.variables is None:
            return LARGEST_PAGE
        return self.variables.get(variable.name.value)


def _number(value: ValueNode | None) -> int | None:
    if not isinstance(value, IntValueNode):
        return None
    # Ten digits are past every page, and Python refuses to read 4301.
    return int(value.value[:10])
