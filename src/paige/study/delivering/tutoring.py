"""What a model says in a conversation: it judges the last answer and replies within the ladder.

It is asked only where rules are not sure, and what it says goes through the gate like any reply.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from paige.exercise.hints import LEVELS, Ladder
from paige.exercise.taxonomy.names import known_name, names_of
from paige.exercise.values import Marked, Verdict
from paige.models.prompts import render, untrusted
from paige.study.asking import ModelTask, ask_model
from paige.study.delivering.presenting import question_text
from paige.study.exercise_tools import ExerciseTools
from paige.study.values import LOCAL, Exercise, Line, Question

_LONGEST = 4000
_LINES = 12


class TutorTurn(BaseModel):
    """What a tutor thinks of an answer, and says."""

    verdict: Verdict
    score: float = Field(ge=0, le=1)
    error_type: str
    reply: str


@dataclass(frozen=True, slots=True)
class Tutored:
    """A model's mark and words; `remark` says why there are none."""

    marked: Marked | None
    reply: str = ""
    by: str = LOCAL
    remark: str = ""


async def ask_tutor(
    tools: ExerciseTools,
    exercise: Exercise,
    question: Question,
    ladder: Ladder,
    dialogue: Sequence[Line],
) -> Tutored:
    """What the model makes of the last line of a dialogue.

    Raises: ProviderFailed.
    """
    if not tools.asks_a_model:
        return Tutored(None)
    asked = await ask_model(tools, _call(exercise, question, ladder, dialogue))
    if asked.value is None:
        return Tutored(None, remark=asked.remark)
    turn = asked.value
    score = _fitting(turn.verdict, turn.score)
    kind = known_name(turn.error_type)
    return Tutored(Marked(turn.verdict, score, turn.reply, kind), turn.reply, asked.by)


def _fitting(verdict: Verdict, score: float) -> float:
    """A score that agrees with its verdict."""
    bounds = {"correct": (0.85, 1.0), "partial": (0.3, 0.84), "incorrect": (0.0, 0.29)}
    low, high = bounds[verdict]
    return round(min(max(score, low), high), 4)


def _call(
    exercise: Exercise, question: Question, ladder: Ladder, dialogue: Sequence[Line]
) -> ModelTask[TutorTurn]:
    level = LEVELS[ladder.level]
    return ModelTask(
        call_type="study_tutor",
        model="sonnet" if exercise.conversation in ("socratic", "roleplay") else "haiku",
        system_prompt=render(
            "study/tutor",
            concept=exercise.concept_title,
            course=exercise.course,
            domain=exercise.domain,
            bloom=exercise.bloom,
            question=question_text(question),
            answers="\n".join(f"- {each}" for each in question.answers) or "- (open)",
            explanation=question.explanation or "(nothing is written about it)",
            manner=_manner(exercise),
            level=str(level.number),
            allows=level.allows,
            error_types=", ".join(names_of(exercise.domain)),
        ),
        user_message="\n\n".join(_turn(each) for each in dialogue[-_LINES:]),
        response_schema=TutorTurn,
        session_id=None,
    )


def _manner(exercise: Exercise) -> str:
    match exercise.conversation:
        case "socratic":
            return render("study/manner-socratic")
        case "roleplay":
            return render("study/manner-roleplay", scene=exercise.scene or exercise.prompt)
        case _:
            return render("study/manner-direct")


def _turn(line: Line) -> str:
    if line.role == "learner":
        return untrusted("the learner", line.text[:_LONGEST])
    return f"You said: {line.text[:_LONGEST]}"
