"""Marking a long answer: by a model that quotes the text, else by the learner who compares it.

A model's score counts only where the passage it quotes stands in the text. Without any such score
nobody has judged the text: what a good one holds lies open, and the learner says how theirs was.
"""

from collections.abc import Mapping
from dataclasses import replace

from pydantic import BaseModel, Field

from paige.base.errors import BadInput
from paige.exercise.hints import Ladder
from paige.exercise.response import (
    WrittenResponse,
    read_response,
    response_result,
    word_count,
)
from paige.exercise.result import Result
from paige.exercise.rubric import Rubric, RubricScore, default_rubric, score_rubric
from paige.exercise.values import ResponseTask
from paige.exercise.worksheet.lines import read_worksheet_text
from paige.models.calls import Call
from paige.models.prompts import render, untrusted
from paige.study.delivery.results import (
    Session,
    attempt_of,
    evaluated,
    of_exercise,
    self_checked,
)
from paige.study.exercise_tools import ExerciseTools, ask_model
from paige.study.values import COMPARE, Answer, Evaluation, Exercise

NO_JUDGE = "Nobody here can judge a text without a model: compare yours with what a good one holds."
_LEAST_QUOTED = 3
_LONGEST = 40_000


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


async def mark_text(
    tools: ExerciseTools, exercise: Exercise, answer: Answer, ladder: Ladder, session: Session
) -> Evaluation:
    """What a text came to; an empty one is no attempt. Raises: NotFound, BadInput."""
    if answer.self_check is not None:
        return self_checked(exercise, answer.self_check, ladder, session)
    written = written_text(tools, exercise, answer)
    attempt = attempt_of(exercise, session, ladder.hints_used, ladder.answer_shown)
    if written.empty:
        return evaluated(of_exercise(response_result(written, None, attempt), exercise, session))
    rubric = exercise.rubric or default_rubric()
    asked = await ask_model(tools, _call(exercise, rubric, written))
    judged = asked.value
    score, unproven = (None, ()) if judged is None else verified(judged, rubric, written.text)
    if judged is None or score is None:
        unjudged = of_exercise(response_result(written, None, attempt), exercise, session)
        return _to_compare(exercise, rubric, unjudged, asked.remark)
    result = response_result(written, score, attempt, source=asked.by)
    remarks = tuple(
        f"{name}: the model quoted no passage of the text, so this does not count."
        for name in unproven
    )
    result = replace(
        of_exercise(result, exercise, replace(session, source=asked.by)),
        strengths=(*result.strengths, *judged.strengths[:2]),
        improvements=(*judged.improvements[:2], *_too_short(exercise, written)),
        remarks=(*result.remarks, *remarks),
    )
    said = [result.message, *score.feedback, *result.strengths, *result.improvements]
    said.append(f"Next time: {judged.next_time}")
    return replace(evaluated(result), feedback=_lines(said, result))


def written_text(tools: ExerciseTools, exercise: Exercise, answer: Answer) -> WrittenResponse:
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
    found = read_response(read_worksheet_text(tools.place(path)), task)
    return replace(found, text=found.text[:_LONGEST])


def verified(
    judged: EssayJudged, rubric: Rubric, text: str
) -> tuple[RubricScore | None, tuple[str, ...]]:
    """The score of what can be shown in the text, and the dimensions for which nothing could."""
    known: Mapping[str, DimensionJudged] = {
        each.name.strip().casefold(): each for each in judged.dimensions
    }
    scores: dict[str, float] = {}
    reasons: dict[str, str] = {}
    for dimension in rubric.dimensions:
        found = known.get(dimension.name.casefold())
        if found is not None and quotes(found.quote, text):
            scores[dimension.name] = found.score
            reasons[dimension.name] = f"\u201c{found.quote.strip()}\u201d: {found.why.strip()}"
    proven = [each for each in rubric.dimensions if each.name in scores]
    unproven = tuple(each.name for each in rubric.dimensions if each.name not in scores)
    total = sum(each.weight for each in proven)
    if total <= 0:
        return None, unproven
    scaled = tuple(replace(each, weight=each.weight / total) for each in proven)
    return score_rubric(Rubric(scaled), scores, reasons=reasons), unproven


def quotes(quote: str, text: str) -> bool:
    """Whether a quote of some words stands in a text, whatever its spaces and quotation marks."""
    wanted = _plain(quote.strip().strip(".\u2026"))
    return word_count(quote) >= _LEAST_QUOTED and wanted in _plain(text)


def _plain(text: str) -> str:
    marks = str.maketrans({"\u2019": "'", "\u2018": "'", "\u201c": '"', "\u201d": '"'})
    return " ".join(text.translate(marks).casefold().split())


def _to_compare(exercise: Exercise, rubric: Rubric, result: Result, remark: str) -> Evaluation:
    """Everything there is to compare a text with, for somebody who judges it themself."""
    held = exercise.reference or exercise.points
    criteria = [f"{each.name}: {each.levels[4]}" for each in rubric.dimensions]
    told = (
        *((remark,) if remark else ()),
        NO_JUDGE,
        "\n".join(f"- {each}" for each in (*held, *criteria)),
        COMPARE,
    )
    return Evaluation(result=replace(result, message=NO_JUDGE), feedback=told, compare=True)


def _too_short(exercise: Exercise, written: WrittenResponse) -> tuple[str, ...]:
    if written.words >= exercise.min_words:
        return ()
    return (f"Write at least {exercise.min_words} words; these were {written.words}",)


def _lines(said: list[str], result: Result) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each for each in (*said, *result.remarks) if each.strip()))


def _call(exercise: Exercise, rubric: Rubric, written: WrittenResponse) -> Call[EssayJudged]:
    levels = "\n".join(
        f"- {each.name} (weight {each.weight:g}): "
        + "; ".join(
            f"{level} = {text}" for level, text in sorted(each.levels.items(), reverse=True)
        )
        for each in rubric.dimensions
    )
    return Call(
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
    )


def _listed(texts: tuple[str, ...]) -> str:
    return "\n".join(f"- {each}" for each in texts) or "- (nothing in particular)"
