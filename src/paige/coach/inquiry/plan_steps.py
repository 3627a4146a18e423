"""Phases of a plan without a model: its own steps by name, with the places that they name.

What a step means and how to go about it is not said: the plan is the agent's, and nobody here
understood it. Hints point only at files and definitions that a step names and the project has.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from paige.base import python_source
from paige.coach.answers import (
    MOST_PHASES,
    CoachAgentAnswer,
    CoachedPhase,
    HintLevel,
    PlannedFileHint,
    PlannedHints,
    PlannedLineHint,
)

MOST_READ = 200
LARGEST = 200_000
MOST_FILES = 6
_PATH = re.compile(r"(?<![\w@.-])(?<![\w@.-]/)[\w@.-]+(?:/[\w@.-]+)*\.[A-Za-z]\w{0,9}\b")
_QUOTED = re.compile(r"`([^`\n]{1,200})`")
_NAME = re.compile(r"[A-Za-z_$][\w$]{2,}")
_CALLED = re.compile(r"\b([A-Za-z_][\w]{2,})\s*\(\)")
_SOURCE = (".py", ".js", ".jsx", ".ts", ".tsx", ".go", ".rs", ".java", ".kt", ".rb", ".cs", ".php")
_DEFINES = (
    r"^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:public\s+|private\s+|static\s+|pub\s+)*"
    r"(?:def|class|function|func|fn|interface|type|struct|const|let|var)\s+(?:\([^)]*\)\s*)?{name}\b"
)


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines that define something a text names."""

    path: str
    start: int
    end: int
    name: str
    says: str


@dataclass(frozen=True, slots=True)
class MentionedPlaces:
    """The files and lines that a text points at."""

    files: tuple[str, ...]
    lines: tuple[Lines, ...]


class Places:
    """Looks texts up in a project; files are read once."""

    def __init__(self, files: tuple[str, ...], read: Callable[[str], str | None]) -> None:
        self.files = files
        self._read = read
        self._texts: dict[str, str | None] = {}

    def find(self, text: str) -> MentionedPlaces:
        """Where a text points; a file that is not there yet counts when it looks like a path."""
        named = [path for word in _PATH.findall(text) for path in self._matching(word)]
        names = self._names(text, named)
        files = list(dict.fromkeys(named))
        lines: list[Lines] = []
        for name in names:
            for path in files or self._sources:
                found = self._defined(path, name)
                if found is not None:
                    lines.append(found)
                    break
        files += [line.path for line in lines if line.path not in files]
        return MentionedPlaces(tuple(files[:MOST_FILES]), tuple(dict.fromkeys(lines)))

    @cached_property
    def _sources(self) -> tuple[str, ...]:
        kept = [path for path in self.files if path.endswith(_SOURCE)]
        return tuple(sorted(kept, key=lambda path: ("test" in path, path))[:MOST_READ])

    def _matching(self, word: str) -> list[str]:
        word = word.removeprefix("./")
        if word in self.files:
            return [word]
        ending = [path for path in self.files if path.endswith(f"/{word}")]
        if len(ending) == 1:
            return ending
        # Not there yet: a plan may make new files. A version or an abbreviation is no file.
        return [word] if "/" in word and word.endswith(_SOURCE) else []

    def _names(self, text: str, named: list[str]) -> list[str]:
        quoted = " ".join(_QUOTED.findall(text))
        for path in named:
            quoted = quoted.replace(path, " ")
        found = [*_NAME.findall(_PATH.sub(" ", quoted)), *_CALLED.findall(text)]
        return list(dict.fromkeys(found))[:20]

    def _text(self, path: str) -> str | None:
        if path not in self._texts:
            text = self._read(path) if path in self.files else None
            self._texts[path] = text if text is not None and len(text) <= LARGEST else None
        return self._texts[path]

    def _defined(self, path: str, name: str) -> Lines | None:
        text = self._text(path)
        if text is None or name not in text:
            return None
        if path.endswith(".py"):
            return _python(path, text, name)
        pattern = re.compile(_DEFINES.replace("{name}", re.escape(name)), re.MULTILINE)
        match = pattern.search(text)
        if match is None:
            return None
        start = text.count("\n", 0, match.end()) + 1
        return Lines(path, start, _block_end(text, start), name, "it is defined here.")


def _python(path: str, text: str, name: str) -> Lines | None:
    try:
        tree = python_source.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if node.name == name:
            said = (ast.get_docstring(node) or "").partition("\n")[0]
            says = said or "it is defined here."
            return Lines(path, node.lineno, node.end_lineno or node.lineno, name, says)
    return None


def _block_end(text: str, start: int) -> int:
    """The line where the braces that a definition opens are closed; a line without is one line."""
    depth, opened = 0, False
    for number, line in enumerate(text.split("\n")[start - 1 : start + 199], start):
        depth += line.count("{") - line.count("}")
        opened = opened or "{" in line
        if opened and depth <= 0:
            return number
        if not opened and number > start + 1:
            break
    return start


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


CANNOT = (
    "This is a step of the plan by its own name: breaking it down and explaining it needs a model, "
    "and none answered."
)
LEVELS: Mapping[str, HintLevel] = {
    "novice": "line",
    "advanced_beginner": "region",
    "competent": "file",
    "proficient": "none",
    "expert": "none",
}
MOST_HINTS = 6
LONGEST = 12


@dataclass(frozen=True, slots=True)
class PlanInputs:
    """The plan, the person's stage, and the project."""

    plan_text: str
    stage: str
    files: tuple[str, ...]
    read: Callable[[str], str | None]


def coach_plan(inputs: PlanInputs) -> CoachAgentAnswer:
    """The phases of a plan; a plan that says nothing has none."""
    places = Places(inputs.files, inputs.read)
    level = LEVELS.get(inputs.stage, "line")
    steps = steps_of(inputs.plan_text)[:MOST_PHASES]
    return CoachAgentAnswer(
        phases=[_phase(number, step, places, level) for number, step in enumerate(steps, 1)],
        memory_connection=None,
        estimated_difficulty="intermediate",  # an answer has one; nobody is told that of the rules
    )


def _phase(number: int, step: Step, places: Places, level: HintLevel) -> CoachedPhase:
    found = places.find(f"{step.title}\n{step.body}")
    return CoachedPhase(
        number=number,
        title=step.title,
        description=f"{CANNOT} {_names(found)}",
        expected_files=list(found.files),
        hint_level=level,
        hints=_hints(found, places, level),
        knowledge_gap_opportunities=[],
    )


def _names(found: MentionedPlaces) -> str:
    """What a step names, and where to begin with it."""
    if not found.files:
        return "It names no file, so search the project for what it is about."
    named = [f"`{path}`" for path in found.files]
    named += [f"`{each.name}` ({_lines(each)} of `{each.path}`)" for each in found.lines]
    return f"It names {', '.join(named)}: read that first, then run the tests after every change."


def _lines(lines: Lines) -> str:
    return (
        f"line {lines.start}" if lines.start == lines.end else f"lines {lines.start} to {lines.end}"
    )


def _hints(found: MentionedPlaces, places: Places, level: HintLevel) -> PlannedHints:
    if level == "none":
        return PlannedHints(file_hints=[], line_hints=[])
    lines = [
        PlannedLineHint(
            path=line.path,
            start=line.start,
            end=min(line.end, line.start + LONGEST - 1) if level == "line" else line.end,
            style="focus" if level == "line" else "hint",
            hover_text=f"`{line.name}`: {line.says}",
        )
        for line in found.lines[:MOST_HINTS]
    ]
    return PlannedHints(
        file_hints=[
            PlannedFileHint(path=path, style="suggested")
            for path in found.files
            if path in places.files
        ],
        line_hints=lines if level in ("line", "region") else [],
    )
