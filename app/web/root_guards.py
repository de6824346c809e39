"""Refuses an operation whose every root field is closed to the caller, before its variables are
coerced: nobody without credentials makes the server work."""

from collections.abc import Iterator

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLNonNull,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
)

from app.core.caller import Caller
from app.graph.fields import GUARD
from app.graph.guards import GUARDS, Guard
from app.web.results import OperationResult


class RootGuards:
    def __init__(self, schema: GraphQLSchema) -> None:
        self._schema = schema

    def refusal(
        self, document: DocumentNode, operation: OperationDefinitionNode, caller: Caller
    ) -> OperationResult | None:
        """What execution would answer, or None if any field may be asked."""
        if caller.id is not None:
            return None
        fields = list(_root_fields(document, operation))
        errors = [self._error(operation, field, caller) for field in fields]
        refused = [error for error in errors if error is not None]
        if not refused or len(refused) < len(fields):
            return None
        if any(self._is_non_null(operation, field) for field in fields):
            return OperationResult(None, refused[:1])
        return OperationResult({_response_name(field): None for field in fields}, refused)

    def _error(
        self, operation: OperationDefinitionNode, field: FieldNode, caller: Caller
    ) -> GraphQLError | None:
        guard = self._guard(operation, field)
        refusal = guard.refusal(caller) if guard else None
        if refusal is None:
            return None
        path = [_response_name(field)]
        return GraphQLError(refusal.message, field, path=path, original_error=refusal)

    def _guard(self, operation: OperationDefinitionNode, field: FieldNode) -> Guard | None:
        root = self._schema.get_root_type(operation.operation)
        known = root.fields.get(field.name.value) if root else None
        definition = known.extensions.get("strawberry-definition") if known else None
        return GUARDS.get(definition.metadata.get(GUARD, "")) if definition else None

    def _is_non_null(self, operation: OperationDefinitionNode, field: FieldNode) -> bool:
        root = self._schema.get_root_type(operation.operation)
        return root is not None and isinstance(root.fields[field.name.value].type, GraphQLNonNull)


def _response_name(field: FieldNode) -> str:
    return (field.alias or field.name).value


def _root_fields(document: DocumentNode, operation: OperationDefinitionNode) -> Iterator[FieldNode]:
    """Those of fragments too, whatever @skip and @include say; each response name once."""
    fragments = {
        node.name.value: node
        for node in document.definitions
        if isinstance(node, FragmentDefinitionNode)
    }
    waiting: list[SelectionSetNode] = [operation.selection_set]
    seen: set[str] = set()
    while waiting:
        for node in waiting.pop().selections:
            name = _response_name(node) if isinstance(node, FieldNode) else ""
            if isinstance(node, FieldNode) and name not in seen:
                seen.add(name)
                yield node
            elif isinstance(node, FragmentSpreadNode) and f"...{node.name.value}" not in seen:
                seen.add(f"...{node.name.value}")
                waiting.append(fragments[node.name.value].selection_set)
            elif isinstance(node, InlineFragmentNode):
                waiting.append(node.selection_set)
