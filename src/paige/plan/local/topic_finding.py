"""Which topics a text speaks of, by the names teachers give them.

The longest name that stands in the text counts most; between topics with equal names the one comes
first that the class has not been taught yet, then the one that stands earlier in its file.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from paige.exercise.marking.stems import stem
from paige.plan.local.topics import Topic

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")
_CUT = re.compile(r"[,;.()\n]|\band\b")
_NUMBERS = {"1st": "first", "2nd": "second", "ww1": "first world war", "ww2": "second world war"}
LONGEST = 2_000
"""Nobody names a topic later than this."""
SUBJECT_BONUS = 0.5
OWN_NAME = 0.2
FIRST_NAMES = 3
"""A topic's first names are its own; the later ones it shares with others."""


@dataclass(frozen=True, slots=True)
class FoundTopic:
    """A topic, how well a text names it, and which of its names that is."""

    topic: Topic
    score: float
    name: int


def find_topics(
    text: str,
    topics: Sequence[Topic],
    *,
    curricula: Collection[str] = (),
    taught: Collection[str] = (),
) -> list[FoundTopic]:
    """The topics that a text names, best first; those of the class's curricula before others."""
    words = _stems(text)
    spoken = subjects_named(text, topics)
    found = [
        each
        for topic in topics
        if not spoken or topic.subject in spoken
        if (each := _named(words, topic)) is not None
    ]
    order = {topic.id: at for at, topic in enumerate(topics)}

    def rank(each: FoundTopic) -> tuple[float, bool, int, int]:
        own = SUBJECT_BONUS if each.topic.curriculum in curricula else 0.0
        known = each.topic.id in taught
        return -(each.score + own), known, each.name, order[each.topic.id]

    return sorted(found, key=rank)


def taught_topics(
    lines: Iterable[str], topics: Sequence[Topic], *, curricula: Collection[str] = ()
) -> list[Topic]:
    """The topics in what a class was taught, in that order, each where it comes last."""
    found: dict[str, Topic] = {}
    for line in lines:
        head, colon, _ = line.partition(":")
        spoken = subjects_named(head, topics) if colon else frozenset()
        own = [topic for topic in topics if not spoken or topic.subject in spoken]
        for topic in _of_line(line, own, curricula):
            found.pop(topic.id, None)
            found[topic.id] = topic
    return list(found.values())


def subjects_named(text: str, topics: Iterable[Topic]) -> frozenset[str]:
    """The subjects that a text calls by their names."""
    low = text.casefold()
    subjects = {topic.subject for topic in topics}
    return frozenset(
        subject
        for subject in subjects
        if any(re.search(rf"\b{re.escape(name)}\b", low) for name in _calls(subject))
    )


def _calls(subject: str) -> tuple[str, ...]:
    name = subject.casefold()
    return (name, "maths") if name == "mathematics" else (name,)


def _of_line(line: str, topics: Sequence[Topic], curricula: Collection[str]) -> list[Topic]:
    """The best topic of a whole line if its name is long, else the best of each of its parts."""
    whole = find_topics(line, topics, curricula=curricula)
    parts = [
        found[0].topic
        for part in _CUT.split(line)
        if (found := find_topics(part, topics, curricula=curricula))
    ]
    if whole and whole[0].topic not in parts:
        return [*parts, whole[0].topic]
    return parts


def _named(words: Sequence[str], topic: Topic) -> FoundTopic | None:
    best: FoundTopic | None = None
    for at, name in enumerate(topic.names):
        wanted = _stems(name)
        if not _stands_in(wanted, words):
            continue
        score = len(wanted) + (OWN_NAME if at < FIRST_NAMES else 0.0)
        if best is None or score > best.score:
            best = FoundTopic(topic, score, at)
    return best


def _stands_in(wanted: Sequence[str], words: Sequence[str]) -> bool:
    size = len(wanted)
    return any(words[at : at + size] == wanted for at in range(len(words) - size + 1))


def _stems(text: str) -> tuple[str, ...]:
    return _stems_of(text[:LONGEST].lower())


@lru_cache(maxsize=4096)
def _stems_of(low: str) -> tuple[str, ...]:
    words: list[str] = _WORD.findall(low)
    spoken = " ".join(_NUMBERS.get(word, word) for word in words)
    return tuple(stem(word) for word in _WORD.findall(spoken))
