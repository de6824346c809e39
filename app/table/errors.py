"""What DynamoDB's failures mean: try again, refused by position, or out of reach."""

from collections.abc import Sequence
from typing import Any

from aiohttp import ClientConnectorError, ConnectionTimeoutError
from botocore.exceptions import BotoCoreError, ClientError

from app.core.errors import AppError, BadInput
from app.table.writes import Write, failure

TRY_AGAIN = frozenset(
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
CANCELLED_TRY_AGAIN = frozenset(
    {"ProvisionedThroughputExceeded", "ThrottlingError", "TransactionConflict"}
)
TOO_LARGE = "Item size"


def code_of(error: BaseException) -> str:
    return str(error.response["Error"]["Code"]) if isinstance(error, ClientError) else ""


def is_worth_a_retry(error: Exception) -> bool:
    if isinstance(error, ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        return code_of(error) in TRY_AGAIN or status >= 500 or _lost_a_race(error)
    return isinstance(error, BotoCoreError | OSError | TimeoutError)


def may_have_happened(error: Exception) -> bool:
    """The request may have been carried out though no good answer came."""
    if isinstance(error, ClientError):
        status = error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        return bool(status >= 500)
    return not _was_never_sent(error)


def _was_never_sent(error: Exception) -> bool:
    # The outer error does not tell: aiobotocore also says EndpointConnectionError when a
    # connection that was up is reset.
    cause = getattr(error, "kwargs", {}).get("error")
    return isinstance(cause, ClientConnectorError | ConnectionTimeoutError)


def _lost_a_race(error: ClientError) -> bool:
    codes = {reason.get("Code") for reason in _reasons(error)}
    if code_of(error) == "TransactionCanceledException" and not codes:
        return True
    return bool(codes & CANCELLED_TRY_AGAIN) and "ConditionalCheckFailed" not in codes


def _reasons(error: ClientError) -> list[dict[str, Any]]:
    return error.response.get("CancellationReasons") or []


def refusal(error: Exception, writes: Sequence[Write]) -> AppError | None:
    """A cancelled transaction tells by position which write was refused: that write's error."""
    if not isinstance(error, ClientError):
        return None
    for write, reason in zip(writes, _reasons(error), strict=False):
        if reason.get("Code") == "ConditionalCheckFailed":
            return failure(write, reason.get("Item"))
    if code_of(error) == "ConditionalCheckFailedException":
        return failure(writes[0], error.response.get("Item"))
    return too_large(error)


def too_large(error: ClientError) -> AppError | None:
    messages = [str(error), *(str(reason.get("Message")) for reason in _reasons(error))]
    if any(TOO_LARGE in message for message in messages):
        return BadInput("This is more text than one record can hold. Shorten it.")
    return None
