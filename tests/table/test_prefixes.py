"""A prefix means these letters, in this case."""

from app.table.entity import Query
from app.table.gateway import Gateway


async def test_a_prefix_minds_the_letter_case(engine_table: Gateway) -> None:
    for sort_key in ("A#META#x", "A#meta#y", "A#Meta#z", "A#META", "A#METB#x"):
        item = {
            "PK": {"S": "PREFIXES"},
            "SK": {"S": sort_key},
            "entityType": {"S": "Nothing"},
        }
        await engine_table.client.put_item(TableName=engine_table.table, Item=item)
    query = Query(None, "PREFIXES", begins="A#META#")
    assert await engine_table.count(query) == 1
    assert await engine_table.count(Query(None, "PREFIXES", begins="A#meta#")) == 1
    assert await engine_table.count(Query(None, "PREFIXES", begins="A#")) == 5
