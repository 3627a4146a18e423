"""`paige orchestra init`, `status`, `next`, `run` and `handoff`.

A handoff is looked at from both ends and logged, or those there were are listed. Once the work is
done, the same command looks at what had to be so afterwards.
"""

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import click

from paige.app.orchestra_files import (
    FeaturePlan,
    OrchestraStatus,
    next_of,
    plan_by_rules,
    project_root,
    standing,
)
from paige.base.clock import system_clock
from paige.base.errors import BadInput, NotFound, Unavailable
from paige.base.settings import Settings, provider_of
from paige.doors.frame.cli import command_settings
from paige.doors.frame.console import Console, plain_text, process_console
from paige.guard.state.evidence_files import fresh, read_evidence
from paige.guard.state.files import Damaged
from paige.guard.state.tree import tree_hash
from paige.models.local import LOCAL
from paige.orchestra.handoffs import (
    Entry,
    Handoff,
    HandoffLog,
    HandoffProblem,
    parse_handoff,
    validate_as_receiver,
    validate_as_sender,
    validate_result,
)
from paige.orchestra.running.goal import is_list
from paige.orchestra.running.parts import Report, Wishes
from paige.orchestra.running.project_files import read_list
from paige.orchestra.values import Facts, Tiers

if TYPE_CHECKING:
    from paige.orchestra.running.parts import Notice

Tell = Callable[["Notice"], None]
_QUIET = ("ooda", "checks")
_MARKS = {"closed": "✓", "blocked": "✗", "failed": "!", "person": "!", "started": "→"}


def teller(console: Console) -> Tell:
    """What shows a person what happens, a line each."""

    def tell(told: "Notice") -> None:
        if told.kind not in _QUIET:
            console.say(told_line(told))

    return tell


def told_line(told: "Notice") -> str:
    """Something that happened, in one line."""
    mark = _MARKS.get(told.kind, "·")
    about = " ".join(each for each in (told.feature, told.agent) if each)
    first = told.text.strip().splitlines()[0] if told.text.strip() else ""
    missing = told.data.get("missing") or ()
    lacks = f" (missing: {', '.join(map(str, missing))})" if missing else ""
    return f"{mark} {told.at[11:19]} {told.kind:<9} {about:<24} {first[:120]}{lacks}".rstrip()


def standing_lines(found: OrchestraStatus) -> list[str]:
    """Where an orchestra stands, in lines."""
    lines = [f"Goal: {' '.join(found.goal.split())[:200]}"] if found.goal else []
    for each in found.features:
        here = "→" if each.id == found.feature and found.conductor else " "
        state = "tested" if each.tested else each.status
        tries = f", {each.retries} retries" if each.retries else ""
        lines.append(f"{here} {each.id:<10} {state:<12} {each.title}{tries}")
    who = f"process {found.conductor}" if found.conductor else "nobody"
    lines.append(f"State: {found.phase or 'not begun'}; conducted by {who}.")
    lines.append(f"Next: {found.next.sentence()}")
    return lines


def report_lines(report: Report) -> list[str]:
    """How a conductor ended, in lines."""
    lines = [f"Closed: {', '.join(report.closed) or 'none'}"]
    if report.blocked:
        lines.append(f"Blocked: {', '.join(report.blocked)}")
    if report.open:
        lines.append(f"Open: {', '.join(report.open)}")
    if report.judged:
        lines.append(f"The judge said no to {report.vetoes} of {report.judged} changes.")
    if report.why:
        lines.append(report.why)
    return lines


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
    with open_app(settings, strict=False) as app:
        try:
            report = anyio.run(partial(run_orchestra, app, wishes, runner, teller(console)))
        except Unavailable as error:
            raise _with_runners(error, settings, runner) from error
    _show_report(report, console, as_json=as_json)
    return 0 if not report.blocked and report.phase != "stopped" else 1


def _planned(settings: Settings, goal: str, runner: str, console: Console) -> FeaturePlan:
    from paige.app.application import open_app  # noqa: PLC0415 - the database, memory, models
    from paige.app.orchestra import plan_project  # noqa: PLC0415

    with open_app(settings, strict=False) as app:
        return anyio.run(partial(plan_project, app, goal, runner, teller(console)))


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
        return _read(file, _MOST_GOAL)
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


def _read(file: Path, most: int) -> str:
    try:
        raw = sys.stdin.buffer.read(most + 1) if str(file) == "-" else file.read_bytes()
        text = raw.decode("utf-8")
    except OSError as error:
        raise BadInput(f"`{file}` cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"`{file}` is not UTF-8 text", hint="Save it as UTF-8.") from error
    if len(raw) > most:
        raise BadInput(f"`{file}` is longer than {most} bytes", hint="Say it shorter.")
    return text


def _show_planned(planned: FeaturePlan, console: Console, *, as_json: bool) -> None:
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


def _show(found: OrchestraStatus, console: Console, *, as_json: bool) -> None:
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


LIST = "list"
_MOST = 1_000_000


@click.command()
@click.argument("what", metavar="FILE|-|list")
@click.option("--returned", is_flag=True, help="The work is done: look at the postcondition.")
@click.option("--check", is_flag=True, help="Look at it only; log nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def handoff(what: str, *, returned: bool, check: bool, as_json: bool) -> int:
    """Check the handoff in FILE (`-`: stdin) against the project and log it, or `list` the log.

    The same handoff twice is one. Exit code 1 when something is wrong with it.
    """
    settings = command_settings()
    root = project_root(settings)
    log = HandoffLog(root)
    console = process_console()
    if what == LIST:
        for entry in log.read():
            shown = json.dumps(entry.dump(), ensure_ascii=False) if as_json else _entry_line(entry)
            console.give(shown)
        return 0
    given = parse_handoff(_read(Path(what), _MOST))
    facts = _facts(given, root, settings.data_dir)
    problems = validate_result(given, facts) if returned else _problems(given, facts)
    new = not problems and not check and _note(log, given, returned=returned)
    if as_json:
        body = {
            "key": given.key,
            "good": not problems,
            "new": new,
            "problems": [{"field": each.field, "message": each.message} for each in problems],
            **given.dump(),
        }
        console.give(json.dumps(body, ensure_ascii=False))
    else:
        for each in problems:
            console.give(f"{each.field}: {each.message}")
        if not problems:
            about = "The return of the handoff" if returned else "The handoff"
            how = "is good" if check else "was logged" if new else "was there already"
            console.say(f"{about} `{given.key}` {how}.")
    return 1 if problems else 0


def _note(log: HandoffLog, given: Handoff, *, returned: bool) -> bool:
    """Log a handoff, or that its work came back; false when that is there already."""
    now = system_clock()
    if returned:
        if not log.has(given.key, "sent"):
            raise NotFound(
                f"No handoff `{given.key}` was logged",
                hint="Log it before the work begins: `paige orchestra handoff FILE`.",
            )
        return log.note("returned", given.key, now)
    new = log.note("sent", given.key, now, given)
    log.note("received", given.key, now)
    return new


def _problems(given: Handoff, facts: Facts) -> tuple[HandoffProblem, ...]:
    found = (
        *validate_as_sender(given, facts),
        *validate_as_receiver(given, facts, given.command.agent),
    )
    return tuple(dict.fromkeys(found))


def _facts(given: Handoff, root: Path, data: Path) -> Facts:
    listed = read_list(root)
    if isinstance(listed, Damaged):
        raise listed
    features = listed or ()
    paths = (*given.command.artifacts, *given.command.context.files_changed)
    tree, records = tree_hash(root), read_evidence(root, data).records
    return Facts(
        tree=tree,
        files=frozenset(each for each in paths if (root / each).exists()),
        states={each.id: each.status for each in features},
        tested=frozenset(each.id for each in features if each.tested),
        evidence=frozenset(each.id for each in features if fresh(records, each.id, tree)),
    )


def _entry_line(entry: Entry) -> str:
    command = (entry.handoff or {}).get("command", {})
    about = f" {command.get('agent', '')} {command.get('task', '')}".rstrip()
    return f"{entry.at[:19]} {entry.event:<9} {entry.key}{about}"
