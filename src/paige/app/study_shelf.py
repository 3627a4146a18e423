"""What is there between sessions: courses, progress, settings. Everything happens in threads."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from anyio.to_thread import run_sync

from paige.app.study_asked import ProfileChange, Where
from paige.app.study_courses import Download, begin_course, give_out, take_in
from paige.app.study_overview import (
    CourseSeen,
    CourseToday,
    Today,
    course_seen,
    one_course,
    report_of,
    today,
)
from paige.app.study_room import Around
from paige.app.study_settings import ProfileSeen, Undone, change_profile, profile_of, undo_last
from paige.base.clock import Clock
from paige.learner.json_files import FileProblem
from paige.study.courses.exporting import ExportForm
from paige.study.courses.importing import ImportForm, Taken, Upload
from paige.study.messages import StudyChanged
from paige.study.report import Report, dump_report

T = TypeVar("T")
Tell = Callable[[StudyChanged], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Reported:
    """How far somebody is in a course, and files that need a hand."""

    report: Report
    problems: tuple[FileProblem, ...]

    def dump(self) -> dict[str, Any]:
        """The report as JSON values, as every door shows it."""
        return dump_report(self.report)


class StudyShelf:
    """Courses, progress and settings of everybody who uses this server."""

    def __init__(self, around: Around, now: Clock, tell: Tell) -> None:
        self._around = around
        self._now = now
        self._tell = tell

    async def today(self, learner: str | None) -> Today:
        """Everything a learner sees first. Raises: BadInput."""
        return await self._use(partial(today, learner=learner))

    async def course(self, name: str, learner: str | None) -> CourseSeen:
        """One course in full. Raises: NotFound, BadInput."""
        return await self._use(partial(course_seen, name=name, learner=learner))

    async def begin(self, name: str, template: str, title: str | None) -> CourseSeen:
        """A new course. Raises: NotFound, BadInput, Conflict."""
        await self._use(partial(begin_course, name=name, template=template, title=title))
        await self._tell(StudyChanged(course=name))
        return await self.course(name, None)

    async def take_in(
        self, form: ImportForm, upload: Upload, name: str, learner: str | None
    ) -> tuple[Taken, CourseToday]:
        """A deck, a table or a zipped track as a course. Raises: BadInput, Conflict."""
        work = partial(take_in, form=form, upload=upload, name=name, learner=learner)
        taken = await self._use(work)
        made = taken.course.name
        await self._tell(StudyChanged(course=made, learner=learner))
        return taken, await self._use(partial(one_course, name=made, learner=learner))

    async def give_out(self, where: Where, form: ExportForm, home: str) -> Download:
        """A course for another program. Raises: NotFound, BadInput."""
        course = where.course or ""
        work = partial(give_out, course=course, form=form, learner=where.learner, home=home)
        return await self._use(work)

    async def report(self, name: str, learner: str | None) -> Reported:
        """How far somebody is in a course. Raises: NotFound, BadInput."""
        return Reported(*await self._use(partial(report_of, name=name, learner=learner)))

    async def profile(self, learner: str | None) -> ProfileSeen:
        """How somebody likes to study. Raises: BadInput."""
        return await self._use(partial(profile_of, learner=learner))

    async def change_profile(self, learner: str | None, change: ProfileChange) -> ProfileSeen:
        """Change that. Raises: BadInput, NotFound, BrokenFile."""
        seen = await self._use(partial(change_profile, learner=learner, change=change))
        await self._tell(StudyChanged(learner=learner))
        return seen

    async def undo(self, where: Where, change: str | None) -> Undone:
        """Take the last result of a course back. Raises: NotFound, Conflict."""
        course, learner = where.course or "", where.learner
        undone = await self._use(partial(undo_last, course=course, learner=learner, change=change))
        if learner is None and self._around.unheard is not None:
            await self._around.unheard(undone.taken)
        await self._tell(StudyChanged(course=course, learner=learner))
        return undone

    async def _use(self, work: Callable[[Around, datetime], T]) -> T:
        return await run_sync(work, self._around, self._now())
