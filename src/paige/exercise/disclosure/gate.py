"""Decides whether a reply plainly gives away more than the hint ladder allows.

It finds an answer that a reply contains or states: its words and their forms, its number, its
option, its code, most of its ideas. It does not look for an answer in disguise, such as a cipher,
letters spelled one by one, a riddle, or a game of guesses: there it promises nothing.

The level that comes with the request is the only authority: nothing that anyone says in the
dialogue changes it. Every check names the level that what it found would need; a reply is allowed
if no check needs more. So a reply that is allowed at one level is allowed at every higher one.

What the learner has said themself, their own right attempt, is no secret any more.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from paige.exercise.disclosure.case import Case, Finding, Said, Turn, exercise_text
from paige.exercise.disclosure.choices import chosen, eliminated_text, letters_in, settled
from paige.exercise.disclosure.figures import formulated, gave_number, numbered, worked
from paige.exercise.disclosure.key import Form, Part, options_of, parts_of
from paige.exercise.disclosure.lexicon import lexicon
from paige.exercise.disclosure.numbers import numbers_in
from paige.exercise.disclosure.programs import programmed, wrote
from paige.exercise.disclosure.wording import (
    claimed,
    corrected,
    covers,
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
from paige.language.likeness import is_slip

_LISTED = 3  # things in one turn that make a list of guesses
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
class DisclosureVerdict:
    """Whether a reply may be shown; the reason names no answer, so a learner may read it."""

    allowed: bool
    reason: str
    needs: int
    kind: str = ""


def judge(request: Request) -> DisclosureVerdict:
    """Would this reply give away more than the ladder allows at this level."""
    if request.level >= ANSWER:
        return DisclosureVerdict(True, "The ladder allows the answer", 0)
    if len(request.reply) > MOST_SIGNS:
        return DisclosureVerdict(False, "The reply is too long to be checked", ANSWER, "long")
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


def judge_case(case: Case, level: int) -> DisclosureVerdict:
    """The judgement on a case that is already read."""
    if not case.parts:
        return DisclosureVerdict(True, _GIVEN, 0)
    worst = worst_finding(case)
    if worst is None or worst.needs <= level:
        return DisclosureVerdict(True, _FINE, worst.needs if worst else 0)
    wanted = LEVELS[worst.needs].says
    return DisclosureVerdict(
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
    # New are ideas that neither the question nor any tutor talk has.
    old = lexicon().common | case.question_words
    if any(len(frozenset(each.words) - old) > 1 for each in plain):
        yield Finding("early", 1, "The reply gives a hint before there was an attempt")


def own_attempt(part: Part, case: Case) -> bool:
    """Whether the learner has given a part themself, not as one of a list of guesses."""
    return any(
        any(_gave(form, said, case) for form in part.forms) and not _is_list(said, case)
        for said in case.learner
    )


def _gave(form: Form, said: Said, case: Case) -> bool:
    if form.kind == "choice":
        return form.letter in letters_in(said)
    if form.kind == "code":
        return wrote(form, said, case.question)
    if form.number is not None:
        return gave_number(form.number, said)
    if form.kind == "formula":
        mine, theirs = _compact(form.raw.casefold()), _compact(said.folded)
        return len(mine) > 1 and (mine in theirs or mine.split("=")[-1] in theirs)
    if form.truth:
        return _took_side(said) == form.truth
    if form.line in said.line:
        return form.kind == "text" or _meant(form, said, case)
    return covers(form, said) or _nearly(form, said)


def _compact(text: str) -> str:
    return re.sub(r"[\s*]", "", text)


def _took_side(said: Said) -> str:
    """Which side a learner takes on yes or no; asking for both is none."""
    if re.search(r"\b(?:true or false|yes or no)\b", said.folded):
        return ""
    if re.search(r"\b(?:no|false|not|wrong|nope)\b|n't\b", said.folded):
        return "no"
    yes = re.search(r"\b(?:yes|true|right|correct|yep|yeah|it is|it does|it can)\b", said.folded)
    return "yes" if yes else ""


def _nearly(form: Form, said: Said) -> bool:
    """A name by its last word, or a long word with a slip of the pen."""
    last = form.words[-1] if form.words else ""
    if len(form.words) > 1 and len(last) > 4 and form.raw.split()[-1][:1].isupper():
        return last in said.words
    target = form.squeezed
    return len(target) > 5 and any(len(word) > 4 and is_slip(word, target) for word in said.words)


def _meant(form: Form, said: Said, case: Case) -> bool:
    """A word of the question, or an everyday word, is an answer only in a short turn."""
    everyday = all(word in lexicon().common for word in form.words)
    return not (everyday or form.line in case.question.line) or len(said.words) < 14


def _is_list(said: Said, case: Case) -> bool:
    if case.options and len(set(letters_in(said))) > 1:
        return True
    named = [one for one in case.options if one.words and f" {' '.join(one.words)} " in said.line]
    if len(named) > 1:
        return True
    if len(set(numbers_in(said.folded))) > _LISTED:
        return "=" not in said.folded
    items = [item.split() for item in re.split(r",|\bor\b|\?|/|\n", said.folded) if item.strip()]
    short = [item for item in items if len(item) <= 3]
    return len(short) > _LISTED or (len(short) >= _LISTED and len(items) == len(short))
