"""`paige memory files`, `rebuild`, `verify` and the rest: keeping the memory whole."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path

import click
from anyio.from_thread import start_blocking_portal

from paige.app.application import App, open_app
from paige.base.clock import to_iso
from paige.base.errors import NotFound
from paige.base.files import write_export
from paige.doors.frame.cli import command_settings, run, show
from paige.doors.frame.console import Console, process_console
from paige.doors.memory.cli_options import AS, JSON, PROJECT, SCOPE, named_reader, opened_memory
from paige.doors.memory.values import MemoryDocument, MemoryFile, MemoryPath
from paige.memory.event import Scope
from paige.memory.export import FORMATS, ExportFilter, export
from paige.memory.lifecycle.model_summary import model_summariser, register_engines
from paige.memory.lifecycle.summaries import Summariser
from paige.memory.migrations.migration import MigrationOptions, Progress, migrate, plan
from paige.models.local import Registry
from paige.models.setup import open_models

OPERATIONS = "paige.doors.memory.operations"


@click.command()
@click.argument("path", required=False)
@click.option("--class", "class_id", metavar="CLASS", help="Only those of a class.")
@JSON
def files(path: str | None, *, class_id: str | None, as_json: bool) -> None:
    """List the memory documents, or print the one at PATH."""
    if path is not None:
        document: MemoryDocument = run(f"{OPERATIONS}:document", MemoryPath(path=path))
        show(document, lambda it: [it.text], as_json=as_json, record=_document)
        return
    every: tuple[MemoryFile, ...] = run(f"{OPERATIONS}:files")
    show(
        [each for each in every if class_id in (None, each.class_id or "")],
        lambda rows: [f"{row.path}  {row.updated_at:%Y-%m-%d %H:%M}" for row in rows],
        as_json=as_json,
        remarks=lambda rows: [] if rows else ["There are no memory documents yet."],
        record=lambda rows: [{"path": row.path, "version": row.version} for row in rows],
    )


def _document(found: MemoryDocument) -> dict[str, str]:
    return {"path": found.path, "text": found.text, "version": found.version}


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
        events = sum(log.last_seq() for log in opened.projects.all())
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
        way = MigrationOptions(now=app.now(), damaged_too=damaged_too, progress=progress)
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
        model = stack.enter_context(_summaries_by_model(app)) if by_model else None
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


@contextmanager
def _summaries_by_model(app: App) -> Iterator[Summariser]:
    """The model of the settings as a writer of summaries; without a model they are extracts.

    Jobs run in a thread, a model answers on an event loop: a portal is between them.
    """
    registry = Registry()
    register_engines(registry)
    models = open_models(app.settings, app.database, registry, strict=app.strict, now=app.now)
    with start_blocking_portal() as portal:
        try:
            yield model_summariser(models, app.actor, portal.call)
        finally:
            portal.call(models.aclose)


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
    if as_json:
        console.give(json.dumps(found.as_json(), ensure_ascii=False))
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
            "current": asdict(current),
            "history": [{**asdict(each), "at": to_iso(each.at)} for each in lines],
        }
        console.give(json.dumps(said, ensure_ascii=False))
        return
    weights = asdict(current.policy.weights).items()
    shown = ", ".join(f"{name} {value:g}" for name, value in weights)
    console.give(f"now  {shown}, at least {current.policy.min_score:g}  ({current.reason})")
    for each in lines:
        version = f"{each.role}/{each.scope} v{each.version}"
        console.give(f"{each.at:%Y-%m-%d %H:%M}  {version}  {each.stage}: {each.reason}")
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
    chosen = ExportFilter(owner=owner, project=project, scope=scope)
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
