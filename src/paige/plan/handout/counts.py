"""What a class made of a worksheet: how many were right, and what several got wrong in one way.

Marking is that of every worksheet; no model is asked. Below `FEWEST` worksheets only overall
figures are told, and no error is told that fewer than `FEWEST` made: a small number points at
somebody.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, NamedTuple

from pydantic import Field

from paige.base.wire import wire
from paige.exercise.taxonomy.names import find_kind
from paige.exercise.values import AnswerMark
from paige.exercise.worksheet.key import alternatives
from paige.exercise.worksheet.mark import MarkAnswer, default_marker, mark_worksheet
from paige.exercise.worksheet.values import (
    BLANK,
    Answer,
    Question,
    ReturnedSheet,
    Section,
    Worksheet,
)
from paige.language.words import plain
from paige.plan.handout.values import AnswerRow, ClassError, Given, Handout
from paige.plan.lessons.text import one_line

FEWEST = 5
_OPTION = re.compile(r"(?:^|\s)(?P<letter>[A-H])[).]\s+")
MOST_MARKED = 20_000


@wire
class HandoutError:
    """What at least `FEWEST` got wrong; `same` of them wrote `answer`, where so many did."""

    question: str
    asked: str
    right: str
    count: int
    answer: str | None = None
    same: int = 0
    error_type: Annotated[str | None, Field(exclude=True)] = None


@wire
class HandoutQuestion:
    """How one question went."""

    id: str
    asked: str
    right: int
    partly: int
    wrong: int
    unanswered: int


@dataclass(frozen=True, slots=True)
class Counts:
    """How a worksheet went. With too few worksheets there is nothing about single questions."""

    tokens: int
    handed_in: int
    share: float
    questions: tuple[HandoutQuestion, ...] = ()
    errors: tuple[HandoutError, ...] = ()

    @property
    def enough(self) -> bool:
        """Whether questions and errors may be told."""
        return self.handed_in >= FEWEST


class SpokenQuestion(NamedTuple):
    """A question as people speak of it: without its blank, its options apart."""

    stem: str
    options: dict[str, str]

    def spoken(self, answer: str) -> str:
        """An answer in words: the option behind a letter."""
        letter = answer.strip().rstrip(").").upper()
        return self.options.get(letter, answer.strip())


class _Mark(NamedTuple):
    """One question of one worksheet."""

    token: str
    question: str
    verdict: str
    actual: str
    error_type: str | None


def asked_of(section: Section, question: Question) -> SpokenQuestion:
    """A question with its options, whether they stand in its prompt or beside it."""
    text = one_line(question.prompt.replace(BLANK, " "))
    if section.matching:
        return SpokenQuestion(text, {each.letter.upper(): each.text for each in section.choices})
    found = list(_OPTION.finditer(text))
    letters = [match["letter"] for match in found]
    if len(found) < 2 or letters != [chr(65 + at) for at in range(len(found))]:
        return SpokenQuestion(text, {})
    ends = [*(match.start() for match in found[1:]), len(text)]
    options = {
        match["letter"]: text[match.end() : end].strip()
        for match, end in zip(found, ends, strict=True)
    }
    return SpokenQuestion(text[: found[0].start()].strip() or text, options)


def right_answer(asked: SpokenQuestion, reference: str) -> str:
    """The accepted answer in words."""
    accepted = alternatives(reference)
    spoken = [asked.spoken(each) for each in accepted]
    return next((each for each in spoken if each not in asked.options), spoken[0])


def completed_of(worksheet: Worksheet, given: Given) -> ReturnedSheet:
    """Answers as if they had been read from a file."""
    answers = {
        question.id: Answer(question.id, _filled(given.get(question.id, ()), question.blanks), 0)
        for question in worksheet.questions
    }
    return ReturnedSheet(worksheet=worksheet, answers=answers)


def count(worksheet: Worksheet, rows: Iterable[AnswerRow]) -> Counts:
    """How a worksheet went, from everything that was handed in."""
    every = list(rows)
    done = [row for row in every if row.handed_in_at is not None]
    marks, share = _marks(worksheet, done)
    if len(done) < FEWEST:
        return Counts(len(every), len(done), share)
    questions: list[HandoutQuestion] = []
    errors: list[HandoutError] = []
    for section, question in _questions(worksheet):
        own = [each for each in marks if each.question == question.id]
        asked = asked_of(section, question)
        verdicts = Counter(each.verdict for each in own)
        questions.append(
            HandoutQuestion(
                question.id,
                asked.stem,
                verdicts["correct"],
                verdicts["partial"],
                verdicts["incorrect"],
                verdicts["unanswered"],
            )
        )
        wrong = [each for each in own if _is_wrong(each, asked)]
        if len(wrong) >= FEWEST:
            errors.append(_common(worksheet, question, asked, wrong))
    errors.sort(key=lambda each: (-each.count, _order(each.question)))
    return Counts(len(every), len(done), share, tuple(questions), tuple(errors))


def errors_of(
    handout: Handout, worksheet: Worksheet, rows: Iterable[AnswerRow]
) -> list[ClassError]:
    """Every wrong answer that was handed in, for whoever counts them with others."""
    done = [row for row in rows if row.handed_in_at is not None]
    marks, _ = _marks(worksheet, done)
    about = {
        question.id: asked_of(section, question) for section, question in _questions(worksheet)
    }
    key = worksheet.key or {}
    found: list[ClassError] = []
    for each in marks:
        asked = about[each.question]
        if not _is_wrong(each, asked):
            continue
        right = right_answer(asked, key[each.question])
        what = f"“{asked.stem}” answered “{asked.spoken(each.actual)}”, right is “{right}”"
        concept = worksheet.concept or "unknown"
        found.append(ClassError(each.token, concept, each.error_type, what, handout.id))
    return found


def _is_wrong(mark: _Mark, asked: SpokenQuestion) -> bool:
    """Of several options one is right; of free words, half right is no error to tell of."""
    return mark.verdict == "incorrect" or (mark.verdict == "partial" and bool(asked.options))


def _common(
    worksheet: Worksheet, question: Question, asked: SpokenQuestion, wrong: Sequence[_Mark]
) -> HandoutError:
    spoken = [asked.spoken(each.actual) for each in wrong]
    alike = Counter(plain(each) for each in spoken)
    folded, same = alike.most_common(1)[0]
    told = next(each for each in spoken if plain(each) == folded) if same >= FEWEST else ""
    kinds = Counter(each.error_type for each in wrong if each.error_type)
    kind, often = kinds.most_common(1)[0] if kinds else (None, 0)
    return HandoutError(
        question.id,
        asked.stem,
        right_answer(asked, (worksheet.key or {}).get(question.id, "")),
        len(wrong),
        told or None,
        same if told else 0,
        kind if often >= FEWEST and find_kind(kind) else None,
    )


def _marks(worksheet: Worksheet, done: Sequence[AnswerRow]) -> tuple[list[_Mark], float]:
    """Every question of every worksheet, and the share of everything that was right."""
    marks: list[_Mark] = []
    share = 0.0
    for row in done:
        result = mark_worksheet(completed_of(worksheet, row.answers), _marker())
        share += result.score.percentage
        kinds = {error.question: error.error_type for error in result.errors}
        records = result.details_extra.get("answers", [])
        assert isinstance(records, list)
        for each in records:
            name = each["question"]
            marks.append(
                _Mark(row.token, name, each["verdict"], each["actual"] or "", kinds.get(name))
            )
    return marks, share / len(done) if done else 0.0


@lru_cache(maxsize=1)
def _marker() -> MarkAnswer:
    """The marker of Paige, which marks what many wrote only once."""
    mark = default_marker()

    @lru_cache(maxsize=MOST_MARKED)
    def marked(prompt: str, reference: str, answer: str) -> AnswerMark:
        return mark(prompt, reference, answer)

    return marked


def _questions(worksheet: Worksheet) -> list[tuple[Section, Question]]:
    return [(section, question) for section in worksheet.sections for question in section.questions]


def _filled(parts: Sequence[str], blanks: int) -> tuple[str, ...]:
    return (*parts, *("" for _ in range(blanks - len(parts))))


def _order(name: str) -> tuple[int, int]:
    section, _, number = name.partition(".")
    return int(section), int(number)
