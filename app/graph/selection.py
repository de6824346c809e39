"""Heavy attributes that a selection does not need, so that they need not be read from the table."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from graphql import (
    FieldNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLObjectType,
    get_named_type,
    value_from_ast_untyped,
)

from app.core.record import READS, Record
from app.graph.context import Info
from app.table.entity import FieldNames, entity_for


def unselected_fields(info: Info, cls: type[Record]) -> FieldNames:
    """The heavy attributes that the selection of this field does not need, of the record it returns
    or of the items of a page. A computed field that does not declare READS may need all of them."""
    heavy = entity_for(cls).heavy
    raw = info._raw_info
    kind: Any = get_named_type(raw.return_type)
    nodes = list(_subfields(raw, raw.field_nodes))
    if "items" in kind.fields:
        nodes = list(_subfields(raw, [node for node in nodes if node.name.value == "items"]))
        kind = get_named_type(kind.fields["items"].type)
    reads = _reads_by_field(kind, heavy)
    fields = {node.name.value for node in nodes} - {"__typename"}
    return heavy.difference(*(reads[name] for name in fields))


@lru_cache(maxsize=100)
def _reads_by_field(kind: GraphQLObjectType, heavy: FieldNames) -> dict[str, FieldNames]:
    return {name: _attributes_read_by(field, heavy) for name, field in kind.fields.items()}


def _attributes_read_by(field: GraphQLField, heavy: FieldNames) -> FieldNames:
    definition = (field.extensions or {}).get("strawberry-definition")
    if definition is None:
        return heavy
    if definition.is_basic_field:
        return frozenset({definition.python_name})
    return frozenset(definition.metadata.get(READS, heavy))


def _subfields(raw: Any, nodes: Any) -> Iterator[FieldNode]:
    """The fields one level below, fragments included."""
    pending = [each for node in nodes if node.selection_set for each in _selections(node)]
    seen: set[str] = set()
    while pending:
        node = pending.pop()
        if not _is_included(raw, node):
            continue
        if isinstance(node, FieldNode):
            yield node
        elif not isinstance(node, FragmentSpreadNode):
            pending += _selections(node)
        elif node.name.value not in seen:
            seen.add(node.name.value)
            pending += _selections(raw.fragments[node.name.value])


def _selections(node: Any) -> Any:
    return node.selection_set.selections


def _is_included(raw: Any, node: Any) -> bool:
    for directive in node.directives or ():
        if directive.name.value in ("skip", "include"):
            condition = value_from_ast_untyped(directive.arguments[0].value, raw.variable_values)
            if bool(condition) is (directive.name.value == "skip"):
                return False
    return True
