"""AppSync's directives, for who reads schema.graphql: code generators and editors know them."""

import strawberry
from strawberry.schema_directive import Location

ON_FIELDS = [Location.FIELD_DEFINITION, Location.OBJECT]


@strawberry.schema_directive(locations=[Location.FIELD_DEFINITION], name="aws_subscribe")
class AwsSubscribe:
    mutations: list[str]


@strawberry.schema_directive(locations=ON_FIELDS, name="aws_api_key")
class AwsApiKey:
    """With an API key too."""


@strawberry.schema_directive(locations=ON_FIELDS, name="aws_iam")
class AwsIam:
    """With a signature too."""


@strawberry.schema_directive(locations=ON_FIELDS, name="aws_oidc")
class AwsOidc:
    """With a token of an OIDC provider too."""


@strawberry.schema_directive(locations=ON_FIELDS, name="aws_lambda")
class AwsLambda:
    """With what an authorizer knows too."""


@strawberry.schema_directive(locations=ON_FIELDS, name="aws_cognito_user_pools")
class AwsCognitoUserPools:
    """With a token of a user pool: so is everything that says nothing else."""


# What is read without being somebody.
PUBLIC = (AwsApiKey(), AwsCognitoUserPools(), AwsIam(), AwsLambda(), AwsOidc())
