"""What memory and the teacher's files say about how lessons should be, as far as rules can tell.

Each line that is understood becomes a preference that names the line it came from, so that a lesson
can say why it is as it is. The other lines are kept as they stand: a person will understand them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from paige.language.patterns import LinearPattern

_MINUTES = r"(?P<minutes>\d{1,2}|three|four|five|six|seven|eight|ten|twelve|fifteen)"
_WORDS = {
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "ten": 10,
    "twelve": 12,
    "fifteen": 15,
}
_STARTER = re.compile(r"\bstarters?\b", re.I)
_OF_MINUTES = re.compile(rf"\b{_MINUTES}[\s-]*min", re.I)
_SHORTER = re.compile(r"\b(?:short(?:er)?|brief(?:er)?|quick(?:er)?|too long)\b", re.I)
_LONGER = re.compile(r"\b(?:longer|more time|too short)\b", re.I)
_PRACTICE = re.compile(r"\bpractice\b|\bpractise\b|\bpractising\b", re.I)
_FLOWCHART = LinearPattern(
    r"\bflow-?charts?\b.*\b(?:before|first)\b|\b(?:first|begin with)\b.*\bflow-?chart",
    ignore_case=True,
)
_VISUAL = re.compile(r"\b(?:visual(?:s| scaffolds?)?|pictures?|diagrams?)\b", re.I)
_DONE = re.compile(r"\b(?:completed|finished|done with|has been taught|have done|covered)\b", re.I)
_HOMEWORK = re.compile(r"\bhomework\b", re.I)
_NEVER = re.compile(r"\b(?:no|never|not|without|rarely|avoid)\b", re.I)
_PAPER = LinearPattern(r"\bexit\b.*\bpaper\b", ignore_case=True)
_INFORMAL = re.compile(r"\binformal\b", re.I)
SHORT_STARTER = 5


@dataclass(frozen=True, slots=True)
class Remembered:
    """One line of memory, and whether it is about the class or the teacher."""

    text: str
    about: str


@dataclass(frozen=True, slots=True)
class Preferences:
    """What was understood; `used` are the lines behind it, `rest` the lines that were not."""

    starter: int | None = None
    longer_practice: bool = False
    flowcharts_first: bool = False
    visuals: bool = False
    homework: bool | None = None
    paper_exit: bool = False
    informal: bool = False
    finished: tuple[str, ...] = ()
    used: tuple[Remembered, ...] = ()
    rest: tuple[Remembered, ...] = field(default=())


def read_preferences(lines: Iterable[Remembered]) -> Preferences:
    """The preferences in lines of memory; a later line counts more than an earlier one."""
    known: dict[str, object] = {}
    finished: list[str] = []
    used: list[Remembered] = []
    rest: list[Remembered] = []
    for line in lines:
        found = _understood(line.text)
        known.update(found)
        if _DONE.search(line.text):
            finished.append(line.text)
            found = {**found, "finished": True}
        (used if found else rest).append(line)
    return Preferences(
        **known,  # pyright: ignore[reportArgumentType] - the keys and types are those of _understood
        finished=tuple(finished),
        used=tuple(used),
        rest=tuple(rest),
    )


def starter_minutes(text: str) -> int | None:
    """How long a starter should be, if a line says so: `Starters of five minutes work better`."""
    if not _STARTER.search(text):
        return None
    minutes = [_number(found["minutes"]) for found in _OF_MINUTES.finditer(text)]
    if minutes and _LONGER.search(text):
        return max(minutes)
    if minutes:
        return min(minutes)
    return SHORT_STARTER if _SHORTER.search(text) else None


def _understood(text: str) -> dict[str, object]:
    found: dict[str, object] = {}
    if (minutes := starter_minutes(text)) is not None:
        found["starter"] = minutes
    if _PRACTICE.search(text) and _LONGER.search(text):
        found["longer_practice"] = True
    if _FLOWCHART.matches(text):
        found["flowcharts_first"] = True
    elif _VISUAL.search(text):
        found["visuals"] = True
    if _HOMEWORK.search(text):
        found["homework"] = not _NEVER.search(text)
    if _PAPER.matches(text):
        found["paper_exit"] = True
    if _INFORMAL.search(text):
        found["informal"] = True
    return found


def _number(text: str) -> int:
    return _WORDS.get(text.lower()) or int(text)
