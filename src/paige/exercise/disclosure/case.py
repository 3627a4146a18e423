"""One question to the gate: the exercise, what is still secret, the dialogue, and the reply."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Literal

from paige.exercise.disclosure.key import Option, Part
from paige.exercise.disclosure.lexicon import fold, see
from paige.exercise.marking.lexicon import lexicon as marking_lexicon
from paige.language.words import runs as words
from paige.language.words import sentences

Role = Literal["learner", "tutor"]
LEARNERS = frozenset({"user", "learner", "student", "pupil", "human", "child", "me"})
_stem = lru_cache(maxsize=16384)(marking_lexicon().stem)


@dataclass(frozen=True, slots=True)
class Turn:
    """One thing someone said."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a reply gives away: the level it needs, and a reason that names no answer."""

    kind: str
    needs: int
    reason: str


class Said:
    """A text with the readings that several checks share."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.seen = see(raw)
        self.folded = self.seen.casefold()

    @cached_property
    def words(self) -> list[str]:
        """Its words, folded."""
        return words(self.folded)

    @cached_property
    def line(self) -> str:
        """Its words with single spaces, and one at each end."""
        return f" {' '.join(self.words)} "

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(_stem(word) for word in self.words)

    @cached_property
    def sentences(self) -> list["Said"]:
        """Its sentences and lines."""
        return [Said(sentence) for sentence in sentences(self.seen)]

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.seen.rstrip("\"')* ").endswith("?")


def stem(word: str) -> str:
    """What a word is compared by."""
    return _stem(word)


@dataclass(frozen=True)
class Case:
    """Everything a check may look at."""

    question: Said
    options: tuple[Option, ...]
    parts: tuple[Part, ...]
    learner: tuple[Said, ...]
    tutor: tuple[Said, ...]
    reply: Said
    last: Said = field(default_factory=lambda: Said(""))  # what the learner said last

    def with_reply(self, text: str) -> "Case":
        """The same case with another reply."""
        return replace(self, reply=Said(text))

    @cached_property
    def question_words(self) -> frozenset[str]:
        """The words of the question."""
        return frozenset(self.question.words)

    @cached_property
    def known(self) -> frozenset[str]:
        """The stems the learner already has: of the question, and of what they said."""
        return self.question.stems.union(*(said.stems for said in self.learner))


def exercise_text(exercise: object) -> str:
    """The words of an exercise that the learner sees; keys that hold the answer are left out."""
    if isinstance(exercise, Mapping):
        shown = {name: value for name, value in exercise.items() if not _hidden(str(name))}
        return "\n".join(filter(None, (_named(name, value) for name, value in shown.items())))
    if isinstance(exercise, Sequence) and not isinstance(exercise, str):
        return "\n".join(filter(None, map(exercise_text, exercise)))
    return "" if exercise is None or isinstance(exercise, bool) else str(exercise)


def _named(name: object, value: object) -> str:
    if str(name).lower() in {"options", "choices", "alternatives"}:
        return _options_text(value)
    return exercise_text(value)


def _options_text(value: object) -> str:
    if isinstance(value, Mapping):
        return "\n".join(f"{name}) {exercise_text(each)}" for name, each in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        lines = (exercise_text(each) for each in value)
        pairs = zip("ABCDEFGH", lines, strict=False)
        lettered = (
            line if re.match(r"\(?[A-H][).:]", line) else f"{letter}) {line}"
            for letter, line in pairs
        )
        return "\n".join(lettered)
    return exercise_text(value)


def _hidden(name: str) -> bool:
    plain = fold(name)
    secret = ("answer", "solution", "key", "reference", "exemplar", "expected", "id", "correct")
    return any(part in plain.split("_") or plain == part for part in secret)
