"""Entries at a prompt: each is run in the sandbox, in every situation its question names.

Several situations keep somebody from typing the result instead of working it out.
"""

import json
import sys
from functools import cache
from pathlib import Path

from paige.base import python_source
from paige.base.errors import BadInput
from paige.exercise.taxonomy.detect import detect_error
from paige.exercise.values import Marked
from paige.sandbox.running import run
from paige.sandbox.terms import RunTerms
from paige.sandbox.values import Isolation, Job, Limits, Outcome
from paige.study.courses.values import ReplCase
from paige.study.values import Question

LIMITS = Limits(wall_seconds=8, cpu_seconds=2, output_bytes=20_000)
_ENDINGS = {
    "wall": "It ran too long and was stopped.",
    "cpu": "It ran too long and was stopped.",
    "memory": "It took too much memory and was stopped.",
    "output": "It printed too much and was stopped.",
}


@cache
def _runner() -> bytes:
    return Path(__file__).with_name("prompt_runner.py").read_bytes()


def mark_entry(
    question: Question,
    entry: str,
    isolation: Isolation | None = None,
    terms: RunTerms | None = None,
) -> Marked:
    """The mark of an entry, with what it printed. Raises: Unavailable, Refused, RunStopped."""
    try:
        if not python_source.parse(entry).body:
            return Marked("incorrect", 0.0, "There is no entry yet.")
    except (SyntaxError, ValueError) as error:
        said = f"This cannot be read as code: {error.args[0]}." if error.args else ""
        return Marked("incorrect", 0.0, said or "This cannot be read as code.", "syntax_error")
    if not question.cases:
        raise BadInput("There is nothing to try this entry with", hint="Leave this one out.")
    for number, case in enumerate(question.cases):
        outcome = run(_job(case, entry), isolation=isolation, terms=terms)
        wrong = _wrong(question, case, outcome)
        if wrong is not None:
            return wrong if number == 0 else _elsewhere(case, wrong)
    return Marked("correct", 1.0, "Right: it prints what it should.")


def _job(case: ReplCase, entry: str) -> Job:
    given = json.dumps({"starter": case.starter, "entry": entry})
    return Job(
        argv=(sys.executable, "-I", "-S", "-B", "prompt_runner.py"),
        files={"prompt_runner.py": _runner(), "case.json": given.encode()},
        limits=LIMITS,
    )


def _wrong(question: Question, case: ReplCase, outcome: Outcome) -> Marked | None:
    printed = outcome.stdout.strip()
    if not outcome.ended_by_itself:
        said = _ENDINGS.get(outcome.ending, "It was stopped.")
        return Marked("incorrect", 0.0, said, "complexity_error")
    if outcome.exit_code:
        last = outcome.stderr.strip().rpartition("\n")[2]
        kind = "syntax_error" if last.startswith("SyntaxError") else "logic_error"
        return Marked("incorrect", 0.0, f"It stopped with {last or 'an error'}.", kind)
    if same_output(printed, case.prints):
        return None
    if not printed:
        return Marked("incorrect", 0.0, "It printed nothing.", "logic_error")
    found = detect_error("technical", question.prompt, case.prints, printed)
    kind = found.error_type if found else "logic_error"
    return Marked("incorrect", 0.0, f"It printed `{printed[:200]}`.", kind)


def same_output(printed: str, wanted: str) -> bool:
    """Whether two outputs are the same; spaces at line ends and kinds of quotes do not count."""

    def lines(text: str) -> list[str]:
        return [line.rstrip() for line in text.strip().replace('"', "'").split("\n")]

    # A prompt shows nothing for None, and people write `None` where nothing is shown.
    return lines(printed) == lines(wanted) or (not printed.strip() and wanted.strip() == "None")


def _elsewhere(case: ReplCase, wrong: Marked) -> Marked:
    said = f"It works here, but not when it begins with `{case.starter.strip()[:200]}`."
    return Marked("partial", 0.5, f"{said} {wrong.feedback}", wrong.error_type)
