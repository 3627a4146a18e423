"""How long somebody waits who got a password or a code wrong: each mistake doubles the wait.

The counts are in the database, so that all servers count together. Addresses get many mistakes for
free, because a whole school may share one; an account gets few.
"""

import hashlib
import math
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.store.people_queries import Tries, find_tries, forget_tries, keep_tries, lock_tries

LONGEST = timedelta(minutes=15)
FORGOTTEN = timedelta(hours=24)
"""A count that has not grown for so long begins anew."""


class Allowance(NamedTuple):
    """What is counted, how many mistakes are free, the longest wait, and what is said then."""

    kind: str
    free: int
    longest: timedelta = LONGEST
    refusal: str = "Too many wrong passwords for this {kind} ({failures})"
    hint: str = "Try again in {wait}."


ADDRESS = Allowance("address", 50)
ACCOUNT = Allowance("account", 5)


class TooManySignIns(PaigeError):
    """Someone is guessing, or has forgotten; `retry_after` are the seconds to wait."""

    status = 429
    code = "too_many_tries"

    def __init__(self, message: str, *, hint: str, retry_after: int) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after


def wait_after(failures: int, what: Allowance) -> timedelta:
    """How long to wait after so many mistakes in a row."""
    beyond = failures - what.free
    if beyond < 0:
        return timedelta()
    return min(what.longest, timedelta(seconds=2.0 ** min(beyond, 20)))


def one_more(before: Tries | None, what: Allowance, *, now: datetime) -> Tries:
    """The count after another mistake."""
    stale = before is None or now - before.last_at >= FORGOTTEN
    failures = 1 if stale or before is None else before.failures + 1
    return Tries(failures, now, now + wait_after(failures, what))


def count_try(
    connection: Connection, actor: Actor, what: Allowance, whose: str, *, now: datetime
) -> None:
    """Count a try as wrong until it is known to be right. Raises: TooManySignIns."""
    id = tries_id(what, whose)
    lock_tries(connection, actor, id)
    before = find_tries(connection, actor, id)
    _refuse_while(before, what, now=now)
    keep_tries(connection, actor, id, one_more(before, what, now=now))


def check_tries(
    connection: Connection, actor: Actor, what: Allowance, whose: str, *, now: datetime
) -> None:
    """Whether another try is taken now. Raises: TooManySignIns."""
    _refuse_while(find_tries(connection, actor, tries_id(what, whose)), what, now=now)


def clear_tries(connection: Connection, actor: Actor, what: Allowance, whose: str) -> None:
    """Forget the mistakes: somebody knew the password."""
    forget_tries(connection, actor, tries_id(what, whose))


def _refuse_while(tries: Tries | None, what: Allowance, *, now: datetime) -> None:
    if tries is None or tries.until <= now:
        return
    seconds = math.ceil((tries.until - now).total_seconds())
    raise TooManySignIns(
        what.refusal.format(kind=what.kind, failures=tries.failures),
        hint=what.hint.format(wait=_spoken(seconds)),
        retry_after=seconds,
    )


def _spoken(seconds: int) -> str:
    if seconds < 120:
        return "1 second" if seconds == 1 else f"{seconds} seconds"
    return f"{math.ceil(seconds / 60)} minutes"


def tries_id(what: Allowance, whose: str) -> str:
    """The name of a count."""
    # Addresses are kept as hashes only: they tell where people are.
    return hashlib.sha256(f"{what.kind}\0{whose}".encode("utf-8", "replace")).hexdigest()
