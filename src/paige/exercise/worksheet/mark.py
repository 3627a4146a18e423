"""Marking a worksheet that came back: every question, then what the errors have in common.

Who says what an answer is worth is passed in; letters of a matching section are compared here. A
right answer counts 1, a partly right one a half. What was not answered counts as wrong and is said
to be unanswered.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from paige.exercise.ids import exercise_id
from paige.exercise.result import Attempt, Result
from paige.exercise.taxonomy.detect import detect_error
from paige.exercise.taxonomy.names import find_kind, known_name
from paige.exercise.values import (
    AnswerMark,
    Domain,
    ExerciseError,
    Verdict,
    score_of,
    worksheet_rating,
)
from paige.exercise.worksheet.key import ALTERNATIVES, alternatives, key_parts
from paige.exercise.worksheet.tables import choice_letter
from paige.exercise.worksheet.values import Question, ReturnedSheet, Section

MarkAnswer = Callable[[str, str, str], AnswerMark]
CREDIT: dict[Verdict, float] = {"correct": 1.0, "partial": 0.5, "incorrect": 0.0}
_DOMAINS: tuple[Domain, ...] = ("language", "technical", "conceptual", "interview")


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    """One question with what was expected, what was written, and what it is worth."""

    question: Question
    section: Section
    expected: str
    actual: str
    line: int
    marked: AnswerMark | None  # nothing was written

    @property
    def credit(self) -> float:
        """Between 0 and 1."""
        return CREDIT[self.marked.verdict] if self.marked else 0.0


def mark_worksheet(
    completed: ReturnedSheet, marker: MarkAnswer | None = None, attempt: Attempt | None = None
) -> Result:
    """The result of a worksheet; without a key it cannot be graded, and says so."""
    attempt = attempt or Attempt()
    sheet, key = completed.worksheet, completed.worksheet.key
    made = exercise_id(sheet.generated, sheet.concept, "worksheet")
    concept = sheet.concept or "unknown"
    begun = attempt.begin(made, concept, "worksheet", sheet.course, sheet.bloom_level)
    begun = replace(begun, remarks=tuple(_remarks(completed)))
    if not key or not any(key.get(each.id, "").strip() for each in sheet.questions):
        message = "This worksheet has no answer key, so it cannot be marked."
        return replace(begun, score=score_of(0, len(sheet.questions)), message=message)
    mark = marker or default_marker()
    domain = attempt.domain or _domain(completed)
    questions = [
        _mark(question, section, completed, mark, domain)
        for section in sheet.sections
        for question in section.questions
        if key.get(question.id, "").strip()
    ]
    score = score_of(sum(each.credit for each in questions), len(questions))
    return replace(
        begun,
        gradable=True,
        score=score,
        fsrs_rating=attempt.rated(worksheet_rating(score.percentage)),
        errors=tuple(_error(each) for each in questions if each.credit < 1.0),
        strengths=tuple(_strengths(questions)),
        improvements=tuple(_improvements(questions)),
        message=_message(questions),
        details_extra={"answers": [_record(each) for each in questions]},
    )


def default_marker() -> MarkAnswer:
    """The marker that comes with Paige."""
    from paige.exercise.marking.marker import mark  # noqa: PLC0415 - loads word vectors

    return mark


def _mark(
    question: Question, section: Section, completed: ReturnedSheet, mark: MarkAnswer, domain: Domain
) -> MarkedQuestion:
    key = completed.worksheet.key or {}
    reference = key[question.id]
    answer = completed.answers.get(question.id)
    line = answer.line if answer else 0
    if answer is None or not answer.answered:
        expected = _shown(section, reference)
        return MarkedQuestion(question, section, expected, "", line, None)
    if section.matching:
        marked = _mark_letter(section, reference, answer.text, domain)
        return MarkedQuestion(
            question, section, _shown(section, reference), answer.text, line, marked
        )
    references = key_parts(reference, question.blanks)
    given = answer.parts if len(references) > 1 else (answer.text,)
    parts = (*given, *([""] * len(references)))[: len(references)]
    marked = _joined(
        [mark(question.prompt, ref, part) for ref, part in zip(references, parts, strict=True)]
    )
    others = tuple(
        other for name, value in key.items() if name != question.id for other in alternatives(value)
    )
    typed = _typed(marked, question, reference, answer.text, others, domain)
    return MarkedQuestion(question, section, reference, answer.text, line, typed)


def _typed(
    marked: AnswerMark,
    question: Question,
    reference: str,
    answer: str,
    others: tuple[str, ...],
    domain: Domain,
) -> AnswerMark:
    """The mark with a kind of error and a sentence about it, where one can be told."""
    if marked.verdict == "correct":
        return marked
    found = detect_error(domain, question.prompt, reference, answer, others)
    kind = known_name(marked.error_type) or (found.error_type if found else None)
    # A marker that names the kind has explained it already.
    note = f" {found.note}" if found and not known_name(marked.error_type) else ""
    return AnswerMark(
        marked.verdict, marked.score, f"{marked.feedback}{note}".strip(), kind, marked.matched
    )


def _joined(marks: Sequence[AnswerMark]) -> AnswerMark:
    """One mark for a question with several blanks."""
    if len(marks) == 1:
        return marks[0]
    verdict = marks[0].verdict
    if any(each.verdict != verdict for each in marks):
        verdict = "partial"
    wrong = [f"Blank {at}: {each.feedback}" for at, each in enumerate(marks, 1) if each.score < 1.0]
    kind = next((each.error_type for each in marks if each.error_type), None)
    score = sum(each.score for each in marks) / len(marks)
    return AnswerMark(verdict, score, " ".join(wrong) or "Right.", kind)


def _mark_letter(section: Section, reference: str, answer: str, domain: Domain) -> AnswerMark:
    accepted = {
        choice_letter(each, section.choices) or each.strip().upper()
        for each in alternatives(reference)
    }
    letter = choice_letter(answer, section.choices)
    if letter in accepted:
        return AnswerMark("correct", 1.0, "Right.", matched=letter)
    kinds: dict[Domain, str] = {
        "language": "vocabulary_confusion",
        "conceptual": "relationship_confusion",
    }
    if letter is None:
        letters = ", ".join(choice.letter for choice in section.choices)
        return AnswerMark("incorrect", 0.0, f"`{answer}` is not one of the letters {letters}.")
    chosen = next(c.text for c in section.choices if c.letter.upper() == letter)
    return AnswerMark("incorrect", 0.0, f"{letter} is \u201c{chosen}\u201d.", kinds.get(domain))


def _shown(section: Section, reference: str) -> str:
    """The expected answer in words: a letter with its choice."""
    if not section.matching:
        return reference
    shown = []
    for each in alternatives(reference):
        letter = choice_letter(each, section.choices)
        text = next((c.text for c in section.choices if c.letter.upper() == letter), "")
        shown.append(f"{letter}. {text}" if text else each)
    return ALTERNATIVES.join(shown)


def _error(each: MarkedQuestion) -> ExerciseError:
    name = each.question.id
    if each.marked is None:
        where = f" on line {each.line}" if each.line else ""
        detail = f"Not answered{where}. Expected: {each.expected}."
        return ExerciseError(name, None, each.expected, None, detail)
    detail = each.marked.feedback
    if not any(accepted in detail for accepted in alternatives(each.expected)):
        detail = f"{detail} Expected: {each.expected}.".strip()
    kind = find_kind(each.marked.error_type)
    if kind and kind.says not in detail:
        detail = f"{detail} This looks like {kind.says}."
    return ExerciseError(name, kind.name if kind else None, each.expected, each.actual, detail)


def _strengths(questions: list[MarkedQuestion]) -> list[str]:
    made = []
    for section, right, total in _by_section(questions):
        if total and right / total >= 0.8:
            made.append(f"{_title(section)}: {_count(right)} of {total} right")
    return made


def _improvements(questions: list[MarkedQuestion]) -> list[str]:
    """What the errors have in common first, then the sections to look at again."""
    kinds = Counter(
        each.marked.error_type for each in questions if each.marked and each.marked.error_type
    )
    made = []
    for name, count in kinds.most_common(3):
        kind = find_kind(name)
        if kind:
            times = "Once" if count == 1 else f"{count} times"
            made.append(f"{times}: {kind.says}. {kind.practise}")
    for section, right, total in _by_section(questions):
        if total and right / total < 0.6:
            made.append(f"Look at {_title(section)} again: {_count(right)} of {total} right")
    unanswered = [each.question.id for each in questions if each.marked is None]
    if unanswered:
        made.append(f"Answer every question, even with a guess: {', '.join(unanswered)} left open")
    return made


def _by_section(questions: list[MarkedQuestion]) -> list[tuple[Section, float, int]]:
    sections = {each.section.number: each.section for each in questions}
    return [
        (
            section,
            sum(each.credit for each in questions if each.section.number == number),
            sum(each.section.number == number for each in questions),
        )
        for number, section in sections.items()
    ]


def _title(section: Section) -> str:
    return section.title or f"Section {section.number}"


def _message(questions: list[MarkedQuestion]) -> str:
    right = sum(each.credit == 1.0 for each in questions)
    partly = sum(0.0 < each.credit < 1.0 for each in questions)
    open_ = sum(each.marked is None for each in questions)
    said = f"{right} of {len(questions)} right"
    said += f", {partly} partly right" if partly else ""
    return said + (f", {open_} not answered." if open_ else ".")


def _remarks(completed: ReturnedSheet) -> list[str]:
    made = []
    if completed.key_changed:
        made.append(
            "The answer key in this file is not the one it was made with. "
            "Where a key is kept elsewhere, that one was used."
        )
    made.extend(str(problem) for problem in completed.problems)
    made.extend(
        f"Line {stray.line}: `{stray.text}` was not counted as an answer."
        for stray in completed.stray
    )
    key = completed.worksheet.key or {}
    unmarked = [q.id for q in completed.worksheet.questions if not key.get(q.id, "").strip()]
    if key and unmarked:
        made.append(f"The key has no answer to {', '.join(unmarked)}, so it was not marked.")
    return made


def _record(each: MarkedQuestion) -> dict[str, object]:
    return {
        "question": each.question.id,
        "prompt": each.question.prompt,
        "expected": each.expected,
        "actual": each.actual or None,
        "verdict": each.marked.verdict if each.marked else "unanswered",
        "score": each.credit,
        "feedback": each.marked.feedback if each.marked else "Not answered.",
    }


def _domain(completed: ReturnedSheet) -> Domain:
    """What the header says, else a guess: short answers are words, long ones are thoughts."""
    named = dict(completed.worksheet.metadata).get("domain", "").strip().lower()
    for domain in _DOMAINS:
        if domain == named:
            return domain
    answers = [each for value in (completed.worksheet.key or {}).values() for each in [value]]
    lengths = sorted(len(alternatives(value)[0].split()) for value in answers)
    return "language" if not lengths or lengths[len(lengths) // 2] <= 4 else "conceptual"


def _count(number: float) -> str:
    return f"{number:g}"
