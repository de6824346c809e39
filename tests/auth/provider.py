"""An identity provider on loopback: publishes its keys, counts who asks, can be down."""

import base64
import hashlib
import hmac
import json
import threading
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import EllipsisType
from typing import Any, Self
from uuid import uuid4

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from jwt.algorithms import ECAlgorithm, RSAAlgorithm

from app.core.clock import epoch_seconds

CLIENT = "web-client"
DISCOVERY = "/.well-known/openid-configuration"
KEYS = "/keys"


@dataclass(frozen=True)
class SigningKey:
    id: str
    private: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey

    @property
    def algorithm(self) -> str:
        return "RS256" if isinstance(self.private, rsa.RSAPrivateKey) else "ES256"

    def published(self) -> dict[str, Any]:
        if isinstance(self.private, rsa.RSAPrivateKey):
            key = RSAAlgorithm.to_jwk(self.private.public_key(), as_dict=True)
        else:
            key = ECAlgorithm.to_jwk(self.private.public_key(), as_dict=True)
        return key | {"kid": self.id, "alg": self.algorithm, "use": "sig"}

    def public_text(self) -> bytes:
        public = self.private.public_key()
        return public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)


@cache
def rsa_key(name: str) -> SigningKey:
    return SigningKey(name, rsa.generate_private_key(public_exponent=65537, key_size=2048))


@cache
def ec_key(name: str) -> SigningKey:
    return SigningKey(name, ec.generate_private_key(ec.SECP256R1()))


class Provider:
    def __init__(self) -> None:
        self.keys = [rsa_key("rsa"), ec_key("ec")]
        self.asked: Counter[str] = Counter()
        self.is_down = False
        # What it says instead of a key set.
        self.says: object = None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def token(
        self, now: datetime, *, key: SigningKey | None = None, **claims: object | EllipsisType
    ) -> str:
        """A good token, except for the given claims; ... leaves one out."""
        return self.token_with({}, now, key=key, **claims)

    def token_with(
        self,
        headers: dict[str, Any],
        now: datetime,
        *,
        key: SigningKey | None = None,
        **claims: object | EllipsisType,
    ) -> str:
        key = key or self.keys[0]
        # PyJWT's own encode would refuse claims that are wrong on purpose.
        said = json.dumps(self.claims(now, **claims)).encode()
        return jwt.PyJWS().encode(
            said, key.private, key.algorithm, headers={"kid": key.id} | headers
        )

    def claims(self, now: datetime, **changes: object | EllipsisType) -> dict[str, Any]:
        usual = {
            "iss": self.url,
            "sub": uuid4().hex,
            "aud": CLIENT,
            "iat": epoch_seconds(now),
            "exp": epoch_seconds(now) + 3600,
        }
        return {name: each for name, each in (usual | changes).items() if each is not ...}

    def answer(self, path: str) -> object:
        if path == DISCOVERY:
            return {"issuer": self.url, "jwks_uri": f"{self.url}{KEYS}"}
        if self.says is not None:
            return self.says
        return {"keys": [key.published() for key in self.keys]}

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.asked[self.path] += 1
                body = json.dumps(provider.answer(self.path)).encode()
                self.send_response(503 if provider.is_down else 200)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Tests are quiet."""

        return Handler


def encoded(value: object) -> str:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def unsigned(header: object, claims: object, signature: bytes = b"") -> str:
    """Three parts as they stand: no library would write such a token."""
    return f"{encoded(header)}.{encoded(claims)}.{encoded(signature)}"


def signed_as_secret(header: object, claims: object, secret: bytes) -> str:
    """HS256, with a public key as if it were a shared secret."""
    text = f"{encoded(header)}.{encoded(claims)}"
    return f"{text}.{encoded(hmac.digest(secret, text.encode(), hashlib.sha256))}"
