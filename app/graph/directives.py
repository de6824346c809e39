"""AppSync's directives in schema.graphql, for code generators and editors."""

from typing import Any

import strawberry
from graphql import GraphQLObjectType, GraphQLSchema, get_named_type
from strawberry import UNSET
from strawberry.schema_directive import Location

ON_FIELDS = [Location.FIELD_DEFINITION, Location.OBJECT]


@strawberry.schema_directive(locations=[Location.FIELD_DEFINITION], name="aws_subscribe")
class AwsSubscribe:
    mutations: list[str]


@strawberry.schema_directive(locations=ON_FIELDS, name="aws_api_key")
class AwsApiKey:
    """Also with an API key."""


@strawberry.schema_directive(locations=ON_FIELDS, name="aws_iam")
class AwsIam:
    """Also with a SigV4 signature."""


@strawberry.schema_directive(locations=ON_FIELDS, name="aws_oidc")
class AwsOidc:
    """Also with a token of an OIDC provider."""


@strawberry.schema_directive(locations=ON_FIELDS, name="aws_lambda")
class AwsLambda:
    """Also with an authorization that the authorizer accepts."""


@strawberry.schema_directive(locations=ON_FIELDS, name="aws_cognito_user_pools")
class AwsCognitoUserPools:
    """With a token of a user pool; also the default of fields without a directive."""

    groups: list[str] | None = strawberry.directive_field(name="cognito_groups", default=UNSET)


# Readable without a user.
PUBLIC = (AwsApiKey(), AwsCognitoUserPools(), AwsIam(), AwsLambda(), AwsOidc())
MODERATORS = (AwsCognitoUserPools(groups=["moderators", "admins"]),)
ADMINS = (AwsCognitoUserPools(groups=["admins"]),)


def mark_public_types(schema: GraphQLSchema) -> None:
    """AppSync asks for the directives of a public field again on what it returns: its type, the
    items of a page, and what they consist of. Other records inside have their own fields."""
    waiting: list[Any] = [
        field
        for root in (schema.query_type, schema.mutation_type, schema.subscription_type)
        for field in (root.fields.values() if root else ())
        if AwsApiKey() in _definition(field).directives
    ]
    marked = set()
    while waiting:
        kind = get_named_type(waiting.pop().type)
        if isinstance(kind, GraphQLObjectType) and kind.name not in marked:
            marked.add(kind.name)
            _definition(kind).directives = PUBLIC
            waiting += [
                field
                for name, field in kind.fields.items()
                if name == "items" or not _is_record(get_named_type(field.type))
            ]


def _is_record(kind: Any) -> bool:
    return any(each.name == "Node" for each in getattr(kind, "interfaces", ()))


def _definition(element: Any) -> Any:
    return element.extensions["strawberry-definition"]
