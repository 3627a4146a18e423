"""Shapes of what is found across all doors, and of what waits behind them."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from paige.server.wire import Asked, Wire

MOST_QUERY = 500
MOST_HITS = 50
Door = Literal["plan", "study", "coach", "guard", "memory"]
HitKind = Literal[
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
SearchSource = Literal[
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
NoticeKind = Literal["question", "reviews", "coaching", "proposal", "shadow", "blocked"]
NoticeSource = Literal["questions", "reviews", "coaching", "guards", "orchestra"]


class SearchPart(Wire):
    """A piece of a text; `hit` says that it is one of the words looked for."""

    text: str
    hit: bool


class SearchHit(Wire):
    """Something that was found; `link` is the page of the web app that shows it."""

    id: str
    title: list[SearchPart]
    snippet: list[SearchPart]
    within: str
    at: datetime | None
    link: str


class SearchGroup(Wire):
    """Hits of one kind, best first; `more` says that there are others."""

    kind: HitKind
    door: Door
    hits: list[SearchHit]
    more: bool


class SearchProblem(Wire):
    """Something that could not be searched, and why."""

    source: SearchSource
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
