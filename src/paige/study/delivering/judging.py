"""Judging one answer to one question, in whichever way its modality has.

Rules come first: what they find right is right. Where they are not sure and there is a model, it is
asked. Something nobody here can judge is left to the learner.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from anyio import to_thread

from paige.base.errors import BadInput
from paige.exercise.hints import Ladder
from paige.exercise.values import Marked, Verdict
from paige.study.delivering.entries import mark_entry
from paige.study.delivering.marking import mark_answer
from paige.study.delivering.presenting import answered_by
from paige.study.delivering.speech import write_down
from paige.study.delivering.tutoring import ask_tutor
from paige.study.exercise_tools import ExerciseTools
from paige.study.manner import not_yours
from paige.study.values import LOCAL, Answer, Exercise, Line, Question, SelfCheck

_SELF: dict[SelfCheck, tuple[Verdict, float, str]] = {
    "right": ("correct", 1.0, "You found it right."),
    "partly": ("partial", 0.5, "You found it right in part."),
    "wrong": ("incorrect", 0.0, "You found it wrong."),
}
_COMPARED = ("flashcard", "audio")
"""What may be turned over and rated; everything else is marked."""
_TALKED = ("conversation", "collaborative")


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as it was understood, and its mark; without one the learner has to judge.

    `reply` is what a tutor says to it, `by` who judged.
    """

    text: str
    marked: Marked | None
    reply: str = ""
    by: str = LOCAL
    remark: str = ""
    by_learner: bool = False


async def judge(
    tools: ExerciseTools,
    exercise: Exercise,
    question: Question,
    answer: Answer,
    ladder: Ladder,
    dialogue: Sequence[Line] = (),
) -> Given:
    """What an answer is worth. Raises: ProviderFailed, Unavailable, NotFound, BadInput."""
    compared = exercise.modality in _COMPARED and not question.choices
    if answer.self_check is not None:
        if not compared:
            raise not_yours()
        verdict, score, said = _SELF[answer.self_check]
        return Given(answer.text, Marked(verdict, score, said), by_learner=True)
    text = answer.text or answer.parts.get(question.id, "")
    if exercise.modality == "repl":
        work = partial(mark_entry, question, text, tools.isolation, tools.terms)
        return Given(text, await tools.terms.in_thread(work))
    if answer.path and not text.strip():
        heard = await write_down(tools.speech, tools.place(answer.path), exercise.language)
        if heard is None and not compared:
            raise BadInput("Nobody here can listen to recordings", hint="Type your answer.")
        if heard is None:
            return Given("", None)
        text = heard
    by = answered_by(exercise, question)
    if by in ("recall", "voice") and not text.strip():
        return Given("", None)
    marked = await to_thread.run_sync(_mark, tools, exercise, question, text)
    if marked.verdict == "correct" or exercise.modality not in _TALKED or not text.strip():
        return Given(text, marked)
    lines = (*dialogue, Line("learner", text))
    tutored = await ask_tutor(tools, exercise, question, ladder, lines)
    if tutored.marked is None:
        return Given(text, marked, remark=tutored.remark)
    return Given(text, tutored.marked, tutored.reply, tutored.by)


def _mark(tools: ExerciseTools, exercise: Exercise, question: Question, text: str) -> Marked:
    others = [
        each
        for one in exercise.items
        if one.id != question.id and one.kind == question.kind
        for each in one.answers
    ]
    return mark_answer(question, text, tools.mark, exercise.domain, others)
