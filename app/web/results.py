"""What the execution of an operation gives."""

from dataclasses import dataclass
from typing import Any

from graphql import GraphQLError


@dataclass(frozen=True, slots=True)
class OperationResult:
    """`is_request_error`: the request itself is wrong, and nothing was executed. `json`: the data
    as they are sent, if they are kept that way."""

    data: dict[str, Any] | None = None
    errors: list[GraphQLError] | None = None
    is_request_error: bool = False
    json: bytes | None = None
