"""`paige coach hook`: what the coach's plugin says to a coding CLI, event by event.

The server that runs is asked first, for it knows what is unsaved in the editor and tells the
windows; without one the database answers. A coding CLI must never be held up: whatever goes wrong
is said on stderr, and the exit code is 0.
"""

import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import anyio
import click

from paige.app.application import App, open_app
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.coach import sessions
from paige.coach.companion import is_done, read_transcript, welcome, whereabouts, with_prompt
from paige.coach.log.queries import insert_actions
from paige.coach.model import PlanText, WrapUp
from paige.coach.observer.runner_output import last_run
from paige.coach.phases import PlanSource, store_plan
from paige.coach.records import Action, CoachSession, random_ids
from paige.coach.snapshot import Overview, overview
from paige.doors.frame.cli import command_settings

VERSION = "2026-07-28"
CONNECT_SECONDS = 2.0
_ENVELOPE = "io.modelcontextprotocol/"


class ToolRefused(Exception):
    """The tool answered with an error: its sentence."""


def call_tool(
    settings: Settings, name: str, arguments: Mapping[str, Any], *, seconds: float
) -> Any | None:  # noqa: ANN401 - JSON
    """The value of a tool of the server that runs here; `None` when none runs.

    Raises: ToolRefused with the tool's own sentence.
    """
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
    connection = HTTPConnection(host, settings.port, timeout=CONNECT_SECONDS)
    try:
        connection.connect()
        connection.sock.settimeout(seconds)
        connection.request("POST", "/mcp", _body(name, arguments), _headers(settings, name))
        response = connection.getresponse()
        answer = _answer(response.read().decode("utf-8", "replace"))
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
    return _value(answer)


def _body(name: str, arguments: Mapping[str, Any]) -> bytes:
    meta = {
        f"{_ENVELOPE}protocolVersion": VERSION,
        f"{_ENVELOPE}clientCapabilities": {},
        f"{_ENVELOPE}clientInfo": {"name": "paige-coach-hook", "version": "1"},
    }
    params = {"name": name, "arguments": arguments, "_meta": meta}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(asked).encode()


def _headers(settings: Settings, name: str) -> dict[str, str]:
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": VERSION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
    }
    if settings.passcode:
        headers["Authorization"] = f"Bearer {settings.passcode}"
    return headers


def _answer(text: str) -> dict[str, Any]:
    """The answer, which may come as one object or as the last event of a stream."""
    streamed = text.lstrip().startswith(("event", "data", ":"))
    for line in reversed(text.splitlines()) if streamed else (text,):
        try:
            found = json.loads(line.removeprefix("data:").strip())
        except ValueError:
            continue
        if isinstance(found, dict) and ("result" in found or "error" in found):
            return found
    return {}


def _value(answer: dict[str, Any]) -> Any | None:  # noqa: ANN401 - JSON
    result = answer.get("result")
    if not isinstance(result, dict):
        return None
    if result.get("isError"):
        words = [part.get("text", "") for part in result.get("content", [])]
        raise ToolRefused(" ".join(words))
    return result.get("structuredContent")


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
    return _context("SessionStart", welcome(_with_app(settings, _overview)))


def prompt(settings: Settings, given: Event) -> Answer:
    """What the agent should know with every prompt: the phase, and the unsaved changes."""
    found = _with_app(settings, _overview)
    if found.session is None or given.get("agent_id"):
        return {}
    told = _ask(settings, "paige_get_diff", {}) if _runs(settings, found.session) else {}
    diffs = [str(each["diff"]) for each in (told or {}).get("diffs", [])]
    text = whereabouts(found.session, found.phases)
    return _context("UserPromptSubmit", with_prompt(text, diffs))


def plan(settings: Settings, given: Event) -> Answer:
    """A plan was agreed on: it becomes phases."""
    text = _plan_text(given)
    session = _with_app(settings, _overview).session
    if session is None or not text:
        return {}
    if _runs(settings, session):
        asked = {"planText": text, "issueSummary": session.about}
        call_tool(settings, "paige_run_coaching_pipeline", asked, seconds=LONG)
    else:
        wanted = PlanText(text, session.about, session.issue_number)
        _with_app(settings, lambda app, _: _pipeline(app, session, wanted))
    phases = _with_app(settings, _overview).phases
    return _context(
        "PostToolUse", f"Paige made phases of the plan.\n{whereabouts(session, phases)}"
    )


def tests(settings: Settings, given: Event) -> Answer:
    """Tests ran under the agent: the coach's log takes it down."""
    run = last_run(_output(given))
    if run is not None:
        data = {"passed": run.passed, "failed": run.failed}
        _with_app(settings, lambda app, project: _note(app, project, data))
    return {}


def stop(settings: Settings, given: Event) -> Answer:
    """The agent has finished a turn: when all phases are done, the session ends with it."""
    found = _with_app(settings, _overview)
    session = found.session
    if session is None or not is_done(found.phases) or given.get("stop_hook_active"):
        return {}
    path = given.get("transcript_path")
    transcript = read_transcript(Path(path)) if isinstance(path, str) and path else ""
    if _runs(settings, session):
        asked = {"sessionTranscript": transcript}
        learnt = call_tool(settings, "paige_end_session", asked, seconds=LONG) or {}
        gaps, katas = learnt.get("knowledgeGaps", 0), learnt.get("kataSpecs", 0)
        note = learnt.get("note")
    else:
        own: WrapUp = _with_app(settings, lambda app, _: _end(app, session, transcript))
        gaps, katas, note = own.knowledge_gaps, own.kata_specs, own.note
    said = note or f"Gaps: {gaps}, katas: {katas}."
    return {"systemMessage": f"Paige: the session is complete. {said}"}


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


def _overview(app: App, project: Path) -> Overview:
    """Where the person stands, from the database: it is the same with and without a server."""
    key = sessions.project_key(project)
    return anyio.run(lambda: app.database.read(overview, app.actor, key))


def _runs(settings: Settings, session: CoachSession) -> bool:
    """Whether a server runs here that is in the same session: another project's is left alone."""
    found = _ask(settings, "paige_get_session_state", {"include": ["session"]}) or {}
    told = found.get("session")
    return isinstance(told, Mapping) and told.get("id") == session.id


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


def _pipeline(app: App, session: CoachSession, wanted: PlanText) -> None:
    # Whoever thinks imports much, which most events can do without.
    from paige.app.coach_model import open_coach_model  # noqa: PLC0415

    async def run() -> None:
        async with open_coach_model(app).running() as model:
            coached = await model.run_pipeline(app.actor, session, wanted, _no_progress)
        made = PlanSource(wanted, coached)
        await app.database.write(store_plan, app.actor, session.id, made, now=app.now())

    anyio.run(run)


def _end(app: App, session: CoachSession, transcript: str) -> WrapUp:
    from paige.app.coach_model import open_coach_model  # noqa: PLC0415 - see above

    async def run() -> WrapUp:
        async with open_coach_model(app).running() as model:
            learnt = await model.wrap_up(app.actor, session, transcript)
        await app.database.write(sessions.end, app.actor, session.id, learnt=learnt, now=app.now())
        return learnt

    return anyio.run(run)


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
