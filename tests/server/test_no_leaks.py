"""Nobody reads what belongs to somebody else, whatever they ask for, by whichever door."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from mcp.types import LATEST_PROTOCOL_VERSION

from paige.mcp.endpoint import all_tools
from tests.conftest import TEMPLATE
from tests.postgres import execute, temp_database
from tests.server.generated import Json, Maker, operations, request_for
from tests.server.many_people import Someone, Town, open_town

WORDS = ["planted", "*", "", "..", "me", "anna", "local", "elm", "3B", "MEMORY.md", "shared.py"]
# Accounts end or change by these, which would take everybody else's rights away.
NOT_ASKED = ("/session", "/people", "/me", "/limits", "/settings")
LITTLE, MUCH = 420, 10_000


@pytest.fixture(scope="module")
def town(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Town]:
    """Six people of two tenants, with something secret behind every door."""
    with open_town(tmp_path_factory.mktemp("town")) as opened:
        yield opened


def words_of(town: Town) -> list[str]:
    """Names and ids that everybody might guess or have heard of."""
    return [*WORDS, *(name for each in town.people for name in each.ids.values() if name)]


def asked_in(town: Town) -> list[tuple[str, str, Json]]:
    """Every GET of the API, and every POST that leaves the accounts alone."""
    api = town.client.get("/api/openapi.json", headers=town.people[2].headers).json()
    return [
        (method, path, {**operation, "components": api["components"]["schemas"]})
        for method, path, operation in operations(api)
        if method == "get" or not path.startswith(NOT_ASKED)
    ]


def ask_rest(town: Town, someone: Someone, chance: random.Random, what: Any) -> str:
    """One request; the answer with its headers."""
    method, path, operation = what
    maker = Maker(chance, words_of(town), operation["components"])
    address, query, body = request_for(maker, path, operation)
    answer = town.client.request(
        method, f"/api{quote(address)}", params=query, json=body, headers=someone.headers
    )
    assert answer.status_code < 500 or answer.status_code == 503, f"{address}: {answer.text}"
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
            if topic.startswith(("terminal:", "connection:")):
                continue  # a shell would answer for as long as it likes
            schema = kind.model_json_schema(by_alias=True)
            maker = Maker(chance, words_of(town), schema.get("$defs", {}))
            socket.send_json({"type": topic, "payload": maker.value(schema)})
        socket.send_json({**hello(None), "id": "the end"})
        while '"id":"the end"' not in heard[-1]:
            heard.append(socket.receive_text())
    return "\n".join(heard)


def ask_tool(town: Town, someone: Someone, chance: random.Random, tool: Any) -> str:
    """One call of a tool, in the era without sessions."""
    schema = tool.input_schema
    maker = Maker(chance, words_of(town), schema.get("$defs", {}))
    meta = {
        "io.modelcontextprotocol/protocolVersion": LATEST_PROTOCOL_VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": tool.name, "arguments": maker.value(schema), "_meta": meta}
    headers = {
        **someone.headers,
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": LATEST_PROTOCOL_VERSION,
        "mcp-method": "tools/call",
        "mcp-name": tool.name,
    }
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return town.client.post("/mcp", json=request, headers=headers).text


def ask_anything(town: Town, number: int, *, seed: int) -> None:
    """Many requests of everyone by every door; none may hold what belongs to others."""
    chance = random.Random(seed)
    routes, tools = asked_in(town), all_tools().listed()
    for turn in range(number):
        someone = town.people[turn % len(town.people)]
        match turn % 20:
            case 0:
                answer = ask_socket(town, someone, chance)
            case 1 | 2 | 3 | 4 | 5:
                answer = ask_tool(town, someone, chance, chance.choice(tools))
            case _:
                answer = ask_rest(town, someone, chance, routes[turn % len(routes)])
        leaked = town.leaked(someone, answer)
        assert leaked == [], f"{someone.actor} read {leaked} (turn {turn}): {answer[:2000]}"


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
    asked = {path for method, path, _ in asked_in(town) if method == "get"}
    api = town.client.get("/api/openapi.json", headers=town.people[2].headers).json()
    assert asked == {path for path, item in api["paths"].items() if "get" in item}
    assert len(all_tools().listed()) > 20


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
        yield owner.replace("postgres@", "paige_bound@")
        execute(owner, "DROP OWNED BY paige_bound")
    execute(server, "DROP ROLE paige_bound")


def test_row_security_keeps_the_same_people_apart(tmp_path: Path, postgres_server: str) -> None:
    with bound_database(postgres_server) as url, open_town(tmp_path, url) as town:
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
