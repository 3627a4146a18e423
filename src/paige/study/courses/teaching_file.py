"""`teach/*.md` of a course: an explanation, worked examples, and a question with its answer."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from paige.base.errors import BadInput
from paige.learner.json_files import StudyProblem
from paige.study.courses.fields import accepted
from paige.study.courses.values import Check, Teaching

FOLDER = "teach"
ENDING = ".md"
_FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"^##\s++(?P<title>(?=\S)[^\s#]*+(?:[\s#]++(?!$)[^\s#]++)*+)[\s#]*+$")
_EXAMPLE = re.compile(r"worked examples?\b", re.IGNORECASE)
_CHECK = re.compile(r"check\b", re.IGNORECASE)
_LABEL = re.compile(r"^\s*\**(Answer|Because)\**\s*:\**\s*(.*)$", re.IGNORECASE)


class TeachingFile(NamedTuple):
    """What was read from a teaching text."""

    teaching: Teaching
    problems: tuple[StudyProblem, ...]


class _Section(NamedTuple):
    title: str
    line: int
    lines: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip()


def read_teaching(path: str, text: str, concept: str) -> TeachingFile:
    """The teaching of a concept, with what is wrong in it."""
    explanation: list[str] = []
    examples: list[str] = []
    checks: list[Check] = []
    problems: list[StudyProblem] = []
    for section in _sections(text.removeprefix("\ufeff").replace("\r\n", "\n")):
        if _EXAMPLE.match(section.title):
            examples += [section.text] if section.text else []
        elif _CHECK.match(section.title):
            try:
                checks.append(_check(section))
            except BadInput as error:
                fix = error.hint or "Repair it."
                problems.append(StudyProblem(path, section.line, error.message, fix))
        else:
            heading = [f"## {section.title}"] if section.title else []
            explanation.append("\n\n".join([*heading, section.text]).strip())
    said = "\n\n".join(part for part in explanation if part)
    if not said:
        wrong = "there is no explanation in it"
        problems.append(StudyProblem(path, 1, wrong, "Write one before the first worked example."))
    made = Teaching(concept, said, tuple(examples), tuple(checks), path)
    return TeachingFile(made, tuple(problems))


def _sections(text: str) -> Iterator[_Section]:
    """The parts between headings of the second level; fenced code has no headings."""
    current = _Section("", 1, [])
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        heading = None if fence else _HEADING.match(line)
        if heading:
            yield current
            current = _Section(heading["title"], number, [])
        elif fence or current.title or not re.match(r"^#\s", line):
            current.lines.append(line)
    yield current


def _check(section: _Section) -> Check:
    parts: dict[str, list[str]] = {"question": [], "answer": [], "because": []}
    into = "question"
    for line in section.lines:
        label = _LABEL.match(line)
        if label:
            into = label[1].lower()
            parts[into].append(label[2].rstrip("* "))
        elif into == "question" or line.strip():
            parts[into].append(line if into == "question" else line.strip())
    question = "\n".join(parts["question"]).strip()
    answer = " ".join(parts["answer"]).strip()
    if not question:
        raise BadInput("`## Check` asks nothing", hint="Write a question below it.")
    if not answer:
        raise BadInput("`## Check` has no answer", hint="Add a line: Answer: \u2026")
    return Check(question, accepted(answer, "Answer"), " ".join(parts["because"]).strip())
