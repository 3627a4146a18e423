"""What somebody lacks, and katas for it: topics that come back under other words are the same gap.

Two topics are the same when their words are, apart from endings, order and slips of the pen. A
measure of likeness alone says yes to `C` and `C++`, to `async` and `sync`, to `loops` and `nested
loops`; so every word that differs must be explained, and short topics must be equal.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field, TypeAdapter
from rapidfuzz import fuzz

from paige.base.errors import BadInput
from paige.learner.json_files import parse

Severity = Literal["low", "medium", "high"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
ALIKE = 85.0
"""From this likeness of 100 on two topics may be the same."""
_SLIP = 84.0
_EVIDENCE_LINES = 20
_SMALL = frozenset(
    (
        *("a", "an", "and", "at", "how", "in", "of", "on", "or", "the", "to", "with"),
        *("basic", "basics", "concept", "concepts", "introduction", "understanding"),
        *("usage", "using", "working"),
    )
)
_WORD = re.compile(r"[^\W_]+[+#*]*|[+\-*/%<>=!&|^~@]+")
_ENDINGS = ("ations", "ation", "ings", "ing", "ies", "es", "ed", "s", "e", "y")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A gap that was noticed, before it is written down."""

    topic: str
    severity: Severity
    evidence: str
    related_concepts: tuple[str, ...] = ()
    session_id: str | None = None

    def __post_init__(self) -> None:
        if not self.topic.strip():
            raise BadInput("A knowledge gap has a topic")


def same_topic(one: str, other: str) -> bool:
    """Whether two texts name the same topic."""
    return likeness(one, other) >= ALIKE


def likeness(one: str, other: str) -> float:
    """How alike two topics are, from 0 to 100; 0 when a word that differs is not explained."""
    left, right = _stems(one), _stems(other)
    if not left or not right:
        return 100.0 if _plain(one) == _plain(other) else 0.0
    if left == right:
        return 100.0
    if not _explained(left, right):
        return 0.0
    return fuzz.token_set_ratio(" ".join(sorted(left)), " ".join(sorted(right)))


def find_match(topic: str, known: Iterable[str]) -> str | None:
    """The known topic that is most like this one, if one is the same."""
    ranked = [(likeness(topic, each), each) for each in known]
    best = max(ranked, key=lambda pair: pair[0], default=None)
    return best[1] if best and best[0] >= ALIKE else None


def worse(one: Severity, other: Severity) -> Severity:
    """The more severe of two."""
    return one if SEVERITIES.index(one) >= SEVERITIES.index(other) else other


def joined_evidence(known: str, new: str) -> str:
    """Both evidences, line by line, without what is there already; the oldest is dropped."""
    lines = [line for line in known.splitlines() if line.strip()]
    lines += [line for line in new.splitlines() if line.strip() and line not in lines]
    return "\n".join(lines[-_EVIDENCE_LINES:])


def joined_concepts(known: Iterable[str], new: Iterable[str]) -> list[str]:
    """Both lists as one, each concept once."""
    return list(dict.fromkeys((*known, *new)))


def urgency(severity: Severity, frequency: int) -> int:
    """How much a gap asks for attention: severity first, then how often it was met."""
    return 3 ** SEVERITIES.index(severity) * max(frequency, 1)


def _explained(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether every word that only one topic has is a slip, or a small addition to a long one."""
    shorter, longer = sorted((left, right), key=len)
    rest = set(longer - shorter)
    for word in shorter - longer:
        twin = next((each for each in sorted(rest) if _is_slip(word, each)), None)
        if twin is None:
            return False
        rest.discard(twin)
    # `React state` and `React state management` differ; one word more on four is a detail.
    return not rest or (len(shorter) >= 3 and len(rest) <= len(longer) / 4)


def _is_slip(one: str, other: str) -> bool:
    """Whether two words are one word with a slip: long, alike, and with the same beginning.

    Beginnings carry meaning: `async`, `immutable` and `decode` are not slips of their opposites.
    """
    if min(len(one), len(other)) < 5 or one[:2] != other[:2]:
        return False
    return one.isalpha() and other.isalpha() and fuzz.ratio(one, other) >= _SLIP


def _stems(text: str) -> frozenset[str]:
    words = _WORD.findall(_plain(text))
    kept = [word for word in words if word not in _SMALL] or words
    return frozenset(_stem(word) for word in kept)


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if ending == "s" and word.endswith("ss"):
            continue
        if word.endswith(ending) and len(word) - len(ending) >= 3 and word.isalpha():
            return word.removesuffix(ending)
    return word


def _plain(text: str) -> str:
    # useState and use_state are the same words
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text)
    return unicodedata.normalize("NFKC", spaced).casefold().strip()


LOWEST_LEVEL, HIGHEST_LEVEL = 1, 10
"""Of katas. They are never finished: one may try again with constraints of a higher level."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """Something that makes a kata harder, and the level from which it can be switched on."""

    title: Annotated[str, Field(pattern=r"\S")]
    description: Annotated[str, BeforeValidator(lambda given: str(given or ""))] = ""
    min_level: Annotated[int, Field(strict=True, alias="minLevel")] = LOWEST_LEVEL

    def __post_init__(self) -> None:
        if not LOWEST_LEVEL <= self.min_level <= HIGHEST_LEVEL:
            raise BadInput(f"`minLevel` is {LOWEST_LEVEL} to {HIGHEST_LEVEL}")


def _title(given: object) -> str:
    """The title of a constraint that is named, or written out."""
    return str(given.get("title", "")) if isinstance(given, Mapping) else str(given)


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try: the code, what was said about it, and the titles of the constraints that held."""

    code: str
    review: str | None = None
    level: int | None = None
    passed: bool | None = None
    constraints: tuple[Annotated[str, BeforeValidator(_title)], ...] = ()

    def __post_init__(self) -> None:
        if self.level is not None and not LOWEST_LEVEL <= self.level <= HIGHEST_LEVEL:
            raise BadInput(f"The level of an attempt is {LOWEST_LEVEL} to {HIGHEST_LEVEL}")


def best_level(attempts: Iterable[Attempt]) -> int | None:
    """The highest level that was ever reached."""
    return max((each.level for each in attempts if each.level is not None), default=None)


def unlocked(constraints: Iterable[Constraint], level: int) -> tuple[Constraint, ...]:
    """The constraints that can be switched on at a level."""
    return tuple(each for each in constraints if each.min_level <= level)


def newly_unlocked(
    constraints: Iterable[Constraint], *, before: int, after: int
) -> tuple[Constraint, ...]:
    """The constraints that were closed at one level and are open at the other."""
    return tuple(each for each in constraints if before < each.min_level <= after)


def chosen(constraints: Sequence[Constraint], titles: Iterable[str]) -> tuple[Constraint, ...]:
    """The constraints with these titles; titles nobody knows are left out."""
    wanted = {title.strip().casefold() for title in titles}
    return tuple(each for each in constraints if each.title.strip().casefold() in wanted)


def with_same_constraints(
    attempts: Iterable[Attempt], titles: Iterable[str]
) -> tuple[Attempt, ...]:
    """Earlier attempts under exactly these constraints."""
    wanted = set(titles)
    return tuple(each for each in attempts if set(each.constraints) == wanted)


_CONSTRAINT = TypeAdapter(Constraint)
_ATTEMPT = TypeAdapter(Attempt)


def dump_constraint(constraint: Constraint) -> dict[str, object]:
    """The constraint as JSON values."""
    return _CONSTRAINT.dump_python(constraint, mode="json", by_alias=True)


def load_constraint(record: Mapping[str, object]) -> Constraint:
    """The constraint in a record. Raises: BadInput."""
    return parse(_CONSTRAINT, record)


def dump_attempt(attempt: Attempt) -> dict[str, object]:
    """The attempt as JSON values; what is not known is left out."""
    return _ATTEMPT.dump_python(attempt, mode="json", exclude_none=True)


def load_attempt(record: Mapping[str, object]) -> Attempt:
    """The attempt in a record. Raises: BadInput."""
    return parse(_ATTEMPT, record)
