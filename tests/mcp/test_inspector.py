"""The protocol's inspector against the real server: every tool is listed and can be called."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.live import Live, live_paige, run_paige
from tests.mcp.clients import javascript, run_client

pytestmark = pytest.mark.clients
TOOL_FAILED = 5  # how the inspector ends when a tool answers with an error
FILE = "src/auth.py"
# Every tool, arguments that fit, and the beginning of what it says; the session is ended last.
CALLS: dict[str, tuple[dict[str, object], str]] = {
    "paige_setup": ({}, '{"version"'),
    "find_anything": ({"words": "anything"}, '{"hits"'),
    "memory_search": ({"query": "anything"}, '{"results"'),
    "memory_add": ({"text": "The inspector was here"}, '{"id"'),
    "read_log": ({"path": FILE, "mode": "tail"}, '{"path"'),
    "store_trace": (
        {"type": "decision", "event": {"what_happened": "Inspected"}, "id": "inspected"},
        '{"id": "inspected"',
    ),
    "query_traces": ({"query": "inspected"}, '{"items"'),
    "get_trace": ({"id": "inspected"}, '{"id": "inspected"'),
    "extract_patterns": ({}, '{"patterns"'),
    "create_guard": ({"why": "none"}, "There is neither a pattern nor a guard"),
    "paige_get_buffer": ({"path": FILE}, "null"),
    "paige_get_open_files": ({}, '{"files"'),
    "paige_get_diff": ({}, '{"diffs": []}'),
    "paige_get_session_state": ({"include": ["session", "plan"]}, '{"plan": null'),
    "paige_open_file": ({"path": FILE}, '{"success": true'),
    "paige_highlight_lines": (
        {"path": FILE, "start": 1, "end": 1, "style": "focus"},
        '{"success": true',
    ),
    "paige_clear_highlights": ({"path": FILE}, '{"success": true'),
    "paige_hint_files": ({"hints": [{"path": FILE, "style": "critical"}]}, '{"success": true'),
    "paige_clear_hints": ({}, '{"success": true'),
    "paige_update_phase": ({"phase": 1, "status": "active"}, "There is no phase 1"),
    "paige_show_message": ({"message": "Hello", "type": "info"}, '{"success": true'),
    "paige_show_issue_context": ({"title": "An issue", "number": 7}, '{"success": true'),
    "paige_run_coaching_pipeline": (
        {"planText": "# Plan", "issueSummary": "It fails"},
        '{"planId"',
    ),
    "study_next": ({"course": "how-memory-works"}, '{"session"'),
    "study_submit": (
        {"course": "how-memory-works", "step": 999, "skip": True},
        ("The session is at step", "No session is open"),  # as another test began one, or not
    ),
    "study_progress": ({}, '{"courses"'),
    "paige_end_session": (
        {"sessionTranscript": "We worked."},
        '{"knowledgeGaps"',
    ),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a file in it."""
    folder = tmp_path_factory.mktemp("inspected")
    (folder / FILE).parent.mkdir()
    (folder / FILE).write_text("x = 1\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def paige(project: Path) -> Iterator[Live]:
    """A running server with a session that another process has started."""
    with live_paige(project) as live:
        started = run_paige(project, "coach", "start", "--issue", "7", PROJECT_DIR=str(project))
        assert started.returncode == 0, started.stderr
        yield live


def inspect(paige: Live, home: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the inspector's command line."""
    program = javascript("@modelcontextprotocol", "inspector", "clients/launcher/build/index.js")
    return run_client(
        [*program, "--cli", f"{paige.url}/mcp", "--transport", "http", *options], home
    )


def listed(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    """The tools that the inspector printed."""
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)["tools"]


def test_the_inspector_lists_every_tool_and_finds_no_fault(paige: Live, tmp_path: Path) -> None:
    done = inspect(paige, tmp_path, "--method", "tools/list", "--strict")

    tools = listed(done)
    assert {tool["name"] for tool in tools} == set(CALLS)
    assert "warning" not in done.stderr.lower()
    assert all(tool["annotations"]["title"] for tool in tools)


@pytest.mark.parametrize("name", CALLS)
def test_the_inspector_calls_the_tool(paige: Live, tmp_path: Path, name: str) -> None:
    arguments, beginning = CALLS[name]
    given = [f"{key}={_argument(value)}" for key, value in arguments.items()]
    options = ["--method", "tools/call", "--tool-name", name]
    done = inspect(paige, tmp_path, *options, *(["--tool-arg", *given] if given else []))

    answer = json.loads(done.stdout)
    assert answer["content"][0]["text"].startswith(beginning)
    assert done.returncode == (TOOL_FAILED if answer.get("isError") else 0)


def _argument(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def test_the_inspector_signs_in_with_the_passcode(tmp_path: Path) -> None:
    with live_paige(tmp_path, PAIGE_PASSCODE="open sesame") as locked:
        assert httpx2.post(f"{locked.url}/mcp", json={}).status_code == 401
        header = ["--header", "Authorization: Bearer open sesame"]
        tools = listed(inspect(locked, tmp_path, "--method", "tools/list", *header))

    assert len(tools) == len(CALLS)
