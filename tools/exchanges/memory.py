"""Memory at every door: adding, finding, changing, forgetting, documents, batches."""

import json

from tools.exchanges.world import Server, World

LINES = [
    {"text": "Deploys happen on Tuesdays", "scope": "global", "type": "fact", "key": "deploys"},
    {"text": "Ann prefers short answers", "type": "preference"},
    {"scope": "global"},
]
BATCH = "\n".join(map(json.dumps, LINES)) + "\nnot json\n"


def rest(world: World, server: Server) -> None:
    """By REST."""
    http = server.http
    ids = [
        http.post("/api/memory", json={"text": text, **more}).json()["id"]
        for text, more in (
            ("The release is on Friday", {"scope": "project", "project": "alpha", "session": "s1"}),
            ("The basket is slow with many items", {"importance": 0.9, "meta": {"n": [1, None]}}),
            ("Bananas are yellow", {"scope": "global", "type": "fact", "key": "bananas"}),
            ("Bananas are green", {"scope": "global", "type": "fact", "key": "bananas"}),
        )
    ]
    http.post("/api/memory", json={"text": "my key is sk-ant-api03-abcdefghijklmnopqrstuv"})
    http.post("/api/memory", json={"text": "x", "scope": "galaxy"})
    http.post("/api/memory/import", content=BATCH.encode())
    for query in ({"query": "when is the release"}, {"query": "bananas", "history": True, "k": 2}):
        http.get("/api/memory/search", params=query)
        http.post("/api/memory/search", json=query)
    http.get("/api/memory/recent", params={"limit": 3, "scope": "global"})
    http.get(f"/api/memory/events/{ids[0]}")
    changed = http.patch(f"/api/memory/events/{ids[0]}", json={"text": "It is on Monday"}).json()
    http.get(f"/api/memory/events/{changed['id']}")
    http.request("DELETE", f"/api/memory/events/{ids[1]}", json={"reason": "wrong"})
    http.get(f"/api/memory/events/{ids[1]}")
    http.post("/api/memory/forget", json={"ids": [ids[2]], "reason": "old", "dryRun": True})
    http.post("/api/memory/forget", json={"ids": [ids[2]], "reason": "old"})
    place = "/api/memory/files/notes.md"
    http.put(place, json={"text": "# Notes\n", "base": ""})
    http.put(place, json={"text": "# Other\n", "base": "old"})
    base = http.get(place).json()["version"]
    http.get("/api/memory/files")
    http.get("/api/memory/files/../../secret")
    http.request("DELETE", place, json={"base": "old"})
    http.request("DELETE", place, json={"base": base})
    for path in ("", "/policies", "/stats", "/files"):
        http.get(f"/api/memory{path}")


def mcp(world: World, server: Server) -> None:
    """By MCP."""
    server.call("memory_add", {"text": "Tests run with make test", "importance": 0.7})
    server.call("memory_add", {"text": "x", "scope": "galaxy"})
    server.call("memory_search", {"query": "how do tests run", "k": 2})
    server.call("memory_search", {"query": "tests", "budgetTokens": 20, "scope": "project"})


def cli(world: World) -> None:
    """On the command line."""
    for form in ((), ("--json",)):
        world.run("memory", "add", f"The build takes {len(form)} minutes", *form)
        world.run("memory", "add", "Tea at four", "--scope", "global", "--key", "tea", *form)
        world.run("memory", "import", "--jsonl", *form, stdin=BATCH)
        world.run("memory", "import", "--jsonl", "--dry-run", *form, stdin=BATCH)
        for more in ((), ("--why",), ("-k", "1"), ("--budget", "20"), ("--as", "role:tester")):
            world.run("memory", "search", "the build", *more, *form)
        for act in ("profile", "files", "stats", "policy", "verify", "rebuild", "compact"):
            world.run("memory", act, *form)
        world.run("memory", "stats", "--cycle", *form)
        world.run("memory", "migrate", "--dry-run", *form)
        world.run("memory", "show", "nobody-has-this", *form)
        world.run("memory", "forget", "nobody-has-this", "--yes", *form)
        world.run("memory", "forget", "--before", "2020-01-01", "--dry-run", *form)
    questions = '{"id": 1, "query": "tea"}\n{"query": "build", "k": 1}\n{"k": 1}\nnot json\n'
    world.run("memory", "search", "--jsonl", stdin=questions)
    world.run("memory", "names", "Ben Smith was late")
    world.run("memory", "names", "--jsonl", stdin='{"text": "Ben was late"}\n{"text": "Hi"}\n{}\n')
    found = world.printed("memory", "search", "tea", "--json")
    results = found if isinstance(found, list) else found["results"]
    for form in ((), ("--json",)):
        world.run("memory", "show", results[0]["id"], *form)
    world.run("memory", "forget", results[0]["id"], "--yes", "--json")
    for to in ("jsonl", "markdown", "json"):
        world.run("memory", "export", "--to", to)
    world.run("memory", "export", "--output", "out.jsonl")
