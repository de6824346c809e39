"""Several requests in one: each has a result of its own, and one that fails stops no other."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Annotated, TypeVar

import strawberry
from pydantic import SkipValidation

from app.core.errors import AppError, BadInput
from app.core.inputs import Input

Q = TypeVar("Q", bound=Input)
R = TypeVar("R")
MOST_IN_A_BATCH = 25
BATCH_LIMIT = f"1 to {MOST_IN_A_BATCH}, in the order in which they are done."

# Checked one by one, so that an invalid one fails alone.
Unchecked = Annotated[R, SkipValidation]


@strawberry.type(description="Why one part of a batch failed. Nothing of that part was written.")
class BatchError:
    code: str = strawberry.field(description="As extensions.code of an error, e.g. NOT_FOUND.")
    message: str = strawberry.field(description="What is wrong, and what to do.")
    field: str | None = strawberry.field(
        default=None,
        description="The field of the input that is wrong, e.g. input.logs.2.value; null: none.",
    )


async def run_batch(
    requests: Sequence[Q], work: Callable[[Q], Awaitable[R]], *, field: str
) -> list[R | BatchError]:
    """One after the other. `field`: the path of the list in the input."""
    if not 1 <= len(requests) <= MOST_IN_A_BATCH:
        raise BadInput(f"{field} must have 1 to {MOST_IN_A_BATCH} entries.", field=field)
    results: list[R | BatchError] = []
    for number, request in enumerate(requests):
        try:
            results.append(await work(request.validate()))
        except AppError as error:
            results.append(to_batch_error(error, f"{field}.{number}"))
    return results


def to_batch_error(error: AppError, path: str) -> BatchError:
    """`path`: of the part in the input of the batch, instead of `input`."""
    field = error.info.get("field")
    moved = f"{path}{field.removeprefix('input')}" if isinstance(field, str) else None
    message = error.message
    if isinstance(field, str) and moved:
        message = message.replace(f"{field}: ", f"{moved}: ", 1)
    return BatchError(code=error.code, message=message, field=moved)
