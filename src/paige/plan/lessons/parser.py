"""Reading a lesson from markdown, whoever wrote it.

People and models write headings, bullets and labels in many ways; what is clear is taken. What is
not there, or cannot be read, becomes a problem with its line and what to change: a lesson is never
guessed together.
"""

import datetime as dt
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from paige.plan.lessons.lesson import (
    LOCAL_MARK,
    LOCAL_SOURCE,
    Activity,
    Adaptation,
    Check,
    Claim,
    Cycle,
    Keyword,
    Lesson,
    LessonProblem,
    Problems,
    Question,
    tidy,
)
from paige.plan.lessons.sections import SectionText, is_mark, section_id, sections, split_minutes
from paige.plan.lessons.text import (
    Item,
    block,
    bullets,
    labelled,
    numbered,
    one_line,
    paragraph,
    parts,
    unescape,
    unescape_line,
)

T = TypeVar("T")

SECTION_TITLES: dict[str, str] = {
    "learning-outcome": "Learning outcome",
    "success-criteria": "Success criteria",
    "curriculum": "Curriculum",
    "before-the-lesson": "Before the lesson",
    "key-learning-points": "Key learning points",
    "keywords": "Keywords",
    "misconceptions": "Misconceptions",
    "starter": "Starter (N min)",
    "learning-cycle-1": "Learning cycle 1: … (N min)",
    "exit-check": "Exit check (N min)",
    "differentiation": "Differentiation",
    "notes": "Notes",
}
"""The sections every lesson has, by id, with the heading to write. `homework` may be added."""

_SAME = {
    "learning-intention": "learning-outcome",
    "learning-intentions": "learning-outcome",
    "learning-outcomes": "learning-outcome",
    "outcome": "learning-outcome",
    "curriculum-links": "curriculum",
    "curriculum-outcomes": "curriculum",
    "preparation": "before-the-lesson",
    "prior-knowledge": "before-the-lesson",
    "key-points": "key-learning-points",
    "key-ideas": "key-learning-points",
    "vocabulary": "keywords",
    "key-words": "keywords",
    "key-vocabulary": "keywords",
    "common-misconceptions": "misconceptions",
    "retrieval-starter": "starter",
    "starter-activity": "starter",
    "exit-quiz": "exit-check",
    "exit-questions": "exit-check",
    "exit-ticket": "exit-check",
    "plenary": "exit-check",
    "adaptations": "differentiation",
    "teacher-notes": "notes",
}
_TITLE = re.compile(r"^ {0,3}#(?!#)\s*+((?:\S++|\s++(?!$))*+)\s*+$")
_CLAIM = re.compile(
    r"^\[(?P<code>[^\]]+)\]\((?P<file>[^)#\s]+)#L(?P<start>\d+)(?:-L?(?P<end>\d+))?\)"
    r"\s*+(?::\s*+)?[\"\u201c](?P<quote>[^\"\u201c\u201d]*)[\"\u201d]"
    r"(?:\s*+\(edition\s++(?P<edition>[^)]++)\))?"
)
_CYCLE = re.compile(r"^(?:learning\s+)?cycle\s+\d+\s*[:.\u2013\u2014-]?\s*(.*)$", re.I)


@dataclass(frozen=True, slots=True)
class _Reader:
    """The lines of the text, its sections by id, and the problems met on the way."""

    lines: list[str]
    found: dict[str, SectionText] = field(default_factory=dict)
    problems: list[LessonProblem] = field(default_factory=list)

    def fail(self, line: int, message: str, fix: str) -> None:
        self.problems.append(LessonProblem(line, message, fix))

    def body(self, id: str) -> tuple[int, list[str]]:
        """The first line's number of what stands below a heading, and those lines.

        A line that says that something is open is no content.
        """
        section = self.found.get(id)
        if section is None:
            return 1, []
        lines = self.lines[section.start : section.end]
        return section.start + 1, ["" if is_mark(line) else line for line in lines]

    def start(self, id: str) -> int:
        section = self.found.get(id)
        return section.start if section else 1


def parse(markdown: str) -> Lesson | Problems:
    """The lesson in a markdown text, or every reason why it is none."""
    text = markdown.removeprefix("\ufeff").replace("\r\n", "\n")
    reader = _Reader(text.split("\n"))
    _gather(text, reader)
    if reader.problems:
        return Problems(tuple(reader.problems))
    title, facts = _head(reader)
    minutes = _minutes(facts, reader)
    lesson = Lesson(
        title=title,
        class_id=facts.get("class", ""),
        year=facts.get("year", ""),
        subject=facts.get("subject", ""),
        level=facts.get("level", ""),
        minutes=minutes,
        date=_date(facts, reader),
        source=_source(facts.get("source", "")),
        outcome=unescape_line(paragraph(reader.body("learning-outcome")[1])),
        success_criteria=_texts(reader, "success-criteria"),
        curriculum=tuple(_each(reader, "curriculum", _claim)),
        prior_knowledge=_before(reader, "prior knowledge", first=True),
        resources=_before(reader, "resources"),
        key_points=_texts(reader, "key-learning-points"),
        keywords=tuple(_each(reader, "keywords", _keyword)),
        misconceptions=_texts(reader, "misconceptions"),
        starter=_activity(reader, "starter"),
        cycles=tuple(_cycle(reader, id) for id in _cycle_ids(reader.found)),
        exit_check=_activity(reader, "exit-check"),
        differentiation=tuple(_each(reader, "differentiation", _adaptation)),
        homework=_homework(reader),
        notes=_texts(reader, "notes"),
    )
    if reader.problems:
        return Problems(tuple(sorted(reader.problems, key=lambda problem: problem.line)))
    return tidy(lesson)


def missing_sections(markdown: str) -> list[str]:
    """The headings a lesson needs and a text has not, as they should be written."""
    have = {_known(section.id) for section in sections(markdown)}
    return [title for id, title in SECTION_TITLES.items() if id not in have]


def known_section(section: SectionText) -> str:
    """The id of a section of a lesson, whatever it is called there."""
    return _known(section_id(section.title))


def _gather(text: str, reader: _Reader) -> None:
    last = 1
    for section in sections(text):
        id = known_section(section)
        last = section.end
        if id in reader.found:
            fix = "Put both together under one heading."
            reader.fail(section.start, f"`## {section.title}` stands a second time", fix)
        else:
            reader.found[id] = section
    for title in missing_sections(text):
        reader.fail(last, f"the section `## {title}` is missing", "Add it, with its content.")
    cycles = _cycle_ids(reader.found)
    for at, id in enumerate(cycles, 1):
        if id != f"learning-cycle-{at}" and "learning-cycle-1" in reader.found:
            fix = f"Call it `## Learning cycle {at}: … (N min)`."
            reader.fail(reader.start(id), f"learning cycle {at} is not there, but `{id}` is", fix)
            break


def _known(id: str) -> str:
    return _SAME.get(id, id)


def _cycle_ids(found: Iterable[str]) -> list[str]:
    ids = [id for id in found if re.fullmatch(r"learning-cycle-\d+", id)]
    return sorted(ids, key=lambda id: int(id.rsplit("-", 1)[1]))


def _head(reader: _Reader) -> tuple[str, dict[str, str]]:
    first = min((section.start for section in reader.found.values()), default=1)
    lines = reader.lines[: first - 1]
    title = next((found[1] for line in lines if (found := _TITLE.match(line))), "")
    if not title:
        reader.fail(1, "the lesson has no title", "Begin the file with `# ` and the title.")
    facts: dict[str, str] = {}
    for line in lines:
        if _TITLE.match(line):
            continue
        pair = labelled(line)
        if pair is not None:
            facts.setdefault(pair[0].lower(), pair[1])
    return title, facts


def _minutes(facts: dict[str, str], reader: _Reader) -> int:
    written = facts.get("minutes") or facts.get("duration") or facts.get("time") or ""
    found = re.search(r"\d{1,3}", written)
    if found is None:
        fix = "Write a line `- Minutes: 50` below the title."
        reader.fail(1, "the lesson does not say how long it is", fix)
        return 0
    return int(found[0])


def _date(facts: dict[str, str], reader: _Reader) -> dt.date | None:
    written = facts.get("date", "").strip()
    if not written:
        return None
    try:
        return dt.date.fromisoformat(written)
    except ValueError:
        reader.fail(1, f"`{written}` is not a date", "Write it as 2027-01-31, or leave it out.")
        return None


def _source(written: str) -> str:
    return one_line(written.removesuffix(f"({LOCAL_MARK})")) or LOCAL_SOURCE


def _texts(reader: _Reader, id: str) -> tuple[str, ...]:
    start, lines = reader.body(id)
    return tuple(item.text for item in bullets(lines, start) if item.text)


def _each(reader: _Reader, id: str, read: Callable[[_Reader, Item], T | None]) -> Iterable[T]:
    start, lines = reader.body(id)
    for item in bullets(lines, start):
        if (value := read(reader, item)) is not None:
            yield value


def _claim(reader: _Reader, item: Item) -> Claim | None:
    found = _CLAIM.match(item.text)
    if found is None:
        fix = 'Write `[TCH 3-15a](curriculum/cfe-computing.md#L12-L14) "the quoted words"`.'
        reader.fail(item.line, "this is not a curriculum claim with a pointer", fix)
        return None
    return Claim(
        one_line(found["code"]),
        found["quote"],
        found["file"],
        int(found["start"]),
        int(found["end"] or found["start"]),
        one_line(found["edition"] or ""),
    )


def _keyword(reader: _Reader, item: Item) -> Keyword | None:
    pair = labelled(item.text)
    if pair is None:
        reader.fail(item.line, f"`{item.text}` has no meaning", "Write `- **word**: meaning`.")
        return None
    return Keyword(*pair)


def _adaptation(reader: _Reader, item: Item) -> Adaptation | None:
    pair = labelled(item.text)
    if pair is None:
        fix = "Write `- **EAL**: what is different`."
        reader.fail(item.line, f"`{item.text}` does not say for whom it is", fix)
        return None
    return Adaptation(*pair)


def _before(reader: _Reader, name: str, *, first: bool = False) -> tuple[str, ...]:
    """The bullets under a heading of the preparation; those before any heading are the first's."""
    start, lines = reader.body("before-the-lesson")
    texts: list[str] = []
    for part in parts(lines, start):
        if part.name.startswith(name) or (first and not part.name):
            texts += [item.text for item in bullets(part.lines, part.start) if item.text]
    return tuple(texts)


def _activity(reader: _Reader, id: str) -> Activity:
    start, lines = reader.body(id)
    instructions: list[str] = []
    questions: list[Question] = []
    found = parts(lines, start)
    labelled_part = any(part.name.startswith("question") for part in found)
    for part in found:
        asked = part.name.startswith("question") or not (part.name or labelled_part)
        intro, items = numbered(part.lines, part.start) if asked else (part.lines, [])
        questions += _questions(reader, items)
        instructions += intro
    return Activity(
        _section_minutes(reader, id), unescape(block("\n".join(instructions))), tuple(questions)
    )


def _questions(reader: _Reader, items: Sequence[Item]) -> Iterable[Question]:
    for item in items:
        answer = item.answer or next((text for right, text in item.options if right), None)
        if answer is None:
            fix = "Write `   - Answer: …` below it."
            reader.fail(item.line, "this question has no answer", fix)
            continue
        yield Question(item.text, answer)


def _cycle(reader: _Reader, id: str) -> Cycle:
    start, lines = reader.body(id)
    texts = {"explanation": "", "worked": "", "practice": ""}
    checks: list[Check] = []
    for part in parts(lines, start):
        if part.name.startswith("check"):
            checks += _checks(reader, numbered(part.lines, part.start)[1])
            continue
        name = next((each for each in texts if part.name.startswith(each)), None)
        key = name or ("worked" if "example" in part.name else "explanation")
        texts[key] = "\n\n".join(filter(None, [texts[key], block("\n".join(part.lines))]))
    title, _ = split_minutes(reader.found[id].title)
    found = _CYCLE.match(title)
    return Cycle(
        title=found[1] if found else title,
        minutes=_section_minutes(reader, id),
        explanation=unescape(texts["explanation"]),
        worked_example=unescape(texts["worked"]),
        practice=unescape(texts["practice"]),
        checks=tuple(checks),
    )


def _checks(reader: _Reader, items: Sequence[Item]) -> Iterable[Check]:
    for item in items:
        right = [text for chosen, text in item.options if chosen]
        wrong = tuple(text for chosen, text in item.options if not chosen)
        if item.answer and not right:
            right = [item.answer]
            wrong = tuple(text for text in wrong if text != item.answer)
        if len(right) != 1:
            fix = "Mark exactly one option with `- [x]`, the others with `- [ ]`."
            reader.fail(item.line, f"this check has {len(right)} right answers", fix)
            continue
        yield Check(item.text, right[0], wrong)


def _section_minutes(reader: _Reader, id: str) -> int:
    section = reader.found[id]
    _, minutes = split_minutes(section.title)
    if minutes is None:
        fix = f"Write `## {section.title} (8 min)`."
        reader.fail(section.start, f"`{section.title}` does not say how long it takes", fix)
        return 0
    return minutes


def _homework(reader: _Reader) -> str | None:
    if "homework" not in reader.found:
        return None
    return unescape(block("\n".join(reader.body("homework")[1]))) or None
