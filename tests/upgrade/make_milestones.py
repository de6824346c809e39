"""Makes wrong-milestones-0.1.jsonl.gz, at the commit of release 0.1:
python -m tests.upgrade.make_milestones FILE.

Metrics whose milestones that release paid for single logs, not for days.
"""

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.engines import ENGINES
from tests.upgrade.dumps import scan, write_dump
from tests.upgrade.world import MADE_AT, World, do, running_world, settings_for


async def fill(world: World) -> None:
    rich = await world.api.sign_up(email="rich@example.com", nickname="rich")
    spender = await world.api.sign_up(email="spender@example.com", nickname="spender")
    for person in (rich, spender):
        water = await do(person, "createMetric", name="Water", aggregation="sum", targetValue="8")
        for value in ("2", "2"):
            await do(person, "logMetric", metricId=water["id"], value=value)
    limit = {"direction": "Lower", "aggregation": "sum", "targetValue": "2000"}
    food = await do(rich, "createMetric", name="Food", **limit)
    await do(rich, "logMetric", metricId=food["id"], value="500", notes="Breakfast")
    weight = await do(rich, "createMetric", name="Weight", targetValue="70")
    for value in ("60", "70"):
        await do(rich, "logMetric", metricId=weight["id"], value=value)
    await do(spender, "adjustWallet", "balance", amount=-1600, reason="A tent")


async def make_dump(file: Path) -> None:
    with TemporaryDirectory() as folder:
        async with ENGINES["embedded"](Path(folder)) as url:
            settings = settings_for(url, Path(folder), demo=False)
            async with running_world(settings, MADE_AT) as world:
                await fill(world)
                write_dump(file, await scan(world.table))


if __name__ == "__main__":
    asyncio.run(make_dump(Path(sys.argv[1])))
