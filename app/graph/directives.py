"""AppSync's directives in schema.graphql, for code generators and editors."""

import strawberry
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


# Readable without a user.
PUBLIC = (AwsApiKey(), AwsCognitoUserPools(), AwsIam(), AwsLambda(), AwsOidc())
