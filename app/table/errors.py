"""Maps DynamoDB's errors: retryable, possibly applied, or the error of the failed write."""

from collections.abc import Sequence
from typing import Any

from aiohttp import ClientConnectorError, ConnectionTimeoutError
from botocore.exceptions import BotoCoreError, ClientError

from app.core.errors import AppError, BadInput
from app.table.writes import Write, failure

RETRYABLE_CODES = frozenset(
    {
        "InternalServerError",
        "ItemCollectionSizeLimitExceededException",
        "LimitExceededException",
        "ProvisionedThroughputExceededException",
        "RequestLimitExceeded",
        "ServiceUnavailable",
        "ThrottlingException",
        "TransactionConflictException",
        "TransactionInProgressException",
    }
)
RETRYABLE_REASONS = frozenset(
    {"ProvisionedThroughputExceeded", "ThrottlingError", "TransactionConflict"}
)
ITEM_SIZE = "Item size"


def code_of(error: BaseException) -> str:
    return str(error.response["Error"]["Code"]) if isinstance(error, ClientError) else ""


def is_retryable(error: Exception) -> bool:
    if isinstance(error, ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        return code_of(error) in RETRYABLE_CODES or status >= 500 or _lost_to_another_writer(error)
    return isinstance(error, BotoCoreError | OSError | TimeoutError)


def may_have_been_applied(error: Exception) -> bool:
    """The request may have been applied although there was no successful answer."""
    if isinstance(error, ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        return bool(status >= 500)
    return not _was_never_sent(error)


def _was_never_sent(error: Exception) -> bool:
    # The outer error is not enough: aiobotocore also raises EndpointConnectionError when an open
    # connection is reset.
    cause = getattr(error, "kwargs", {}).get("error")
    return isinstance(cause, ClientConnectorError | ConnectionTimeoutError)


def _lost_to_another_writer(error: ClientError) -> bool:
    codes = {reason.get("Code") for reason in _reasons(error)}
    if code_of(error) == "TransactionCanceledException" and not codes:
        return True
    return bool(codes & RETRYABLE_REASONS) and "ConditionalCheckFailed" not in codes


def _reasons(error: ClientError) -> list[dict[str, Any]]:
    return error.response.get("CancellationReasons") or []


def to_app_error(error: Exception, writes: Sequence[Write]) -> AppError | None:
    """The error of the write that was refused: a cancelled transaction reports it by position."""
    if not isinstance(error, ClientError):
        return None
    for write, reason in zip(writes, _reasons(error), strict=False):
        if reason.get("Code") == "ConditionalCheckFailed":
            return failure(write, reason.get("Item"))
    if code_of(error) == "ConditionalCheckFailedException":
        return failure(writes[0], error.response.get("Item"))
    return item_too_large(error)


def item_too_large(error: ClientError) -> AppError | None:
    messages = [str(error), *(str(reason.get("Message")) for reason in _reasons(error))]
    if any(ITEM_SIZE in message for message in messages):
        return BadInput("The record is larger than 400 KB. Shorten its texts.")
    return None
