"""`paige plan research`: what happened in lesson runs, as data for research."""

import json
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from paige.base.clock import system_clock
from paige.cli.moments import WHEN
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import process_console

if TYPE_CHECKING:
    from paige.plan.research_writing import Form


@click.group(short_help="Give out what happened as research data.")
def research() -> None:
    """Give out what happened in lesson runs as data for research, about nobody in person."""


@research.command(short_help="Write CSV or Parquet files.")
@click.option("--to", "form", type=click.Choice(["csv", "parquet"]), required=True, help="Which.")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Where to.")
@click.option("--since", type=WHEN, help="From then on: today, yesterday, 7d, 2w, 2026-01-31.")
@click.option("--until", type=WHEN, help="Before then, written in the same way.")
@click.option("--without-text", is_flag=True, help="Leave out everything that people wrote.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def export(
    *,
    form: "Form",
    out: Path | None,
    since: datetime | None,
    until: datetime | None,
    without_text: bool,
    as_json: bool,
) -> None:
    """Write every event of every lesson run, one row each: models, tools, questions, decisions.

    Persons, sessions and runs have pseudonyms; the salt behind them stays in the data folder. Names
    that are found in texts are taken out, always.
    """
    # The parts of a run are not needed for `--help`.
    from paige.cli.plan_listing import read_database  # noqa: PLC0415
    from paige.plan.research import Masking, read_salt  # noqa: PLC0415
    from paige.plan.research_reading import Span, events_in, recorded_runs  # noqa: PLC0415
    from paige.plan.research_writing import find_duck, write_research  # noqa: PLC0415

    settings, console = command_settings(), process_console()
    if form == "parquet":
        find_duck()
    span = Span(since, until)
    masking = Masking(read_salt(settings.data_dir), texts=not without_text)
    events = read_database(
        settings,
        lambda db, actor: [
            event
            for run in recorded_runs(db, actor, span)
            for event in events_in(run, masking, actor)
        ],
    )
    folder = out or Path(f"paige-research-{system_clock():%Y-%m-%d}")
    written = write_research(events, form, folder)
    if as_json:
        told = {"folder": str(folder), "files": [p.name for p in written.files]}
        console.give(json.dumps({**told, "events": dict(written.counts)}))
        return
    console.give(str(folder))
    console.say(f"{len(events)} events in {len(written.files)} files; `codebook.md` explains them.")
