"""Accounts at every door: signing in, people, tokens, limits, what an admin sees."""

from tools.exchanges.world import Server, World

PASSWORD = "seven green kettles"


def with_accounts(world: World, server: Server, tokens: dict[str, str]) -> None:
    """By REST, as an admin and as the person who was added."""
    admin = server.as_person("ada", tokens["ada"])
    new = {"id": "zoe", "name": "Zoe", "email": "zoe@school.test", "roles": ["learner"]}
    admin.post("/api/people", json={**new, "password": PASSWORD})
    admin.post("/api/people", json={**new, "password": PASSWORD})
    admin.post("/api/people", json={**new, "id": "short", "password": "x"})
    admin.get("/api/people")
    admin.get("/api/people", params={"words": "zo", "limit": 1})
    admin.patch("/api/people/zoe", json={"name": "Zoë", "roles": ["learner", "teacher"]})
    admin.patch("/api/people/zoe", json={"roles": ["king"]})
    zoe = server.http
    given = {"name": "zoe", "password": PASSWORD, "tenant": "local"}
    zoe.post("/api/session", json={**given, "password": "wrong"})
    signed = zoe.post("/api/session", json=given).json()
    world.plain.hide(signed["csrf"], "csrf")
    zoe.get("/api/session")
    zoe.get("/api/me")
    zoe.patch("/api/me", json={"name": "Z."})
    zoe.headers["x-paige-csrf"] = signed["csrf"]
    zoe.patch("/api/me", json={"name": "Z."})
    zoe.get("/api/me/sign-ins")
    made = zoe.post("/api/me/tokens", json={"label": "laptop", "days": 3}).json()
    world.plain.hide(made["secret"], "token of zoe")
    for each in zoe.get("/api/me/sign-ins").json()["signIns"][:1]:
        zoe.delete(f"/api/me/sign-ins/{each['id']}")
    zoe.put("/api/me/password", json={"current": "wrong", "new": f"{PASSWORD} more"})
    zoe.put("/api/me/password", json={"current": PASSWORD, "new": f"{PASSWORD} more"})
    zoe.delete("/api/session")
    zoe.get("/api/me")
    zoe.headers.pop("x-paige-csrf")
    admin.put("/api/limits", json={"person": "zoe", "usdPerDay": 1.5})
    admin.put("/api/limits", json={"usdPerMonth": 20})
    admin.get("/api/limits")
    admin.put("/api/people/zoe/password", json={"password": PASSWORD})
    admin.request("DELETE", "/api/people/zoe/sign-ins")
    admin.patch("/api/people/zoe", json={"state": "disabled"})
    admin.get("/api/audit", params={"limit": 50})


def rest(world: World, server: Server) -> None:
    """By REST where there is one person only."""
    for path in ("me", "me/sign-ins", "people", "limits", "audit", "session"):
        server.http.get(f"/api/{path}")


def cli(world: World) -> None:
    """On the command line."""
    run = world.run
    run("people", "add", "ann", "--role", "teacher", "--password", stdin=f"{PASSWORD}\n")
    run("people", "add", "ann", "--role", "teacher", "--no-password")
    run("people", "add", "bob", "--no-password", "--name", "Bob", "--email", "bob@school.test")
    run("people", "add", "eve", "--role", "king")
    run("people", "role", "bob", "learner", "developer")
    run("people", "role", "nobody-has-this", "learner")
    for form in ((), ("--json",)):
        run("people", "list", *form)
        run("people", "list", "bo", *form)
        run("people", "limit", "bob", "--day", "2", *form)
        run("people", "limit", *form)
        run("people", "limit", "bob", "--none", *form)
        run("people", "erase", "bob", *form)
        run("people", "export", "bob", f"bob{len(form)}.zip", *form)
    run("people", "password", "ann", "--password", stdin=f"{PASSWORD} more\n")
    run("people", "disable", "bob")
    run("people", "enable", "bob")
    run("people", "erase", "bob", "--yes", "--json")
    run("people", "list", "--json")
