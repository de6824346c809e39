"""Parts of hot lists."""

from app.core.shards import every_shard, shard_of


def test_one_part_is_no_part() -> None:
    assert shard_of("x", 1) is None
    assert every_shard(1) == [None]


def test_every_record_stands_in_one_of_the_parts_that_are_read() -> None:
    found = {shard_of(str(number), 4) for number in range(200)}
    assert found == {"0", "1", "2", "3"}
    assert every_shard(4) == [None, "0", "1", "2", "3"]
