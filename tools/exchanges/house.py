"""What belongs to no subject: the server itself, settings, finding, backup, set-up."""

from tools.exchanges.world import Server, World

PASSCODE = "correct horse battery"


def rest(world: World, server: Server) -> None:
    """By REST."""
    http = server.http
    for path in ("/health", "/ready", "/", "/study", "/nothing/here.js", "/docs/", "/api/nothing"):
        http.get(path)
    for headers in ({"host": "evil.example"}, {"origin": "http://evil.example"}):
        http.request("GET", "/api/setup", headers=headers, label=f" with {headers}")
    http.post("/api/memory", json={"text": "The release is on Friday", "scope": "global"})
    for path in ("setup", "session", "notices", "settings/data", "settings/sample"):
        http.get(f"/api/{path}")
    for query in ("release", "nothing at all", ""):
        http.get("/api/search", params={"q": query, "limit": 3})
    settings = http.get("/api/settings").json()
    http.headers["origin"] = server.url
    for values in ({"log_format": "json"}, {"colour": "red"}, {"model_sonnet": "a-model"}):
        http.patch("/api/settings", json={"version": settings["version"], "values": values})
    http.get("/api/settings")
    http.post("/api/settings/check", json={"provider": "local"})
    http.post("/api/settings/check", json={"provider": "anthropic"})
    version = http.get("/api/settings").json()["version"]
    http.put("/api/settings/passcode", json={"version": version, "new": PASSCODE})
    version = http.get("/api/settings").json()["version"]
    http.request("DELETE", "/api/settings/passcode", json={"version": version, "old": "wrong"})
    http.request("DELETE", "/api/settings/passcode", json={"version": version, "old": PASSCODE})
    http.post("/api/settings/restart", json={"project": "/nothing/here"})
    http.post("/api/session", json={"passcode": PASSCODE})
    http.headers.pop("origin")


def mcp(world: World, server: Server) -> None:
    """By MCP; the list of tools is kept by itself, since its texts may change."""
    server.mcp("tools/list", {})
    server.mcp("server/discover", {})
    server.mcp("no/such", {})
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {
        "name": "exchanges", "version": "1"}}  # fmt: skip
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}
    accept = {"accept": "application/json, text/event-stream"}
    server.http.post("/mcp", json=request, headers=accept)
    server.http.request("POST", "/mcp", json=request, label=" (accepts nothing)")
    server.call("paige_setup")
    server.call("find_anything", {"words": "release", "limit": 2})
    server.call("no_such_tool")


def cli(world: World) -> None:
    """On the command line."""
    run = world.run
    run("--version")
    run("--help")
    run()
    run("nothing")
    for form in ((), ("--json",)):
        run("find", "release", *form)
        run("find", "release", "--door", "study", *form)
        run("doctor", *form)
        run("backup", f"all{len(form)}.zip", *form)
        run("backup", "all0.zip", *form)
        run("restore", "all0.zip", "--verify-only", *form)
        run("restore", "all0.zip", "--into", f"again{len(form)}", *form)
        run("restore", "none.zip", *form)
        run("move", "--to", "sqlite:///x", *form)
    run("passcode", stdin=f"{PASSCODE}\n")
    run("passcode", stdin="x\n")
    for shell in ("bash", "zsh", "fish", "sh"):
        run("completion", shell)
    run("demo", "path")
    run("demo", "remove", "--yes")
    run("serve", PROJECT_DIR="")
    run("up", PORT="no")
    run("up", PAIGE_HOST="0.0.0.0")
    run("doctor", PAIGE_PROVIDER="nobody")
