"""The coach over a real socket of the real program: files, typing, the log, the protocol."""

import json
import os
import subprocess
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.sync.client import connect

from paige.base.actor import Actor
from paige.coach.log.queries import budget, last_action, recent_actions
from paige.coach.records import Action
from paige.models.log import ApiCall
from paige.models.queries import insert_api_call
from paige.store.engine import open_sqlite
from tests.conftest import NOON
from tests.live import Live, live_paige
from tests.server.windows import SIZE, Window, window

ME = Actor()


@dataclass(frozen=True)
class Ground:
    """A running server, its project, and its database."""

    live: Live
    project: Path
    database: Path

    def actions(self, session_id: str, **wanted: Any) -> list[Action]:
        """What was logged in a session, in order."""
        return self.read(recent_actions, session_id, limit=500, **wanted)[::-1]

    def read(self, query: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        """Ask the database of the server."""
        with (
            closing(open_sqlite(self.database)) as database,
            database.transaction(write=False) as connection,
        ):
            return query(connection, ME, *arguments, **more)


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    """A server for this file; every test begins a session of its own."""
    folder = tmp_path_factory.mktemp("coach")
    project = folder / "project"
    (project / "src").mkdir(parents=True)
    (project / "node_modules").mkdir()
    (project / "node_modules" / "hidden.js").write_text("x")
    issues = [{"number": 4, "title": "Sum", "body": "It is wrong", "labels": [{"name": "bug"}]}]
    (project / "issues.json").write_text(json.dumps(issues))
    data = folder / "data"
    with live_paige(folder, PROJECT_DIR=str(project), DATA_DIR=str(data)) as live:
        wait_for_watcher(live, project)
        yield Ground(live, project, data / "paige.db")


def wait_for_watcher(live: Live, project: Path) -> None:
    """The server is ready before it watches: change a file until it notices."""
    probe = project / "probe"
    with window(live.ws) as wire:
        for number in range(100):
            probe.write_text(str(number))
            with suppress(TimeoutError):
                wire.socket.recv(timeout=0.2)
                break
    probe.unlink()


@pytest.fixture
def wire(ground: Ground) -> Iterator[Window]:
    """A window on it."""
    with window(ground.live.ws) as opened:
        yield opened


@pytest.fixture
def file(ground: Ground, request: pytest.FixtureRequest) -> str:
    """A file of this test's own."""
    path = f"src/{zlib.crc32(request.node.name.encode()):x}.py"
    (ground.project / path).write_text("one = 1\ntwo = 2\n")
    return path


def typed(path: str, content: str) -> dict[str, Any]:
    where = {"line": 2, "column": 3}
    return {"path": path, "content": content, "cursorPosition": where, "selections": []}


# ---- files ----


def test_scenario_3_1_file_read(wire: Window, file: str) -> None:
    shown = wire.ask("file:open", {"path": file}, answer="fs:content")

    assert shown == {
        "path": file,
        "content": "one = 1\ntwo = 2\n",
        "language": "python",
        "lineCount": 2,
    }


def test_scenario_3_2_file_write(ground: Ground, wire: Window, file: str) -> None:
    wire.start_session()
    wire.send("buffer:update", typed(file, "one = 11\n"))
    saved = wire.ask("file:save", {"path": file, "content": "one = 11\n"}, answer="fs:save_ack")
    wire.send("user:review", {})  # asks for the unsaved work
    diffs = state(ground)

    assert saved["path"] == file
    assert saved["success"] is True
    assert saved["timestamp"] > 0
    assert (ground.project / file).read_text() == "one = 11\n"
    assert diffs == []


def state(ground: Ground) -> list[dict[str, str]]:
    """The unsaved changes, as MCP tells them."""
    return call_tool(ground, "paige_get_diff", {})["diffs"]


def call_tool(ground: Ground, name: str, arguments: dict[str, Any]) -> Any:
    """Call a tool as a coding CLI of the stateless era does."""
    version = "2026-07-28"
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": name, "arguments": arguments, "_meta": meta}
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": version,
        "mcp-method": "tools/call",
        "mcp-name": name,
    }
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    answer = httpx2.post(f"{ground.live.url}/mcp", json=request, headers=headers, timeout=20)
    assert answer.status_code == 200, answer.text
    text = answer.text
    if text.startswith(("event:", "data:")):
        text = next(line[5:] for line in text.splitlines() if line.startswith("data:"))
    result = json.loads(text)["result"]
    assert not result.get("isError"), result
    return json.loads(result["content"][0]["text"])


def test_scenario_3_3_buffer_cache_update(ground: Ground, wire: Window, file: str) -> None:
    wire.send("buffer:update", typed(file, "one = 3\n"))
    wire.settle()
    kept = call_tool(ground, "paige_get_buffer", {"path": file})

    assert kept["content"] == "one = 3\n"
    assert kept["cursorPosition"] == {"line": 2, "column": 3}
    assert kept["dirty"] is True
    assert kept["lastUpdated"].endswith("Z")


def test_scenario_3_4_buffer_cache_read(ground: Ground, wire: Window, file: str) -> None:
    wire.send("buffer:update", typed(file, "one = 4\n"))
    wire.settle()

    assert call_tool(ground, "paige_get_buffer", {"path": file})["content"] == "one = 4\n"
    assert call_tool(ground, "paige_get_buffer", {"path": "src/never.py"}) is None


def test_scenario_3_5_diff_computation(ground: Ground, wire: Window, file: str) -> None:
    wire.send("buffer:update", typed(file, "one = 5\ntwo = 2\n"))
    wire.settle()
    (changed,) = call_tool(ground, "paige_get_diff", {"path": file})["diffs"]
    wire.ask("file:save", {"path": file, "content": "one = 5\ntwo = 2\n"}, answer="fs:save_ack")

    assert changed["path"] == file
    assert "-one = 1\n+one = 5\n" in changed["diff"]
    assert call_tool(ground, "paige_get_diff", {"path": file})["diffs"] == []


def test_scenario_3_6_project_tree_scan(wire: Window, file: str) -> None:
    tree = wire.ask("fs:request_tree", {}, answer="fs:tree")
    root = tree["root"]
    names = [child["name"] for child in root["children"]]
    source = next(child for child in root["children"] if child["name"] == "src")

    assert set(tree) == {"root"}
    assert names == ["src", "issues.json"]
    assert root["children"][-1] == {"name": "issues.json", "path": "issues.json", "type": "file"}
    assert file in [child["path"] for child in source["children"]]


@pytest.mark.parametrize("what", ["add", "change", "unlink"])
def test_scenario_3_7_file_watcher_initialization(ground: Ground, wire: Window, what: str) -> None:
    path = f"src/watched-{what}.py"
    change(ground.project / path, what, before=lambda: wait_for(wire, path, "add"))
    update = wait_for(wire, path, what)

    assert update == {"action": what, "path": path}


def change(path: Path, what: str, before: Callable[[], object]) -> None:
    path.write_text("new\n")
    if what == "add":
        return
    before()
    if what == "change":
        path.write_text("other\n")
    else:
        path.unlink()


def wait_for(wire: Window, path: str, action: str) -> Any:
    """The update of one path, among those of other tests."""
    for _ in range(500):
        update = wire.expect("fs:tree_update")
        if update["path"] == path and update["action"] == action:
            return update
    raise AssertionError(f"No {action} of {path}")


def test_scenario_3_8_file_watcher_detects_change(ground: Ground, wire: Window) -> None:
    script = "import sys; open(sys.argv[1], 'w').write('made by another program')"
    target = ground.project / "src" / "foreign.txt"
    subprocess.run(["python3", "-c", script, str(target)], check=True, timeout=20)

    assert wait_for(wire, "src/foreign.txt", "add")["path"] == "src/foreign.txt"


@pytest.mark.parametrize("path", ["../../etc/passwd", "/etc/passwd", "src/../../x", "a\\..\\..\\x"])
@pytest.mark.parametrize("message", ["file:open", "file:save", "file:close", "buffer:update"])
def test_scenario_3_9_path_traversal_rejection(wire: Window, message: str, path: str) -> None:
    wire.send(message, {**typed(path, "x"), "content": "x"})
    error = wire.expect("connection:error", "fs:save_error")
    sentence = error.get("message") or error["error"]

    assert path in sentence


def test_a_link_that_leads_out_of_the_project_is_refused(ground: Ground, wire: Window) -> None:
    os.symlink("/etc/passwd", ground.project / "src" / "link")
    error = wire.ask("file:open", {"path": "src/link"}, answer="connection:error")

    assert error["code"] == "REFUSED"


def test_a_binary_file_comes_flagged_and_empty(ground: Ground, wire: Window) -> None:
    (ground.project / "src" / "picture.png").write_bytes(b"\x89PNG\x00\x01")
    shown = wire.ask("file:open", {"path": "src/picture.png"}, answer="fs:content")

    assert (shown["binary"], shown["content"]) == (True, "")


def test_a_binary_file_has_no_buffer_and_no_diff(ground: Ground, wire: Window) -> None:
    wire.send("buffer:update", typed("src/typed.png", "text"))

    assert wire.settle() == []
    assert call_tool(ground, "paige_get_buffer", {"path": "src/typed.png"}) is None
    assert call_tool(ground, "paige_get_diff", {"path": "src/typed.png"}) == {"diffs": []}


def test_a_file_deleted_while_open_keeps_its_buffer(ground: Ground, wire: Window) -> None:
    file = "src/doomed.py"
    (ground.project / file).write_text("theirs = 1\n")
    wait_for(wire, file, "add")
    wire.ask("file:open", {"path": file}, answer="fs:content")
    wire.send("buffer:update", typed(file, "mine = 1\n"))
    wire.settle()
    (ground.project / file).unlink()
    wait_for(wire, file, "unlink")

    assert call_tool(ground, "paige_get_buffer", {"path": file})["content"] == "mine = 1\n"
    (changed,) = call_tool(ground, "paige_get_diff", {"path": file})["diffs"]
    assert "+mine = 1" in changed["diff"]
    wire.ask("file:save", {"path": file, "content": "mine = 1\n"}, answer="fs:save_ack")
    assert (ground.project / file).read_text() == "mine = 1\n"


def test_the_last_of_many_updates_wins(ground: Ground, wire: Window, file: str) -> None:
    for number in range(200):
        wire.send("buffer:update", typed(file, f"one = {number}\n"))
    wire.settle()

    assert call_tool(ground, "paige_get_buffer", {"path": file})["content"] == "one = 199\n"


# ---- the log ----


def test_scenario_4_1_action_logging(ground: Ground, wire: Window, file: str) -> None:
    session = wire.start_session(4)
    wire.ask("file:open", {"path": file}, answer="fs:content")
    first, last = ground.actions(session)

    assert (first.action_type, first.data) == ("session_started", {"issueNumber": 4})
    assert (last.action_type, last.data) == ("file_open", {"path": file})
    assert last.session_id == session
    assert last.created_at >= first.created_at


@pytest.mark.parametrize(
    ("size", "logged"), [(16 + 9, True), (16 + 8, False), (16 - 9, True), (16 + 501, True)]
)
def test_scenario_4_3_buffer_significant_change(
    ground: Ground, wire: Window, file: str, size: int, logged: bool
) -> None:
    session = wire.start_session()
    wire.ask("file:open", {"path": file}, answer="fs:content")  # 16 characters
    wire.send("buffer:update", typed(file, "x" * size))
    wire.settle()
    found = ground.actions(session, types=["buffer_significant_change"])

    expected = {"path": file, "previousCharCount": 16, "newCharCount": size, "delta": size - 16}
    assert [action.data for action in found] == ([expected] if logged else [])


@pytest.mark.parametrize(
    ("saved", "size", "before"), [(2000, 2600, 2000), (2000, 2100, None), (None, 600, 0)]
)
def test_typing_counts_from_what_is_saved_when_nobody_opened_the_file(
    ground: Ground, wire: Window, saved: int | None, size: int, before: int | None
) -> None:
    path = f"src/unopened-{saved}-{size}.py"
    if saved is not None:
        (ground.project / path).write_text("x" * saved)
    session = wire.start_session()
    wire.send("buffer:update", typed(path, "y" * size))
    wire.settle()
    found = ground.actions(session, types=["buffer_significant_change"])

    told = [action.data["previousCharCount"] for action in found if action.data]
    assert told == ([] if before is None else [before])


def test_scenario_4_4_api_call_logging(ground: Ground, wire: Window) -> None:
    session = wire.start_session()
    record_call(ground, session, "c1", cost=0.25, latency=100)
    spent = ground.read(budget, session)

    assert (spent.total_cost, spent.calls, spent.average_latency_ms) == (0.25, 1, 100)


def record_call(ground: Ground, session: str, id: str, *, cost: float, latency: int) -> None:
    call = ApiCall(
        id=f"{session}-{id}",
        session_id=session,
        call_type="explain",
        model="m-" + id[0],
        input_hash="0123456789abcdef",
        created_at=NOON,
        provider="test",
        latency_ms=latency,
        input_tokens=10,
        output_tokens=20,
        cost_estimate=cost,
    )
    with (
        closing(open_sqlite(ground.database)) as database,
        database.transaction(write=True) as connection,
    ):
        insert_api_call(connection, ME, call)


def test_scenario_4_5_observer_queries_recent_actions(
    ground: Ground, wire: Window, file: str
) -> None:
    session = wire.start_session()
    for _ in range(3):
        wire.ask("file:open", {"path": file}, answer="fs:content")
    wire.send("user:idle_end", {})
    wire.settle()
    newest = ground.read(recent_actions, session, limit=2)
    opens = ground.read(recent_actions, session, types=["file_open"])
    last = ground.read(last_action, session, "session_started")

    assert [action.action_type for action in newest] == ["idle_end", "file_open"]
    assert len(opens) == 3
    assert newest[0].created_at > last.created_at


def test_scenario_4_6_budget_aggregation(ground: Ground, wire: Window) -> None:
    session = wire.start_session()
    record_call(ground, session, "a1", cost=0.5, latency=100)
    record_call(ground, session, "a2", cost=0.25, latency=300)
    record_call(ground, session, "b1", cost=0.25, latency=200)
    record_call(ground, session, "b2", cost=0.0, latency=-1)
    spent = httpx2.get(f"{ground.live.url}/api/coach/budget").json()["session"]

    assert spent == {
        "totalCost": 1.0,
        "byModel": {"m-a": 0.75, "m-b": 0.25},
        "averageLatencyMs": 200.0,
        "calls": 4,
        "failed": 1,
    }


def test_scenario_4_8_session_end_cleanup(ground: Ground, wire: Window, file: str) -> None:
    session = wire.start_session()
    wire.ask("file:open", {"path": file}, answer="fs:content")
    wire.send("buffer:update", typed(file, "one = 1\ntwo = 22\n"))
    wire.end_session()
    wire.send("buffer:update", typed(file, "one = 1\ntwo = 222\n"))
    wire.settle()
    ended = [action for action in ground.actions(session) if action.action_type == "session_ended"]

    assert [action.data["status"] for action in ended if action.data] == ["completed"]
    assert ground.actions(session)[-1] == ended[0]


def test_an_action_without_a_session_is_discarded(ground: Ground, wire: Window, file: str) -> None:
    session = wire.start_session()
    wire.end_session()
    before = len(ground.actions(session))
    wire.send("editor:tab_switch", {"fromPath": None, "toPath": file})
    wire.send("hints:level_change", {"level": "line", "previousLevel": "none"})
    assert wire.settle() == []

    assert len(ground.actions(session)) == before


def test_fast_tab_switches_are_logged_one_by_one(ground: Ground, wire: Window) -> None:
    session = wire.start_session()
    for number in range(50):
        payload = {"fromPath": f"{number}.py", "toPath": f"{number + 1}.py"}
        wire.send("editor:tab_switch", payload)
    wire.settle()
    switches = ground.actions(session, types=["tab_switch"])

    assert [action.data["toPath"] for action in switches if action.data] == [
        f"{number}.py" for number in range(1, 51)
    ]


# ---- the protocol ----


def test_scenario_5_1_connection_handshake(ground: Ground, wire: Window) -> None:
    session = wire.start_session()
    with connect(ground.live.ws) as socket:
        other = Window(socket)
        payload = {"version": "2", "platform": "test", "windowSize": SIZE}
        init = other.ask("connection:hello", payload, answer="connection:init")

    assert init["sessionId"] == session
    assert {"file", "session", "terminal", "dashboard"} <= set(init["capabilities"])
    assert init["featureFlags"] == {"terminal": True}


def test_scenario_5_2_file_open_dispatch(ground: Ground, wire: Window, file: str) -> None:
    session = wire.start_session()
    wire.send("file:open", {"path": file}, id="mine")
    wire.expect("fs:content")

    assert wire.frames[-1]["id"] == "mine"
    assert ground.actions(session)[-1].action_type == "file_open"


def test_scenario_5_3_file_save_dispatch(ground: Ground, wire: Window, file: str) -> None:
    session = wire.start_session()
    wire.send("file:save", {"path": file, "content": "é = 1\n"}, id="mine")
    wire.expect("fs:save_ack")
    error = wire.ask("file:save", {"path": "src", "content": "x"}, answer="fs:save_error")

    assert ground.actions(session)[-1].data == {"path": file, "charCount": 6}
    assert error["path"] == "src"
    assert error["error"]


def test_scenario_5_4_buffer_update_dispatch(ground: Ground, wire: Window, file: str) -> None:
    session = wire.start_session()
    wire.ask("file:open", {"path": file}, answer="fs:content")
    wire.send("buffer:update", typed(file, "one = 1\ntwo = 3\n"))

    assert wire.settle() == []
    assert ground.actions(session)[-1].action_type == "file_open"


@pytest.mark.parametrize(
    ("message", "payload", "action", "data"),
    [
        (
            "editor:tab_switch",
            {"fromPath": "a.py", "toPath": "b.py"},
            "tab_switch",
            {"fromPath": "a.py", "toPath": "b.py"},
        ),
        (
            "editor:selection",
            {"path": "a.py", "range": {"startLine": 1, "endLine": 2}, "textLength": 9},
            "selection",
            {"path": "a.py", "range": {"startLine": 1, "endLine": 2}, "textLength": 9},
        ),
        (
            "hints:level_change",
            {"level": "line", "previousLevel": "file"},
            "hint_level_change",
            {"level": "line", "previousLevel": "file"},
        ),
        (
            "hints:level_change",
            {"level": 3, "previousLevel": 0},
            "hint_level_change",
            {"level": 3, "previousLevel": 0},
        ),
        (
            "user:idle_start",
            {"lastActionTimestamp": 1700000000000},
            "idle_start",
            {"lastActionTimestamp": 1700000000000},
        ),
        ("user:idle_end", {}, "idle_end", {}),
        ("file:close", {"path": "a.py"}, "file_close", {"path": "a.py"}),
        ("observer:mute", {"muted": True}, "observer_muted", {"muted": True}),
    ],
)
def test_scenario_5_5_action_loggable_messages(
    ground: Ground,
    wire: Window,
    message: str,
    payload: dict[str, Any],
    action: str,
    data: dict[str, Any],
) -> None:
    session = wire.start_session()
    wire.send(message, payload)
    wire.settle()
    logged = ground.actions(session)[-1]

    assert (logged.action_type, logged.data) == (action, data)


@pytest.mark.parametrize(
    "range",
    [
        {"startLine": 1, "startCol": 2, "endLine": 3, "endCol": 4},
        {"startLine": 1, "startColumn": 2, "endLine": 3, "endColumn": 4},
        {"startLineNumber": 1, "startColumn": 2, "endLineNumber": 3, "endColumn": 4},
        {"start": {"line": 1, "column": 2}, "end": {"line": 3, "character": 4}},
        {"start": 1, "end": 3},
    ],
)
def test_a_selection_is_logged_in_the_words_of_the_editor(
    ground: Ground, wire: Window, range: dict[str, Any]
) -> None:
    session = wire.start_session()
    wire.send("editor:selection", {"path": "a.py", "range": range, "textLength": 9})
    assert wire.settle() == []
    logged = ground.actions(session)[-1]

    assert logged.data == {"path": "a.py", "range": range, "textLength": 9}


def test_muting_without_a_session_changes_nothing(wire: Window) -> None:
    wire.start_session()
    wire.end_session()
    wire.send("observer:mute", {"muted": True})

    assert wire.settle() == []


@pytest.mark.parametrize(
    ("message", "payload"),
    [
        ("editor:scroll", {"path": "a.py"}),
        ("explorer:expand_dir", {"path": "src"}),
        ("explorer:collapse_dir", {"path": "src"}),
    ],
)
def test_what_is_too_noisy_is_taken_and_not_logged(
    ground: Ground, wire: Window, message: str, payload: dict[str, Any]
) -> None:
    session = wire.start_session()
    wire.send(message, payload)

    assert wire.settle() == []
    assert [action.action_type for action in ground.actions(session)] == ["session_started"]


def test_scenario_5_6_file_watcher_tree_update_broadcast(ground: Ground, wire: Window) -> None:
    with window(ground.live.ws) as other:
        (ground.project / "src" / "fresh.py").write_text("x")
        here = wait_for(wire, "src/fresh.py", "add")
        there = wait_for(other, "src/fresh.py", "add")

    assert here == there == {"action": "add", "path": "src/fresh.py"}


@pytest.mark.parametrize(
    ("message", "payload", "answer"),
    [
        (
            "user:explain",
            {"path": "a.py", "range": {"startLine": 1, "endLine": 1}, "selectedText": "x"},
            "explain:response",
        ),
        ("user:review", {}, "review:error"),
        (
            "practice:submit_solution",
            {"kataId": "k", "code": "x", "activeConstraints": []},
            "review:error",
        ),
        ("dashboard:refresh_issues", {}, "dashboard:issues"),
    ],
)
def test_scenario_5_7_stub_handler_response(
    wire: Window, message: str, payload: dict[str, Any], answer: str
) -> None:
    # Nothing is a stub any more: every message is answered, by rules where there is no model.
    assert "NOT_IMPLEMENTED" not in str(wire.ask(message, payload, answer=answer))


def test_the_dashboard_is_real_where_it_needs_no_model(wire: Window) -> None:
    session = wire.start_session(4)
    wire.send("dashboard:request", {"statsPeriod": "30d"})
    shown = wire.expect("dashboard:state")
    wire.expect("dashboard:dreyfus")
    issues = wire.expect("dashboard:issues")["issues"]

    assert shown["stats"]["period"] == "30d"
    assert session in [each["id"] for each in shown["inProgressSessions"]]
    assert [(each["number"], each["title"]) for each in issues] == [(4, "Sum")]


def test_scenario_5_8_unknown_message_type(wire: Window) -> None:
    wire.send("no:such_message", {"x": 1})

    assert wire.settle() == []


def test_scenario_5_9_broadcast_api(ground: Ground, wire: Window, file: str) -> None:
    with window(ground.live.ws) as other:
        call_tool(ground, "paige_open_file", {"path": file})
        here, there = wire.expect("editor:open_file"), other.expect("editor:open_file")

    assert here == there
    assert here["path"] == file


def test_scenario_5_10_connection_disconnect_cleanup(
    ground: Ground, wire: Window, file: str
) -> None:
    for _ in range(20):
        with window(ground.live.ws):
            pass
    with connect(ground.live.ws) as socket:
        socket.send("{")
    wire.send("file:open", {"path": file})

    assert wire.expect("fs:content")["path"] == file


@pytest.mark.parametrize("text", ["{", "[]", '{"payload": {}}', "\x00", '{"type": {}}'])
def test_a_malformed_frame_is_answered_and_the_connection_goes_on(wire: Window, text: str) -> None:
    wire.socket.send(text)

    assert wire.expect("connection:error")["code"] == "BAD_FRAME"
    assert wire.settle() == []


@pytest.mark.parametrize(
    ("message", "payload", "field"),
    [
        ("file:open", {}, "path"),
        ("file:save", {"path": "a.py"}, "content"),
        ("buffer:update", {"path": "a.py", "content": 5}, "content"),
        ("terminal:ready", {"cols": 0, "rows": 5}, "cols"),
        ("session:resume", {}, "sessionId"),
        ("dashboard:request", {"statsPeriod": "1y"}, "statsPeriod"),
        ("user:explain", {"path": "a.py", "selectedText": "x"}, "selection"),
    ],
)
def test_an_invalid_payload_names_the_field(
    wire: Window, message: str, payload: dict[str, Any], field: str
) -> None:
    error = wire.ask(message, payload, answer="connection:error")

    assert error["code"] == "INVALID_PAYLOAD"
    assert error["context"] == {"type": message, "field": field}


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "file:save", "payload": {"path": "a.py", "content": "\\ud800"}}',
        '{"type": "editor:tab_switch", "payload": {"fromPath": "\\uDFFF", "toPath": null}}',
        '{"type": "practice:open", "payload": {"kataId": "k"}, "id": "\\udc00"}',
    ],
)
def test_half_a_character_is_refused_at_the_door(wire: Window, text: str) -> None:
    wire.start_session()
    wire.socket.send(text)

    assert wire.expect("connection:error")["code"] == "BAD_FRAME"
    assert wire.settle() == []


def test_whole_characters_may_be_escaped(ground: Ground, wire: Window, file: str) -> None:
    wire.ask("file:save", {"path": file, "content": "🎈\n"}, answer="fs:save_ack")

    assert (ground.project / file).read_text(encoding="utf-8") == "🎈\n"


def test_several_windows_hear_the_same_and_only_the_asker_gets_its_id(
    ground: Ground, wire: Window, file: str
) -> None:
    with window(ground.live.ws) as other:
        wire.send("file:open", {"path": file}, id="mine")
        wire.expect("fs:content")
        other.expect("fs:content")

    assert wire.frames[-1]["id"] == "mine"
    assert "id" not in other.frames[-1]
    assert wire.frames[-1]["payload"] == other.frames[-1]["payload"]


def test_opening_a_file_that_does_not_exist_is_an_error_in_every_window(
    ground: Ground, wire: Window
) -> None:
    with window(ground.live.ws) as other:
        error = wire.ask("file:open", {"path": "src/no-such.py"}, answer="connection:error")
        there = other.expect("connection:error")

    assert error == there
    assert error["code"] == "NOT_FOUND"
    assert "src/no-such.py" in error["message"]


# ---- sessions ----


def test_a_start_tells_everything_in_order_and_ends_the_session_before(
    ground: Ground, wire: Window
) -> None:
    first = wire.start_session()
    wire.frames.clear()
    second = wire.start_session(4)
    types = [f["type"] for f in wire.frames if f["type"] != "fs:tree_update"]
    context = next(f["payload"] for f in wire.frames if f["type"] == "coaching:issue_context")
    ended = next(f["payload"] for f in wire.frames if f["type"] == "session:ended")

    assert types == [
        "session:ended",
        "session:started",
        "coaching:issue_context",
        "observer:status",
        "editor:clear_decorations",
        "explorer:clear_hints",
        "fs:tree",
    ]
    assert (ended["summary"]["sessionId"], ended["summary"]["status"]) == (first, "abandoned")
    assert context == {
        "number": 4,
        "title": "Sum",
        "summary": "It is wrong",
        "labels": ["bug"],
        "url": None,
    }
    assert ground.actions(first)[-1].action_type == "session_ended"
    assert second != first


def test_a_resumed_session_comes_back_with_its_open_files(
    ground: Ground, wire: Window, file: str
) -> None:
    session = wire.start_session(4)
    wire.ask("file:open", {"path": file}, answer="fs:content")
    call_tool(
        ground, "paige_highlight_lines", {"path": file, "start": 1, "end": 1, "style": "focus"}
    )
    wire.send("session:resume", {"sessionId": session})
    restored = wire.expect("session:resumed")["restoredState"]
    wire.expect("fs:tree")
    shown = wire.expect("editor:decorations")

    assert restored["sessionId"] == session
    assert file in restored["openFiles"]
    assert shown["path"] == file
    assert shown["decorations"][0]["start"] == 1


def test_an_abandoned_session_can_be_resumed_and_a_completed_one_cannot(wire: Window) -> None:
    first = wire.start_session()
    second = wire.start_session()
    resumed = wire.ask("session:resume", {"sessionId": first}, answer="session:resumed")
    wire.expect("fs:tree")
    wire.end_session()
    error = wire.ask("session:resume", {"sessionId": first}, answer="connection:error")
    nobody = wire.ask("session:resume", {"sessionId": "nobody"}, answer="connection:error")

    assert resumed["restoredState"]["sessionId"] == first != second
    assert error["code"] == "CONFLICT"
    assert nobody["code"] == "NOT_FOUND"


def test_an_end_without_a_session_is_an_error(wire: Window) -> None:
    wire.start_session()
    completed = wire.end_session()
    error = wire.ask("session:end", {}, answer="connection:error")

    assert completed["knowledgeGaps"] == 0
    assert (error["code"], error["message"]) == ("NOT_FOUND", "No active session")


def test_a_window_that_comes_back_hears_what_it_missed(ground: Ground, wire: Window) -> None:
    with window(ground.live.ws) as other:
        other.start_session()
        last = max(frame["seq"] for frame in other.frames)
    wire.start_session(4)
    call_tool(ground, "paige_show_message", {"message": "Well done", "type": "success"})
    wire.expect("coaching:message")
    with window(ground.live.ws, lastEventId=last) as other:
        said = other.expect("coaching:message")
        kinds = [frame["type"] for frame in other.frames]

    assert said["message"] == "Well done"
    assert kinds == [
        "connection:init",
        "session:ended",
        "session:started",
        "coaching:issue_context",
        "observer:status",
        "coaching:message",
    ]
