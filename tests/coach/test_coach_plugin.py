"""The plugin for coding CLIs: what its hooks say, and the real CLI with a scripted model."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.actor import Actor
from paige.base.paths import shipped
from paige.coach.companion import ASLEEP, MOST_TEXT, condense
from paige.coach.log.queries import recent_actions
from paige.coach.queries import get_session
from paige.coach.records import CoachSession
from paige.store.engine import open_sqlite
from tests.fakes.coding_models import Step
from tests.fakes.model_server import Recorded, Reply
from tests.fakes.served_model import ServedModel, served_model
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import PAIGE, Live, live_paige, run_paige
from tests.mcp.at_work import at_work
from tests.mcp.clients import native, run_client

PLUGIN = shipped("integrations/coach")
ME = Actor()
PLAN = "1. Look at `src/auth.py` and find the check.\n2. Change `src/auth.py`.\n3. Test it."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "auth.py").write_text("def check():\n    return True\n")
    return folder


def variables(project: Path) -> dict[str, str]:
    """Where the project and its data are, for a server and for hooks alike."""
    return {"PROJECT_DIR": str(project), "DATA_DIR": str(project.parent / "data")}


def hook(project: Path, event: str, given: object, **extra: str) -> Any:
    """Run a hook as a coding CLI does; return what it answers."""
    done = run_paige(
        project,
        "coach",
        "hook",
        event,
        stdin=given if isinstance(given, str) else json.dumps(given),
        **{"PORT": "9", **variables(project), **extra},
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    return json.loads(done.stdout) if done.stdout.strip() else None


def context(answer: Any) -> str:
    """What a hook adds for the model."""
    return answer["hookSpecificOutput"]["additionalContext"]


def started(project: Path) -> str:
    """A session, begun in the terminal."""
    done = run_paige(
        project,
        "coach",
        "start",
        "--issue",
        "7",
        "--title",
        "Check the state",
        **variables(project),
    )
    return done.stdout.strip()


def read(project: Path, query: Any, *arguments: Any, **more: Any) -> Any:
    """Ask the database."""
    with (
        closing(open_sqlite(project.parent / "data" / "paige.db")) as database,
        database.transaction(write=False) as connection,
    ):
        return query(connection, ME, *arguments, **more)


def test_the_plugin_has_the_layout_that_claude_code_reads() -> None:
    manifest = json.loads((PLUGIN / ".claude-plugin" / "plugin.json").read_text())
    hooks = json.loads((PLUGIN / "hooks" / "hooks.json").read_text())["hooks"]

    assert manifest["name"] == "paige-coach"
    assert set(hooks) == {
        "SessionStart",
        "UserPromptSubmit",
        "PostToolUse",
        "PostToolUseFailure",
        "Stop",
    }
    assert {path.name for path in (PLUGIN / "commands").iterdir()} == {"plan.md", "end.md"}


def test_without_paige_the_hook_is_silent_and_does_not_fail(tmp_path: Path) -> None:
    copy = tmp_path / "plugin"
    shutil.copytree(PLUGIN, copy)
    done = subprocess.run(
        ["/bin/sh", str(copy / "hooks" / "paige.sh"), "stop"],
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        timeout=20,
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "")
    assert "Paige was not found" in done.stderr


def test_without_a_session_nobody_is_coached(project: Path) -> None:
    assert context(hook(project, "session-start", {"source": "startup"})) == ASLEEP
    for event in ("prompt", "plan", "tests", "stop"):
        assert hook(project, event, {"prompt": "hi", "tool_input": {"plan": PLAN}}) is None


@pytest.mark.parametrize("given", ["", "no json", "[1]", "null", '{"tool_input": 3}'])
def test_odd_events_are_survived(project: Path, given: str) -> None:
    for event in ("plan", "tests", "stop"):
        assert hook(project, event, given) is None


def test_a_session_from_plan_to_end_without_a_server(project: Path) -> None:
    session = started(project)
    before = context(hook(project, "session-start", {"source": "startup"}))
    planned = context(hook(project, "plan", {"tool_input": {"plan": PLAN}}))
    failed = {"error": "Exit code 1\n==== 1 failed, 2 passed in 0.1s ===="}
    hook(project, "tests", failed)
    hook(project, "tests", {"tool_response": {"stdout": "3 passed in 0.2s\n", "stderr": ""}})
    hook(project, "tests", {"tool_response": {"stdout": "hello\n"}})
    early = hook(project, "stop", {"transcript_path": ""})
    phases = json.loads(
        run_paige(project, "coach", "phases", "--json", **variables(project)).stdout
    )
    for phase in phases:
        number = str(phase["number"])
        run_paige(project, "coach", "phases", "--set", number, "complete", **variables(project))
    transcript = project.parent / "t.jsonl"
    entry = {"type": "user", "message": {"role": "user", "content": "Why is it true?"}}
    transcript.write_text(json.dumps(entry) + "\n")
    ended = hook(project, "stop", {"transcript_path": str(transcript)})
    again = hook(project, "stop", {"transcript_path": str(transcript)})
    stored: CoachSession = read(project, get_session, session)
    runs = read(project, recent_actions, session, types=["test_run"])

    assert "You are Paige" in before
    assert "There is no plan yet" in before
    assert "Check the state" in before
    assert "Phase 1 of" in planned
    assert len(phases) >= 2
    assert [run.data for run in runs] == [
        {"passed": 3, "failed": 0},
        {"passed": 2, "failed": 1},
    ]
    assert early is None
    assert "the session is complete" in ended["systemMessage"]
    assert again is None
    assert stored.status == "completed"


@pytest.mark.anyio
async def test_with_a_server_the_prompt_carries_the_unsaved_changes(project: Path) -> None:
    with live_paige(project.parent, **variables(project)) as paige:
        async with at_work(paige, project) as desk:
            await desk.start()
            await desk.edit("src/auth.py", "def check():\n    return False\n")
            port = str(paige.port)
            said = await anyio.to_thread.run_sync(
                lambda: context(hook(project, "prompt", {"prompt": "Is it right?"}, PORT=port))
            )

    assert "+    return False" in said
    assert '<untrusted source="diff">' in said


@pytest.fixture
def running(project: Path) -> Iterator[Live]:
    with live_paige(project.parent, **variables(project)) as paige:
        yield paige


@pytest.mark.anyio
@pytest.mark.clients
async def test_claude_code_coaches_with_the_plugin(
    project: Path, running: Live, tmp_path: Path
) -> None:
    """The real program: it hears who it is, sees the diff, hands over a plan, and ends with it."""
    home = tmp_path / "home"
    home.mkdir()
    script = (
        Step("paige_run_coaching_pipeline", {"planText": PLAN, "issueSummary": "The state"}),
        Step("paige_get_session_state", {"include": ["phase", "plan"]}),
    )
    with served_model() as model:
        async with at_work(running, project) as desk:
            session = await desk.start()
            await desk.edit("src/auth.py", "def check():\n    return False\n")
            await anyio.to_thread.run_sync(claude, project, running, model, home, script)
            first = _conversation(model)[0]
            await desk.window.wait("coaching:plan_ready")
            planned = read(project, recent_actions, session, types=["coaching_pipeline"])
            for number in range(1, planned[0].data["phaseCount"] + 1):
                await desk.call("paige_update_phase", phase=number, status="complete")
            await anyio.to_thread.run_sync(claude, project, running, model, home, ())
            learnt = await desk.window.wait("session:completed")
            stored: CoachSession = read(project, get_session, session)

    sent = json.dumps(first.body["messages"]) + json.dumps(first.body.get("system"))
    assert "You are Paige, a coach for developers" in sent
    assert "+    return False" in sent
    assert learnt["sessionId"] == session
    assert stored.status == "completed"


def claude(
    project: Path, paige: Live, model: ServedModel, home: Path, script: tuple[Step, ...]
) -> None:
    """Run Claude Code in the project with the plugin, and nothing else."""
    model.answers_with(lambda request: _reply(request, script))
    command = [
        *native("@anthropic-ai/claude-code-*/claude*"),
        *("-p", "Help me with the issue.", "--output-format", "stream-json", "--verbose"),
        *("--model", "claude-sonnet-4-5", "--max-turns", "6"),
        *("--plugin-dir", str(PLUGIN), "--allowedTools", "mcp__plugin_paige-coach_paige"),
    ]
    done = run_client(
        command,
        project,
        **variables(project),
        PORT=str(paige.port),
        PAIGE_BIN=PAIGE,
        ANTHROPIC_BASE_URL=model.url,
        ANTHROPIC_API_KEY="sk-ant-dummy",
        CLAUDE_CONFIG_DIR=str(home / ".claude"),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        DISABLE_TELEMETRY="1",
        DISABLE_ERROR_REPORTING="1",
        DISABLE_AUTOUPDATER="1",
        ENABLE_TOOL_SEARCH="false",
        PAIGE_PROVIDER="local",
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _reply(request: Recorded, script: tuple[Step, ...]) -> Reply:
    """The next tool of the script, then the end; whatever else is asked gets a word."""
    offered = [tool["name"] for tool in request.body.get("tools", [])]
    done = sum(
        block["type"] == "tool_result"
        for message in request.body.get("messages", [])
        if isinstance(message["content"], list)
        for block in message["content"]
    )
    if done < len(script):
        step = script[done]
        name = next((each for each in offered if each.endswith(f"__{step.tool}")), None)
        if name is not None:
            return ANTHROPIC.tool_stream(f"toolu_{done:02}", name, json.dumps(step.arguments))
    if request.body.get("stream"):
        return ANTHROPIC.text_stream("All done.")
    return ANTHROPIC.answer("All done.")


def _conversation(model: ServedModel) -> list[Recorded]:
    """The requests that offer tools: those of the conversation itself."""
    return [request for request in model.requests if request.body.get("tools")]


@given(st.lists(st.text(max_size=200) | st.sampled_from(['{"type": "user"}', "[]", "{"])))
def test_any_transcript_can_be_condensed(lines: list[str]) -> None:
    assert len(condense(lines, 500)) <= 500


def test_a_transcript_keeps_who_said_what_and_leaves_out_the_rest() -> None:
    tool = {"type": "tool_use", "name": "Bash", "input": {}}
    result = {"type": "tool_result", "content": "a very long output"}
    lines = [
        {"type": "summary", "summary": "x"},
        {"type": "user", "message": {"role": "user", "content": "Why?"}},
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "Look."}, tool]},
        },
        {"type": "user", "message": {"role": "user", "content": [result]}},
        {"type": "user", "isMeta": True, "message": {"role": "user", "content": "meta"}},
        {"type": "user", "message": {"role": "user", "content": "y" * 5000}},
    ]
    said = condense([json.dumps(line) for line in lines]).splitlines()

    assert said[:2] == ["Person: Why?", "Coach: Look. [used Bash]"]
    assert len(said) == 3
    assert len(said[2]) < MOST_TEXT + 20
