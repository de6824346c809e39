"""An attestation counts for its submission alone, and stays to be read and checked."""

import json
from dataclasses import replace
from typing import Any

import pytest
import strawberry
from eth_account import Account
from eth_account.messages import encode_typed_data

from app.core.scalars import AWSDateTime
from app.domains.quests import keys
from app.domains.quests.types import Attestation, AttesterRole, PastAttestation, Quest
from app.migration.upgrades import needed_upgrades, upgrade
from app.table.gateway import Gateway
from app.table.writes import Delete, Put
from tests.api import Person
from tests.quests.operations import (
    REASON,
    SUBMISSION,
    code,
    do,
    get,
    grants,
    resources_of,
    stats,
    stored,
    submitted,
)
from tests.quests.test_fairness import delete_account
from tests.quests.test_signatures import rated_data, signed, typed_data, wallet_of
from tests.servers import RunningServer

PAST = """
query ($id: ID!, $limit: Int, $nextToken: String) { quest(id: $id) {
  pastAttestations(limit: $limit, nextToken: $nextToken) {
    items { attestation { attesterId role rating comments submittedAt signature typedData } }
    nextToken
  }
} }
"""
CHECKABLE = """
query ($id: ID!) { quest(id: $id) { attestations {
  signature signer typedData chainId verifyingContract submittedAt
} } }
"""


async def past(who: Person, quest_id: str) -> list[Any]:
    page = (await who.gql(PAST, id=quest_id))["quest"]["pastAttestations"]
    return [each["attestation"] for each in page["items"]]


async def stored_past(table: Gateway, quest_id: str) -> list[PastAttestation]:
    return [each async for each in table.query_all(keys.past_attestations_of_quest(quest_id))]


async def resubmitted(bob: Person, quest_id: str) -> Any:
    return await do(bob, "submitQuest", questId=quest_id, submission="Now all of them.")


async def by_request(ada: Person, bob: Person, judge: Person, quest_id: str) -> None:
    await do(ada, "requestChanges", questId=quest_id)


async def by_judge(ada: Person, bob: Person, judge: Person, quest_id: str) -> None:
    await do(bob, "disputeQuest", questId=quest_id, **REASON)
    await do(judge, "resolveDispute", questId=quest_id, outcome="CLAIMED")


@pytest.mark.parametrize("returned", [by_request, by_judge])
async def test_a_performers_attestation_does_not_count_for_the_next_submission(
    ada: Person, bob: Person, judge: Person, table: Gateway, returned: Any
) -> None:
    first = await submitted(ada, bob, dualAttestation=True)
    await do(bob, "attestQuest", questId=first["id"], rating=4, comments="Done.")
    await returned(ada, bob, judge, first["id"])
    assert (await get(ada, first["id"]))["attestations"] == []
    await resubmitted(bob, first["id"])
    half = await do(ada, "attestQuest", questId=first["id"], rating=5)
    assert half["status"] == "PENDING_REVIEW", "the performer has not attested this submission"
    assert [each["attesterId"] for each in half["attestations"]] == [ada.id]
    assert await grants(table, bob.id) == {}
    (old,) = await past(bob, first["id"])
    assert (old["attesterId"], old["role"], old["rating"], old["comments"]) == (
        bob.id,
        "PERFORMER",
        4,
        "Done.",
    )
    assert old["submittedAt"] == first["submittedAt"]
    done = await do(bob, "attestQuest", questId=first["id"], rating=5)
    assert done["status"] == "COMPLETE"
    assert (await stats(bob))["experiencePoints"] == 100


async def test_a_creator_who_attested_may_judge_the_next_submission_anew(
    ada: Person, bob: Person, judge: Person
) -> None:
    quest = await submitted(ada, bob, dualAttestation=True)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    assert await code(ada, "requestChanges", questId=quest["id"]) == "ALREADY_ATTESTED"
    await by_judge(ada, bob, judge, quest["id"])
    await resubmitted(bob, quest["id"])
    await do(ada, "requestChanges", questId=quest["id"])
    await resubmitted(bob, quest["id"])
    await do(bob, "attestQuest", questId=quest["id"], rating=5)
    assert (await get(ada, quest["id"]))["status"] == "PENDING_REVIEW"
    done = await do(ada, "attestQuest", questId=quest["id"], rating=1)
    assert done["status"] == "COMPLETE"
    assert [each["rating"] for each in await past(ada, quest["id"])] == [5]


async def test_past_attestations_come_in_pages_oldest_first(ada: Person, bob: Person) -> None:
    quest = await submitted(ada, bob, dualAttestation=True)
    for rating in (1, 2, 3):
        await do(bob, "attestQuest", questId=quest["id"], rating=rating)
        await do(ada, "requestChanges", questId=quest["id"])
        await resubmitted(bob, quest["id"])
    found, token = [], None
    for _ in range(2):
        page = await ada.gql(PAST, id=quest["id"], limit=2, nextToken=token)
        listed = page["quest"]["pastAttestations"]
        found += [each["attestation"]["rating"] for each in listed["items"]]
        token = listed["nextToken"]
    assert (found, token) == ([1, 2, 3], None)


async def test_only_an_attestation_of_this_submission_is_recorded_on_chain(
    ada: Person, bob: Person
) -> None:
    quest = await submitted(ada, bob, dualAttestation=True)
    await do(bob, "attestQuest", questId=quest["id"], rating=5)
    await do(ada, "requestChanges", questId=quest["id"])
    sent = {"questId": quest["id"], "transactionHash": "0x" + "ab" * 32}
    assert await code(bob, "recordOnChain", **sent) == "NOT_FOUND"


@pytest.mark.parametrize("rated", [False, True])
async def test_anyone_can_check_a_stored_signature(
    ada: Person, bob: Person, cleo: Person, rated: bool
) -> None:
    wallet = await wallet_of(ada)
    quest = await submitted(ada, bob)
    words = {"rating": 2, "comments": "Half of it."}
    data = await (rated_data(ada, quest["id"], **words) if rated else typed_data(ada, quest["id"]))
    signature = signed(wallet, data)
    await do(ada, "attestQuest", questId=quest["id"], **words, signature=signature)
    (seen,) = (await cleo.gql(CHECKABLE, id=quest["id"]))["quest"]["attestations"]
    assert json.loads(seen["typedData"]) == data
    message = encode_typed_data(full_message=json.loads(seen["typedData"]))
    assert Account.recover_message(message, signature=seen["signature"]) == seen["signer"]
    assert (seen["signer"], seen["submittedAt"]) == (wallet.address, quest["submittedAt"])
    assert (seen["chainId"], seen["verifyingContract"]) == ("1", "0x" + "0" * 40)


async def test_without_a_signature_there_is_no_typed_data(ada: Person, bob: Person) -> None:
    quest = await submitted(ada, bob)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    (seen,) = (await bob.gql(CHECKABLE, id=quest["id"]))["quest"]["attestations"]
    assert seen == {
        "signature": None,
        "signer": None,
        "typedData": None,
        "chainId": None,
        "verifyingContract": None,
        "submittedAt": quest["submittedAt"],
    }


async def test_a_deleted_account_leaves_neither_address_nor_past_attestations(
    ada: Person, bob: Person, table: Gateway
) -> None:
    wallet = await wallet_of(bob)
    quest = await submitted(ada, bob, dualAttestation=True)
    await do(bob, "attestQuest", questId=quest["id"], rating=1)
    await do(ada, "requestChanges", questId=quest["id"])
    await resubmitted(bob, quest["id"])
    signature = signed(wallet, await typed_data(bob, quest["id"]))
    await do(bob, "attestQuest", questId=quest["id"], rating=5, signature=signature)
    exported = json.loads((await bob.gql("{ exportData }"))["exportData"])
    assert [each["attestation"]["rating"] for each in exported["PastAttestation"]] == [1]
    await delete_account(bob)
    assert await stored_past(table, quest["id"]) == []
    (left,) = (await stored(table, quest["id"])).attestations
    assert wallet.address not in str(left)


async def test_past_attestations_are_erased_with_their_quest(
    ada: Person, bob: Person, judge: Person, table: Gateway
) -> None:
    quest = await submitted(ada, bob, dualAttestation=True)
    await do(bob, "attestQuest", questId=quest["id"], rating=1)
    await do(ada, "requestChanges", questId=quest["id"])
    await do(bob, "unclaimQuest", questId=quest["id"])
    assert len(await stored_past(table, quest["id"])) == 1
    await delete_account(ada)
    assert await stored_past(table, quest["id"]) == []
    assert await table.get(keys.quest(quest["id"])) is None


async def as_before(table: Gateway, quest_id: str, *given: Attestation) -> Quest:
    """The quest as the release before left it: its attestations do not say which submission they
    are about, and stay when the work is returned."""
    quest = await stored(table, quest_id)
    bare = [replace(each, submitted_at=None, typed_data=None) for each in given]
    await table.write(Put(replace(quest, attestations=bare)))
    return await stored(table, quest_id)


async def given_by(table: Gateway, quest_id: str) -> list[Attestation]:
    return (await stored(table, quest_id)).attestations


@pytest.mark.parametrize("then", ["attest", "submit"])
async def test_attestations_of_the_release_before_do_not_count_either(
    ada: Person, bob: Person, table: Gateway, then: str
) -> None:
    """Before the migration, or written by a server of that release since."""
    quest = await submitted(ada, bob, dualAttestation=True)
    await do(bob, "attestQuest", questId=quest["id"], rating=3)
    old = await given_by(table, quest["id"])
    await do(ada, "requestChanges", questId=quest["id"])
    for each in await stored_past(table, quest["id"]):
        await table.write(Delete(keys.past_attestation(quest["id"], each.attested_at, bob.id)))
    if then == "submit":
        await as_before(table, quest["id"], *old)
        assert (await get(ada, quest["id"]))["attestations"] == []
        await resubmitted(bob, quest["id"])
    else:
        await resubmitted(bob, quest["id"])
        await as_before(table, quest["id"], *old)
    assert (await get(ada, quest["id"]))["attestations"] == []
    half = await do(ada, "attestQuest", questId=quest["id"], rating=5)
    assert half["status"] == "PENDING_REVIEW"
    assert [each["rating"] for each in await past(ada, quest["id"])] == [3]
    assert [each.rating for each in await given_by(table, quest["id"])] == [5]


async def test_the_migration_tells_submissions_apart_and_restores_what_was_signed(
    ada: Person, bob: Person, table: Gateway, server: RunningServer
) -> None:
    wallet = await wallet_of(ada)
    quest = await submitted(ada, bob, dualAttestation=True)
    await do(bob, "attestQuest", questId=quest["id"], rating=3)
    earlier = await given_by(table, quest["id"])
    await do(ada, "requestChanges", questId=quest["id"])
    again = await resubmitted(bob, quest["id"])
    data = await rated_data(ada, quest["id"], rating=5)
    signature = signed(wallet, data)
    await do(ada, "attestQuest", questId=quest["id"], rating=5, signature=signature)
    present = await given_by(table, quest["id"])
    resources = resources_of(server, table)
    old = await as_before(table, quest["id"], *earlier, *present)
    new = await upgrade(resources, old)
    assert new.attestations == present
    assert new.attestations[0].submitted_at == again["submittedAt"]
    assert json.loads(str(new.attestations[0].typed_data)) == data
    (kept,) = await stored_past(table, quest["id"])
    assert (kept.attestation.attester_id, kept.attestation.rating) == (bob.id, 3)
    assert kept.attestation.submitted_at is not None
    assert kept.attestation.submitted_at <= kept.attestation.timestamp
    assert (new.version, needed_upgrades(new)) == (old.version + 1, [])
    assert await upgrade(resources, new) == new, "once"


async def test_what_was_signed_for_another_chain_is_not_claimed_to_be_restored(
    ada: Person, bob: Person, table: Gateway, server: RunningServer
) -> None:
    wallet = await wallet_of(ada)
    quest = await submitted(ada, bob)
    data = await typed_data(ada, quest["id"])
    elsewhere = signed(wallet, data | {"domain": data["domain"] | {"chainId": 5}})
    signature = signed(wallet, data)
    await do(ada, "attestQuest", questId=quest["id"], rating=5, signature=signature)
    (given,) = await given_by(table, quest["id"])
    old = await as_before(table, quest["id"], replace(given, signature=elsewhere))
    new = await upgrade(resources_of(server, table), old)
    (migrated,) = new.attestations
    assert (migrated.signature, migrated.typed_data) == (elsewhere, None)
    assert migrated.submitted_at == quest["submittedAt"]
    assert new.status is old.status


async def test_a_completed_quest_of_the_release_before_stays_complete(
    ada: Person, bob: Person, table: Gateway, server: RunningServer
) -> None:
    """It was completed with an attestation of an earlier submission, and paid."""
    quest = await submitted(ada, bob)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    (given,) = await given_by(table, quest["id"])
    before = AWSDateTime("2026-01-01T00:00:00.000Z")
    stray = replace(
        given, role=AttesterRole.PERFORMER, attester_id=strawberry.ID(bob.id), timestamp=before
    )
    old = await as_before(table, quest["id"], stray, given)
    new = await upgrade(resources_of(server, table), old)
    assert (new.status, new.completed_at) == (old.status, old.completed_at)
    assert new.attestations == [given]
    assert [each.attester_id for each in await stored_past(table, quest["id"])] == [bob.id]
    assert SUBMISSION["submission"] == new.submission
