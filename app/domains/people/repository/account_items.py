"""Every stored item of one account, as export and erasure need them."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from app.domains.people import keys
from app.table.codec import Wire, decode, decoder_of
from app.table.entity import ENTITIES, USER_PARTITIONS
from app.table.gateway import Gateway

KEY_ATTRIBUTES = ("PK", "SK", "GSI")


class AccountItems:
    def __init__(self, table: Gateway, user_id: str) -> None:
        self.table = table
        self.user_id = user_id

    @property
    def partitions(self) -> list[str]:
        """The user's own partitions. Their records may own further ones."""
        roots = [
            each.render_required({"user_id": self.user_id}.__getitem__) for each in USER_PARTITIONS
        ]
        return [*roots, keys.user(self.user_id).pk]

    async def export(self, now: int) -> dict[str, list[dict[str, Any]]]:
        """By type, without keys, secrets, and expired items that DynamoDB has not yet removed."""
        found: dict[str, list[dict[str, Any]]] = {}
        async for item in self._all():
            if _is_exported(item, now):
                found.setdefault(item["entityType"]["S"], []).append(_without_keys(item))
        return found

    async def _all(self) -> AsyncIterator[Wire]:
        """Index 1 also finds the user's items in partitions of others."""
        seen: set[tuple[str, str]] = set()
        for pk in self.partitions:
            async for item in self._with_owned(pk):
                seen.add(place_of(item))
                yield item
        async for item in self.table.partition(keys.user(self.user_id).pk, index="GSI1"):
            if place_of(item) not in seen:
                yield item

    async def _with_owned(self, pk: str) -> AsyncIterator[Wire]:
        async for item in self.within(pk):
            if owned := self.partition_owned_by(item):
                async for inner in self._with_owned(owned):
                    yield inner
            yield item

    async def within(self, pk: str) -> AsyncIterator[Wire]:
        """The user's items in a partition. One that a record owns may hold items of others, too."""
        may_be_shared = pk not in self.partitions
        async for item in self.table.partition(pk):
            owner = item.get("userId", {}).get("S", self.user_id)
            if not may_be_shared or owner == self.user_id:
                yield item

    def partition_owned_by(self, item: Wire) -> str | None:
        entity = ENTITIES.get(item["entityType"]["S"])
        owned = entity.owned_partition(decoder_of(entity.cls)(item)) if entity else None
        # A quest lies in the partition that it owns.
        return owned if owned != item["PK"]["S"] else None


def place_of(item: Wire) -> tuple[str, str]:
    return item["PK"]["S"], item["SK"]["S"]


def _is_exported(item: Mapping[str, Any], now: int) -> bool:
    entity = ENTITIES.get(item["entityType"]["S"])
    is_expired = "ttl" in item and int(item["ttl"]["N"]) <= now
    return entity is not None and not entity.secret and not is_expired


def _without_keys(item: Wire) -> dict[str, Any]:
    return {
        name: decode(value) for name, value in item.items() if not name.startswith(KEY_ATTRIBUTES)
    }
