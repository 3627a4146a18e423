"""Checks what a lesson claims about the curriculum: every claim must point at a row that says so.

That a code exists proves nothing: most wrong claims seen in public use real codes with words that
are not theirs. So the words are compared with the file, the code with the row the words stand in,
and the edition, level and grade with that row, where a lesson states them. Code, file, lines, words
and edition must all agree. The check reads values and text only; it asks no model, and nothing
that stands in a curriculum file or a lesson can change how it judges.
"""

import re
from pathlib import PurePosixPath

from paige.plan.curriculum.codes import is_cfe_code, normal_code
from paige.plan.curriculum.finding import same_level
from paige.plan.curriculum.loading import load_all
from paige.plan.curriculum.values import FOLDER, Curriculum, Library, Outcome
from paige.plan.evidence_claims import unpointed_claims
from paige.plan.evidence_pointers import normal_lines, place_pointers, pointers
from paige.plan.evidence_values import Checked, Pointer, Report, Unpointed
from paige.plan.evidence_words import words_fault
from paige.store.documents import Documents

__all__ = ["Checked", "Pointer", "Report", "Unpointed", "check", "check_with", "pointers"]

_SENIOR = re.compile(r"\bsenior phase\b", re.I)
_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<title>.*)$")
_NO_SENIOR = "the senior phase has no experiences and outcomes"


def check(markdown: str, library: Library) -> Report:
    """Whether every curriculum claim of a text is borne out by the files of the library."""
    text = normal_lines(markdown)
    placed = place_pointers(text)
    senior = _senior_lines(text)
    checked = tuple(_checked(each.pointer, senior, library) for each in placed)
    spans = [(each.start, each.end) for each in placed]
    return Report(checked, unpointed_claims(text, spans, library))


def check_with(markdown: str, documents: Documents) -> Report:
    """The same with the curriculum files of a workspace, read now."""
    return check(markdown, load_all(documents))


def _checked(pointer: Pointer, senior: frozenset[int], library: Library) -> Checked:
    file = _file(pointer, library)
    if file is None:
        return Checked(pointer, valid=False, reason=_file_fault(pointer, library))
    outcome = next((each for each in file.outcomes if _is(each, pointer.code)), None)
    if outcome is None:
        return Checked(pointer, valid=False, reason=_code_fault(pointer, file, library))
    reason = (
        _range_fault(pointer, file, outcome)
        or words_fault(pointer, file, outcome, library)
        or _said_fault(pointer, outcome)
        or _phase_fault(pointer, senior, outcome)
    )
    return Checked(pointer, not reason, reason, outcome.grade, outcome.edition)


def _file(pointer: Pointer, library: Library) -> Curriculum | None:
    return next((each for each in library.curricula if each.path == pointer.path), None)


def _is(outcome: Outcome, code: str) -> bool:
    return normal_code(outcome.code).casefold() == normal_code(code).casefold()


def _file_fault(pointer: Pointer, library: Library) -> str:
    other = next((each.citation for each in library.named(pointer.code)), "")
    where = f" Write {other}." if other else ""
    parts = PurePosixPath(pointer.path).parts
    if len(parts) < 2 or parts[0] != FOLDER or ".." in parts:
        return f"`{pointer.path}` is not a file of the curriculum folder.{where}"
    if any(each.path == pointer.path for each in library.materials):
        return f"`{pointer.path}` is imported material, not a list of outcomes.{where}"
    return f"There is no curriculum file `{pointer.path}`.{where}"


def _code_fault(pointer: Pointer, file: Curriculum, library: Library) -> str:
    named = library.named(pointer.code)
    if named:
        return f"{pointer.code} does not stand in `{file.path}`. Write {named[0].citation}."
    left_out = next((each for each in file.problems if pointer.code in each.message), None)
    if left_out is not None:
        return f"The row of {pointer.code} cannot be used: {left_out.sentence}"
    return f"No curriculum file has the code {pointer.code}: it may be invented. Leave it out."


def _range_fault(pointer: Pointer, file: Curriculum, outcome: Outcome) -> str:
    start, end = pointer.start, pointer.end
    right = f"{outcome.code} stands in lines {outcome.lines} of `{file.path}`."
    if start is None or end is None:
        return f"The pointer to {pointer.code} names no lines. {right}"
    if start < 1 or end < start or end > len(file.lines):
        return f"`{file.path}` has lines 1-{len(file.lines)}, not {start}-{end}. {right}"
    if outcome.start <= start and end <= outcome.end:
        return ""
    touched = [each.code for each in file.outcomes if each.start <= end and each.end >= start]
    if outcome.code in touched:
        return f"Lines {start}-{end} reach beyond the row of {outcome.code}. {right}"
    held = f"the row of {touched[0]}, not of {outcome.code}" if touched else "no outcome"
    return f"Lines {start}-{end} hold {held}. {right}"


def _said_fault(pointer: Pointer, outcome: Outcome) -> str:
    """Whether what the lesson says beside the pointer agrees with the row."""
    if not outcome.edition:
        return f"`{outcome.path}` names no edition, so nothing can be claimed from it."
    if pointer.edition is not None and pointer.edition.casefold() != outcome.edition.casefold():
        return f"{outcome.code} is from edition {outcome.edition}, not {pointer.edition}."
    if pointer.level is not None and not same_level(pointer.level, outcome.level):
        return f"{outcome.code} belongs to {outcome.level} level, not to “{pointer.level}”."
    if pointer.grade is not None and pointer.grade != outcome.grade:
        return f"{outcome.code} has the grade {outcome.grade}, not {pointer.grade}."
    return ""


def _phase_fault(pointer: Pointer, senior: frozenset[int], outcome: Outcome) -> str:
    """Levels end before the senior phase: a lesson may not file their codes under it."""
    if is_cfe_code(outcome.code) and pointer.at_line in senior:
        return f"{outcome.code} belongs to {outcome.level} level; {_NO_SENIOR}."
    return ""


def _senior_lines(text: str) -> frozenset[int]:
    """The lines under a heading that names the senior phase, or with such a label before a link."""
    found: set[int] = set()
    depth = 0  # of the heading that names it
    for number, line in enumerate(text.split("\n"), 1):
        heading = _HEADING.match(line)
        if heading and (not depth or len(heading["marks"]) <= depth):
            depth = len(heading["marks"]) if _SENIOR.search(heading["title"]) else 0
        if depth or _SENIOR.search(line.partition("[")[0]):
            found.add(number)
    return frozenset(found)
