"""How somebody likes to study, and how it is changed; the last result taken back, and the
forgetting curve of their own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Annotated, Literal

from pydantic import Field

from paige.base.errors import Conflict, NotFound
from paige.base.wire import wire
from paige.exercise.values import Modality
from paige.learner.changes import counting, order_of
from paige.learner.curve_fit import Fit, fit_parameters
from paige.learner.files import LearnerFiles
from paige.learner.json_files import StudyProblem
from paige.learner.profile import Profile
from paige.learner.progress import Progress
from paige.learner.schedule import LESSONS, Review
from paige.store.documents import DirectoryDocuments, Documents
from paige.study.courses.catalogue import course_names, load_course
from paige.study.preferences import (
    Preferences,
    class_of,
    preferences_of,
    with_class,
    with_preferences,
)
from paige.study.session.context import LearnerView, Retraction, learner_root, read_learner
from paige.study.session.view import problems_of


@dataclass(frozen=True, slots=True)
class FitResult:
    """What came of fitting: the numbers, and whether the profile was changed."""

    fit: Fit
    own_before: bool


def fit_learner(documents: Documents, root: str) -> FitResult:
    """Fit the curve of a learner, and keep it if it is better. Raises: BadInput, BrokenFile."""
    files = LearnerFiles(documents, root=root)
    before = preferences_of(files.profile())
    fit = fit_parameters(_reviews(files), before.parameters)
    if fit.adopted:
        _keep(files, fit.parameters)
    return FitResult(fit, before.parameters != LESSONS.parameters)


def forget_curve(documents: Documents, root: str) -> None:
    """Go back to the usual curve. Raises: BadInput, BrokenFile."""
    _keep(LearnerFiles(documents, root=root), LESSONS.parameters)


def _keep(files: LearnerFiles, parameters: tuple[float, ...]) -> None:
    def changed(known: Preferences) -> Preferences:
        return replace(known, parameters=parameters)

    files.update_profile(
        lambda profile: with_preferences(profile, changed(preferences_of(profile)))
    )


def _reviews(files: LearnerFiles) -> Iterator[Review]:
    cards: dict[tuple[str, str], int] = {}
    for course in files.courses():
        for change in counting(files.changes(course)):
            if change.result is not None and change.result.fsrs_rating is not None:
                card = cards.setdefault((course, change.result.concept_id), len(cards))
                yield Review(card, change.result.fsrs_rating, order_of(change)[0])


Style = Literal["examples_first", "explanation_first"]


@dataclass(frozen=True, slots=True)
class StudyCourseWish:
    """What the profile says about one course."""

    name: str
    title: str
    exam: date | None


@wire(kw_only=True)
class StudyProfile:
    """How somebody likes to study. `problems` say why usual values stand in for the file's."""

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


@wire(kw_only=True)
class StudyProfileChange:
    """What should be otherwise in a profile; what is left out stays."""

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


@wire(kw_only=True)
class StudyUndone:
    """The result that was taken back."""

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
) -> tuple[StudyUndone, Retraction]:
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
    taken = Retraction(
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
