"""`teacher-assist`: the teacher's own command, with options instead of subcommands."""

from collections.abc import Mapping
from typing import Any

import click

from paige.base.errors import BadInput
from paige.base.settings import PROVIDERS
from paige.doors.frame.cli import command_settings
from paige.doors.frame.console import process_console
from paige.doors.plan.cli_commands import command_to_talk, read_prompt
from paige.doors.plan.cli_lists import find_command, list_commands, list_sessions
from paige.doors.plan.cli_runs import dry_run, request_of, resume, run_once, run_repl
from paige.doors.site.server_commands import up
from paige.doors.traces.cli import show_traces

_PROGRAM = {"help_option_names": ["-h", "--help"]}


TASKS = ("list_", "interactive", "resume_id", "sessions", "trace_id", "serve")
"""The options that are a task of their own; at most one may be given."""


@click.command(context_settings=_PROGRAM)
@click.argument("command", metavar="[PLUGIN:COMMAND]", required=False)
@click.argument("given_input", metavar="[INPUT]", required=False)
@click.option("--list", "list_", is_flag=True, help="List all plugins and commands.")
@click.option("--interactive", is_flag=True, help="Start an interactive session.")
@click.option("--resume", "resume_id", metavar="SESSION", help="Resume a previous session.")
@click.option("--sessions", is_flag=True, help="List recent sessions.")
@click.option("--plugin", help="Filter sessions by plugin.")
@click.option("--trace", "trace_id", metavar="TRACE", help="View a trace.")
@click.option("--provider", type=click.Choice(PROVIDERS), help="Override the provider.")
@click.option("--model", help="Override the model.")
@click.option("--max-turns", type=click.IntRange(min=1), help="Override the most turns.")
@click.option("--dry-run", is_flag=True, help="Show the prompt without calling a model.")
@click.option("--serve", is_flag=True, help="Start the server of the web app.")
@click.option(
    "--no-memory", "memory", flag_value=False, default=True, help="Disable memory for this session."
)
@click.pass_context
def teacher_assist(
    ctx: click.Context,
    command: str | None,
    given_input: str | None,
    **given: Any,  # noqa: ANN401 - click's
) -> int | None:
    """Run a command of a plugin: `teacher-assist PLUGIN:COMMAND "what to do"`."""
    _check(given)
    settings, console, request = command_settings(), process_console(), request_of(given)
    if given["list_"]:
        return list_commands(settings, console)
    if given["sessions"]:
        return list_sessions(settings, console, plugin=given["plugin"])
    if given["trace_id"] is not None:
        return show_traces(settings, given["trace_id"], console)
    if given["serve"]:
        return ctx.invoke(up)
    if given["resume_id"] is not None:
        return resume(settings, given["resume_id"], given_input or command, request, console)
    if given["interactive"]:
        return run_repl(settings, command_to_talk(settings, command), request, console)
    if command is None:
        click.echo(ctx.get_help())
        return 0
    found = find_command(settings, command)
    if given["dry_run"]:
        return dry_run(settings, found, given_input or "", request, console)
    return run_once(settings, found, read_prompt(given_input, console), request, console)


def _check(given: Mapping[str, Any]) -> None:
    chosen = [name for name in TASKS if given[name]]
    if len(chosen) > 1:
        raise BadInput(f"{' and '.join(map(_option, chosen))} do not go together")
    if given["plugin"] is not None and not given["sessions"]:
        raise BadInput("`--plugin` filters `--sessions`", hint="Name a command as PLUGIN:COMMAND.")
    if given["dry_run"] and chosen:
        hint = "It shows the prompt of a command: `teacher-assist PLUGIN:COMMAND --dry-run`."
        raise BadInput(f"`--dry-run` does not go with {_option(chosen[0])}", hint=hint)


def _option(name: str) -> str:
    """An option as it is typed."""
    return f"`--{name.strip('_').removesuffix('_id')}`"
