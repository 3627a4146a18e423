"""`teacher-assist`: the teacher's own command, with options instead of subcommands."""

from typing import TypedDict, Unpack

import click

from paige.app.running import RunOptions
from paige.base.errors import BadInput
from paige.base.settings import PROVIDERS
from paige.cli.plan import command_to_talk, read_prompt
from paige.cli.plan_listing import find_command, list_commands, list_sessions
from paige.cli.plan_runs import Asked, dry_run, resume, run_once, run_repl
from paige.cli.serving import up
from paige.cli.trace import show_traces
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import process_console

_PROGRAM = {"help_option_names": ["-h", "--help"]}


class Places(TypedDict):
    """The options that are a task of their own; at most one may be given."""

    list_: bool
    interactive: bool
    resume_id: str | None
    sessions: bool
    trace_id: str | None
    serve: bool


class Overrides(TypedDict):
    """The options that say how a run is wanted."""

    provider: str | None
    model: str | None
    max_turns: int | None
    no_memory: bool


class Given(Places, Overrides):
    """Everything that click hands over, besides the two arguments."""

    plugin: str | None
    dry_run: bool


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
@click.option("--no-memory", is_flag=True, help="Disable memory for this session.")
@click.pass_context
def teacher_assist(
    ctx: click.Context, command: str | None, given_input: str | None, **given: Unpack[Given]
) -> int | None:
    """Run a command of a plugin: `teacher-assist PLUGIN:COMMAND "what to do"`."""
    _check(given)
    settings, console, asked = command_settings(), process_console(), _asked(given)
    if given["list_"]:
        return list_commands(settings, console)
    if given["sessions"]:
        return list_sessions(settings, console, plugin=given["plugin"])
    if given["trace_id"] is not None:
        return show_traces(settings, given["trace_id"], console)
    if given["serve"]:
        return ctx.invoke(up)
    if given["resume_id"] is not None:
        return resume(settings, given["resume_id"], given_input or command, asked, console)
    if given["interactive"]:
        return run_repl(settings, command_to_talk(settings, command), asked, console)
    if command is None:
        click.echo(ctx.get_help())
        return 0
    found = find_command(settings, command)
    if given["dry_run"]:
        return dry_run(settings, found, given_input or "", asked, console)
    return run_once(settings, found, read_prompt(given_input, console), asked, console)


def _check(given: Given) -> None:
    chosen = [name for name in Places.__annotations__ if given[name]]
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


def _asked(given: Given) -> Asked:
    options = RunOptions(
        provider=given["provider"] or "",
        model=given["model"] or "",
        max_turns=given["max_turns"],
        memory=not given["no_memory"],
    )
    return Asked(options)
