"""Records with a tag, over all domains: their tag entries share index 5."""

import strawberry

from app.core.errors import BadInput
from app.core.record import Record
from app.core.shards import every_shard
from app.core.text import normalize_tag
from app.domains.community import keys
from app.domains.community.types import TaggedRecord, TagScope
from app.domains.service import Service
from app.table.entity import RangeQuery, entity_of
from app.table.gateway import Position, Rows
from app.table.merge import query_merged

TYPES = ("Goal", "Task", "Quest", "Offer")


class TagSearch(Service):
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

        async def follow(found: list[Record]) -> list[Record | None]:
            return [*found]

        queries = self._queries(normalize_tag(tag), type_, scope)
        return await query_merged(self.table, queries, follow, limit=limit, start=start)

    def _queries(
        self, tag: str, type_: str | None, scope: TagScope | None
    ) -> list[RangeQuery[Record]]:
        shards = every_shard(self.resources.settings.shards)
        public = [keys.public_records_with_tag(tag, type_, shard) for shard in shards]
        private = [keys.private_records_with_tag(self.caller.user_id, tag, type_)]
        if scope is None:
            return [*private, *public]
        return public if scope is TagScope.PUBLIC else private

    @staticmethod
    def tagged_record(entry: Record) -> TaggedRecord:
        """The record that a tag entry of any domain belongs to."""
        place = entity_of(entry).index_keys_of(entry)
        type_, *_, record_id = place["GSI5SK"].split("#")
        is_public = place["GSI5PK"].startswith("TAG#")
        return TaggedRecord(type=type_, id=strawberry.ID(record_id), is_public=is_public)
