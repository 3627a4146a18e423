"""Passwords: what is taken for one, and how its hash is made and checked.

Everything about argon2 is in this file. A hash made with other parameters is made anew when its
owner next signs in, so changing them here is enough.
"""

import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from paige.base.errors import BadInput

if TYPE_CHECKING:
    from argon2 import PasswordHasher

LEAST = 10
MOST = 1024
"""Far above what anybody types; it only bounds the work of hashing."""
PASSES = 2
MEMORY_KIB = 47_104
LANES = 1
"""Argon2id with 46 MiB: OWASP's floor for one pass, and Paige makes two."""

# The commonest that are long enough; shorter ones are refused by their length.
_COMMON = """
0123456789 0987654321 1111111111 1122334455 1212121212 123123123123 1234512345 123456123456
12345678910 123456789a 1234567890 12345678901 123456789012 1234567899 123456789q 1234qwerasdf
1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qazxsw23edc 2wsx3edc4rfv 9876543210 987654321a aaaaaaaaaa
abc1234567 abcd123456 abcd1234567 abcdefghij administrator adminadmin admin12345 alexander1
asdfasdfasdf asdfghjkl1 asdfghjkl; asdfghjkl123 azertyuiop basketball changeme123 charlie123
christopher computer123 football12 football123 hello12345 helloworld iloveyou12 iloveyou123
internet123 jennifer12 jordan1234 letmein1234 letmein123 liverpool1 love123456 manchester
mastermind michael123 michelle12 monkey1234 motdepasse motdepasse1 passw0rd123 password01
password10 password11 password12 password123 password1234 password12345 password2024
password2025 password2026 passwordpassword princess12 princess123 q1w2e3r4t5 q1w2e3r4t5y6
qazwsxedc1 qazwsxedcrfv qwer123456 qwerasdfzxcv qwerty1234 qwerty12345 qwerty123456
qwerty1234567 qwertyqwerty qwertyuiop qwertyuiop1 qwertyuiop123 schule1234 school1234 secret1234
something1 spiderman1 sunshine12 sunshine123 superman12 superman123 teacher123 test123456
testtest12 testtesttest trustno1234 unknown123 university welcome123 welcome1234 whatever12
zaq12wsxcde3 zxcvbnm123 zxcvbnm1234
"""
COMMON = frozenset(_COMMON.split())


def check_password(password: str, *, names: tuple[str, ...] = ()) -> None:
    """Refuse what is guessed first; `names` are the owner's. Raises: BadInput."""
    plain = _plain(password)
    if len(plain) < LEAST:
        raise BadInput(
            f"The password has {len(plain)} characters; it needs {LEAST}",
            hint="Four words that do not belong together are good.",
        )
    if len(plain) > MOST:
        raise BadInput(f"The password has more than {MOST} characters")
    folded = plain.casefold()
    own = {name.casefold() for name in names if name}
    if folded in COMMON or folded in own or len(set(folded)) == 1:
        raise BadInput(
            "The password is one of the first that anybody would guess",
            hint="Four words that do not belong together are good.",
        )


def hash_password(password: str) -> str:
    """The hash that is kept; it takes a while, so it is made in a thread."""
    return _hasher().hash(_plain(password))


def matches(kept: str | None, password: str) -> bool:
    """Whether a password is the one of a hash; without a hash it takes just as long to say no."""
    from argon2.exceptions import InvalidHashError, VerificationError  # noqa: PLC0415 - compiled

    try:
        right = _hasher().verify(kept or _nobody(), _plain(password))
    except (VerificationError, InvalidHashError):
        return False
    return right and kept is not None


def is_dated(kept: str) -> bool:
    """Whether a hash was made with other parameters than those of today."""
    return _hasher().check_needs_rehash(kept)


def _plain(password: str) -> str:
    # The same letters typed on another keyboard may be other code points.
    try:
        password.encode()
    except UnicodeEncodeError as error:  # JSON can bring half of a character
        raise BadInput("The password is not Unicode text") from error
    return unicodedata.normalize("NFKC", password)


@lru_cache(maxsize=1)
def _hasher() -> "PasswordHasher":
    from argon2 import PasswordHasher  # noqa: PLC0415 - a compiled library, not for every start

    return PasswordHasher(time_cost=PASSES, memory_cost=MEMORY_KIB, parallelism=LANES)


@lru_cache(maxsize=1)
def _nobody() -> str:
    return hash_password("nobody's password")
