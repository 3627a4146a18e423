"""One search over all doors: every source is asked at the same time, in one round trip.

A source answers with hits, best first. One that fails or takes too long is named, and the others
are shown all the same. Nothing is found here that its own door would not show to this person: every
source asks the functions the doors ask, for the person that the server acts for. What somebody may
not see is not looked at, so it has no number, no title, no place in the order and no error either.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal, get_args

import anyio

from paige.base.errors import BadInput, PaigeError
from paige.doors.search.words import TextPart, marked, rank, terms_of

logger = logging.getLogger(__name__)
SECONDS = 8.0
MOST_QUERY = 500
MOST_HITS = 50
Door = Literal["plan", "study", "coach", "guard", "memory"]
Kind = Literal[
    "session",
    "lesson",
    "file",
    "course",
    "concept",
    "coaching",
    "gap",
    "kata",
    "memory",
    "document",
    "guard",
    "decision",
    "trace",
]
KINDS: tuple[Kind, ...] = get_args(Kind)
DOORS: Mapping[Kind, Door] = {
    "session": "plan",
    "lesson": "plan",
    "file": "plan",
    "course": "study",
    "concept": "study",
    "coaching": "coach",
    "gap": "coach",
    "kata": "coach",
    "memory": "memory",
    "document": "memory",
    "guard": "guard",
    "decision": "guard",
    "trace": "guard",
}
ORIGINS: Mapping[Kind, str] = {
    "session": "a session of Plan",
    "lesson": "the lesson {hit.id}",
    "file": "the file {hit.id} of your workspace",
    "course": "the course {hit.id}",
    "concept": "the course {hit.within}",
    "coaching": "a coaching session",
    "gap": "a gap that Coach noted",
    "kata": "a kata of Coach",
    "memory": "a memory with the scope {hit.within}",
    "document": "the memory document {hit.id}",
    "guard": "a learned guard",
    "decision": "a decision of the guard",
    "trace": "the traces of agents",
}
"""Where hits come from, in words."""
_UNTITLED: frozenset[Kind] = frozenset({"memory", "decision", "trace"})
_SCORES = {4: 1.0, 3: 0.9, 2: 0.8, 1: 0.7}
_IN_TEXT = 0.6
_WHY = {
    4: "Its {name} is what you asked for",
    3: "Its {name} begins with your words",
    2: "Your words are in its {name}",
    1: "Your words are inside words of its {name}",
}
Source = Literal[
    "plan_sessions",
    "workspace",
    "courses",
    "coaching",
    "memories",
    "documents",
    "guards",
    "decisions",
    "traces",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """Something that was found. `id` names it for its kind, `within` what it is a part of.

    `held` says how many of the words it holds, where that need not be all of them.
    """

    kind: Kind
    id: str
    title: str
    snippet: tuple[TextPart, ...] = ()
    at: datetime | None = None
    within: str = ""
    line: int | None = None
    held: int | None = None


@dataclass(frozen=True, slots=True)
class RankedHit:
    """A hit among those of all doors: how well it fits from 0 to 1, why, and where it is from."""

    hit: Hit
    score: float
    why: str
    origin: str


@dataclass(frozen=True, slots=True)
class Group:
    """The hits of one kind, best first; `more` says that there are others."""

    kind: Kind
    hits: tuple[Hit, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class SearchProblem:
    """Something that could not be searched, and why."""

    source: Source
    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Matches:
    """The answer to a search: groups, the best first, and what could not be searched."""

    terms: tuple[str, ...]
    groups: tuple[Group, ...]
    problems: tuple[SearchProblem, ...]

    def title_of(self, hit: Hit) -> tuple[TextPart, ...]:
        """The title of a hit with the words marked."""
        return marked(hit.title, self.terms)

    def ranked(self, hit: Hit) -> RankedHit:
        """A hit with why it was found and where it is from."""
        score, why = judged(hit, self.terms)
        return RankedHit(hit, score, why, ORIGINS[hit.kind].format(hit=hit))

    @property
    def best_first(self) -> tuple[RankedHit, ...]:
        """The hits of all doors in one list: the best first, of equal ones the newest."""
        every = [self.ranked(hit) for group in self.groups for hit in group.hits]
        return tuple(sorted(every, key=_order))


@dataclass(frozen=True, slots=True)
class Query:
    """What is looked for: the words as they were written, folded, and how many hits of a kind."""

    words: str
    terms: tuple[str, ...]
    limit: int


Search = Callable[[Query], Awaitable[Sequence[Hit]]]


class Finder:
    """Asks its sources and puts their answers together."""

    def __init__(self, sources: Mapping[Source, Search], *, seconds: float = SECONDS) -> None:
        """A source that takes longer than `seconds` is left out of the answer."""
        self._sources = sources
        self._seconds = seconds

    async def find(self, words: str, *, limit: int) -> Matches:
        """Search everything. Raises: BadInput for a question that cannot be one."""
        asked = query_of(words, limit)
        hits: list[Hit] = []
        problems: dict[Source, SearchProblem] = {}
        if not asked.terms:
            return Matches((), (), ())

        async def ask(source: Source, search: Search) -> None:
            found = await self._answer(source, search, asked)
            if isinstance(found, SearchProblem):
                problems[source] = found
            else:
                hits.extend(found)

        async with anyio.create_task_group() as tasks:
            for source, search in self._sources.items():
                tasks.start_soon(ask, source, search)
        named = tuple(problems[each] for each in self._sources if each in problems)
        return Matches(asked.terms, grouped(hits, asked), named)

    async def _answer(
        self, source: Source, search: Search, asked: Query
    ) -> Sequence[Hit] | SearchProblem:
        try:
            with anyio.fail_after(self._seconds):
                return await search(asked)
        except TimeoutError:
            return SearchProblem(source, f"It took longer than {self._seconds:g} seconds")
        except PaigeError as error:
            return SearchProblem(source, error.message, error.hint)
        except Exception:
            # Whatever is wrong in one room must not hide what the others found.
            logger.exception("The search of %s failed", source)
            return SearchProblem(source, "It failed inside; the server's log says why")


def query_of(words: str, limit: int) -> Query:
    """A question as sources take it. Raises: BadInput."""
    if len(words) > MOST_QUERY:
        raise BadInput(
            f"The search has {len(words)} characters; it may have {MOST_QUERY}",
            hint="Write fewer words.",
        )
    return Query(words, terms_of(words), max(1, min(limit, MOST_HITS)))


def grouped(hits: Sequence[Hit], asked: Query) -> tuple[Group, ...]:
    """Hits by kind: within a kind the best title first, then as the source had them."""
    kinds: dict[Kind, list[Hit]] = {}
    for hit in hits:
        kinds.setdefault(hit.kind, []).append(hit)
    worth = partial(_worth, terms=asked.terms)
    groups = [
        Group(kind, tuple(sorted(found, key=worth)[: asked.limit]), len(found) > asked.limit)
        for kind in KINDS
        if (found := kinds.get(kind))
    ]
    return tuple(sorted(groups, key=lambda group: worth(group.hits[0])))


def judged(hit: Hit, terms: Sequence[str]) -> tuple[float, str]:
    """How well a hit fits, from 0 to 1, and why it was found."""
    place = rank(hit.title, terms)
    name = "first line" if hit.kind in _UNTITLED else "title"
    if place:
        return _SCORES[place], _WHY[place].format(name=name)
    if hit.held is None or hit.held >= len(terms):
        return _IN_TEXT, "Your words are in its text"
    share = hit.held / len(terms)
    return round(_IN_TEXT * share, 3), f"{hit.held} of your {len(terms)} words are in its text"


def _worth(hit: Hit, terms: Sequence[str]) -> float:
    return -judged(hit, terms)[0]


def _order(each: RankedHit) -> tuple[float, float, int]:
    moment = -each.hit.at.timestamp() if each.hit.at else 0.0
    return -each.score, moment, KINDS.index(each.hit.kind)
