"""How runs of the Plan door change, each with the message that tells of it in one transaction."""

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from paige.agent import queries
from paige.agent.interactions import Reply, check_reply, dump_reply, load_interaction
from paige.agent.tables import GateRow, RunRow, SessionRow
from paige.app.run_takeover_queries import drop_wish, is_wished, lock_wish, wish
from paige.base.actor import Actor
from paige.base.errors import BadInput, Conflict, NotFound
from paige.plan.messages import PlanFileChanged, PlanRunChanged
from paige.plan.results import read_outcome
from paige.plan.session_queries import DOOR, unfinished_runs
from paige.plan.sessions import State, Viewer, run_state
from paige.store.messages import publish

SERVER_ENDED = "Paige was stopped while it ran. Continue it: nothing that was done is done again."


class Answer(NamedTuple):
    """A person's answer to a gate, at the revision they saw."""

    run: str
    gate: str
    revision: int
    reply: Reply


class FoundRun(NamedTuple):
    """A run with its session and where it stands."""

    run: RunRow
    session: SessionRow
    state: State


def find_run(connection: Connection, looking: Viewer, run_id: str) -> FoundRun:
    """A run of this door. Raises: NotFound."""
    run = queries.get_run(connection, looking.actor, run_id)
    session = queries.get_session(connection, looking.actor, run.session_id)
    if session.door != DOOR:
        raise NotFound(f"There is no run `{run_id}` of a plan", hint="It belongs to another door.")
    return FoundRun(run, session, run_state(connection, looking, run))


def last_of(connection: Connection, looking: Viewer, session_id: str) -> FoundRun:
    """The last run of a session that is to go on. Raises: NotFound, BadInput."""
    session = queries.get_session(connection, looking.actor, session_id)
    runs = queries.runs_of(connection, looking.actor, session_id)
    if session.door != DOOR or not runs:
        raise BadInput(f"Session `{session_id}` belongs to `{session.door}`, not to a plugin")
    return FoundRun(runs[-1], session, run_state(connection, looking, runs[-1]))


def answer_gate(connection: Connection, looking: Viewer, answer: Answer) -> GateRow:
    """Keep an answer if nobody was quicker. Raises: NotFound, BadInput, Conflict."""
    actor, now = looking.actor, looking.now
    run = find_run(connection, looking, answer.run).run
    gates = queries.gates_of(connection, actor, answer.run)
    row = next((gate for gate in gates if gate.gate == answer.gate), None)
    if row is None:
        raise NotFound(f"The run `{run.id}` has no question `{answer.gate}`")
    if run.state == "ended":
        raise Conflict(f"The run `{run.id}` has ended", hint="Ask for something new.")
    reply = replace(answer.reply, auto=False)  # a person answers, whatever the body says
    if row.answered_at is None and row.revision == answer.revision:
        check_reply(load_interaction(row.interaction), reply)
    kept = dump_reply(reply)
    seen = replace(row, revision=answer.revision)
    queries.answer_gate(connection, actor, seen, kept, now=now)
    wish(connection, actor, run.id)
    publish(connection, actor, changed(run, "running"), now=now)
    return replace(row, reply=kept, answered_at=now)


def note_begun(connection: Connection, looking: Viewer, run: RunRow) -> None:
    """Tell everyone that a run has begun."""
    wish(connection, looking.actor, run.id)
    publish(connection, looking.actor, changed(run, "running"), now=looking.now)


def note_going_on(connection: Connection, actor: Actor, run_id: str, now: datetime) -> None:
    """Tell everyone that somebody works on a run again."""
    queries.update_run(connection, actor, run_id, now=now, reason=None)
    wish(connection, actor, run_id, anew=False)
    run = queries.get_run(connection, actor, run_id)
    publish(connection, actor, changed(run, "running"), now=now)


def tell_state(
    connection: Connection, looking: Viewer, run_id: str, state: State | None = None
) -> None:
    """Tell everyone where a run stands that a person works on at a terminal."""
    run = queries.get_run(connection, looking.actor, run_id)
    state = state or run_state(connection, looking, run)
    publish(connection, looking.actor, changed(run, state), now=looking.now)


def note_state(connection: Connection, looking: Viewer, run_id: str) -> None:
    """Tell everyone where a run stands after a segment, and which file it has saved."""
    lock_wish(connection, looking.actor, run_id)  # before the gates: an answer may come just now
    run = queries.get_run(connection, looking.actor, run_id)
    state = run_state(connection, replace(looking, busy=()), run)
    if state == "interrupted":  # everything was answered meanwhile: it goes on at once
        state = "running"
    elif state != "running":  # otherwise another server has gone on with it
        drop_wish(connection, looking.actor, run_id)
    publish(connection, looking.actor, changed(run, state), now=looking.now)
    saved = read_outcome(connection, looking.actor, run).path if state == "ended" else None
    if saved is not None:
        message = PlanFileChanged(path=saved, action="written")
        publish(connection, looking.actor, message, now=looking.now)


def note_interrupted(connection: Connection, looking: Viewer, run_id: str, reason: str) -> None:
    """Keep why a run does not go on, and tell everyone; one that does is left alone."""
    run = queries.get_run(connection, looking.actor, run_id)
    state = run_state(connection, replace(looking, busy=()), run)
    if state == "interrupted":
        drop_wish(connection, looking.actor, run_id)
        queries.update_run(connection, looking.actor, run_id, now=looking.now, reason=reason)
        run = replace(run, reason=reason)
    publish(connection, looking.actor, changed(run, state), now=looking.now)


def report_interrupted(connection: Connection, looking: Viewer) -> int:
    """Tell of the runs that a process left in the middle, each once; return how many."""
    number = 0
    for run_id in unfinished_runs(connection, looking.actor):
        run = queries.get_run(connection, looking.actor, run_id)
        if is_wished(connection, looking.actor, run_id):
            continue  # some server takes it over
        if run_state(connection, looking, run) == "interrupted":
            note_interrupted(connection, looking, run_id, SERVER_ENDED)
            number += 1
    return number


def changed(run: RunRow, state: State) -> PlanRunChanged:
    """The message about a run that stands somewhere else now."""
    done = state in ("ended", "interrupted")
    return PlanRunChanged(
        session=run.session_id,
        run=run.id,
        state=state,
        status=run.status if done else None,
        reason=run.reason if done else None,
    )
