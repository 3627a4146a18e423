"""`paige plan check-evidence`: whether what a lesson claims about the curriculum is so."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from paige.base.errors import BadInput, NotFound, Refused
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import process_console
from paige.plan.evidence_values import Checked, Report
from paige.store.documents import MAX_BYTES, Documents


@click.command(name="check-evidence", short_help="Check the curriculum claims of a lesson.")
@click.argument("lesson", metavar="LESSON.md")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check_evidence(lesson: str, *, as_json: bool) -> int:
    """Check every curriculum claim of a lesson against the files of the workspace.

    LESSON.md is a file here or in the workspace, or `-` for stdin. Ends with 1 when a claim does
    not hold.
    """
    # The parts of a run are not needed for `--help`.
    from paige.app.running import workspace  # noqa: PLC0415
    from paige.plan.curriculum.loading import load_all  # noqa: PLC0415
    from paige.plan.evidence import check  # noqa: PLC0415

    console = process_console()
    documents = workspace(command_settings())
    library = load_all(documents)
    report = check(read_lesson(lesson, documents), library)
    for problem in library.problems:
        console.say(problem.sentence)
    if as_json:
        console.give(json.dumps(report_json(report), ensure_ascii=False))
    else:
        for line in report_lines(report):
            console.give(line)
    console.say(summary(report))
    return 0 if report.ok else 1


def read_lesson(lesson: str, documents: Documents) -> str:
    """The text of a lesson: a file, a document of the workspace, or stdin."""
    if lesson == "-":
        return _decoded(sys.stdin.buffer.read(MAX_BYTES + 1), "stdin")
    path = Path(lesson)
    try:
        with path.open("rb") as file:
            return _decoded(file.read(MAX_BYTES + 1), lesson)
    except (FileNotFoundError, NotADirectoryError):
        pass
    except (OSError, ValueError) as error:
        raise BadInput(f"`{lesson}` cannot be read: {error}") from error
    try:
        return documents.read(lesson).text
    except (NotFound, Refused) as error:
        raise NotFound(
            f"There is no lesson `{lesson}`", hint="Name a file here, or one of the workspace."
        ) from error


def report_json(report: Report) -> dict[str, object]:
    """The report as programs read it."""
    return {
        "ok": report.ok,
        "pointers": [
            {"line": each.pointer.at_line, **evidence_json(each)} for each in report.pointers
        ],
        "claims_without_pointer": [
            {"line": each.line, "text": each.text, "code": each.code, "reason": each.reason}
            for each in report.claims_without_pointer
        ],
    }


def evidence_json(checked: Checked) -> dict[str, object]:
    """One pointer as programs read it."""
    pointer = checked.pointer
    return {
        "file": pointer.path,
        "lines": pointer.lines,
        "code": pointer.code,
        "quote": pointer.quote,
        "grade": checked.grade,
        "edition": checked.edition,
        "verified": checked.verified,
        "valid": checked.valid,
        "reason": checked.reason,
    }


def report_lines(report: Report) -> Iterator[str]:
    """The report as people read it."""
    for each in report.pointers:
        pointer = each.pointer
        if each.valid:
            mark = "" if each.verified else ", unverified"
            place = f"{pointer.path} lines {pointer.lines}"
            yield f"ok  {pointer.code}  {place}, edition {each.edition}, grade {each.grade}{mark}"
        else:
            yield f"no  line {pointer.at_line}: {each.reason}"
    for claim in report.claims_without_pointer:
        yield f"no  line {claim.line}: {claim.reason}"


def summary(report: Report) -> str:
    """The result in one sentence."""
    if not report.pointers and not report.claims_without_pointer:
        return "The lesson claims nothing about the curriculum."
    wrong = len(report.faults)
    if wrong:
        return (
            f"{wrong} of {len(report.pointers) + len(report.claims_without_pointer)} do not hold."
        )
    unverified = len(report.unverified)
    more = f" {unverified} at rows that nobody has verified." if unverified else ""
    return f"All {len(report.pointers)} pointers hold.{more}"


def _decoded(data: bytes, name: str) -> str:
    if len(data) > MAX_BYTES:
        raise BadInput(f"`{name}` has more than {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise BadInput(
            f"{name}:{line}: this is not UTF-8 text", hint="Save it as UTF-8."
        ) from error
