"""A session with two thousand messages, as years of use would leave it."""

import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

from paige.agent import queries
from paige.agent.journal import FORMAT, Batch, Entry
from paige.agent.tables import RunRow, SessionRow
from paige.base.actor import Actor
from paige.models.codec import dump_answer
from paige.models.messages import assistant_message
from paige.models.requests import Answer
from paige.store.engine import open_sqlite

LONG = "long-session"
START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
ME = Actor()


def request_of(number: int) -> str:
    """What was asked in a run."""
    return f"Request {number}: loops for 3B, lesson {number}"


def answer_of(number: int) -> str:
    """What was answered, now short and now long; one in a hundred says something rare."""
    lines = [f"Answer {number}: **begin** with what they know."]
    lines += [
        f"- Step {step} of answer {number}, in a line of its own." for step in range(number % 9)
    ]
    if number % 100 == 7:
        lines.append("A heron stands by the pond.")
    return "\n".join(lines)


def add_long_session(data: Path, runs: int = 1000) -> None:
    """Put a session of that many runs, each with a request and an answer, into a server's data."""
    with (
        closing(open_sqlite(data / "paige.db")) as database,
        database.transaction(write=True) as connection,
    ):
        end = START + timedelta(minutes=runs)
        row = SessionRow(LONG, ME.person, "plan", "active", START, end, title=request_of(1))
        queries.insert_session(connection, row, ME)
        for number in range(1, runs + 1):
            at = START + timedelta(minutes=number)
            queries.insert_run(connection, ME, _run(number, at), {})
            queries.write_batch(connection, ME, f"long-{number:04}", _batch(number), now=at)


def _run(number: int, at: datetime) -> RunRow:
    return RunRow(
        id=f"long-{number:04}",
        person=ME.person,
        session_id=LONG,
        number=number,
        format=FORMAT,
        header={"purpose": "lesson-planning:create-lesson", "inputs": {}, "tasks": []},
        prompt=request_of(number),
        state="ended",
        status="success",
        source="local",
        turns=1,
        created_at=at,
        updated_at=at,
    )


def _batch(number: int) -> Batch:
    answer = Answer(
        message=assistant_message(answer_of(number)),
        stop_reason="end_turn",
        answered_by="local",
        model="none",
    )
    body = json.dumps({"answer": dump_answer(answer)})
    return Batch(entries=[Entry(1, "t1/model", "result", body)])
