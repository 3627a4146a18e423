"""`paige guard guards`, `shadow`, `promote` and the rest: where learned guards stand.

Only a person may let a guard watch, block or go. The rules keep agents from running these commands,
and a command that an agent's shell starts all the same refuses by itself.
"""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from paige.app import guards as door
from paige.app.application import App, open_app
from paige.cli.people import person
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import process_console
from paige.guard.guards.values import GuardRecord, Tried

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
WHY = click.option("--why", required=True, help="The reason; it is kept with the step.")
FORCE = click.option(
    "--force", is_flag=True, help="Go past history and shadow; harmless actions still stop it."
)


@click.command()
@click.argument("id", required=False)
@JSON
def guards(id: str | None, *, as_json: bool) -> int:
    """List the guards by where they stand, or show the one called ID."""
    console = process_console()
    with _opened() as app:
        if id is not None:
            found = door.record(app, id)
            made = door.dump_record(found.record, found.shadowed)
            lines = [json.dumps(made, ensure_ascii=False)] if as_json else _details(made)
            for line in lines:
                console.give(line)
            return 0
        listed = door.listed(app)
    rows = [door.dump_record(each.record, each.shadowed) for each in listed.guards]
    if as_json:
        console.give(json.dumps({"guards": rows, "problems": listed.problems}, ensure_ascii=False))
    for row in rows if not as_json else ():
        console.give(_line(row))
    for problem in listed.problems:
        console.say(problem)
    if not rows and not listed.problems and not as_json:
        console.say("There are no guards yet. See what can be proposed: `paige guard learn`.")
    return 1 if listed.problems else 0


@click.command()
@click.argument("id")
@JSON
def replay(id: str, *, as_json: bool) -> int:
    """Try the guard ID on its examples, on harmless actions and on what happened."""
    with _opened() as app:
        tried = door.try_out(app, id)
    made = door.dump_tried(tried)
    console = process_console()
    for line in [json.dumps(made, ensure_ascii=False)] if as_json else _tried_lines(tried, made):
        console.give(line)
    return 0 if tried.sound else 1


@click.command()
@click.argument("id")
@WHY
@FORCE
def shadow(id: str, *, why: str, force: bool) -> None:
    """Let the proposed guard ID watch: it notes what it would have refused."""
    _step(lambda app, by: door.shadow(app, id, why=why, by=by, force=force))


@click.command()
@click.argument("id")
@WHY
@FORCE
def promote(id: str, *, why: str, force: bool) -> None:
    """Let the guard ID block."""
    _step(lambda app, by: door.promote(app, id, why=why, by=by, force=force))


@click.command()
@click.argument("id")
@WHY
def rollback(id: str, *, why: str) -> None:
    """Take the guard ID back: it no longer blocks, or is no longer tried."""
    _step(lambda app, by: door.roll_back(app, id, why=why, by=by))


@click.command()
@click.argument("decision")
@WHY
def override(decision: str, *, why: str) -> None:
    """Let the refused action DECISION pass once, within ten minutes."""
    by = person()
    with _opened() as app:
        passed = door.override(app, decision, why=why, by=by)
    console = process_console()
    console.give(f"{passed.guard}  passes once until {passed.until:%H:%M} UTC")
    if passed.rolled_back:
        console.say(f"The guard `{passed.guard}` was overridden too often and is rolled back.")


def _step(make: Callable[[App, str], GuardRecord]) -> None:
    by = person()
    with _opened() as app:
        found = make(app, by)
    process_console().give(f"{found.id}  {found.standing}  version {found.current.version}")


@contextmanager
def _opened() -> Iterator[App]:
    with open_app(command_settings(), strict=False) as app:
        yield app


def _line(row: dict[str, Any]) -> str:
    seen = row.get("seen", {})
    counts = f"{seen.get('hits', 0)} hits in {seen.get('events', 0)} actions"
    return f"{row['id']:32} {row['standing']:12} {row['scope']:10} {counts}  {row['message']}"


def _details(row: dict[str, Any]) -> list[str]:
    lines = [_line(row), f"  matcher  {json.dumps(row['matcher'], ensure_ascii=False)}"]
    for step in row["steps"]:
        forced = "  forced" if step["forced"] else ""
        by = f" by {step['by']}" if step["by"] else ""
        at = step["at"][:16].replace("T", " ")
        lines.append(f"  {at}  version {step['version']}  {step['stage']}{by}{forced}")
        lines.append(f"    {step['why']}")
    return lines


def _tried_lines(tried: Tried, made: dict[str, Any]) -> list[str]:
    lines = [f"examples   {len(tried.faults)} fail"]
    lines += [f"  {each}" for each in tried.faults]
    lines.append(f"harmless   {len(tried.benign)} of {tried.probed} would be stopped")
    lines += [f"  {each['action']}" for each in made["benign"]]
    past = tried.replay
    lines.append(
        f"history    {past.hits} of {past.actions} would be stopped: {len(past.already)} were "
        f"refused anyway, {len(past.corrected)} were corrected, {len(past.harmless)} were fine"
    )
    lines += [f"  {each['action']}  {each['id']}" for each in made["harmless"]]
    if past.unclear:
        lines.append(f"unclear    {len(past.unclear)}: too little of them was kept")
    return lines
