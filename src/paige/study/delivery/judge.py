"""Judging one answer to one question, in whichever way its modality has.

Rules come first: what they find right is right. Where they are not sure and there is a model, it is
asked. Something nobody here can judge is left to the learner.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path

from anyio import to_thread
from pydantic import BaseModel, Field

from paige.base import python_source
from paige.base.errors import BadInput
from paige.exercise.hints import LEVELS, Ladder
from paige.exercise.taxonomy.detect import detect_error
from paige.exercise.taxonomy.names import known_name, names_of
from paige.exercise.values import AnswerMark, Verdict
from paige.models.calls import Call
from paige.models.prompts import render, untrusted
from paige.sandbox.runner import run
from paige.sandbox.terms import RunTerms
from paige.sandbox.values import Isolation, Job, Limits, Outcome
from paige.study.courses.values import ReplCase
from paige.study.delivery.presentation import answered_by, question_text
from paige.study.delivery.rules import mark_answer
from paige.study.delivery.speech import write_down
from paige.study.exercise_tools import ExerciseTools, ask_model
from paige.study.values import LOCAL, Answer, Exercise, Line, Question, SelfCheck, not_yours

_LONGEST = 4000
_LINES = 12


class TutorTurn(BaseModel):
    """What a tutor thinks of an answer, and says."""

    verdict: Verdict
    score: float = Field(ge=0, le=1)
    error_type: str
    reply: str


@dataclass(frozen=True, slots=True)
class TutorReply:
    """A model's mark and words; `remark` says why there are none."""

    marked: AnswerMark | None
    reply: str = ""
    by: str = LOCAL
    remark: str = ""


async def ask_tutor(
    tools: ExerciseTools,
    exercise: Exercise,
    question: Question,
    ladder: Ladder,
    dialogue: Sequence[Line],
) -> TutorReply:
    """What the model makes of the last line of a dialogue.

    Raises: ProviderFailed.
    """
    if not tools.asks_a_model:
        return TutorReply(None)
    asked = await ask_model(tools, _call(exercise, question, ladder, dialogue))
    if asked.value is None:
        return TutorReply(None, remark=asked.remark)
    turn = asked.value
    score = _fitting(turn.verdict, turn.score)
    kind = known_name(turn.error_type)
    return TutorReply(AnswerMark(turn.verdict, score, turn.reply, kind), turn.reply, asked.by)


def _fitting(verdict: Verdict, score: float) -> float:
    """A score that agrees with its verdict."""
    bounds = {"correct": (0.85, 1.0), "partial": (0.3, 0.84), "incorrect": (0.0, 0.29)}
    low, high = bounds[verdict]
    return round(min(max(score, low), high), 4)


def _call(
    exercise: Exercise, question: Question, ladder: Ladder, dialogue: Sequence[Line]
) -> Call[TutorTurn]:
    level = LEVELS[ladder.level]
    return Call(
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


LIMITS = Limits(wall_seconds=8, cpu_seconds=2, output_bytes=20_000)
_ENDINGS = {
    "wall": "It ran too long and was stopped.",
    "cpu": "It ran too long and was stopped.",
    "memory": "It took too much memory and was stopped.",
    "output": "It printed too much and was stopped.",
}


@cache
def _runner() -> bytes:
    return Path(__file__).with_name("prompt_runner.py").read_bytes()


def mark_entry(
    question: Question,
    entry: str,
    isolation: Isolation | None = None,
    terms: RunTerms | None = None,
) -> AnswerMark:
    """The mark of an entry, with what it printed. Raises: Unavailable, Refused, RunStopped."""
    try:
        if not python_source.parse(entry).body:
            return AnswerMark("incorrect", 0.0, "There is no entry yet.")
    except (SyntaxError, ValueError) as error:
        said = f"This cannot be read as code: {error.args[0]}." if error.args else ""
        return AnswerMark("incorrect", 0.0, said or "This cannot be read as code.", "syntax_error")
    if not question.cases:
        raise BadInput("There is nothing to try this entry with", hint="Leave this one out.")
    for number, case in enumerate(question.cases):
        outcome = run(_job(case, entry), isolation=isolation, terms=terms)
        wrong = _wrong(question, case, outcome)
        if wrong is not None:
            return wrong if number == 0 else _elsewhere(case, wrong)
    return AnswerMark("correct", 1.0, "Right: it prints what it should.")


def _job(case: ReplCase, entry: str) -> Job:
    given = json.dumps({"starter": case.starter, "entry": entry})
    return Job(
        argv=(sys.executable, "-I", "-S", "-B", "prompt_runner.py"),
        files={"prompt_runner.py": _runner(), "case.json": given.encode()},
        limits=LIMITS,
    )


def _wrong(question: Question, case: ReplCase, outcome: Outcome) -> AnswerMark | None:
    printed = outcome.stdout.strip()
    if not outcome.ended_by_itself:
        said = _ENDINGS.get(outcome.ending, "It was stopped.")
        return AnswerMark("incorrect", 0.0, said, "complexity_error")
    if outcome.exit_code:
        last = outcome.stderr.strip().rpartition("\n")[2]
        kind = "syntax_error" if last.startswith("SyntaxError") else "logic_error"
        return AnswerMark("incorrect", 0.0, f"It stopped with {last or 'an error'}.", kind)
    if same_output(printed, case.prints):
        return None
    if not printed:
        return AnswerMark("incorrect", 0.0, "It printed nothing.", "logic_error")
    found = detect_error("technical", question.prompt, case.prints, printed)
    kind = found.error_type if found else "logic_error"
    return AnswerMark("incorrect", 0.0, f"It printed `{printed[:200]}`.", kind)


def same_output(printed: str, wanted: str) -> bool:
    """Whether two outputs are the same; spaces at line ends and kinds of quotes do not count."""

    def lines(text: str) -> list[str]:
        return [line.rstrip() for line in text.strip().replace('"', "'").split("\n")]

    # A prompt shows nothing for None, and people write `None` where nothing is shown.
    return lines(printed) == lines(wanted) or (not printed.strip() and wanted.strip() == "None")


def _elsewhere(case: ReplCase, wrong: AnswerMark) -> AnswerMark:
    said = f"It works here, but not when it begins with `{case.starter.strip()[:200]}`."
    return AnswerMark("partial", 0.5, f"{said} {wrong.feedback}", wrong.error_type)


_SELF: dict[SelfCheck, tuple[Verdict, float, str]] = {
    "right": ("correct", 1.0, "You found it right."),
    "partly": ("partial", 0.5, "You found it right in part."),
    "wrong": ("incorrect", 0.0, "You found it wrong."),
}
_COMPARED = ("flashcard", "audio")
"""What may be turned over and rated; everything else is marked."""
_TALKED = ("conversation", "collaborative")


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer as it was understood, and its mark; without one the learner has to judge.

    `reply` is what a tutor says to it, `by` who judged.
    """

    text: str
    marked: AnswerMark | None
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
) -> JudgedAnswer:
    """What an answer is worth. Raises: ProviderFailed, Unavailable, NotFound, BadInput."""
    compared = exercise.modality in _COMPARED and not question.choices
    if answer.self_check is not None:
        if not compared:
            raise not_yours()
        verdict, score, said = _SELF[answer.self_check]
        return JudgedAnswer(answer.text, AnswerMark(verdict, score, said), by_learner=True)
    text = answer.text or answer.parts.get(question.id, "")
    if exercise.modality == "repl":
        work = partial(mark_entry, question, text, tools.isolation, tools.terms)
        return JudgedAnswer(text, await tools.terms.in_thread(work))
    if answer.path and not text.strip():
        heard = await write_down(tools.speech, tools.place(answer.path), exercise.language)
        if heard is None and not compared:
            raise BadInput("Nobody here can listen to recordings", hint="Type your answer.")
        if heard is None:
            return JudgedAnswer("", None)
        text = heard
    by = answered_by(exercise, question)
    if by in ("recall", "voice") and not text.strip():
        return JudgedAnswer("", None)
    marked = await to_thread.run_sync(_mark, tools, exercise, question, text)
    if marked.verdict == "correct" or exercise.modality not in _TALKED or not text.strip():
        return JudgedAnswer(text, marked)
    lines = (*dialogue, Line("learner", text))
    tutored = await ask_tutor(tools, exercise, question, ladder, lines)
    if tutored.marked is None:
        return JudgedAnswer(text, marked, remark=tutored.remark)
    return JudgedAnswer(text, tutored.marked, tutored.reply, tutored.by)


def _mark(tools: ExerciseTools, exercise: Exercise, question: Question, text: str) -> AnswerMark:
    others = [
        each
        for one in exercise.items
        if one.id != question.id and one.kind == question.kind
        for each in one.answers
    ]
    return mark_answer(question, text, tools.mark, exercise.domain, others)
