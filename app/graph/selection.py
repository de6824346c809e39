"""What of its records a field's selection can do without, so that the table need not be asked."""

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from graphql import (
    FieldNode,
    FragmentSpreadNode,
    GraphQLField,
    GraphQLObjectType,
    get_named_type,
    value_from_ast_untyped,
)

from app.core.record import READS, Record
from app.table.entity import ENTITIES, Fields

if TYPE_CHECKING:
    from app.graph.context import Info
else:
    from strawberry import Info


def unneeded(info: Info, cls: type[Record]) -> Fields:
    """The heavy attributes that nobody asks for, of the records that the field answers with, alone
    or as items of a page. A computed field that does not say what it reads may read anything."""
    heavy = ENTITIES[cls.__name__].heavy
    raw = info._raw_info
    kind: Any = get_named_type(raw.return_type)
    nodes = list(_selected(raw, raw.field_nodes))
    if "items" in kind.fields:
        nodes = list(_selected(raw, [node for node in nodes if node.name.value == "items"]))
        kind = get_named_type(kind.fields["items"].type)
    reads = _reads(kind, heavy)
    fields = {node.name.value for node in nodes} - {"__typename"}
    return heavy.difference(*(reads[name] for name in fields))


@lru_cache(maxsize=100)
def _reads(kind: GraphQLObjectType, heavy: Fields) -> dict[str, Fields]:
    return {name: _read_by(field, heavy) for name, field in kind.fields.items()}


def _read_by(field: GraphQLField, heavy: Fields) -> Fields:
    definition = (field.extensions or {}).get("strawberry-definition")
    if definition is None:
        return heavy
    if definition.is_basic_field:
        return frozenset({definition.python_name})
    return frozenset(definition.metadata.get(READS, heavy))


def _selected(raw: Any, nodes: Any) -> Iterator[FieldNode]:
    """The fields one level below, also out of fragments; each fragment once."""
    waiting = [each for node in nodes if node.selection_set for each in _below(node)]
    seen: set[str] = set()
    while waiting:
        node = waiting.pop()
        if not _is_included(raw, node):
            continue
        if isinstance(node, FieldNode):
            yield node
        elif not isinstance(node, FragmentSpreadNode):
            waiting += _below(node)
        elif node.name.value not in seen:
            seen.add(node.name.value)
            waiting += _below(raw.fragments[node.name.value])


def _below(node: Any) -> Any:
    return node.selection_set.selections


def _is_included(raw: Any, node: Any) -> bool:
    for directive in node.directives or ():
        if directive.name.value in ("skip", "include"):
            wish = value_from_ast_untyped(directive.arguments[0].value, raw.variable_values)
            if bool(wish) is (directive.name.value == "skip"):
                return False
    return True
