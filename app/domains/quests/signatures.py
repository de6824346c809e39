"""Ethereum signatures: what is signed, and by whom it was."""

import re

from eth_account import Account
from eth_account.messages import SignableMessage, encode_defunct, encode_typed_data
from eth_keys.constants import SECPK1_N
from eth_keys.exceptions import BadSignature as Unrecoverable
from eth_utils.address import to_checksum_address
from eth_utils.exceptions import ValidationError

ADDRESS = re.compile(r"0x[0-9a-fA-F]{40}")
SIGNATURE = re.compile(r"0x[0-9a-fA-F]{130}")
TYPES = {
    "EIP712Domain": [
        {"name": "name", "type": "string"},
        {"name": "version", "type": "string"},
        {"name": "chainId", "type": "uint256"},
        {"name": "verifyingContract", "type": "address"},
    ],
    "Attestation": [
        {"name": "questId", "type": "string"},
        {"name": "role", "type": "string"},
        {"name": "attester", "type": "address"},
        {"name": "submittedAt", "type": "string"},
    ],
}


def attestation_data(
    *, chain_id: int, contract: str, quest_id: str, role: str, attester: str, submitted_at: str
) -> dict[str, object]:
    """It names the submission: after changes were requested, an old signature is worth nothing."""
    return {
        "types": TYPES,
        "primaryType": "Attestation",
        "domain": {
            "name": "Guildhall",
            "version": "1",
            "chainId": chain_id,
            "verifyingContract": to_checksum_address(contract),
        },
        "message": {
            "questId": quest_id,
            "role": role,
            "attester": attester,
            "submittedAt": submitted_at,
        },
    }


def signer_of_data(data: dict[str, object], signature: str) -> str | None:
    return _signer(encode_typed_data(full_message=data), signature)


def signer_of_text(text: str, signature: str) -> str | None:
    return _signer(encode_defunct(text=text), signature)


def checksum_address(address: str) -> str | None:
    """None if it is no address, or mixed letter case says that a digit was mistyped."""
    if not ADDRESS.fullmatch(address):
        return None
    checked: str = to_checksum_address(address)
    digits = address[2:]
    plain = digits in (digits.lower(), digits.upper())
    return checked if plain or address == checked else None


def _signer(message: SignableMessage, signature: str) -> str | None:
    """The address, with its checksum; None if it is no signature, or a mirrored one (high s)."""
    if not SIGNATURE.fullmatch(signature):
        return None
    raw = bytes.fromhex(signature[2:])
    if int.from_bytes(raw[32:64]) > SECPK1_N // 2 or raw[64] not in (27, 28):
        return None
    try:
        return str(Account.recover_message(message, signature=raw))
    except (Unrecoverable, ValidationError):
        return None
