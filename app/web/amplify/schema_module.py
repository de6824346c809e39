"""The TypeScript module that gives Amplify's client its types: `generateClient<Schema>()`.

It says what amplify_outputs.json says to the client, and which inputs the server takes.
"""

from collections.abc import Iterator

import orjson
from graphql import (
    GraphQLInputObjectType,
    GraphQLSchema,
    is_required_input_field,
)

from app.web.amplify.aliases import is_alias
from app.web.amplify.introspection import Json, describe, introspection, optional
from app.web.amplify.models import MODELS

HEADER = """\
// Types for generateClient<Schema>(). Printed by: python -m app amplify-outputs --types FILE
import { a, type ClientSchema } from '@aws-amplify/data-schema';
"""
SCHEMA_TYPE = """\
// A selectionSet follows relations two levels deep: the usual five take tsc half a minute.
type Client = ClientSchema<typeof schema, { selectionSetDepth: 2 }>;

// What the server takes: fields with a default may be left out, computed ones cannot be given.
type Inputs = {
%s
};

export type Schema = {
  [Name in keyof Client]: Name extends keyof Inputs
    ? Omit<Client[Name], keyof Inputs[Name]> & Inputs[Name]
    : Client[Name];
};
"""
BUILDERS = {
    "ID": "id",
    "String": "string",
    "Decimal": "string",
    "Int": "integer",
    "Float": "float",
    "Boolean": "boolean",
    "AWSDate": "date",
    "AWSTime": "time",
    "AWSDateTime": "datetime",
    "AWSTimestamp": "timestamp",
    "AWSEmail": "email",
    "AWSJSON": "json",
    "AWSURL": "url",
}
# Filters contain themselves, which a custom type cannot.
UNTYPED_PREFIX = "Model"


def schema_module(schema: GraphQLSchema) -> str:
    described = introspection(schema)
    parts = [*_enums(described), *_inputs(schema), *_types(described), *_operations(described)]
    definitions = "\n".join(f"  {name}: {definition}," for name, definition in parts)
    inputs = "\n".join(_model_inputs(each.name) for each in MODELS)
    return f"{HEADER}\nconst schema = a.schema({{\n{definitions}\n}});\n\n{SCHEMA_TYPE % inputs}"


def _model_inputs(name: str) -> str:
    create, update = (f"Client['{word}{name}Input']['type']" for word in ("Create", "Update"))
    return f"  {name}: {{ createType: {create}; updateType: {update} }};"


def _enums(described: Json) -> Iterator[tuple[str, str]]:
    for name, each in described["enums"].items():
        yield name, f"a.enum({orjson.dumps(each['values']).decode()})"


def _inputs(schema: GraphQLSchema) -> Iterator[tuple[str, str]]:
    for name, kind in schema.type_map.items():
        if isinstance(kind, GraphQLInputObjectType) and not name.startswith(UNTYPED_PREFIX):
            yield name, _custom_type(_input_fields(kind))


def _input_fields(kind: GraphQLInputObjectType) -> Json:
    fields: Json = {}
    for name, field in kind.fields.items():
        described = describe(name, field.type)
        assert described is not None
        fields[name] = described if is_required_input_field(field) else optional(described)
    return fields


def _types(described: Json) -> Iterator[tuple[str, str]]:
    for name, each in described["nonModels"].items():
        yield name, _custom_type(each["fields"])
    for name, each in described["models"].items():
        # Amplify adds the id itself.
        fields = {key: one for key, one in each["fields"].items() if key != "id"}
        yield name, f"a.model({_object(fields)}){_indexes(each)}"


def _indexes(model: Json) -> str:
    keys = [each["properties"]["fields"] for each in model["attributes"] if each["type"] == "key"]
    if not keys:
        return ""
    calls = ", ".join(f"index('{first}').sortKeys(['{second}'])" for first, second in keys)
    return f".secondaryIndexes((index) => [{calls}])"


def _operations(described: Json) -> Iterator[tuple[str, str]]:
    for kind, word in (("queries", "query"), ("mutations", "mutation")):
        for name, each in described[kind].items():
            if not is_alias(name):
                yield name, f"a.{word}(){_arguments(each)}.returns({_field(each)})"
    for name, each in described["subscriptions"].items():
        if not is_alias(name):
            yield name, f"a.subscription(){_arguments(each)}.for({_field(each)})"


def _arguments(operation: Json) -> str:
    given = operation.get("arguments")
    return f".arguments({_object(given)})" if given else ""


def _custom_type(fields: Json) -> str:
    return f"a.customType({_object(fields)})"


def _object(fields: Json) -> str:
    return "{ " + ", ".join(f"{name}: {_field(each)}" for name, each in fields.items()) + " }"


def _field(described: Json) -> str:
    if "association" in described:
        return _relation_field(described["type"]["model"], described["association"])
    text = _base(described["type"]) + (".required()" if described["isRequired"] else "")
    if described["isArray"]:
        text += ".array()" + ("" if described["isArrayNullable"] else ".required()")
    return text


def _relation_field(model: str, association: Json) -> str:
    if association["connectionType"] == "HAS_MANY":
        return f"a.hasMany('{model}', '{association['associatedWith'][0]}')"
    return f"a.belongsTo('{model}', '{association['targetNames'][0]}')"


def _base(kind: str | dict[str, str]) -> str:
    if isinstance(kind, str):
        return f"a.{BUILDERS[kind]}()"
    (name,) = kind.values()
    return "a.json()" if name.startswith(UNTYPED_PREFIX) else f"a.ref('{name}')"
