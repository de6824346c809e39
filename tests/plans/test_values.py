"""The values tree through the API: commits, history, time travel."""

from tests.api import Person
from tests.plans.tree import HEALTH, by_id, commit, tree


async def test_smoke(ada: Person) -> None:
    assert (await tree(ada))["nodes"] == []
    first = await commit(ada, *HEALTH, message="begin")
    print(first)
    now = await tree(ada)
    print(now)
    assert by_id(now)["run"]["rootDriverId"] == "health"
