"""The edges of the coach's tools: what is refused, what is harmless, what they say of it all."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client

from tests.live import Live, live_paige
from tests.mcp.at_work import STATE_ITEMS, at_work, of_type, planned

pytestmark = pytest.mark.anyio
READING = {
    "paige_get_buffer",
    "paige_get_open_files",
    "paige_get_diff",
    "paige_get_session_state",
}
SHOWING = {
    "paige_open_file",
    "paige_highlight_lines",
    "paige_clear_highlights",
    "paige_hint_files",
    "paige_clear_hints",
    "paige_update_phase",
    "paige_show_message",
    "paige_show_issue_context",
    "paige_run_coaching_pipeline",
    "paige_end_session",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that is coached on."""
    return tmp_path_factory.mktemp("edges")


@pytest.fixture(scope="module")
def paige(project: Path) -> Iterator[Live]:
    """A running server for all tests of this file; each begins with a clean desk."""
    with live_paige(project) as live:
        yield live


async def test_opening_a_file_that_is_open_brings_it_to_the_front(
    paige: Live, project: Path
) -> None:
    async with at_work(paige, project) as desk:
        path = desk.file("twice.py", "x = 1\n")
        await desk.window.send("file:open", path=path)
        await desk.window.wait("fs:content")
        await desk.call("paige_open_file", path=path)
        sent = await desk.window.wait("editor:open_file")
        opened = await desk.call("paige_get_open_files")

    assert sent["path"] == path
    assert opened == {"files": [path]}


@pytest.mark.parametrize(
    "path", ["../secret.txt", "/etc/passwd", "a/../../secret.txt", "..\\secret.txt", "a\0b", ""]
)
@pytest.mark.parametrize(
    ("tool", "more"),
    [
        ("paige_open_file", {}),
        ("paige_get_buffer", {}),
        ("paige_get_diff", {}),
        ("paige_highlight_lines", {"start": 1, "end": 1, "style": "hint"}),
        ("paige_clear_highlights", {}),
    ],
)
async def test_a_path_outside_the_project_is_refused(
    paige: Live, project: Path, tool: str, more: dict[str, Any], path: str
) -> None:
    (project.parent / "secret.txt").write_text("the secret", encoding="utf-8")
    async with at_work(paige, project) as desk:
        sentence = await desk.fails(tool, path=path, **more)
        frames = await desk.window.meanwhile()

    assert "the secret" not in sentence
    assert frames == []


async def test_a_path_outside_the_project_cannot_be_hinted_or_anchored(
    paige: Live, project: Path
) -> None:
    async with at_work(paige, project) as desk:
        await desk.start()
        await desk.fails("paige_hint_files", paths=["fine.py", "../secret.txt"], style="critical")
        anchor = {"path": "../secret.txt", "startLine": 1}
        await desk.fails("paige_show_message", message="x", type="hint", anchor=anchor)
        frames = await desk.window.meanwhile()

    assert frames == []


async def test_a_link_that_leads_out_is_refused(paige: Live, project: Path) -> None:
    outside = project.parent / "outside"
    outside.mkdir(exist_ok=True)
    (outside / "secret.txt").write_text("the secret", encoding="utf-8")
    link = project / "link"
    if not link.is_symlink():
        link.symlink_to(outside)
    async with at_work(paige, project) as desk:
        sentence = await desk.fails("paige_open_file", path="link/secret.txt")

    assert "the secret" not in sentence


async def test_an_absolute_path_inside_the_project_is_the_same_file(
    paige: Live, project: Path
) -> None:
    async with at_work(paige, project) as desk:
        path = desk.file("src/absolute.py", "x = 1\n")
        value = await desk.call("paige_open_file", path=str(project / path))

    assert value == {"success": True, "path": path}


async def test_a_file_that_is_not_open_can_be_highlighted(paige: Live, project: Path) -> None:
    async with at_work(paige, project) as desk:
        await desk.call("paige_highlight_lines", path="closed.py", start=1, end=3, style="warning")
        sent = await desk.window.wait("editor:highlight_lines")
        opened = await desk.call("paige_get_open_files")

    assert sent["path"] == "closed.py"
    assert opened == {"files": []}


async def test_a_phase_that_does_not_exist_is_named_with_those_that_do(
    paige: Live, project: Path
) -> None:
    async with at_work(paige, project) as desk:
        session = await desk.start()
        without = await desk.fails("paige_update_phase", phase=1, status="active")
        await planned(desk, session)
        unknown = await desk.fails("paige_update_phase", phase=9, status="active")
        wrong = await desk.fails("paige_update_phase", phase=1, status="done")
        frames = await desk.window.meanwhile()

    assert "no plan" in without
    assert "phase 9" in unknown
    assert "1, 2" in unknown
    assert wrong.startswith("`paige_update_phase` cannot use `status`")
    assert of_type(frames, "coaching:phase_update") == []


async def test_a_phase_that_has_the_status_already_stays_as_it_is(
    paige: Live, project: Path
) -> None:
    async with at_work(paige, project) as desk:
        await planned(desk, await desk.start())
        first = await desk.call("paige_update_phase", phase=1, status="active")
        await desk.window.wait("coaching:phase_update")
        mark = desk.logged()
        again = await desk.call("paige_update_phase", phase=1, status="active")
        frames = await desk.window.meanwhile()
        logged = desk.actions(since=mark)

    assert again == first
    assert [each["type"] for each in logged] == ["mcp_tool_call"]
    assert frames == []


@pytest.mark.parametrize("include", [[], None])
async def test_an_empty_list_of_items_means_all(
    paige: Live, project: Path, include: list[str] | None
) -> None:
    async with at_work(paige, project) as desk:
        await desk.start()
        value = await desk.call("paige_get_session_state", include=include)

    assert set(value) == STATE_ITEMS


async def test_without_a_plan_plan_and_phase_are_null(paige: Live, project: Path) -> None:
    async with at_work(paige, project) as desk:
        await desk.start()
        value = await desk.call("paige_get_session_state", include=["plan", "phase", "hints"])

    nothing = {"fileHints": [], "lineHints": []}
    assert value == {"plan": None, "phase": None, "hints": nothing}


async def test_without_unsaved_changes_there_are_no_diffs(paige: Live, project: Path) -> None:
    async with at_work(paige, project) as desk:
        path = desk.file("clean.py", "x = 1\n")
        every = await desk.call("paige_get_diff")
        one = await desk.call("paige_get_diff", path=path)

    assert every == one == {"diffs": []}


async def test_tools_work_while_no_window_is_connected(paige: Live, project: Path) -> None:
    (project / "alone.py").write_text("x = 1\n", encoding="utf-8")
    async with Client(f"{paige.url}/mcp") as agent:
        read = await agent.call_tool("paige_get_diff", {})
        shown = await agent.call_tool("paige_open_file", {"path": "alone.py"})
        cleared = await agent.call_tool("paige_clear_hints", {})

    assert [read.is_error, shown.is_error, cleared.is_error] == [False] * 3


async def test_rapid_highlights_all_arrive(paige: Live, project: Path) -> None:
    lines = range(1, 41)
    async with at_work(paige, project) as desk:
        await desk.start()
        mark = desk.logged()
        async with anyio.create_task_group() as tasks:
            for line in lines:
                tasks.start_soon(_highlight, desk.agent, line)
        sent = of_type(await desk.window.meanwhile(), "editor:highlight_lines")
        logged = desk.actions("decorations_applied", "mcp_tool_call", since=mark)

    assert sorted(each["start"] for each in sent) == list(lines)
    assert len(logged) == 2 * len(lines)


async def _highlight(agent: Client, line: int) -> None:
    lines = {"path": "rapid.py", "start": line, "end": line, "style": "focus"}
    result = await agent.call_tool("paige_highlight_lines", lines)
    assert not result.is_error


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("paige_get_buffer", {}, "`paige_get_buffer` cannot use `path`: Field required"),
        ("paige_get_session_state", {"include": ["moon"]}, "cannot use `include.0`"),
        (
            "paige_highlight_lines",
            {"path": "a.py", "start": 3, "end": 2, "style": "focus"},
            "`end` (2) is before `start` (3)",
        ),
        ("paige_highlight_lines", {"path": "a.py", "start": 0, "end": 2, "style": "x"}, "`start`"),
        ("paige_hint_files", {}, "`hints` must name at least one file"),
        (
            "paige_hint_files",
            {"paths": ["a"], "style": "x", "hints": [{"path": "a", "style": "x"}]},
            "send one of them",
        ),
        ("paige_show_message", {"message": "", "type": "info"}, "cannot use `message`"),
        ("paige_open_file", {"path": "a.py", "mode": "w"}, "cannot use `mode`"),
    ],
)
async def test_wrong_arguments_are_named_and_logged(
    paige: Live, project: Path, tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    async with at_work(paige, project) as desk:
        mark = desk.logged()
        said = await desk.fails(tool, **arguments)
        [logged] = desk.actions(since=mark)

    assert sentence in said
    assert logged["data"]["error"] == said


async def test_every_tool_is_described_for_people_and_programs(paige: Live) -> None:
    async with Client(f"{paige.url}/mcp") as agent:
        tools = {tool.name: tool for tool in (await agent.list_tools()).tools}

    assert set(tools) >= READING | SHOWING
    for name in READING | SHOWING:
        tool = tools[name]
        hints = tool.annotations
        assert hints is not None
        assert hints.title
        assert tool.description
        assert hints.read_only_hint is (name in READING)
        assert (hints.destructive_hint, hints.open_world_hint) == (False, False)
        assert hints.idempotent_hint is not None
        assert tool.input_schema["type"] == "object"
        assert tool.output_schema is None  # agents pay for every word; the reference page has it


async def test_no_tool_writes_a_file(paige: Live, project: Path) -> None:
    async with at_work(paige, project) as desk:
        path = desk.file("mine.py", "x = 1\n")
        before = _files(project)
        await planned(desk, await desk.start())
        await desk.edit(path, "y = 2\n")
        await desk.call("paige_open_file", path=path)
        await desk.call("paige_highlight_lines", path=path, start=1, end=1, style="focus")
        await desk.call("paige_hint_files", paths=[path, "new.py"], style="important")
        await desk.call("paige_update_phase", phase=1, status="active")
        await desk.call("paige_show_message", message="Look", type="hint")
        await desk.call("paige_show_issue_context", title="An issue")
        await desk.call("paige_get_session_state")
        after = _files(project)

    assert after == before


def _files(project: Path) -> dict[str, str]:
    return {
        str(path): path.read_text(encoding="utf-8")
        for path in project.rglob("*")
        if path.is_file() and ".paige" not in path.parts
    }


async def test_the_agents_own_ids_are_logged(paige: Live, project: Path) -> None:
    async with at_work(paige, project) as desk:
        mark = desk.logged()
        turn = {"session_id": "thread-1", "turn_id": "turn-9", "model": "m"}
        for meta in (
            {"claudecode/toolUseId": "toolu_01"},
            {"callId": "call_7", "x-codex-turn-metadata": turn},
            {"claudecode/toolUseId": "x" * 10_000, "x-codex-turn-metadata": "odd"},
        ):
            _call_with_meta(paige.url, meta)
        logged = [each["data"] for each in desk.actions("mcp_tool_call", since=mark)]

    [session] = {each.pop("sessionId") for each in logged}
    assert len(session.replace("-", "")) == 32
    name = "paige_get_open_files"
    assert logged == [
        {"toolName": name, "toolUseId": "toolu_01"},
        {
            "toolName": name,
            "toolUseId": "call_7",
            "agentSessionId": "thread-1",
            "turnId": "turn-9",
        },
        {"toolName": name},
    ]


_SESSIONS: dict[str, str] = {}


def _call_with_meta(url: str, meta: dict[str, Any]) -> None:
    """Call a tool as a client of the handshake era does, byte by byte."""
    headers = {"accept": "application/json, text/event-stream"}
    if url not in _SESSIONS:
        about = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"},
        }
        opened = _post(url, headers, "initialize", about)
        _SESSIONS[url] = opened.headers["mcp-session-id"]
        ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        httpx2.post(f"{url}/mcp", headers={**headers, **_session(url)}, json=ready)
    params = {"name": "paige_get_open_files", "arguments": {}, "_meta": meta}
    _post(url, {**headers, **_session(url)}, "tools/call", params)


def _session(url: str) -> dict[str, str]:
    return {"mcp-session-id": _SESSIONS[url]}


def _post(url: str, headers: dict[str, str], method: str, params: object) -> httpx2.Response:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    answer = httpx2.post(f"{url}/mcp", headers=headers, json=body)
    assert answer.status_code == 200, answer.text
    return answer


async def test_calls_of_all_tools_are_logged_with_the_mcp_session(
    paige: Live, project: Path
) -> None:
    async with at_work(paige, project, "legacy") as desk:
        mark = desk.logged()
        await desk.call("paige_setup")
        await desk.call("memory_search", query="anything")
        logged = [each["data"] for each in desk.actions("mcp_tool_call", since=mark)]

    assert [each["toolName"] for each in logged] == ["paige_setup", "memory_search"]
    assert logged[0]["sessionId"] == logged[1]["sessionId"] is not None
