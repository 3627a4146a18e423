"""The steps of a plan that is written in markdown: numbered points, headings, bullets, or prose.

Fenced code is dropped: it is the learner who writes it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Matcher = Callable[[str], re.Match[str] | None]
LONGEST_TITLE = 80
_FENCE = re.compile(r"^(```++|~~~++)[^\n]*+\n.*?(?:^\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_NUMBERED = re.compile(r"^ {0,2}(?:\*\*)?(?:(?:step|phase)\s+)?\d{1,2}[.):]\s*(.+)$", re.IGNORECASE)
_HEADING = re.compile(r"^#{1,6}\s++((?=\S)[^\s#]*+(?:[\s#]++(?!$)[^\s#]++)*+)[\s#]*+$")
_STEP_HEADING = re.compile(r"^(?:(?:step|phase)\s+)?\d{1,2}[.):]?\s+", re.IGNORECASE)
_BULLET = re.compile(r"^ {0,2}[-*+]\s+(?:\[[ xX]\]\s+)?(.+)$")
_ABOUT = re.compile(
    r"^(?:(?:implementation|coaching|the)\s+)?(?:plan|overview|summary|context|background|goals?|"
    r"problem|notes?|risks?|out of scope|references?|approach|issue\b.*|analysis)\b",
    re.IGNORECASE,
)
_POINT = re.compile(r"^\s*(?:[-*+]|\d{1,2}[.)])\s+(?:\[[ xX]\]\s+)?")


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what it is called, and what else it says."""

    title: str
    body: str


def steps_of(plan: str) -> list[Step]:
    """The steps of a plan, in order."""
    lines = _FENCE.sub("", plan).splitlines()
    for split in (_by_numbers, _by_headings, _by_bullets):
        found = [step for step in split(lines) if _says_something(step)]
        if len(found) >= 2:
            return found
    text = _plain("\n".join(line for line in lines if not _HEADING.match(line)))
    whole = _step(text, "")
    return [whole] if _says_something(whole) else []


def _by_numbers(lines: Sequence[str]) -> list[Step]:
    return _split(lines, _NUMBERED.match)


def _by_headings(lines: Sequence[str]) -> list[Step]:
    def begins(line: str) -> re.Match[str] | None:
        found = _HEADING.match(line)
        return found if found and not _ABOUT.match(_bare(found[1])) else None

    found = _split(lines, begins, ends=_HEADING.match)
    return [step for step in found if step.body] or found


def _by_bullets(lines: Sequence[str]) -> list[Step]:
    return _split(lines, _BULLET.match)


def _split(
    lines: Sequence[str],
    begins: Matcher,
    ends: Matcher = _HEADING.match,
) -> list[Step]:
    """Cut before every line that begins a step; a heading in between ends the step before."""
    found: list[tuple[str, list[str]]] = []
    open_step = False
    for line in lines:
        match = begins(line)
        if match:
            found.append((match[1], []))
            open_step = True
        elif ends(line):
            open_step = False
        elif open_step and line.strip():
            found[-1][1].append(line.strip())
    return [_step(title, "\n".join(body)) for title, body in found]


def _step(first: str, body: str) -> Step:
    said = _plain(_STEP_HEADING.sub("", first))
    title, rest = _title(said)
    text = "\n".join(part for part in (rest, _plain(body)) if part)
    return Step(title, text)


def _title(said: str) -> tuple[str, str]:
    """What to call a step, and what is left to say."""
    for cut in (" - ", " \u2013 ", " \u2014 ", ": ", ". "):
        head, found, rest = said.partition(cut)
        if found and 3 <= len(head) <= LONGEST_TITLE:
            return head.rstrip(".:"), _upper(rest.strip())
    if len(said) <= LONGEST_TITLE:
        return said.rstrip(".:"), ""
    head = said[:LONGEST_TITLE].rsplit(" ", 1)[0]
    return f"{head}\u2026", said


def _says_something(step: Step) -> bool:
    return any(letter.isalnum() for letter in step.title)


def _plain(text: str) -> str:
    lines = (_POINT.sub("", line) for line in text.splitlines())
    joined = "\n".join(line.strip() for line in lines if line.strip())
    return re.sub(r"\*\*|__", "", joined).strip()


def _bare(text: str) -> str:
    return _STEP_HEADING.sub("", text).strip("*_ ")


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
