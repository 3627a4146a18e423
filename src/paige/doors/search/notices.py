"""What waits for a person behind every door: open questions, due reviews, sessions, guards.

A notice has an id that changes when there is something new about it, so that whoever has seen it is
told again only then. What was seen is known to the browser, not to the server: a look at a phone
says nothing about the screen at work.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import Literal

from anyio.to_thread import run_sync

from paige.agent.queries import OpenQuestion, open_questions
from paige.app.application import App
from paige.app.guards import listed
from paige.app.person_apps import place_for
from paige.base.errors import PaigeError
from paige.base.file_cache import FileCache
from paige.base.rights import Right, allows
from paige.base.wire import wire
from paige.coach.queries import recent_sessions
from paige.coach.records import CoachSession
from paige.doors.search.finder import ask_all, below, page
from paige.guard.fast.place import Place
from paige.guard.guards.files import read_records
from paige.guard.guards.history import history_files
from paige.guard.guards.values import GuardRecord
from paige.guard.learning.settings import PromotionLimits, read_learning
from paige.guard.trust import find_config
from paige.learner.files import LearnerFiles
from paige.learner.schedule import day_of
from paige.orchestra.board import read_board
from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import course_names, load_course
from paige.study.session.context import LearnerView, read_learner
from paige.study.session_plan import due_concepts

MOST = 50
"""So many of each kind are named: who has more has other worries than a list."""
PROGRESS, GUARDS = ".claude/progress", "guards"
"""Where an orchestra and guards keep their files; known here, so that nothing is imported."""
Door = Literal["plan", "study", "coach", "guard"]
Kind = Literal["question", "reviews", "coaching", "proposal", "shadow", "blocked"]
Source = Literal["questions", "reviews", "coaching", "guards", "orchestra"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something that waits for the person; another `id` means there is something new about it."""

    id: str
    kind: Kind
    door: Door
    title: str
    """What it is about."""
    detail: str = ""
    """What is asked, in its own words."""
    count: int = 1
    since: datetime | None = None
    link: str
    """The page of the web app where something can be done about it."""


@dataclass(frozen=True, slots=True)
class NoticeProblem:
    """Where nobody could look, and why."""

    source: Source
    message: str
    hint: str | None = None


@wire
class Notices:
    """Everything that waits, questions first, then the newest first."""

    notices: tuple[Notice, ...]
    problems: tuple[NoticeProblem, ...] = ()


Look = Callable[[App], Awaitable[Sequence[Notice]]]


async def what_waits(app: App) -> Notices:
    """Look behind every door at once; one that cannot be opened does not hide the others."""
    asking: dict[Source, Callable[[], Awaitable[Sequence[Notice]]]] = {
        source: partial(look, app)
        for source, (right, look) in SOURCES.items()
        if not app.settings.many or allows(app.actor.roles, right)
    }
    found, missed = await ask_all(asking)
    problems = tuple(NoticeProblem(source, *why) for source, why in missed.items())
    return Notices(in_order(found), problems)


def in_order(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """Questions first, since somebody stands still; then the newest first."""
    return tuple(
        sorted(
            notices,
            key=lambda each: (each.kind != "question", -_seconds(each.since), each.id),
        )
    )


async def _questions(app: App) -> list[Notice]:
    rows = await app.database.read(partial(open_questions, limit=MOST), app.actor)
    return [_question(row) for row in rows]


async def _coaching(app: App) -> list[Notice]:
    ask = partial(recent_sessions, status="active", limit=MOST)
    return [_session(row) for row in await app.database.read(ask, app.actor)]


async def _reviews(app: App) -> list[Notice]:
    return await run_sync(reviews_in, app.settings.teaching_dir, app.now())


async def _guards(app: App) -> list[Notice]:
    return await run_sync(_guard_notices, app)


async def _orchestra(app: App) -> list[Notice]:
    return await run_sync(_blocked, app)


SOURCES: Mapping[Source, tuple[Right, Look]] = {
    "questions": ("plan", _questions),
    "reviews": ("study", _reviews),
    "coaching": ("coach", _coaching),
    "guards": ("guard", _guards),
    "orchestra": ("orchestra", _orchestra),
}


def reviews_in(teaching: Path, now: datetime) -> list[Notice]:
    """Courses of the usual learner with something to review, in a thread."""
    if not (teaching / "learner").is_dir():
        return []
    return [
        Notice(
            # Who has seen today's reviews is told again tomorrow, not after each answer.
            id=f"reviews:{each.course}:{each.day}",
            kind="reviews",
            door="study",
            link=below("/study", each.course),
            title=each.title,
            count=each.count,
            since=each.since,
        )
        for each in due_reviews(DirectoryDocuments(teaching), now)
    ]


def _guard_notices(app: App) -> list[Notice]:
    place = _place(app)
    if not any(each.is_dir() for each in guard_places(place)):
        return []
    records = read_records(place)
    found = [_guard(each) for each in records if each.standing == "proposed"]
    shadows = [each for each in records if each.standing == "shadow"]
    if shadows:
        least = read_learning(place).promotion
        versions = tuple((each.id, each.current.version) for each in shadows)
        files = history_files(Path(place.data))
        key = (place.root, versions, least)
        found += map(_guard, _watched.get(key, files, partial(_watched_enough, app, least)))
    return found


_watched: FileCache[list[GuardRecord]] = FileCache()


def _watched_enough(app: App, least: PromotionLimits) -> list[GuardRecord]:
    """Guards in shadow that saw as much as a promotion needs."""
    return [
        each.record
        for each in listed(app).guards
        if each.record.standing == "shadow"
        and each.shadowed.events >= least.least_shadow_events
        and each.shadowed.hits >= least.least_shadow_hits
    ]


def _blocked(app: App) -> list[Notice]:
    root = Path(_place(app).root)
    if not (root / PROGRESS).is_dir():
        return []
    board = read_board(root, app.settings.data_dir)
    return [
        Notice(
            id=f"blocked:{board.project}:{card.id}:{card.attempts}",
            kind="blocked",
            door="guard",
            link="/guard/orchestra",
            title=card.title,
            detail=card.reason,
            since=card.since,
        )
        for card in board.features
        if card.state == "blocked"
    ]


def guard_places(place: Place) -> list[Path]:
    """The folders that hold guards, or folders of them, if there are any."""
    here = [Path(place.root) / ".ai" / GUARDS, Path(place.data) / "guard" / "proposals"]
    config = find_config(place)
    return [*here, config / GUARDS] if config else here


def _place(app: App) -> Place:
    return place_for(app.settings, app.actor)


def _question(row: OpenQuestion) -> Notice:
    asked = row.interaction.get("title")
    return Notice(
        id=f"question:{row.run}:{row.gate}:{row.revision}",
        kind="question",
        door="coach" if row.door == "coach" else "plan",
        link="/coach" if row.door == "coach" else page("/plan", session=row.session),
        title=row.title or "",
        detail=asked if isinstance(asked, str) else "",
        since=row.opened_at,
    )


def _session(row: CoachSession) -> Notice:
    return Notice(
        id=f"coaching:{row.id}",
        kind="coaching",
        door="coach",
        link="/coach",
        title=row.issue_title or "",
        since=row.started_at,
    )


def _guard(record: GuardRecord) -> Notice:
    return Notice(
        id=f"guard:{record.id}:{record.current.version}:{record.current.stage}",
        kind="proposal" if record.standing == "proposed" else "shadow",
        door="guard",
        link=page("/guard/guards", id=record.id),
        title=record.id,
        detail=record.guard.message,
        since=record.current.since,
    )


def _seconds(moment: datetime | None) -> float:
    return moment.timestamp() if moment else 0.0


@dataclass(frozen=True, slots=True)
class DueReviews:
    """A course with how much of it is due on a day, and since when."""

    course: str
    title: str
    count: int
    day: date
    since: datetime | None


def due_reviews(documents: DirectoryDocuments, now: datetime) -> list[DueReviews]:
    """Every begun course of the usual learner with something due; files are read, none written."""
    who = read_learner(documents)
    known = set(course_names(documents))
    found: list[DueReviews] = []
    for name in LearnerFiles(documents).courses():
        if name not in known:
            continue
        try:
            due = _due(documents, name, who, now)
        except PaigeError:  # the Study door says what is wrong with it
            continue
        if due.count:
            found.append(due)
    return found


def _due(documents: DirectoryDocuments, name: str, who: LearnerView, now: datetime) -> DueReviews:
    course = load_course(documents, name)
    scheduling = who.preferences.scheduling(name)
    progress = LearnerFiles(documents, who.preferences.thresholds(name)).read(name).progress
    due = due_concepts(course, progress, now, scheduling)
    cards = [progress[each].card for each in due]
    since = min((card.due for card in cards if card is not None), default=None)
    return DueReviews(name, course.title, len(due), day_of(now, scheduling.zone), since)
