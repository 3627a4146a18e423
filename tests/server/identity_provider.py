"""A provider of identities on loopback that speaks the real wire: discovery, keys, tokens."""

import base64
import hashlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote_plus, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, RSAKey

CLIENT = "paige"
SECRET = "a secret + of/the client"


@dataclass
class IdentityProvider:
    """What it knows, and what a test makes it say."""

    address: str = ""
    now: datetime | None = None
    claims: dict[str, Any] = field(default_factory=dict)
    changes: dict[str, Any] = field(default_factory=dict)  # to what it would say, `None` leaves out
    header: dict[str, Any] = field(default_factory=dict)
    token: str | None = None  # instead of a right one
    keys: list[Any] = field(default_factory=list)  # published; the last one signs
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    metadata: dict[str, Any] = field(default_factory=dict)

    def rotate(self, *, algorithm: str = "RS256", publish: bool = True) -> None:
        """Sign with a new key from now on."""
        number = f"key-{len(self.asked)}-{len(self.keys)}"
        said: Any = {"kid": number, "use": "sig", "alg": algorithm}
        if algorithm == "ES256":
            key = ECKey.generate_key("P-256", said, private=True)
        else:
            key = RSAKey.import_key(_first_key() if not self.keys else _rsa_key(), said)
        self.keys = [key] if publish else [*self.keys, key]

    def agree(self, address: str) -> str:
        """What a browser does where the person says yes: the address it is sent back to."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        assert "openid" in query["scope"].split()
        code = f"code-{len(self.codes)}"
        self.codes[code] = query
        back = urlencode({"code": code, "state": query["state"]})
        return f"{query['redirect_uri']}?{back}"

    def discovery(self) -> dict[str, Any]:
        said = {
            "issuer": self.address,
            "authorization_endpoint": f"{self.address}/authorize",
            "token_endpoint": f"{self.address}/token",
            "jwks_uri": f"{self.address}/keys",
            "id_token_signing_alg_values_supported": ["RS256", "ES256", "none", "HS256"],
            "token_endpoint_auth_methods_supported": ["client_secret_basic"],
        }
        return {**said, **self.metadata}

    def published(self) -> dict[str, Any]:
        return {"keys": [key.as_dict(private=False) for key in self.keys]}

    def trade(self, form: dict[str, str], authorization: str) -> tuple[int, dict[str, Any]]:
        """A code for a token, checked as a provider does."""
        given = self.codes.pop(form.get("code", ""), None)
        right = base64.b64encode(f"{CLIENT}:{quote_plus(SECRET)}".encode()).decode()
        verifier = form.get("code_verifier", "")
        hashed = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest())
        problems = [
            name
            for name, bad in (
                ("code", given is None),
                ("client", authorization != f"Basic {right}"),
                ("verifier", given and given["code_challenge"] != hashed.rstrip(b"=").decode()),
                ("redirect", given and given["redirect_uri"] != form.get("redirect_uri")),
            )
            if bad
        ]
        if problems or given is None:
            self.refused += problems
            return 400, {"error": "invalid_grant"}
        return 200, {"id_token": self.token or self.signed(given["nonce"]), "token_type": "Bearer"}

    def signed(self, nonce: str) -> str:
        assert self.now is not None
        at = int(self.now.timestamp())
        said = {"iss": self.address, "aud": CLIENT, "iat": at, "exp": at + 300, "nonce": nonce}
        whole = {**said, **self.claims, **self.changes}
        claims = {name: value for name, value in whole.items() if value is not None}
        key = self.keys[-1]
        header = {"alg": "ES256" if key.key_type == "EC" else "RS256", "kid": key.kid}
        return jwt.encode({**header, **self.header}, claims, key)


def _rsa_key() -> Any:
    return RSAKey.generate_key(2048, private=True).as_dict(private=True)


@cache
def _first_key() -> Any:
    """What every provider begins with: making one takes a while, and one is as good as another."""
    return _rsa_key()


@contextmanager
def identity_provider(now: datetime) -> Iterator[IdentityProvider]:
    """A running provider."""
    provider = IdentityProvider(now=now)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            provider.asked.append(self.path)
            if self.path == "/.well-known/openid-configuration":
                self.answer(200, provider.discovery())
            elif self.path == "/keys":
                self.answer(200, provider.published())
            else:
                self.answer(404, {})

        def do_POST(self) -> None:
            provider.asked.append(self.path)
            length = int(self.headers["content-length"])
            form = {
                name: values[0]
                for name, values in parse_qs(self.rfile.read(length).decode()).items()
            }
            self.answer(*provider.trade(form, self.headers.get("authorization", "")))

        def answer(self, status: int, body: dict[str, Any]) -> None:
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *arguments: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    provider.rotate()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
