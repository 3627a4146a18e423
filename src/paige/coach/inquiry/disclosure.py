"""Keeps the solution of a kata back from somebody who has not solved it yet.

What is secret is the code in the instructor's notes, and any code that would pass the kata's tests.
How much may be said grows with the attempts: nothing of it before the first, then nudges, hints, a
step, and in the end everything. Whoever has passed a kata may read what they like about it.
"""

import builtins
import keyword
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from paige.base.actor import Actor
from paige.coach.inquiry.kata_runs import run_kata
from paige.coach.inquiry.topics import catalogue
from paige.exercise.hints import ANSWER, NUDGE, Ladder, continue_sentence, next_level
from paige.learner.gaps import Attempt
from paige.learner.queries import KataRow, katas
from paige.sandbox.terms import RunTerms

# Nobody asked for this run, so it happens only where it can do nothing at all.
_TERMS = RunTerms(least="bubblewrap")
HELD = "(The code of the solution is kept back: you learn more by writing it.)"
_FENCED = re.compile(r"```[^\n`]*\n(.*?)(?:```|\Z)", re.DOTALL)
_DEFINED = re.compile(r"\b(?:def|function|class|const|let|var|func|fn)\s+([A-Za-z_]\w*)")
_CALLED = re.compile(r"(?<![.\w])([A-Za-z_]\w*)\s*\(")
_BUILT_IN = frozenset((*dir(builtins), *keyword.kwlist, "test", "expect", "require"))
_AS_CODE = r"\b{0}\s*\(|`[^`]*\b{0}\b[^`]*`"  # a name in a sentence is no code
_MOST_PIECES = 3


@dataclass(frozen=True, slots=True)
class Secret:
    """What must not be given away of one kata, and how much may be said already."""

    kata_id: str
    title: str
    question: str
    scaffolding: str
    solutions: tuple[str, ...]
    tests: tuple[str, ...]
    level: int
    said: tuple[str, ...] = ()  # what the learner wrote themself

    @property
    def names(self) -> frozenset[str]:
        """The functions and classes the kata asks for."""
        texts = (self.scaffolding, *self.solutions)
        defined = {name for text in texts for name in _DEFINED.findall(text)}
        if not defined:  # then the tests say what they call
            defined = {name for text in self.tests for name in _CALLED.findall(text)} - _BUILT_IN
        return frozenset(defined)


def ladder_of(attempts: Sequence[Attempt], now: datetime) -> Ladder:
    """Where somebody stands with a kata, from everything they handed in."""
    state = Ladder()
    for attempt in attempts:
        event = "attempt_correct" if attempt.passed else "attempt_failed"
        state = next_level(state, event, now)
    return state


def secret_of(kata: KataRow, now: datetime, *, attempts: Sequence[Attempt] = ()) -> Secret | None:
    """What of a kata is secret for its owner; nothing once it is solved or everything was shown."""
    tried = (*kata.user_attempts, *attempts)
    ladder = ladder_of(tried, now)
    level = max(ladder.level, NUDGE)  # whoever asks wants a word about it
    if ladder.solved or level >= ANSWER:
        return None
    solutions = tuple(code.strip() for code in _FENCED.findall(kata.instructor_notes))
    solutions += tuple(each.kata.solution for each in catalogue() if each.kata.title == kata.title)
    if not solutions and not kata.test_cases:
        return None
    return Secret(
        kata_id=kata.id,
        title=kata.title,
        question=f"{kata.title}\n{kata.description}\n{kata.scaffolding_code}",
        scaffolding=kata.scaffolding_code,
        solutions=solutions,
        tests=kata.test_cases,
        level=level,
        said=tuple(each.code for each in tried),
    )


def concerns(secret: Secret, text: str) -> bool:
    """Whether a text may be about a kata at all: one of its names, or a line of its solution."""
    if any(re.search(_AS_CODE.format(re.escape(name)), text) for name in secret.names):
        return True
    plain = _squeezed(text)
    lines = (_squeezed(line) for code in secret.solutions for line in code.splitlines())
    return any(len(line) > 12 and line in plain for line in lines)


def kept_back(secret: Secret, text: str, now: datetime) -> str:
    """A text without what gives the kata away; the text itself when it does not."""
    if not text.strip() or not concerns(secret, text):
        return text
    text = _without_working_code(secret, text, now)
    if not secret.solutions:
        return text
    # They read their lists of words, which most messages can do without.
    from paige.exercise.disclosure.case import Turn  # noqa: PLC0415
    from paige.exercise.disclosure.gate import Request  # noqa: PLC0415
    from paige.exercise.disclosure.withheld import decide  # noqa: PLC0415

    request = Request(
        exercise=secret.question,
        answer=list(secret.solutions),
        level=secret.level,
        reply=text,
        dialogue=tuple(Turn("learner", said) for said in secret.said if said.strip()),
    )
    return decide(request)[1]


def kept_back_from(secrets: Iterable[Secret], text: str, now: datetime) -> str:
    """The same for several katas."""
    for secret in secrets:
        text = kept_back(secret, text, now)
    return text


def _without_working_code(secret: Secret, text: str, now: datetime) -> str:
    """Take out blocks of code that pass the kata's tests: those are solutions."""
    if not secret.tests:
        return text
    pieces = [match for match in _FENCED.finditer(text) if _could_be(secret, match[1])]
    for match in pieces[:_MOST_PIECES]:
        run = run_kata(
            match[1], secret.tests, now=now, scaffolding=secret.scaffolding, terms=_TERMS
        )
        if run is not None and run.all_passed and not _own(secret, match[1]):
            more = continue_sentence(secret.level)
            text = text.replace(match[0], f"{HELD} {more}")
    return text


def _could_be(secret: Secret, code: str) -> bool:
    return bool(set(_DEFINED.findall(code)) & secret.names)


def _own(secret: Secret, code: str) -> bool:
    """Whether the learner wrote this code themself."""
    return any(_squeezed(code) == _squeezed(said) for said in secret.said)


def _squeezed(text: str) -> str:
    return "".join(text.split())


def open_secrets(connection: Connection, actor: Actor, now: datetime) -> tuple[Secret, ...]:
    """The secrets of every kata that a person has not solved."""
    found = (secret_of(row.kata, now) for row in katas(connection, actor))
    return tuple(secret for secret in found if secret is not None)
