"""What many learners of a class get wrong, worked out without saying who.

A pure fold: errors come in with whoever made them, groups come out with a number. A group is one
concept with one kind of error. It is shown from five different learners on, so that nobody can be
meant by it. Three rules keep it so:

- The same person may be known from two places, by an account and by the token of a worksheet. So
  places are never added up: a group has as many learners as the place that shows most of them.
- `since` is the moment at which the fifth learner made the error, never that of one alone.
- Words of learners are shown only when five of them wrote the very same, and when they name nobody.
  Otherwise the error is told in the words of the taxonomy, which no learner wrote.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from paige.exercise.taxonomy.misconceptions import find_note, note_of
from paige.exercise.taxonomy.names import find_kind
from paige.memory.names.gate import NameGate
from paige.study.remedies import shipped_remedies

FEWEST = 5
"""So many different learners make a group that may be shown."""
LONGEST_EXAMPLE = 160
_WORD = re.compile(r"[\w'\u2019-]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerError:
    """One error of somebody. `place` is where they are known from, `learner` who they are there.

    `what` is how it looked, in words that may be the learner's own.
    """

    place: str
    learner: str
    concept: str
    course: str = ""
    error_type: str | None = None
    what: str = ""
    detail: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassMisconception:
    """What at least five learners of a class get wrong; nothing in it comes from one of them."""

    concept: str
    course: str
    kind: str
    idea: str
    helps: tuple[str, ...]
    learners: int
    since: datetime | None = None
    example: str = ""


@dataclass(frozen=True, slots=True)
class _Kind:
    """A kind of error: its name, the wrong idea in general words, and what helps."""

    name: str
    idea: str
    helps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """What may be shown: no text with one of `names`, but `concepts` that a teacher's courses have.

    A concept that only learners wrote could be called after one of them.
    """

    names: frozenset[str] = frozenset()
    concepts: frozenset[str] = frozenset()
    fewest: int = FEWEST


def what_to_show(
    names: Iterable[str] = (), concepts: Iterable[str] = (), fewest: int = FEWEST
) -> Shown:
    """The rules for one class; fewer than five learners are never enough."""
    words = frozenset(word for name in names for word in _words(name) if len(word) > 1)
    return Shown(words, frozenset(map(concept_key, concepts)), max(fewest, FEWEST))


_EVERYTHING = Shown()


def fold_errors(
    errors: Iterable[LearnerError], shown: Shown = _EVERYTHING
) -> tuple[ClassMisconception, ...]:
    """The groups with enough learners, the largest first."""
    groups: dict[tuple[str, str], list[LearnerError]] = defaultdict(list)
    for error in errors:
        kind = _kind_of(error)
        if error.concept.strip() and kind:
            groups[concept_key(error.concept), kind].append(error)
    found = [
        made
        for (concept, kind), members in groups.items()
        if (made := _group(concept, kind, members, shown))
    ]
    return tuple(sorted(found, key=lambda each: (-each.learners, each.concept, each.kind)))


def concept_key(name: str) -> str:
    """A concept as it is grouped, however it is written."""
    return "-".join(_plain(name).replace("_", "-").split())


def _group(
    concept: str, kind: str, errors: Sequence[LearnerError], shown: Shown
) -> ClassMisconception | None:
    largest = max(_by_place(errors).values(), key=lambda each: (len(each), sorted(each)))
    if len(largest) < shown.fewest:
        return None
    if concept not in shown.concepts and not _names_nobody(concept.replace("-", " "), shown):
        return None
    courses = Counter(each.course for each in errors if each.course)
    about = _about(kind)
    return ClassMisconception(
        concept=concept,
        course=courses.most_common(1)[0][0] if courses else "",
        kind=about.name,
        idea=about.idea,
        helps=about.helps,
        learners=len(largest),
        since=_fifth(largest, shown.fewest),
        example=_example(errors, shown),
    )


def _names_nobody(text: str, shown: Shown) -> bool:
    return shown.names.isdisjoint(_words(text)) and NameGate().judge(text).allowed


def _by_place(errors: Iterable[LearnerError]) -> dict[str, dict[str, datetime | None]]:
    """Who made it, by place, each with when they first did."""
    places: dict[str, dict[str, datetime | None]] = defaultdict(dict)
    for error in errors:
        people = places[error.place]
        before = people.get(error.learner)
        moments = [each for each in (before, error.at) if each is not None]
        people[error.learner] = min(moments, default=None)
    return places


def _fifth(people: Mapping[str, datetime | None], fewest: int) -> datetime | None:
    moments = sorted(each for each in people.values() if each is not None)
    return moments[fewest - 1] if len(moments) >= fewest else None


def _example(errors: Iterable[LearnerError], shown: Shown) -> str:
    """What enough learners of one place wrote in the very same words, if it names nobody."""
    said: dict[tuple[str, str], set[str]] = defaultdict(set)
    written: dict[str, str] = {}
    for error in errors:
        text = " ".join(error.what.split())
        if text and len(text) <= LONGEST_EXAMPLE:
            plain = _plain(text)
            said[error.place, plain].add(error.learner)
            written[plain] = min(text, written.get(plain, text))
    often = sorted(
        (-len(people), plain) for (_, plain), people in said.items() if len(people) >= shown.fewest
    )
    texts = (written[plain] for _, plain in often)
    return next((text for text in texts if _names_nobody(text, shown)), "")


def _kind_of(error: LearnerError) -> str:
    """What an error is counted as: a misconception by name, a kind, else what was written."""
    note = find_note(error.detail)
    if note is not None:
        return f"misconception:{note}"
    kind = find_kind(error.error_type)
    if kind is not None:
        return kind.name
    text = _plain(error.what)
    return f"answer:{text}" if text and len(text) <= LONGEST_EXAMPLE else ""


def _about(kind: str) -> _Kind:
    source, colon, name = kind.partition(":")
    if colon and source == "misconception":
        note = note_of(name)
        return _Kind(name, _sentence(name.replace("_", " ")), (note,) if note else ())
    known = find_kind(kind)
    if known is None:
        return _Kind("answer", "The same wrong answer", ("Ask what makes this answer likely.",))
    remedy = shipped_remedies().get(known.name)
    helps = (known.practise, *((f"In Study {remedy.says}.",) if remedy else ()))
    return _Kind(known.name, _sentence(known.says), helps)


def _sentence(text: str) -> str:
    # The taxonomy speaks to the learner; a teacher reads this about several.
    told = text.replace("you know", "they know").replace("your own", "their own")
    return told[:1].upper() + told[1:]


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _words(text: str) -> list[str]:
    plain = _plain(text)
    whole = _WORD.findall(plain)
    parts = re.split(r"[\W_]+", plain)
    return [*whole, *(part for part in parts if part)]
