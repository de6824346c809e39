"""The server's one stored secret. Every other key is derived from it, by purpose."""

import os
from contextlib import suppress
from pathlib import Path
from tempfile import NamedTemporaryFile

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from app.core.errors import OperatorError

SHORTEST = 32
P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class ServerSecret:
    def __init__(self, master: bytes) -> None:
        self._master = master

    @classmethod
    def load_or_create(cls, data_dir: Path) -> "ServerSecret":
        path = data_dir / "secret.key"
        if not path.exists():
            _create(path)
        master = path.read_bytes().strip()
        if len(master) < SHORTEST:
            raise OperatorError(
                f"{path} is damaged: restore a copy, or remove it to create a new one"
            )
        return cls(master)

    def derive(self, purpose: str, length: int = 32) -> bytes:
        return HKDF(SHA256(), length, salt=None, info=purpose.encode()).derive(self._master)

    def signing_key(self) -> ec.EllipticCurvePrivateKey:
        number = int.from_bytes(self.derive("access tokens", 48), "big")
        return ec.derive_private_key(number % (P256_ORDER - 1) + 1, ec.SECP256R1())


def _create(path: Path) -> None:
    """Linked into place when complete: two servers that start at once use one secret."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", dir=path.parent, prefix="secret.") as draft:
        draft.write(os.urandom(32).hex())
        draft.flush()
        os.fsync(draft.fileno())
        with suppress(FileExistsError):
            os.link(draft.name, path)
