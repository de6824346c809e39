"""A server for real clients: a process of its own that can be restarted, perhaps with TLS."""

import datetime
import ipaddress
import os
import ssl
from pathlib import Path

import httpx
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from app.settings import Settings
from tests.api import Api
from tests.web.processes import ServerProcess

IAM_KEY = "AKIDAMPLIFY:amplify-secret"


class ClientServer(ServerProcess):
    """`certificate`: the folder of cert.pem and key.pem."""

    def __init__(
        self, folder: Path, settings: Settings, certificate: Path | None = None, **more: str
    ) -> None:
        self.certificate = certificate
        tls = {}
        if certificate:
            tls = {
                "TLS_CERTIFICATE": str(certificate / "cert.pem"),
                "TLS_KEY": str(certificate / "key.pem"),
            }
        super().__init__(
            folder,
            ENDPOINT_URL=settings.endpoint_url or "",
            RATE_FACTOR="100000",
            DEMO="false",
            **tls,
            **more,
        )
        if certificate:
            self.url = self.url.replace("http://127.0.0.1", "https://localhost")
            self.trust = ssl.create_default_context(cafile=certificate / "cert.pem")

    def api(self) -> Api:
        api = Api(self.url)
        api.http = httpx.AsyncClient(base_url=self.url, timeout=30, verify=self.trust)
        return api

    def restart(self) -> None:
        self.stop()
        self.__enter__()

    def is_up(self) -> None:
        trust = self.trust if self.certificate else True
        httpx.get(f"{self.url}/health", verify=trust).raise_for_status()

    def environment_of_clients(self) -> dict[str, str]:
        kept = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
        if self.certificate:
            kept["NODE_EXTRA_CA_CERTS"] = str(self.certificate / "cert.pem")
        return kept


def self_signed(folder: Path) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=30))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, SHA256())
    )
    (folder / "cert.pem").write_bytes(certificate.public_bytes(Encoding.PEM))
    (folder / "key.pem").write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    )
    return folder
