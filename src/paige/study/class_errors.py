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

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from paige.base.errors import PaigeError
from paige.base.wire import wire
from paige.exercise.taxonomy.names import find_kind
from paige.language.names.gate import NameGate
from paige.language.words import runs, words
from paige.learner.files import LearnerFiles
from paige.learner.progress import ErrorSeen, Progress
from paige.store.documents import Documents
from paige.study.preferences import Preferences, class_of, same_class
from paige.study.remediation import shipped_remedies
from paige.study.session.context import LEARNER, OTHERS, read_learner

FEWEST = 5
"""So many different learners make a group that may be shown."""
LONGEST_EXAMPLE = 160


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
    at: datetime | None = None


@wire(kw_only=True)
class ClassMisconception:
    """What at least five learners of a class get wrong; nothing in it comes from one of them."""

    concept: str
    title: str = ""
    """How the course calls the concept."""
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
class DisplayRule:
    """What may be shown: no text with one of `names`, but `concepts` that a teacher's courses have.

    A concept that only learners wrote could be called after one of them.
    """

    names: frozenset[str] = frozenset()
    concepts: frozenset[str] = frozenset()
    fewest: int = FEWEST


def what_to_show(
    names: Iterable[str] = (), concepts: Iterable[str] = (), fewest: int = FEWEST
) -> DisplayRule:
    """The rules for one class; fewer than five learners are never enough."""
    words = frozenset(word for name in names for word in _words(name) if len(word) > 1)
    return DisplayRule(words, frozenset(map(concept_key, concepts)), max(fewest, FEWEST))


_EVERYTHING = DisplayRule()


def fold_errors(
    errors: Iterable[LearnerError], shown: DisplayRule = _EVERYTHING
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
    concept: str, kind: str, errors: Sequence[LearnerError], shown: DisplayRule
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


def _names_nobody(text: str, shown: DisplayRule) -> bool:
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


def _example(errors: Iterable[LearnerError], shown: DisplayRule) -> str:
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
    """What an error is counted as: a kind, else what was written."""
    kind = find_kind(error.error_type)
    if kind is not None:
        return kind.name
    text = _plain(error.what)
    return f"answer:{text}" if text and len(text) <= LONGEST_EXAMPLE else ""


def _about(kind: str) -> _Kind:
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
    return [*words(plain), *runs(plain)]


_PROFILE = "profile.json"


@dataclass(frozen=True, slots=True)
class Classmate:
    """A learner of a class: the name they have in one place, and where their files are."""

    place: str
    name: str
    documents: Documents
    root: str
    preferences: Preferences


def named_classmates(documents: Documents, class_id: str, place: str) -> Iterator[Classmate]:
    """Every learner of one teaching folder who is in the class."""
    roots = {LEARNER}
    for path in documents.paths(OTHERS):
        parts = path.split("/")
        if len(parts) == 3 and parts[2] == _PROFILE:
            roots.add(f"{OTHERS}/{parts[1]}")
    for root in sorted(roots):
        name = root.rpartition("/")[2] if root != LEARNER else ""
        yield from own_classmate(documents, class_id, place, name=name, root=root)


def own_classmate(
    documents: Documents, class_id: str, place: str, *, name: str, root: str = LEARNER
) -> Iterator[Classmate]:
    """One learner, if they are in the class."""
    seen = read_learner(documents, root)
    if same_class(class_of(seen.profile), class_id):
        yield Classmate(place, name, documents, root, seen.preferences)


def errors_of(mate: Classmate) -> Iterator[LearnerError]:
    """What a learner got wrong lately and has not mastered since."""
    for course in LearnerFiles(mate.documents, root=mate.root).courses():
        rules = mate.preferences.thresholds(course)
        try:
            known = LearnerFiles(mate.documents, rules, root=mate.root).read(course).progress
        except PaigeError:
            continue
        for progress in known.values():
            if progress.status != "mastered":
                yield from _errors(mate, course, progress)


def _errors(mate: Classmate, course: str, progress: Progress) -> Iterator[LearnerError]:
    for seen in progress.error_history:
        yield LearnerError(
            place=mate.place,
            learner=mate.name,
            concept=progress.concept_id,
            course=course,
            error_type=seen.error_type,
            what=_what(seen),
            at=seen.at,
        )


def _what(seen: ErrorSeen) -> str:
    wrote, wanted = (seen.actual or "").strip(), (seen.expected or "").strip()
    if not wrote:
        return ""
    return f"“{wrote}” instead of “{wanted}”" if wanted else f"“{wrote}”"
