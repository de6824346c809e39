"""Introspection: executed once per query in a thread, and kept as bytes. The schema never changes
while the server runs."""

from collections import OrderedDict

import orjson
from graphql import (
    DocumentNode,
    FieldNode,
    GraphQLSchema,
    OperationDefinitionNode,
    OperationType,
    execute_sync,
)

from app.web.results import OperationResult
from app.web.worker_thread import in_slow_thread

MOST_KEPT = 32
MOST_KEPT_BYTES = 16_000_000
META_FIELDS = frozenset({"__schema", "__type", "__typename"})


class Introspection:
    def __init__(self, schema: GraphQLSchema) -> None:
        self._schema = schema
        self._kept: OrderedDict[tuple[str, str | None], OperationResult] = OrderedDict()

    async def answer(
        self, text: str, document: DocumentNode, operation_name: str | None
    ) -> OperationResult:
        key = (text, operation_name)
        if key not in self._kept:
            self._kept[key] = await in_slow_thread(self._execute, document, operation_name)
            self._evict()
        self._kept.move_to_end(key)
        return self._kept[key]

    def _evict(self) -> None:
        """The newest stays, whatever its size."""
        size = sum(len(each.json or b"") for each in self._kept.values())
        while len(self._kept) > 1 and (len(self._kept) > MOST_KEPT or size > MOST_KEPT_BYTES):
            _, oldest = self._kept.popitem(last=False)
            size -= len(oldest.json or b"")

    def _execute(self, document: DocumentNode, operation_name: str | None) -> OperationResult:
        result = execute_sync(self._schema, document, operation_name=operation_name)
        if result.errors:
            return OperationResult(result.data, result.errors)
        return OperationResult(json=orjson.dumps(result.data))


def is_introspection(operation: OperationDefinitionNode) -> bool:
    """Only meta fields, at least one of the schema's, and no variables."""
    names = {
        node.name.value if isinstance(node, FieldNode) else ""
        for node in operation.selection_set.selections
    }
    return (
        operation.operation is OperationType.QUERY
        and not operation.variable_definitions
        and names <= META_FIELDS
        and names != {"__typename"}
    )
