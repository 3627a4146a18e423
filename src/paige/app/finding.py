"""One search over all doors: every source is asked at the same time, in one round trip.

A source answers with hits, best first. One that fails or takes too long is named, and the others
are shown all the same. Nothing is found here that its own door would not show to this person: every
source asks the functions the doors ask, for the person that the server acts for.
"""

import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Literal, get_args

import anyio

from paige.app.finding_words import Part, marked, rank, terms_of
from paige.base.errors import BadInput, PaigeError

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
    "kata": "coach",
    "memory": "memory",
    "document": "memory",
    "guard": "guard",
    "decision": "guard",
    "trace": "guard",
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
    """Something that was found. `id` names it for its kind, `within` what it is a part of."""

    kind: Kind
    id: str
    title: str
    snippet: tuple[Part, ...] = ()
    at: datetime | None = None
    within: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """The hits of one kind, best first; `more` says that there are others."""

    kind: Kind
    hits: tuple[Hit, ...]
    more: bool


@dataclass(frozen=True, slots=True)
class Problem:
    """A source that could not be searched, and why."""

    source: Source
    message: str
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The answer to a search: groups, the best first, and what could not be searched."""

    terms: tuple[str, ...]
    groups: tuple[Group, ...]
    problems: tuple[Problem, ...]

    def title_of(self, hit: Hit) -> tuple[Part, ...]:
        """The title of a hit with the words marked."""
        return marked(hit.title, self.terms)


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for: the words as they were written, folded, and how many hits of a kind."""

    words: str
    terms: tuple[str, ...]
    limit: int


Search = Callable[[Asked], Awaitable[Sequence[Hit]]]


class Finder:
    """Asks its sources and puts their answers together."""

    def __init__(self, sources: Mapping[Source, Search], *, seconds: float = SECONDS) -> None:
        """A source that takes longer than `seconds` is left out of the answer."""
        self._sources = sources
        self._seconds = seconds

    async def find(self, words: str, *, limit: int) -> Found:
        """Search everything. Raises: BadInput for a question that cannot be one."""
        asked = asked_of(words, limit)
        hits: list[Hit] = []
        problems: dict[Source, Problem] = {}
        if not asked.terms:
            return Found((), (), ())

        async def ask(source: Source, search: Search) -> None:
            found = await self._answer(source, search, asked)
            if isinstance(found, Problem):
                problems[source] = found
            else:
                hits.extend(found)

        async with anyio.create_task_group() as tasks:
            for source, search in self._sources.items():
                tasks.start_soon(ask, source, search)
        named = tuple(problems[each] for each in self._sources if each in problems)
        return Found(asked.terms, grouped(hits, asked), named)

    async def _answer(
        self, source: Source, search: Search, asked: Asked
    ) -> Sequence[Hit] | Problem:
        try:
            with anyio.fail_after(self._seconds):
                return await search(asked)
        except TimeoutError:
            return Problem(source, f"It took longer than {self._seconds:g} seconds")
        except PaigeError as error:
            return Problem(source, error.message, error.hint)
        except Exception:
            # Whatever is wrong in one room must not hide what the others found.
            logger.exception("The search of %s failed", source)
            return Problem(source, "It failed inside; the server's log says why")


def asked_of(words: str, limit: int) -> Asked:
    """A question as sources take it. Raises: BadInput."""
    if len(words) > MOST_QUERY:
        raise BadInput(
            f"The search has {len(words)} characters; it may have {MOST_QUERY}",
            hint="Write fewer words.",
        )
    return Asked(words, terms_of(words), max(1, min(limit, MOST_HITS)))


def grouped(hits: Sequence[Hit], asked: Asked) -> tuple[Group, ...]:
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


def _worth(hit: Hit, terms: Sequence[str]) -> int:
    return -rank(hit.title, terms)
