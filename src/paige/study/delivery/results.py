"""From judged questions to the record of an exercise, and to what the learner is told."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from paige.exercise.hints import Ladder
from paige.exercise.result import Attempt, Result
from paige.exercise.taxonomy.names import find_kind
from paige.exercise.values import (
    ExerciseError,
    Rating,
    conversation_rating,
    score_of,
    with_help,
    worksheet_rating,
)
from paige.study.generation.words import one_line
from paige.study.remediation import asked_by
from paige.study.values import (
    LOCAL,
    Evaluation,
    Exercise,
    Question,
    QuestionResult,
    SelfCheck,
)

HALF = 0.5
_QUICK_SECONDS = 8.0
_RUN = ("repl", "code")
_SHARES: dict[SelfCheck, float] = {"right": 1.0, "partly": 0.5, "wrong": 0.0}
_RATINGS: dict[SelfCheck, Rating] = {"right": 3, "partly": 2, "wrong": 1}
_SAID: dict[SelfCheck, str] = {"right": "right", "partly": "right in part", "wrong": "wrong"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """What is known about one attempt besides the answers."""

    now: datetime
    started: datetime | None = None
    seconds: float | None = None
    confident: bool = False
    source: str = LOCAL
    remarks: tuple[str, ...] = ()


def about_result(exercise: Exercise, session: Session) -> dict[str, Any]:
    """The fields of a result that come from the exercise."""
    return {
        "exercise_id": exercise.id,
        "concept_id": exercise.concept_id,
        "course": exercise.course,
        "modality": exercise.modality,
        "bloom_level": exercise.bloom,
        "started": session.started,
        "completed": session.now,
        "timestamp": session.now,
        "time_spent_seconds": _seconds(session),
        "file_path": exercise.file_path,
        "source": session.source,
    }


def attempt_of(exercise: Exercise, session: Session, hints: int, shown: bool) -> Attempt:
    """What the parts that grade files want to know."""
    return Attempt(
        now=session.now,
        started=session.started,
        exercise_id=exercise.id,
        hints_used=hints,
        answer_shown=shown,
        time_spent_seconds=_seconds(session),
        file_path=exercise.file_path,
        domain=exercise.domain,
    )


def of_exercise(result: Result, exercise: Exercise, session: Session) -> Result:
    """A result that was made from a file, with what only the exercise knows."""
    items = {each.id: each.item_id for each in exercise.items}
    only = exercise.item_ids[0] if len(exercise.item_ids) == 1 else ""
    errors = tuple(
        replace(each, extra={**each.extra, "item": items.get(each.question) or only})
        for each in result.errors
    )
    return replace(
        result,
        exercise_id=exercise.id,
        concept_id=exercise.concept_id,
        course=exercise.course,
        modality=exercise.modality,
        bloom_level=exercise.bloom,
        started=result.started or session.started,
        time_spent_seconds=_seconds(session),
        errors=errors,
        remarks=(*result.remarks, *session.remarks),
        source=session.source if session.source != LOCAL else result.source,
        extra={**result.extra, **asked_by(exercise)},
    )


def credit_of(exercise: Exercise, judged: QuestionResult) -> float:
    """What a question counts: all when it was right at once and alone, half otherwise.

    A second try is worth half as well: of two letters the other one must be right. Only what is
    run may be tried until it works, for that is how it is written.
    """
    if judged.ladder.answer_shown:
        return 0.0
    full = {"correct": 1.0, "partial": HALF, "incorrect": 0.0}[judged.marked.verdict]
    question = exercise.question(judged.question_id)
    is_run = question is not None and question.kind in _RUN
    again = judged.ladder.attempts > 1 and not is_run
    return min(full, HALF) if judged.ladder.hints_used or again else full


def questions_result(
    exercise: Exercise, judged: Sequence[QuestionResult], session: Session
) -> Result:
    """The result of questions that were answered one by one."""
    total = max(len(exercise.items), 1)
    credits = [credit_of(exercise, each) for each in judged]
    score = score_of(sum(credits), total)
    hints = sum(each.ladder.hints_used for each in judged)
    shown = bool(judged) and all(each.ladder.answer_shown for each in judged)
    rating = _rating(exercise, score.percentage, judged, session)
    wrong = [each for each in judged if each.marked.verdict != "correct"]
    return Result(
        **about_result(exercise, session),
        score=score,
        fsrs_rating=with_help(rating, hints_used=hints, answer_shown=shown),
        errors=tuple(_error(exercise, each) for each in wrong),
        strengths=_strengths(exercise, judged),
        improvements=_improvements(judged),
        hints_used=hints,
        answer_shown=shown,
        message=_message(credits, total, hints),
        gradable=bool(judged),
        remarks=session.remarks,
        extra=asked_by(exercise),
        details_extra={"answers": [_record(exercise, each) for each in judged]},
    )


def _rating(
    exercise: Exercise, share: float, judged: Sequence[QuestionResult], session: Session
) -> Rating:
    if exercise.modality == "flashcard":
        quick = session.confident or _quick(session, len(judged))
        return conversation_rating(share, "confident" if quick else "hesitant")
    if exercise.modality == "collaborative" and exercise.partner == "pair":
        return worksheet_rating(share)
    first = all(each.ladder.attempts <= 1 for each in judged)
    sure = first and (session.confident or _quick(session, len(judged)))
    return conversation_rating(share, "confident" if sure else "hesitant")


def _quick(session: Session, count: int) -> bool:
    seconds = session.seconds
    return seconds is not None and 0 < seconds <= _QUICK_SECONDS * max(count, 1)


def _seconds(session: Session) -> float | None:
    if session.seconds is not None:
        return session.seconds
    if session.started is None:
        return None
    return max((session.now - session.started).total_seconds(), 0.0)


def _error(exercise: Exercise, judged: QuestionResult) -> ExerciseError:
    question = exercise.question(judged.question_id)
    kind = find_kind(judged.marked.error_type)
    expected = expected_text(question) if question else ""
    return ExerciseError(
        question=judged.question_id,
        error_type=kind.name if kind else None,
        expected=expected or None,
        actual=judged.answer or None,
        detail=judged.marked.feedback,
        extra={"item": question.item_id if question else ""},
    )


def expected_text(question: Question) -> str:
    """The right answer in one line."""
    if question.choices and question.key:
        pairs = zip(question.key, question.answers, strict=False)
        return ", ".join(f"{letter}. {text}" for letter, text in pairs)
    if len(question.blanks) > 1:
        return "; ".join(each[0] for each in question.blanks)
    return one_line(question.answers[0]) if question.answers else ""


def answer_of(question: Question) -> str:
    """The answer, and why it is right."""
    expected = expected_text(question)
    if question.kind in ("code", "repl") and question.answers:
        expected = f"\n```\n{question.answers[0].strip()}\n```"
    said = f"The answer: {expected}." if expected and "\n" not in expected else expected
    return " ".join(part for part in (said, question.explanation.strip()) if part).strip()


def _strengths(exercise: Exercise, judged: Sequence[QuestionResult]) -> tuple[str, ...]:
    alone = [each for each in judged if credit_of(exercise, each) == 1.0]
    if not alone:
        return ()
    if len(alone) == len(exercise.items) and len(alone) > 1:
        return (f"{exercise.concept_title}: everything right without help",)
    return (f"{exercise.concept_title}: {len(alone)} of {len(exercise.items)} without help",)


def _improvements(judged: Sequence[QuestionResult]) -> tuple[str, ...]:
    kinds = Counter(each.marked.error_type for each in judged if each.marked.error_type)
    made: list[str] = []
    for name, count in kinds.most_common(2):
        kind = find_kind(name)
        if kind:
            times = "Once" if count == 1 else f"{count} times"
            made.append(f"{times}: {kind.says}. {kind.practise}")
    return tuple(made)


def _message(credits: Sequence[float], total: int, hints: int) -> str:
    right = sum(each == 1.0 for each in credits)
    partly = sum(0.0 < each < 1.0 for each in credits)
    said = f"{right} of {total} right"
    said += f", {partly} in part, with help or at another try" if partly else ""
    said += f", {hints} hints" if hints > 1 else ", one hint" if hints else ""
    return said + "."


def _record(exercise: Exercise, judged: QuestionResult) -> Mapping[str, object]:
    question = exercise.question(judged.question_id)
    return {
        "question": judged.question_id,
        "prompt": one_line(question.prompt) if question else "",
        "expected": expected_text(question) if question else None,
        "actual": judged.answer or None,
        "verdict": judged.marked.verdict,
        "score": credit_of(exercise, judged),
        "feedback": judged.marked.feedback,
    }


def evaluated(result: Result, judged: Sequence[QuestionResult] = (), *more: str) -> Evaluation:
    """A result with what the learner is told: what came of it, what was wrong, what to do."""
    said = [result.message, *(f"{each.question}: {each.detail}" for each in result.errors)]
    said += [*result.strengths, *result.improvements, *more, *result.remarks]
    return Evaluation(
        result=result, feedback=tuple(each for each in said if each.strip()), judged=tuple(judged)
    )


def self_checked(
    exercise: Exercise, check: SelfCheck, ladder: Ladder, session: Session
) -> Evaluation:
    """What somebody says of their own work, written down as just that."""
    rating = with_help(
        _RATINGS[check], hints_used=ladder.hints_used, answer_shown=ladder.answer_shown
    )
    result = Result(
        **{**about_result(exercise, session), "source": "self"},
        score=score_of(_SHARES[check], 1),
        fsrs_rating=rating,
        hints_used=ladder.hints_used,
        answer_shown=ladder.answer_shown,
        message=f"You looked at it yourself and found it {_SAID[check]}.",
        remarks=(*session.remarks, "This is your own judgement; nobody else looked at it."),
        extra=asked_by(exercise),
        details_extra={"self_check": check},
    )
    return evaluated(result)
