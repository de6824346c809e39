"""What the demo user finds, and that the ready tabs work for her."""

from collections.abc import Callable

from app.core.caller import acting_for
from app.demo import EMAIL, PASSWORD, quests
from app.services import Services
from app.table.gateway import Gateway
from app.web.graphiql.tabs import OPEN_QUESTS
from tests.api import Api
from tests.people.test_identity import sign_in
from tests.quests.operations import resources_of, stats
from tests.servers import RunningServer

CLAIM = "mutation ($input: ClaimQuestInput!) { claimQuest(input: $input) { status } }"
ATTEST = """
mutation ($input: AttestQuestInput!) {
  attestQuest(input: $input) { status performer { stats { experiencePoints } } }
}
"""


async def test_the_demo_world(start_server: Callable[..., RunningServer]) -> None:
    server = start_server(table_name="gg_demo_quests", demo=True)
    async with Api(server.url) as api:
        dana = await sign_in(api, EMAIL, PASSWORD)
        shown = (await dana.gql(OPEN_QUESTS.query, **OPEN_QUESTS.variables))["quests"]["items"]
        assert [each["id"] for each in shown] == ["demo-pier", "demo-proofread"]
        assert (await stats(dana))["experiencePoints"] == 120
        claimed = await dana.gql(CLAIM, input={"questId": "demo-proofread"})
        assert claimed["claimQuest"]["status"] == "CLAIMED"
        attested = await dana.gql(ATTEST, input={"questId": "demo-plants", "rating": 5})
        assert attested["attestQuest"]["status"] == "COMPLETE"
        assert attested["attestQuest"]["performer"]["stats"]["experiencePoints"] == 100
        async with Gateway.open(
            table="gg_demo_quests", region="us-east-1", endpoint=server.settings.endpoint_url
        ) as table:
            again = Services(resources_of(server, table), acting_for(dana.id))
            await quests.fill(again)
        mine = await dana.gql("{ me { createdQuests { items { id } } } }")
        assert [each["id"] for each in mine["me"]["createdQuests"]["items"]] == ["demo-plants"]
