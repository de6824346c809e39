"""The audits of GraphQL over HTTP that come with npm's graphql-http: all 61 must pass."""

import json

from tests.clients.node import HERE, run_node

AUDITS = 61


async def test_every_audit_is_ok(server_url: str) -> None:
    printed = await run_node(
        HERE / "audit.mjs", f"{server_url}/graphql", packages=("graphql-http",)
    )
    results = json.loads(printed)
    failing = [
        f"{each['id']} {each['name']}: {each['reason']}"
        for each in results
        if each["status"] != "ok"
    ]
    assert failing == []
    assert len(results) == AUDITS
