"""The protocol of graphql-ws, frame by frame."""

from tests.api import Api, Person
from tests.realtime.sockets import TransportClient

ON_TASK = "subscription { onTaskChanged { id title status urgency } }"
CREATE = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { id } }"


async def test_tells_the_owner_alone(server_url: str, ada: Person, bob: Person) -> None:
    async with (
        TransportClient.signed_in(server_url, ada) as hers,
        TransportClient.signed_in(server_url, bob) as his,
    ):
        await hers.subscribe(ON_TASK)
        await his.subscribe(ON_TASK)
        await hers.silent(0.2)
        created = await ada.gql(CREATE, input={"title": "Water the plants"})
        told = (await hers.data())["onTaskChanged"]
        assert told["id"] == created["createTask"]["id"]
        assert told["title"] == "Water the plants"
        assert told["urgency"] > 0
        await his.silent()
