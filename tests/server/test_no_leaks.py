"""Nobody reads what belongs to somebody else, whatever they ask for, by whichever door."""

import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount, Route

from paige.doors.site.mcp_endpoint import all_tools
from paige.hooks.fast import CLIS, adapter_of
from tests.conftest import TEMPLATE
from tests.postgres import execute, temp_database
from tests.server.generated import Json, Maker, call_tool, operations, request_for
from tests.server.many_people import Someone, Town, check_sessions, open_town, unplanted

WORDS = ["planted", "*", "", "..", "me", "anna", "local", "elm", "3B", "MEMORY.md", "shared.py"]
# Accounts end or change by these, which would take the rights of one's own tenant away: only the
# admin of a tenant with nobody else in it asks for them.
ACCOUNTS = ("/people", "/limits", "/settings")
# One would sign oneself out.
OWN = ("/session", "/me")
SPOKEN = ("/mcp", "/hooks/{cli}", "/ws")
"""Doors that are no part of the API and have a way of asking of their own."""
NOTHING_SECRET = {
    "decision_edges", "decision_sessions", "leases", "memory_cursors", "memory_log_heads",
    "oidc_starts", "sign_in_tries", "spend_limits", "tenants", "audit_log",
}  # fmt: skip
"""Tables that hold ids, counts and times only."""
IN_FILES = {"documents", "memory_log"}
"""What is kept in files: both on SQLite, the memory of a tenant of its own everywhere."""
LITTLE, MUCH = 420, 10_000


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """Six people of two tenants, with something secret behind every door."""
    with open_town(tmp_path_factory.mktemp("town")) as opened:
        yield opened


def words_of(town: Town, someone: Someone) -> list[str]:
    """Names, ids and paths that everybody might guess or have heard of, and a mark of their own."""
    known = [name for each in town.people for name in each.ids.values() if name]
    return [*WORDS, *known, *paths_of(town), *[someone.mark] * 9]


@cache
def paths_at(folder: Path) -> list[str]:
    """Folders and files of the server, wherever something was planted."""
    found = [path for path in folder.rglob("*") if path.suffix in (".md", ".toml", ".jsonl", ".py")]
    places = ("project", "home", "home/.config/ai", "data", "data/spool", "data/tenants/elm", ".")
    return ["/", "/etc", *(str(folder / each) for each in places), *sorted(map(str, found))]


def paths_of(town: Town) -> list[str]:
    """The same with the folders of everybody."""
    return [*paths_at(town.folder), *(town.folder_of(each) for each in town.people)]


def asked_in(town: Town) -> list[tuple[str, str, Json]]:
    """Every operation of the API that signs nobody out, and every other address of the server."""
    api = town.client.get("/api/openapi.json", headers=town.people[2].headers).json()
    beside = [each.path for each in town.site.asgi.routes if isinstance(each, Route)]
    return [
        *(("get", path, {"components": {}}) for path in beside if path not in SPOKEN),
        *(
            (method, f"/api{path}", {**operation, "components": api["components"]["schemas"]})
            for method, path, operation in operations(api)
            if method == "get" or not path.startswith(OWN)
        ),
    ]


def ask_rest(town: Town, someone: Someone, chance: random.Random, what: Any) -> str:
    """One request; the answer with its headers."""
    method, path, operation = what
    maker = Maker(chance, words_of(town, someone), operation["components"])
    address, query, body = request_for(maker, path, operation)
    answer = town.client.request(
        method, quote(address), params=query, headers=someone.headers, **body
    )
    assert answer.status_code < 500 or answer.status_code == 503, f"{address}: {answer.text}"
    return f"{answer.headers} {answer.text}"


def ask_hook(town: Town, someone: Someone, chance: random.Random) -> str:
    """One event of a coding CLI, in any folder and any role."""
    cli = chance.choice(CLIS)
    maker = Maker(chance, words_of(town, someone), {})
    # Mostly at home, where something is done; elsewhere it is refused.
    paths = [*paths_of(town), *[town.folder_of(someone)] * 40]
    names = adapter_of(cli).EVENTS
    headers = {**someone.headers}
    if chance.random() < 0.2:
        headers["x-paige-role"] = chance.choice(["conductor", "musician", "tester", "admin"])
    if chance.random() < 0.2:
        headers["x-paige-project"] = chance.choice(paths)
    answer = town.client.post(
        f"/hooks/{cli}",
        params={"event": chance.choice(list(names))},
        json=maker.event(names, paths),
        headers=headers,
    )
    assert answer.status_code in (200, 403), answer.text
    return f"{answer.headers} {answer.text}"


def hello(last: int | None) -> Json:
    """How a window begins, with the last event it says it knows."""
    size = {"width": 800, "height": 600}
    payload = {"version": "1", "platform": "test", "windowSize": size, "lastEventId": last}
    return {"type": "connection:hello", "payload": payload}


def ask_socket(town: Town, someone: Someone, chance: random.Random) -> str:
    """One window: a hello that may ask for everything missed, and some messages of any type."""
    kinds = list(town.site.hub.router.inbound.items())
    heard: list[str] = []
    with town.client.websocket_connect("ws://127.0.0.1:3000/ws", headers=someone.headers) as socket:
        latest = chance.choice([None, 0, 1, chance.randint(0, 60)])
        socket.send_json(hello(latest))
        heard.append(socket.receive_text())
        for _ in range(chance.randint(1, 6)):
            topic, (kind, _handler) = chance.choice(kinds)
            if topic.startswith("connection:") or (
                topic.startswith("terminal:") and someone.is_here
            ):
                continue  # a shell would answer for as long as it likes
            schema = kind.model_json_schema(by_alias=True)
            maker = Maker(chance, words_of(town, someone), schema.get("$defs", {}))
            socket.send_json({"type": topic, "payload": maker.value(schema)})
        socket.send_json({**hello(None), "id": "the end"})
        while '"id":"the end"' not in heard[-1]:
            heard.append(socket.receive_text())
    return "\n".join(heard)


def ask_tool(town: Town, someone: Someone, chance: random.Random, tool: Any) -> str:
    """One call of a tool."""
    schema = tool.input_schema
    maker = Maker(chance, words_of(town, someone), schema.get("$defs", {}))
    return call_tool(town.client, someone.headers, tool.name, maker.value(schema))


def ask_anything(town: Town, number: int, *, seed: int) -> None:
    """Many requests of everyone by every door; none may hold what belongs to others."""
    chance = random.Random(seed)
    routes, tools = cycle(asked_in(town)), cycle(all_tools().listed())
    for turn in range(number):
        someone = chance.choice(town.people)
        match turn % 20:
            case 0:
                answer = ask_socket(town, someone, chance)
            case 1 | 2:
                answer = ask_hook(town, someone, chance)
            case 3 | 4 | 5 | 6:
                answer = ask_tool(town, someone, chance, next(tools))
            case _:
                method, path, _ = what = next(routes)
                if method != "get" and path.removeprefix("/api").startswith(ACCOUNTS):
                    someone = town.people[-1]
                answer = ask_rest(town, someone, chance, what)
        leaked = town.leaked(someone, answer)
        assert leaked == [], f"{someone.actor} read {leaked} (turn {turn}): {answer[:2000]}"
    for someone in town.people:  # nobody else's admin took anything away
        who = town.client.get("/api/me", headers=someone.headers).json()
        assert set(who["person"]["roles"]) == someone.actor.roles


def test_everybody_finds_their_own_again(town: Town) -> None:
    for someone in town.people:
        found = town.client.get("/api/search?q=planted&limit=50", headers=someone.headers).text
        for kind in ("title", "memory", "document", "lesson"):
            assert someone.secret(kind) in found, f"{someone.actor}: {kind}"
        assert town.leaked(someone, found) == []


def test_foreign_ids_lead_to_nothing(town: Town) -> None:
    paths = (
        "/api/plan/sessions/{session}",
        "/api/plan/sessions/{coach}",
        "/api/plan/file?path={lesson}",
        "/api/plan/lesson?path={lesson}",
        "/api/memory/events/{memory}",
        "/api/memory/files/{document}",
        "/api/study/courses/{course}",
        "/api/study/session?course={course}",
        "/api/study/export?course={course}&to=csv",
        "/api/traces/{run}",
        "/api/traces/{run}/journal",
        "/api/traces/{run}/moments",
        "/api/graph/traces/{trace}",
    )
    for someone in town.people:
        for other in town.people:
            for path in paths:
                address = path.format(**other.ids)
                answer = town.client.get(address, headers=someone.headers)
                assert answer.status_code < 500, answer.text
                assert town.leaked(someone, answer.text) == [], f"{someone.actor}: {address}"


def test_a_replay_of_everything_holds_only_what_one_may_hear(town: Town) -> None:
    assert town.client.portal is not None
    town.client.portal.call(town.site.hub.after_events)  # what comes later is no replay
    for someone in town.people:
        frames: list[str] = []
        with town.client.websocket_connect(
            "ws://127.0.0.1:3000/ws", headers=someone.headers
        ) as socket:
            socket.send_json(hello(0))
            frames.append(socket.receive_text())  # a second hello would take the place of this one
            socket.send_json({**hello(None), "id": "the end"})
            while '"id":"the end"' not in frames[-1]:
                frames.append(socket.receive_text())
        heard = "\n".join(frames)
        assert town.leaked(someone, heard) == []
        assert someone.secret("event") in heard
        assert f"zqteam{someone.actor.tenant}qz" in heard


def test_every_route_and_tool_is_among_those_asked(town: Town) -> None:
    asked = {(method, path) for method, path, _ in asked_in(town)}
    mounted = [each for each in town.site.asgi.routes if isinstance(each, Mount)]
    [api] = [each.app for each in mounted if each.path == "/api"]
    served = {
        (method.lower(), "/api" + re.sub(r":\w+}", "}", route.path))
        for route in cast(Starlette, api).routes
        if isinstance(route, Route)
        for method in route.methods or ()
        if method != "HEAD" and route.path != "/openapi.json"
    }
    left = [path.removeprefix("/api") for method, path in served - asked if method != "get"]
    assert len(left) == len(served - asked)
    assert all(path.startswith(OWN) for path in left), left
    doors = {each.path for each in town.site.asgi.routes if isinstance(each, Route)}
    assert doors - {path for _, path in asked} <= set(SPOKEN)
    assert len(all_tools().listed()) > 20
    assert len(town.site.hub.router.inbound) > 20


def test_every_table_has_something_to_leak(town: Town) -> None:
    assert unplanted(town) <= NOTHING_SECRET | IN_FILES


def test_no_answer_holds_anything_of_others(town: Town) -> None:
    ask_anything(town, LITTLE, seed=14)


@contextmanager
def bound_database(server: str) -> Iterator[str]:
    """A migrated database, by the address of a role that row-level security binds."""
    with temp_database(server, template=TEMPLATE) as owner:
        for statement in (
            "CREATE ROLE paige_bound LOGIN NOSUPERUSER NOBYPASSRLS",
            "GRANT USAGE, CREATE ON SCHEMA public TO paige_bound",
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO paige_bound",
            "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO paige_bound",
        ):
            execute(owner, statement)
        try:
            yield owner.replace("postgres@", "paige_bound@")
        finally:
            execute(owner, "DROP OWNED BY paige_bound")
            execute(owner, "DROP ROLE paige_bound")


def test_row_security_keeps_the_same_people_apart(tmp_path: Path, postgres_server: str) -> None:
    with bound_database(postgres_server) as url, open_town(tmp_path, url) as town:
        assert unplanted(town) <= NOTHING_SECRET | {"memory_log"}
        check_sessions(town)
        ask_anything(town, LITTLE // 2, seed=41)


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_ten_thousand_answers_hold_nothing_of_others(
    tmp_path: Path, engine: str, request: pytest.FixtureRequest
) -> None:
    if engine == "sqlite":
        with open_town(tmp_path) as town:
            ask_anything(town, MUCH, seed=20_260_302)
        return
    server = request.getfixturevalue("postgres_server")
    with bound_database(server) as url, open_town(tmp_path, url) as town:
        ask_anything(town, MUCH, seed=20_260_302)
