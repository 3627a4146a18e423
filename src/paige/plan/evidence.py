"""Checks what a lesson claims about the curriculum: every claim must point at a row that says so.

That a code exists proves nothing: most wrong claims seen in public use real codes with words that
are not theirs. So the words are compared with the file, the code with the row the words stand in,
and the edition, level and grade with that row, where a lesson states them. Code, file, lines, words
and edition must all agree. The check reads values and text only; it asks no model, and nothing
that stands in a curriculum file or a lesson can change how it judges.

A claim that points at nothing is a bare code, wherever it stands outside a pointer: in prose, a
heading, a table or a code block; or a sentence that says the lesson meets an outcome, in a section
without a pointer.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from paige.base.wire import wire
from paige.language.words import word_count
from paige.plan.curriculum.codes import clean, find_codes, is_cfe_code, normal_code
from paige.plan.curriculum.library import load_all
from paige.plan.curriculum.search import same_level
from paige.plan.curriculum.values import FOLDER, Curriculum, Library, Outcome
from paige.plan.lessons.text import shortened
from paige.plan.pointers import Pointer, normal_lines, place_pointers
from paige.store.documents import Documents

LEAST_WORDS = 3
_SAME = str.maketrans(
    {
        **dict.fromkeys('\u201c\u201d\u2018\u2019\u00b4"', "'"),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-"),
        **dict.fromkeys("*_`\u200b\u200c\u200d\u2060\ufeff\u00ad"),
    }
)
_EDGES = " .,;:!?'-"
_SENIOR = re.compile(r"\bsenior phase\b", re.I)
_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<title>.*)$")
_NO_SENIOR = "the senior phase has no experiences and outcomes"
MOST_SHOWN = 160
_FRAMEWORK = re.compile(
    r"\b(?:cfe|curriculum for excellence|experiences? and outcomes?|e ?& ?os?|es and os"
    r"|(?:cfe|curriculum|level) benchmarks?|sqa|national [345]|course specification)\b",
    re.I,
)
_PROMISE = re.compile(
    r"\b(?:align(?:s|ed|ment)?|meets?|covers?|address(?:es)?|fulfils?|satisf(?:y|ies)|delivers?"
    r"|maps? to|links? to|linked to|in line with|matches|outcomes?|states?|requires?|says)\b",
    re.I,
)
_DENIED = re.compile(
    r"\b(?:no|not|none|without|unverified|cannot|could ?n[o']t|check|verify)\b", re.I
)
_CURRICULUM_SECTION = re.compile(r"\b(?:curriculum|experiences and outcomes)\b", re.I)
_STATEMENT = re.compile(
    r"\s*+(?:(?:[-*+]|\d++[.)])\s*+)?[\"\u201c']?I (?:can|am|have|know|understand)\b"
)


@wire(kw_only=True)
class PlanEvidence:
    """One pointer of a lesson into the curriculum, and whether it holds."""

    code: str
    file: str
    start: int | None
    """Missing when the lesson names no lines."""
    end: int | None
    quote: str
    line: int
    """Where it stands in the lesson."""
    edition: str | None
    grade: str | None
    valid: bool
    reason: str | None
    verified: bool
    """False for rows that nobody has checked against the official text."""

    @property
    def lines(self) -> str:
        """Such as `12-14`; empty when the lesson gives none."""
        return "" if self.start is None else f"{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class BareClaim:
    """A claim about the curriculum that points at nothing."""

    line: int
    text: str
    reason: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """Every claim of a text about the curriculum, checked."""

    pointers: tuple[PlanEvidence, ...] = ()
    claims_without_pointer: tuple[BareClaim, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is claimed that the curriculum files do not bear out."""
        return not self.claims_without_pointer and all(each.valid for each in self.pointers)

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong, one sentence each with its line, in the order of the text."""
        wrong = [(each.line, each.reason) for each in self.pointers if not each.valid]
        wrong += [(each.line, each.reason) for each in self.claims_without_pointer]
        return tuple(f"Line {line}: {reason}" for line, reason in sorted(wrong))

    @property
    def unverified(self) -> tuple[PlanEvidence, ...]:
        """Pointers that hold, but at rows nobody has checked against a source."""
        return tuple(each for each in self.pointers if each.valid and not each.verified)


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


def _checked(pointer: Pointer, senior: frozenset[int], library: Library) -> PlanEvidence:
    file = next((each for each in library.curricula if each.path == pointer.path), None)
    if file is None:
        return _evidence(pointer, _file_fault(pointer, library))
    code = normal_code(pointer.code).casefold()
    outcome = next((e for e in file.outcomes if normal_code(e.code).casefold() == code), None)
    if outcome is None:
        return _evidence(pointer, _code_fault(pointer, file, library))
    reason = (
        _range_fault(pointer, file, outcome)
        or words_fault(pointer, file, outcome, library)
        or _said_fault(pointer, outcome)
        or _phase_fault(pointer, senior, outcome)
    )
    return _evidence(pointer, reason, outcome)


def _evidence(pointer: Pointer, reason: str, outcome: Outcome | None = None) -> PlanEvidence:
    return PlanEvidence(
        code=pointer.code,
        file=pointer.path,
        start=pointer.start,
        end=pointer.end,
        quote=pointer.quote,
        line=pointer.at_line,
        edition=outcome.edition or None if outcome else None,
        grade=outcome.grade if outcome else None,
        valid=not reason,
        reason=reason or None,
        verified=outcome is not None and outcome.verified,
    )


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


@lru_cache(maxsize=4096)
def plain_words(text: str) -> str:
    """The text as it is compared: case, spaces and the shape of marks do not matter."""
    plain = unicodedata.normalize("NFKC", text).translate(_SAME).casefold()
    return " ".join(plain.split())


def says(text: str, quote: str) -> bool:
    """Whether a text has the words of a quote, whole and in order; both as `plain_words` gives."""
    # A word may hold a hyphen or an apostrophe: a quote must not begin or end inside one.
    whole = rf"(?<![^\W_])(?<![^\W_]['-]){re.escape(quote)}(?!['-]?[^\W_])"
    return bool(quote) and re.search(whole, text) is not None


def words_fault(pointer: Pointer, file: Curriculum, outcome: Outcome, library: Library) -> str:
    """What is wrong with the quoted words, as a sentence; empty when they are the outcome's."""
    right = f"It says: “{outcome.about}”"
    if not pointer.quote.strip():
        return f"The pointer to {outcome.code} quotes no words. {right}"
    about = plain_words(outcome.about)
    quote = _without_head(plain_words(pointer.quote), outcome).strip(_EDGES)
    if not says(about, quote):
        return f"{_whose(quote, pointer, outcome, library)} {right}"
    least = min(LEAST_WORDS, word_count(about))
    if word_count(quote) < least:
        return f"“{pointer.quote}” is too short to be checked: quote {least} words or more. {right}"
    # Of the lines that are pointed at, only those of the statement count.
    start = max(pointer.start or 1, outcome.start)
    end = min(pointer.end or 1, outcome.about_end)
    if not says(plain_words(" ".join(file.lines[start - 1 : end])), quote):
        return (
            f"“{pointer.quote}” is not in lines {pointer.lines} of `{file.path}`, "
            f"but in lines {outcome.lines}."
        )
    return ""


def _whose(quote: str, pointer: Pointer, outcome: Outcome, library: Library) -> str:
    """Where words come from that are not the outcome's."""
    shown = f"“{pointer.quote}”"
    details = (*outcome.misconceptions, *outcome.assessment, *outcome.topics, *outcome.notes)
    if any(says(plain_words(each), quote) for each in details):
        return f"{shown} is a note in the row of {outcome.code}, not the outcome itself."
    owner = next((each for each in library.outcomes if says(plain_words(each.about), quote)), None)
    if owner is None:
        return f"{outcome.code} does not say {shown}."
    if owner.code == outcome.code:
        return f"{shown} stands in `{owner.path}`, edition {owner.edition}, not in this file."
    return f"{shown} are the words of {owner.code}, not of {outcome.code}."


def _without_head(quote: str, outcome: Outcome) -> str:
    """The quote without the code and grade that stand before the words in the file."""
    rest = quote.removeprefix("- ").removeprefix(plain_words(outcome.code)).lstrip(" :")
    return rest.removeprefix(f"(grade {outcome.grade.casefold()})").strip()


def unpointed_claims(
    text: str, spans: Sequence[tuple[int, int]], library: Library
) -> tuple[BareClaim, ...]:
    """Every claim of a text outside its pointers, which stand at `spans`, by line."""
    rest = _without(text, spans)
    lines = text.split("\n")
    codes = _codes(rest, lines, library)
    seen = {each.line for each in codes}
    pointed = {text.count("\n", 0, start) + 1 for start, _ in spans}
    promises = [each for each in _promises(rest, lines, pointed) if each.line not in seen]
    return tuple(sorted([*codes, *promises], key=lambda each: each.line))


def _codes(rest: str, lines: list[str], library: Library) -> list[BareClaim]:
    known = dict.fromkeys(each.code for each in library.outcomes)
    return [
        BareClaim(found.line, _shown(lines[found.line - 1]), _why(found.code, library), found.code)
        for found in find_codes(rest, known)
    ]


def _why(code: str, library: Library) -> str:
    named = library.named(code)
    if named:
        return f"{code} is named without a pointer. Write {named[0].citation}, or leave it out."
    if is_cfe_code(code):
        return f"No curriculum file has the code {code}, and nothing points at it. Leave it out."
    return f"“{code}” stands for outcomes without pointing at one. Point at each, or leave it out."


def _promises(rest: str, lines: list[str], pointed: set[int]) -> Iterable[BareClaim]:
    for title, numbers in _sections(lines):
        if pointed.intersection(numbers):
            continue
        about_curriculum = bool(_CURRICULUM_SECTION.search(title))
        for number in numbers:
            line = lines[number - 1]
            if _promised(clean(line)) or (about_curriculum and _STATEMENT.match(line)):
                reason = (
                    "This speaks for the curriculum, and nothing in its section points at an "
                    "outcome. Add a pointer, or leave it out."
                )
                yield BareClaim(number, _shown(line), reason)


def _promised(line: str) -> bool:
    framework = _FRAMEWORK.search(line)
    if framework is None or _DENIED.search(line):
        return False
    return bool(_PROMISE.search(line[: framework.start()] + line[framework.end() :]))


def _sections(lines: list[str]) -> list[tuple[str, range]]:
    """The headings of a text, each with its own line and those below it."""
    heads = [
        (number, match["title"])
        for number, line in enumerate(lines, 1)
        if (match := _HEADING.match(line))
    ]
    starts = [(1, ""), *heads]
    ends = [number for number, _ in heads] + [len(lines) + 1]
    return [(title, range(number, end)) for (number, title), end in zip(starts, ends, strict=True)]


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with pointers blanked out, line by line as it was."""
    parts: list[str] = []
    last = 0
    for start, end in spans:
        # A sign that is no letter stands in, so that what is left does not grow together.
        parts += [text[last:start], re.sub(r"[^\n]", "\u00b7", text[start:end])]
        last = max(last, end)
    return "".join((*parts, text[last:]))


def _shown(line: str) -> str:
    return shortened(line[: 4 * MOST_SHOWN], MOST_SHOWN)
