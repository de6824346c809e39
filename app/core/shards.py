"""Shards: the parts of a hot list among which records are distributed (setting SHARDS)."""

from zlib import crc32


def shard_of(record_id: str, shards: int) -> str | None:
    return str(crc32(record_id.encode()) % shards) if shards > 1 else None


def every_shard(shards: int) -> list[str | None]:
    """Including the unsharded list, which still holds records from before sharding."""
    return [None, *map(str, range(shards))] if shards > 1 else [None]
