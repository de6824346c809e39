"""The gateway to DynamoDB: typed reads, and writes as transactions."""

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Generic, Protocol, Self, TypeVar

from botocore.exceptions import ClientError

from app.core.errors import BadToken, OutcomeUnknown, Unavailable
from app.core.record import Record
from app.table.call_metrics import CALL_ERRORS, CALL_SECONDS
from app.table.call_metrics import CALLS as CALLS
from app.table.codec import Wire, decoder_of
from app.table.conditions import Placeholders
from app.table.connection import open_client
from app.table.entity import Key, R, RangeQuery, position_within
from app.table.errors import code_of, is_retryable, may_have_been_applied, to_app_error
from app.table.item_writer import BatchWriter, ItemWriter, TransactionWriter
from app.table.loader import MOST_IN_A_BATCH, Loader
from app.table.observer import NullObserver, WriteObserver
from app.table.projection import (
    AttributeNames,
    attributes_to_read,
    combined_attributes,
    projection,
)
from app.table.query_request import Position as Position
from app.table.query_request import position_at, query_request, read_record, to_position
from app.table.transaction import build_transaction
from app.table.writes import Update, Write, item_of, wire_key

ATTEMPTS = 5
FIRST_PAUSE = 0.025
LONGEST_PAUSE = 1.0
BATCHES_AT_ONCE = 8
# A filter may keep almost nothing: after this many pages the result may be shorter than asked.
MOST_PAGES = 50
FILTERED_PAGE = 100
# A transaction is retried under one client token; update_item has none.
CHANGES = frozenset({"transact_write_items", "update_item"})
HAVE_TOKENS = CHANGES - {"update_item"}

S = TypeVar("S", bound=Record)


@dataclass(frozen=True, slots=True)
class Rows(Generic[R]):
    """Part of a list, and the position after it if there is more."""

    items: list[R]
    next: Position | None = None


class PageReader(Protocol[R]):
    """Reads part of a list: a resolver passes it to `page`."""

    def __call__(self, *, limit: int, start: Position | None) -> Awaitable[Rows[R]]: ...


class Gateway:
    def __init__(self, client: Any, table: str, *, loses_tokens: bool = False) -> None:
        """`loses_tokens`: the engine forgets client request tokens when it restarts."""
        self.client = client
        self.table = table
        self._loses_tokens = loses_tokens
        self._loader = Loader(self._fetch)
        kind = TransactionWriter if loses_tokens else BatchWriter
        send = self._transact_items if loses_tokens else self._write_batch
        self.items: ItemWriter = kind(table, lambda some: self._shielded(send(some)))
        self._commits: set[asyncio.Task[None]] = set()
        self.observer: WriteObserver = NullObserver()

    @classmethod
    @asynccontextmanager
    async def open(
        cls, *, table: str, region: str, endpoint: str | None, local: bool = True
    ) -> AsyncIterator[Self]:
        """`local`: an engine on this machine, which accepts any credentials."""
        async with open_client(region=region, endpoint=endpoint, local=local) as client:
            gateway = cls(client, table, loses_tokens=local)
            try:
                yield gateway
            finally:
                await gateway.drain()

    async def drain(self) -> None:
        """Waits for commits in progress, at most 10 seconds."""
        if self._commits:
            await asyncio.wait(self._commits, timeout=10)

    # Reads of the table are strongly consistent; reads of an index are not.

    async def get(self, key: Key[R]) -> R | None:
        answer = await self._call(
            "get_item", TableName=self.table, Key=wire_key(key), ConsistentRead=True
        )
        return _record(key, answer.get("Item"))

    async def load(self, key: Key[R]) -> R | None:
        """As get. Reads within one event-loop tick are sent as one BatchGetItem."""
        return _record(key, await self._loader.load((key.pk, key.sk), attributes_to_read(key)))

    async def load_many(self, keys: Iterable[Key[R]]) -> list[R | None]:
        keys = list(keys)
        attributes = combined_attributes(keys)
        items = await self._loader.load_many([(key.pk, key.sk) for key in keys], attributes)
        return [_record(key, item) for key, item in zip(keys, items, strict=True)]

    async def get_many(self, keys: Sequence[Key[R]]) -> list[R | None]:
        """In the order of the keys, by one call for each hundred, apart from other reads."""
        pairs = list(dict.fromkeys((key.pk, key.sk) for key in keys))
        batches = [pairs[i : i + MOST_IN_A_BATCH] for i in range(0, len(pairs), MOST_IN_A_BATCH)]
        attributes = combined_attributes(keys)
        answers = await asyncio.gather(*(self._fetch(batch, attributes) for batch in batches))
        items = {(item["PK"]["S"], item["SK"]["S"]): item for each in answers for item in each}
        return [_record(key, items.get((key.pk, key.sk))) for key in keys]

    async def query(
        self,
        query: RangeQuery[R],
        *,
        limit: int,
        start: Position | None = None,
        keep: Callable[[R], bool] | None = None,
    ) -> Rows[R]:
        """Up to `limit` records for which `keep` is true; fewer only at the end of the list.

        One record more is read than returned, to know whether this page is the last.
        """
        found: list[tuple[R, Wire]] = []
        for _ in range(MOST_PAGES):
            size = limit + 1 - len(found) if keep is None else max(limit + 1, FILTERED_PAGE)
            answer = await self._query_page(query, size, start)
            records = [(read_record(query, item), item) for item in answer["Items"]]
            found += [(r, item) for r, item in records if r and (keep is None or keep(r))]
            start = to_position(answer.get("LastEvaluatedKey"))
            if start is None or len(found) > limit:
                break
        if len(found) > limit:
            start = position_at(found[limit - 1][1], query.index)
        return Rows([record for record, _ in found[:limit]], start)

    async def query_through(
        self,
        query: RangeQuery[R],
        follow: Callable[[list[R]], Awaitable[Sequence[S | None]]],
        *,
        limit: int,
        start: Position | None = None,
    ) -> Rows[S]:
        """As query, for rows that refer to other records, such as links. `follow` returns the
        referenced record of each row, or None to leave it out."""
        found: list[S] = []
        size = limit
        for _ in range(MOST_PAGES):
            rows = await self.query(query, limit=size, start=start)
            for row, record in zip(rows.items, await follow(rows.items), strict=True):
                if record is not None:
                    found.append(record)
                if len(found) == limit:
                    more = rows.next or row is not rows.items[-1]
                    return Rows(found, position_within(query, row) if more else None)
            start, size = rows.next, max(limit, FILTERED_PAGE)
            if start is None:
                break
        return Rows(found, start)

    async def query_all(self, query: RangeQuery[R], *, page: int = 500) -> AsyncIterator[R]:
        start: Position | None = None
        while True:
            rows = await self.query(query, limit=page, start=start)
            for record in rows.items:
                yield record
            start = rows.next
            if start is None:
                return

    async def count(self, query: RangeQuery[Any]) -> int:
        total = 0
        start: Position | None = None
        while True:
            answer = await self._query_page(query, None, start, Select="COUNT")
            total += int(answer["Count"])
            start = to_position(answer.get("LastEvaluatedKey"))
            if start is None:
                return total

    async def partition(
        self, pk: str, *, index: str | None = None, page: int = 500
    ) -> AsyncIterator[Wire]:
        """All stored items of a partition of the table or of an index: for export and erasure."""
        start: Position | None = None
        while True:
            answer = await self._query_page(RangeQuery(None, pk, index), page, start)
            for item in answer["Items"]:
                yield item
            start = to_position(answer.get("LastEvaluatedKey"))
            if start is None:
                return

    async def write(self, *writes: Write) -> None:
        """One transaction: all writes or none, once, also if the caller is cancelled meanwhile."""
        if writes:
            with_accompanying = (*writes, *self.observer.accompanying_writes(writes))
            await self._shielded(self._transact(build_transaction(with_accompanying)))

    async def update(self, update: Update[R]) -> R:
        """One conditional update that returns the new record, for example a counter.

        It has no client token, so it is not retried if it may have been applied: OutcomeUnknown.
        """
        parameters = update.request(self.table)["Update"] | {"ReturnValues": "ALL_NEW"}
        try:
            answer = await self._call("update_item", **parameters)
        except Exception as error:
            raise to_app_error(error, [update]) or error from None
        return decoder_of(update.key.entity.cls)(answer["Attributes"])

    async def put_many(self, records: Iterable[Record]) -> None:
        """Unconditional, in no order: only for records that nothing refers to yet."""
        await self._write_batches([{"PutRequest": {"Item": item_of(each)}} for each in records])

    async def delete_many(self, keys: Iterable[tuple[str, str]]) -> None:
        requests = [
            {"DeleteRequest": {"Key": {"PK": {"S": pk}, "SK": {"S": sk}}}} for pk, sk in keys
        ]
        await self._write_batches(requests)

    async def describe(self) -> Wire:
        answer = await self._call("describe_table", TableName=self.table)
        table: Wire = answer["Table"]
        return table

    async def ping(self) -> None:
        """Raises if the table does not answer within a second."""
        async with asyncio.timeout(1):
            await self.client.get_item(
                TableName=self.table, Key={"PK": {"S": "PING"}, "SK": {"S": "PING"}}
            )

    async def _fetch(self, keys: list[tuple[str, str]], attributes: AttributeNames) -> list[Wire]:
        names = Placeholders()
        options = {"ConsistentRead": True, **projection(attributes, names), **names.parameters()}
        rest = [{"PK": {"S": pk}, "SK": {"S": sk}} for pk, sk in keys]
        found: list[Wire] = []
        for attempt in range(ATTEMPTS):
            request = {self.table: {"Keys": rest, **options}}
            answer = await self._call("batch_get_item", RequestItems=request)
            found += answer["Responses"].get(self.table, [])
            rest = answer.get("UnprocessedKeys", {}).get(self.table, {}).get("Keys", [])
            if not rest:
                return found
            await asyncio.sleep(backoff_seconds(attempt))
        raise Unavailable

    async def _write_batches(self, requests: list[Wire]) -> None:
        batches = [requests[start : start + 25] for start in range(0, len(requests), 25)]
        for start in range(0, len(batches), BATCHES_AT_ONCE):
            some = batches[start : start + BATCHES_AT_ONCE]
            await asyncio.gather(*(self._shielded(self._write_batch(each)) for each in some))

    async def _write_batch(self, requests: list[Wire]) -> None:
        for attempt in range(ATTEMPTS * 2):
            try:
                answer = await self._call("batch_write_item", RequestItems={self.table: requests})
            except Exception as error:
                raise to_app_error(error, []) or error from None
            requests = answer.get("UnprocessedItems", {}).get(self.table, [])
            if not requests:
                return
            await asyncio.sleep(backoff_seconds(attempt))
        raise Unavailable

    async def _transact_items(self, requests: list[Wire]) -> None:
        """Without conditions, so that a repetition changes nothing: it needs no client token."""
        try:
            await self._call("transact_write_items", TransactItems=requests)
        except Exception as error:
            raise to_app_error(error, []) or error from None

    async def _query_page(
        self, query: RangeQuery[Any], limit: int | None, start: Position | None, **more: object
    ) -> Wire:
        parameters = query_request(query, self.table) | more
        if limit is not None:
            parameters["Limit"] = limit
        if start is not None:
            if start.get(f"{query.index or ''}PK") != query.pk:
                raise BadToken
            parameters["ExclusiveStartKey"] = {name: {"S": text} for name, text in start.items()}
        return await self._call("query", **parameters)

    async def _transact(self, writes: Sequence[Write]) -> None:
        # With the token, a retry after a lost answer has no second effect.
        try:
            await self._call(
                "transact_write_items",
                TransactItems=[write.request(self.table) for write in writes],
                ClientRequestToken=uuid.uuid4().hex,
            )
        except Exception as error:
            raise to_app_error(error, writes) or error from None
        self.observer.on_committed(writes)

    async def _shielded(self, work: Coroutine[Any, Any, None]) -> None:
        """Continues if the caller is cancelled; drain() waits for it."""
        commit = asyncio.create_task(work)
        self._commits.add(commit)
        commit.add_done_callback(self._commits.discard)
        await asyncio.shield(commit)

    async def _call(self, operation: str, **parameters: object) -> Wire:
        in_doubt = False
        for attempt in range(ATTEMPTS):
            CALLS.labels(operation).inc()
            try:
                with CALL_SECONDS.labels(operation).time():
                    answer: Wire = await getattr(self.client, operation)(**parameters)
                return answer
            except Exception as error:
                CALL_ERRORS.labels(operation, code_of(error) or type(error).__name__).inc()
                if not is_retryable(error):
                    # The first attempt may have been applied and be the cause of this refusal.
                    raise (OutcomeUnknown() if in_doubt else error) from None
                in_doubt = in_doubt or (operation in CHANGES and may_have_been_applied(error))
                if in_doubt and not self._may_retry(operation, error):
                    break
            await asyncio.sleep(backoff_seconds(attempt))
        raise OutcomeUnknown if in_doubt else Unavailable

    def _may_retry(self, operation: str, error: Exception) -> bool:
        """Whether a change that may have been applied is safe to retry: it has a client token, and
        the engine still knows it. Without an answer, the engine may have been restarted."""
        has_answered = isinstance(error, ClientError)
        return operation in HAVE_TOKENS and (has_answered or not self._loses_tokens)


def _record(key: Key[R], item: Wire | None) -> R | None:
    return decoder_of(key.entity.cls, key.left_out)(item) if item else None


def backoff_seconds(attempt: int) -> float:
    """Exponential backoff with full jitter."""
    return random.uniform(0, min(LONGEST_PAUSE, FIRST_PAUSE * 2**attempt))
