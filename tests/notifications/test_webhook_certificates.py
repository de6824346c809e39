"""A webhook connects to an IP address, but checks the certificate for the host name: real TLS."""

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

from app.domains.notifications.rules.sending import SendResult
from app.domains.notifications.transports.webhook import send_to_webhook
from tests.remote_servers import RemoteServer

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
def serving_with(pem: Path) -> Iterator[RemoteServer]:
    remote_server = RemoteServer()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)
    server = remote_server._server
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with remote_server:
        yield remote_server


@pytest.mark.parametrize(
    ("name", "result"), [(HOST, SendResult.SENT), ("other.example.com", SendResult.TRY_AGAIN)]
)
async def test_only_a_server_with_the_right_certificate_receives_it(
    tmp_path: Path, name: str, result: SendResult
) -> None:
    pem = certificate(tmp_path, name)

    async def resolve(host: str, port: int) -> list[str]:
        return ["127.0.0.1"]

    trusting = ssl.create_default_context(cafile=str(pem))
    with serving_with(pem) as remote_server:
        parts = urlsplit(f"https://{HOST}:{remote_server.port}/in/x")
        async with httpx.AsyncClient(verify=trusting, trust_env=False) as http:
            found = await send_to_webhook(
                http, parts, {"title": "t"}, resolve=resolve, insecure=True
            )
        assert found.result is result
        assert len(remote_server.at("/in/x")) == (result is SendResult.SENT)
