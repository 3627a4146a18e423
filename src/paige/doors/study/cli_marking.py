"""`paige study grade`, `mark` and `disclose`: marking alone, without courses and sessions."""

import sys
from pathlib import Path

import click

from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.base.errors import BadInput
from paige.doors.frame.batch import Answer, answer_lines
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import process_console

JSONL = click.option("--jsonl", is_flag=True, help="One JSON object a line on stdin and stdout.")


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--hints", type=click.IntRange(min=0), default=0, help="How many hints were used.")
@click.option("--json", "as_json", is_flag=True, help="Print the result record.")
def grade(path: Path, *, hints: int, as_json: bool) -> None:
    """Grade what is at PATH: a worksheet, a response file, a folder of them, or a code exercise.

    A folder of worksheets gets a line for each; with `--json` a record a line.
    """
    # Each of these commands needs other parts of the room, some of them slow to import.
    from paige.doors.study import cli_grade as study_grade  # noqa: PLC0415
    from paige.sandbox.terms import Runs, run_terms  # noqa: PLC0415

    terms = run_terms(command_settings(), Actor(), Runs())
    console = process_console()
    sheets = study_grade.sheets_in(path)
    for sheet in sheets:
        result = study_grade.grade_path(sheet, terms, now=system_clock(), hints_used=hints)
        line = study_grade.as_json(result) if as_json else f"{sheet.name}: {result.message}"
        console.give(line)
    if sheets:
        return
    result = study_grade.grade_path(path, terms, now=system_clock(), hints_used=hints)
    if as_json:
        console.give(study_grade.as_json(result))
        return
    for line in study_grade.as_lines(result):
        console.give(line)


@click.command()
@JSONL
def mark(*, jsonl: bool) -> int:
    """Mark short answers: question, reference and answer in, verdict, score and feedback out."""
    from paige.exercise.marking.requests import mark_answer  # noqa: PLC0415 - see above

    return _answer(mark_answer, jsonl=jsonl)


@click.command()
@JSONL
def disclose(*, jsonl: bool) -> int:
    """Say whether a reply gives away more than the ladder of hints allows."""
    from paige.exercise.disclosure.requests import answer_request  # noqa: PLC0415 - see above

    return _answer(answer_request, jsonl=jsonl)


def _answer(answer: Answer, *, jsonl: bool) -> int:
    if not jsonl:
        raise BadInput("This command reads lines", hint="Say `--jsonl` and write them to stdin.")
    return 1 if answer_lines(sys.stdin.buffer, sys.stdout, answer) else 0
