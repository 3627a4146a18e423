"""`paige memory files`, `rebuild`, `verify` and the rest: keeping the memory whole."""

import json
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import click

from paige.app.application import open_app
from paige.app.memory_summaries import summaries_by_model
from paige.base.errors import NotFound
from paige.base.files import write_export
from paige.cli.memory_options import AS, JSON, PROJECT, SCOPE, named_reader, opened_memory
from paige.cli.memory_policies import dump_applied, dump_step, policy_line, step_line
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import Console, process_console
from paige.memory.event import Scope
from paige.memory.exporting import FORMATS, Chosen, export
from paige.memory.migrations.migrating import Progress, Way, migrate, plan


@click.command()
@click.argument("path", required=False)
@click.option("--class", "class_id", metavar="CLASS", help="Only those of a class.")
@JSON
def files(path: str | None, *, class_id: str | None, as_json: bool) -> None:
    """List the memory documents, or print the one at PATH."""
    console = process_console()
    with opened_memory() as (app, opened):
        if path is not None:
            row = opened.documents.read(app.actor, path)
            said = {"path": row.path, "text": row.content, "version": row.version}
            console.give(json.dumps(said, ensure_ascii=False) if as_json else row.content)
            return
        rows = opened.documents.files(app.actor, class_id=class_id)
    if as_json:
        listed = [{"path": row.path, "version": row.version} for row in rows]
        console.give(json.dumps(listed, ensure_ascii=False))
        return
    for row in rows:
        console.give(f"{row.path}  {row.updated_at:%Y-%m-%d %H:%M}")
    if not rows:
        console.say("There are no memory documents yet.")


@click.command()
@JSON
def rebuild(*, as_json: bool) -> None:
    """Make the index again from the log; nothing of the log changes."""
    console = process_console()
    with opened_memory() as (app, opened):
        console.say("Reading the log…")
        count = opened.rebuild()
        opened.rebuild_documents(app.actor)
    console.give(json.dumps({"events": count}) if as_json else f"Indexed {count} events")


@click.command()
@JSON
def verify(*, as_json: bool) -> int:
    """Check the log's chain, line by line, and compare the index with it."""
    console = process_console()
    with opened_memory() as (app, opened):
        found = opened.verify(app.actor)
        events = sum(log.last_seq() for log in opened.parts.projects.all())
    if as_json:
        said = {"ok": not found, "events": events, "problems": [each._asdict() for each in found]}
        console.give(json.dumps(said, ensure_ascii=False))
    else:
        for each in found:
            console.give(f"{each.where}: {each.what}\n  {each.fix}")
        console.say(f"{events} events, {'nothing wrong' if not found else 'see above'}")
    return 1 if found else 0


@click.command(name="migrate")
@click.option("--dry-run", is_flag=True, help="Say what would change.")
@click.option("--damaged-too", is_flag=True, help="Also a log that was changed by hand.")
@JSON
def migrate_(*, dry_run: bool, damaged_too: bool, as_json: bool) -> None:
    """Write the log anew in the newest schema; the old files are kept beside it."""
    console = process_console()
    with open_app(command_settings(), strict=False) as app:
        path = app.settings.memory_path
        if not path.exists():
            raise NotFound(f"There is no log at `{path}`", hint="Nothing was remembered yet.")
        progress = _progress(console)
        way = Way(now=app.now(), damaged_too=damaged_too, progress=progress)
        report = plan(path, way) if dry_run else migrate(path, way)
    console.give(json.dumps(report.as_json(), ensure_ascii=False) if as_json else report.as_text())


@click.command()
@click.option("--session", metavar="ID", help="A session that has ended.")
@click.option("--model", "by_model", is_flag=True, help="Let your model write the summaries.")
@JSON
def compact(*, session: str | None, by_model: bool, as_json: bool) -> int:
    """Organise: take in what waits, summarise what is old, promote, learn; the log only grows."""
    console = process_console()
    with opened_memory() as (app, opened), ExitStack() as stack:
        model = stack.enter_context(summaries_by_model(app)) if by_model else None
        report = opened.maintain("compact", session=session, model=model)
    if as_json:
        jobs = {
            each.job: {**each.did._asdict(), "failed": each.failed, "skipped": each.skipped}
            for each in report.jobs
        }
        console.give(json.dumps({"jobs": jobs, "busy": report.busy}, ensure_ascii=False))
    else:
        console.give("\n".join(report.lines()))
    return 1 if report.failures else 0


@click.command()
@click.option(
    "--cycle", is_flag=True, help="Whether recording, organising, recalling, improving ran."
)
@JSON
def stats(*, cycle: bool, as_json: bool) -> None:
    """Say how much is remembered and whether it helps."""
    console = process_console()
    with opened_memory() as (_, opened):
        found = opened.stats()
        counts = opened.counts()
    if as_json:
        console.give(json.dumps({**found.as_json(), "index": counts}, ensure_ascii=False))
        return
    console.give("\n".join(found.lines(cycle=cycle)))


@click.command()
@click.option("--role", help="Of one role only.")
@JSON
def policy(*, role: str | None, as_json: bool) -> None:
    """Show how retrieval is steered, every change to it, and why."""
    console = process_console()
    with opened_memory() as (_, opened):
        book = opened.policies()
    lines = [each for each in book.history() if role in (None, each.role)]
    current = book.current(role, None, None)
    if as_json:
        said = {
            "current": dump_applied(current),
            "history": [dump_step(each) for each in lines],
        }
        console.give(json.dumps(said, ensure_ascii=False))
        return
    console.give(f"now  {policy_line(current.policy)}  ({current.reason})")
    for each in lines:
        console.give(step_line(each))
    if not lines:
        console.say("Nothing was learned yet: the policy is the one that came with Paige.")


@click.command(name="export")
@click.option("--to", "form", type=click.Choice(FORMATS), default="jsonl", show_default=True)
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="A file.")
@SCOPE
@PROJECT
@click.option("--owner", metavar="NAME")
@AS
def export_(
    *,
    form: str,
    output: Path | None,
    scope: Scope | None,
    project: str | None,
    owner: str | None,
    reader: str | None,
) -> None:
    """Write out every memory you may see."""
    console = process_console()
    chosen = Chosen(owner=owner, project=project, scope=scope)
    with opened_memory() as (_, opened):
        parts = export(opened.all_events, form, reader=named_reader(reader), chosen=chosen)
        if output is None:
            for part in parts:
                console.out.write(part)
            return
        write_export(output, "".join(parts))
    console.say(f"Wrote `{output}`")


def _progress(console: Console) -> Callable[[Progress], None]:
    def show(progress: Progress) -> None:
        if console.watched:
            share = 100 * progress.done_bytes // max(1, progress.total_bytes)
            console.say(f"\r{progress.phase} {progress.lines} lines, {share} % ", end="")

    return show
