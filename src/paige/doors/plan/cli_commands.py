"""`paige plan COMMAND`, `resume`, `repl`: run the agents of plugins, go on, talk."""

import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

from paige.agent.library.plugins import FoundCommand
from paige.app.plugin_runs import find_plugins
from paige.base.errors import BadInput
from paige.base.settings import PROVIDERS, Settings
from paige.doors.frame.cli import command_settings
from paige.doors.frame.console import Console, plain_text, process_console
from paige.doors.plan.cli_lists import JSON, find_command
from paige.doors.plan.cli_runs import dry_run, request_of, resume, run_once, run_repl

USUAL = "lesson-planning:create-lesson"
"""The command that somebody talks with who names none."""
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


RUN_OPTIONS: tuple[Decorator, ...] = (
    click.option("--class", "class_id", metavar="CLASS", help="The class it is about, as 3B."),
    click.option(
        "--yes",
        "automatic",
        is_flag=True,
        help="Take the first option of every question; notes stay proposed.",
    ),
    click.option(
        "--no-memory",
        "memory",
        flag_value=False,
        default=True,
        help="Neither read nor write memory.",
    ),
    click.option("--provider", type=click.Choice(PROVIDERS), help="Who answers."),
    click.option("--model", help="The model that answers, for every agent of the run."),
    click.option("--max-turns", type=click.IntRange(min=1), help="How often the model is asked."),
    click.option("--bash", is_flag=True, help="Let agents that name `bash` run commands here."),
)


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of a run."""
    for option in reversed(RUN_OPTIONS):
        function = option(function)
    return function


def plugin_command(name: str, *, besides: Sequence[str]) -> click.Command:
    """A command of a plugin; `besides` are the names that could be meant instead."""

    @click.command(name)
    @click.argument("prompt", metavar="[INPUT]", required=False)
    @click.option("--dry-run", "dry", is_flag=True, help="Show the prompt; no model is asked.")
    @run_options
    @JSON
    def run_it(
        prompt: str | None,
        *,
        dry: bool,
        **given: Any,  # noqa: ANN401 - click's
    ) -> int:
        """Run a command of a plugin, with INPUT from the command line or stdin."""
        settings, console = command_settings(), process_console()
        found = find_command(settings, name, besides=besides)
        request = request_of(given)
        if dry:
            return dry_run(settings, found, prompt or "", request, console)
        return run_once(settings, found, read_prompt(prompt, console), request, console)

    return run_it


@click.command(name="resume", short_help="Go on with a session or a run.")
@click.argument("identity", metavar="ID")
@click.argument("prompt", metavar="[INPUT]", required=False)
@run_options
@JSON
def resume_(identity: str, prompt: str | None, **given: Any) -> int:  # noqa: ANN401 - click's
    """Go on with a session or a run: answer what is open, finish what was interrupted, say more."""
    said = None if prompt is None else plain_text(prompt)
    return resume(command_settings(), identity, said, request_of(given), process_console())


@click.command(short_help="Talk with the agent of a command.")
@click.argument("name", metavar="[COMMAND]", required=False)
@run_options
def repl(name: str | None, **given: Any) -> int:  # noqa: ANN401 - click's
    """Talk with the agent of a command, one line after another; `/help` says more."""
    settings = command_settings()
    found = command_to_talk(settings, name)
    return run_repl(settings, found, request_of(given), process_console())


def command_to_talk(settings: Settings, name: str | None) -> FoundCommand:
    """The command that is named, the only one there is, or the one to plan with.

    Raises: BadInput.
    """
    if name is not None:
        return find_command(settings, name)
    plugins = find_plugins(settings).plugins.values()
    found = [FoundCommand(plugin, c) for plugin in plugins for c in plugin.commands.values()]
    if len(found) == 1:
        return found[0]
    usual = next((item for item in found if item.full_name == USUAL), None)
    if usual is not None:
        return usual
    names = ", ".join(f"`{item.full_name}`" for item in found)
    hint = f"There are: {names}." if found else "`paige plan list` says why there is none."
    raise BadInput("Say which command to talk with", hint=hint)


def read_prompt(given: str | None, console: Console) -> str:
    """What to do: the argument, else stdin, else a question. Raises: BadInput when empty."""
    if given is not None:
        text = plain_text(given)
    elif console.interactive:
        text = console.read("What should it do? ")
    else:
        text = _all_of_stdin()
    if not text.strip():
        raise BadInput("There is nothing to do", hint='Say it: `paige plan COMMAND "what to do"`.')
    return text.strip()


def _all_of_stdin() -> str:
    try:
        return plain_text(sys.stdin.read())
    except UnicodeDecodeError as error:
        raise BadInput("The input is not UTF-8 text") from error
