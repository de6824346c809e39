"""The names that outlive a release: python -m tests.upgrade.names FILE writes the present ones.

Stored items, clients, operators and dashboards know them, so none may vanish by accident.
"""

import dataclasses
import importlib
import json
import pkgutil
import sys
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from graphql import (
    DocumentNode,
    EnumTypeDefinitionNode,
    InputObjectTypeDefinitionNode,
    InputValueDefinitionNode,
    InterfaceTypeDefinitionNode,
    ObjectTypeDefinitionNode,
    ScalarTypeDefinitionNode,
    UnionTypeDefinitionNode,
    parse,
    print_ast,
)
from prometheus_client import REGISTRY

import app
from tests.upgrade.internals import (
    ENTITIES,
    PUBLISH_RULES,
    STORED_AS,
    AppError,
    Settings,
    attributes_of,
    export_schema,
)

# Of errors that are not raised as AppError: they arise before a resolver runs, or by our fault.
CODES_IN_TEXT = (
    "BAD_REQUEST",
    "GRAPHQL_PARSE_FAILED",
    "GRAPHQL_VALIDATION_FAILED",
    "INTERNAL",
    "QUERY_TOO_COMPLEX",
)
Names = dict[str, Any]


def present_names() -> Names:
    import_everything()
    return {
        "entities": {name: entity_names(name) for name in sorted(ENTITIES)},
        "observed": sorted(PUBLISH_RULES),
        "errorCodes": error_codes(),
        "settings": setting_names(),
        "metrics": metric_names(),
        "schema": schema_names(parse(export_schema())),
    }


def import_everything() -> None:
    for module in pkgutil.walk_packages(app.__path__, "app."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)


# What is stored


def stored_parts(template: str, cls: type) -> str:
    """A part is named after its field; a field that was renamed has its stored name in metadata."""
    for field in dataclasses.fields(cls):
        if STORED_AS in field.metadata:
            template = template.replace(f"{{{field.name}}}", f"{{{field.metadata[STORED_AS]}}}")
    return template


def entity_names(name: str) -> Names:
    entity = ENTITIES[name]
    values = dict(value_names(entity.cls))
    return {
        "keys": {
            index or "table": stored_parts(f"{pk.text} / {sk.text}", entity.cls)
            for index, (pk, sk) in entity.templates.items()
        },
        "attributes": sorted(attribute_names(entity.cls)),
        "values": {path: values[path] for path in sorted(values)},
    }


def attribute_names(cls: Any) -> Iterator[str]:
    """Of nested records too: marks, marks.kind, marks.pk …"""
    for attribute, inner in inner_types(cls):
        yield attribute
        if dataclasses.is_dataclass(inner):
            yield from (f"{attribute}.{each}" for each in attribute_names(inner))


def value_names(cls: Any) -> Iterator[tuple[str, list[str]]]:
    """Of each attribute that holds an enum, the values that may be stored."""
    for attribute, inner in inner_types(cls):
        if isinstance(inner, type) and issubclass(inner, Enum):
            yield attribute, sorted(str(each.value) for each in inner)
        elif dataclasses.is_dataclass(inner):
            yield from ((f"{attribute}.{path}", each) for path, each in value_names(inner))


def inner_types(cls: Any) -> Iterator[tuple[str, Any]]:
    hints = get_type_hints(cls)
    for field, attribute in attributes_of(cls):
        yield attribute, innermost(hints[field])


def innermost(hint: Any) -> Any:
    """X for list[X], dict[str, X] and X | None."""
    while get_origin(hint) is not None:
        hint = [each for each in get_args(hint) if each is not type(None)][-1]
    return hint


# What clients, operators and dashboards know


def error_codes() -> list[str]:
    raised = {each.code for each in subclasses(AppError) if hasattr(each, "code")}
    files = Path(app.__path__[0]).rglob("*.py")
    source = "".join(file.read_text() for file in files)
    return sorted(raised | {code for code in CODES_IN_TEXT if f'"{code}"' in source})


def subclasses(cls: type[AppError]) -> Iterator[type[AppError]]:
    for each in cls.__subclasses__():
        if each.__module__.startswith("app."):
            yield each
        yield from subclasses(each)


def setting_names() -> list[str]:
    names = set(Settings.model_fields)
    for field in Settings.model_fields.values():
        choices = getattr(field.validation_alias, "choices", [])
        names |= {each for each in choices if isinstance(each, str)}
    return sorted(name.upper() for name in names)


def metric_names() -> list[str]:
    families = [each for each in REGISTRY.collect() if each.name.startswith("guildhall_")]
    return sorted(f"{each.name} ({each.type})" for each in families)


# The GraphQL schema


def schema_names(document: DocumentNode) -> Names:
    found: dict[str, Names] = {
        "scalars": {},
        "types": {},
        "inputs": {},
        "enums": {},
        "unions": {},
    }
    for node in document.definitions:
        match node:
            case ObjectTypeDefinitionNode() | InterfaceTypeDefinitionNode():
                found["types"][node.name.value] = type_names(node)
            case InputObjectTypeDefinitionNode():
                found["inputs"][node.name.value] = argument_names(node.fields)
            case EnumTypeDefinitionNode():
                found["enums"][node.name.value] = sorted(
                    each.name.value for each in node.values or ()
                )
            case UnionTypeDefinitionNode():
                found["unions"][node.name.value] = sorted(
                    each.name.value for each in node.types or ()
                )
            case ScalarTypeDefinitionNode():
                found["scalars"][node.name.value] = {}
    return {kind: dict(sorted(each.items())) for kind, each in found.items()}


def type_names(node: ObjectTypeDefinitionNode | InterfaceTypeDefinitionNode) -> Names:
    fields = {
        field.name.value: {
            "type": print_ast(field.type),
            "arguments": argument_names(field.arguments),
        }
        for field in sorted(node.fields or (), key=lambda field: field.name.value)
    }
    return {
        "implements": sorted(each.name.value for each in node.interfaces or ()),
        "fields": fields,
    }


def argument_names(nodes: tuple[InputValueDefinitionNode, ...] | None) -> Names:
    """Int = 20: the default is a part of what a client relies on."""
    found = {}
    for node in sorted(nodes or (), key=lambda node: node.name.value):
        default = f" = {print_ast(node.default_value)}" if node.default_value else ""
        found[node.name.value] = print_ast(node.type) + default
    return found


def write_names(file: Path) -> None:
    file.write_text(json.dumps(present_names(), indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    write_names(Path(sys.argv[1]))
