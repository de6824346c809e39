"""Receipts: a request with an idempotencyKey has one effect, and its repetition the same answer."""

from dataclasses import dataclass
from typing import Any, TypeVar

import orjson

from app.core.clock import Clock, epoch_seconds, instant
from app.core.errors import AppError, IdempotencyMismatch
from app.core.inputs import IdempotentInput
from app.table.codec import decoder_of, encode_fields
from app.table.conditions import absent, attr
from app.table.gateway import Gateway
from app.table.keys import receipt_of_request
from app.table.types import Receipt
from app.table.writes import Put

T = TypeVar("T")
RECEIPT_SECONDS = 30 * 24 * 3600


class AlreadyDone(AppError):
    """Internal: two requests with one idempotencyKey ran at the same time; the other committed."""

    code = "CONFLICT"

    def __init__(self) -> None:
        super().__init__("Another request with this idempotencyKey was carried out meanwhile.")


@dataclass
class Done:
    """The answer of a request whose receipt holds none: it is read anew."""


@dataclass(frozen=True, slots=True)
class Receipts:
    """The receipts of one user."""

    table: Gateway
    clock: Clock
    user_id: str

    async def answer_to(self, request: IdempotentInput, kind: type[T]) -> T | None:
        """The answer that the same request got before, if any."""
        key = receipt_of_request(self.user_id, str(request.idempotency_key))
        receipt = await self.table.get(key)
        if receipt is None or receipt.ttl <= epoch_seconds(self.clock.now()):
            return None
        if receipt.fingerprint != request.fingerprint():
            raise IdempotencyMismatch
        return decoder_of(kind)(orjson.loads(receipt.answer))

    def put(self, request: IdempotentInput, answer: Any) -> Put[Receipt]:
        """Part of the transaction that carries the request out."""
        now = self.clock.now()
        receipt = Receipt(
            created_at=instant(now),
            updated_at=instant(now),
            user_id=self.user_id,
            key=str(request.idempotency_key),
            fingerprint=request.fingerprint(),
            answer=orjson.dumps(encode_fields(answer)).decode(),
            ttl=epoch_seconds(now) + RECEIPT_SECONDS,
        )
        # DynamoDB deletes expired items days late: an expired receipt may be replaced.
        free = absent() | attr("ttl").at_most(epoch_seconds(now))
        return Put(receipt, when=free, otherwise=AlreadyDone())
