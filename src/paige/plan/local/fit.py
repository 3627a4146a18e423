"""Which shipped lesson a request asks for: of its subject, at its level, about all of its words.

A word in common is not enough. Every word of the request has to belong to the lesson, the class or
the request has to say the subject, and a row of the level has to stand in the workspace.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from paige.language.english import english, stem
from paige.language.words import runs
from paige.plan.curriculum.search import same_level
from paige.plan.local.brief import Brief
from paige.plan.local.topics import Topic, shipped_topics

MOST_NEAR = 3
LONGEST = 2_000
"""Nobody names a topic later than this."""
_NUMBERS = {"1st": "first", "2nd": "second", "ww1": "first world war", "ww2": "second world war"}
# What a request says beside its topic.
_ASKING = frozenset(
    map(
        stem,
        re.findall(
            r"\w+",
            "lesson unit overview worksheet cover plan class pupils level minutes introduction "
            "intro introducing basics first next last new start starting using teach teaching "
            "learn learning revision secure two three four five six seven eight ten twelve",
        ),
    )
)


@dataclass(frozen=True, slots=True)
class Fit:
    """The shipped lesson that fits; others that fit too, or that a request comes near to."""

    topic: Topic | None = None
    near: tuple[Topic, ...] = ()


def fit(brief: Brief) -> Fit:
    """What Paige comes with for a request."""
    named = _named(brief) or _by_codes(brief)
    right = [topic for topic in named if _subject_fits(topic, brief) is not False]
    fitting = [topic for topic in right if _fits(topic, brief)]
    only_codes = not telling(brief.words) and len(fitting) > 1
    if only_codes or not fitting:
        return Fit(near=tuple(right[:MOST_NEAR]))
    chosen, *others = fitting
    return Fit(chosen, tuple(others[:MOST_NEAR]))


def levels_of(topic: Topic, brief: Brief) -> tuple[str, ...]:
    """The levels that a lesson has rows of in the workspace."""
    rows = [row for code in topic.outcomes for row in brief.library.named(code)[:1]]
    return tuple(dict.fromkeys(row.level for row in rows))


def is_called(text: str, topic: Topic) -> bool:
    """Whether a text is one of the names of a topic."""
    return _stems(text) in {_stems(name) for name in _names(topic)}


def telling(words: str) -> list[str]:
    """The words of a request, without those that every request may have; each as its stem."""
    plain = [
        word for word in _words(words) if not word.isdigit() and word not in english().unsearched
    ]
    return [each for each in map(stem, plain) if each not in _ASKING]


def _fits(topic: Topic, brief: Brief) -> bool:
    levels = levels_of(topic, brief)
    if not levels or (brief.level and not any(same_level(each, brief.level) for each in levels)):
        return False
    if not set(telling(brief.words)) <= _vocabulary(topic):
        return False
    # A single word means different things in different subjects.
    return bool(_subject_fits(topic, brief)) or _longest_name(_stems(brief.words), topic) > 1


def _subject_fits(topic: Topic, brief: Brief) -> bool | None:
    """Whether a lesson is of the subject of a request; nothing when no subject is known."""
    subjects = {each.subject for each in shipped_topics()}
    called = {name: each for each in subjects for name in _calls(each)}
    low = brief.request.casefold()
    spoken = {each for name, each in called.items() if re.search(rf"\b{re.escape(name)}\b", low)}
    if spoken:
        return topic.subject in spoken
    if brief.curricula:
        return topic.curriculum in brief.curricula
    if brief.profile and brief.profile.subject:
        return brief.profile.subject.casefold() == topic.subject.casefold()
    return None


def _calls(subject: str) -> tuple[str, ...]:
    name = subject.casefold()
    return (name, "maths") if name == "mathematics" else (name,)


def _named(brief: Brief) -> list[Topic]:
    """The lessons that a request calls by a name of theirs, the longest name first."""
    words = _stems(brief.words)
    scored = [(_longest_name(words, topic), topic) for topic in shipped_topics()]
    found = [each for each in scored if each[0]]
    return [topic for _, topic in sorted(found, key=lambda each: -each[0])]


def _by_codes(brief: Brief) -> list[Topic]:
    """The lessons of the outcomes that a request names, where it says nothing else."""
    if telling(brief.words):
        return []
    return [topic for topic in shipped_topics() if set(brief.codes) & set(topic.outcomes)]


def _longest_name(words: Sequence[str], topic: Topic) -> int:
    """How many words the longest name has that stands in a request; 0 when none does."""
    sizes = [len(name) for name in map(_stems, _names(topic)) if _is_in(name, words)]
    return max(sizes, default=0)


def _names(topic: Topic) -> Iterable[str]:
    return (topic.title, topic.title.partition(":")[0], *topic.names)


def _is_in(wanted: Sequence[str], words: Sequence[str]) -> bool:
    size = len(wanted)
    return any(words[at : at + size] == wanted for at in range(len(words) - size + 1))


@lru_cache(maxsize=256)
def _vocabulary(topic: Topic) -> frozenset[str]:
    """The words that belong to a lesson, as stems."""
    texts = [
        topic.subject,
        *_calls(topic.subject),
        topic.title,
        *topic.names,
        topic.outcome,
        *topic.criteria,
        *topic.ideas,
        *(each.word for each in topic.words),
        *(step.title for step in topic.steps),
    ]
    return frozenset(stem for text in texts for stem in _stems(text))


def _words(text: str) -> list[str]:
    found = runs(text[:LONGEST].lower())
    return " ".join(_NUMBERS.get(word, word) for word in found).split()


@lru_cache(maxsize=4096)
def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in _words(text))
