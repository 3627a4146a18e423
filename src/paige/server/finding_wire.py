"""Shapes of what is found across all doors, and of what waits behind them."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from paige.app.finding import MOST_HITS, MOST_QUERY, Door, Kind, Source
from paige.server.wire import Asked, Wire

NoticeKind = Literal["question", "reviews", "coaching", "proposal", "shadow", "blocked"]
NoticeSource = Literal["questions", "reviews", "coaching", "guards", "orchestra"]


class SearchPart(Wire):
    """A piece of a text; `hit` says that it is one of the words looked for."""

    text: str
    hit: bool


class SearchHit(Wire):
    """Something that was found; `link` is the page of the web app that shows it.

    `origin` says where it is from, `why` why it was found. `score` is from 0 to 1 and compares hits
    of all kinds.
    """

    id: str
    title: list[SearchPart]
    snippet: list[SearchPart]
    within: str
    origin: str
    why: str
    score: float
    at: datetime | None
    link: str


class SearchGroup(Wire):
    """Hits of one kind, best first; `more` says that there are others."""

    kind: Kind
    door: Door
    hits: list[SearchHit]
    more: bool


class SearchProblem(Wire):
    """Something that could not be searched, and why."""

    source: Source
    message: str
    hint: str | None


class SearchFound(Wire):
    """What was found behind all doors, the best kind first."""

    groups: list[SearchGroup]
    problems: list[SearchProblem]


class SearchAsked(Asked):
    """What is looked for, and how many hits of each kind."""

    q: str = Field(default="", max_length=MOST_QUERY)
    limit: int = Field(default=10, ge=1, le=MOST_HITS)


class Notice(Wire):
    """Something that waits for the person; another `id` means there is something new about it."""

    id: str
    kind: NoticeKind
    door: Door
    title: str
    detail: str
    count: int
    since: datetime | None
    link: str


class NoticeProblem(Wire):
    """Where nobody could look, and why."""

    source: NoticeSource
    message: str
    hint: str | None


class Notices(Wire):
    """Everything that waits, questions first, then the newest first."""

    notices: list[Notice]
    problems: list[NoticeProblem]


OUT = (SearchFound, Notices)
