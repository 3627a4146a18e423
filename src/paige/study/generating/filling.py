"""Writing answers into a worksheet's text, as somebody would in an editor."""

import re
from collections.abc import Mapping, Sequence

from paige.exercise.worksheet.key import alternatives, key_parts
from paige.exercise.worksheet.values import BLANK, Section, Worksheet

_HEADING = re.compile(r"^## Section (\d+):")
_ROW = re.compile(r"^\| (\d+)\. ")


def fill_in(text: str, sheet: Worksheet, answers: Mapping[str, Sequence[str]]) -> str:
    """The text with answers in its blanks, one for each blank of a question."""
    lines = text.split("\n")
    section: Section | None = None
    for at, line in enumerate(lines):
        heading = _HEADING.match(line)
        if heading:
            section = sheet.section(int(heading[1]))
        elif section is not None:
            lines[at] = _filled(line, section, answers)
    return "\n".join(lines)


def _filled(line: str, section: Section, answers: Mapping[str, Sequence[str]]) -> str:
    row = _ROW.match(line) if section.matching else None
    for question in section.questions:
        given = list(answers.get(question.id, ()))
        if row is not None and int(row[1]) == question.number and given:
            return line.replace(f"| {BLANK} |", f"| {given[0]} |", 1)
        if not section.matching and line == f"{question.number}. {question.prompt}":
            pieces = line.split(BLANK)
            told = [*given, *([BLANK] * len(pieces))]
            return (
                "".join(f"{piece}{told[at]}" for at, piece in enumerate(pieces[:-1])) + pieces[-1]
            )
    return line


def right_answers(sheet: Worksheet) -> dict[str, tuple[str, ...]]:
    """The first accepted answer for each blank of every question."""
    key = sheet.key or {}
    made: dict[str, tuple[str, ...]] = {}
    for question in sheet.questions:
        section = sheet.section(question.section)
        blanks = 1 if section is not None and section.matching else question.blanks
        parts = key_parts(key.get(question.id, ""), blanks)
        made[question.id] = tuple(alternatives(part)[0] for part in parts)
    return made
