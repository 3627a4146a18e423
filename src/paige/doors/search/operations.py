"""What can be asked of everything at once: one search behind all doors, and what waits there."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from pydantic import Field

from paige.app.application import App
from paige.base.actor import LOCAL_TENANT
from paige.base.wire import wire
from paige.doors.frame.operations import Subject
from paige.doors.search.finder import (
    KINDS,
    MOST_HITS,
    MOST_QUERY,
    Door,
    Finder,
    Group,
    Hit,
    Kind,
    Matches,
    SearchProblem,
    judged,
)
from paige.doors.search.notices import Notices, what_waits
from paige.doors.search.sources import open_finder, reading_as
from paige.doors.search.words import TextPart, marked


@dataclass(slots=True)
class Search:
    """What a person can search: whatever they may not see is not in it."""

    app: App
    _finder: Finder | None = None

    async def find(self, words: str, limit: int) -> Matches:
        """Look behind every door. Raises: BadInput."""
        if self._finder is None:
            self._finder = open_finder(self.app)
        return await self._finder.find(words, limit=limit)


@asynccontextmanager
async def open_search(app: App) -> AsyncIterator[Search]:
    """The search of a person; what it looks into is opened when they first look for something."""
    yield Search(app)


SEARCH = Subject("search", opens=open_search, by_roles=True)


@wire
class SearchRequest:
    """Words, all of which must be there, and how many hits of each kind."""

    q: Annotated[str, Field(max_length=MOST_QUERY)] = ""
    limit: Annotated[int, Field(ge=1, le=MOST_HITS)] = 10


@dataclass(frozen=True, slots=True)
class SearchHit:
    """Something that was found."""

    id: str
    title: tuple[TextPart, ...]
    snippet: tuple[TextPart, ...]
    within: str
    """What it is a part of."""
    origin: str
    """Where it is from, in words."""
    why: str
    """Why it was found."""
    score: float
    """From 0 to 1; it compares hits of all kinds."""
    at: datetime | None
    link: str
    """The page of the web app that shows it."""


@dataclass(frozen=True, slots=True)
class SearchGroup:
    """Hits of one kind, best first; `more` says that there are others."""

    kind: Kind
    door: Door
    hits: tuple[SearchHit, ...]
    more: bool


@wire
class SearchResults:
    """What was found behind all doors, the best kind first."""

    groups: tuple[SearchGroup, ...]
    problems: tuple[SearchProblem, ...]


@wire(kw_only=True)
class BestRequest:
    """Words to look for; all of them must be there."""

    words: Annotated[str, Field(min_length=1, max_length=MOST_QUERY)]
    """All of them must be there."""
    limit: Annotated[int, Field(ge=1, le=MOST_HITS)] = 10
    """How many hits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestFor(BestRequest):
    """The same as somebody else would have it, or behind one door only."""

    door: Door | None = None
    reader: str | None = None
    tenant: str = LOCAL_TENANT


@dataclass(frozen=True, slots=True)
class BestHit:
    """Something that was found, where it is from and why it was found."""

    door: Door
    kind: Kind
    id: str
    title: str
    snippet: str
    origin: str
    why: str
    score: float
    at: datetime | None


@wire
class BestHits:
    """Hits of all doors in one list, the best first."""

    words: str
    hits: tuple[BestHit, ...]
    problems: tuple[SearchProblem, ...]


@SEARCH.read
async def find(search: Search, given: SearchRequest) -> SearchResults:
    """Search everything behind all doors that the person may see."""
    found = await search.find(given.q, given.limit)
    groups = tuple(_group(group, found, given.q) for group in found.groups)
    return SearchResults(groups, found.problems)


@SEARCH.read
async def find_best(search: Search, given: BestRequest) -> BestHits:
    """Search everything behind all doors that the person may see, as one list."""
    found = await search.find(given.words, given.limit)
    return _best(found, given.words, given.limit)


@SEARCH.read
async def find_as(search: Search, given: BestFor) -> BestHits:
    """Search as a reader has it, at the machine itself. Raises: NotFound, Refused."""
    async with reading_as(search.app, given.reader, tenant=given.tenant) as finder:
        found = await finder.find(given.words, limit=given.limit)
    return _best(found, given.words, given.limit, given.door)


@SEARCH.read
async def notices(search: Search) -> Notices:
    """Say what waits for the person behind every door."""
    return await what_waits(search.app)


def _group(group: Group, found: Matches, words: str) -> SearchGroup:
    hits = tuple(_hit(hit, found.terms, words) for hit in group.hits)
    return SearchGroup(group.kind, KINDS[group.kind].door, hits, group.more)


def _hit(hit: Hit, terms: Sequence[str], words: str) -> SearchHit:
    score, why = judged(hit, terms)
    return SearchHit(
        id=hit.id,
        title=marked(hit.title, terms),
        snippet=hit.snippet,
        within=hit.within,
        origin=KINDS[hit.kind].origin.format(hit=hit),
        why=why,
        score=score,
        at=hit.at,
        link=KINDS[hit.kind].link(hit, words),
    )


def _best(found: Matches, words: str, limit: int, door: Door | None = None) -> BestHits:
    fitting = [each for each in found.best_first if door in (None, KINDS[each.kind].door)]
    hits = tuple(_best_hit(each, found.terms) for each in fitting[:limit])
    return BestHits(words, hits, found.problems)


def _best_hit(hit: Hit, terms: Sequence[str]) -> BestHit:
    score, why = judged(hit, terms)
    return BestHit(
        door=KINDS[hit.kind].door,
        kind=hit.kind,
        id=hit.id,
        title=hit.title,
        snippet="".join(part.text for part in hit.snippet),
        origin=KINDS[hit.kind].origin.format(hit=hit),
        why=why,
        score=score,
        at=hit.at,
    )
