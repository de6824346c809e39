"""Exceptions as clients see them. Unexpected ones are logged and masked.

Codes of this package, besides those of core/errors.py and the domains:
BAD_REQUEST, GRAPHQL_PARSE_FAILED, GRAPHQL_VALIDATION_FAILED, QUERY_TOO_COMPLEX, INTERNAL.
"""

from collections.abc import Sequence
from typing import Any

import structlog
from graphql import GraphQLError, GraphQLSyntaxError
from strawberry.exceptions import StrawberryInputCoercionError

from app.auth.sigv4 import InvalidSignature, UnknownKey
from app.core.errors import AppError, ConditionFailed, Forbidden, RateLimited, Unauthenticated
from app.web.http import HttpError, unauthorized

MAX_ERRORS = 5
MAX_MESSAGE_LENGTH = 300
MASKED_MESSAGE = "Internal error. Report it to the server's operator with the request id {id}."

log = structlog.get_logger()


def format_errors(errors: list[GraphQLError], request_id: str) -> list[dict[str, Any]]:
    return [_format_error(error, request_id) for error in errors[:MAX_ERRORS]]


def _format_error(error: GraphQLError, request_id: str) -> dict[str, Any]:
    message, code, info = _public_error(error, request_id)
    return {
        "message": message[:MAX_MESSAGE_LENGTH],
        "path": error.path,
        "locations": [
            {"line": location.line, "column": location.column} for location in error.locations or []
        ],
        "errorType": error_type(code),
        "errorInfo": info or None,
        "extensions": {"code": code} | info,
    }


def to_http_error(problem: Exception, request_id: str) -> HttpError:
    """The HTTP error for a request that failed before its GraphQL operation was executed."""
    if isinstance(problem, HttpError):
        return problem
    if isinstance(problem, InvalidSignature | UnknownKey):
        return unauthorized(problem.message, status=403, error_type=problem.error_type)
    if isinstance(problem, Unauthenticated):
        return unauthorized(problem.message)
    if isinstance(problem, RateLimited):
        return HttpError(
            429,
            problem.message,
            code=problem.code,
            error_type="TooManyRequestsException",
            info=problem.info,
            headers={"retry-after": str(problem.info["retryAfter"])},
        )
    if isinstance(problem, AppError):
        return HttpError(
            503,
            problem.message,
            code=problem.code,
            error_type="ServiceUnavailable",
            info=problem.info,
            headers={"retry-after": "1"},
        )
    _log(problem, request_id)
    return HttpError(
        500,
        MASKED_MESSAGE.format(id=request_id),
        code="INTERNAL",
        error_type="InternalFailure",
        info={"requestId": request_id},
    )


def error_type(code: str) -> str:
    """AppSync's clients know one name for all errors of authentication and authorization, and
    DynamoDB's for a condition."""
    if code == ConditionFailed.code:
        return "DynamoDB:ConditionalCheckFailedException"
    return "Unauthorized" if code in (Unauthenticated.code, Forbidden.code) else code


def _public_error(error: GraphQLError, request_id: str) -> tuple[str, str, dict[str, Any]]:
    cause = error.original_error
    while isinstance(cause, GraphQLError):
        cause = cause.original_error
    if isinstance(cause, AppError):
        return cause.message, cause.code, cause.info
    if cause is None and not _is_server_fault(error):
        field = (error.extensions or {}).get("field")
        return error.message, _code(error), {} if field is None else {"field": field}
    _log(cause or error, request_id, error.path)
    return MASKED_MESSAGE.format(id=request_id), "INTERNAL", {"requestId": request_id}


def _is_server_fault(error: GraphQLError) -> bool:
    """graphql-core's own error at a field says that a resolver's value does not fit the schema, and
    contains that value. Only an error about arguments is the client's fault."""
    about_arguments = error.message.startswith("Argument ") or isinstance(
        error.original_error, StrawberryInputCoercionError
    )
    return bool(error.path) and not (error.extensions or about_arguments)


def _log(cause: Exception, request_id: str, path: Sequence[str | int] | None = None) -> None:
    place = ".".join(str(step) for step in path or ())
    log.error("unexpected error", request_id=request_id, path=place, exc_info=cause)


def _code(error: GraphQLError) -> str:
    if error.extensions and "code" in error.extensions:
        return str(error.extensions["code"])
    if isinstance(error, GraphQLSyntaxError):
        return "GRAPHQL_PARSE_FAILED"
    return "BAD_INPUT"
