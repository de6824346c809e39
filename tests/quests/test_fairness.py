"""Nobody loses what they have worked for, whatever the other side does."""

from datetime import timedelta

import pytest

from app.table.gateway import Gateway
from tests.api import PASSWORD, Person
from tests.quests.operations import (
    SUBMISSION,
    code,
    create,
    do,
    get,
    history,
    partition,
    refused,
    sign_in_again,
    stats,
    submitted,
)
from tests.quests.test_lifecycle import later
from tests.servers import TestClock

DELETE = "mutation ($input: DeleteAccountInput!) { deleteAccount(input: $input) { id } }"
PERFORMED = "{ me { performedQuests { items { id creator { nickname } } } } }"


async def delete_account(person: Person) -> None:
    await person.gql(DELETE, input={"confirmNickname": person.nickname, "password": PASSWORD})


async def test_time_without_end_cannot_be_cut_short(
    ada: Person, bob: Person, clock: TestClock
) -> None:
    quest = await create(ada)
    await do(bob, "claimQuest", questId=quest["id"])
    soon = later(clock, seconds=1)
    assert await code(ada, "extendQuest", questId=quest["id"], expiresAt=soon) == "BAD_INPUT"
    assert (await get(ada, quest["id"]))["expiresAt"] is None
    fair = later(clock, hours=73)
    more = await do(ada, "extendQuest", questId=quest["id"], expiresAt=fair)
    assert (more["status"], more["expiresAt"]) == ("CLAIMED", fair)


async def test_changes_requested_late_leave_time_to_make_them(
    ada: Person, bob: Person, clock: TestClock
) -> None:
    quest = await submitted(ada, bob, expiresAt=later(clock, hours=1))
    clock.freeze(clock.now() + timedelta(hours=100))
    await sign_in_again(ada, bob)
    back = await do(ada, "requestChanges", questId=quest["id"])
    assert (back["status"], back["expiresAt"]) == ("CLAIMED", later(clock, hours=72))
    assert (await get(bob, quest["id"]))["performerId"] == bob.id
    early = await refused(ada, "releaseQuest", questId=quest["id"])
    assert (early.code, early.info["when"]) == ("TOO_EARLY", later(clock, hours=72))
    again = await do(bob, "submitQuest", questId=quest["id"], **SUBMISSION)
    assert again["status"] == "PENDING_REVIEW"


async def test_changes_requested_in_time_keep_the_date(
    ada: Person, bob: Person, clock: TestClock
) -> None:
    until = later(clock, days=30)
    quest = await submitted(ada, bob, expiresAt=until)
    assert (await do(ada, "requestChanges", questId=quest["id"]))["expiresAt"] == until
    clock.move(hours=72)
    await sign_in_again(ada)
    assert (await do(ada, "releaseQuest", questId=quest["id"]))["status"] == "OPEN"


async def test_an_attestation_is_not_for_the_work_of_the_next(
    ada: Person, bob: Person, cleo: Person
) -> None:
    quest = await submitted(ada, bob, dualAttestation=True)
    await do(bob, "attestQuest", questId=quest["id"], rating=5)
    await do(ada, "requestChanges", questId=quest["id"])
    left = await do(bob, "unclaimQuest", questId=quest["id"])
    assert (left["status"], left["attestations"]) == ("OPEN", [])
    await do(cleo, "claimQuest", questId=quest["id"])
    await do(cleo, "submitQuest", questId=quest["id"], **SUBMISSION)
    half = await do(ada, "attestQuest", questId=quest["id"], rating=4)
    assert half["status"] == "PENDING_REVIEW", "cleo has not attested"
    whole = await do(cleo, "attestQuest", questId=quest["id"], rating=4)
    assert whole["status"] == "COMPLETE"
    assert [e["attesterId"] for e in whole["attestations"]] == [ada.id, cleo.id]


@pytest.mark.parametrize("text", ["\u200b" * 12, "\u200d" * 12, "\ufeff\u2060\u00ad" * 4])
async def test_what_cannot_be_seen_is_no_text(ada: Person, text: str) -> None:
    for field in ("title", "description"):
        failed = await refused(ada, "createQuest", **(dict(FIELDS) | {field: text}))
        assert (failed.code, failed.info["field"]) == ("BAD_INPUT", f"input.{field}")


async def test_signs_of_many_parts_stay_whole(ada: Person) -> None:
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467 walk"
    assert (await create(ada, title=family))["title"] == family


FIELDS = {
    "title": "Water the plants",
    "description": "While I am away.",
    "rewardXp": 10,
    "rewardReputation": 1,
}


async def test_a_completed_quest_outlives_its_creator(
    ada: Person, bob: Person, cleo: Person, table: Gateway
) -> None:
    quest = await submitted(ada, bob, tags=["kept"])
    await do(ada, "attestQuest", questId=quest["id"], rating=5, comments="Well done.")
    await delete_account(ada)
    kept = await get(bob, quest["id"])
    assert (kept["status"], kept["performerId"]) == ("COMPLETE", bob.id)
    (praise,) = kept["attestations"]
    assert (praise["rating"], praise["comments"]) == (5, "Well done.")
    assert ada.nickname not in str(kept)
    listed = (await bob.gql(PERFORMED))["me"]["performedQuests"]["items"]
    assert listed == [{"id": quest["id"], "creator": None}]
    assert (await stats(bob))["experiencePoints"] == 100
    assert len(await history(table, quest["id"])) == 4
    assert not [sk for sk in await partition(table, f"USER#{ada.id}") if "QUEST" in sk]


async def test_submitted_work_goes_to_a_judge_when_the_creator_leaves(
    ada: Person, bob: Person, cleo: Person, judge: Person
) -> None:
    quest = await submitted(ada, bob)
    await delete_account(ada)
    seen = await get(bob, quest["id"])
    assert (seen["status"], seen["submission"]) == ("DISPUTED", SUBMISSION["submission"])
    assert "account" in seen["disputeReason"]
    done = await do(judge, "resolveDispute", questId=quest["id"], outcome="COMPLETE")
    assert done["status"] == "COMPLETE"
    assert (await stats(bob))["experiencePoints"] == 100


async def test_what_the_creator_has_attested_needs_no_judge(ada: Person, bob: Person) -> None:
    quest = await submitted(ada, bob, dualAttestation=True)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    await delete_account(ada)
    done = await do(bob, "attestQuest", questId=quest["id"], rating=5)
    assert done["status"] == "COMPLETE"
    assert (await stats(bob))["experiencePoints"] == 100


async def test_work_given_back_outlives_its_creator(ada: Person, bob: Person) -> None:
    quest = await submitted(ada, bob)
    await do(ada, "requestChanges", questId=quest["id"])
    await delete_account(ada)
    again = await do(bob, "submitQuest", questId=quest["id"], **SUBMISSION)
    assert again["status"] == "PENDING_REVIEW"
    reason = {"reason": "Whoever asked for it is gone."}
    assert (await do(bob, "disputeQuest", questId=quest["id"], **reason))["status"] == "DISPUTED"


async def test_nothing_stands_open_for_ever_after_its_creator(
    ada: Person, bob: Person, cleo: Person, clock: TestClock
) -> None:
    quest = await submitted(ada, bob)
    await do(ada, "requestChanges", questId=quest["id"])
    await delete_account(ada)
    clock.move(hours=335)
    await sign_in_again(bob, cleo)
    assert (await get(bob, quest["id"]))["status"] == "CLAIMED"
    clock.move(hours=2)
    await sign_in_again(bob, cleo)
    assert (await get(bob, quest["id"]))["status"] == "EXPIRED"
    assert await code(cleo, "claimQuest", questId=quest["id"]) == "QUEST_EXPIRED"


async def test_a_performer_who_left_is_not_named(ada: Person, bob: Person) -> None:
    quest = await submitted(ada, bob, dualAttestation=True)
    await do(bob, "attestQuest", questId=quest["id"], rating=5)
    await delete_account(bob)
    seen = await get(ada, quest["id"])
    assert seen["status"] == "PENDING_REVIEW"
    assert bob.nickname not in str(seen)
    assert (await do(ada, "attestQuest", questId=quest["id"], rating=5))["status"] == "COMPLETE"


async def test_recording_again_loses_nothing(ada: Person, bob: Person) -> None:
    quest = await submitted(ada, bob)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    place = {"questId": quest["id"], "transactionHash": "0x" + "ab" * 32}
    first = await do(ada, "recordOnChain", **place, blockNumber=7, tokenId="1")
    for sent in (place, {**place, "blockNumber": None}, {**place, "transactionHash": CAPITALS}):
        again = await do(ada, "recordOnChain", **sent)
        assert again["attestations"] == first["attestations"]


CAPITALS = "0x" + "AB" * 32
