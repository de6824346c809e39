"""The schema as AppSync and Amplify's generator take it: `export-schema --appsync`."""

from typing import Any

from graphql import (
    DefinitionNode,
    DirectiveDefinitionNode,
    DocumentNode,
    FieldDefinitionNode,
    InputValueDefinitionNode,
    InterfaceTypeDefinitionNode,
    NamedTypeNode,
    NameNode,
    NonNullTypeNode,
    ObjectTypeDefinitionNode,
    ScalarTypeDefinitionNode,
    TypeNode,
    UnionTypeDefinitionNode,
    Visitor,
    parse,
    print_ast,
    visit,
)

HEADER = """\
# For AWS AppSync and Amplify's generator (amplify codegen). It differs from schema.graphql:
# - AppSync's scalars and directives are not defined: AppSync and the generator add them.
# - Decimal is String, for AppSync has no scalars but its own. The values are the same texts.
# - Interfaces are types with the fields that all their types have, and unions are left out:
#   the generator would select fields of one name and different types together, which is not valid.
# - Arguments are not marked as deprecated: the generator knows that of fields alone.
# - Fields inside types that need an argument are left out: the generator would not send it.
"""
ROOTS = ("Query", "Mutation", "Subscription")


def appsync_schema(text: str) -> str:
    """`text` is the whole schema, as SDL."""
    document = parse(text)
    unions = {
        node.name.value
        for node in document.definitions
        if isinstance(node, UnionTypeDefinitionNode)
    }
    kept = [node for node in document.definitions if not _is_left_out(node)]
    changed = visit(DocumentNode(definitions=tuple(kept)), _ForAppSync(unions))
    return f"{HEADER}\n{print_ast(changed)}\n"


def _is_left_out(node: DefinitionNode) -> bool:
    return isinstance(
        node, ScalarTypeDefinitionNode | DirectiveDefinitionNode | UnionTypeDefinitionNode
    )


class _ForAppSync(Visitor):
    def __init__(self, unions: set[str]) -> None:
        super().__init__()
        self._unions = unions

    def enter_directive(
        self, node: Any, _key: Any, _parent: Any, _path: Any, ancestors: Any
    ) -> Any:
        name, is_argument = node.name.value, isinstance(ancestors[-1], InputValueDefinitionNode)
        is_unknown = name == "oneOf" or (name == "deprecated" and is_argument)
        return self.REMOVE if is_unknown else None

    def enter_field_definition(
        self, node: FieldDefinitionNode, _key: Any, _parent: Any, _path: Any, ancestors: Any
    ) -> Any:
        is_root = getattr(ancestors[-1], "name", None) and ancestors[-1].name.value in ROOTS
        if _named(node.type) in self._unions or (not is_root and _needs_argument(node)):
            return self.REMOVE
        return None

    def leave_named_type(self, node: NamedTypeNode, *_: Any) -> Any:
        return (
            NamedTypeNode(name=NameNode(value="String")) if node.name.value == "Decimal" else None
        )

    def leave_object_type_definition(self, node: ObjectTypeDefinitionNode, *_: Any) -> Any:
        return _plain_type(node)

    def leave_interface_type_definition(self, node: InterfaceTypeDefinitionNode, *_: Any) -> Any:
        return _plain_type(node)


def _plain_type(node: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode) -> Any:
    return ObjectTypeDefinitionNode(
        description=node.description,
        name=node.name,
        directives=node.directives,
        fields=node.fields,
    )


def _needs_argument(field: FieldDefinitionNode) -> bool:
    return any(
        isinstance(each.type, NonNullTypeNode) and each.default_value is None
        for each in field.arguments or ()
    )


def _named(type_: TypeNode) -> str:
    while not isinstance(type_, NamedTypeNode):
        type_ = type_.type  # type: ignore[attr-defined]
    return type_.name.value
