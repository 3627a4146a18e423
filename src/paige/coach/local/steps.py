"""The steps of a plan that is written in markdown: numbered points, headings, bullets, or prose.

Fenced code is dropped. Many small steps are joined, so that a phase is a piece of work; a plan that
begins with changes gets a first step of looking, one that ends with them a last one of checking.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Matcher = Callable[[str], re.Match[str] | None]
Kind = Literal["look", "change", "check"]
MOST_STEPS = 6
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
_LOOK = re.compile(
    r"\b(look|read|find|locate|understand|reproduce|explore|inspect|investigate|identify|see|study"
    r"|trace|review the|examine)\b",
    re.IGNORECASE,
)
_CHECK = re.compile(
    r"\b(tests?|check|verify|confirm|run|validate|regression|manual(?:ly)?)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what it is called, what it says, and what kind of work it is."""

    title: str
    body: str
    kind: Kind = "change"

    @property
    def done_when(self) -> str:
        """How a learner knows that it is done."""
        match self.kind:
            case "look":
                return "You are done when you can say in one sentence why it happens."
            case "check":
                return "You are done when the tests pass and you have seen it work yourself."
            case _:
                return "You are done when you can show the new behaviour and nothing else changed."


def steps_of(plan: str) -> list[Step]:
    """The steps of a plan, in order."""
    lines = _FENCE.sub("", plan).splitlines()
    for split in (_by_numbers, _by_headings, _by_bullets):
        found = [step for step in split(lines) if _says_something(step)]
        if len(found) >= 2:
            return _joined(found)
    text = _plain("\n".join(line for line in lines if not _HEADING.match(line)))
    whole = _step(text, "")
    return [whole] if _says_something(whole) else []


def framed(steps: list[Step], issue: str) -> list[Step]:
    """The steps with one to look before and one to check after, where the plan has none."""
    if not steps:
        return []
    made = list(steps)
    if made[0].kind != "look":
        body = f"Before anything is changed: {_lower(_plain(issue)) or 'read the code it is about'}"
        said = f"{body.rstrip('.')}. Make it happen once."
        made.insert(0, Step("See it for yourself", said, "look"))
    if made[-1].kind != "check":
        made.append(Step("Check that it works", "Run the tests, and add one for this.", "check"))
    return made


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
    return Step(title, text, _kind(f"{title} {rest}"))


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


def _kind(text: str) -> Kind:
    first = text[:80]
    look, check = _LOOK.search(first), _CHECK.search(first)
    if look and (check is None or look.start() < check.start()):
        return "look"
    return "check" if check and check.start() < 30 else "change"


def _joined(steps: list[Step]) -> list[Step]:
    """At most six: neighbours of the same kind become one, else the shortest pair."""
    made = list(steps)
    while len(made) > MOST_STEPS:
        pairs = range(len(made) - 1)
        at = min(pairs, key=lambda n: (made[n].kind != made[n + 1].kind, _size(made, n)))
        one, other = made[at], made[at + 1]
        body = "\n".join(part for part in (one.body, other.title, other.body) if part)
        made[at : at + 2] = [replace(one, body=body)]
    return made


def _says_something(step: Step) -> bool:
    return any(letter.isalnum() for letter in step.title)


def _size(steps: list[Step], at: int) -> int:
    return len(steps[at].body) + len(steps[at + 1].body)


def _plain(text: str) -> str:
    lines = (_POINT.sub("", line) for line in text.splitlines())
    joined = "\n".join(line.strip() for line in lines if line.strip())
    return re.sub(r"\*\*|__", "", joined).strip()


def _bare(text: str) -> str:
    return _STEP_HEADING.sub("", text).strip("*_ ")


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
