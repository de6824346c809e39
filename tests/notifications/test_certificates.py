"""A webhook goes to a number, but the far side must prove to be the name: by real TLS."""

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from app.domains.notifications.courier.webhook import post
from app.domains.notifications.rules.sending import Result
from tests.far_side import FarSide

HOST = "hooks.example.com"


def certificate(folder: Path, name: str) -> Path:
    """Self-signed, for one name, with its key in the same file."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(hours=1))
        .not_valid_after(now + timedelta(hours=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    path.write_bytes(private + made.public_bytes(serialization.Encoding.PEM))
    return path


@contextmanager
def proving_to_be(pem: Path) -> Iterator[FarSide]:
    far_side = FarSide()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    server = far_side._server
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with far_side:
        yield far_side


@pytest.mark.parametrize(
    ("name", "result"), [(HOST, Result.SENT), ("other.example.com", Result.TRY_AGAIN)]
)
async def test_only_the_name_itself_receives_it(tmp_path: Path, name: str, result: Result) -> None:
    pem = certificate(tmp_path, name)

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    trusting = ssl.create_default_context(cafile=str(pem))
    with proving_to_be(pem) as far_side:
        parts = urlsplit(f"https://{HOST}:{far_side.port}/in/x")
        async with httpx.AsyncClient(verify=trusting, trust_env=False) as http:
            found = await post(http, parts, {"title": "t"}, resolve=resolve, insecure=True)
        assert found.result is result
        assert len(far_side.at("/in/x")) == (result is Result.SENT)
