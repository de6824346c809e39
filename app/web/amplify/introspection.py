"""What amplify_outputs.json says of the schema: Amplify's client generates its documents from it.

Fields that lead to other records are left out, except for the relations of models: Amplify would
follow a cycle without end.
"""

from typing import Any

from graphql import (
    GraphQLArgument,
    GraphQLEnumType,
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLInterfaceType,
    GraphQLList,
    GraphQLNonNull,
    GraphQLObjectType,
    GraphQLScalarType,
    GraphQLSchema,
    is_required_argument,
)

from app.web.amplify.models import MODELS, BelongsTo, HasMany, Index, Model

Json = dict[str, Any]
Composite = GraphQLObjectType | GraphQLInterfaceType
MODEL_NAMES = frozenset(each.name for each in MODELS)


def introspection(schema: GraphQLSchema) -> Json:
    types = [each for name, each in schema.type_map.items() if not name.startswith("__")]
    roots = {schema.query_type, schema.mutation_type, schema.subscription_type}
    composites = [
        each
        for each in types
        if isinstance(each, GraphQLObjectType | GraphQLInterfaceType) and each not in roots
    ]
    return {
        "version": 1,
        "models": {each.name: _model(schema, each) for each in MODELS},
        "enums": {
            each.name: {"name": each.name, "values": list(each.values)}
            for each in types
            if isinstance(each, GraphQLEnumType)
        },
        "nonModels": {non_model_name(each.name): _non_model(each) for each in composites},
        "queries": _operations(schema.query_type),
        "mutations": _operations(schema.mutation_type),
        "subscriptions": _operations(schema.subscription_type),
    }


def _operations(root: GraphQLObjectType | None) -> Json:
    assert root is not None
    found: Json = {}
    for name, field in root.fields.items():
        described = describe(name, field.type)
        if described is None:
            continue
        if (named := _named_type(field.type).name) in MODEL_NAMES:
            described["type"] = {"model": named}
        arguments = {key: _argument(key, each) for key, each in field.args.items()}
        found[name] = described | ({"arguments": arguments} if arguments else {})
    return found


def _argument(name: str, argument: GraphQLArgument) -> Json:
    """An argument with a default may be left out, whatever its type says."""
    described = describe(name, argument.type)
    assert described is not None
    return described if is_required_argument(argument) else optional(described)


def optional(described: Json) -> Json:
    return described | (
        {"isArrayNullable": True} if described["isArray"] else {"isRequired": False}
    )


def _model(schema: GraphQLSchema, model: Model) -> Json:
    kind, changes = schema.type_map[model.name], schema.type_map[f"Update{model.name}Input"]
    assert isinstance(kind, GraphQLObjectType)
    assert isinstance(changes, GraphQLInputObjectType)
    fields: Json = {}
    for name, field in kind.fields.items():
        described = describe(name, field.type)
        if described and not field.args and _is_cheap(field):
            read_only = {} if name in changes.fields else {"isReadOnly": True}
            fields[name] = described | {"attributes": []} | read_only
    for name, relation in model.relations.items():
        fields[name] = _relation(name, relation)
    return {
        "name": model.name,
        "pluralName": model.plural,
        "syncable": False,
        "fields": fields,
        "attributes": [
            {"type": "model", "properties": {}},
            *(_key(model, index) for index in model.indexes),
        ],
        "primaryKeyInfo": {
            "isCustomPrimaryKey": False,
            "primaryKeyFieldName": "id",
            "sortKeyFieldNames": [],
        },
    }


def _relation(name: str, relation: HasMany | BelongsTo) -> Json:
    """Amplify reads it when it is called for, or as part of a selectionSet."""
    many = isinstance(relation, HasMany)
    kind = {"connectionType": "HAS_MANY" if many else "BELONGS_TO"}
    by = {"associatedWith" if many else "targetNames": [relation.by]}
    return {
        "name": name,
        "type": {"model": relation.model},
        "isRequired": False,
        "attributes": [],
        "isArray": many,
        "association": kind | by,
    } | ({"isArrayNullable": True} if many else {})


def _key(model: Model, index: Index) -> Json:
    query = index.query_name(model.name)
    properties = {"name": query, "queryField": query, "fields": index.fields}
    return {"type": "key", "properties": properties}


def _is_cheap(field: GraphQLField) -> bool:
    """Amplify always selects all fields of a model: so only values and objects stored in it."""
    named = _named_type(field.type)
    if isinstance(named, GraphQLScalarType | GraphQLEnumType):
        return True
    return bool(field.extensions["strawberry-definition"].is_basic_field) and _is_leaf(named)


def _non_model(kind: Composite) -> Json:
    fields = {
        name: described | {"attributes": []}
        for name, field in kind.fields.items()
        if not _needs_arguments(field) and _is_selectable(kind, field.type)
        if (described := describe(name, field.type))
    }
    return {"name": non_model_name(kind.name), "fields": fields}


def _needs_arguments(field: Any) -> bool:
    return any(is_required_argument(each) for each in field.args.values())


def _is_selectable(kind: Composite, type_: Any) -> bool:
    """Values, the items of a page, and objects that contain only values."""
    named = _named_type(type_)
    if not isinstance(named, GraphQLObjectType | GraphQLInterfaceType):
        return True
    return _is_page(kind) or (not _is_page(named) and _is_leaf(named))


def _is_page(kind: Composite) -> bool:
    return "items" in kind.fields and "nextToken" in kind.fields


def _is_leaf(kind: Composite) -> bool:
    return all(
        isinstance(_named_type(field.type), GraphQLScalarType | GraphQLEnumType)
        for field in kind.fields.values()
    )


def describe(name: str, type_: Any) -> Json | None:
    """None for unions: Amplify cannot select from them."""
    required = isinstance(type_, GraphQLNonNull)
    inner = type_.of_type if isinstance(type_, GraphQLNonNull) else type_
    if isinstance(inner, GraphQLList):
        item = inner.of_type
        found = _type_of(_named_type(item))
        more = {"isArray": True, "isArrayNullable": not required}
        required = isinstance(item, GraphQLNonNull)
    else:
        found, more = _type_of(inner), {"isArray": False}
    return None if found is None else {"name": name, "type": found, "isRequired": required} | more


def non_model_name(type_name: str) -> str:
    """A model inside another answer has its values only, and a name of its own: Amplify looks both
    kinds up by their names."""
    return f"{type_name}Values" if type_name in MODEL_NAMES else type_name


def _type_of(named: Any) -> str | dict[str, str] | None:
    match named:
        case GraphQLScalarType():
            return str(named.name)
        case GraphQLEnumType():
            return {"enum": named.name}
        case GraphQLInputObjectType():
            return {"input": named.name}
        case GraphQLObjectType() | GraphQLInterfaceType():
            return {"nonModel": non_model_name(named.name)}
        case _:
            return None


def _named_type(type_: Any) -> Any:
    while isinstance(type_, GraphQLNonNull | GraphQLList):
        type_ = type_.of_type
    return type_
