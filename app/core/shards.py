"""Which part of a hot list a record stands in, if there are several (setting SHARDS)."""

from zlib import crc32


def shard_of(record_id: str, shards: int) -> str | None:
    return str(crc32(record_id.encode()) % shards) if shards > 1 else None


def every_shard(shards: int) -> list[str | None]:
    """With the unsharded part, where records from before still stand."""
    return [None, *map(str, range(shards))] if shards > 1 else [None]
