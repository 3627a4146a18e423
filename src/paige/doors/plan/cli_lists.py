"""`paige plan list`, `sessions` and `trace`: what there is, and what was done."""

import json
from collections.abc import Sequence
from functools import partial

import click

from paige.agent import queries
from paige.agent.library.plugins import FoundCommand, LoadedPlugins, get_command
from paige.agent.tables import SessionRow
from paige.app.plugin_runs import find_plugins
from paige.base.clock import to_iso
from paige.base.errors import BadInput, NotFound
from paige.base.settings import Settings
from paige.doors.frame.cli import command_settings, read_database
from paige.doors.frame.console import Console, process_console
from paige.doors.traces.cli import show_traces

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command(name="list", short_help="List the commands of all plugins.")
@JSON
def list_(*, as_json: bool) -> None:
    """List the commands of all plugins, and what is wrong with a plugin."""
    list_commands(command_settings(), process_console(), as_json=as_json)


@click.command()
@click.option("--plugin", help="Only those of one plugin.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@JSON
def sessions(*, plugin: str | None, limit: int, as_json: bool) -> None:
    """List recent sessions, newest first."""
    console = process_console()
    list_sessions(command_settings(), console, plugin=plugin, limit=limit, as_json=as_json)


@click.command()
@click.argument("identity", metavar="ID")
@JSON
def trace(identity: str, *, as_json: bool) -> None:
    """Show what a run, or every run of a session, did."""
    show_traces(command_settings(), identity, process_console(), as_json=as_json)


def find_command(settings: Settings, name: str, *, besides: Sequence[str] = ()) -> FoundCommand:
    """A command of a plugin. Raises: BadInput with the closest name, or why it is missing."""
    loaded = find_plugins(settings)
    try:
        return get_command(loaded.plugins, name)
    except NotFound as error:
        raise BadInput(error.message, hint=_hint(loaded, error.hint, name, besides)) from error


def list_commands(settings: Settings, console: Console, *, as_json: bool = False) -> None:
    """Every command of every plugin; what is wrong with a plugin is said."""
    loaded = find_plugins(settings)
    found = [FoundCommand(p, c) for p in loaded.plugins.values() for c in p.commands.values()]
    if as_json:
        listed = [{"name": f.full_name, "description": f.command.description} for f in found]
        wrong = [{"message": p.message, "hint": p.hint} for p in loaded.problems]
        console.give(json.dumps({"commands": listed, "problems": wrong}, ensure_ascii=False))
        return
    width = max((len(item.full_name) for item in found), default=0)
    for item in found:
        console.give(f"{item.full_name.ljust(width)}  {_one_line(item.command.description)}")
    if not found:
        console.say(
            "There are no commands. Plugins live in `.ai/plugins` and `~/.config/ai/plugins`."
        )
    for problem in loaded.problems:
        console.say(f"{problem.message}. {problem.hint or ''}".rstrip())


def list_sessions(
    settings: Settings,
    console: Console,
    *,
    plugin: str | None = None,
    limit: int = 20,
    as_json: bool = False,
) -> None:
    """Recent sessions, newest first."""
    query = partial(queries.recent_sessions, plugin=plugin, limit=limit)
    rows = read_database(settings, query)
    if as_json:
        console.give(json.dumps([_session(row) for row in rows], ensure_ascii=False))
        return
    for row in rows:
        title = _one_line(row.title or "")
        console.give(f"{row.id}  {row.updated_at:%Y-%m-%d %H:%M}  {_command(row)}  {title}")
    if not rows:
        console.say("There are no sessions yet.")


def _hint(loaded: LoadedPlugins, hint: str | None, name: str, besides: Sequence[str]) -> str | None:
    # difflib is needed for a mistyped command only.
    import difflib  # noqa: PLC0415

    close = difflib.get_close_matches(name, besides, n=1)
    if close:
        return f"Did you mean `{close[0]}`?"
    if not loaded.problems:
        return hint
    unread = "Not every plugin could be read: `paige plan list` says what is wrong."
    return f"{unread} {hint or ''}".rstrip()


def _session(row: SessionRow) -> dict[str, object]:
    return {
        "session": row.id,
        "title": row.title,
        "door": row.door,
        "plugin": row.plugin,
        "command": row.command,
        "agent": row.agent,
        "class": row.class_id,
        "status": row.status,
        "started_at": to_iso(row.started_at),
        "updated_at": to_iso(row.updated_at),
    }


def _command(row: SessionRow) -> str:
    return f"{row.plugin}:{row.command}" if row.plugin else row.door


def _one_line(text: str) -> str:
    return " ".join(text.split())
