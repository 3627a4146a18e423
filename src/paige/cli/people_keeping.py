"""`paige people export` and `paige people erase`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import BadInput
from paige.cli.backup import JSON
from paige.cli.people_options import TENANT, run_as_admin
from paige.doors.frame.console import Console, process_console

if TYPE_CHECKING:
    from paige.app.erasing import ErasePlan


@click.command()
@click.argument("person")
@click.argument("file", type=click.Path(path_type=Path))
@TENANT
@JSON
def export(person: str, file: Path, *, tenant: str, as_json: bool) -> None:
    """Write everything of PERSON into FILE, as readable JSON and their own files."""
    from paige.app.erasing import Exported, export_person  # noqa: PLC0415 - NumPy

    async def work(app: App, actor: Actor) -> Exported:
        return export_person(app, actor, person, file)  # this process does nothing else

    console = process_console()
    done = run_as_admin(tenant, work)
    if as_json:
        counts = {"rows": done.rows, "memories": done.memories, "files": done.files}
        console.give(json.dumps({"file": str(done.path), **counts}))
        return
    console.give(
        f"Wrote `{done.path}`: {done.rows} rows, {done.memories} memories, {done.files} files"
    )


@click.command()
@click.argument("person")
@click.option("--yes", is_flag=True, help="Do it; without, only the plan is shown.")
@TENANT
@JSON
def erase(person: str, *, yes: bool, tenant: str, as_json: bool) -> None:
    """Erase everything of PERSON: rows, memories, documents, files. It cannot be undone.

    The plan is shown first; `--yes` carries it out.
    """
    from paige.app import erasing  # noqa: PLC0415 - NumPy

    console = process_console()

    async def work(app: App, actor: Actor) -> "ErasePlan":
        plan = erasing.plan_erasure(app, actor, person)
        if not as_json:
            _show(console, plan, "This would go" if not yes else "This goes")
        return erasing.erase(app, actor, plan) if yes else plan

    done = run_as_admin(tenant, work)
    if as_json:
        said = {"person": done.person.person, "erased": yes, "rows": dict(done.rows)}
        folders = [str(folder) for folder in done.folders]
        more = {"memories": done.memories, "files": done.files, "folders": folders}
        console.give(json.dumps({**said, **more}))
    elif yes:
        console.give(f"Erased everything of `{done.person.person}`")
    if not yes:
        raise BadInput("Nothing was erased", hint="Add `--yes` to erase it for good.")


def _show(console: Console, plan: "ErasePlan", head: str) -> None:
    console.say(f"{head}, of `{plan.person.person}`:")
    for name, count in sorted(plan.rows.items()):
        console.say(f"{count:>9}  rows of {name}")
    console.say(f"{plan.memories:>9}  memories")
    for folder in plan.folders:
        console.say(f"           {folder}")
    console.say(f"{plan.files:>9}  files")
