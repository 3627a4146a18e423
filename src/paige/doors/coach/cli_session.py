"""The commands of `paige coach`: sessions, their phases, the dashboard."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar, get_args

import anyio
import click

from paige.app.application import App, open_app
from paige.base.clock import to_iso
from paige.base.errors import PaigeError
from paige.coach import sessions
from paige.coach.dashboard import dashboard_state
from paige.coach.message_parts import IssueContext, Period, SessionSummary
from paige.coach.messages import DashboardState
from paige.coach.model import WrapUp
from paige.coach.phases import PhaseChange, update_phase
from paige.coach.records import CoachSession, PhaseRow, PhaseStatus, issue_words
from paige.coach.snapshot import Overview, overview
from paige.doors.frame.cli import command_settings
from paige.doors.frame.console import plain_text, process_console

MINUTE = timedelta(minutes=1)


def dump_session(session: CoachSession) -> dict[str, Any]:
    """A session for a program."""
    return {
        "session": session.id,
        "project": session.project_dir,
        "issue_number": session.issue_number,
        "issue_title": session.issue_title,
        "status": session.status,
        "started_at": to_iso(session.started_at),
        "ended_at": to_iso(session.ended_at) if session.ended_at else None,
    }


def dump_phase(phase: PhaseRow) -> dict[str, Any]:
    """A phase for a program."""
    return {
        "number": phase.number,
        "title": phase.title,
        "description": phase.description,
        "status": phase.status,
        "hint_level": phase.hint_level,
        "expected_files": list(phase.expected_files),
        "started_at": to_iso(phase.started_at) if phase.started_at else None,
        "completed_at": to_iso(phase.completed_at) if phase.completed_at else None,
    }


def started_line(session: CoachSession, what: str) -> str:
    """What happened to a session, and what it is about."""
    return f"{what} a session in `{session.project_dir}`: {session.about}."


def ended_line(summary: SessionSummary) -> str:
    """How a session ended."""
    minutes = _minutes(timedelta(milliseconds=summary.duration_ms))
    phases = f", {summary.phases_completed} of {summary.phases_total} phases complete"
    return f"Completed the session after {minutes}{phases if summary.phases_total else ''}."


def learnt_line(learnt: WrapUp) -> str:
    """What a session was worth."""
    counts = (
        (learnt.knowledge_gaps, "gap", "gaps"),
        (learnt.kata_specs, "kata to practise", "katas to practise"),
        (learnt.dreyfus_updates, "stage assessed", "stages assessed"),
        (learnt.memories_stored, "memory kept", "memories kept"),
    )
    said = [f"{count} {one if count == 1 else many}" for count, one, many in counts if count]
    found = f"Found: {', '.join(said)}." if said else "Nothing new was found in it."
    return " ".join(
        part for part in (found if said or not learnt.note else "", learnt.note) if part
    )


def overview_lines(found: Overview, now: datetime) -> Iterator[str]:
    """The session somebody works in with its phases, then the ones before it."""
    if found.session is not None:
        session = found.session
        length = _minutes(now - session.started_at)
        yield f"{session.id}  active for {length}  {session.about}"
        for phase in found.phases:
            yield f"  {phase_line(phase)}"
    for session in found.earlier:
        started = f"{session.started_at:%Y-%m-%d %H:%M}"
        yield f"{session.id}  {session.status}  {started}  {session.about}"


def phase_line(phase: PhaseRow) -> str:
    """A phase in one line."""
    return f"{phase.number}  {phase.status:8}  hints: {phase.hint_level:6}  {phase.title}"


def dashboard_lines(state: DashboardState) -> Iterator[str]:
    """The dashboard, one fact a line."""
    stats = state.stats
    yield f"sessions completed  {stats.sessions_completed}"
    yield f"time coached        {_minutes(timedelta(minutes=stats.total_coaching_minutes))}"
    yield f"issues worked on    {stats.issues_worked_on}"
    gaps = f"{stats.knowledge_gaps_identified}, {stats.knowledge_gaps_addressed} of them closed"
    yield f"gaps found          {gaps}"
    yield f"hints used          {stats.hints_used}"
    yield f"model calls         ${stats.api_cost_total:.4f}"
    for row in state.dreyfus:
        stage = row.stage.replace("_", " ")
        yield f"skill     {row.skill_area}: {stage} ({row.confidence:.0%} sure)"
    for session in state.in_progress_sessions:
        yield f"session   {session.id}  {issue_words(session.issue_number, session.issue_title)}"
    for kata in state.katas:
        best = f", best level {kata.best_level}" if kata.best_level is not None else ""
        yield f"kata      {kata.title} ({kata.topic}): {kata.attempts_count} attempts{best}"


def _minutes(length: timedelta) -> str:
    minutes = max(0, length // MINUTE)
    return f"{minutes} minute{'' if minutes == 1 else 's'}"


T = TypeVar("T")
JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.option("--issue", "number", type=click.IntRange(min=0), help="Number of the issue.")
@click.option("--title", metavar="TEXT", help="Its title; `issues.json` is looked into otherwise.")
@JSON
def start(*, number: int | None, title: str | None, as_json: bool) -> None:
    """Start a session on an issue, or without one. The one you were in is abandoned."""
    with opened() as (app, project):
        named = plain_text(title) if title else None
        issue = _issue(project, number, named) if number is not None or named else None
        started = _write(app, sessions.start, project, issue=issue)
    console = process_console()
    if as_json:
        give({**dump_session(started.session), "abandoned": [s.id for s in started.abandoned]})
        return
    for each in started.abandoned:
        console.say(f"Session `{each.id}` is abandoned; `paige coach resume` goes on with it.")
    console.say(started_line(started.session, "Started"))
    console.give(started.session.id)


@click.command()
@click.argument("session", required=False)
@JSON
def resume(session: str | None, *, as_json: bool) -> None:
    """Go on with SESSION; without one, with the session of this project that was left last."""
    with opened() as (app, project):
        chosen = session or read(app, sessions.left_last, project).id
        resumed = _write(app, sessions.resume, chosen)
    console = process_console()
    if as_json:
        give({**dump_session(resumed.session), "abandoned": [s.id for s in resumed.abandoned]})
        return
    console.say(started_line(resumed.session, "Resumed"))
    console.give(resumed.session.id)


@click.command()
@JSON
def status(*, as_json: bool) -> None:
    """Show the session you work in, how far its plan is, and the sessions before it."""
    with opened() as (app, project):
        found, now = _overview(app, project), app.now()
    if as_json:
        session = dump_session(found.session) if found.session else None
        phases = [dump_phase(phase) for phase in found.phases]
        earlier = [dump_session(each) for each in found.earlier]
        give({"session": session, "phases": phases, "earlier": earlier})
        return
    console = process_console()
    for line in overview_lines(found, now):
        console.give(line)
    if found.session is None:
        console.say("No session is active here. `paige coach start` begins one.")


@click.command()
@click.option(
    "--set",
    "change",
    type=(int, click.Choice(get_args(PhaseStatus))),
    metavar="NUMBER STATUS",
    help="Make a phase pending, active or complete.",
)
@JSON
def phases(*, change: tuple[int, PhaseStatus] | None, as_json: bool) -> None:
    """List the phases of the session's plan with their status and hint level."""
    with opened() as (app, project):
        session = read(app, sessions.need_active, project)
        if change is not None:
            _write(app, update_phase, session.id, PhaseChange(*change))
        found = _overview(app, project).phases
    if as_json:
        give([dump_phase(phase) for phase in found])
        return
    console = process_console()
    for phase in found:
        console.give(phase_line(phase))
    if not found:
        console.say("The session has no plan yet; a coding CLI makes one with Paige's tools.")


@click.command()
@JSON
def end(*, as_json: bool) -> None:
    """Complete the session you work in and find what was learnt. It cannot be resumed then."""
    with opened() as (app, project):
        session = read(app, sessions.need_active, project)
        learnt = _learnt(app, project, session)
        ended = _write(app, sessions.end, session.id, learnt=learnt)
    if as_json:
        give({**ended.summary.model_dump(), **asdict(learnt)})
        return
    console = process_console()
    console.say(ended_line(ended.summary))
    console.say(learnt_line(learnt))


@click.command()
@click.option("--period", type=click.Choice(get_args(Period)), default="all", show_default=True)
@JSON
def dashboard(*, period: Period, as_json: bool) -> None:
    """Show counts of a period, skills, open sessions and katas."""
    with opened() as (app, _):
        state = read(app, dashboard_state, period, app.now())
    if as_json:
        give(state.model_dump(mode="json"))
        return
    console = process_console()
    for line in dashboard_lines(state):
        console.give(line)


@contextmanager
def opened() -> Iterator[tuple[App, Path]]:
    """The application, and the project that is coached on."""
    settings = command_settings()
    with open_app(settings, strict=False) as app:
        yield app, settings.project_dir or settings.cwd


def read(app: App, query: Callable[..., T], *arguments: object) -> T:
    """What a query finds for the person."""
    return anyio.run(lambda: app.database.read(query, app.actor, *arguments))


def _write(app: App, change: Callable[..., T], *arguments: object, **named: object) -> T:
    return anyio.run(
        lambda: app.database.write(change, app.actor, *arguments, now=app.now(), **named)
    )


def _overview(app: App, project: Path) -> Overview:
    return read(app, overview, sessions.project_key(project))


def _learnt(app: App, project: Path, session: CoachSession) -> WrapUp:
    """What was learnt from a session; it ends either way."""
    from paige.doors.coach.cli_inquiry import think  # noqa: PLC0415 - brings all engines along

    try:
        return think(app, project, lambda model: model.wrap_up(app.actor, session, ""))
    except PaigeError as error:
        process_console().say(f"The session ends without analysis: {error.message}")
        return WrapUp()


def _issue(project: Path, number: int | None, title: str | None) -> IssueContext | None:
    # It brings everything that deals with files along; only an issue needs that.
    from paige.coach.issues import issue_context  # noqa: PLC0415

    return issue_context(project, number, title)


def give(value: Any) -> None:  # noqa: ANN401 - JSON
    """Print a value for a program."""
    process_console().give(json.dumps(value, ensure_ascii=False))
