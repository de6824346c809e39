"""Wallets: an address is proven, an attestation is signed; nothing forged or replayed is taken."""

import json
from typing import Any

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct, encode_typed_data
from eth_account.signers.local import LocalAccount
from eth_keys.constants import SECPK1_N

from app.domains.quests.signatures import checksum_address, signer_of_text
from app.table.gateway import Gateway
from tests.api import Person
from tests.quests.operations import code, create, do, get, refused, stats, stored, submitted
from tests.servers import TestClock

CHALLENGE = """
query ($address: String!) { walletChallenge(address: $address) { address message expiresAt } }
"""
SET = """
mutation ($input: SetWalletAddressInput!) { setWalletAddress(input: $input) { walletAddress } }
"""
TYPED = "query ($id: ID!) { attestationTypedData(questId: $id) }"
RATED = """
query ($id: ID!, $rating: Int, $comments: String) {
  attestationTypedData(questId: $id, rating: $rating, comments: $comments)
}
"""
COVERS = "query ($id: ID!) { quest(id: $id) { attestations { signer signatureCovers } } }"


def signed_text(wallet: LocalAccount, message: str) -> str:
    return "0x" + bytes(wallet.sign_message(encode_defunct(text=message)).signature).hex()


def signed(wallet: LocalAccount, data: Any) -> str:
    return "0x" + bytes(wallet.sign_message(encode_typed_data(full_message=data)).signature).hex()


def mirrored(signature: str) -> str:
    """The other signature of the same thing that anybody can make from it: s becomes n - s."""
    raw = bytes.fromhex(signature[2:])
    s = SECPK1_N - int.from_bytes(raw[32:64], "big")
    return "0x" + (raw[:32] + s.to_bytes(32, "big") + bytes([55 - raw[64]])).hex()


async def wallet_of(person: Person) -> LocalAccount:
    wallet: LocalAccount = Account.create()
    asked = (await person.gql(CHALLENGE, address=wallet.address))["walletChallenge"]
    proof = signed_text(wallet, asked["message"])
    answer = await person.gql(SET, input={"address": wallet.address, "signature": proof})
    assert answer["setWalletAddress"]["walletAddress"] == wallet.address
    return wallet


async def typed_data(person: Person, quest_id: str) -> Any:
    return json.loads((await person.gql(TYPED, id=quest_id))["attestationTypedData"])


async def rated_data(person: Person, quest_id: str, **words: object) -> Any:
    return json.loads((await person.gql(RATED, id=quest_id, **words))["attestationTypedData"])


async def covered(person: Person, quest_id: str) -> Any:
    (attestation,) = (await person.gql(COVERS, id=quest_id))["quest"]["attestations"]
    return attestation


async def test_an_address_in_any_case_is_kept_with_its_checksum(ada: Person) -> None:
    wallet: LocalAccount = Account.create()
    for form in (wallet.address.lower(), "0x" + wallet.address[2:].upper()):
        asked = (await ada.gql(CHALLENGE, address=form))["walletChallenge"]
        assert asked["address"] == wallet.address
        proof = {"address": form, "signature": signed_text(wallet, asked["message"])}
        kept = (await ada.gql(SET, input=proof))["setWalletAddress"]["walletAddress"]
        assert kept == wallet.address
    assert ada.id in asked["message"]


@pytest.mark.parametrize("address", ["", "0x12", "0x" + "g" * 40, "1" * 42, "vitalik.eth"])
async def test_what_is_no_address_is_refused(ada: Person, address: str) -> None:
    assert (await ada.refused(CHALLENGE, address=address)).code == "BAD_INPUT"
    assert (await ada.refused(SET, input={"address": address, "signature": "0x"})).code == (
        "BAD_INPUT"
    )


async def test_a_mistyped_digit_is_found_by_the_checksum(ada: Person) -> None:
    right = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"
    assert checksum_address(right) == right
    assert checksum_address(right.replace("5aA", "5aa")) is None
    assert (await ada.refused(CHALLENGE, address=right.replace("5aA", "5aa"))).code == "BAD_INPUT"


async def test_an_address_needs_its_own_fresh_proof(
    ada: Person, bob: Person, clock: TestClock
) -> None:
    wallet: LocalAccount = Account.create()
    other: LocalAccount = Account.create()
    message = (await ada.gql(CHALLENGE, address=wallet.address))["walletChallenge"]["message"]
    good = signed_text(wallet, message)
    wrong = [
        signed_text(other, message),
        signed_text(wallet, message + "!"),
        mirrored(good),
        good[:-2],
        good + "00",
        good.replace("0x", ""),
        "0x" + "00" * 65,
        good[:-2] + "1d",
    ]
    for signature in wrong:
        sent = {"address": wallet.address, "signature": signature}
        assert (await ada.refused(SET, input=sent)).code == "BAD_SIGNATURE"
    proof = {"address": wallet.address, "signature": good}
    assert (await bob.refused(SET, input=proof)).code == "BAD_SIGNATURE", "another account"
    clock.move(minutes=25)
    assert (await ada.refused(SET, input=proof)).code == "BAD_SIGNATURE", "too late"
    clock.reset()
    assert (await ada.gql("{ me { walletAddress } }"))["me"]["walletAddress"] is None
    await ada.gql(SET, input=proof)
    assert (await ada.refused(SET, input=proof)).code == "BAD_SIGNATURE", "used"
    removed = await ada.gql("mutation { removeWalletAddress { walletAddress } }")
    assert removed["removeWalletAddress"]["walletAddress"] is None


async def test_a_signed_attestation(ada: Person, bob: Person) -> None:
    wallet = await wallet_of(ada)
    quest = await submitted(ada, bob)
    data = await typed_data(ada, quest["id"])
    assert data["primaryType"] == "Attestation"
    assert data["domain"] == {
        "name": "Guildhall",
        "version": "1",
        "chainId": 1,
        "verifyingContract": "0x0000000000000000000000000000000000000000",
    }
    assert data["message"] == {
        "questId": quest["id"],
        "role": "CREATOR",
        "attester": wallet.address,
        "submittedAt": quest["submittedAt"],
    }
    signature = signed(wallet, data)
    done = await do(ada, "attestQuest", questId=quest["id"], rating=5, signature=signature)
    assert done["status"] == "COMPLETE"
    assert done["attestations"][0]["signature"] == signature
    assert (await stats(bob))["experiencePoints"] == 100
    seen = await covered(bob, quest["id"])
    assert seen == {"signer": wallet.address, "signatureCovers": "SUBMISSION"}, "not the rating"


async def test_a_signature_over_the_rating(ada: Person, bob: Person) -> None:
    wallet = await wallet_of(ada)
    quest = await submitted(ada, bob)
    data = await rated_data(ada, quest["id"], rating=4, comments="  Well\u200b done. ")
    assert data["primaryType"] == "RatedAttestation"
    assert data["message"] == {
        "questId": quest["id"],
        "role": "CREATOR",
        "attester": wallet.address,
        "submittedAt": quest["submittedAt"],
        "rating": 4,
        "comments": "Well done.",
    }
    assert [each["name"] for each in data["types"]["RatedAttestation"]] == list(data["message"])
    words = {"rating": 4, "comments": "Well done. ", "signature": signed(wallet, data)}
    done = await do(ada, "attestQuest", questId=quest["id"], **words)
    assert done["attestations"][0]["comments"] == "Well done."
    seen = await covered(bob, quest["id"])
    assert seen == {"signer": wallet.address, "signatureCovers": "RATING"}


async def test_a_signature_for_other_words_is_refused(
    ada: Person, bob: Person, table: Gateway
) -> None:
    wallet = await wallet_of(ada)
    quest = await submitted(ada, bob)
    right = {"rating": 2, "comments": "Half of it."}
    good = signed(wallet, await rated_data(ada, quest["id"], **right))
    before = await stored(table, quest["id"])
    for wrong in (
        right | {"rating": 5},
        right | {"comments": "All of it."},
        right | {"comments": None},
        {"rating": 2},
    ):
        sent = {"questId": quest["id"], "signature": good, **wrong}
        assert await code(ada, "attestQuest", **sent) == "BAD_SIGNATURE"
    bare = signed(wallet, await rated_data(ada, quest["id"], rating=2))
    sent = {"questId": quest["id"], "signature": bare}
    assert await code(ada, "attestQuest", **sent, **right) == "BAD_SIGNATURE", "silent on comments"
    assert await stored(table, quest["id"]) == before
    assert (await stats(bob))["experiencePoints"] == 0
    await do(ada, "attestQuest", **sent, rating=2, comments="")
    assert (await covered(ada, quest["id"]))["signatureCovers"] == "RATING"


async def test_a_signed_rating_is_not_replayed(ada: Person, bob: Person) -> None:
    wallet = await wallet_of(ada)
    quest, elsewhere = await submitted(ada, bob), await submitted(ada, bob)
    words = {"rating": 5, "comments": "Good."}
    signature = signed(wallet, await rated_data(ada, quest["id"], **words))
    sent = {**words, "signature": signature}
    assert await code(ada, "attestQuest", questId=elsewhere["id"], **sent) == "BAD_SIGNATURE"
    await do(ada, "requestChanges", questId=quest["id"])
    await do(bob, "submitQuest", questId=quest["id"], submission="Something else")
    assert await code(ada, "attestQuest", questId=quest["id"], **sent) == "BAD_SIGNATURE"
    sent["signature"] = signed(wallet, await rated_data(ada, quest["id"], **words))
    await do(ada, "attestQuest", questId=quest["id"], **sent)
    assert await code(ada, "attestQuest", questId=quest["id"], **sent) == "ALREADY_ATTESTED"


async def test_what_can_be_signed(ada: Person, bob: Person) -> None:
    await wallet_of(ada)
    quest = await submitted(ada, bob)
    for wrong in ({"rating": 0}, {"rating": 6}, {"rating": 3, "comments": "x" * 1001}):
        assert (await ada.refused(RATED, id=quest["id"], **wrong)).code == "BAD_INPUT"
    alone = await ada.refused(RATED, id=quest["id"], comments="Nice")
    assert (alone.code, alone.info["field"]) == ("BAD_INPUT", "rating")
    assert await rated_data(ada, quest["id"]) == await typed_data(ada, quest["id"])
    assert (await rated_data(ada, quest["id"], rating=3))["message"]["comments"] == ""


async def test_without_a_signature_nothing_is_covered(ada: Person, bob: Person) -> None:
    quest = await submitted(ada, bob)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    assert await covered(bob, quest["id"]) == {"signer": None, "signatureCovers": None}


async def test_forged_and_replayed_signatures_are_refused(
    ada: Person, bob: Person, table: Gateway
) -> None:
    wallet = await wallet_of(ada)
    other: LocalAccount = Account.create()
    elsewhere = await submitted(ada, bob)
    quest = await submitted(ada, bob)
    data = await typed_data(ada, quest["id"])
    good = signed(wallet, data)
    domain, message = data["domain"], data["message"]
    wrong = {
        "forged": signed(other, data),
        "another quest": signed(wallet, await typed_data(ada, elsewhere["id"])),
        "another chain": signed(wallet, data | {"domain": domain | {"chainId": 5}}),
        "another contract": signed(
            wallet, data | {"domain": domain | {"verifyingContract": other.address}}
        ),
        "another role": signed(wallet, data | {"message": message | {"role": "PERFORMER"}}),
        "high s": mirrored(good),
        "cut off": good[:-2],
        "not hex": "0x" + "z" * 130,
        "empty": "",
        "r is zero": "0x" + "00" * 32 + good[66:],
        "r is too large": "0x" + "ff" * 32 + good[66:],
        "plain text": signed_text(wallet, json.dumps(data)),
    }
    before = await stored(table, quest["id"])
    for what, signature in wrong.items():
        found = await code(ada, "attestQuest", questId=quest["id"], rating=5, signature=signature)
        assert found == "BAD_SIGNATURE", what
    assert await stored(table, quest["id"]) == before
    assert (await stats(bob))["experiencePoints"] == 0
    await do(ada, "attestQuest", questId=quest["id"], rating=5, signature=good)


async def test_a_signature_is_for_one_submission(ada: Person, bob: Person) -> None:
    wallet = await wallet_of(ada)
    quest = await submitted(ada, bob)
    old = signed(wallet, await typed_data(ada, quest["id"]))
    await do(ada, "requestChanges", questId=quest["id"])
    await do(bob, "submitQuest", questId=quest["id"], submission="Something else")
    found = await code(ada, "attestQuest", questId=quest["id"], rating=5, signature=old)
    assert found == "BAD_SIGNATURE"
    new = signed(wallet, await typed_data(ada, quest["id"]))
    await do(ada, "attestQuest", questId=quest["id"], rating=5, signature=new)


async def test_signing_needs_a_proven_address(ada: Person, bob: Person, cleo: Person) -> None:
    quest = await submitted(ada, bob)
    assert (await ada.refused(TYPED, id=quest["id"])).code == "NO_WALLET_ADDRESS"
    sent = {"questId": quest["id"], "rating": 5, "signature": "0x" + "11" * 65}
    assert (await refused(ada, "attestQuest", **sent)).code == "NO_WALLET_ADDRESS"
    assert (await cleo.refused(TYPED, id=quest["id"])).code == "FORBIDDEN"
    assert (await bob.refused(TYPED, id=quest["id"])).code == "FORBIDDEN", "not a dual quest"
    assert await ada.gql(TYPED, id="nope") == {"attestationTypedData": None}
    assert (await ada.refused(TYPED, id=(await create(ada))["id"])).code == "QUEST_STATUS"


async def test_a_performer_signs_as_performer(ada: Person, bob: Person) -> None:
    quest = await submitted(ada, bob, dualAttestation=True)
    wallet = await wallet_of(bob)
    data = await typed_data(bob, quest["id"])
    assert data["message"]["role"] == "PERFORMER"
    signature = signed(wallet, data)
    half = await do(bob, "attestQuest", questId=quest["id"], rating=5, signature=signature)
    assert half["attestations"][0]["signature"] == signature


async def test_recorded_on_chain_once(
    ada: Person, bob: Person, cleo: Person, judge: Person
) -> None:
    quest = await submitted(ada, bob)
    tx = "0x" + "ab" * 32
    sent: dict[str, object] = {"questId": quest["id"], "transactionHash": tx}
    assert await code(ada, "recordOnChain", **sent) == "NOT_FOUND"
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    for wrong in ("", "0x12", "ab" * 32):
        assert (
            await code(ada, "recordOnChain", **(sent | {"transactionHash": wrong})) == "BAD_INPUT"
        )
    assert await code(cleo, "recordOnChain", **sent) == "NOT_FOUND"
    assert await code(cleo, "recordOnChain", **sent, attesterId=ada.id) == "FORBIDDEN"
    contract = "0x" + "0" * 39 + "1"
    recorded = await do(
        ada, "recordOnChain", **sent, blockNumber=19, contractAddress=contract, tokenId="7" * 60
    )
    (attestation,) = recorded["attestations"]
    assert attestation["onChain"] is True
    assert attestation["transactionHash"] == tx
    assert (attestation["blockNumber"], attestation["contractAddress"]) == (19, contract)
    assert attestation["tokenId"] == "7" * 60
    other = sent | {"transactionHash": "0x" + "cd" * 32}
    assert await code(ada, "recordOnChain", **other) == "CONFLICT"
    assert await code(judge, "recordOnChain", **other, attesterId=ada.id) == "CONFLICT"
    assert (await get(bob, quest["id"]))["status"] == "COMPLETE"


async def test_the_nickname_of_that_time_stays(ada: Person, bob: Person) -> None:
    quest = await submitted(ada, bob)
    await do(ada, "attestQuest", questId=quest["id"], rating=5)
    rename = "mutation ($input: UpdateProfileInput!) { updateProfile(input: $input) { nickname } }"
    await ada.gql(rename, input={"nickname": f"new{ada.nickname}"})
    assert (await get(bob, quest["id"]))["attestations"][0]["attesterUsername"] == ada.nickname


def test_a_known_signature() -> None:
    """The key and the address of EIP-155's example."""
    wallet = Account.from_key("0x" + "46" * 32)
    assert wallet.address == "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"
    assert signer_of_text("hello", signed_text(wallet, "hello")) == wallet.address
    assert signer_of_text("hullo", signed_text(wallet, "hello")) != wallet.address
