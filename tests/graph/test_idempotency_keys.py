"""Every mutation that can be cut off and repeated takes an idempotencyKey."""

import pytest
from graphql import GraphQLField, GraphQLInputObjectType, get_named_type

from app.web.schema import build_schema

ROOT = build_schema()._schema.mutation_type
MUTATIONS = ROOT.fields if ROOT else {}
# Each says why in its description.
WITHOUT_KEY = {
    *("signUp", "signIn", "refreshSession", "signOut", "changePassword"),
    *("deactivateAccount", "deleteAccount"),
    *("refreshCharacter", "retryFailedReward", "removeWalletAddress"),
}


def takes_key(field: GraphQLField) -> bool:
    """In its input, or in each entry of a batch, which is done one by one."""
    named = [get_named_type(argument.type) for argument in field.args.values()]
    inputs = [each for each in named if isinstance(each, GraphQLInputObjectType)]
    entries = [get_named_type(each.fields["logs"].type) for each in inputs if "logs" in each.fields]
    return any("idempotencyKey" in getattr(each, "fields", ()) for each in (*inputs, *entries))


@pytest.mark.parametrize("name", MUTATIONS)
def test_takes_a_key_or_says_why_not(name: str) -> None:
    field = MUTATIONS[name]
    assert takes_key(field) is (name not in WITHOUT_KEY)
    assert ("Takes no idempotencyKey: " in (field.description or "")) is (name in WITHOUT_KEY)
