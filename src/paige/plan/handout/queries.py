"""SQL for handouts and the answers under their tokens.

Whoever holds a token acts for nobody, so those queries are the server's own work: they take the
token and nothing else, and give out one handout.
"""

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Table, func, insert, select, update

from paige.base.actor import Actor
from paige.plan.handout.values import AnswerRow, Given, Handout
from paige.plan.tables import ANSWERS, HANDOUTS
from paige.store.row_security import by_system

MOST_LISTED = 500
_HANDOUT = [HANDOUTS.c[each.name] for each in fields(Handout)]
_ANSWER = [ANSWERS.c[each.name] for each in fields(AnswerRow)]


class Held(NamedTuple):
    """What a token opens: one handout, what stands under the token, and whose it is."""

    owner: Actor
    handout: Handout
    row: AnswerRow


class Tally(NamedTuple):
    """How far a handout is: tokens given out, and worksheets handed in."""

    tokens: int
    handed_in: int


class Writing(NamedTuple):
    """A change of what stands under a token: new answers, made from a version."""

    token: str
    version: int
    answers: Given
    hand_in: bool


def insert_handout(
    connection: Connection, actor: Actor, handout: Handout, tokens: Sequence[str]
) -> None:
    """Store a handout with its empty tokens."""
    values = {each.name: getattr(handout, each.name) for each in fields(Handout)}
    connection.execute(insert(HANDOUTS), {**_whose(actor), **values})
    rows = [{**_whose(actor), "token": each, "handout_id": handout.id, **_EMPTY} for each in tokens]
    connection.execute(insert(ANSWERS), rows)


def find_handout(connection: Connection, actor: Actor, id: str) -> Handout | None:
    """One handout of a teacher."""
    query = select(*_HANDOUT).where(*_own(HANDOUTS, actor), HANDOUTS.c.id == id)
    row = connection.execute(query).one_or_none()
    return None if row is None else _handout(row)


def list_handouts(
    connection: Connection, actor: Actor, class_id: str | None = None
) -> list[tuple[Handout, Tally]]:
    """The handouts of a teacher, newest first, with how far each is."""
    own = [*_own(HANDOUTS, actor)]
    if class_id is not None:
        own.append(func.lower(HANDOUTS.c.class_id) == class_id.lower())
    query = select(*_HANDOUT).where(*own).order_by(HANDOUTS.c.created_at.desc(), HANDOUTS.c.id)
    found = [_handout(row) for row in connection.execute(query.limit(MOST_LISTED))]
    columns = (ANSWERS.c.handout_id, func.count(), func.count(ANSWERS.c.handed_in_at))
    counted = select(*columns).where(*_own(ANSWERS, actor)).group_by(ANSWERS.c.handout_id)
    tallies = {id: Tally(all_, done) for id, all_, done in connection.execute(counted)}
    return [(each, tallies.get(each.id, Tally(0, 0))) for each in found]


def answers_of(connection: Connection, actor: Actor, handout: str) -> list[AnswerRow]:
    """Everything that stands under the tokens of a handout, in the order of the tokens."""
    own = (*_own(ANSWERS, actor), ANSWERS.c.handout_id == handout)
    query = select(*_ANSWER).where(*own).order_by(ANSWERS.c.token)
    return [_answer(row) for row in connection.execute(query)]


def set_state(
    connection: Connection,
    actor: Actor,
    id: str,
    *,
    closes_at: datetime,
    closed_at: datetime | None,
    kept_at: datetime | None,
) -> bool:
    """Open or close a handout; whether there is one."""
    own = (*_own(HANDOUTS, actor), HANDOUTS.c.id == id)
    values = {"closes_at": closes_at, "closed_at": closed_at, "kept_at": kept_at}
    return bool(connection.execute(update(HANDOUTS).where(*own).values(**values)).rowcount)


def add_marked(connection: Connection, actor: Actor, handout: str, mark: str) -> AnswerRow:
    """A row for a file that brought no token, or the one that is there."""
    own = (*_own(ANSWERS, actor), ANSWERS.c.token == mark)
    query = select(*_ANSWER).where(*own)
    row = connection.execute(query).one_or_none()
    if row is not None:
        return _answer(row)
    values = {**_whose(actor), "token": mark, "handout_id": handout, **_EMPTY, "origin": "file"}
    connection.execute(insert(ANSWERS), values)
    return _answer(connection.execute(query).one())


def write_answers(
    connection: Connection, owner: Actor, writing: Writing, origin: str, *, now: datetime
) -> AnswerRow | None:
    """Store answers that were made from the newest version; nothing when there is a newer one."""
    own = (
        *_own(ANSWERS, owner),
        ANSWERS.c.token == writing.token,
        ANSWERS.c.version == writing.version,
    )
    values: dict[str, Any] = {
        "answers": {name: list(parts) for name, parts in writing.answers.items()},
        "version": writing.version + 1,
        "origin": origin,
        "updated_at": now,
    }
    if writing.hand_in:
        values["handed_in_at"] = now
    if not connection.execute(update(ANSWERS).where(*own).values(**values)).rowcount:
        return None
    mine = (*_own(ANSWERS, owner), ANSWERS.c.token == writing.token)
    return _answer(connection.execute(select(*_ANSWER).where(*mine)).one())


@by_system
def find_held(connection: Connection, token: str) -> Held | None:
    """What a token opens. It is asked by whoever holds the token, who has no account."""
    query = select(ANSWERS.c.tenant, ANSWERS.c.person, *_ANSWER).where(ANSWERS.c.token == token)
    rows = connection.execute(query).all()
    if len(rows) != 1:  # two tenants with one token: it would open somebody else's
        return None
    owner = Actor(rows[0].tenant, rows[0].person)
    row = _answer(rows[0])
    handout = find_handout(connection, owner, row.handout_id)
    return None if handout is None else Held(owner, handout, row)


_EMPTY: dict[str, Any] = {"origin": "web", "answers": {}, "version": 0}


def _own(table: Table, actor: Actor) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return table.c.tenant == actor.tenant, table.c.person == actor.person


def _whose(actor: Actor) -> dict[str, str]:
    return {"tenant": actor.tenant, "person": actor.person}


def _handout(row: Row[Any]) -> Handout:
    return Handout(**{each.name: getattr(row, each.name) for each in fields(Handout)})


def _answer(row: Row[Any]) -> AnswerRow:
    values = {each.name: getattr(row, each.name) for each in fields(AnswerRow)}
    answers = {name: tuple(parts) for name, parts in row.answers.items()}
    return AnswerRow(**{**values, "answers": answers})
