"""The coach at every door: a session over the socket, every kind of message, tools, commands."""

import json
from contextlib import suppress
from operator import itemgetter
from pathlib import Path
from typing import Any

from tests.server.windows import Window
from tools.exchanges.refused import simplest
from tools.exchanges.world import Json, Server, World

SCHEMA = Path(__file__).parents[2] / "web" / "src" / "wire" / "schema.json"
LINES = {"startLine": 1, "startColumn": 1, "endLine": 2, "endColumn": 1}
CART = "src/cart.py"
RAW = ("not json", "[]", "{}", '{"type": 7}', '{"type": "no:such", "payload": {}}')
QUIET = 3.0
UNTIMELY = ("fs:tree_update", "terminal:output", "connection:heartbeat")
"""Frames that come when they come."""
GOOD: list[tuple[str, Any]] = [
    ("dashboard:request", {"statsPeriod": "7d"}),
    ("dashboard:refresh_issues", {}),
    ("session:start", {"issueNumber": 7}),
    ("fs:request_tree", {}),
    ("file:open", {"path": CART}),
    ("file:open", {"path": "../secret"}),
    ("file:open", {"path": "none.py"}),
    ("buffer:update", {"path": CART, "content": "def total():\n    pass\n"}),
    ("file:save", {"path": CART, "content": "def total(prices):\n    return 0\n"}),
    ("editor:tab_switch", {"fromPath": None, "toPath": CART}),
    ("editor:selection", {"path": CART, "range": LINES, "textLength": 4}),
    ("editor:scroll", {"path": CART}),
    ("explorer:expand_dir", {"path": "src"}),
    ("explorer:collapse_dir", {"path": "src"}),
    ("hints:level_change", {"level": "high", "previousLevel": "low"}),
    ("user:explain", {"path": CART, "selection": LINES, "selectedText": "return 0"}),
    ("user:review", {}),
    ("user:review", {"kataId": "nobody-has-this", "userCode": "x"}),
    ("user:idle_start", {"lastActionTimestamp": 1}),
    ("user:idle_end", {}),
    ("observer:mute", {"muted": True}),
    ("practice:open", {"kataId": "nobody-has-this"}),
    ("practice:submit_solution", {"kataId": "nobody-has-this", "code": "x"}),
    ("practice:stop", {}),
    ("terminal:ready", {"cols": 80, "rows": 24}),
    ("terminal:resize", {"cols": 90, "rows": 30}),
    ("terminal:input", {"input": "true\n"}),
    ("file:close", {"path": CART}),
    ("session:end", {}),
    ("session:resume", {"sessionId": "nobody-has-this"}),
]


def socket(world: World, server: Server) -> None:
    """Every kind of message, good and malformed, with the frames that came back."""
    kinds, definitions = described()
    unsaid = set(kinds) - {type for type, _ in GOOD} - {"connection:hello"}
    if unsaid:
        world.note("script", "kinds of messages nobody sends", {}, {"kinds": sorted(unsaid)})
    said = [(type, type, payload) for type, payload in GOOD]
    for type, payload in kinds.items():
        said += [(f"{type} ({how})", type, sent) for how, sent in wrong(payload, definitions)]
    with server.window() as opened:
        world.note("socket", "connection:hello", {}, {"frames": shown(opened.frames)})
        for raw in RAW:
            world.tick()
            before = len(opened.frames)
            opened.socket.send(raw)
            opened.settle()
            world.note("socket", f"raw {raw}", raw, {"frames": shown(opened.frames[before:-1])})
        opened.frames.clear()
        for number, (_, type, payload) in enumerate(said):
            world.tick()
            opened.send(type, payload, id=f"asked-{number}")
            opened.settle()
        linger(opened)
    for number, (name, _, payload) in enumerate(said):
        own = [frame for frame in opened.frames if frame.get("id") == f"asked-{number}"]
        world.note("socket", name, payload, {"frames": shown(own)})
    unasked = [frame for frame in opened.frames if frame.get("id") is None]
    told = sorted(shown(unasked), key=itemgetter("type"))
    world.note("socket", "what came unasked", {}, {"frames": told})


def described() -> tuple[Json, Json]:
    """The payload of every kind of message, and the definitions these name."""
    definitions = json.loads(SCHEMA.read_text())["$defs"]
    kinds: Json = {}
    for each in definitions["ClientFrame"]["oneOf"]:
        frame = definitions[each["$ref"].rpartition("/")[2]]["properties"]
        payload = frame.get("payload", {})
        named = payload.get("$ref", "").rpartition("/")[2]
        kinds[frame["type"]["const"]] = definitions[named] if named else payload
    return kinds, definitions


def wrong(payload: Json, definitions: Json) -> list[tuple[str, Any]]:
    """Payloads that do not fit, and the simplest one that does."""
    fields = payload.get("properties", {})
    nothing = [("nothing", {})] if payload.get("required") else []
    odd = [("wrong", dict.fromkeys(fields, "\x00"))] if fields else []
    fits = [("simplest", simplest(payload, definitions))] if payload.get("required") else []
    return [*nothing, *odd, ("a list", []), *fits]


def linger(opened: Window) -> None:
    """Wait for what takes longer: until nothing came for a while but signs of life."""
    with suppress(TimeoutError):
        while True:
            frame = json.loads(opened.socket.recv(timeout=QUIET))
            if frame["type"] == "connection:heartbeat":
                return
            opened.frames.append(frame)


def shown(frames: list[Any]) -> list[Any]:
    """Frames without numbers that count everything that ever happened."""
    return [
        {name: value for name, value in frame.items() if name not in ("seq", "timestamp")}
        for frame in frames
        if frame["type"] not in UNTIMELY
    ]


def rest(world: World, server: Server) -> None:
    """By REST, with a session that is open and one that has ended."""
    http = server.http
    with server.window() as opened:
        session = opened.start_session(7)
        world.tick()
        opened.send("file:save", {"path": CART, "content": "def total(p):\n    return sum(p)\n"})
        opened.settle()
        for path in ("", "/actions", "/budget", "/dashboard", "/gaps", "/tree"):
            http.get(f"/api/coach{path}")
        http.get("/api/coach/actions", params={"limit": 2})
        http.get("/api/coach/dashboard", params={"period": "7d"})
        http.get(f"/api/coach/sessions/{session}")
        for path in (CART, "none.py", "../secret"):
            http.get("/api/coach/file", params={"path": path})
        opened.end_session()
    http.get("/api/coach")
    http.get(f"/api/coach/sessions/{session}")


def mcp(world: World, server: Server) -> None:
    """By MCP, with a window open."""
    with server.window() as opened:
        opened.start_session(7)
        opened.settle()
        opened.frames.clear()
        server.call("paige_open_file", {"path": CART})
        opened.send("buffer:update", {"path": CART, "content": "x = 1\n"})
        opened.settle()
        for tool in ("paige_get_open_files", "paige_get_diff", "paige_get_session_state"):
            server.call(tool)
        server.call("paige_get_buffer", {"path": CART})
        lines = {"path": CART, "start": 1, "end": 2, "style": "focus", "hoverText": "Look"}
        server.call("paige_highlight_lines", lines)
        server.call("paige_hint_files", {"hints": [{"path": CART, "style": "important"}]})
        server.call("paige_hint_files", {"paths": [CART, "none.py"]})
        server.call("paige_show_message", {"message": "Well done", "type": "success"})
        server.call("paige_show_message", {"message": "Look", "type": "hint"})
        server.call("paige_show_issue_context", {"title": "A discount", "number": 7})
        plan = "# Plan\n\n1. Read `src/cart.py`.\n2. Write a test.\n3. Write the discount.\n"
        asked = {"planText": plan, "issueSummary": "A discount", "issueNumber": 7}
        server.call("paige_run_coaching_pipeline", asked)
        server.call("paige_update_phase", {"phase": 1, "status": "complete"})
        server.call("paige_update_phase", {"phase": 99, "status": "complete"})
        server.call("paige_get_session_state", {"include": ["phase", "plan", "progress"]})
        server.call("paige_clear_highlights")
        server.call("paige_clear_hints")
        opened.settle()
        world.note("socket", "what the tools showed", {}, {"frames": shown(opened.frames)})
        server.call("paige_end_session", {"sessionTranscript": "I did not get how sums work."})


def cli(world: World) -> None:
    """On the command line."""
    for form in ((), ("--json",)):
        for act in ("status", "phases", "gaps", "practice", "issues", "materials", "dashboard"):
            world.run("coach", act, *form)
        world.run("coach", "start", "--issue", "7", *form)
        world.run("coach", "status", *form)
        world.run("coach", "phases", "--set", "1", "complete", *form)
        world.run("coach", "explain", f"{CART}:1-2", *form)
        world.run("coach", "explain", "none.py:1-2", *form)
        world.run("coach", "review", *form)
        world.run("coach", "review", "nobody-has-this", "-", *form, stdin="x = 1\n")
        world.run("coach", "resume", *form)
        world.run("coach", "resume", "nobody-has-this", *form)
        world.run("coach", "dashboard", "--period", "7d", *form)
        world.run("coach", "end", *form)
        world.run("coach", "end", *form)
    for event in ("session-start", "prompt", "plan", "tests", "stop"):
        given = {"session_id": "s-1", "cwd": str(world.project), "prompt": "What is a sum?"}
        world.run("coach", "hook", event, stdin=json.dumps(given))
        world.run("coach", "hook", event, stdin="{")
    trace = {
        "phase": {"title": "Read", "expected_files": [CART]},
        "actions": [{"type": "file_open", "at": "2026-03-02T12:00:00Z", "data": {"path": CART}}],
        "now": "2026-03-02T12:10:00Z",
    }
    world.run("coach", "observe", "--jsonl", stdin=json.dumps(trace) + "\n{}\nnot json\n")
