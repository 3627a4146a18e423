"""Finding the answers in tables to match, however an editor left their columns."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from paige.exercise.worksheet.align import align, clean
from paige.exercise.worksheet.lines import Block, cells
from paige.exercise.worksheet.values import BLANK, Choice, Question, Section
from paige.language.words import runs

_MARKER = re.compile(r"^\s*[*_]{0,2}\(?(\d{1,3})\\?[.)]?[*_]{0,2}\s*")
_LETTER = re.compile(r"^\W*([A-Za-z])\W*$")
_LETTERED = re.compile(r"^\W*([A-Za-z])\s*[.):\-]+\s*(.+)$")
_PAIR = re.compile(r"(\d{1,3})\s*+(?:(?:[-:=.)>\u2192\u2013]|is)++\s*+)?\(?([A-Za-z])\)?(?![^\W_])")
_ENOUGH = 0.6


@dataclass(frozen=True, slots=True)
class RowAnswer:
    """What a row says for a question."""

    question: Question
    text: str
    line: int


def choice_letter(answer: str, choices: tuple[Choice, ...]) -> str | None:
    """The letter an answer means: `b`, `B.`, `(b)`, `B. Morning greeting`, or the words alone."""
    letters = {choice.letter.upper() for choice in choices}
    alone = _LETTER.match(answer)
    if alone and alone[1].upper() in letters:
        return alone[1].upper()
    said = runs(answer.casefold())
    for choice in choices:
        if said and said == runs(choice.text.casefold()):
            return choice.letter.upper()
    lettered = _LETTERED.match(answer)
    if lettered and lettered[1].upper() in letters:
        named = next(each for each in choices if each.letter.upper() == lettered[1].upper())
        # A letter with the words of another choice says two things.
        return named.letter.upper() if _recall(lettered[2], named.text) >= _ENOUGH else None
    close = [each for each in choices if _recall(each.text, answer) >= 0.99 and len(said) > 1]
    return close[0].letter.upper() if len(close) == 1 else None


def row_answers(
    sections: tuple[Section, ...], rows: list[Block], homes: Mapping[int, int]
) -> tuple[list[RowAnswer], list[Block]]:
    """The answers in table rows, and the rows that belong to no question.

    `homes` says which section each heading begins; two tables may hold the same words.
    """
    pairs = [
        (_score(question, block, homes.get(block.section) == section.number), block, section, row)
        for section in sections
        if section.matching
        for row, question in enumerate(section.questions)
        for block in rows
    ]
    pairs.sort(key=lambda pair: (-pair[0], pair[1].line))
    found: dict[str, RowAnswer] = {}
    used: set[int] = set()
    for score, block, section, row in pairs:
        question = section.questions[row]
        if score < _ENOUGH or block.line in used:
            continue
        text = _answer(section, row, cells(block.text))
        first = found.get(question.id)
        if first is None or not first.text or text in ("", first.text):
            used.add(block.line)
            if first is None or text:
                found[question.id] = RowAnswer(question, text, block.line)
    return list(found.values()), _odd_rows(sections, rows, used)


def listed_answers(section: Section, text: str) -> Iterator[tuple[Question, str]]:
    """Answers written as a list below the table: `1-B, 2-C, 3-A`."""
    pairs = list(_PAIR.finditer(text))
    if not pairs or re.sub(r"[\s,;.&]|and", "", _PAIR.sub("", text)):
        return
    by_number = {question.number: question for question in section.questions}
    for pair in pairs:
        if question := by_number.get(int(pair[1])):
            yield question, pair[2].upper()


def _score(question: Question, block: Block, at_home: bool) -> float:
    best = 0.0
    for cell in cells(block.text):
        marker = _MARKER.match(cell)
        same = bool(marker and int(marker[1]) == question.number)
        recall = _recall(question.prompt, cell)
        # Where a row stands and how it is numbered only decides between questions it fits.
        best = max(best, recall + (0.1 * same + 0.2 * at_home if recall >= _ENOUGH else 0.0))
    return best


def _recall(wanted: str, text: str) -> float:
    """Which share of the wanted words the text has."""
    needed, there = runs(wanted.casefold()), runs(text.casefold())
    if not needed:
        return 0.0
    return sum(word in there for word in needed) / len(needed)


def _answer(section: Section, row: int, cells_: list[str]) -> str:
    question = section.questions[row]
    own = section.choices[row] if row < len(section.choices) else None
    left = max(range(len(cells_)), key=lambda at: _recall(question.prompt, cells_[at]))
    others = [at for at in range(len(cells_)) if at != left]
    offered = _offered(own, cells_, others)
    free = [clean(cells_[at]) for at in others if at != offered]
    written = " ".join(text for text in free if text)
    if written:
        return written
    beside = align(f"{question.prompt} {BLANK}", _MARKER.sub("", cells_[left])).parts[0]
    if beside or own is None or offered is None:
        return beside
    return align(f"{BLANK} {own.letter}. {own.text}", cells_[offered]).parts[0]


def _offered(own: Choice | None, row: list[str], others: list[int]) -> int | None:
    """The cell with the choice that stood in this row from the start: the last that fits."""
    if own is None:
        return None
    fits = [at for at in others if _recall(own.text, row[at]) >= _ENOUGH]
    lettered = [at for at in fits if _LETTERED.match(row[at])]
    best = lettered or fits
    return best[-1] if best else None


def _odd_rows(sections: tuple[Section, ...], rows: list[Block], used: set[int]) -> list[Block]:
    """Rows with a question or with words of their own; headers and spare choices are not odd."""
    known: set[str] = set()
    for section in sections:
        known.update(runs(" ".join(section.header).casefold()))
        for choice in section.choices:
            known.update((choice.letter.casefold(), *runs(choice.text.casefold())))
    return [
        block
        for block in rows
        if block.line not in used and set(runs(block.text.casefold())) - known
    ]
