"""What somebody with a token may do: see one worksheet, and answer it.

A token opens its own worksheet and nothing else. Wrong tokens are counted by the address they come
from, in the database, so that all servers count together; who guesses waits. Waits are short,
because a school shares an address and a token has more than forty bits.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Connection

from paige.app.application import App
from paige.app.tries import FORGOTTEN, Allowance, tries_id
from paige.base.actor import Actor
from paige.base.errors import NotFound, PaigeError
from paige.exercise.worksheet.values import Worksheet
from paige.plan import handout_queries as queries
from paige.plan.handout_making import worksheet_of_handout
from paige.plan.handouts import changed_meanwhile, check_answers, check_open, read_token
from paige.store.acting import by_system
from paige.store.tries_queries import Tries, find_tries, keep_tries, lock_tries

GUESSES = Allowance("answer address", 100)
LONGEST_WAIT = timedelta(minutes=1)


class TooManyTokens(PaigeError):
    """Someone is guessing tokens; `retry_after` are the seconds to wait."""

    status = 429
    code = "too_many_tries"

    def __init__(self, retry_after: int) -> None:
        super().__init__(
            "Too many wrong codes from here",
            hint=f"Check the letters on your strip and try again in {retry_after} seconds.",
        )
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class OpenSheet:
    """A worksheet as its token opens it; what it holds of the key stays on the server."""

    held: queries.Held
    worksheet: Worksheet
    open: bool


@dataclass(frozen=True, slots=True)
class AnswersGiven:
    """Answers made from a version, to be kept as a draft or handed in."""

    answers: Mapping[str, Iterable[str]]
    version: int
    hand_in: bool


async def open_sheet(app: App, token: str, address: str) -> OpenSheet:
    """The worksheet of a token. Raises: NotFound, TooManyTokens."""
    held = await _held(app, token, address)
    return OpenSheet(held, worksheet_of_handout(held.handout), held.handout.is_open(app.now()))


async def save_answers(app: App, token: str, given: AnswersGiven, address: str) -> OpenSheet:
    """Keep answers under a token.

    Raises: NotFound, TooManyTokens, BadInput, Refused when it is closed, Conflict when another
    device has written since.
    """
    held = await _held(app, token, address)
    worksheet = worksheet_of_handout(held.handout)
    check_open(held.handout, app.now())
    answers = check_answers(worksheet, given.answers)
    writing = queries.Writing(held.row.token, given.version, answers, given.hand_in)
    stored = await app.database.write_durably(_write, held.owner, writing, app.now())
    return OpenSheet(stored, worksheet, stored.handout.is_open(app.now()))


async def _held(app: App, text: str, address: str) -> queries.Held:
    now = app.now()
    await app.database.read(_check_guesses, address, now)
    token = read_token(text)
    held = None if token is None else await app.database.read(queries.find_held, token)
    if held is None:
        await app.database.write_quietly(_count_guess, address, now)
        raise NotFound(
            "There is no worksheet under this code",
            hint="Check the letters on your strip: three groups of three.",
        )
    return held


def _write(
    connection: Connection, owner: Actor, writing: queries.Writing, now: datetime
) -> queries.Held:
    """Store in one transaction with the look whether it is still open."""
    found = queries.find_held(connection, writing.token)
    if found is None:
        raise NotFound("There is no worksheet under this code")
    check_open(found.handout, now)
    row = queries.write_answers(connection, owner, writing, "web", now=now)
    if row is None:
        raise changed_meanwhile(found.row.version)
    return found._replace(row=row)


@by_system
def _check_guesses(connection: Connection, address: str, now: datetime) -> None:
    before = find_tries(connection, Actor(), tries_id(GUESSES, address))
    if before is not None and before.until > now:
        raise TooManyTokens(math.ceil((before.until - now).total_seconds()))


@by_system
def _count_guess(connection: Connection, address: str, now: datetime) -> None:
    id = tries_id(GUESSES, address)
    lock_tries(connection, Actor(), id)
    keep_tries(connection, Actor(), id, _one_more(find_tries(connection, Actor(), id), now))


def _one_more(before: Tries | None, now: datetime) -> Tries:
    stale = before is None or now - before.last_at >= FORGOTTEN
    failures = 1 if stale or before is None else before.failures + 1
    beyond = failures - GUESSES.free
    wait = timedelta() if beyond < 0 else timedelta(seconds=2.0 ** min(beyond, 10))
    return Tries(failures, now, now + min(LONGEST_WAIT, wait))
