"""From an exception to what a client may read. What nobody expected is logged and hidden.

Codes of the edge itself, beside those of core/errors.py and the domains:
GRAPHQL_PARSE_FAILED, GRAPHQL_VALIDATION_FAILED, QUERY_TOO_COMPLEX, INTERNAL.
"""

from typing import Any

import structlog
from graphql import GraphQLError, GraphQLSyntaxError

from app.core.errors import AppError, Forbidden, Unauthenticated

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


def error_type(code: str) -> str:
    """AppSync's clients know this one name for everything that concerns rights."""
    return "Unauthorized" if code in (Unauthenticated.code, Forbidden.code) else code


def _told(error: GraphQLError, request_id: str) -> tuple[str, str, dict[str, Any]]:
    cause = error.original_error
    while isinstance(cause, GraphQLError):
        cause = cause.original_error
    if isinstance(cause, AppError):
        return cause.message, cause.code, cause.info
    if cause is None:
        return error.message, _code(error), {}
    log.error("unexpected error", request_id=request_id, path=error.path, exc_info=cause)
    return HIDDEN.format(id=request_id), "INTERNAL", {"requestId": request_id}


def _code(error: GraphQLError) -> str:
    if error.extensions and "code" in error.extensions:
        return str(error.extensions["code"])
    if isinstance(error, GraphQLSyntaxError):
        return "GRAPHQL_PARSE_FAILED"
    return "BAD_INPUT"
