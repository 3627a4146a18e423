"""The coach's tools as a coding agent uses them: the real server, its real `/mcp` and `/ws`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.live import Live, live_paige
from tests.mcp.at_work import MODES, STATE_ITEMS, Desk, Mode, at_work, of_type, planned

pytestmark = pytest.mark.anyio
AUTH = "export const a = 1;\nexport const b = 2;\n"
both_eras = pytest.mark.parametrize("mode", MODES)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that is coached on."""
    return tmp_path_factory.mktemp("coached")


@pytest.fixture(scope="module")
def paige(project: Path) -> Iterator[Live]:
    """A running server for all tests of this file; each begins with a clean desk."""
    with live_paige(project) as live:
        yield live


# --- reading --------------------------------------------------------------------------------------


@both_eras
async def test_scenario_6_1_a_dirty_buffer_is_returned(
    paige: Live, project: Path, mode: Mode
) -> None:
    async with at_work(paige, project, mode) as desk:
        path = desk.file("src/auth.ts", AUTH)
        await desk.edit(path, "changed\n", line=3)
        value = await desk.call("paige_get_buffer", path=path)

    assert value.pop("lastUpdated").endswith("Z")
    assert value == {
        "path": path,
        "content": "changed\n",
        "cursorPosition": {"line": 3, "column": 1},
        "dirty": True,
    }


@both_eras
async def test_scenario_6_2_without_a_buffer_the_answer_is_null(
    paige: Live, project: Path, mode: Mode
) -> None:
    async with at_work(paige, project, mode) as desk:
        result = await desk.agent.call_tool("paige_get_buffer", {"path": "unknown.ts"})

    assert not result.is_error
    assert result.content[0].text == "null"
    assert result.structured_content == {"result": None}


@both_eras
async def test_scenario_6_3_open_files_of_both_sources(
    paige: Live, project: Path, mode: Mode
) -> None:
    paths = [f"src/open{number}.ts" for number in range(4)]
    async with at_work(paige, project, mode) as desk:
        for path in paths:
            desk.file(path, AUTH)
        for path in paths[:3]:
            await desk.window.send("file:open", path=path)
            await desk.window.wait("fs:content")
        await desk.call("paige_open_file", path=paths[3])
        opened = await desk.call("paige_get_open_files")
        await desk.window.send("file:close", path=paths[1])
        await desk.window.meanwhile()
        left = await desk.call("paige_get_open_files")

    assert opened == {"files": paths}
    assert left == {"files": [paths[0], paths[2], paths[3]]}


async def test_scenario_6_4_the_diff_of_one_file(paige: Live, project: Path) -> None:
    async with at_work(paige, project) as desk:
        path = desk.file("src/diff.ts", AUTH)
        await desk.edit(path, AUTH.replace("b = 2", "b = 3"))
        value = await desk.call("paige_get_diff", path=path)

    [only] = value["diffs"]
    assert only["path"] == path
    lines = only["diff"].splitlines()
    assert lines[:2] == [f"--- a/{path}", f"+++ b/{path}"]
    assert "-export const b = 2;" in lines
    assert "+export const b = 3;" in lines


async def test_scenario_6_5_the_diffs_of_all_dirty_files(paige: Live, project: Path) -> None:
    async with at_work(paige, project) as desk:
        paths = [desk.file(f"src/all{number}.ts", AUTH) for number in range(3)]
        for path in paths:
            await desk.edit(path, f"{AUTH}more\n")
        await desk.window.send("file:save", path=paths[2], content=f"{AUTH}more\n")
        await desk.window.wait("fs:save_ack")
        value = await desk.call("paige_get_diff")

    assert sorted(each["path"] for each in value["diffs"]) == paths[:2]
    assert all("+more" in each["diff"] for each in value["diffs"])


@both_eras
async def test_scenario_6_6_only_the_items_that_are_asked_for(
    paige: Live, project: Path, mode: Mode
) -> None:
    async with at_work(paige, project, mode) as desk:
        path = desk.file("src/auth.ts", AUTH)
        stored = await planned(desk, await desk.start())
        await desk.edit(path, "changed\n")
        await desk.call("paige_update_phase", phase=1, status="active")
        value = await desk.call("paige_get_session_state", include=["phase", "diffs"])

    assert set(value) == {"phase", "diffs"}
    assert value["phase"] == {
        "id": stored.phases[0].id,
        "number": 1,
        "title": "Read",
        "status": "active",
        "hintLevel": "line",
    }
    assert [each["path"] for each in value["diffs"]] == [path]


@both_eras
async def test_scenario_6_7_all_items_without_a_filter(
    paige: Live, project: Path, mode: Mode
) -> None:
    async with at_work(paige, project, mode) as desk:
        path = desk.file("src/auth.ts", AUTH)
        session = await desk.start(issue=12)
        stored = await planned(desk, session)
        await desk.call("paige_open_file", path=path)
        await desk.call("paige_update_phase", phase=1, status="active")
        value = await desk.call("paige_get_session_state")

    assert set(value) == STATE_ITEMS
    assert value["open_files"] == [path]
    assert value["progress"] == []
    assert value["plan"] == {
        "id": stored.plan.id,
        "phases": [
            {"number": 1, "title": "Read", "status": "active"},
            {"number": 2, "title": "Write", "status": "pending"},
        ],
    }
    assert value["hints"]["fileHints"] == [{"path": path, "style": "important"}]
    [line] = value["hints"]["lineHints"]
    assert (line["path"], line["start"], line["end"], line["hoverText"]) == (
        path,
        1,
        2,
        "Look here",
    )
    about = value["session"]
    assert (about["id"], about["issueNumber"], about["issueTitle"]) == (session, 12, "Issue 12")
    assert about["projectDir"] == str(project)


# --- showing --------------------------------------------------------------------------------------


@both_eras
async def test_scenario_6_8_a_file_is_opened(paige: Live, project: Path, mode: Mode) -> None:
    async with at_work(paige, project, mode) as desk:
        path = desk.file("src/shown.ts", AUTH)
        session = await desk.start()
        mark = desk.logged()
        value = await desk.call("paige_open_file", path=path)
        shown = await desk.window.wait("editor:open_file")
        [logged] = desk.actions(since=mark)
        opened = await desk.call("paige_get_open_files")

    assert value == {"success": True, "path": path}
    assert shown["content"] == AUTH
    assert (shown["path"], shown["language"], shown["lineCount"]) == (path, "typescript", 2)
    assert opened == {"files": [path]}
    assert (logged["type"], logged["session"]) == ("mcp_tool_call", session)
    assert logged["data"]["toolName"] == "paige_open_file"
    assert (logged["data"]["sessionId"] is None) is (mode == "auto")


async def test_scenario_6_9_highlights_accumulate(paige: Live, project: Path) -> None:
    async with at_work(paige, project) as desk:
        path = desk.file("src/lit.ts", AUTH)
        await desk.start()
        mark = desk.logged()
        for line, text in ((1, "First"), (2, None)):
            await desk.call(
                "paige_highlight_lines",
                path=path,
                start=line,
                end=line,
                style="focus",
                hoverText=text,
            )
        frames = await desk.window.meanwhile()
        logged = desk.actions(since=mark)
        # Selecting inside the first one still gives its text: the second did not replace it.
        where = {"startLine": 1, "startCol": 1, "endLine": 1, "endCol": 5}
        await desk.window.send("editor:selection", path=path, range=where, textLength=4)
        hover = await desk.window.wait("editor:hover_hint")

    sent = of_type(frames, "editor:highlight_lines")
    assert [(each["start"], each["end"], each["style"]) for each in sent] == [
        (1, 1, "focus"),
        (2, 2, "focus"),
    ]
    assert [each.get("hoverText") for each in sent] == ["First", None]
    types = [each["type"] for each in logged]
    assert types == ["decorations_applied", "mcp_tool_call"] * 2
    assert logged[0]["data"] == {"path": path, "count": 1}
    assert hover["hintText"] == "First"


async def test_scenario_6_10_highlights_are_cleared_by_file_and_all(
    paige: Live, project: Path
) -> None:
    async with at_work(paige, project) as desk:
        first, second = (desk.file(f"src/clear{number}.ts", AUTH) for number in (1, 2))
        session = await desk.start()
        for path in (first, second):
            await desk.call("paige_highlight_lines", path=path, start=1, end=2, style="hint")
        assert await desk.call("paige_clear_highlights", path=first) == {"success": True}
        [one] = of_type(await desk.window.meanwhile(), "editor:clear_highlights")
        left = await _decorated(desk, session)
        await desk.call("paige_clear_highlights")
        [all_of_them] = of_type(await desk.window.meanwhile(), "editor:clear_highlights")
        none = await _decorated(desk, session)

    assert one["path"] == first
    assert left == [second]
    assert all_of_them == {}
    assert none == []


async def _decorated(desk: Desk, session: str) -> list[str]:
    """The files with highlights, as a resumed session sends them again."""
    await desk.window.send("session:resume", sessionId=session)
    before = await desk.window.until("session:resumed")
    frames = [*before, *await desk.window.meanwhile()]
    return [each["path"] for each in of_type(frames, "editor:decorations")]


@pytest.mark.parametrize(
    "arguments",
    [
        {"paths": ["src/auth.ts", "src/handlers/oauth.ts"], "style": "suggested"},
        {
            "hints": [
                {"path": "src/auth.ts", "style": "suggested"},
                {"path": "src/handlers/oauth.ts", "style": "suggested"},
            ]
        },
    ],
    ids=["paths", "hints"],
)
async def test_scenario_6_11_files_are_hinted(
    paige: Live, project: Path, arguments: dict[str, Any]
) -> None:
    paths = ["src/auth.ts", "src/handlers/oauth.ts"]
    async with at_work(paige, project) as desk:
        for path in paths:
            desk.file(path, AUTH)
        await desk.start()
        mark = desk.logged()
        value = await desk.call("paige_hint_files", **arguments)
        sent = await desk.window.wait("explorer:hint_files")
        logged = desk.actions(since=mark)

    assert value == {"success": True, "paths": paths}
    assert [(hint["path"], hint["style"]) for hint in sent["hints"]] == [
        (path, "suggested") for path in paths
    ]
    assert [each["type"] for each in logged] == ["file_hints_applied", "mcp_tool_call"]
    assert logged[0]["data"] == {"paths": paths}


async def test_scenario_6_12_hints_are_cleared(paige: Live, project: Path) -> None:
    async with at_work(paige, project) as desk:
        await desk.call("paige_hint_files", paths=["src/auth.ts"], style="critical")
        assert await desk.call("paige_clear_hints") == {"success": True}
        frames = await desk.window.meanwhile()

    assert [frame["type"] for frame in frames] == ["explorer:hint_files", "explorer:clear_hints"]


# --- sessions and phases --------------------------------------------------------------------------


@both_eras
async def test_scenario_6_13_a_phase_is_activated(paige: Live, project: Path, mode: Mode) -> None:
    async with at_work(paige, project, mode) as desk:
        session = await desk.start()
        phase = (await planned(desk, session)).phases[0]
        mark = desk.logged()
        value = await desk.call("paige_update_phase", phase=1, status="active")
        sent = await desk.window.wait("coaching:phase_update")
        logged = desk.actions(since=mark)
        row = desk.row("SELECT status, started_at FROM phases WHERE id = ?", phase.id)

    about = {"id": phase.id, "number": 1, "title": "Read", "status": "active"}
    assert value == {"success": True, "phase": about}
    assert (row[0], row[1] is not None) == ("active", True)
    assert (sent["phase"], sent["status"], sent["title"]) == (1, "active", "Read")
    assert sent["description"] == "Read the file first."
    assert [each["type"] for each in logged] == ["phase_started", "mcp_tool_call"]
    assert logged[0]["data"] == {"phaseId": phase.id, "phaseNumber": 1, "title": "Read"}
    assert {each["session"] for each in logged} == {session}


async def test_scenario_6_14_a_phase_is_completed(paige: Live, project: Path) -> None:
    async with at_work(paige, project) as desk:
        phase = (await planned(desk, await desk.start())).phases[0]
        await desk.call("paige_update_phase", phase=1, status="active")
        mark = desk.logged()
        value = await desk.call("paige_update_phase", phase=1, status="complete")
        logged = desk.actions(since=mark)
        row = desk.row("SELECT status, completed_at FROM phases WHERE id = ?", phase.id)

    assert value["phase"]["status"] == "complete"
    assert (row[0], row[1] is not None) == ("complete", True)
    assert [each["type"] for each in logged] == ["phase_completed", "mcp_tool_call"]


@both_eras
async def test_scenario_6_15_a_message_is_shown(paige: Live, project: Path, mode: Mode) -> None:
    async with at_work(paige, project, mode) as desk:
        await desk.start()
        mark = desk.logged()
        value = await desk.call("paige_show_message", message="Nice work!", type="success")
        sent = await desk.window.wait("coaching:message")
        logged = desk.actions(since=mark)
        anchor = {"path": "src/auth.ts", "startLine": 2, "endLine": 3}
        await desk.call("paige_show_message", message="Here", type="hint", anchor=anchor)
        beside = await desk.window.wait("coaching:message")

    assert value == {"success": True}
    assert (sent["message"], sent["type"]) == ("Nice work!", "success")
    assert beside["anchor"] == anchor
    assert [each["type"] for each in logged] == ["coaching_message", "mcp_tool_call"]
    assert logged[0]["data"] == {"messageType": "success"}


async def test_scenario_6_16_the_issue_is_shown(paige: Live, project: Path) -> None:
    async with at_work(paige, project) as desk:
        await desk.start()
        mark = desk.logged()
        short = {"title": "Fix OAuth race condition", "summary": "Two requests at once."}
        await desk.call("paige_show_issue_context", **short)
        first = await desk.window.wait("coaching:issue_context")
        logged = desk.actions(since=mark)
        whole = {
            **short,
            "number": 42,
            "labels": ["bug"],
            "url": "https://example.org/issues/42",
        }
        await desk.call("paige_show_issue_context", **whole)
        second = await desk.window.wait("coaching:issue_context")

    assert {key: first[key] for key in short} == short
    assert [each["type"] for each in logged] == ["mcp_tool_call"]
    assert {key: second[key] for key in whole} == whole


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("paige_get_session_state", {}),
        ("paige_update_phase", {"phase": 1, "status": "active"}),
        ("paige_show_message", {"message": "Hello", "type": "info"}),
        ("paige_show_issue_context", {"title": "An issue"}),
        ("paige_run_coaching_pipeline", {"planText": "# Plan", "issueSummary": "It fails"}),
        ("paige_end_session", {"sessionTranscript": "We worked."}),
    ],
)
@both_eras
async def test_scenario_6_17_no_active_session(
    paige: Live, project: Path, tool: str, arguments: dict[str, Any], mode: Mode
) -> None:
    async with at_work(paige, project, mode) as desk:
        mark = desk.logged()
        sentence = await desk.fails(tool, **arguments)
        [logged] = desk.actions(since=mark)
        frames = await desk.window.meanwhile()

    assert sentence == "No active session"
    assert (logged["type"], logged["session"]) == ("mcp_tool_call", None)
    assert (logged["data"]["toolName"], logged["data"]["error"]) == (tool, "No active session")
    assert frames == []


@both_eras
async def test_scenario_6_18_non_existent_file(paige: Live, project: Path, mode: Mode) -> None:
    async with at_work(paige, project, mode) as desk:
        mark = desk.logged()
        sentence = await desk.fails("paige_open_file", path="src/nowhere.ts")
        [logged] = desk.actions(since=mark)
        frames = await desk.window.meanwhile()
        opened = await desk.call("paige_get_open_files")

    assert "src/nowhere.ts" in sentence
    assert logged["data"]["error"] == sentence
    assert frames == []
    assert opened == {"files": []}
