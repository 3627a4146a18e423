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
from typing import Literal, NamedTuple, TypeVar
from urllib.parse import quote, urlencode

import anyio

from paige.base.errors import BadInput, PaigeError
from paige.doors.search.words import TextPart, rank, terms_of

logger = logging.getLogger(__name__)
S = TypeVar("S", bound=str)
T = TypeVar("T")
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


def below(path: str, name: str) -> str:
    """The page of the web app for something that has a name."""
    return f"{path}/{quote(name, safe='')}"


def page(path: str, **said: str) -> str:
    """A page that is told something; what is empty is not said."""
    given = {name: value for name, value in said.items() if value}
    return f"{path}?{urlencode(given)}" if given else path


class HitKind(NamedTuple):
    """What hits of a kind have in common: their door, where they are from, the page for one."""

    door: Door
    origin: str
    link: Callable[[Hit, str], str]
    title: str = "title"
    """What its title is called."""


_LINE = "first line"
# fmt: off
KINDS: Mapping[Kind, HitKind] = {
    "session": HitKind("plan", "a session of Plan",
        lambda hit, words: page("/plan", session=hit.id, find=words)),
    "lesson": HitKind("plan", "the lesson {hit.id}",
        lambda hit, _: page("/plan", lesson=hit.id, pane="document")),
    "file": HitKind("plan", "the file {hit.id} of your workspace",
        lambda hit, _: page("/plan", file=hit.id, line=str(hit.line or ""), pane="document")),
    "course": HitKind("study", "the course {hit.id}",
        lambda hit, _: below("/study", hit.id)),
    "concept": HitKind("study", "the course {hit.within}",
        lambda hit, _: page(below("/study", hit.within), concept=hit.id)),
    "coaching": HitKind("coach", "a coaching session",
        lambda hit, _: page("/coach", session=hit.id)),
    "gap": HitKind("coach", "a gap that Coach noted",
        lambda hit, _: page("/coach", gap=hit.title)),
    "kata": HitKind("coach", "a kata of Coach",
        lambda hit, _: below("/coach/practice", hit.id)),
    "memory": HitKind("memory", "a memory with the scope {hit.within}",
        lambda hit, _: page("/memory", id=hit.id), _LINE),
    "document": HitKind("memory", "the memory document {hit.id}",
        lambda hit, _: page("/memory", tab="documents", file=hit.id)),
    "guard": HitKind("guard", "a learned guard",
        lambda hit, _: page("/guard/guards", id=hit.id)),
    # The list shows a decision only among those that fit.
    "decision": HitKind("guard", "a decision of the guard",
        lambda hit, words: page("/guard", query=words, id=hit.id), _LINE),
    "trace": HitKind("guard", "the traces of agents",
        lambda hit, _: page("/guard/graph", id=hit.id), _LINE),
}
# fmt: on
_ORDER = tuple(KINDS)
_SCORES = {4: 1.0, 3: 0.9, 2: 0.8, 1: 0.7}
_IN_TEXT = 0.6
_WHY = {
    4: "Its {name} is what you asked for",
    3: "Its {name} begins with your words",
    2: "Your words are in its {name}",
    1: "Your words are inside words of its {name}",
}


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

    @property
    def best_first(self) -> tuple[Hit, ...]:
        """The hits of all doors in one list: the best first, of equal ones the newest."""
        every = (hit for group in self.groups for hit in group.hits)
        return tuple(sorted(every, key=self._order))

    def _order(self, hit: Hit) -> tuple[float, float, int]:
        moment = -hit.at.timestamp() if hit.at else 0.0
        return -judged(hit, self.terms)[0], moment, _ORDER.index(hit.kind)


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
        if not asked.terms:
            return Matches((), (), ())
        asking: dict[Source, Callable[[], Awaitable[Sequence[Hit]]]] = {
            source: partial(search, asked) for source, search in self._sources.items()
        }
        hits, missed = await ask_all(asking, seconds=self._seconds)
        problems = tuple(SearchProblem(name, *why) for name, why in missed.items())
        return Matches(asked.terms, grouped(hits, asked), problems)


async def ask_all(
    sources: Mapping[S, Callable[[], Awaitable[Sequence[T]]]], *, seconds: float | None = None
) -> tuple[list[T], dict[S, tuple[str, str | None]]]:
    """Ask everywhere at once: what was found, and where nobody could look, with why and a hint."""
    found: list[T] = []
    missed: dict[S, tuple[str, str | None]] = {}

    async def ask(source: S, look: Callable[[], Awaitable[Sequence[T]]]) -> None:
        try:
            with anyio.fail_after(seconds):
                found.extend(await look())
        except TimeoutError:
            missed[source] = (f"It took longer than {seconds:g} seconds", None)
        except PaigeError as error:
            missed[source] = (error.message, error.hint)
        except Exception:
            # Whatever is wrong in one room must not hide what the others found.
            logger.exception("What is in %s could not be read", source)
            missed[source] = ("It failed inside; the server's log says why", None)

    async with anyio.create_task_group() as tasks:
        for source, look in sources.items():
            tasks.start_soon(ask, source, look)
    return found, {source: missed[source] for source in sources if source in missed}


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
        for kind in _ORDER
        if (found := kinds.get(kind))
    ]
    return tuple(sorted(groups, key=lambda group: worth(group.hits[0])))


def judged(hit: Hit, terms: Sequence[str]) -> tuple[float, str]:
    """How well a hit fits, from 0 to 1, and why it was found."""
    place = rank(hit.title, terms)
    name = KINDS[hit.kind].title
    if place:
        return _SCORES[place], _WHY[place].format(name=name)
    if hit.held is None or hit.held >= len(terms):
        return _IN_TEXT, "Your words are in its text"
    share = hit.held / len(terms)
    return round(_IN_TEXT * share, 3), f"{hit.held} of your {len(terms)} words are in its text"


def _worth(hit: Hit, terms: Sequence[str]) -> float:
    return -judged(hit, terms)[0]
