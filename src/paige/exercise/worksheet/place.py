"""Which line answers which question.

A line goes to the question whose words it has; its number and its section only break ties, because
editors renumber lists and people move lines. A line without any words of a question goes by its
number. What follows an unanswered question is its answer. What is left over is returned as stray
text with its line: nothing anyone typed is dropped.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from paige.exercise.worksheet.align import Alignment, align, clean
from paige.exercise.worksheet.lines import Block, Line, section_heading
from paige.exercise.worksheet.tables import choice_letter, listed_answers, row_answers
from paige.exercise.worksheet.values import (
    BLANK,
    Answer,
    Question,
    Section,
    SheetProblem,
    Stray,
)
from paige.language.words import runs

_NOTE = re.compile(
    r"^\s*(?:\(.*\)\W*$|\[.*\]\W*$|(?:my\s+)?notes?\b|n\.?b\.?\b|todo\b|//|remark|p\.?s\.?\b|\?\?)",
    re.IGNORECASE,
)
_ENOUGH, _SURE = 0.5, 0.8
_LONG_LINE = 40


@dataclass(slots=True)
class PlacedAnswers:
    """Answers by question, and the rest."""

    answers: dict[str, Answer] = field(default_factory=dict)
    problems: list[SheetProblem] = field(default_factory=list)
    stray: list[Stray] = field(default_factory=list)

    def leave(self, line: int, text: str) -> None:
        """Keep text that belongs to no question."""
        if text.strip():
            self.stray.append(Stray(line, text.strip()))


def place(
    sections: tuple[Section, ...], found: list[Block], key: Mapping[str, str]
) -> PlacedAnswers:
    """The answers of a worksheet whose questions are known."""
    placed = PlacedAnswers()
    homes = _homes(sections, found)
    _place_rows(sections, found, homes, placed)
    questions = [q for section in sections if not section.matching for q in section.questions]
    body = [block for block in found if block.kind in ("item", "text")]
    owners = _owners(body, questions, homes)
    owners |= _owners_by_number(body, questions, homes, owners)
    owners |= _owners_by_elimination(body, questions, homes, owners)
    for at, question in owners.items():
        _take(question, body[at], key.get(question.id, ""), placed)
    _place_rest(_Rest(sections, body, owners, homes, key, questions), placed)
    placed.problems.sort(key=lambda problem: problem.line)
    placed.stray.sort(key=lambda stray: stray.line)
    return placed


def _homes(sections: tuple[Section, ...], found: list[Block]) -> dict[int, int]:
    """Which section each heading begins: by its number, else by its title, else by its place."""
    headings = [block for block in found if block.kind == "heading"]
    homes: dict[int, int] = {}
    for position, heading in enumerate(headings):
        number, title = section_heading(heading.lines[0].text)
        free = [each for each in sections if each.number not in homes.values()]
        named = next((each for each in free if each.number == number), None)
        alike = max(free, key=lambda each: _alike(each.title, title), default=None)
        if alike and (named is None or _alike(named.title, title) < 0.4):
            named = alike if _alike(alike.title, title) > 0.6 else named
        if named is None and position < len(sections):
            named = sections[position]
        if named is not None:
            homes[heading.section] = named.number
    return homes


def _alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold(), autojunk=False).ratio()


def _place_rows(
    sections: tuple[Section, ...], found: list[Block], homes: dict[int, int], placed: PlacedAnswers
) -> None:
    rows = [block for block in found if block.kind == "row"]
    answers, odd = row_answers(sections, rows, homes)
    for each in answers:
        placed.answers[each.question.id] = Answer(each.question.id, (each.text,), each.line)
    for block in odd:
        placed.leave(block.line, block.text)
        placed.problems.append(
            SheetProblem(
                block.line,
                "this table row belongs to no question, or answers one a second time",
                "Keep one row for each question, with its number in the first column.",
            )
        )


def _owners(
    body: list[Block], questions: list[Question], homes: dict[int, int]
) -> dict[int, Question]:
    """Blocks paired with questions by their words, the surest pairs first."""
    pairs = []
    for at, block in enumerate(body):
        there = runs(block.text.casefold())
        recalls = [_recall(question.prompt, there) for question in questions]
        # A copy of one question must not become another that shares some words with it.
        best = max((recall for recall, _ in recalls), default=0.0)
        for question, (recall, matched) in zip(questions, recalls, strict=True):
            if (
                recall < best - 0.25
                or recall < (_ENOUGH if block.kind == "item" else _SURE)
                or not matched
            ):
                continue
            if block.kind == "text" and matched < 2 and not block.text.rstrip().endswith(BLANK):
                continue
            score = recall + 0.02 * min(matched, 10)
            score += 0.2 * (homes.get(block.section) == question.section)
            score += 0.15 * (block.number == question.number)
            score += 0.1 * (block.kind == "item")
            pairs.append((score, -at, question))
    pairs.sort(key=lambda pair: (pair[0], pair[1]), reverse=True)
    owners: dict[int, Question] = {}
    taken: set[str] = set()
    for _, minus, question in pairs:
        if -minus not in owners and question.id not in taken:
            owners[-minus] = question
            taken.add(question.id)
    return owners


def _recall(prompt: str, there: list[str]) -> tuple[float, int]:
    """Which share of a prompt's words is there, and how many that is."""
    needed = runs(prompt.replace(BLANK, " ").casefold())
    # A question stands at the start of its lines; the rest of a long text is an answer.
    left, matched = there[: 4 * len(needed) + 40], 0
    for word in needed:
        if word in left:
            left.remove(word)
            matched += 1
    return (matched / len(needed) if needed else 0.0), matched


def _owners_by_number(
    body: list[Block],
    questions: list[Question],
    homes: dict[int, int],
    owners: dict[int, Question],
) -> dict[int, Question]:
    """Numbered lines without the words of their question: only the answer was left."""
    taken = {question.id for question in owners.values()}
    more: dict[int, Question] = {}
    for at, block in enumerate(body):
        if at in owners or block.kind != "item" or block.number is None:
            continue
        section = block.named if block.named is not None else homes.get(block.section)
        if section is None and len({q.section for q in questions}) == 1:
            section = questions[0].section
        wanted = f"{section}.{block.number}"
        question = next((q for q in questions if q.id == wanted and q.id not in taken), None)
        if question is not None and not _is_copy_of_other(block, owners.values()):
            more[at] = question
            taken.add(question.id)
    return more


def _owners_by_elimination(
    body: list[Block],
    questions: list[Question],
    homes: dict[int, int],
    owners: dict[int, Question],
) -> dict[int, Question]:
    """Lines of a section nobody owns, if there are as many as questions nobody has."""
    taken = {question.id for question in owners.values()}
    more: dict[int, Question] = {}
    for heading, section in homes.items():
        missing = [q for q in questions if q.section == section and q.id not in taken]
        free = [
            at
            for at, block in enumerate(body)
            if block.section == heading
            and block.kind == "item"
            and at not in owners
            and not _is_copy_of_other(block, owners.values())
            and not _follows_open_question(body, owners, at)
        ]
        if missing and len(free) == len(missing):
            more |= dict(zip(free, missing, strict=True))
    return more


def _follows_open_question(body: list[Block], owners: dict[int, Question], at: int) -> bool:
    """Whether the question before has no answer in its own lines, so this may be the answer."""
    before = owners.get(at - 1)
    return before is not None and not any(align(before.prompt, body[at - 1].text).parts)


def _is_copy_of_other(block: Block, owned: Iterable[Question]) -> bool:
    """Whether a line has the words of a question that another line has already taken."""
    there = runs(block.text.casefold())
    return any(_recall(question.prompt, there)[0] >= 0.9 for question in owned)


def _take(question: Question, block: Block, reference: str, placed: PlacedAnswers) -> None:
    """Read the answer to a question from its block."""
    core, aligned = _core(question, block, reference)
    parts = list(aligned.parts)
    for extra in aligned.extra:
        placed.leave(block.line, extra)
    for at in range(core, len(block.lines)):
        line = block.lines[at]
        if _NOTE.match(line.text):
            placed.leave(line.number, line.text)
        elif not any(parts):
            parts = _continued(question, block.lines[:core], line.text, reference)
        elif _goes_on(block.lines[at - 1], line, aligned):
            parts[-1] = f"{parts[-1]} {clean(line.text, reference)}".strip()
        else:
            placed.leave(line.number, line.text)
    _keep(Answer(question.id, tuple(parts), block.line), placed)


def _core(question: Question, block: Block, reference: str) -> tuple[int, Alignment]:
    """How many lines hold the question, which an editor may have wrapped, and what is in them."""
    best, lines = None, 1
    for count in range(1, len(block.lines) + 1):
        text = " ".join(line.text.strip() for line in block.lines[:count])
        aligned = align(question.prompt, text, reference)
        if best is None or aligned.matched > best.matched:
            best, lines = aligned, count
        if best.whole:
            break
    assert best is not None
    return lines, best


def _continued(question: Question, head: list[Line], text: str, reference: str) -> list[str]:
    """The answer in a text that follows its question; it may repeat the words after the blank."""
    plain = _unbulleted(text).strip()
    asked = " ".join(line.text.strip() for line in head).replace(BLANK, " ")
    aligned = align(question.prompt, f"{asked} {plain}", reference)
    if aligned.whole and any(aligned.parts):
        return list(aligned.parts)
    return [*("" for _ in range(question.blanks - 1)), clean(plain, reference)]


def _goes_on(before: Line, line: Line, aligned: Alignment) -> bool:
    """Whether a line goes on with the answer of the line before, as a wrapped line does."""
    if aligned.closed:
        return False
    starts_low = line.text.lstrip()[:1].islower()
    return len(before.text) >= _LONG_LINE or (line.text.startswith("  ") and starts_low)


def _unbulleted(text: str) -> str:
    return re.sub(r"^\s*(?:[-*+>\u2022]\s+)", "", text)


def _keep(answer: Answer, placed: PlacedAnswers) -> None:
    """Keep an answer; a second one to the same question is a problem, and stray."""
    first = placed.answers.get(answer.question)
    if first is None or not first.answered:
        placed.answers[answer.question] = answer
        return
    if not answer.answered or answer.text.casefold() == first.text.casefold():
        return
    placed.leave(answer.line, answer.text)
    placed.problems.append(
        SheetProblem(
            answer.line,
            f"question {answer.question} is answered here and on line {first.line}",
            "Keep the answer you mean and delete the other line.",
        )
    )


@dataclass(frozen=True, slots=True)
class _Rest:
    """Everything needed to place what no question has taken."""

    sections: tuple[Section, ...]
    body: list[Block]
    owners: dict[int, Question]
    homes: dict[int, int]
    key: Mapping[str, str]
    questions: list[Question]

    def section_of(self, block: Block) -> Section | None:
        number = self.homes.get(block.section)
        return next((each for each in self.sections if each.number == number), None)


def _place_rest(rest: _Rest, placed: PlacedAnswers) -> None:
    for at, block in enumerate(rest.body):
        if at in rest.owners or not block.lines or _is_known(rest, block):
            continue
        if _place_listed(rest, block, placed) or _place_copy(rest, block, placed):
            continue
        before = _question_before(rest, at)
        lines = [line for line in block.lines if not _NOTE.match(line.text)]
        if before and lines and not placed.answers[before.id].answered:
            text = " ".join(_unbulleted(line.text).strip() for line in lines)
            asked = next(rest.body[i].lines for i, owner in rest.owners.items() if owner == before)
            asked = [line for line in asked if not _NOTE.match(line.text)]
            parts = _continued(before, asked, text, rest.key.get(before.id, ""))
            placed.answers[before.id] = Answer(before.id, tuple(parts), lines[0].number)
            lines = [line for line in block.lines if _NOTE.match(line.text)]
        else:
            lines = block.lines
        for line in lines:
            placed.leave(line.number, line.text)
        if lines and block.kind == "item" and block.number is not None:
            placed.problems.append(
                SheetProblem(
                    block.line,
                    "this line belongs to no question",
                    "Write the answer in the line of its question, where `___` stands.",
                )
            )


def _is_known(rest: _Rest, block: Block) -> bool:
    """Whether a block is the worksheet's own text: its head, or the words that open a section."""
    if block.kind != "text":
        return False
    if block.section == 0:
        return bool(re.match(r"\s*#|\s*[*_]{0,2}(?:Concept|Instructions|Time)\b", block.text))
    section = rest.section_of(block)
    own = runs(block.text.casefold())
    intro = runs(section.intro.casefold()) if section else []
    return bool(intro) and (
        SequenceMatcher(None, intro, own, autojunk=False).ratio() >= 0.7
        or (len(own) > 2 and " ".join(own) in " ".join(intro))
    )


def _place_listed(rest: _Rest, block: Block, placed: PlacedAnswers) -> bool:
    """Letters written as a list near the table they belong to."""
    section = rest.section_of(block)
    if section is None or not section.matching:
        return False
    found: list[tuple[Question, str]] = list(listed_answers(section, block.text))
    if block.kind == "item" and block.number is not None:
        by_number = {question.number: question for question in section.questions}
        question = by_number.get(block.number)
        if question and choice_letter(clean(block.text), section.choices):
            found = [(question, clean(block.text))]
    for question, letter in found:
        _keep(Answer(question.id, (letter,), block.line), placed)
    return bool(found)


def _place_copy(rest: _Rest, block: Block, placed: PlacedAnswers) -> bool:
    """A line that repeats a question someone has already taken."""
    if block.kind != "item":
        return False
    there = runs(block.text.casefold())
    home = rest.homes.get(block.section)
    for question in _nearest_first(rest.questions, home):
        recall, matched = _recall(question.prompt, there)
        if recall >= 0.9 and matched:
            aligned = align(question.prompt, block.text, rest.key.get(question.id, ""))
            _keep(Answer(question.id, aligned.parts, block.line), placed)
            return True
    return False


def _nearest_first(questions: list[Question], home: int | None) -> Iterator[Question]:
    yield from sorted(questions, key=lambda question: question.section != home)


def _question_before(rest: _Rest, at: int) -> Question | None:
    """The question in the lines before this one, in the same section."""
    for before in range(at - 1, -1, -1):
        if rest.body[before].section != rest.body[at].section:
            return None
        if before in rest.owners:
            return rest.owners[before]
    return None
