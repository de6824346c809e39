"""What has a tag, over all domains: their tag entries share index 5."""

from collections.abc import Awaitable, Callable

import strawberry

from app.core.caller import Caller
from app.core.errors import BadInput
from app.core.record import Node, Record
from app.core.shards import every_shard
from app.core.text import normal_tag
from app.domains.community import keys
from app.domains.community.repository import MarketRepository
from app.domains.community.types import TaggedRecord, TagScope
from app.domains.service import Service
from app.resources import Resources
from app.table.entity import Query, entity_of
from app.table.gateway import Position, Rows

# Reads a record as the caller does, through the service it belongs to: type, id.
ReadRecord = Callable[[str, str], Awaitable[Node | None]]
TYPES = ("Goal", "Task", "Quest", "Offer")


class Tags(Service):
    def __init__(self, resources: Resources, caller: Caller, read_record: ReadRecord) -> None:
        super().__init__(resources, caller)
        self.read_record = read_record
        self.repository = MarketRepository(resources.table)

    async def by_tag(
        self,
        tag: str,
        type_: str | None,
        scope: TagScope | None,
        *,
        limit: int,
        start: Position | None,
    ) -> Rows[Record]:
        if type_ is not None and type_ not in TYPES:
            raise BadInput(f"The types are {', '.join(TYPES)}.", field="type")
        runs = self._runs(normal_tag(tag), type_, scope)
        return await self.repository.tagged(runs, limit=limit, start=start)

    def _runs(self, tag: str, type_: str | None, scope: TagScope | None) -> list[Query[Record]]:
        shards = every_shard(self.resources.settings.shards)
        public = [keys.public_records_with_tag(tag, type_, shard) for shard in shards]
        private = [keys.private_records_with_tag(self.caller.user_id, tag, type_)]
        if scope is None:
            return [*private, *public]
        return public if scope is TagScope.PUBLIC else private

    async def record(self, type_: str, record_id: str) -> Node | None:
        return await self.read_record(type_, record_id)

    @staticmethod
    def tagged(entry: Record) -> TaggedRecord:
        """What a tag entry, of whichever domain, leads to."""
        place = entity_of(entry).index_keys_of(entry)
        type_, *_, record_id = place["GSI5SK"].split("#")
        is_public = place["GSI5PK"].startswith("TAG#")
        return TaggedRecord(type=type_, id=strawberry.ID(record_id), is_public=is_public)
