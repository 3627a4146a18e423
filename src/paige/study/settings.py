"""How somebody likes to study, and how it is changed; and the last result taken back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field

from paige.base.errors import Conflict, NotFound
from paige.base.wire import WIRE
from paige.exercise.values import Modality
from paige.learner.changes import counting
from paige.learner.files import LearnerFiles
from paige.learner.profile import Profile
from paige.learner.progress import Progress
from paige.store.documents import DirectoryDocuments
from paige.study.belonging import class_of, with_class
from paige.study.courses.loading import course_names, load_course
from paige.study.preferences import preferences_of, with_preferences
from paige.study.session.context import LearnerView, learner_root, read_learner
from paige.study.session.ports import TakenBack
from paige.study.session.view import StudyProblem, problems_of

Style = Literal["examples_first", "explanation_first"]


@dataclass(frozen=True, slots=True)
class StudyCourseWish:
    """What the profile says about one course."""

    name: str
    title: str
    exam: date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyProfile:
    """How somebody likes to study. `problems` say why usual values stand in for the file's."""

    __pydantic_config__ = WIRE

    learner: str | None
    file: str
    session_minutes: int
    explanation_style: str
    preferred: tuple[Modality, ...]
    avoided: tuple[Modality, ...]
    goes_best: Modality | None
    goes_worst: Modality | None
    used_most: Modality | None
    retention: float
    easy_days: tuple[float, ...]
    """Seven shares, Monday first; 1 is an ordinary day."""
    balance: bool
    zone: str
    class_id: str
    """Empty where the learner is in no class."""
    courses: tuple[StudyCourseWish, ...]
    problems: tuple[StudyProblem, ...]
    view: Annotated[LearnerView, Field(exclude=True)]
    """The profile and the preferences as they stand in the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyProfileChange:
    """What should be otherwise in a profile; what is left out stays."""

    __pydantic_config__ = WIRE

    learner: Annotated[str | None, Field(max_length=100)] = None
    session_minutes: int | None = None
    explanation_style: Style | None = None
    preferred: tuple[Modality, ...] | None = None
    """The whole list."""
    avoided: tuple[Modality, ...] | None = None
    """The whole list."""
    retention: float | None = None
    easy_days: Annotated[tuple[float, ...] | None, Field(min_length=7, max_length=7)] = None
    balance: bool | None = None
    zone: Annotated[str | None, Field(max_length=100)] = None
    class_id: Annotated[str | None, Field(max_length=60)] = None
    """Empty for no class."""
    exams: Mapping[str, date | None] | None = None
    """Days by course, nothing for no exam."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyUndone:
    """The result that was taken back."""

    __pydantic_config__ = WIRE

    change_id: str
    exercise_id: str
    concept: str
    title: str
    modality: Modality | None
    recorded: datetime


def read_profile(documents: DirectoryDocuments, learner: str | None) -> StudyProfile:
    """How somebody likes to study; what could not be read is a problem in it."""
    root = learner_root(learner)
    titles = {name: load_course(documents, name).title for name in course_names(documents)}
    view = read_learner(documents, root)
    profile, preferences, problems = view
    found = profile.auto_detected
    return StudyProfile(
        learner=learner,
        file=str(documents.root / root / "profile.json"),
        session_minutes=profile.session_duration_minutes,
        explanation_style=profile.explanation_style,
        preferred=profile.preferred,
        avoided=profile.avoided,
        goes_best=found.highest_performance,
        goes_worst=found.lowest_performance,
        used_most=found.most_engaged,
        retention=preferences.retention,
        easy_days=preferences.easy_days,
        balance=preferences.balance,
        zone=preferences.zone,
        class_id=class_of(profile),
        courses=tuple(
            StudyCourseWish(name, title, preferences.exams.get(name))
            for name, title in titles.items()
        ),
        problems=problems_of(problems),
        view=view,
    )


def change_profile(documents: DirectoryDocuments, change: StudyProfileChange) -> StudyProfile:
    """Change a profile. Raises: BadInput, NotFound; BrokenFile when it has to be mended first."""
    known = course_names(documents)
    for name, day in (change.exams or {}).items():
        if day is not None and name not in known:
            raise NotFound(f"There is no course `{name}`", hint=f"There are: {', '.join(known)}.")
    files = LearnerFiles(documents, root=learner_root(change.learner))
    files.update_profile(lambda profile: changed(profile, change))
    return read_profile(documents, change.learner)


def changed(profile: Profile, change: StudyProfileChange) -> Profile:
    """The profile with what should be otherwise. Raises: BadInput."""
    preferred = profile.preferred if change.preferred is None else change.preferred
    avoided = profile.avoided if change.avoided is None else change.avoided
    minutes, style = change.session_minutes, change.explanation_style
    made = replace(
        profile,
        session_duration_minutes=(profile.session_duration_minutes if minutes is None else minutes),
        explanation_style=style or profile.explanation_style,
        preferred=tuple(dict.fromkeys(preferred)),
        avoided=tuple(dict.fromkeys(avoided)),
    )
    if change.class_id is not None:
        made = with_class(made, change.class_id)
    wanted = {
        "retention": change.retention,
        "easy_days": change.easy_days,
        "balance": change.balance,
        "zone": change.zone,
    }
    given = {name: value for name, value in wanted.items() if value is not None}
    if not given and change.exams is None:
        return made
    preferences = preferences_of(profile)
    exams = {**preferences.exams, **(change.exams or {})}
    days = {name: day for name, day in exams.items() if day is not None}
    return with_preferences(made, replace(preferences, exams=days, **given))  # type: ignore[arg-type] - by name


def undo_last(
    documents: DirectoryDocuments,
    now: datetime,
    *,
    course: str,
    learner: str | None,
    change: str | None,
) -> tuple[StudyUndone, TakenBack]:
    """Take the last result of a course back; also what the coach has to know of it.

    `change` is the result that was seen, if it was named.

    Raises: NotFound when there is none, Conflict when another one is the last by now.
    """
    root = learner_root(learner)
    found = load_course(documents, course)
    view = read_learner(documents, root)
    files = LearnerFiles(documents, view.preferences.thresholds(course), root=root)
    changes = files.changes(course)
    counted = counting(changes)
    if not counted:
        raise NotFound(f"Nothing was recorded in `{course}` yet", hint="There is nothing to undo.")
    last = counted[-1]
    if change is not None and last.id != change:
        raise Conflict(
            "Another result is the last one by now", hint="Look at it before you take it back."
        )
    new_id = f"{last.id}.undo-{sum(each.undoes == last.id for each in changes) + 1}"
    result = last.result
    assert result is not None  # only results count
    concept = found.concepts.get(result.concept_id)
    nothing = Progress(concept_id=result.concept_id)
    had = files.read(course).progress
    left = files.undo(course, last.id, new_id=new_id, now=now, reason="undone by the learner")
    taken = TakenBack(
        course=course,
        concept_id=result.concept_id,
        title=concept.title if concept else result.concept_id,
        exercise_id=result.exercise_id,
        at=last.at,
        had=had.get(result.concept_id, nothing),
        left=left.progress.get(result.concept_id, nothing),
    )
    undone = StudyUndone(
        change_id=last.id,
        exercise_id=result.exercise_id,
        concept=result.concept_id,
        title=taken.title,
        modality=result.modality,
        recorded=last.at,
    )
    return undone, taken
