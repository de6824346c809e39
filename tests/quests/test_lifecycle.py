"""A quest from its offer to its end, and every way aside."""

import asyncio
import dataclasses
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest

from app.core.caller import acting_for
from app.core.clock import instant
from app.domains.quests.inputs import ClaimQuestInput
from app.domains.quests.types import QuestStatus
from app.services import Services
from app.table.gateway import Gateway
from app.table.writes import item_of
from tests.api import Api, Person
from tests.quests.operations import (
    INPUT,
    REASON,
    SUBMISSION,
    code,
    create,
    do,
    get,
    grants,
    history,
    partition,
    refused,
    sign_in_again,
    stats,
    stored,
    submitted,
)
from tests.servers import RunningServer, TestClock


def later(clock: TestClock, **by: float) -> str:
    return instant(clock.now() + timedelta(**by))


async def test_created_with_everything(ada: Person, table: Gateway, clock: TestClock) -> None:
    clock.freeze(datetime(2026, 3, 1, 12, tzinfo=UTC))
    await sign_in_again(ada)
    quest = await create(
        ada,
        tags=["Garden", "garden", "#Home"],
        requirements=["Water", " Light ", "Water"],
        expiresAt="2026-03-02T00:00:00Z",
    )
    assert quest["status"] == "OPEN"
    assert quest["version"] == 1
    assert quest["creatorId"] == ada.id
    assert quest["tags"] == ["garden", "home"]
    assert quest["requirements"] == ["Water", "Light"]
    assert quest["checklist"] == [
        {"text": "Water", "done": False},
        {"text": "Light", "done": False},
    ]
    assert quest["createdAt"] == quest["updatedAt"] == "2026-03-01T12:00:00.000Z"
    assert (quest["performerId"], quest["performers"], quest["claimedAt"]) == (None, [], None)
    record = await stored(table, quest["id"])
    item = item_of(record)
    now = "2026-03-01T12:00:00.000Z"
    assert item["PK"]["S"] == item["SK"]["S"] == f"QUEST#{quest['id']}"
    assert (item["GSI1PK"]["S"], item["GSI1SK"]["S"]) == (
        "STATUS#OPEN",
        f"CREATED#{now}#{quest['id']}",
    )
    assert item["GSI2PK"]["S"] == f"CREATOR#{ada.id}"
    assert "GSI3PK" not in item
    assert item["GSI4PK"]["S"] == "DUE#20260302"
    assert item["GSI4SK"]["S"] == f"2026-03-02T00:00:00.000Z#QUEST#{quest['id']}"
    mine = await partition(table, f"USER#{ada.id}")
    assert f"QUEST#CREATED#{now}#{quest['id']}" in mine
    assert (await stats(ada))["questsCreated"] == 1


async def test_done_and_rewarded(ada: Person, bob: Person, table: Gateway) -> None:
    quest = await create(ada, requirements=["Water"])
    claimed = await do(bob, "claimQuest", questId=quest["id"])
    assert (claimed["status"], claimed["performerId"]) == ("CLAIMED", bob.id)
    assert claimed["claimedAt"] is not None
    ticked = await do(bob, "checkRequirement", questId=quest["id"], index=0)
    assert ticked["checklist"] == [{"text": "Water", "done": True}]
    handed_in = await do(bob, "submitQuest", questId=quest["id"], **SUBMISSION)
    assert handed_in["status"] == "PENDING_REVIEW"
    assert handed_in["submission"] == SUBMISSION["submission"]
    assert await grants(table, bob.id) == {}
    done = await do(ada, "attestQuest", questId=quest["id"], rating=5, comments="Well done")
    assert done["status"] == "COMPLETE"
    assert done["completedAt"] is not None
    (attestation,) = done["attestations"]
    assert attestation["attesterId"] == ada.id
    assert attestation["attesterUsername"] == ada.nickname
    assert (attestation["rating"], attestation["comments"]) == (5, "Well done")
    assert (attestation["onChain"], attestation["signature"]) == (False, None)
    assert await stats(bob) == {
        "reputation": 5,
        "experiencePoints": 100,
        "level": 2,
        "questsCreated": 0,
        "questsCompleted": 1,
        "attestationsGiven": 0,
        "attestationsReceived": 1,
    }
    creator = await stats(ada)
    assert (creator["attestationsGiven"], creator["experiencePoints"]) == (1, 0)
    assert await grants(table, bob.id) == {
        f"GRANT#{quest['id']}#XP": 100,
        f"GRANT#{quest['id']}#REPUTATION": 5,
    }
    steps = [(e.action.value, e.by_user_id) for e in await history(table, quest["id"])]
    assert steps == [
        ("CREATE", ada.id),
        ("CLAIM", bob.id),
        ("SUBMIT", bob.id),
        ("ATTEST", ada.id),
    ]


async def test_index_keys_follow_the_status(ada: Person, bob: Person, table: Gateway) -> None:
    quest = await submitted(ada, bob, expiresAt="2099-01-01T00:00:00Z")
    item = item_of(await stored(table, quest["id"]))
    assert item["GSI1PK"]["S"] == "STATUS#PENDING_REVIEW"
    assert item["GSI3PK"]["S"] == f"PERFORMER#{bob.id}"
    assert item["GSI3SK"]["S"] == f"UPDATED#{quest['updatedAt']}#{quest['id']}"
    assert "GSI4PK" not in item, "a submitted quest does not expire"
    raw = (await partition(table, f"QUEST#{quest['id']}"))[f"QUEST#{quest['id']}"]
    assert {name: raw[name] for name in raw if name.startswith("GSI")} == {
        name: item[name] for name in item if name.startswith("GSI")
    }


async def test_changes_requested_and_submitted_again_keep_history(
    ada: Person, bob: Person, table: Gateway
) -> None:
    quest = await submitted(ada, bob)
    back = await do(ada, "requestChanges", questId=quest["id"], comments="Two are dry")
    assert (back["status"], back["performerId"]) == ("CLAIMED", bob.id)
    again = await do(bob, "submitQuest", questId=quest["id"], submission="Now all are wet")
    assert (again["status"], again["submission"]) == ("PENDING_REVIEW", "Now all are wet")
    notes = [(e.action.value, e.note) for e in await history(table, quest["id"])]
    assert notes == [
        ("CREATE", None),
        ("CLAIM", None),
        ("SUBMIT", SUBMISSION["submission"]),
        ("REQUEST_CHANGES", "Two are dry"),
        ("SUBMIT", "Now all are wet"),
    ]


async def test_unclaimed_is_open_for_others(
    ada: Person, bob: Person, cleo: Person, table: Gateway
) -> None:
    quest = await create(ada)
    first = await do(bob, "claimQuest", questId=quest["id"])
    assert any(sk.startswith("QUEST#PERFORMED#") for sk in await partition(table, f"USER#{bob.id}"))
    left = await do(bob, "unclaimQuest", questId=quest["id"])
    assert (left["status"], left["performerId"], left["claimedAt"]) == ("OPEN", None, None)
    mine = await partition(table, f"USER#{bob.id}")
    assert [sk for sk in mine if sk.startswith("QUEST")] == []
    assert f"PERFORMER#{bob.id}" not in await partition(table, f"QUEST#{quest['id']}")
    second = await do(cleo, "claimQuest", questId=quest["id"])
    assert second["performerId"] == cleo.id
    assert second["claimedAt"] > first["claimedAt"]
    assert await code(bob, "unclaimQuest", questId=quest["id"]) == "FORBIDDEN"


async def test_the_creator_must_wait_72_hours_to_release(
    ada: Person, bob: Person, clock: TestClock
) -> None:
    quest = await create(ada)
    await do(bob, "claimQuest", questId=quest["id"])
    early = await refused(ada, "releaseQuest", questId=quest["id"])
    assert early.code == "TOO_EARLY"
    clock.move(hours=71, minutes=59)
    await sign_in_again(ada, bob)
    assert await code(ada, "releaseQuest", questId=quest["id"]) == "TOO_EARLY"
    assert await code(bob, "releaseQuest", questId=quest["id"]) == "FORBIDDEN"
    clock.move(minutes=2)
    freed = await do(ada, "releaseQuest", questId=quest["id"])
    assert (freed["status"], freed["performerId"]) == ("OPEN", None)


async def test_cancelled_for_good(ada: Person, bob: Person) -> None:
    quest = await create(ada)
    assert await code(bob, "cancelQuest", questId=quest["id"]) == "FORBIDDEN"
    assert (await do(ada, "cancelQuest", questId=quest["id"]))["status"] == "CANCELLED"
    assert await code(bob, "claimQuest", questId=quest["id"]) == "QUEST_STATUS"
    assert await code(ada, "extendQuest", questId=quest["id"], expiresAt=None) == "QUEST_STATUS"


async def test_expires_on_the_instant(ada: Person, bob: Person, clock: TestClock) -> None:
    clock.freeze(datetime(2026, 3, 1, 12, 30, tzinfo=UTC))
    await sign_in_again(ada, bob)
    quest = await create(ada, expiresAt="2026-03-01T13:00:00Z")
    clock.freeze(datetime(2026, 3, 1, 12, 59, 59, 999000, tzinfo=UTC))
    assert (await get(bob, quest["id"]))["status"] == "OPEN"
    clock.freeze(datetime(2026, 3, 1, 13, tzinfo=UTC))
    assert (await get(bob, quest["id"]))["status"] == "EXPIRED"
    assert await code(bob, "claimQuest", questId=quest["id"]) == "QUEST_EXPIRED"
    assert await code(ada, "cancelQuest", questId=quest["id"]) == "QUEST_STATUS"


async def test_a_claimed_quest_expires_and_frees_its_performer(
    ada: Person, bob: Person, clock: TestClock, table: Gateway
) -> None:
    quest = await create(ada, expiresAt=later(clock, hours=1))
    await do(bob, "claimQuest", questId=quest["id"])
    clock.move(hours=2)
    await sign_in_again(ada, bob)
    seen = await get(bob, quest["id"])
    assert (seen["status"], seen["performerId"]) == ("EXPIRED", None)
    assert await code(bob, "submitQuest", questId=quest["id"], **SUBMISSION) == "QUEST_STATUS"
    opened = await do(ada, "extendQuest", questId=quest["id"], expiresAt=later(clock, hours=1))
    assert (opened["status"], opened["performers"]) == ("OPEN", [])
    actions = [(e.action.value, e.by_user_id) for e in await history(table, quest["id"])]
    assert actions[2:] == [("EXPIRE", None), ("EXTEND", ada.id)]
    mine = await partition(table, f"USER#{bob.id}")
    assert [sk for sk in mine if sk.startswith("QUEST")] == []
    assert (await do(bob, "claimQuest", questId=quest["id"]))["status"] == "CLAIMED"


async def test_a_submitted_quest_does_not_expire(
    ada: Person, bob: Person, clock: TestClock
) -> None:
    quest = await submitted(ada, bob, expiresAt=later(clock, hours=1))
    clock.move(hours=2)
    await sign_in_again(ada, bob)
    assert (await get(ada, quest["id"]))["status"] == "PENDING_REVIEW"
    assert (await do(ada, "attestQuest", questId=quest["id"], rating=4))["status"] == "COMPLETE"


async def test_a_stale_claim_runs_out(
    ada: Person, bob: Person, cleo: Person, clock: TestClock, table: Gateway
) -> None:
    quest = await create(ada)
    await do(bob, "claimQuest", questId=quest["id"])
    clock.move(hours=335)
    await sign_in_again(ada, bob, cleo)
    assert (await get(ada, quest["id"]))["status"] == "CLAIMED"
    clock.move(hours=2)
    await sign_in_again(ada, bob, cleo)
    assert (await get(ada, quest["id"]))["status"] == "OPEN"
    taken = await do(cleo, "claimQuest", questId=quest["id"])
    assert (taken["performerId"], taken["performers"]) == (cleo.id, [cleo.id])
    actions = [e.action.value for e in await history(table, quest["id"])]
    assert actions == ["CREATE", "CLAIM", "LAPSE", "CLAIM"]
    assert await code(bob, "submitQuest", questId=quest["id"], **SUBMISSION) == "FORBIDDEN"


async def test_extending_gives_time_and_never_takes_it(
    ada: Person, bob: Person, clock: TestClock
) -> None:
    until = later(clock, hours=2)
    quest = await create(ada, expiresAt=until)
    await do(bob, "claimQuest", questId=quest["id"])
    shorter = later(clock, hours=1)
    assert await code(ada, "extendQuest", questId=quest["id"], expiresAt=shorter) == "BAD_INPUT"
    past = later(clock, hours=-1)
    assert await code(ada, "extendQuest", questId=quest["id"], expiresAt=past) == "BAD_INPUT"
    assert await code(bob, "extendQuest", questId=quest["id"], expiresAt=None) == "FORBIDDEN"
    longer = later(clock, hours=3)
    more = await do(ada, "extendQuest", questId=quest["id"], expiresAt=longer)
    assert (more["status"], more["expiresAt"]) == ("CLAIMED", longer)
    ever = await do(ada, "extendQuest", questId=quest["id"], expiresAt=None)
    assert ever["expiresAt"] is None


async def test_edited_while_open_only(ada: Person, bob: Person, table: Gateway) -> None:
    quest = await create(ada, tags=["one", "two"], expiresAt="2099-01-01T00:00:00Z")
    new = await do(
        ada, "updateQuest", questId=quest["id"], title="New title", tags=["two", "three"]
    )
    assert (new["title"], new["tags"], new["version"]) == ("New title", ["two", "three"], 2)
    assert new["expiresAt"] == "2099-01-01T00:00:00.000Z", "absent: as it was"
    cleared = await do(ada, "updateQuest", questId=quest["id"], expiresAt=None)
    assert cleared["expiresAt"] is None, "null: cleared"
    entries = await partition(table, f"QUEST#{quest['id']}")
    assert {sk for sk in entries if sk.startswith("TAG#")} == {"TAG#two", "TAG#three"}
    assert await code(ada, "updateQuest", questId=quest["id"], title=None) == "BAD_INPUT"
    assert await code(bob, "updateQuest", questId=quest["id"], title="Mine now") == "FORBIDDEN"
    await do(bob, "claimQuest", questId=quest["id"])
    assert await code(ada, "updateQuest", questId=quest["id"], rewardXp=10) == "QUEST_STATUS"
    assert (await stored(table, quest["id"])).reward_xp == 100


async def test_an_update_that_changes_nothing_leaves_no_trace(ada: Person, table: Gateway) -> None:
    quest = await create(ada, tags=["one"])
    for nothing in ({}, {"title": quest["title"]}, {"tags": ["ONE"], "rewardXp": 100}):
        assert await do(ada, "updateQuest", questId=quest["id"], **nothing) == quest
    assert len(await history(table, quest["id"])) == 1


async def test_expected_version(ada: Person, bob: Person) -> None:
    quest = await create(ada)
    await do(ada, "updateQuest", questId=quest["id"], rewardXp=10, expectedVersion=1)
    failed = await refused(bob, "claimQuest", questId=quest["id"], expectedVersion=1)
    assert (failed.code, failed.info["currentVersion"]) == ("CONFLICT", 2)
    assert (await get(bob, quest["id"]))["status"] == "OPEN"


async def test_an_item_without_a_version_can_be_changed(
    ada: Person, bob: Person, table: Gateway
) -> None:
    """As older writers left it: optional attributes and the version are missing."""
    quest = await create(ada)
    item = item_of(await stored(table, quest["id"]))
    kept = {
        name: value
        for name, value in item.items()
        if name not in ("version", "tags", "requirements", "attestations", "performers")
    }
    await table.client.put_item(TableName=table.table, Item=kept)
    seen = await get(ada, quest["id"])
    assert (seen["version"], seen["tags"], seen["maxPerformers"]) == (0, [], 1)
    assert (await do(bob, "claimQuest", questId=quest["id"]))["version"] == 1


async def test_disputed_and_resolved(ada: Person, bob: Person, judge: Person) -> None:
    for outcome, status in (("COMPLETE", "COMPLETE"), ("CLAIMED", "CLAIMED"), ("CANCELLED",) * 2):
        quest = await submitted(ada, bob)
        disputed = await do(ada, "disputeQuest", questId=quest["id"], **REASON)
        assert (disputed["status"], disputed["disputeReason"]) == ("DISPUTED", REASON["reason"])
        before = (await stats(bob))["experiencePoints"]
        assert await code(ada, "attestQuest", questId=quest["id"], rating=1) == "QUEST_STATUS"
        resolved = await do(
            judge, "resolveDispute", questId=quest["id"], outcome=outcome, comments="Seen it."
        )
        assert resolved["status"] == status
        gained = (await stats(bob))["experiencePoints"] - before
        assert gained == (100 if outcome == "COMPLETE" else 0)


@pytest.mark.parametrize("outcome", ["OPEN", "PENDING_REVIEW", "DISPUTED", "EXPIRED"])
async def test_a_dispute_ends_in_one_of_three_ways(
    ada: Person, bob: Person, judge: Person, outcome: str
) -> None:
    quest = await submitted(ada, bob)
    await do(bob, "disputeQuest", questId=quest["id"], **REASON)
    assert await code(judge, "resolveDispute", questId=quest["id"], outcome=outcome) == "BAD_INPUT"
    assert (await get(ada, quest["id"]))["status"] == "DISPUTED"


async def test_who_may_dispute_and_judge(
    ada: Person, bob: Person, cleo: Person, judge: Person
) -> None:
    quest = await submitted(judge, bob)
    assert await code(cleo, "disputeQuest", questId=quest["id"], **REASON) == "FORBIDDEN"
    assert await code(bob, "disputeQuest", questId=quest["id"], reason="Too short") == "BAD_INPUT"
    await do(bob, "disputeQuest", questId=quest["id"], **REASON)
    outcome = {"questId": quest["id"], "outcome": "COMPLETE"}
    assert await code(ada, "resolveDispute", **outcome) == "FORBIDDEN", "no moderator"
    assert await code(judge, "resolveDispute", **outcome) == "FORBIDDEN", "a party"
    assert (await get(bob, quest["id"]))["status"] == "DISPUTED"


async def test_nobody_deals_with_themselves(ada: Person, bob: Person, cleo: Person) -> None:
    quest = await create(ada)
    assert await code(ada, "claimQuest", questId=quest["id"]) == "OWN_QUEST"
    await do(bob, "claimQuest", questId=quest["id"])
    assert await code(cleo, "submitQuest", questId=quest["id"], **SUBMISSION) == "FORBIDDEN"
    await do(bob, "submitQuest", questId=quest["id"], **SUBMISSION)
    assert await code(bob, "attestQuest", questId=quest["id"], rating=5) == "FORBIDDEN"
    assert await code(cleo, "attestQuest", questId=quest["id"], rating=5) == "FORBIDDEN"
    assert await code(bob, "requestChanges", questId=quest["id"]) == "FORBIDDEN"
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    assert await code(ada, "attestQuest", questId=quest["id"], rating=5) == "ALREADY_ATTESTED"
    assert (await stats(bob))["experiencePoints"] == 100


async def test_two_attestations(ada: Person, bob: Person, cleo: Person) -> None:
    quest = await submitted(ada, bob, dualAttestation=True)
    half = await do(ada, "attestQuest", questId=quest["id"], rating=4)
    assert (half["status"], len(half["attestations"])) == ("PENDING_REVIEW", 1)
    assert (await stats(bob))["experiencePoints"] == 0
    assert await code(ada, "attestQuest", questId=quest["id"], rating=4) == "ALREADY_ATTESTED"
    assert await code(ada, "requestChanges", questId=quest["id"]) == "ALREADY_ATTESTED"
    assert await code(cleo, "attestQuest", questId=quest["id"], rating=4) == "FORBIDDEN"
    whole = await do(bob, "attestQuest", questId=quest["id"], rating=5)
    assert whole["status"] == "COMPLETE"
    assert [e["role"] for e in whole["attestations"]] == ["CREATOR", "PERFORMER"]
    for person, xp in ((ada, 0), (bob, 100)):
        counted = await stats(person)
        assert counted["experiencePoints"] == xp
        assert (counted["attestationsGiven"], counted["attestationsReceived"]) == (1, 1)


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ("title", ["abc", "x" * 100, "  abc  "], ["ab", "x" * 101, " ab ", "", "\u202eab"]),
        ("description", ["x" * 10, "x" * 1000], ["x" * 9, "x" * 1001, " " * 10 + "x"]),
        ("rewardXp", [10, 10_000], [9, 10_001, 0, -5]),
        ("rewardReputation", [1, 100], [0, 101]),
        ("maxPerformers", [1, 20], [0, 21]),
        (
            "requirements",
            [[], ["x" * 200]],
            [[""], ["x" * 201], [" "], [str(n) for n in range(21)]],
        ),
        ("tags", [[], ["a" * 40]], [[""], ["a" * 41], [str(n) for n in range(21)]]),
        ("expiresAt", ["2099-01-01T00:00:00Z"], ["2001-01-01T00:00:00Z"]),
        ("id", [None], ["a#b", "", "x" * 65]),
    ],
)
async def test_limits_after_trimming(
    ada: Person, field: str, good: list[Any], bad: list[Any], table: Gateway
) -> None:
    for value in good:
        assert (await create(ada, **{field: value}))["status"] == "OPEN"
    made = len(await partition(table, f"USER#{ada.id}"))
    for value in bad:
        failed = await refused(ada, "createQuest", **(INPUT | {field: value}))
        assert failed.code == "BAD_INPUT"
        assert str(failed.info["field"]).startswith(f"input.{field}")
    assert len(await partition(table, f"USER#{ada.id}")) == made


@pytest.mark.parametrize("rating", [0, 6, -1])
async def test_ratings_are_1_to_5(ada: Person, bob: Person, rating: int) -> None:
    quest = await submitted(ada, bob)
    assert await code(ada, "attestQuest", questId=quest["id"], rating=rating) == "BAD_INPUT"
    assert (await get(ada, quest["id"]))["status"] == "PENDING_REVIEW"


@pytest.mark.parametrize(
    "text", ["a < b", "<script>alert(1)</script>", "Tom & 'Jerry' \"x\"", "<b></b>"]
)
async def test_text_is_text(api: Api, ada: Person, text: str) -> None:
    quest = await create(ada, title=text)
    assert (await get(ada, quest["id"]))["title"] == text
    answer = await api.post(
        "query ($id: ID!) { quest(id: $id) { title } }", headers=ada.headers, id=quest["id"]
    )
    assert answer.headers["content-type"].startswith("application/")
    assert "json" in answer.headers["content-type"]


async def test_signs_that_deceive_are_taken_out(ada: Person) -> None:
    quest = await create(ada, title="Pay\u202e me\x07 well\nnow")
    assert quest["title"] == "Pay me well now"


async def test_strangers_do_not_read_the_submission(
    ada: Person, bob: Person, cleo: Person, judge: Person
) -> None:
    quest = await submitted(ada, bob)
    query = "query ($id: ID!) { quest(id: $id) { submission history { items { action note } } } }"
    for person, sees in ((ada, True), (bob, True), (judge, True), (cleo, False)):
        seen = (await person.gql(query, id=quest["id"]))["quest"]
        assert seen["submission"] == (SUBMISSION["submission"] if sees else None)
        assert [e["action"] for e in seen["history"]["items"]] == ["CREATE", "CLAIM", "SUBMIT"]
        assert seen["history"]["items"][2]["note"] == seen["submission"]


async def test_absent_quests(ada: Person) -> None:
    assert await get(ada, "nope") is None
    for name, more in (
        ("claimQuest", {}),
        ("submitQuest", SUBMISSION),
        ("attestQuest", {"rating": 3}),
        ("cancelQuest", {}),
        ("disputeQuest", REASON),
        ("updateQuest", {"title": "Other title"}),
        ("recordOnChain", {"transactionHash": "0x" + "a" * 64}),
    ):
        assert await code(ada, name, questId="nope", **more) == "NOT_FOUND"


async def test_an_id_is_taken_once(ada: Person, bob: Person, table: Gateway) -> None:
    quest = await create(ada, id=f"mine-{ada.id}")
    assert quest["id"] == f"mine-{ada.id}"
    assert await code(bob, "createQuest", **(INPUT | {"id": quest["id"]})) == "CONFLICT"
    assert (await stored(table, quest["id"])).creator_id == ada.id
    assert (await stats(bob))["questsCreated"] == 0


async def test_repeating_with_a_key_changes_nothing(ada: Person, bob: Person) -> None:
    first = await create(ada, idempotencyKey="c")
    assert await create(ada, idempotencyKey="c") == first
    assert (await stats(ada))["questsCreated"] == 1
    for name, who, more in (
        ("claimQuest", bob, {}),
        ("submitQuest", bob, SUBMISSION),
        ("attestQuest", ada, {"rating": 5}),
    ):
        fields = {"questId": first["id"], "idempotencyKey": name, **more}
        assert await do(who, name, **fields) == await do(who, name, **fields)
    assert (await stats(bob))["experiencePoints"] == 100


async def test_a_race_for_one_quest_has_one_winner(api: Api, ada: Person, table: Gateway) -> None:
    quest = await create(ada)
    people = await asyncio.gather(*(api.sign_up() for _ in range(100)))

    async def claim(person: Person) -> str:
        answer = await api.post(
            "mutation ($input: ClaimQuestInput!) { claimQuest(input: $input) { performerId } }",
            headers=person.headers,
            input={"questId": quest["id"]},
        )
        errors = answer.json().get("errors")
        return errors[0]["extensions"]["code"] if errors else "ok"

    answers = await asyncio.gather(*(claim(person) for person in people))
    assert sorted(set(answers)) == ["ALREADY_CLAIMED", "ok"]
    assert answers.count("ok") == 1
    winner = people[answers.index("ok")]
    record = await stored(table, quest["id"])
    assert (record.performer_id, record.performers) == (winner.id, [winner.id])
    rows = await partition(table, f"QUEST#{quest['id']}")
    assert [sk for sk in rows if sk.startswith("PERFORMER#")] == [f"PERFORMER#{winner.id}"]
    assert len(await history(table, quest["id"])) == 2
    assert await claim(winner) == "ok", "whoever has it may ask again"
    assert len(await history(table, quest["id"])) == 2


async def test_at_most_five_claims_even_when_raced(
    ada: Person, bob: Person, table: Gateway
) -> None:
    quests = [await create(ada) for _ in range(8)]
    results = await asyncio.gather(
        *(do(bob, "claimQuest", questId=quest["id"]) for quest in quests), return_exceptions=True
    )
    assert sum(not isinstance(each, BaseException) for each in results) == 5
    slots = [sk for sk in await partition(table, f"USER#{bob.id}") if sk.startswith("QUEST_CLAIM#")]
    assert len(slots) == 5
    mine = [each for each in results if isinstance(each, dict)]
    rest = next(q for q, r in zip(quests, results, strict=True) if isinstance(r, BaseException))
    assert await code(bob, "claimQuest", questId=rest["id"]) == "CLAIM_LIMIT"
    await do(bob, "submitQuest", questId=mine[0]["id"], **SUBMISSION)
    assert (await do(bob, "claimQuest", questId=rest["id"]))["status"] == "CLAIMED"


async def test_complete_and_cancel_and_dispute_raced_end_once(
    ada: Person, bob: Person, table: Gateway
) -> None:
    quest = await submitted(ada, bob)
    await asyncio.gather(
        *(do(ada, "attestQuest", questId=quest["id"], rating=5) for _ in range(10)),
        *(do(bob, "disputeQuest", questId=quest["id"], **REASON) for _ in range(10)),
        *(do(ada, "requestChanges", questId=quest["id"]) for _ in range(5)),
        return_exceptions=True,
    )
    record = await stored(table, quest["id"])
    paid = await grants(table, bob.id)
    complete = record.status is QuestStatus.COMPLETE
    assert record.status in (QuestStatus.COMPLETE, QuestStatus.DISPUTED, QuestStatus.CLAIMED)
    assert sum(paid.values()) == (105 if complete else 0)
    assert (await stats(bob))["experiencePoints"] == (100 if complete else 0)
    steps = await history(table, quest["id"])
    assert [each.to_status for each in steps][-1] is record.status
    for before, after in pairwise(steps):
        assert before.to_status is after.from_status


async def test_whose_claim_ran_out_may_claim_again(
    ada: Person, bob: Person, clock: TestClock, table: Gateway
) -> None:
    quest = await create(ada)
    await do(bob, "claimQuest", questId=quest["id"])
    clock.move(days=15)
    await sign_in_again(bob)
    again = await do(bob, "claimQuest", questId=quest["id"])
    assert (again["status"], again["performers"]) == ("CLAIMED", [bob.id])
    actions = [e.action.value for e in await history(table, quest["id"])]
    assert actions == ["CREATE", "CLAIM", "LAPSE", "CLAIM"]
    mine = await partition(table, f"USER#{bob.id}")
    assert len([sk for sk in mine if sk.startswith("QUEST#PERFORMED#")]) == 1
    assert len([sk for sk in mine if sk.startswith("QUEST_CLAIM#")]) == 1


async def test_claims_that_ran_out_do_not_count(ada: Person, bob: Person, clock: TestClock) -> None:
    for _ in range(5):
        quest = await create(ada)
        await do(bob, "claimQuest", questId=quest["id"])
    clock.move(days=15)
    await sign_in_again(ada, bob)
    for _ in range(5):
        quest = await create(ada)
        assert (await do(bob, "claimQuest", questId=quest["id"]))["status"] == "CLAIMED"
    sixth = await create(ada)
    assert await code(bob, "claimQuest", questId=sixth["id"]) == "CLAIM_LIMIT"


class TickingClock:
    """Each look at it is a millisecond later."""

    def __init__(self) -> None:
        self._now = datetime.now(UTC)

    def now(self) -> datetime:
        self._now += timedelta(milliseconds=1)
        return self._now


async def test_a_seat_and_its_listing_have_one_time(
    ada: Person, bob: Person, server: RunningServer, table: Gateway
) -> None:
    """The seat's time leads to the listing when the claim ends."""
    quest = await create(ada)
    own = dataclasses.replace(server.app.state.resources, table=table, clock=TickingClock())
    claims = Services(own, acting_for(bob.id)).quest_claims
    await claims.claim(ClaimQuestInput(quest_id=quest["id"]))
    await do(bob, "unclaimQuest", questId=quest["id"])
    mine = await partition(table, f"USER#{bob.id}")
    assert [sk for sk in mine if sk.startswith("QUEST#PERFORMED#")] == []
