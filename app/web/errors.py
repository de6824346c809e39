"""From an exception to what a client may read. What nobody expected is logged and hidden.

Codes of the edge itself, beside those of core/errors.py and the domains:
BAD_REQUEST, GRAPHQL_PARSE_FAILED, GRAPHQL_VALIDATION_FAILED, QUERY_TOO_COMPLEX, INTERNAL.
"""

from collections.abc import Sequence
from typing import Any

import structlog
from graphql import GraphQLError, GraphQLSyntaxError
from strawberry.exceptions import StrawberryInputCoercionError

from app.auth.sigv4 import BadSignature, UnknownKey
from app.core.errors import AppError, Forbidden, Unauthenticated
from app.web.http import Refused, unauthorized

MOST_ERRORS = 5
LONGEST_MESSAGE = 300
HIDDEN = "Something went wrong on our side. Nothing you can mend; tell us the request id {id}."

log = structlog.get_logger()


def formatted(errors: list[GraphQLError], request_id: str) -> list[dict[str, Any]]:
    return [_one(error, request_id) for error in errors[:MOST_ERRORS]]


def _one(error: GraphQLError, request_id: str) -> dict[str, Any]:
    message, code, info = _told(error, request_id)
    return {
        "message": message[:LONGEST_MESSAGE],
        "path": error.path,
        "locations": [
            {"line": place.line, "column": place.column} for place in error.locations or []
        ],
        "errorType": error_type(code),
        "errorInfo": info or None,
        "extensions": {"code": code} | info,
    }


def refused(problem: Exception, request_id: str) -> Refused:
    """What went wrong at the door, before GraphQL was reached."""
    if isinstance(problem, Refused):
        return problem
    if isinstance(problem, BadSignature | UnknownKey):
        return unauthorized(problem.message, status=403, error_type=problem.error_type)
    if isinstance(problem, Unauthenticated):
        return unauthorized(problem.message)
    if isinstance(problem, AppError):
        return Refused(
            503,
            problem.message,
            code=problem.code,
            error_type="ServiceUnavailable",
            info=problem.info,
        )
    _log(problem, request_id)
    return Refused(
        500,
        HIDDEN.format(id=request_id),
        code="INTERNAL",
        error_type="InternalFailure",
        info={"requestId": request_id},
    )


def error_type(code: str) -> str:
    """AppSync's clients know this one name for everything that concerns rights."""
    return "Unauthorized" if code in (Unauthenticated.code, Forbidden.code) else code


def _told(error: GraphQLError, request_id: str) -> tuple[str, str, dict[str, Any]]:
    cause = error.original_error
    while isinstance(cause, GraphQLError):
        cause = cause.original_error
    if isinstance(cause, AppError):
        return cause.message, cause.code, cause.info
    if cause is None and not _is_ours(error):
        return error.message, _code(error), {}
    _log(cause or error, request_id, error.path)
    return HIDDEN.format(id=request_id), "INTERNAL", {"requestId": request_id}


def _is_ours(error: GraphQLError) -> bool:
    """GraphQL's own errors at a field tell that our value does not fit the schema, and show it;
    only those about arguments are the client's."""
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
