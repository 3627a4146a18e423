"""How somebody likes to study, changed by a door; and the last result taken back."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from paige.app.study_asked import ProfileChange
from paige.app.study_room import Around
from paige.base.errors import Conflict, NotFound
from paige.learner.changes import Change, counting
from paige.learner.files import LearnerFiles
from paige.learner.profile import Profile
from paige.learner.progress import Progress
from paige.study.belonging import with_class
from paige.study.courses.loading import course_names, load_course
from paige.study.preferences import preferences_of, with_preferences
from paige.study.session.ports import TakenBack
from paige.study.session.room import LearnerView, learner_root, read_learner


@dataclass(frozen=True, slots=True)
class ProfileSeen:
    """A profile as it stands in its file; `titles` are those of all courses."""

    learner: str | None
    file: str
    view: LearnerView
    titles: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Undone:
    """A result that was taken back, and what is known of its concept since."""

    change: Change
    taken: TakenBack


def profile_of(around: Around, _: datetime, *, learner: str | None) -> ProfileSeen:
    """How somebody likes to study; what could not be read is a problem in it."""
    root = learner_root(learner)
    documents = around.documents
    titles = {name: load_course(documents, name).title for name in course_names(documents)}
    place = str(documents.root / root / "profile.json")
    return ProfileSeen(learner, place, read_learner(documents, root), titles)


def change_profile(
    around: Around, now: datetime, *, learner: str | None, change: ProfileChange
) -> ProfileSeen:
    """Change a profile. Raises: BadInput, NotFound; BrokenFile when it has to be mended first."""
    known = course_names(around.documents)
    for name in change.exams or ():
        if name not in known:
            raise NotFound(f"There is no course `{name}`", hint=f"There are: {', '.join(known)}.")
    files = LearnerFiles(around.documents, root=learner_root(learner))
    files.update_profile(lambda profile: changed(profile, change))
    return profile_of(around, now, learner=learner)


def changed(profile: Profile, change: ProfileChange) -> Profile:
    """The profile with what should be otherwise. Raises: BadInput."""
    preferred = profile.preferred if change.preferred is None else change.preferred
    avoided = profile.avoided if change.avoided is None else change.avoided
    minutes, style = change.session_minutes, change.explanation_style
    made = replace(
        profile,
        session_duration_minutes=minutes or profile.session_duration_minutes,
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
    around: Around, now: datetime, *, course: str, learner: str | None, change: str | None
) -> Undone:
    """Take the last result of a course back; `change` is the one that was seen, if it was named.

    Raises: NotFound when there is none, Conflict when another one is the last by now.
    """
    root = learner_root(learner)
    found = load_course(around.documents, course)
    view = read_learner(around.documents, root)
    files = LearnerFiles(around.documents, view.preferences.thresholds(course), root=root)
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
    return Undone(last, taken)
