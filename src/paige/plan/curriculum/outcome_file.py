"""A file of outcomes, read and written: a list item is an outcome, items below it its details.

Whatever cannot be read is a problem with its line, and the rest of the file still counts. A row
that contradicts itself (a code of one level under the heading of another, a code that was there
before) is left out, so that no lesson can point at it. Rows in code blocks and comments are
examples, not outcomes. The text is only ever read: nothing in it is followed.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

from paige.plan.curriculum.codes import LEVELS, find_codes, is_cfe_code, level_of, normal_code
from paige.plan.curriculum.front import (
    Head,
    front_value,
    missing_keys,
    read_head,
    split_lines,
    unknown_keys,
)
from paige.plan.curriculum.values import GRADES, Curriculum, Grade, Outcome, WorkspaceProblem
from paige.plan.lessons.text import one_line

KEYS = frozenset({"framework", "subject", "edition", "also", "source", "about", "codes", "kind"})
NEEDED = ("framework", "subject", "edition")
DETAILS = ("progression", "misconception", "assessment", "topics", "note", "edition")
_ROW = re.compile(r" ?[-*+] +\*\*(?P<code>[^*]++)\*\*(?P<rest>.*)$")
_GRADE = re.compile(r"\s*+\(grade(?P<grade>[^)]*+)\)", re.I)
_ITEM = re.compile(r" ?[-*+] +(?P<text>.*)$")
_DETAIL = re.compile(r"(?: {2,}|\t+ *)[-*+] +(?P<key>[A-Za-z][A-Za-z ]*?) *:(?P<value>.*)$")
_MORE = re.compile(r"(?: {2,}|\t)(?P<text>.*)$")
_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<text>\S.*)$")
_CLOSING = re.compile(r"(?<!\s)\s++#++\s*+$")
_FENCE = re.compile(r"\s*(?P<mark>`{3,}|~{3,})")
_ARROW = re.compile(r"->|\u2192|=>")
_ORDER = {name: number for number, name in enumerate(LEVELS.values())}


@dataclass(slots=True)
class _Row:
    """An outcome while its lines are read."""

    code: str
    level: str
    organiser: str
    start: int
    grade: str | None
    about: list[str]
    end: int = 0
    about_end: int = 0
    details: list[tuple[str, list[str], int]] = field(default_factory=list)

    def values(self, key: str) -> tuple[str, ...]:
        texts = (_joined(words) for name, words, _ in self.details if name == key)
        return tuple(text for text in texts if text)


@lru_cache(maxsize=128)  # the same text says the same
def read_curriculum(text: str, path: str) -> Curriculum:
    """The outcomes of a file, with a problem and its line for whatever could not be read."""
    head = read_head(text, path)
    lines = split_lines(text)
    reader = _Reader(path)
    reader.problems += [
        *head.problems,
        *missing_keys(head, NEEDED),
        *unknown_keys(head, KEYS),
        *_codes_key(head),
    ]
    reader.read(lines, head.body)
    own_labels = head.text("codes") == "own"
    outcomes: list[Outcome] = []
    for row in reader.rows:
        outcome = _outcome(row, head, reader.problem)
        if outcome is not None and _fits(outcome, outcomes, reader.problem):
            outcomes.append(outcome)
    return Curriculum(
        path=path,
        framework=head.text("framework"),
        subject=head.text("subject"),
        edition=head.text("edition"),
        also=head.texts("also"),
        source=head.text("source"),
        about=head.text("about"),
        own_labels=own_labels,
        outcomes=tuple(outcomes),
        problems=tuple(sorted(reader.problems, key=lambda each: each.line)),
        lines=lines,
    )


class _Reader:
    """Walks the lines once and gathers rows."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.level = self.organiser = ""
        self.row: _Row | None = None
        self.rows: list[_Row] = []
        self.problems: list[WorkspaceProblem] = []

    def problem(self, line: int, message: str, hint: str = "") -> None:
        self.problems.append(WorkspaceProblem(self.path, line, message, hint))

    def read(self, lines: tuple[str, ...], start: int) -> None:
        for number, line in _outside_code(lines, start):
            if line.strip():
                self.line(number, line)

    def line(self, number: int, line: str) -> None:
        if heading := _HEADING.match(line):
            self.heading(heading["marks"], _CLOSING.sub("", heading["text"]).strip())
        elif row := _ROW.match(line):
            self.open_row(number, row["code"], row["rest"])
        elif item := _ITEM.match(line):
            self.row = None
            self.look_at_item(number, item["text"])
        elif self.row is None:
            return
        elif detail := _DETAIL.match(line):
            self.detail(self.row, number, detail["key"].strip().lower(), detail["value"])
        elif more := _MORE.match(line):
            self.more(self.row, number, more["text"])
        else:
            self.row = None

    def heading(self, marks: str, text: str) -> None:
        self.row = None
        if len(marks) <= 2:
            self.level, self.organiser = (level_name(text) if len(marks) == 2 else ""), ""
        elif len(marks) == 3:
            self.organiser = text

    def open_row(self, number: int, code: str, rest: str) -> None:
        graded = _GRADE.match(rest)
        about = rest[graded.end() :] if graded else rest
        grade = graded["grade"].strip() if graded else None
        name = normal_code(code)
        self.row = _Row(name, self.level, self.organiser, number, grade, [about])
        self.row.end = self.row.about_end = number
        self.rows.append(self.row)

    def look_at_item(self, number: int, text: str) -> None:
        """A list item that begins with a code was meant as an outcome."""
        found = find_codes(text[:40])
        if found and (text.startswith("**") or text.upper().startswith(found[0].code[:3])):
            self.problem(
                number,
                f"This looks like the outcome {found[0].code}, but it cannot be read.",
                f"Write it as `- **{found[0].code}** (grade C) what it is about`.",
            )

    def detail(self, row: _Row, number: int, key: str, value: str) -> None:
        row.end = number
        if key not in DETAILS:
            names = ", ".join(f"`{each}`" for each in DETAILS)
            self.problem(number, f"`{key}` is not a detail of an outcome.", f"There are: {names}.")
        row.details.append((key, [value], number))

    def more(self, row: _Row, number: int, text: str) -> None:
        row.end = number
        if row.details:
            row.details[-1][1].append(text)
        else:
            row.about.append(text)
            row.about_end = number


def _outside_code(lines: tuple[str, ...], start: int) -> Iterator[tuple[int, str]]:
    """The lines that are text, with their numbers; code blocks and comments are left out."""
    fence = ""
    comment = False
    for number, line in enumerate(lines[start:], start + 1):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark["mark"].startswith(fence):
                fence = ""
        elif comment or line.lstrip().startswith("<!--"):
            comment = "-->" not in line
        elif mark:
            fence = mark["mark"]
        else:
            yield number, line


def _outcome(row: _Row, head: Head, problem: Callable[..., None]) -> Outcome | None:
    about = _joined(row.about)
    if not row.code.strip() or not about:
        problem(row.start, f"The outcome `{row.code}` says nothing.", "Write what it is about.")
        return None
    level = level_of(row.code)
    if is_cfe_code(row.code) and level is None:
        problem(row.start, f"{row.code} names a level that does not exist.", "There are 0 to 4.")
        return None
    if level and row.level and row.level != level:
        problem(row.start, *_wrong_level(row.code, level, row.level))
        return None
    if not (row.level or level):
        problem(row.start, f"{row.code} stands under no level.", "Add a heading `## … level`.")
    before, after = _progression(row, problem)
    return Outcome(
        code=row.code,
        about=about,
        subject=head.text("subject"),
        level=row.level or level or "",
        organiser=row.organiser,
        grade=_grade(row, problem),
        edition=next(iter(row.values("edition")), head.text("edition")),
        path=head.path,
        start=row.start,
        end=row.end,
        about_end=row.about_end,
        progression_from=before,
        progression_to=after,
        misconceptions=row.values("misconception"),
        assessment=row.values("assessment"),
        topics=tuple(
            word
            for text in row.values("topics")
            for each in text.split(",")
            if (word := each.strip())
        ),
        notes=row.values("note"),
        own_label=head.text("codes") == "own",
    )


def _fits(outcome: Outcome, before: list[Outcome], problem: Callable[..., None]) -> bool:
    twin = next((each for each in before if each.code == outcome.code), None)
    if twin is None:
        return True
    problem(
        outcome.start,
        f"{outcome.code} is in line {twin.start} already, so this row is left out.",
        "Keep one of them.",
    )
    return False


def _wrong_level(code: str, level: str, heading: str) -> tuple[str, str]:
    if heading in LEVELS.values():
        return f"{code} is a code of {level} level, but stands under {heading} level.", "Move it."
    return (
        f"{code} is a code of {level} level, but stands under “{heading}”.",
        "The senior phase has no experiences and outcomes; levels end with the Fourth.",
    )


def _grade(row: _Row, problem: Callable[..., None]) -> Grade:
    given = (row.grade or "").replace("\u2212", "-").replace("\u2013", "-").upper()
    if given in GRADES:
        return cast(Grade, given)
    said = "has no grade" if row.grade is None else f"has the grade `{row.grade}`"
    known = ", ".join(GRADES)
    problem(row.start, f"{row.code} {said}; it is treated as C.", f"Grades are {known}.")
    return "C"


def _progression(
    row: _Row, problem: Callable[..., None]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    before: list[str] = []
    after: list[str] = []
    for key, words, line in row.details:
        if key != "progression":
            continue
        sides = _ARROW.split(_joined(words))
        if len(sides) != 2:
            problem(
                line,
                f"The progression of {row.code} cannot be read.",
                "Write `progression: earlier code -> later code`.",
            )
            continue
        before += _linked(row, sides[0], line, problem, later=False)
        after += _linked(row, sides[1], line, problem, later=True)
    return tuple(before), tuple(after)


def _linked(
    row: _Row, side: str, line: int, problem: Callable[..., None], *, later: bool
) -> list[str]:
    codes = [normal_code(each) for each in re.split(r",|\band\b", side) if each.strip()]
    order = list(LEVELS.values())
    own = level_of(row.code)
    kept: list[str] = []
    for code in codes:
        other = level_of(code)
        if own and other and (order.index(other) - order.index(own)) * (1 if later else -1) < 0:
            where = "after" if later else "before"
            problem(line, f"{code} cannot come {where} {row.code}.", "Its level says otherwise.")
        elif code == row.code:
            problem(line, f"{row.code} cannot lead to itself.")
        else:
            kept.append(code)
    return kept


def _codes_key(head: Head) -> list[WorkspaceProblem]:
    if head.text("codes") in ("", "official", "own"):
        return []
    said = f"`codes` is `{head.text('codes')}`."
    return [head.problem("codes", said, "Say `official`, or `own` for labels that are yours.")]


def level_name(heading: str) -> str:
    """The level that a heading names: `Third level` is `Third`, other names stay."""
    name = re.sub(r"(?<!\s)\s++level$", "", heading, flags=re.I).strip()
    return name.title() if name.title() in LEVELS.values() else name


def _joined(words: list[str]) -> str:
    return " ".join(" ".join(words).split())


def render_curriculum(curriculum: Curriculum) -> str:
    """The file: its head, then levels, organisers and rows in the order they have."""
    return "\n".join([*_head_lines(curriculum), *_body_lines(curriculum)]) + "\n"


def _head_lines(curriculum: Curriculum) -> Iterator[str]:
    also = ", ".join(front_value(each) for each in curriculum.also)
    values = [
        ("framework", front_value(curriculum.framework)),
        ("subject", front_value(curriculum.subject)),
        ("also", f"[{also}]" if also else ""),
        ("edition", front_value(curriculum.edition)),
        ("source", front_value(curriculum.source) if curriculum.source else ""),
        ("codes", "own" if curriculum.own_labels else ""),
        ("about", front_value(curriculum.about) if curriculum.about else ""),
    ]
    yield "---"
    yield from (f"{key}: {value}" for key, value in values if value)
    yield "---"


def _body_lines(curriculum: Curriculum) -> Iterator[str]:
    yield ""
    yield f"# {one_line(curriculum.subject) or curriculum.name}"
    level, organiser = None, ""
    for outcome in _ordered(curriculum.outcomes):
        if outcome.level != level:
            level, organiser = outcome.level, ""
            yield from ("", f"## {_level_title(outcome.level)}")
            if not outcome.organiser:
                yield ""
        if outcome.organiser != organiser:
            organiser = outcome.organiser
            yield from ("", f"### {one_line(organiser)}", "")
        yield from _row_lines(outcome, curriculum.edition)


def _ordered(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """By level, and inside a level by organiser, each where it first came."""
    listed = list(outcomes)
    places: dict[tuple[str, str], int] = {}
    levels: dict[str, int] = {}
    for outcome in listed:
        levels.setdefault(outcome.level, len(levels))
        places.setdefault((outcome.level, outcome.organiser), len(places))

    def place(outcome: Outcome) -> tuple[int, int, int, int]:
        named = bool(outcome.organiser)  # rows without an organiser come before any heading
        known = _ORDER.get(outcome.level, len(_ORDER))
        where = places[outcome.level, outcome.organiser]
        return known, levels[outcome.level], named, where

    return sorted(listed, key=place)


def _row_lines(outcome: Outcome, edition: str) -> Iterator[str]:
    yield f"- **{outcome.code}** (grade {outcome.grade}) {one_line(outcome.about)}"
    if outcome.progression_from or outcome.progression_to:
        before, after = ", ".join(outcome.progression_from), ", ".join(outcome.progression_to)
        yield f"  - progression: {f'{before} -> {after}'.strip()}"
    yield from (f"  - misconception: {one_line(each)}" for each in outcome.misconceptions)
    yield from (f"  - assessment: {one_line(each)}" for each in outcome.assessment)
    if outcome.topics:
        yield f"  - topics: {', '.join(one_line(each) for each in outcome.topics)}"
    if outcome.edition != edition:
        yield f"  - edition: {outcome.edition}"
    yield from (f"  - note: {one_line(each)}" for each in outcome.notes)


def _level_title(level: str) -> str:
    return f"{level} level" if level in _ORDER else one_line(level) or "Outcomes"
