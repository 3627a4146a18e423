"""`paige backup`, and the progress that keeping commands show."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from paige.app.backup_archive import Manifest, Told
from paige.base.clock import system_clock
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import Console, process_console

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@JSON
def backup(file: Path, *, as_json: bool) -> None:
    """Write everything of this installation into FILE; Paige may go on running.

    Keys are left out and named. The file is readable by you only.
    """
    from paige.app.backup import back_up  # noqa: PLC0415 - NumPy; `--help` does without

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
