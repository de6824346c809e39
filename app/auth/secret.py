"""One secret, kept; every key of the server is derived from it by purpose."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SHORTEST = 32
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class Secret:
    def __init__(self, master: bytes) -> None:
        self._master = master

    @classmethod
    def kept_in(cls, data_dir: Path) -> "Secret":
        path = data_dir / "secret.key"
        if not path.exists():
            _make(path)
        master = path.read_bytes().strip()
        if len(master) < SHORTEST:
            raise ValueError(f"{path} is damaged: bring back a copy, or remove it for a new secret")
        return cls(master)

    def derive(self, purpose: str, length: int = 32) -> bytes:
        return HKDF(SHA256(), length, salt=None, info=purpose.encode()).derive(self._master)

    def signing_key(self) -> ec.EllipticCurvePrivateKey:
        number = int.from_bytes(self.derive("access tokens", 48), "big")
        return ec.derive_private_key(number % (P256_ORDER - 1) + 1, ec.SECP256R1())


def _make(path: Path) -> None:
    """Linked into place when complete, so that two first starts agree on one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=path.parent, prefix="secret.") as draft:
        draft.write(os.urandom(32).hex())
        draft.flush()
        os.fsync(draft.fileno())
        with suppress(FileExistsError):
            os.link(draft.name, path)
