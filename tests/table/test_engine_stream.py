"""The embedded engine numbers stream records by looking through all of them: few may be kept."""

import sqlite3
from contextlib import closing
from pathlib import Path

from app.settings import ROOT
from app.table.definition import create_table
from app.table.engine import DATABASE, EmbeddedEngine
from app.table.gateway import Gateway


async def test_the_stream_stays_short(tmp_path: Path) -> None:
    async with (
        EmbeddedEngine(tmp_path, ROOT / "node_modules") as endpoint,
        Gateway.open(table="streams", region="us-east-1", endpoint=endpoint) as table,
    ):
        await create_table(table)
        for start in range(0, 300, 100):
            items = [
                {
                    "Put": {
                        "TableName": "streams",
                        "Item": {"PK": {"S": "a"}, "SK": {"S": f"{start + i}"}},
                    }
                }
                for i in range(100)
            ]
            await table.client.transact_write_items(TransactItems=items)
        stored = [item async for item in table.partition("a")]
    assert len(stored) == 300
    with closing(sqlite3.connect(tmp_path / DATABASE)) as connection:
        (kept,) = connection.execute("SELECT COUNT(*) FROM _stream_records").fetchone()
    assert kept == 100
