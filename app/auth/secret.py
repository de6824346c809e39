"""One secret, kept; every key of the server is derived from it by purpose."""

import os
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class Secret:
    def __init__(self, master: bytes) -> None:
        self._master = master

    @classmethod
    def kept_in(cls, data_dir: Path) -> "Secret":
        """Made at the first start. Created exclusively, so that two first starts agree on one."""
        path = data_dir / "secret.key"
        data_dir.mkdir(parents=True, exist_ok=True)
        draft = data_dir / f"secret.{os.getpid()}"
        draft.touch(mode=0o600)
        draft.write_text(os.urandom(32).hex())
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        return cls(path.read_bytes())

    def derive(self, purpose: str, length: int = 32) -> bytes:
        return HKDF(SHA256(), length, salt=None, info=purpose.encode()).derive(self._master)

    def signing_key(self) -> ec.EllipticCurvePrivateKey:
        number = int.from_bytes(self.derive("access tokens", 48), "big")
        return ec.derive_private_key(number % (P256_ORDER - 1) + 1, ec.SECP256R1())
