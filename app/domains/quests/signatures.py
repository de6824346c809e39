"""Ethereum signatures: the data that is signed, and the address that signed it."""

import re
from collections.abc import Mapping

from eth_account import Account
from eth_account.messages import SignableMessage, encode_defunct, encode_typed_data
from eth_keys.constants import SECPK1_N
from eth_keys.exceptions import BadSignature as Unrecoverable
from eth_utils.address import to_checksum_address
from eth_utils.exceptions import ValidationError

ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")
SIGNATURE = re.compile(r"0x[0-9a-fA-F]{130}")
DOMAIN = {
    "name": "string",
    "version": "string",
    "chainId": "uint256",
    "verifyingContract": "address",
}
ATTESTATION = {
    "questId": "string",
    "role": "string",
    "attester": "address",
    "submittedAt": "string",
}
# A type name of its own: a signature of one type is none of the other.
RATED_ATTESTATION = ATTESTATION | {"rating": "uint8", "comments": "string"}


def attestation_data(
    message: Mapping[str, object], *, chain_id: int, contract: str
) -> dict[str, object]:
    """If the message has a rating, rating and comments are signed, too."""
    rated = "rating" in message
    kind = "RatedAttestation" if rated else "Attestation"
    return {
        "types": {
            "EIP712Domain": _members(DOMAIN),
            kind: _members(RATED_ATTESTATION if rated else ATTESTATION),
        },
        "primaryType": kind,
        "domain": {
            "name": "Guildhall",
            "version": "1",
            "chainId": chain_id,
            "verifyingContract": to_checksum_address(contract),
        },
        "message": dict(message),
    }


def _members(members: Mapping[str, str]) -> list[dict[str, str]]:
    return [{"name": name, "type": kind} for name, kind in members.items()]


def signer_of_data(data: dict[str, object], signature: str) -> str | None:
    return _signer(encode_typed_data(full_message=data), signature)


def signer_of_text(text: str, signature: str) -> str | None:
    return _signer(encode_defunct(text=text), signature)


def checksum_address(address: str) -> str | None:
    """None if it is no address, or has a wrong checksum (mixed letter case)."""
    if not ADDRESS.fullmatch(address):
        return None
    checked: str = to_checksum_address(address)
    digits = address[2:]
    plain = digits in (digits.lower(), digits.upper())
    return checked if plain or address == checked else None


def _signer(message: SignableMessage, signature: str) -> str | None:
    """The address with its checksum; None if it is no signature, or a malleable one (high s)."""
    if not SIGNATURE.fullmatch(signature):
        return None
    raw = bytes.fromhex(signature[2:])
    if int.from_bytes(raw[32:64]) > SECPK1_N // 2 or raw[64] not in (27, 28):
        return None
    try:
        return str(Account.recover_message(message, signature=raw))
    except (Unrecoverable, ValidationError):
        return None
