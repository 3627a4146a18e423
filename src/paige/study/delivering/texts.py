"""Marking a long answer: by a model that quotes the text, or provisionally by what can be counted.

A model's score counts only where the passage it quotes stands in the text. Where it does not, the
count stands in for that dimension.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from paige.base.errors import BadInput
from paige.exercise.hints import Ladder
from paige.exercise.response import (
    WrittenResponse,
    read_response,
    response_result,
    word_count,
)
from paige.exercise.result import Attempt, Result
from paige.exercise.rubric import (
    Estimate,
    Rubric,
    RubricScore,
    default_rubric,
    estimate,
    score_rubric,
)
from paige.exercise.values import ResponseTask
from paige.exercise.worksheet.status import read_worksheet_text
from paige.models.prompts import render, untrusted
from paige.study.asking import ModelTask, ask_model
from paige.study.delivering.results import Session, attempt_of, evaluated, of_exercise
from paige.study.desk import Desk
from paige.study.values import LOCAL, Answer, Evaluated, Exercise

PROVISIONAL = (
    "This is provisional: coverage, structure and terms were counted, nobody judged the thoughts."
)
_LEAST_QUOTED = 3
_LONGEST = 40_000
_TERM = re.compile(r"[^\W\d_][\w-]{4,}")


class DimensionJudged(BaseModel):
    """One dimension of the rubric as a model sees it."""

    name: str
    score: float = Field(ge=1, le=4)
    quote: str
    why: str


class EssayJudged(BaseModel):
    """A marked text."""

    dimensions: list[DimensionJudged]
    strengths: list[str] = Field(max_length=4)
    improvements: list[str] = Field(max_length=4)
    next_time: str


@dataclass(frozen=True, slots=True)
class EssayGiven:
    """A text to be marked, by what: for an engine that counts."""

    text: str
    rubric: Rubric
    reference: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of the subject: which of them a text uses."""

    used: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def share(self) -> float:
        """Between 0 and 1; 1 when there are none to use."""
        total = len(self.used) + len(self.missing)
        return len(self.used) / total if total else 1.0


async def mark_text(
    desk: Desk, exercise: Exercise, answer: Answer, ladder: Ladder, session: Session
) -> Evaluated:
    """What a text came to; an empty one is no attempt. Raises: NotFound, BadInput."""
    written = written_text(desk, exercise, answer)
    attempt = attempt_of(exercise, session, ladder.hints_used, ladder.answer_shown)
    if written.empty:
        return evaluated(of_exercise(response_result(written, None, attempt), exercise, session))
    rubric = exercise.rubric or default_rubric()
    counted = estimate(written.text, rubric, exercise.reference or exercise.points)
    call = _call(exercise, rubric, written)
    asked = await ask_model(desk, call)
    if asked.value is None:
        told = replace(session, remarks=(*session.remarks, *_some(asked.remark)))
        return _provisional(exercise, written, counted, attempt, told)
    score, unproven = verified(asked.value, rubric, counted, written.text)
    result = response_result(written, score, attempt, source=asked.by)
    remarks = tuple(
        f"{name}: no passage of the text was quoted, so this was counted." for name in unproven
    )
    result = replace(
        of_exercise(result, exercise, replace(session, source=asked.by)),
        strengths=(*result.strengths, *asked.value.strengths[:2]),
        improvements=(*asked.value.improvements[:2], *_too_short(exercise, written)),
        remarks=(*result.remarks, *remarks),
    )
    said = [result.message, *score.feedback, *result.strengths, *result.improvements]
    said.append(f"Next time: {asked.value.next_time}")
    return replace(evaluated(result), feedback=_lines(said, result))


def written_text(desk: Desk, exercise: Exercise, answer: Answer) -> WrittenResponse:
    """What somebody wrote, here or into the file."""
    task = ResponseTask(
        id=exercise.id,
        concept_id=exercise.concept_id,
        course=exercise.course,
        title=exercise.title,
        question=exercise.prompt,
        generated=exercise.generated.isoformat(),
        bloom_level=exercise.bloom,
        points=exercise.points,
        reference_points=exercise.reference,
    )
    if answer.text.strip():
        return WrittenResponse(
            course=task.course,
            concept=task.concept_id,
            generated=task.generated,
            bloom_level=task.bloom_level,
            title=task.title,
            question=task.question,
            text=answer.text.strip()[:_LONGEST],
            line=1,
        )
    path = answer.path or exercise.file_path
    if not path:
        raise BadInput("Nothing was handed in", hint="Write your answer, or name its file.")
    found = read_response(read_worksheet_text(desk.place(path)), task)
    return replace(found, text=found.text[:_LONGEST])


def verified(
    judged: EssayJudged, rubric: Rubric, counted: Estimate, text: str
) -> tuple[RubricScore, tuple[str, ...]]:
    """The score of what can be shown in the text, and the dimensions for which nothing could."""
    known: Mapping[str, DimensionJudged] = {
        each.name.strip().casefold(): each for each in judged.dimensions
    }
    scores: dict[str, float] = {}
    reasons: dict[str, str] = {}
    unproven: list[str] = []
    for dimension, guess in zip(rubric.dimensions, counted.score.dimensions, strict=True):
        found = known.get(dimension.name.casefold())
        if found is not None and quotes(found.quote, text):
            scores[dimension.name] = found.score
            reasons[dimension.name] = f"\u201c{found.quote.strip()}\u201d: {found.why.strip()}"
        else:
            unproven.append(dimension.name)
            scores[dimension.name], reasons[dimension.name] = guess.score, guess.reason
    return score_rubric(rubric, scores, reasons=reasons), tuple(unproven)


def quotes(quote: str, text: str) -> bool:
    """Whether a quote of some words stands in a text, whatever its spaces and quotation marks."""
    wanted = _plain(quote.strip().strip(".\u2026"))
    return word_count(quote) >= _LEAST_QUOTED and wanted in _plain(text)


def _plain(text: str) -> str:
    marks = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"'})
    return " ".join(text.translate(marks).casefold().split())


def terms_in(exercise: Exercise, text: str) -> Terms:
    """Which words of the subject a text uses."""
    shown = {each.casefold() for each in _TERM.findall(exercise.prompt)}
    wanted: dict[str, str] = {}
    for source in (*exercise.reference, exercise.concept_title):
        for word in _TERM.findall(source):
            if word.casefold() not in shown:
                wanted.setdefault(word.casefold()[:6], word)
    said = {each.casefold()[:6] for each in _TERM.findall(text)}
    used = tuple(word for stem, word in wanted.items() if stem in said)
    missing = tuple(word for stem, word in wanted.items() if stem not in said)
    return Terms(used, missing)


def _provisional(
    exercise: Exercise,
    written: WrittenResponse,
    counted: Estimate,
    attempt: Attempt,
    session: Session,
) -> Evaluated:
    result = response_result(written, counted, attempt)
    terms = terms_in(exercise, written.text)
    named = f"Terms of the subject: {terms.share:.0%} of those a good answer uses."
    details = {**result.details_extra, "provisional": True, "terms_used": list(terms.used)}
    result = replace(
        of_exercise(result, exercise, session),
        improvements=(*result.improvements, *_too_short(exercise, written)),
        remarks=(*result.remarks, PROVISIONAL, *session.remarks),
        details_extra=details,
        source=LOCAL,
    )
    said = [result.message, *counted.score.feedback, named, *result.improvements]
    return replace(evaluated(result), feedback=_lines(said, result))


def _some(remark: str) -> tuple[str, ...]:
    return (remark,) if remark else ()


def _too_short(exercise: Exercise, written: WrittenResponse) -> tuple[str, ...]:
    if written.words >= exercise.min_words:
        return ()
    return (f"Write at least {exercise.min_words} words; these were {written.words}",)


def _lines(said: list[str], result: Result) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for each in (*said, *result.remarks) if each.strip()))


def _call(exercise: Exercise, rubric: Rubric, written: WrittenResponse) -> ModelTask[EssayJudged]:
    levels = "\n".join(
        f"- {each.name} (weight {each.weight:g}): "
        + "; ".join(
            f"{level} = {text}" for level, text in sorted(each.levels.items(), reverse=True)
        )
        for each in rubric.dimensions
    )
    return ModelTask(
        call_type="study_essay",
        model="sonnet",
        system_prompt=render(
            "study/essay",
            concept=exercise.concept_title,
            course=exercise.course,
            bloom=exercise.bloom,
            question=exercise.prompt,
            points=_listed(exercise.points),
            reference=_listed(exercise.reference),
            rubric=levels,
        ),
        user_message=untrusted("text of the learner", written.text),
        response_schema=EssayJudged,
        inputs=EssayGiven(written.text, rubric, exercise.reference or exercise.points),
    )


def _listed(texts: tuple[str, ...]) -> str:
    return "\n".join(f"- {each}" for each in texts) or "- (nothing in particular)"
