"""`paige plan`: run the agents of plugins, list, resume, look at what they did."""

import sys
from collections.abc import Callable
from typing import Any, TypedDict, Unpack

import click

from paige.agent.plugins import FoundCommand
from paige.app.running import RunOptions, find_plugins
from paige.base.errors import BadInput
from paige.base.settings import PROVIDERS, Settings
from paige.cli.plan_curriculum import curriculum
from paige.cli.plan_evidence import check_evidence
from paige.cli.plan_export import export
from paige.cli.plan_handout import answers, handout, handouts
from paige.cli.plan_listing import find_command, list_commands, list_sessions
from paige.cli.plan_misconceptions import misconceptions
from paige.cli.plan_research import research
from paige.cli.plan_runs import Asked, dry_run, resume, run_once, run_repl
from paige.cli.plan_workspace import workspace
from paige.cli.trace import show_traces
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import Console, plain_text, process_console

USUAL = "lesson-planning:create-lesson"
"""The command that somebody talks with who names none."""
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


class RunFlags(TypedDict):
    """The options of a run as click hands them over."""

    class_id: str | None
    provider: str | None
    model: str | None
    max_turns: int | None
    no_memory: bool
    bash: bool
    yes: bool


JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
RUN_OPTIONS: tuple[Decorator, ...] = (
    click.option("--class", "class_id", metavar="CLASS", help="The class it is about, as 3B."),
    click.option(
        "--yes", is_flag=True, help="Take the first option of every question; notes stay proposed."
    ),
    click.option("--no-memory", is_flag=True, help="Neither read nor write memory."),
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


def read_flags(flags: RunFlags, *, as_json: bool = False) -> Asked:
    """The options of a run as values."""
    options = RunOptions(
        class_id=flags["class_id"],
        provider=flags["provider"] or "",
        model=flags["model"] or "",
        max_turns=flags["max_turns"],
        memory=not flags["no_memory"],
        bash=flags["bash"],
    )
    return Asked(options, automatic=flags["yes"], as_json=as_json)


class PlanGroup(click.Group):
    """A group where a name that is none of its own is a command of a plugin."""

    stand_ins = ("COMMAND",)
    """What the reference shows for the commands that plugins bring."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """One of our own, or one that is looked up among the plugins when it runs."""
        return super().get_command(ctx, cmd_name) or _plugin_command(cmd_name)


@click.group(cls=PlanGroup, subcommand_metavar="COMMAND [INPUT] [OPTIONS]...")
def plan() -> None:
    """Run a command of a plugin on your workspace: `paige plan COMMAND "what to do"`.

    `paige plan list` shows the commands that plugins bring; `PLUGIN:COMMAND` names one exactly.
    Besides, there are:
    """


plan.add_command(misconceptions)
plan.add_command(research)
plan.add_command(check_evidence)
plan.add_command(curriculum)
plan.add_command(export)
plan.add_command(handout)
plan.add_command(handouts)
plan.add_command(answers)
plan.add_command(workspace)


@plan.command(name="list", short_help="List the commands of all plugins.")
@JSON
def list_(*, as_json: bool) -> None:
    """List the commands of all plugins, and what is wrong with a plugin."""
    list_commands(command_settings(), process_console(), as_json=as_json)


@plan.command()
@click.option("--plugin", help="Only those of one plugin.")
@click.option("--limit", type=click.IntRange(1, 1000), default=20, show_default=True)
@JSON
def sessions(*, plugin: str | None, limit: int, as_json: bool) -> None:
    """List recent sessions, newest first."""
    console = process_console()
    list_sessions(command_settings(), console, plugin=plugin, limit=limit, as_json=as_json)


@plan.command(name="resume", short_help="Go on with a session or a run.")
@click.argument("identity", metavar="ID")
@click.argument("prompt", metavar="[INPUT]", required=False)
@run_options
@JSON
def resume_(identity: str, prompt: str | None, *, as_json: bool, **flags: Unpack[RunFlags]) -> int:
    """Go on with a session or a run: answer what is open, finish what was interrupted, say more."""
    said = None if prompt is None else plain_text(prompt)
    asked = read_flags(flags, as_json=as_json)
    return resume(command_settings(), identity, said, asked, process_console())


@plan.command()
@click.argument("identity", metavar="ID")
@JSON
def trace(identity: str, *, as_json: bool) -> None:
    """Show what a run, or every run of a session, did."""
    show_traces(command_settings(), identity, process_console(), as_json=as_json)


@plan.command(short_help="Talk with the agent of a command.")
@click.argument("name", metavar="[COMMAND]", required=False)
@run_options
def repl(name: str | None, **flags: Unpack[RunFlags]) -> int:
    """Talk with the agent of a command, one line after another; `/help` says more."""
    settings = command_settings()
    found = command_to_talk(settings, name)
    return run_repl(settings, found, read_flags(flags), process_console())


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


def _plugin_command(name: str) -> click.Command:
    @click.command(name)
    @click.argument("prompt", metavar="[INPUT]", required=False)
    @click.option("--dry-run", is_flag=True, help="Show the prompt; no model is asked.")
    @run_options
    @JSON
    def run(prompt: str | None, *, dry_run: bool, as_json: bool, **flags: Unpack[RunFlags]) -> int:
        """Run a command of a plugin, with INPUT from the command line or stdin."""
        return run_plugin_command(name, prompt, read_flags(flags, as_json=as_json), dry=dry_run)

    return run


def run_plugin_command(name: str, prompt: str | None, asked: Asked, *, dry: bool) -> int:
    """Run a command of a plugin, or show its prompt."""
    settings, console = command_settings(), process_console()
    found = find_command(settings, name, besides=plan.list_commands(click.Context(plan)))
    if dry:
        return dry_run(settings, found, prompt or "", asked, console)
    return run_once(settings, found, read_prompt(prompt, console), asked, console)
