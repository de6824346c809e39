"""A prefix means these letters, in this case."""

from app.core.record import Record
from app.table.entity import RangeQuery
from app.table.gateway import Gateway


async def test_a_prefix_minds_the_letter_case(engine_table: Gateway) -> None:
    for sort_key in ("A#META#x", "A#meta#y", "A#Meta#z", "A#META", "A#METB#x"):
        item = {
            "PK": {"S": "PREFIXES"},
            "SK": {"S": sort_key},
            "entityType": {"S": "Nothing"},
        }
        await engine_table.client.put_item(TableName=engine_table.table, Item=item)
    found: dict[str, int] = {}
    for prefix in ("A#META#", "A#meta#", "A#"):
        query: RangeQuery[Record] = RangeQuery(None, "PREFIXES", begins=prefix)
        found[prefix] = await engine_table.count(query)
    assert found == {"A#META#": 1, "A#meta#": 1, "A#": 5}
