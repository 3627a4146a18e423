"""`paige study grade`, `mark` and `disclose`: marking alone, without courses and sessions."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.base.errors import BadInput, PaigeError
from paige.doors.frame.batch import Answer, answer_lines
from paige.doors.frame.cli import command_settings
from paige.doors.frame.console import process_console
from paige.exercise.code_folder import looks_like_code_folder
from paige.exercise.disclosure.withheld import answer_request
from paige.exercise.grading import grade as grade_path
from paige.exercise.marking.marker import mark_answer
from paige.exercise.response import looks_like_response
from paige.exercise.result import Attempt, Result, dump_result
from paige.exercise.worksheet.lines import read_worksheet_text
from paige.exercise.worksheet.parse import looks_like_worksheet
from paige.sandbox.terms import Runs, run_terms

_SIGNS = {"passed": "ok", "failed": "no", "error": "no", "timeout": "no", "skipped": "--"}
JSONL = click.option("--jsonl", is_flag=True, help="One JSON object a line on stdin and stdout.")


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--hints", type=click.IntRange(min=0), default=0, help="How many hints were used.")
@click.option("--json", "as_json", is_flag=True, help="Print the result record.")
def grade(path: Path, *, hints: int, as_json: bool) -> None:
    """Grade what is at PATH: a worksheet, a response file, a folder of them, or a code exercise.

    A folder of worksheets gets a line for each; with `--json` a record a line.
    """
    terms = run_terms(command_settings(), Actor(), Runs())
    console = process_console()
    sheets = _sheets_in(path)
    for each in sheets or [path]:
        attempt = Attempt(hints_used=hints)
        result = grade_path(each, now=system_clock(), attempt=attempt, terms=terms)
        if as_json:
            console.give(json.dumps(dump_result(result), ensure_ascii=False))
        elif sheets:
            console.give(f"{each.name}: {result.message}")
        else:
            for line in _lines(result):
                console.give(line)


@click.command()
@JSONL
def mark(*, jsonl: bool) -> int:
    """Mark short answers: question, reference and answer in, verdict, score and feedback out."""
    return _answer(mark_answer, jsonl=jsonl)


@click.command()
@JSONL
def disclose(*, jsonl: bool) -> int:
    """Say whether a reply gives away more than the ladder of hints allows."""
    return _answer(answer_request, jsonl=jsonl)


def _answer(answer: Answer, *, jsonl: bool) -> int:
    if not jsonl:
        raise BadInput("This command reads lines", hint="Say `--jsonl` and write them to stdin.")
    return 1 if answer_lines(sys.stdin.buffer, sys.stdout, answer) else 0


def _sheets_in(folder: Path) -> list[Path]:
    """The worksheets and responses in a folder that is no code exercise, by name."""
    if not folder.is_dir() or looks_like_code_folder(folder):
        return []
    return [path for path in sorted(folder.glob("*.md")) if _is_sheet(path)]


def _is_sheet(path: Path) -> bool:
    try:
        text = read_worksheet_text(path)
    except PaigeError:  # not a text: somebody's notes may lie there too
        return False
    return looks_like_worksheet(text) or looks_like_response(text)


def _lines(result: Result) -> Iterator[str]:
    """The result as a person reads it."""
    yield result.message
    for test in result.tests:
        first = test.message.strip().partition("\n")[0]
        yield f"  {_SIGNS[test.status]}  {test.name}" + (f": {first}" if first else "")
    for error in result.errors:
        yield f"  {error.question}: {error.detail or error.expected or error.error_type}"
    for improvement in result.improvements:
        yield f"  {improvement}"
    for remark in result.remarks:
        yield f"  {remark}"
