"""Writes what the docs take from the code: pages, parts of pages, tables and diagrams.

`make docs` runs it; a test fails when a page is stale.
"""

import difflib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from docs.database_tables import table_lines
from docs.diagrams import import_lines, pictures
from docs.event_schema import event_schema, field_rows
from docs.guard_tables import hook_lines, rule_lines
from docs.http_tables import openapi, route_lines
from docs.imports import edges
from docs.marked import with_part
from docs.mcp_tables import tool_lines
from docs.message_tables import message_lines
from docs.operation_tables import operation_lines
from paige.base.errors import PaigeError
from paige.base.events import DECISIONS, EVENTS
from paige.base.settings import SETTINGS
from paige.doors.site.main import COMMANDS, paige
from paige.memory.types import TYPES

DOCS = Path(__file__).parent
NOTE = "<!-- Written by `make docs` from the code; edits are lost. -->"


def pages() -> dict[str, str]:
    """Every generated file by its path in `docs`: whole pages, pages with a part, diagrams."""
    whole = {
        "settings": settings(),
        "commands": commands(),
        "events": events(),
        "memory-events": memory_events(),
        "mcp-tools": mcp_tools(),
        "http-routes": http_routes(),
        "operations": operations(),
        "database-schema": database_schema(),
        "shipped-guard-rules": shipped_guard_rules(),
        "errors": errors(),
    }
    parts = {
        "reference/websocket.md": message_lines(),
        "reference/hook-manifests.md": hook_lines(),
        "explanation/architecture.md": import_lines(edges()),
    }
    return {
        **{f"reference/{name}.md": text for name, text in whole.items()},
        **{name: _with_part(name, lines) for name, lines in parts.items()},
        **{f"pictures/{name}": text for name, text in pictures().items()},
    }


def settings() -> str:
    """One row a setting."""
    rows = [
        f"| `{s.variable}` | `{s.key}` | {f'`{s.default}`' if s.default else 'unset'} "
        f"| {s.meaning}{_choices(s.choices)} |"
        for s in SETTINGS
    ]
    head = ["| variable | key in `paige.toml` | default | meaning |", "|---|---|---|---|"]
    words = (
        "The strongest source wins: the environment, then `.env` in the working directory, then "
        "`paige.toml` in the working directory, then `paige.toml` in `<XDG config>/ai/`. "
        "A bad value or an unknown key stops the command and names its place."
    )
    return _page("Settings", words, [*head, *rows])


def commands() -> str:
    """Every command with its `--help`."""
    lines: list[str] = []
    # As in a usual terminal, whatever this one is like.
    told = paige.context_settings
    context = click.Context(paige, info_name="paige", terminal_width=78, **told)
    for name in COMMANDS:
        command = paige.get_command(context, name)
        assert command is not None
        for path, text in helps(command, click.Context(command, info_name=name, parent=context)):
            lines += [f"{'#' * path.count(' ')}# {path}", "", "```text", text, "```", ""]
    words = (
        "Data goes to stdout, words to stderr. Exit codes: 0 done, 1 failed, 2 wrong usage, "
        "3 refused by a rule, 4 a rule asks."
    )
    return _page("Commands", words, lines)


def helps(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    """The `--help` of a command and of everything below it, each with the words that call it."""
    yield context.command_path, command.get_help(context)
    if not isinstance(command, click.Group):
        return
    for name in (*command.list_commands(context), *getattr(command, "stand_ins", ())):
        inner = command.get_command(context, name)
        assert inner is not None
        yield from helps(inner, click.Context(inner, info_name=name, parent=context))


def events() -> str:
    """The vocabulary of events and decisions."""
    head = ["| event | kind | when | fields |", "|---|---|---|---|"]
    rows = [
        f"| `{name}` | {'gate' if event.gate else 'observation'} | {_first(event)} "
        f"| {', '.join(f'`{field}`' for field in event.__slots__)} |"
        for name, event in EVENTS.items()
    ]
    decided = ["", "| decision | meaning |", "|---|---|"]
    decided += [f"| `{name}` | {_first(decision)} |" for name, decision in DECISIONS.items()]
    words = (
        "The agent loop and every coding CLI speak this vocabulary. "
        "A fault while judging a gate denies; on an observation it is recorded "
        "and the host goes on."
    )
    return _page("Events and decisions", words, [*head, *rows, *decided])


def memory_events() -> str:
    """A line of the memory log: its fields, the types of events, the JSON Schema."""
    lines = ["| field | value | in every line | meaning |", "|---|---|---|---|"]
    lines += [
        f"| `{row.name}` | {row.type} | {'yes' if row.required else ''} | {row.meaning} |"
        for row in field_rows()
    ]
    lines += ["", "## Types", "", "| type | meaning | found by searching | in `payload` |"]
    lines += ["|---|---|---|---|"]
    lines += [
        f"| `{name}` | {kind.meaning} | {'yes' if kind.searchable else 'no'} "
        f"| {', '.join(f'`{part}`' for part in kind.parts)} |"
        for name, kind in TYPES.items()
    ]
    schema = json.dumps(event_schema(), indent=2, ensure_ascii=False)
    lines += ["", "## JSON Schema", "", "```json", schema, "```"]
    words = (
        "The memory is a file of JSON lines, one event a line, and every line is linked to the one "
        "before by a hash. Fields this page does not name are kept as they are: a newer version "
        "may write them. When an event is forgotten, `task`, `text`, `payload`, `outcome`, "
        "`evidence`, `salt` and all unknown fields are removed from its line, and the chain still "
        "holds. A line of an older version is brought to this one by `paige memory migrate`."
    )
    return _page("Events of the memory", words, lines)


def mcp_tools() -> str:
    """Every MCP tool with what it takes and gives."""
    words = (
        "What an agent may call, with the fields of arguments and answers as clients are told "
        "them. [MCP](mcp.md) says how to use them, and what happens when something is wrong."
    )
    return _page("MCP tools", words, tool_lines())


def http_routes() -> str:
    """Every address of the REST API."""
    words = (
        "Every address below `/api`. The names of bodies and answers are those of the shapes in "
        "`/api/openapi.json`, which has them in full. [HTTP](http-api.md) explains them in words."
    )
    return _page("Addresses of the REST API", words, route_lines(openapi()))


def operations() -> str:
    """Every operation and the doors it is behind."""
    words = (
        "What a person or an agent can do, and how it is reached: an address of the REST API, a "
        "tool over MCP, a message of a window, a command. Whoever may do it at one door may do it "
        "at every other. An operation without an address is for programs at the machine itself."
    )
    return _page("Operations", words, operation_lines())


def database_schema() -> str:
    """Every table as it is declared."""
    words = (
        "Columns, types, keys and indexes as they are in SQLite and in PostgreSQL. What the "
        "columns mean is said in [Database](database.md). Full-text indexes, triggers, partitions "
        "and rules of row security are made by migrations and are not listed here."
    )
    return _page("Database schema", words, table_lines())


def shipped_guard_rules() -> str:
    """What Guard refuses, asks and allows without being taught."""
    words = (
        "The rules that come with Paige. [Rules of the guard](guard-rules.md) says how they are "
        "written and changed; `paige guard explain` says which of them speaks about a command."
    )
    return _page("Rules that come with Paige", words, rule_lines())


def errors() -> str:
    """The kinds of error, and how each door tells them."""
    head = ["| kind | meaning | HTTP | exit code |", "|---|---|---:|---:|"]
    kinds = [PaigeError, *PaigeError.__subclasses__()]
    rows = [
        f"| `{kind.code}` | {_first(kind)} | {kind.status} | {kind.exit_code} |"
        for kind in kinds
        if kind.__module__ == PaigeError.__module__
    ]
    words = (
        "Every error that a person sees has a message, which says what happened and with which "
        "value, and mostly a hint, which says what to do. The terminal prints both on stderr. Over "
        '[HTTP](http-api.md) they are `{"error": {"code", "message", "hint"}}`, where the code is '
        "the kind; an MCP tool answers with `isError` and the sentences. Some errors have a "
        "narrower code of their own, with the status of their kind."
    )
    return _page("Errors", words, [*head, *rows])


def _with_part(name: str, lines: list[str]) -> str:
    """A page that people write, with the part that is made from the code."""
    return with_part((DOCS / name).read_text(encoding="utf-8"), lines)


def _choices(choices: tuple[str, ...]) -> str:
    return f" One of {', '.join(f'`{choice}`' for choice in choices)}." if choices else ""


def _first(kind: type) -> str:
    return (kind.__doc__ or "").splitlines()[0]


def _page(title: str, words: str, lines: list[str]) -> str:
    return "\n".join([f"# {title}", "", NOTE, "", words, "", *lines]).rstrip() + "\n"


def stale() -> list[str]:
    """What would change if the pages were written now, as a diff."""
    changes: list[str] = []
    for name, text in pages().items():
        written = (DOCS / name).read_text(encoding="utf-8")
        changes += difflib.unified_diff(
            written.splitlines(), text.splitlines(), f"docs/{name}", "the code", n=0, lineterm=""
        )
    return changes


def main() -> None:
    """Write every page; with `--check` only say what is stale, and fail if something is."""
    if "--check" in sys.argv[1:]:
        if changes := stale():
            sys.exit("\n".join([*changes, "Run `make docs`."]))
        return
    for name, text in pages().items():
        (DOCS / name).write_text(text, encoding="utf-8")
        sys.stdout.write(f"docs/{name}\n")


if __name__ == "__main__":
    main()
