"""The commands of `paige coach`: sessions, their phases, the dashboard."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, get_args

import anyio
import click

from paige.app.application import App, open_app
from paige.base.errors import PaigeError
from paige.cli.coach_lines import (
    dashboard_lines,
    dump_phase,
    dump_session,
    ended_line,
    learnt_line,
    overview_lines,
    phase_line,
    started_line,
)
from paige.coach import sessions
from paige.coach.dashboard import dashboard_state
from paige.coach.message_parts import IssueContext, Period
from paige.coach.model import WrapUp
from paige.coach.phases import PhaseChange, update_phase
from paige.coach.records import CoachSession, PhaseStatus
from paige.coach.snapshot import Overview, overview
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import plain_text, process_console

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
        begin = partial(sessions.start, app.database, app.actor, project, issue=issue)
        started = anyio.run(partial(begin, now=app.now()))
    console = process_console()
    if as_json:
        _give({**dump_session(started.session), "abandoned": [s.id for s in started.abandoned]})
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
        chosen = session or _read(app, sessions.left_last, project).id
        resumed = anyio.run(
            partial(sessions.resume, app.database, app.actor, chosen, now=app.now())
        )
    console = process_console()
    if as_json:
        _give({**dump_session(resumed.session), "abandoned": [s.id for s in resumed.abandoned]})
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
        _give({"session": session, "phases": phases, "earlier": earlier})
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
        session = _read(app, sessions.need_active, project)
        if change is not None:
            wanted = PhaseChange(*change)
            move = partial(update_phase, app.database, app.actor, session.id, wanted)
            anyio.run(partial(move, now=app.now()))
        found = _overview(app, project).phases
    if as_json:
        _give([dump_phase(phase) for phase in found])
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
        session = _read(app, sessions.need_active, project)
        learnt = _learnt(app, project, session)
        finish = partial(sessions.end, app.database, app.actor, session.id, learnt=learnt)
        ended = anyio.run(partial(finish, now=app.now()))
    if as_json:
        _give({**ended.summary.model_dump(), **asdict(learnt)})
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
        state = _read(app, dashboard_state, period, app.now())
    if as_json:
        _give(state.model_dump(mode="json"))
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


def _read(app: App, query: Callable[..., T], *arguments: object) -> T:
    return anyio.run(lambda: app.database.read(query, app.actor, *arguments))


def _overview(app: App, project: Path) -> Overview:
    return _read(app, overview, sessions.project_key(project))


def _learnt(app: App, project: Path, session: CoachSession) -> WrapUp:
    """What was learnt from a session; it ends either way."""
    from paige.cli.coach_thinking import think  # noqa: PLC0415 - brings all engines along

    try:
        return think(app, project, lambda model: model.wrap_up(app.actor, session, ""))
    except PaigeError as error:
        process_console().say(f"The session ends without analysis: {error.message}")
        return WrapUp()


def _issue(project: Path, number: int | None, title: str | None) -> IssueContext | None:
    # It brings everything that deals with files along; only an issue needs that.
    from paige.coach.issues import issue_context  # noqa: PLC0415

    return issue_context(project, number, title)


def _give(value: Any) -> None:  # noqa: ANN401 - JSON
    process_console().give(json.dumps(value, ensure_ascii=False))
