"""`paige coach hook`: what the coach's plugin says to a coding CLI, event by event.

The server that runs is asked first, for it knows what is unsaved in the editor and tells the
windows; without one the database answers. A coding CLI must never be held up: whatever goes wrong
is said on stderr, and the exit code is 0.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import click

from paige.app.application import App, open_app
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.cli.coach_server import ToolRefused, call_tool
from paige.coach import plans, sessions
from paige.coach.action_queries import insert_actions
from paige.coach.companion import Standing, Step, welcome, whereabouts, with_prompt
from paige.coach.ids import random_ids
from paige.coach.model import PlanText, WrapUp
from paige.coach.observer.ran_tests import last_run
from paige.coach.records import Action
from paige.coach.snapshot import overview
from paige.coach.transcripts import read_transcript
from paige.doors.frame.command_settings import command_settings

SHORT, LONG = 5.0, 150.0  # seconds a hook waits for the server
Event = Mapping[str, Any]
Answer = dict[str, Any]
EVENTS = ("session-start", "prompt", "plan", "tests", "stop")


@click.command()
@click.argument("event", type=click.Choice(EVENTS))
def hook(event: str) -> int:
    """Answer one event of a coding CLI, read from stdin, for the coach's plugin."""
    try:
        given = json.loads(sys.stdin.buffer.read() or b"{}")
        if isinstance(given, dict):
            said = HANDLERS[event](_settings(given), given)
            if said:
                click.echo(json.dumps(said, ensure_ascii=False))
    except PaigeError as error:
        click.echo(f"Paige: {error.message}", err=True)
    except (ToolRefused, ValueError) as error:
        click.echo(f"Paige: {error}", err=True)
    return 0


def session_start(settings: Settings, given: Event) -> Answer:
    """Who the agent is, and where the person stands."""
    if given.get("agent_id"):  # a subagent does not coach
        return {}
    return _context("SessionStart", welcome(_standing(settings)))


def prompt(settings: Settings, given: Event) -> Answer:
    """What the agent should know with every prompt: the phase, and the unsaved changes."""
    standing = _standing(settings)
    if standing is None or given.get("agent_id"):
        return {}
    found = (_ask(settings, "paige_get_diff", {}) or {}) if _runs(settings, standing) else {}
    diffs = [(str(each["path"]), str(each["diff"])) for each in found.get("diffs", [])]
    return _context("UserPromptSubmit", with_prompt(standing, diffs))


def plan(settings: Settings, given: Event) -> Answer:
    """A plan was agreed on: it becomes phases."""
    text = _plan_text(given)
    standing = _standing(settings)
    if standing is None or not text:
        return {}
    asked = {"planText": text, "issueSummary": standing.issue}
    if _runs(settings, standing):
        call_tool(settings, "paige_run_coaching_pipeline", asked, seconds=LONG)
    else:
        _with_app(settings, lambda app, project: _pipeline(app, project, text, standing.issue))
    after = _standing(settings) or standing
    return _context("PostToolUse", f"Paige made phases of the plan.\n{whereabouts(after)}")


def tests(settings: Settings, given: Event) -> Answer:
    """Tests ran under the agent: the coach's log takes it down."""
    run = last_run(_output(given))
    if run is not None:
        data = {"passed": run.passed, "failed": run.failed}
        _with_app(settings, lambda app, project: _note(app, project, data))
    return {}


def stop(settings: Settings, given: Event) -> Answer:
    """The agent has finished a turn: when all phases are done, the session ends with it."""
    standing = _standing(settings)
    if standing is None or not standing.is_done or given.get("stop_hook_active"):
        return {}
    path = given.get("transcript_path")
    transcript = read_transcript(Path(path)) if isinstance(path, str) and path else ""
    if _runs(settings, standing):
        asked = {"sessionTranscript": transcript}
        learnt = call_tool(settings, "paige_end_session", asked, seconds=LONG) or {}
    else:
        learnt = _with_app(settings, lambda app, project: _end(app, project, transcript))
    gaps, katas = learnt.get("knowledgeGaps", 0), learnt.get("kataSpecs", 0)
    found = learnt.get("note") or f"Gaps: {gaps}, katas: {katas}."
    return {"systemMessage": f"Paige: the session is complete. {found}"}


HANDLERS: dict[str, Callable[[Settings, Event], Answer]] = {
    "session-start": session_start,
    "prompt": prompt,
    "plan": plan,
    "tests": tests,
    "stop": stop,
}


def _context(event: str, text: str) -> Answer:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}


def _settings(given: Event) -> Settings:
    """The settings, with the folder that the coding CLI works in as the project."""
    settings = command_settings()
    if settings.project_dir is not None:
        return settings
    named = settings.environ.get("CLAUDE_PROJECT_DIR") or given.get("cwd")
    folder = Path(named) if isinstance(named, str) and named else settings.cwd
    return replace(settings, project_dir=folder)


def _standing(settings: Settings) -> Standing | None:
    """Where the person stands, from the database: it is the same with and without a server."""
    return _with_app(settings, _read_standing)


def _read_standing(app: App, project: Path) -> Standing | None:
    key = sessions.project_key(project)
    found = anyio.run(lambda: app.database.read(overview, app.actor, key))
    if found.session is None:
        return None
    session = found.session
    number = "" if session.issue_number is None else f"#{session.issue_number} "
    issue = f"{number}{session.issue_title or ''}".strip() or "no issue"
    steps = tuple(
        Step(
            phase.number,
            phase.title,
            phase.status,
            phase.description,
            phase.hint_level,
            phase.expected_files,
        )
        for phase in found.phases
    )
    return Standing(session.id, issue, steps)


def _runs(settings: Settings, standing: Standing) -> bool:
    """Whether a server runs here that is in the same session: another project's is left alone."""
    found = _ask(settings, "paige_get_session_state", {"include": ["session"]}) or {}
    session = found.get("session")
    return isinstance(session, Mapping) and session.get("id") == standing.session_id


def _ask(settings: Settings, tool: str, arguments: Mapping[str, Any]) -> Any | None:  # noqa: ANN401
    try:
        return call_tool(settings, tool, arguments, seconds=SHORT)
    except ToolRefused:
        return None


def _note(app: App, project: Path, data: Mapping[str, Any]) -> None:
    async def write() -> None:
        found = await app.database.read(sessions.active, app.actor, str(project))
        if found is not None:
            now = app.now()
            action = Action(random_ids(now), found.id, "test_run", data, now)
            await app.database.write(insert_actions, app.actor, [action])

    anyio.run(write)


def _pipeline(app: App, project: Path, text: str, issue: str) -> None:
    # Whoever thinks imports much, which most events can do without.
    from paige.app.coach_model import open_coach_model  # noqa: PLC0415

    async def run() -> None:
        session = await app.database.read(sessions.need_active, app.actor, project)
        wanted = PlanText(text, issue, session.issue_number)
        async with open_coach_model(app).running() as model:
            coached = await model.run_pipeline(app.actor, session, wanted, _no_progress)
        made = plans.Made(wanted, coached)
        await plans.store_plan(app.database, app.actor, session.id, made, now=app.now())

    anyio.run(run)


def _end(app: App, project: Path, transcript: str) -> dict[str, Any]:
    from paige.app.coach_model import open_coach_model  # noqa: PLC0415 - see above

    async def run() -> WrapUp:
        session = await app.database.read(sessions.need_active, app.actor, project)
        async with open_coach_model(app).running() as model:
            learnt = await model.wrap_up(app.actor, session, transcript)
        await sessions.end(app.database, app.actor, session.id, learnt=learnt, now=app.now())
        return learnt

    learnt = anyio.run(run)
    return {
        "knowledgeGaps": learnt.knowledge_gaps,
        "kataSpecs": learnt.kata_specs,
        "note": learnt.note,
    }


async def _no_progress(done: int, total: int, message: str) -> None:
    """Nobody watches a hook."""


def _with_app(settings: Settings, work: Callable[[App, Path], Any]) -> Any:  # noqa: ANN401
    with open_app(settings, strict=False) as app:
        return work(app, settings.project_dir or settings.cwd)


def _plan_text(given: Event) -> str:
    """The plan: told with the tool, answered by it, or in the file that it names."""
    places = [given.get("tool_input"), given.get("tool_response")]
    told = [place for place in places if isinstance(place, Mapping)]
    for place in told:
        text = place.get("plan")
        if isinstance(text, str) and text.strip():
            return text
    for place in told:
        for key in ("planFilePath", "filePath", "plan_file_path"):
            path = place.get(key)
            if isinstance(path, str) and Path(path).is_file():
                return Path(path).read_text(encoding="utf-8", errors="replace")
    return ""


def _output(given: Event) -> str:
    """What a command showed, whether it worked or not."""
    response = given.get("tool_response")
    if isinstance(response, Mapping):
        return "\n".join(str(response.get(key) or "") for key in ("stdout", "stderr", "output"))
    error = given.get("error")
    return "\n".join(text for text in (response, error) if isinstance(text, str))
