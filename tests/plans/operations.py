"""How a client reads and commits values, and what it keeps of the answers."""

from typing import Any

from tests.api import Person

NODE = """
fragment Content on TreeNode {
  __typename id nodeType title notes createdAt completedAt archived deletedAt
  driverId parentMilestoneId rootDriverId parentIds taskId
}
"""
TREE = (
    """
query ($revisionId: ID, $asOf: AWSDateTime, $branch: String) {
  valuesTree(revisionId: $revisionId, asOf: $asOf, branch: $branch) {
    branch
    revision { id parentIds message source createdAt branch }
    nodes { ...Content }
    roots { id children { id children { id } } }
  }
}
"""
    + NODE
)
COMMIT = (
    """
mutation ($input: CommitValuesInput!) {
  commitValues(input: $input) {
    branch head
    revision { id parentIds message source createdAt branch }
    conflicts { nodeId field base ours theirs node { id title } }
    nodes { ...Content }
  }
}
"""
    + NODE
)
HISTORY = """
query ($limit: Int, $nextToken: String, $branch: String, $source: ValuesSource,
       $since: AWSDateTime, $until: AWSDateTime) {
  valuesHistory(limit: $limit, nextToken: $nextToken, branch: $branch, source: $source,
                since: $since, until: $until) {
    items { id parentIds message source createdAt branch }
    nextToken
  }
}
"""
DIFF = """
query ($from: ID, $to: ID) {
  valuesDiff(from: $from, to: $to) {
    from { id } to { id }
    added { id } removed { id }
    changed { nodeId fields { field before after } }
    moved { nodeId fromParentIds toParentIds }
    reordered { parentId before after }
  }
}
"""


def add(node_id: str, kind: str = "ACTION", **fields: object) -> dict[str, Any]:
    return {"add": {"id": node_id, "nodeType": kind, "title": node_id.title(), **fields}}


HEALTH = [
    add("health", "DRIVER"),
    add("fitness", "MILESTONE", driverId="health"),
    add("run", driverId="health", parentMilestoneId="fitness"),
    add("sleep", driverId="health"),
]


async def commit(person: Person, *operations: dict[str, Any], **more: object) -> dict[str, Any]:
    wanted = {"operations": list(operations), **more}
    answer: dict[str, Any] = (await person.gql(COMMIT, input=wanted))["commitValues"]
    return answer


async def tree(person: Person, **at: object) -> dict[str, Any]:
    answer: dict[str, Any] = (await person.gql(TREE, **at))["valuesTree"]
    return answer


def by_id(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {node["id"]: node for node in answer["nodes"]}


async def revisions(person: Person, **more: object) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await person.gql(HISTORY, **more))["valuesHistory"]["items"]
    return found
