"""`paige guard learn`, `report` and `prompts`: what repeats, what to do about it, how well it goes.

Looking is for everybody. Writing proposals down and deciding on prompts is for people: the rules
keep agents from these options, and the commands refuse by themselves where an agent's shell starts
them all the same.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from paige.app import learning as door
from paige.app.application import App, open_app
from paige.base.errors import BadInput
from paige.cli.people import person
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import Console, process_console
from paige.guard.learning.learning import dump_learned, dump_metrics, learned_lines
from paige.guard.learning.metrics import Metric, Success
from paige.guard.learning.reporting import Report, Row, dump_report

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command(name="learn")
@click.option("--apply", "apply_", is_flag=True, help="Write the proposals down, to be tried.")
@JSON
def learn_(*, apply_: bool, as_json: bool) -> int:
    """Find patterns in what was blocked and corrected, and propose guards for them."""
    by = person() if apply_ else ""
    console = process_console()
    with _opened() as app:
        run = door.run(app)
        done = door.apply(app, run, by=by) if apply_ else None
    found = run.learned
    if as_json:
        made = dump_learned(found)
        console.give(_json(made if done is None else {**made, "applied": door.dump_applied(done)}))
        return 0
    for line in learned_lines(found):
        console.give(line)
    if done is not None:
        for line in door.applied_lines(done):
            console.give(line)
    elif not found.patterns:
        console.say(
            "Nothing repeats yet: a pattern is what was refused or corrected three times in two "
            "sessions. `paige guard traces find` shows what happened so far."
        )
    elif found.proposals or found.prompts:
        console.say("Nothing was changed. Write the proposals down: `paige guard learn --apply`.")
    return 0


@click.command()
@JSON
def report(*, as_json: bool) -> int:
    """Show the checklist of anti-patterns and the success metrics, with their numbers."""
    with _opened() as app:
        found, metrics = door.reported(app)
    console = process_console()
    if as_json:
        console.give(_json({**dump_report(found), "success": dump_metrics(metrics)}))
        return 0
    _show_report(found, console)
    _show_metrics(metrics, console)
    return 0


@click.command()
@click.argument("agent", required=False)
@click.option("--apply", "how", flag_value="apply", help="Put the change into the prompt.")
@click.option("--confirm", "how", flag_value="confirm", help="Keep the change for good.")
@click.option("--withdraw", "how", flag_value="withdraw", help="Take the change back.")
@click.option("--why", default="", help="The reason; it is kept with the step.")
@JSON
def prompts(agent: str | None, *, how: str | None, why: str, as_json: bool) -> int:
    """Show the changes of agents' prompts that are being tried, or decide on that of AGENT."""
    console = process_console()
    if how is not None:
        by = person()
        if agent is None or not why.strip():
            raise BadInput(
                f"`--{how}` needs an agent and a reason",
                hint=f'Write `paige guard prompts AGENT --{how} --why "…"`.',
            )
        with _opened() as app:
            path = door.move_prompt_of(app, agent, door.move_named(how), by=by, why=why)
        console.give(f"{agent}  {how}  {path}")
        return 0
    with _opened() as app:
        rows = door.prompt_rows(app, agent)
    for row in rows:
        console.give(_json(row) if as_json else _prompt_line(row))
    if not rows:
        console.say("No change of a prompt is being tried. See: `paige guard learn`.")
    return 0


@contextmanager
def _opened() -> Iterator[App]:
    with open_app(command_settings(), strict=False) as app:
        yield app


def _show_report(found: Report, console: Console) -> None:
    for row in found.rows:
        console.give(f"{row.verdict:8} {row.name:32} {_number(row)}")
        if row.verdict == "warning":
            console.give(f"         {row.advice}")


def _number(row: Row) -> str:
    if row.measured is None:
        return f"nothing measured yet (warns above {row.threshold:g})"
    return f"{row.measured:.2f} over {row.cases} cases (warns above {row.threshold:g})"


def _show_metrics(found: Success, console: Console) -> None:
    console.give("")
    console.give(f"Before and after {found.moment:%Y-%m-%d}:")
    for each in found.rows:
        console.give(f"{_met(each):8} {each.name:32} {_amount(each.before)} → {_amount(each.after)}"
                     f" (target {each.target:g})")  # fmt: skip


def _met(metric: Metric) -> str:
    return {True: "met", False: "missed", None: "unknown"}[metric.met]


def _amount(number: float | None) -> str:
    return "?" if number is None else f"{number:.2f}".rstrip("0").rstrip(".")


def _prompt_line(row: dict[str, Any]) -> str:
    lines = [f"{row['agent']}  {row['stage']}  {row['file']}  {row['tokens']:+d} tokens"]
    lines += [f"  {row['why']}", *(f"  {line}" for line in row["diff"])]
    return "\n".join(lines)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
