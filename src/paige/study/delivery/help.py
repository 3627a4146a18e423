"""What may be said while a question is open: hints by the ladder, and nothing past the gate.

Every reply to somebody who has not solved a question goes through `kept_back`: what would give away
more than their place on the ladder allows is left out, whoever wrote it.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from paige.exercise.hints import ANSWER, WORKED_STEP, Ladder, continue_sentence
from paige.language.words import sentences as sentences_of
from paige.study.delivery.results import answer_of
from paige.study.generation.words import one_line
from paige.study.values import Line, Question

NO_HINT = "The course has no further hint for this one."
_START, _LEAST = 24, 6
_TELLS = "The accepted answer closest to yours"
_WORD = re.compile(r"\w+|[<>=+*/%-]+")


def hint_at(question: Question, level: int) -> str:
    """The hint of a level of the ladder, if there is one; at the top the answer."""
    if level >= ANSWER:
        return answer_of(question)
    return question.hints[level - 1] if 0 < level <= len(question.hints) else ""


def allowed_hint(question: Question, ladder: Ladder, dialogue: Sequence[Line] = ()) -> str:
    """The hint of the rung somebody stands on, unless there is none or it says too much."""
    return kept_back(question, ladder, hint_at(question, ladder.level), dialogue)


def next_hint(
    question: Question, before: Ladder, ladder: Ladder, dialogue: Sequence[Line] = ()
) -> tuple[str, Ladder]:
    """The hint for somebody who has just climbed, and where they stand then.

    Rungs for which there is no hint are passed over. Whoever finds none at all has had no help,
    and the answer is next.
    """
    while not (hint := allowed_hint(question, ladder, dialogue)) and ladder.level < WORKED_STEP:
        ladder = replace(ladder, level=ladder.level + 1)
    return (hint, ladder) if hint else (NO_HINT, replace(ladder, hints_used=before.hints_used))


def kept_back(question: Question, ladder: Ladder, reply: str, dialogue: Sequence[Line] = ()) -> str:
    """What of a reply the ladder allows already; nothing when that is not a sentence of it."""
    if ladder.solved or ladder.level >= ANSWER or not reply.strip():
        return reply
    reply = _without_answers(question, reply, dialogue)
    if not reply:
        return ""
    # They read their lists of words, which right answers can do without.
    from paige.exercise.disclosure.case import Turn  # noqa: PLC0415
    from paige.exercise.disclosure.gate import Request  # noqa: PLC0415
    from paige.exercise.disclosure.withheld import decide  # noqa: PLC0415

    request = Request(
        exercise=_shown(question),
        answer=_secret(question),
        level=ladder.level,
        reply=reply,
        dialogue=tuple(Turn(each.role, each.text) for each in dialogue),
    )
    judged, shown = decide(request)
    if judged.allowed:
        return reply
    # What the gate would say instead is not about this answer; the caller knows better.
    left = shown.replace(continue_sentence(ladder.level), "").strip()
    return left if _begins_alike(left, reply) else ""


def _without_answers(question: Question, reply: str, dialogue: Sequence[Line]) -> str:
    """A reply without sentences that hold an accepted answer word for word.

    The gate lets words of the question through; an answer made of just those must not slip in.
    What the learner has said already is no secret.
    """
    said = " | ".join(_words(each.text) for each in dialogue if each.role == "learner")
    answers = (_words(each) for each in question.answers)
    marks = [each for each in answers if len(each) > 1 and f" {each} " not in f" {said} "]
    sentences = sentences_of(reply)
    kept = [
        each
        for each in sentences
        if not each.startswith(_TELLS)
        and not any(f" {mark} " in f" {_words(each)} " for mark in marks)
    ]
    return reply if len(kept) == len(sentences) else " ".join(each.strip() for each in kept)


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _begins_alike(left: str, reply: str) -> bool:
    first = left.partition("\n")[0][:_START].strip()
    return len(first) >= _LEAST and first in " ".join(reply.split())


def _shown(question: Question) -> dict[str, Any]:
    return {
        "question": "\n".join(
            part for part in (question.context, question.starter, question.prompt) if part
        ),
        "choices": list(question.choices),
        "parts": list(question.parts),
    }


def _secret(question: Question) -> list[str]:
    """What the gate must not let through: each thing asked, with its alternatives."""
    if question.choices and question.key:
        return [" / ".join((*question.key, *question.answers))]
    if len(question.blanks) > 1:
        return [" / ".join(each) for each in question.blanks]
    if question.kind in ("code", "repl"):
        return list(question.answers)
    return [" / ".join(one_line(each) for each in question.answers)] if question.answers else []
