"""`paige restore`."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paige.base.clock import system_clock
from paige.base.errors import BadInput
from paige.cli.backup import JSON, contents, progress, summary
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import Console, process_console

if TYPE_CHECKING:
    from paige.app.restoring import Restored


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
    from paige.app import restoring  # noqa: PLC0415 - NumPy; `--help` does without

    console = process_console()
    if verify_only:
        if into or url or replace:
            raise BadInput("`--verify-only` goes with nothing else", hint="It writes nothing.")
        with progress(console) as told:
            manifest = restoring.verify_backup(file, told=told)
        said = f"`{file}` is whole: {contents(manifest)}, of {manifest.made_at}"
        console.give(json.dumps({**summary(manifest), "ok": True}) if as_json else said)
        return
    wish = restoring.Wish(into=into, to=url, replace=replace)
    with progress(console) as told:
        done = restoring.restore(command_settings(), file, wish, now=system_clock, told=told)
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


def _say_rest(console: Console, done: "Restored", to_set: dict[str, str]) -> None:
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


def _settings_to_set(done: "Restored", into: Path | None, url: str) -> dict[str, str]:
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
