"""What belongs to which subject: its script, its routes, its tools, its commands."""

import re
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tools.exchanges import coach, guard, house, memory, orchestra, people, plan, study
from tools.exchanges.refused import (
    Route,
    ask_simply,
    below,
    refuse_commands,
    refuse_routes,
    refuse_tools,
    routes,
)
from tools.exchanges.world import PEOPLE, Json, Server, World, scripted


@dataclass(frozen=True, slots=True)
class Subject:
    """A script, and what else is asked about: beginnings of paths, tools and commands."""

    script: ModuleType
    routes: tuple[str, ...]
    tools: tuple[str, ...]
    commands: tuple[str, ...]


SUBJECTS = {
    "guard": Subject(
        guard,
        ("guard", "guards", "graph"),
        ("store_trace", "query_traces", "get_trace", "extract_", "create_guard", "read_log"),
        ("guard", "hook", "install", "uninstall"),
    ),
    "study": Subject(study, ("study",), ("study_",), ("study",)),
    "plan": Subject(
        plan, ("plan", "answer", "traces", "costs"), (), ("plan", "eval", "trace")
    ),
    "coach": Subject(coach, ("coach",), ("paige_",), ("coach",)),
    "memory": Subject(memory, ("memory",), ("memory_",), ("memory",)),
    "house": Subject(
        house,
        ("setup", "settings", "search", "notices"),
        ("paige_setup", "find_"),
        ("find", "doctor", "passcode", "backup", "restore", "move", "completion", "demo", "mcp",
         "up", "serve"),
    ),
    "people": Subject(people, ("me", "people", "limits", "audit", "session"), (), ("people",)),
    "orchestra": Subject(orchestra, ("orchestra",), (), ("orchestra",)),
}  # fmt: skip


def record(name: str, folder: Path) -> list[Json]:
    """Everything that is exchanged about a subject."""
    subject = SUBJECTS[name]
    with ExitStack() as stack:
        world = World(name, folder, stack)
        if hasattr(subject.script, "prepare"):
            subject.script.prepare(world)
        server = world.serve()
        api = server.described()
        chosen = routes(api, subject.routes)
        for part in ("rest", "socket", "mcp", "by_model"):
            if hasattr(subject.script, part):
                scripted(world, getattr(subject.script, part), server)
        scripted(world, subject.script.cli)
        if hasattr(subject.script, "afterwards"):
            scripted(world, subject.script.afterwards, server)
        refuse_routes(server.http, api, chosen)
        refuse_tools(server, subject.tools)
        refuse_commands(world, *subject.commands)
        _with_accounts(world, subject, api)
        _what_is_missing(world, server, api, chosen)
        return world.exchanges


def _with_accounts(world: World, subject: Subject, api: Json) -> None:
    """Ask every route as everybody, and as nobody, where accounts are on."""
    school = {"PAIGE_ACCOUNTS": "on", "DATA_DIR": str(world.folder / "school")}
    tokens: dict[str, str] = {}
    for person, role in PEOPLE.items():
        world.run("people", "add", person, "--role", role, "--no-password", quiet=True, **school)
        told = world.run("people", "token", person, quiet=True, **school)
        tokens[person] = told.split()[-1]
        world.plain.hide(tokens[person], f"token of {person}")
    server = world.serve(" as nobody", **school)
    clients = [server.http, *(server.as_person(who, token) for who, token in tokens.items())]
    for client in clients:
        for route in routes(api, subject.routes):
            ask_simply(client, api, route, f" ({route[0]})")
    if hasattr(subject.script, "with_accounts"):
        scripted(world, subject.script.with_accounts, server, tokens)


def _what_is_missing(world: World, server: Server, api: Json, chosen: list[Route]) -> None:
    """Note the routes that never answered well, and whatever belongs to no subject at all."""
    good = [
        (each["request"]["method"].lower(), each["request"]["path"].partition("?")[0])
        for each in world.exchanges
        if each["door"] == "rest" and each["status"] < 300
    ]
    for method, path, _ in chosen:
        pattern = re.compile("/api" + re.sub(r"{\w+}", ".+", path))
        if not any(done == method and pattern.fullmatch(asked) for done, asked in good):
            world.note("script", f"no good answer of {method.upper()} {path}", {}, {})
    known = [name for each in SUBJECTS.values() for name in each.routes]
    for path in {path.split("/")[1] for path in api["paths"]} - set(known):
        raise LookupError(f"no subject has the routes of /{path}")
    tools = tuple(name for each in SUBJECTS.values() for name in each.tools)
    for tool in server.mcp("tools/list", {}, quiet=True)["result"]["tools"]:
        if not tool["name"].startswith(tools):
            raise LookupError(f"no subject has the tool {tool['name']}")
    commands = {name for each in SUBJECTS.values() for name in each.commands}
    for command in set(below(world.run("--help", quiet=True))) - commands:
        raise LookupError(f"no subject has the command {command}")
