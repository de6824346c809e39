"""amplify_outputs.json for a front end: the address, authorization modes, models and operations."""

from app.settings import Settings
from app.web.amplify.introspection import Json, introspection
from app.web.schema import build_schema


def amplify_outputs(settings: Settings) -> Json:
    modes = _authorization_modes(settings)
    data = {
        "url": f"{settings.address}/graphql",
        "aws_region": settings.aws_region,
        "default_authorization_type": modes[0],
        "authorization_types": modes[1:],
        "model_introspection": introspection(build_schema()._schema),
    }
    if settings.api_keys:
        data["api_key"] = settings.api_keys[0]
    return {"version": "1.4", **_auth(settings), "data": data}


def _authorization_modes(settings: Settings) -> list[str]:
    """The first one is the default of the client."""
    users = settings.embedded_identity or settings.cognito_user_pool_id
    modes = ["AMAZON_COGNITO_USER_POOLS"] if users else []
    modes += ["OPENID_CONNECT"] if settings.oidc_issuer else []
    modes += ["API_KEY"] if settings.api_keys else []
    modes += ["AWS_IAM"] if settings.iam_keys else []
    return modes + (["AWS_LAMBDA"] if settings.authorizer_url else [])


def _auth(settings: Settings) -> Json:
    if not settings.cognito_user_pool_id:
        return {}
    pool = settings.cognito_user_pool_id
    return {
        "auth": {
            "aws_region": pool.partition("_")[0],
            "user_pool_id": pool,
            "user_pool_client_id": settings.cognito_client_ids[0],
        }
    }
