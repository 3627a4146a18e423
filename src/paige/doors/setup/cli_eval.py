"""`paige eval`: evaluate the planner on shipped requests, and compare two reports."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from paige.base.clock import system_clock
from paige.base.errors import BadInput
from paige.base.files import make_folder, write_export
from paige.doors.frame.cli import command_settings
from paige.doors.frame.console import Console, process_console

DONE, FAILED = 0, 1


@click.group(name="eval")
def eval_() -> None:
    """Evaluate lesson planning on requests that come with Paige, and compare what came out."""


@eval_.command(name="list", short_help="List suites and configurations.")
def list_() -> None:
    """List the suites and configurations that there are."""
    from paige.plan.evals.cases import read_evals  # noqa: PLC0415 - `--help` can do without

    evals, console = read_evals(), process_console()
    for title, found in (("Suites", evals.suites), ("Configurations", evals.configs)):
        console.give(f"{title}:")
        width = max(map(len, found))
        for name, each in found.items():
            console.give(f"  {name.ljust(width)}  {each.about}")


@eval_.command(short_help="Run a suite and report.")
@click.option("--suite", default="offline", show_default=True, help="Which cases; see `list`.")
@click.option(
    "--config",
    "configs",
    multiple=True,
    metavar="NAME[:key=value,…]",
    help="What the planner has, as `no-skills` or `new:provider=openai,model=x`; once or more.",
)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write files here.")
@click.option(
    "--cases",
    type=click.Path(file_okay=False, path_type=Path),
    help="A folder with files of your own instead of the shipped ones.",
)
@click.option(
    "--labels",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Labelled extracts of your own to calibrate the judge with.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first cases.")
@click.option(
    "--repeat",
    type=click.IntRange(1, 20),
    default=1,
    show_default=True,
    help="How often each case runs; models do not say the same twice.",
)
@click.option("--judge/--no-judge", default=None, help="Let a model judge; on when one is set.")
@click.option("--judge-model", default="", help="The model that judges.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def run(*, suite: str, configs: tuple[str, ...], **flags: Any) -> int:  # noqa: ANN401 - click's
    """Run a suite of cases and report by criteria, by trace and, with a provider, by a judge.

    Nothing of your own workspace, sessions or memory is read or written. Ends with 1 when a lesson
    of the first configuration does not meet every criterion.
    """
    # Runs and their libraries; `--help` needs none of them.
    from paige.doors.setup.eval_judges import can_judge  # noqa: PLC0415
    from paige.doors.setup.eval_runs import Evaluation, run_evals  # noqa: PLC0415
    from paige.plan.evals.cases import read_config, read_evals  # noqa: PLC0415
    from paige.plan.evals.reports import dump_report  # noqa: PLC0415

    settings, console = command_settings(), process_console()
    evals = read_evals(flags["cases"], labels=flags["labels"])
    chosen = evals.suite(suite)
    named = tuple(read_config(text, evals.configs) for text in configs or chosen.configs)
    judge = flags["judge"]
    if judge and not can_judge(settings):
        raise BadInput(
            "Nobody can judge: no model is set",
            hint="Set `ANTHROPIC_API_KEY` or `OPENAI_API_KEY`, or leave `--judge` out.",
        )
    out = flags["out"]
    evaluation = Evaluation(
        settings=settings,
        evals=evals,
        tell=console.say if console.watched else _quiet,
        suite=chosen,
        configs=named,
        series=tuple(evals.config(name) for name in chosen.series) if not configs else (),
        limit=flags["limit"],
        repeat=flags["repeat"],
        judge=can_judge(settings) if judge is None else judge,
        judge_model=flags["judge_model"],
        keep=out,
    )
    if out is not None:
        make_folder(out)
    report = run_evals(evaluation, now=system_clock())
    return _give(dump_report(report), out, console, as_json=flags["as_json"])


@eval_.command(short_help="Compare two reports.")
@click.argument("before", type=click.Path(path_type=Path))
@click.argument("after", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write files here.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def compare(before: Path, after: Path, *, out: Path | None, as_json: bool) -> int:
    """Compare two reports, each a folder or a `report.json`. Ends with 1 when a case got worse."""
    # As above.
    from paige.plan.evals.pages import compare as compare_reports  # noqa: PLC0415
    from paige.plan.evals.pages import render_comparison  # noqa: PLC0415
    from paige.plan.evals.reports import read_report, stamp  # noqa: PLC0415

    console = process_console()
    one, two = read_report(before), read_report(after)
    found = compare_reports(one, two, current=stamp())
    page = render_comparison(found)
    if out is not None:
        make_folder(out)
        _write(out / "comparison.md", page)
    console.give(json.dumps(asdict(found), ensure_ascii=False) if as_json else page.rstrip())
    return FAILED if found.worse else DONE


def _give(report: dict[str, Any], out: Path | None, console: Console, *, as_json: bool) -> int:
    """Write what is wanted, print what is read, and say how it went."""
    from paige.plan.evals.pages import render_page  # noqa: PLC0415 - as above

    page = render_page(report)
    if out is not None:
        _write(out / "report.json", json.dumps(report, ensure_ascii=False, indent=1) + "\n")
        _write(out / "report.md", page)
        console.say(f"Wrote `{out}`")
    console.give(json.dumps(report, ensure_ascii=False) if as_json else page.rstrip())
    first = report["summaries"][:1]
    return DONE if all(each["right"] == 1 for each in first) else FAILED


def _write(path: Path, text: str) -> None:
    write_export(path, text)


def _quiet(_: str) -> None:
    """Say nothing: nobody watches."""
