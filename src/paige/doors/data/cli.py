"""`paige backup`, `paige restore` and `paige move`, and the progress that they show."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paige.app.backup.archive import Manifest, Told
from paige.base.clock import system_clock
from paige.base.errors import BadInput
from paige.doors.frame.cli import command_settings
from paige.doors.frame.console import Console, process_console

if TYPE_CHECKING:
    from paige.doors.data.restore import RestoreResult


JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@JSON
def backup(file: Path, *, as_json: bool) -> None:
    """Write everything of this installation into FILE; Paige may go on running.

    Keys are left out and named. The file is readable by you only.
    """
    from paige.doors.data.backup import back_up  # noqa: PLC0415 - NumPy; `--help` does without

    console = process_console()
    settings = command_settings()
    with progress(console) as told:
        manifest = back_up(settings, file, now=system_clock(), told=told)
    size = os.path.getsize(file)
    if as_json:
        console.give(json.dumps({**summary(manifest), "file": str(file), "size": size}))
        return
    console.give(f"Wrote `{file}`: {contents(manifest)}, {readable_size(size)}")
    for line in left_out(manifest):
        console.say(line)


def summary(manifest: Manifest) -> dict[str, object]:
    """What a backup holds, for programs."""
    return {
        "made_at": manifest.made_at,
        "paige": manifest.paige,
        "engine": manifest.engine,
        "schema": manifest.schema,
        "tables": {name: facts.rows for name, facts in manifest.tables.items()},
        "files": manifest.files,
        "secrets": list(manifest.secrets),
        "left_out": list(manifest.left_out),
    }


def contents(manifest: Manifest) -> str:
    """What a backup holds, for people."""
    return f"{manifest.rows} rows in {len(manifest.tables)} tables, {manifest.files} files"


def left_out(manifest: Manifest) -> list[str]:
    """What a backup does not hold, for people."""
    lines = []
    if manifest.secrets:
        names = ", ".join(f"`{name}`" for name in manifest.secrets)
        lines.append(f"Keys are not in it: {names}. Keep them elsewhere.")
    if manifest.left_out:
        lines.append(f"Also left out: {'; '.join(manifest.left_out)}")
    return lines


def readable_size(size: float) -> str:
    """A number of bytes as people say it."""
    for unit in ("bytes", "KB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"


@contextmanager
def progress(console: Console) -> Iterator[Told]:
    """Show what is worked on where somebody watches; nothing otherwise."""
    if not console.watched:
        yield _unheard
        return
    from rich.console import Console as Drawing  # noqa: PLC0415 - only where it is drawn
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Drawing(file=console.err), transient=True) as bars:
        known: dict[str, object] = {}

        def told(what: str, done: int, of: int) -> None:
            if what not in known:
                known[what] = bars.add_task(what, total=of or None)
            bars.update(known[what], completed=done, total=of or None)  # type: ignore[arg-type]

        yield told


def _unheard(what: str, done: int, of: int) -> None:
    """Nobody watches."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--into",
    type=click.Path(file_okay=False, path_type=Path),
    help="Put everything into this folder instead of the places of the settings.",
)
@click.option("--to", "url", default="", metavar="URL", help="`postgresql://…` for the rows.")
@click.option("--replace", is_flag=True, help="Keep what is there under another name.")
@click.option("--verify-only", is_flag=True, help="Check the backup; write nothing.")
@JSON
def restore(
    file: Path,
    *,
    into: Path | None,
    url: str,
    replace: bool,
    verify_only: bool,
    as_json: bool,
) -> None:
    """Put the backup FILE in place, after every byte of it was checked.

    When anything is wrong, nothing is changed.
    """
    # NumPy; `--help` does without.
    from paige.doors.data.restore import Wish, verify_backup  # noqa: PLC0415
    from paige.doors.data.restore import restore as put_in_place  # noqa: PLC0415

    console = process_console()
    if verify_only:
        if into or url or replace:
            raise BadInput("`--verify-only` goes with nothing else", hint="It writes nothing.")
        with progress(console) as told:
            manifest = verify_backup(file, told=told)
        said = f"`{file}` is whole: {contents(manifest)}, of {manifest.made_at}"
        console.give(json.dumps({**summary(manifest), "ok": True}) if as_json else said)
        return
    wish = Wish(into=into, to=url, replace=replace)
    with progress(console) as told:
        done = put_in_place(command_settings(), file, wish, now=system_clock, told=told)
    if as_json:
        told_apart = {
            "database": done.database,
            "restored_files": done.files,
            "aside": list(done.aside),
            "carried": list(done.carried),
            "notes": list(done.notes),
            "settings": _settings_to_set(done, into, url),
        }
        console.give(json.dumps({**summary(done.manifest), **told_apart}))
        return
    console.give(f"Restored {contents(done.manifest)} into `{done.database}`")
    _say_rest(console, done, _settings_to_set(done, into, url))


def _say_rest(console: Console, done: "RestoreResult", to_set: dict[str, str]) -> None:
    for path in done.aside:
        console.say(f"What was there before is kept: {path}")
    for note in done.notes:
        console.say(note)
    missing = [name for name in done.manifest.secrets if name not in done.carried]
    if missing:
        console.say(f"Keys were not in the backup; set them again: {', '.join(missing)}")
    if to_set:
        console.say("To use it, set:")
        for name, value in to_set.items():
            console.say(f"  {name}={value}")


def _settings_to_set(done: "RestoreResult", into: Path | None, url: str) -> dict[str, str]:
    """The settings that name the places of a restored installation."""
    found: dict[str, str] = {}
    if into is not None:
        settings = done.settings
        found = {
            "DATA_DIR": str(settings.data_dir),
            "PAIGE_TEACHING_DIR": str(settings.teaching_dir),
            "XDG_CONFIG_HOME": settings.environ["XDG_CONFIG_HOME"],
            "AI_MEMORY_PATH": str(settings.memory_path),
        }
    return {**found, "DATABASE_URL": done.database} if url else found


@click.command()
@click.option("--to", "url", required=True, metavar="URL", help="`postgresql://…`, empty.")
@click.option("--restart", is_flag=True, help="Begin an unfinished move again from nothing.")
@JSON
def move(*, url: str, restart: bool, as_json: bool) -> None:
    """Copy everything shared to PostgreSQL and compare both sides; the source stays as it is.

    Stop Paige first. A move that was cut off goes on when you run it again.
    """
    # NumPy; `--help` does without.
    from paige.doors.data.move import move as move_everything  # noqa: PLC0415

    console = process_console()
    settings = command_settings()
    with progress(console) as told:
        done = move_everything(settings, url, restart=restart, now=system_clock, told=told)
    if as_json:
        pieces = [
            {"name": each.name, "count": each.count, "digest": each.digest} for each in done.checked
        ]
        said = {"database": done.location, "pieces": pieces}
        console.give(json.dumps({**said, "notes": list(done.notes), "stays": list(done.stays)}))
        return
    for each in done.checked:
        if each.count:
            console.give(f"{each.count:>9}  {each.digest[:16]}  {each.name}")
    console.say(f"Both sides are the same. Everything shared is in `{done.location}`.")
    for note in (*done.notes, *(f"Stays where it is: {each}" for each in done.stays)):
        console.say(note)
    console.say(f"Now set `DATABASE_URL` to that address, and start Paige again.\n{_UNTOUCHED}")


_UNTOUCHED = (
    "The old database, log and workspace were not changed; remove them when you no longer want "
    "to go back."
)
