"""A class's answers to a worksheet: handing out, taking in, counting, keeping for the next lesson.

Most is done for the teacher whose class it is. Answers carry no name; what is remembered of them
are counts, proposed like every memory and kept when a person says so.

A pupil's token opens its own worksheet and nothing else. Wrong tokens are counted by the address
they come from; who guesses waits. Waits are short, because a school shares an address and a token
has more than forty bits.
"""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Annotated

from anyio.to_thread import run_sync
from pydantic import Field
from sqlalchemy import Connection

from paige.app.accounts.login_throttle import Allowance, check_tries, count_try
from paige.app.application import App
from paige.app.places import workspace_documents
from paige.app.plan_proposals import PlanProposal, Proposals
from paige.base.actor import Actor
from paige.base.errors import BadInput, Conflict, NotFound
from paige.base.wire import wire
from paige.language.names.gate import NameGate
from paige.memory.documents import captures
from paige.memory.documents.projection import identity
from paige.memory.documents.records import entry_of
from paige.plan.handout import queries as queries
from paige.plan.handout.counts import Counts, count, errors_of
from paige.plan.handout.files import FileProblem, ReadFile, read_files
from paige.plan.handout.issue import (
    AnswerSheet,
    NewHandout,
    Random,
    make_handout,
    sheet_of,
    worksheet_of_handout,
)
from paige.plan.handout.notes import notes_of
from paige.plan.handout.values import (
    AnswerRow,
    ClassError,
    Handout,
    changed_meanwhile,
    check_answers,
    check_open,
    check_reopening,
    closing_time,
    read_token,
)
from paige.plan.workspace import read_classes
from paige.store.row_security import by_system

__all__ = ["ClassError", "wrong_answers"]
GUESSES = Allowance(
    "answer address",
    free=100,
    longest=timedelta(minutes=1),
    refusal="Too many wrong codes from here",
    hint="Check the letters on your strip and try again in {wait}.",
)
MOST_QUESTIONS = 200
Part = Annotated[str, Field(max_length=2000)]
AGAIN_DAYS = 1
"""So long a handout stays open that was opened again after its time."""


@dataclass(frozen=True, slots=True)
class SeenHandout:
    """A handout as its teacher sees it; codes and answers are never shown together."""

    handout: Handout
    open: bool
    tokens: tuple[str, ...]
    counts: Counts


@dataclass(frozen=True, slots=True)
class AnswersIntake:
    """What came of reading a folder: how many files count now, and what is wrong with which."""

    taken: int
    problems: tuple[FileProblem, ...]


async def hand_out(
    app: App, asked: NewHandout, *, random: Random = secrets.token_bytes
) -> SeenHandout:
    """Hand a worksheet out to a class. Raises: BadInput, NotFound for a class without a profile."""
    known = await run_sync(partial(_known_class, app, asked.class_id))
    make = partial(make_handout, replace(asked, class_id=known), now=app.now(), random=random)
    handout, tokens = await run_sync(make)
    await app.database.write(queries.insert_handout, app.actor, handout, tokens)
    return SeenHandout(handout, True, tokens, Counts(len(tokens), 0, 0.0))


async def list_handouts(
    app: App, class_id: str | None = None
) -> list[tuple[Handout, queries.Tally]]:
    """The handouts of a teacher, newest first."""
    return await app.database.read(queries.list_handouts, app.actor, class_id)


async def look(app: App, id: str) -> SeenHandout:
    """A handout with what came back. Raises: NotFound."""
    handout, rows = await app.database.read(_read, app.actor, id)
    counts = await run_sync(count, worksheet_of_handout(handout), rows)
    tokens = tuple(each.token for each in rows if not each.token.startswith("file-"))
    return SeenHandout(handout, handout.is_open(app.now()), tokens, counts)


async def take_files(app: App, id: str, folder: Path, *, again: bool = False) -> AnswersIntake:
    """Take a folder of filled-in worksheets; `again` also over what came over the web.

    Raises: NotFound, BadInput, Conflict when its figures were handed to memory.
    """
    handout, rows = await app.database.read(_read, app.actor, id)
    check_reopening(handout)
    tokens = [each.token for each in rows if not each.token.startswith("file-")]
    read, problems = await run_sync(
        read_files, handout, worksheet_of_handout(handout), folder, tokens
    )
    store = partial(_store, again=again)
    taken, refused = await app.database.write_durably(store, app, handout, read)
    return AnswersIntake(taken, (*problems, *refused))


async def close(app: App, id: str) -> SeenHandout:
    """Take no more answers. Raises: NotFound."""
    await app.database.write_durably(_set_open, app, id, False)
    return await look(app, id)


async def reopen(app: App, id: str) -> SeenHandout:
    """Take answers again. Raises: NotFound, Conflict when its figures were handed to memory."""
    await app.database.write_durably(_set_open, app, id, True)
    return await look(app, id)


async def propose(app: App, id: str) -> list[PlanProposal]:
    """Close a handout for good, and propose what the memory of the class should keep.

    Returns what waits for a decision. Raises: NotFound, Conflict when nobody handed in.
    """
    await app.database.write_durably(_settle, app, id)
    handout, rows = await app.database.read(_read, app.actor, id)
    worksheet = worksheet_of_handout(handout)

    def sentences() -> tuple[str, ...]:
        return notes_of(handout, worksheet, count(worksheet, rows), NameGate())

    proposals = [_proposal(handout, each) for each in await run_sync(sentences)]
    await app.database.write_durably(_record, app, proposals)
    own = {identity(app.actor, f"capture:{each.key}:True") for each in proposals}
    order = {each.text: at for at, each in enumerate(proposals)}
    pending = [each for each in await Proposals(app).pending() if each.key in own]
    return sorted(pending, key=lambda each: order[each.text])


async def wrong_answers(app: App, class_id: str) -> Sequence[ClassError]:
    """Every wrong answer that a class handed in, for whoever counts errors of many learners."""
    found = await app.database.read(_of_class, app.actor, class_id)

    def every() -> list[ClassError]:
        return [
            error
            for handout, rows in found
            for error in errors_of(handout, worksheet_of_handout(handout), rows)
        ]

    return await run_sync(every)


def _known_class(app: App, class_id: str) -> str:
    return read_classes(workspace_documents(app)).get(class_id).id


def _read(connection: Connection, actor: Actor, id: str) -> tuple[Handout, list[AnswerRow]]:
    handout = queries.find_handout(connection, actor, id)
    if handout is None:
        raise NotFound(f"There is no handout `{id[:80]}`", hint="`paige plan handouts` lists them.")
    return handout, queries.answers_of(connection, actor, id)


def _of_class(
    connection: Connection, actor: Actor, class_id: str
) -> list[tuple[Handout, list[AnswerRow]]]:
    found = queries.list_handouts(connection, actor, class_id)
    return [(each, queries.answers_of(connection, actor, each.id)) for each, _ in found]


def _set_open(connection: Connection, app: App, id: str, wanted: bool) -> None:
    handout, _ = _read(connection, app.actor, id)
    now = app.now()
    if wanted:
        check_reopening(handout)
    closes = handout.closes_at
    if wanted and closes <= now:
        closes = closing_time(now, AGAIN_DAYS)
    closed = None if wanted else handout.closed_at or now
    queries.set_state(
        connection, app.actor, id, closes_at=closes, closed_at=closed, kept_at=handout.kept_at
    )


def _settle(connection: Connection, app: App, id: str) -> None:
    handout, rows = _read(connection, app.actor, id)
    if not any(each.handed_in_at for each in rows):
        raise Conflict(
            f"Nobody has handed in `{handout.id}` yet, so there is nothing to keep",
            hint=f"Take files in: `paige plan answers {handout.id} --files FOLDER`.",
        )
    now = app.now()
    queries.set_state(
        connection,
        app.actor,
        id,
        closes_at=handout.closes_at,
        closed_at=handout.closed_at or now,
        kept_at=handout.kept_at or now,
    )


def _store(
    connection: Connection, app: App, handout: Handout, read: Sequence[ReadFile], *, again: bool
) -> tuple[int, list[FileProblem]]:
    refused: list[FileProblem] = []
    taken = 0
    newest, rows = _read(connection, app.actor, handout.id)
    check_reopening(newest)
    known = {row.token: row for row in rows}
    for each in read:
        row = known.get(each.mark) or queries.add_marked(
            connection, app.actor, handout.id, each.mark
        )
        if row.version and row.origin == "web" and row.answers != each.answers and not again:
            message = f"`{each.mark}` has other answers from the web, which were kept"
            refused.append(FileProblem(each.file, 1, message, "`--replace` takes the file."))
            continue
        taken += 1
        if row.answers == each.answers and row.handed_in_at is not None:
            continue
        writing = queries.Writing(each.mark, row.version, each.answers, True)
        if not queries.write_answers(connection, app.actor, writing, "file", now=app.now()):
            raise BadInput(f"`{each.file}` was read twice")  # its row is read in this transaction
    return taken, refused


def _proposal(handout: Handout, text: str) -> captures.Proposal:
    digest = blake2b(text.encode(), digest_size=8).hexdigest()
    return captures.Proposal(
        key=f"handout:{handout.id}:{digest}", path=entry_of(handout.class_id), text=text
    )


def _record(connection: Connection, app: App, proposals: Sequence[captures.Proposal]) -> None:
    for each in proposals:
        captures.record_proposed(connection, app.actor, each, now=app.now())


@wire(kw_only=True)
class AnswerOpen:
    """A token, and the address that whoever holds it comes from."""

    token: str
    address: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerSave(AnswerOpen):
    """Answers made from a version: a draft, or handed in."""

    answers: Annotated[Mapping[str, tuple[Part, ...]], Field(max_length=MOST_QUESTIONS)]
    version: Annotated[int, Field(ge=0, le=1_000_000)]
    hand_in: bool = False


async def open_sheet(app: App, given: AnswerOpen) -> AnswerSheet:
    """The worksheet of a token. Raises: NotFound, TooManySignIns."""
    return sheet_of(await _held(app, given.token, given.address), app.now())


async def save_answers(app: App, given: AnswerSave) -> AnswerSheet:
    """Keep answers under a token.

    Raises: NotFound, TooManySignIns, BadInput, Refused when it is closed, Conflict when another
    device has written since.
    """
    held = await _held(app, given.token, given.address)
    check_open(held.handout, app.now())
    answers = check_answers(worksheet_of_handout(held.handout), given.answers)
    writing = queries.Writing(held.row.token, given.version, answers, given.hand_in)
    stored = await app.database.write_durably(_write, held.owner, writing, app.now())
    return sheet_of(stored, app.now())


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
    check_tries(connection, Actor(), GUESSES, address, now=now)


@by_system
def _count_guess(connection: Connection, address: str, now: datetime) -> None:
    count_try(connection, Actor(), GUESSES, address, now=now)
