"""Finds claims about the curriculum that point at nothing: a bare code, or a promise of alignment.

A code anywhere outside a pointer is a claim, wherever it stands: in prose, a heading, a table or a
code block. A sentence that says the lesson meets an outcome needs a pointer in its own section.
"""

import re
from collections.abc import Iterable, Sequence

from paige.plan.curriculum.codes import clean, find_codes, is_cfe_code
from paige.plan.curriculum.values import Library
from paige.plan.evidence_values import Unpointed
from paige.plan.lesson_text import shortened

MOST_SHOWN = 160
_HEADING = re.compile(r"#{1,6}\s+(?P<title>.*)$")
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


def unpointed_claims(
    text: str, spans: Sequence[tuple[int, int]], library: Library
) -> tuple[Unpointed, ...]:
    """Every claim of a text outside its pointers, which stand at `spans`, by line."""
    rest = _without(text, spans)
    lines = text.split("\n")
    codes = _codes(rest, lines, library)
    seen = {each.line for each in codes}
    pointed = {text.count("\n", 0, start) + 1 for start, _ in spans}
    promises = [each for each in _promises(rest, lines, pointed) if each.line not in seen]
    return tuple(sorted([*codes, *promises], key=lambda each: each.line))


def _codes(rest: str, lines: list[str], library: Library) -> list[Unpointed]:
    known = dict.fromkeys(each.code for each in library.outcomes)
    return [
        Unpointed(found.line, _shown(lines[found.line - 1]), _why(found.code, library), found.code)
        for found in find_codes(rest, known)
    ]


def _why(code: str, library: Library) -> str:
    named = library.named(code)
    if named:
        return f"{code} is named without a pointer. Write {named[0].citation}, or leave it out."
    if is_cfe_code(code):
        return f"No curriculum file has the code {code}, and nothing points at it. Leave it out."
    return f"“{code}” stands for outcomes without pointing at one. Point at each, or leave it out."


def _promises(rest: str, lines: list[str], pointed: set[int]) -> Iterable[Unpointed]:
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
                yield Unpointed(number, _shown(line), reason)


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
