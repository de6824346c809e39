"""The only door to DynamoDB: typed reads, and writes that happen whole or not at all."""

import asyncio
import random
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import reduce
from typing import Any, Generic, Self, TypeVar

import aioboto3
from botocore.exceptions import ClientError
from prometheus_client import Counter

from app.core.errors import BadToken, OutcomeUnknown, Unavailable
from app.core.record import Record
from app.table.codec import Wire, decoder_of
from app.table.conditions import Names
from app.table.connection import connection
from app.table.entity import Key, Query, R, position_of
from app.table.errors import is_worth_a_retry, may_have_happened, refusal
from app.table.fastpath import shortened
from app.table.loader import MOST_IN_A_BATCH, Loader
from app.table.partial import partial
from app.table.projection import NONE_YET, Attributes, either, projection, wanted
from app.table.query_request import Position as Position
from app.table.query_request import place_of, position, query_request, read
from app.table.together import together
from app.table.watcher import Nobody, Watcher
from app.table.writes import Update, Write, item_of, wire_key

ATTEMPTS = 5
FIRST_PAUSE = 0.025
LONGEST_PAUSE = 1.0
BATCHES_AT_ONCE = 8
# A filter that keeps almost nothing must not read for ever: then a page may be short.
MOST_PAGES = 50
FILTERED_PAGE = 100
# A transaction is repeated under one token; the items of a batch are whole and unconditional.
CHANGES = frozenset({"transact_write_items", "update_item"})
REPEATABLE = CHANGES - {"update_item"}
CALLS = Counter("guildhall_dynamodb_calls_total", "Calls to DynamoDB", ["operation"])

LOCAL_CREDENTIALS = {"aws_access_key_id": "local", "aws_secret_access_key": "local"}
S = TypeVar("S", bound=Record)


class NoCredentials(Exception):
    def __init__(self) -> None:
        super().__init__(
            "There are no AWS credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a "
            "profile or role; for an engine on this machine, STAGE=development and ENDPOINT_URL."
        )


@dataclass(frozen=True, slots=True)
class Rows(Generic[R]):
    """Part of a list, and the position to go on from, if there is more."""

    items: list[R]
    next: Position | None = None


class Gateway:
    def __init__(self, client: Any, table: str, *, forgetful: bool = False) -> None:
        """`forgetful`: an engine that knows no token any more when it has been restarted."""
        self.client = client
        self.table = table
        self._forgetful = forgetful
        self._loader = Loader(self._fetch)
        self._commits: set[asyncio.Task[None]] = set()
        self.watcher: Watcher = Nobody()

    @classmethod
    @asynccontextmanager
    async def open(
        cls, *, table: str, region: str, endpoint: str | None, local: bool = True
    ) -> AsyncIterator[Self]:
        """`local`: an engine on this machine, which takes any credentials."""
        session = aioboto3.Session(**(LOCAL_CREDENTIALS if local else {}))
        credentials = await session.get_credentials()
        if credentials is None:
            raise NoCredentials
        async with (
            session.client("dynamodb", **connection(region=region, endpoint=endpoint)) as whole,
            shortened(whole, credentials) as client,
        ):
            gateway = cls(client, table, forgetful=local)
            try:
                yield gateway
            finally:
                await gateway.settle()

    async def settle(self) -> None:
        """Lets commits that are under way come to their end."""
        if self._commits:
            await asyncio.wait(self._commits, timeout=10)

    # Reads of the table are strongly consistent: who has written sees what they wrote.

    async def get(self, key: Key[R]) -> R | None:
        answer = await self._call(
            "get_item", TableName=self.table, Key=wire_key(key), ConsistentRead=True
        )
        return _record(key, answer.get("Item"))

    async def load(self, key: Key[R]) -> R | None:
        """As get, but reads of one moment travel together as one BatchGetItem."""
        return _record(key, await self._loader.load((key.pk, key.sk), wanted(key)))

    async def load_many(self, keys: Iterable[Key[R]]) -> list[R | None]:
        keys = list(keys)
        asked = reduce(either, map(wanted, keys), NONE_YET)
        items = await self._loader.load_many([(key.pk, key.sk) for key in keys], asked)
        return [_record(key, item) for key, item in zip(keys, items, strict=True)]

    async def get_many(self, keys: Sequence[Key[R]]) -> list[R | None]:
        """In the order of the keys, by one call for each hundred, whatever others are reading."""
        pairs = list(dict.fromkeys((key.pk, key.sk) for key in keys))
        batches = [pairs[i : i + MOST_IN_A_BATCH] for i in range(0, len(pairs), MOST_IN_A_BATCH)]
        asked = reduce(either, map(wanted, keys), NONE_YET)
        answers = await asyncio.gather(*(self._fetch(batch, asked) for batch in batches))
        items = {(item["PK"]["S"], item["SK"]["S"]): item for each in answers for item in each}
        return [_record(key, items.get((key.pk, key.sk))) for key in keys]

    async def query(
        self,
        query: Query[R],
        *,
        limit: int,
        start: Position | None = None,
        keep: Callable[[R], bool] | None = None,
    ) -> Rows[R]:
        """Up to `limit` records (that `keep` agrees to): fewer only at the end of the list.

        One more is looked for than is given, so that the last page knows that it is the last.
        """
        found: list[tuple[R, Wire]] = []
        for _ in range(MOST_PAGES):
            wanted = limit + 1 - len(found) if keep is None else max(limit + 1, FILTERED_PAGE)
            answer = await self._query_page(query, wanted, start)
            records = [(read(query, item), item) for item in answer["Items"]]
            found += [(r, item) for r, item in records if r and (keep is None or keep(r))]
            start = position(answer.get("LastEvaluatedKey"))
            if start is None or len(found) > limit:
                break
        if len(found) > limit:
            start = place_of(found[limit - 1][1], query.index)
        return Rows([record for record, _ in found[:limit]], start)

    async def query_through(
        self,
        query: Query[R],
        follow: Callable[[list[R]], Awaitable[Sequence[S | None]]],
        *,
        limit: int,
        start: Position | None = None,
    ) -> Rows[S]:
        """As query, for rows that only lead to what is wanted, such as links: `follow` gives for
        each row what is behind it, or None to leave it out."""
        found: list[S] = []
        size = limit
        for _ in range(MOST_PAGES):
            rows = await self.query(query, limit=size, start=start)
            for row, behind in zip(rows.items, await follow(rows.items), strict=True):
                if behind is not None:
                    found.append(behind)
                if len(found) == limit:
                    more = rows.next or row is not rows.items[-1]
                    return Rows(found, position_of(row, query.index) if more else None)
            start, size = rows.next, max(limit, FILTERED_PAGE)
            if start is None:
                break
        return Rows(found, start)

    async def query_all(self, query: Query[R], *, page: int = 500) -> AsyncIterator[R]:
        start: Position | None = None
        while True:
            rows = await self.query(query, limit=page, start=start)
            for record in rows.items:
                yield record
            start = rows.next
            if start is None:
                return

    async def count(self, query: Query[Any]) -> int:
        total = 0
        start: Position | None = None
        while True:
            answer = await self._query_page(query, None, start, Select="COUNT")
            total += int(answer["Count"])
            start = position(answer.get("LastEvaluatedKey"))
            if start is None:
                return total

    async def partition(
        self, pk: str, *, index: str | None = None, page: int = 500
    ) -> AsyncIterator[Wire]:
        """Every item of a partition, of the table or of an index, as stored: for export and
        erasure."""
        start: Position | None = None
        while True:
            answer = await self._query_page(Query(None, pk, index), page, start)
            for item in answer["Items"]:
                yield item
            start = position(answer.get("LastEvaluatedKey"))
            if start is None:
                return

    async def write(self, *writes: Write) -> None:
        """All of them or none, once, even if the caller goes away in the middle."""
        if writes:
            with_notes = (*writes, *self.watcher.notes(writes))
            await self._to_the_end(self._transact(together(with_notes)))

    async def update(self, update: Update[R]) -> R:
        """One conditional update that answers with the record as it is now: a counter, say.

        It has no token, so it is not repeated when it may have happened: OutcomeUnknown.
        """
        parameters = update.request(self.table)["Update"] | {"ReturnValues": "ALL_NEW"}
        try:
            answer = await self._call("update_item", **parameters)
        except Exception as error:
            raise refusal(error, [update]) or error from None
        return decoder_of(update.key.entity.cls)(answer["Attributes"])

    async def put_many(self, records: Iterable[Record]) -> None:
        """Unconditional, in no order: only for what nothing points to yet, such as a snapshot."""
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
        """Raises unless the table answers within a second."""
        async with asyncio.timeout(1):
            await self.client.get_item(
                TableName=self.table, Key={"PK": {"S": "PING"}, "SK": {"S": "PING"}}
            )

    async def _fetch(self, keys: list[tuple[str, str]], asked: Attributes) -> list[Wire]:
        names = Names()
        options = {"ConsistentRead": True, **projection(asked, names), **names.parameters()}
        rest = [{"PK": {"S": pk}, "SK": {"S": sk}} for pk, sk in keys]
        found: list[Wire] = []
        for attempt in range(ATTEMPTS):
            request = {self.table: {"Keys": rest, **options}}
            answer = await self._call("batch_get_item", RequestItems=request)
            found += answer["Responses"].get(self.table, [])
            rest = answer.get("UnprocessedKeys", {}).get(self.table, {}).get("Keys", [])
            if not rest:
                return found
            await asyncio.sleep(pause(attempt))
        raise Unavailable

    async def _write_batches(self, requests: list[Wire]) -> None:
        batches = [requests[start : start + 25] for start in range(0, len(requests), 25)]
        for start in range(0, len(batches), BATCHES_AT_ONCE):
            some = batches[start : start + BATCHES_AT_ONCE]
            await asyncio.gather(*(self._to_the_end(self._write_batch(each)) for each in some))

    async def _write_batch(self, requests: list[Wire]) -> None:
        for attempt in range(ATTEMPTS * 2):
            try:
                answer = await self._call("batch_write_item", RequestItems={self.table: requests})
            except Exception as error:
                raise refusal(error, []) or error from None
            requests = answer.get("UnprocessedItems", {}).get(self.table, [])
            if not requests:
                return
            await asyncio.sleep(pause(attempt))
        raise Unavailable

    async def _query_page(
        self, query: Query[Any], limit: int | None, start: Position | None, **more: object
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
        # The token makes a repeated request harmless when the answer to the first was lost.
        try:
            await self._call(
                "transact_write_items",
                TransactItems=[write.request(self.table) for write in writes],
                ClientRequestToken=uuid.uuid4().hex,
            )
        except Exception as error:
            raise refusal(error, writes) or error from None
        self.watcher.committed(writes)

    async def _to_the_end(self, work: Coroutine[Any, Any, None]) -> None:
        """Goes on when the caller is cancelled; settle() waits for it."""
        commit = asyncio.create_task(work)
        self._commits.add(commit)
        commit.add_done_callback(self._commits.discard)
        await asyncio.shield(commit)

    async def _call(self, operation: str, **parameters: object) -> Wire:
        in_doubt = False
        for attempt in range(ATTEMPTS):
            CALLS.labels(operation).inc()
            try:
                answer: Wire = await getattr(self.client, operation)(**parameters)
                return answer
            except Exception as error:
                if not is_worth_a_retry(error):
                    # Refused now, but perhaps by what its own first attempt has done.
                    raise (OutcomeUnknown() if in_doubt else error) from None
                in_doubt = in_doubt or (operation in CHANGES and may_have_happened(error))
                if in_doubt and not self._may_repeat(operation, error):
                    break
            await asyncio.sleep(pause(attempt))
        raise OutcomeUnknown if in_doubt else Unavailable

    def _may_repeat(self, operation: str, error: Exception) -> bool:
        """A change that may have happened: only under a token, and if the engine still knows it.
        Where there is no answer, it may have been killed."""
        has_answered = isinstance(error, ClientError)
        return operation in REPEATABLE and (has_answered or not self._forgetful)


def _record(key: Key[R], item: Wire | None) -> R | None:
    return decoder_of(partial(key.entity.cls, key.left_out))(item) if item else None


def pause(attempt: int) -> float:
    """Full jitter: clients that failed together must not come back together."""
    return random.uniform(0, min(LONGEST_PAUSE, FIRST_PAUSE * 2**attempt))
