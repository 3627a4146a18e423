"""`paige orchestra init`, `status`, `next` and `run`."""

import json
import sys
import time
from functools import partial
from pathlib import Path

import anyio
import click

from paige.app.orchestra_files import Planned, Standing, next_of, plan_by_rules, standing
from paige.base.clock import system_clock
from paige.base.errors import BadInput, Unavailable
from paige.base.settings import Settings, provider_of
from paige.cli.orchestra_view import report_lines, standing_lines, watching
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import Console, plain_text, process_console
from paige.models.local import LOCAL
from paige.orchestra.running.reports import Report, Wishes
from paige.orchestra.running.splitting import is_list
from paige.orchestra.values import Tiers

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
RUNNER = click.option(
    "--runner",
    metavar="NAME",
    default="",
    help="Who works: `loop` (Paige's own agents), `claude-code`, `codex` or `gemini`.",
)
_MOST_GOAL = 200_000
_PAUSE = 0.5


@click.command(context_settings={"ignore_unknown_options": True})  # a list begins with a dash
@click.argument("goal", required=False)
@click.option(
    "--from",
    "file",
    type=click.Path(path_type=Path),
    help="Read the goal from a file (`-`: stdin).",
)
@RUNNER
@JSON
def init(goal: str | None, *, file: Path | None, runner: str, as_json: bool) -> None:
    """Give the project a GOAL. A list in markdown is taken as the features it names.

    Any other goal is broken down by an agent; without a model, write one feature a line.
    """
    console = process_console()
    text = _goal(goal, file, console)
    settings = command_settings()
    if is_list(text) or not (runner or provider_of(settings, strict=False) != LOCAL):
        planned = plan_by_rules(settings, text, system_clock)
    else:
        planned = _planned(settings, text, runner, console)
    _show_planned(planned, console, as_json=as_json)


@click.command()
@click.option("--watch", is_flag=True, help="Go on showing it until the conductor has ended.")
@JSON
def status(*, watch: bool, as_json: bool) -> int:
    """Show the features, their state, and what comes next."""
    settings = command_settings()
    console = process_console()
    found = standing(settings)
    _show(found, console, as_json=as_json)
    shown = found.dump()
    while watch and found.conductor is not None:
        time.sleep(_PAUSE)
        found = standing(settings)
        if found.dump() != shown:
            shown = found.dump()
            _show(found, console, as_json=as_json)
    return 1 if found.problem else 0


@click.command(name="next")
@JSON
def next_(*, as_json: bool) -> None:
    """Say what comes next, by the list of features and the state of the work."""
    found = next_of(command_settings())
    process_console().give(json.dumps(found.dump()) if as_json else found.sentence())


@click.command()
@RUNNER
@click.option(
    "--tiers",
    type=click.Choice(["2", "3"]),
    help="3: a section leader plans each group of features first.",
)
@click.option("--most", type=click.IntRange(min=1), help="Finish at most so many features.")
@JSON
def run(*, runner: str, tiers: str | None, most: int | None, as_json: bool) -> int:
    """Let agents work until everything is done. Run again, it goes on where it stands."""
    from paige.app.application import open_app  # noqa: PLC0415 - the database, memory, models
    from paige.app.orchestra import run_orchestra  # noqa: PLC0415

    console = process_console()
    level: Tiers | None = {None: None, "2": 2, "3": 3}[tiers]  # pyright: ignore[reportAssignmentType]
    wishes = Wishes(tiers=level, most=most)
    settings = command_settings()
    with open_app(settings, strict=False) as app, watching(console) as tell:
        try:
            report = anyio.run(partial(run_orchestra, app, wishes, runner, tell))
        except Unavailable as error:
            raise _with_runners(error, settings, runner) from error
    _show_report(report, console, as_json=as_json)
    return 0 if not report.blocked and report.phase != "stopped" else 1


def _planned(settings: Settings, goal: str, runner: str, console: Console) -> Planned:
    from paige.app.application import open_app  # noqa: PLC0415 - the database, memory, models
    from paige.app.orchestra import plan_project  # noqa: PLC0415

    with open_app(settings, strict=False) as app, watching(console) as tell:
        return anyio.run(partial(plan_project, app, goal, runner, tell))


def _with_runners(error: Unavailable, settings: Settings, runner: str) -> Unavailable:
    """The same with the coding CLIs that are on this machine."""
    from paige.app.orchestra import installed_runners  # noqa: PLC0415

    found = [name for name in installed_runners(settings) if name != runner]
    if not found or "--runner" not in (error.hint or ""):
        return error
    named = ", ".join(f"`{name}`" for name in found)
    return Unavailable(error.message, hint=f"{error.hint} Installed here: {named}.")


def _goal(goal: str | None, file: Path | None, console: Console) -> str:
    if goal and file:
        raise BadInput("Give the goal as words or as a file, not both")
    if file is not None:
        return _read(file)
    if goal:
        return plain_text(goal)
    if not console.interactive:
        raise BadInput("There is no goal", hint='Say what to build: `paige orchestra init "…"`.')
    console.say("What should be built? One feature a line; an empty line ends it.")
    lines: list[str] = []
    while line := console.read("- "):
        lines.append(f"- {line}")
    return (
        "\n".join(lines)
        if lines
        else _goal(None, None, Console(console.read, console.out, console.err))
    )


def _read(file: Path) -> str:
    try:
        raw = sys.stdin.buffer.read(_MOST_GOAL + 1) if str(file) == "-" else file.read_bytes()
        text = raw.decode("utf-8")
    except OSError as error:
        raise BadInput(f"`{file}` cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"`{file}` is not UTF-8 text", hint="Save it as UTF-8.") from error
    if len(raw) > _MOST_GOAL:
        raise BadInput(f"`{file}` is longer than {_MOST_GOAL} bytes", hint="Say it shorter.")
    return text


def _show_planned(planned: Planned, console: Console, *, as_json: bool) -> None:
    if as_json:
        body = {"source": planned.source, "features": [each.dump() for each in planned.features]}
        console.give(json.dumps(body, ensure_ascii=False))
        return
    how = {
        "local": "Broken down by rules, without a model",
        "list": "Taken from your list",
    }.get(planned.source, f"Broken down by `{planned.source}`")
    console.say(f"{how}: {len(planned.features)} features. `paige orchestra run` builds them.")
    for each in planned.features:
        console.give(f"{each.id}  {each.title}")


def _show(found: Standing, console: Console, *, as_json: bool) -> None:
    if as_json:
        console.give(json.dumps(found.dump(), ensure_ascii=False))
        return
    for line in standing_lines(found):
        console.give(line)
    if found.problem:
        console.say(found.problem)


def _show_report(report: Report, console: Console, *, as_json: bool) -> None:
    if as_json:
        console.give(json.dumps(report.dump(), ensure_ascii=False))
        return
    for line in report_lines(report):
        console.give(line)
