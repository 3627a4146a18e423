"""Writes the reference pages that are made from the code: settings, commands, events, messages.

`make docs` runs it; a test fails when a page is stale.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from docs.message_tables import with_messages
from paige.base.events import DECISIONS, EVENTS
from paige.base.settings import SETTINGS
from paige.cli.main import COMMANDS, paige
from paige.memory.event_schema import event_schema, field_rows
from paige.memory.types import TYPES

REFERENCE = Path(__file__).parent / "reference"
NOTE = "<!-- Written by `make docs` from the code; edits are lost. -->"


def pages() -> dict[str, str]:
    """Every generated page by file name."""
    return {
        "settings.md": settings(),
        "commands.md": commands(),
        "events.md": events(),
        "memory-events.md": memory_events(),
        "websocket.md": websocket(),
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
    context = click.Context(paige, info_name="paige")
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


def websocket() -> str:
    """The page about the WebSocket, with its list of the coach's messages written anew."""
    return with_messages((REFERENCE / "websocket.md").read_text(encoding="utf-8"))


def _choices(choices: tuple[str, ...]) -> str:
    return f" One of {', '.join(f'`{choice}`' for choice in choices)}." if choices else ""


def _first(kind: type) -> str:
    return (kind.__doc__ or "").splitlines()[0]


def _page(title: str, words: str, lines: list[str]) -> str:
    return "\n".join([f"# {title}", "", NOTE, "", words, "", *lines]).rstrip() + "\n"


def main() -> None:
    """Write every page."""
    for name, text in pages().items():
        (REFERENCE / name).write_text(text, encoding="utf-8")
        sys.stdout.write(f"docs/reference/{name}\n")


if __name__ == "__main__":
    main()
