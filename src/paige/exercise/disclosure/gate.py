"""Decides whether a reply plainly gives away more than the hint ladder allows.

It finds an answer that a reply contains or states: its words and their forms, its number, its
option, its code, most of its ideas. It does not look for an answer in disguise, such as a cipher,
letters spelled one by one, a riddle, or a game of guesses: there it promises nothing.

The level that comes with the request is the only authority: nothing that anyone says in the
dialogue changes it. Every check names the level that what it found would need; a reply is allowed
if no check needs more. So a reply that is allowed at one level is allowed at every higher one.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from paige.exercise.disclosure.attempts import own_attempt
from paige.exercise.disclosure.case import Case, Finding, Said, Turn, exercise_text
from paige.exercise.disclosure.choices import chosen, eliminated_text, settled
from paige.exercise.disclosure.figures import formulated, numbered, worked
from paige.exercise.disclosure.key import options_of, parts_of
from paige.exercise.disclosure.lexicon import lexicon
from paige.exercise.disclosure.programs import programmed
from paige.exercise.disclosure.wording import (
    claimed,
    corrected,
    explained,
    formed,
    named,
    opposed,
    spoken_elsewhere,
    stated,
    synonymous,
    translated,
)
from paige.exercise.hints import ANSWER, LEVELS

MOST_SIGNS = 10_000
"""A longer reply is kept back; of other texts the beginning is read."""
_GIVEN = "The learner has given this answer"
_FINE = "The reply keeps to the level"
_CHECKS = (
    *(stated, formed, translated, named, explained, synonymous, chosen, claimed),
    *(spoken_elsewhere, opposed),
    *(corrected, eliminated_text, settled, numbered, formulated, programmed),
)


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of the gate. `answer` is a text, a number, a list of them, or named parts."""

    exercise: object
    answer: object
    level: int
    reply: str
    dialogue: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether a reply may be shown; the reason names no answer, so a learner may read it."""

    allowed: bool
    reason: str
    needs: int
    kind: str = ""


def judge(request: Request) -> Judged:
    """Would this reply give away more than the ladder allows at this level."""
    if request.level >= ANSWER:
        return Judged(True, "The ladder allows the answer", 0)
    if len(request.reply) > MOST_SIGNS:
        return Judged(False, "The reply is too long to be checked", ANSWER, "long")
    return judge_case(case_of(request), request.level)


def case_of(request: Request) -> Case:
    """The request with everything read, and only what is still secret as its parts."""
    text = exercise_text(request.exercise)[:MOST_SIGNS]
    options = options_of(text)
    turns = [turn for turn in request.dialogue if turn.text.strip()]
    learner = tuple(Said(turn.text[:MOST_SIGNS]) for turn in turns if turn.role == "learner")
    case = Case(
        question=Said(text),
        options=options,
        parts=parts_of(request.answer, options),
        learner=learner,
        tutor=tuple(Said(turn.text[:MOST_SIGNS]) for turn in turns if turn.role == "tutor"),
        reply=Said(request.reply[:MOST_SIGNS]),
        last=learner[-1] if learner else Said(""),
    )
    secret = tuple(part for part in case.parts if not own_attempt(part, case))
    return Case(case.question, options, secret, learner, case.tutor, case.reply, case.last)


def judge_case(case: Case, level: int) -> Judged:
    """The judgement on a case that is already read."""
    if not case.parts:
        return Judged(True, _GIVEN, 0)
    worst = worst_finding(case)
    if worst is None or worst.needs <= level:
        return Judged(True, _FINE, worst.needs if worst else 0)
    wanted = LEVELS[worst.needs].says
    return Judged(
        False, f"{worst.reason}. That needs the level `{wanted}`.", worst.needs, worst.kind
    )


def worst_finding(case: Case) -> Finding | None:
    """The finding that needs the highest level; looks no further than the answer itself."""
    worst: Finding | None = None
    for finding in findings(case):
        if worst is None or finding.needs > worst.needs:
            worst = finding
        if worst.needs >= ANSWER:
            break
    return worst


def findings(case: Case) -> Iterator[Finding]:
    """Everything a reply gives away, the quick checks first."""
    for part in case.parts:
        for form in part.forms:
            for check in _CHECKS:
                yield from check(form, case)
    yield from worked(case)
    yield from _early(case)


def _early(case: Case) -> Iterator[Finding]:
    """Before an attempt there is no hint, only the question and an invitation."""
    phrases = lexicon().phrases
    told = [each for each in case.reply.sentences if phrases["hinting"].search(each.folded)]
    plain = [each for each in told if not each.asks and not phrases["inviting"].search(each.folded)]
    if any(_says_something(each, case) for each in plain):
        yield Finding("early", 1, "The reply gives a hint before there was an attempt")


def _says_something(sentence: Said, case: Case) -> bool:
    """Whether a sentence brings in ideas that neither the question nor any tutor talk has."""
    return len(frozenset(sentence.words) - lexicon().common - case.question_words) > 1
