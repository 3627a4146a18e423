"""The passcode: argon2 in memory, a signed cookie for browsers, a bearer for programs.

Checking argon2 takes tens of milliseconds on purpose, so a bearer that was right once is remembered
by a keyed hash. The cookie is signed with a key kept in the data folder and the passcode: it
survives a restart and ends when the passcode changes.
"""

import hmac
import secrets
from collections import deque
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from paige.base.errors import BadInput, PaigeError
from paige.base.files import write_atomic

if TYPE_CHECKING:
    from argon2 import PasswordHasher

COOKIE = "paige_session"
CSRF_HEADER = "x-paige-csrf"
COOKIE_DAYS = 30
TRIES = 10
TRIES_WINDOW = timedelta(minutes=1)
REMEMBERED = 256
KEY_BYTES = 32
PASSES = 3
MEMORY_KIB = 65_536
LANES = 4
"""Argon2id as RFC 9106 wants it where memory is not plenty."""


class WrongPasscode(PaigeError):
    """The passcode is missing or wrong."""

    status = 401
    code = "sign_in"


class TooManyTries(PaigeError):
    """Someone is guessing."""

    status = 429
    code = "too_many_tries"


class Passcode:
    """Checks passcodes and cookies against one secret."""

    def __init__(self, secret: str, *, key: bytes) -> None:
        from argon2 import extract_parameters  # noqa: PLC0415 - as in `_hasher`
        from argon2.exceptions import InvalidHashError  # noqa: PLC0415

        self._hasher = _hasher()
        self._hash = secret if secret.startswith("$argon2") else self._hasher.hash(secret)
        try:
            extract_parameters(self._hash)
        except InvalidHashError as error:
            raise BadInput("`PAIGE_PASSCODE` is not a whole argon2 hash") from error
        self._key = hmac.digest(key, secret.encode(), "sha256")
        self._right: deque[bytes] = deque(maxlen=REMEMBERED)
        self._failures: deque[datetime] = deque(maxlen=TRIES)

    def check(self, given: str, *, now: datetime) -> None:
        """Check a passcode. Raises: WrongPasscode, TooManyTries."""
        digest = hmac.digest(self._key, given.encode(), "sha256")
        if any(hmac.compare_digest(digest, known) for known in self._right):
            return
        if len(self._failures) == TRIES and now - self._failures[0] < TRIES_WINDOW:
            raise TooManyTries("Too many wrong passcodes", hint="Wait a minute and try again.")
        if not self._verify(given):
            self._failures.append(now)
            raise WrongPasscode("The passcode is wrong", hint="Ask whoever set `PAIGE_PASSCODE`.")
        self._right.append(digest)

    def new_cookie(self, *, now: datetime) -> str:
        """A cookie that says its bearer knew the passcode."""
        body = f"{int(now.timestamp())}.{secrets.token_urlsafe(16)}"
        return f"{body}.{self._sign(body)}"

    def accepts_cookie(self, cookie: str, *, now: datetime) -> bool:
        """Whether a cookie is ours and not too old."""
        body, _, signature = cookie.rpartition(".")
        issued = body.partition(".")[0]
        if not issued.isdecimal() or not _same(signature, self._sign(body)):
            return False
        return now.timestamp() - int(issued) < COOKIE_DAYS * 86400

    def csrf_of(self, cookie: str) -> str:
        """The token that must come with unsafe requests made with a cookie."""
        return self._sign(f"csrf:{cookie}")

    def _sign(self, text: str) -> str:
        return hmac.digest(self._key, text.encode(), "sha256").hex()

    def _verify(self, given: str) -> bool:
        from argon2.exceptions import VerificationError  # noqa: PLC0415 - as in `_hasher`

        try:
            return self._hasher.verify(self._hash, given)
        except VerificationError:
            return False


def _same(given: str, right: str) -> bool:
    # As bytes: of texts it compares only those that are ASCII, and anybody may send others.
    return hmac.compare_digest(given.encode(errors="surrogatepass"), right.encode())


def cookie_key(data_dir: Path) -> bytes:
    """The key that signs cookies, made on first use and readable by its owner only."""
    path = data_dir / "cookie.key"
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        key = b""
    if len(key) != KEY_BYTES:
        key = secrets.token_bytes(KEY_BYTES)
        write_atomic(path, key, mode=0o600)
    return key


def hash_passcode(passcode: str) -> str:
    """The argon2 hash to put into `PAIGE_PASSCODE`, so that no file holds the passcode itself."""
    return _hasher().hash(passcode)


def _hasher() -> "PasswordHasher":
    # argon2 is a compiled library; a server without a passcode never loads it.
    from argon2 import PasswordHasher  # noqa: PLC0415

    return PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=LANES)
