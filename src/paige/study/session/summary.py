"""What a session came to, and what comes next."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from paige.exercise.values import Bloom, Modality, Rating
from paige.learner.progress import Progress
from paige.study.courses.values import Course
from paige.study.session.state import FinishedExercise, SessionState
from paige.study.session_plan import preview
from paige.study.values import ItemType, SessionKind, StudyPreview


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyDone:
    """An exercise of the session that is finished. `share` is from 0 to 1."""

    exercise_id: str
    change_id: str
    """Of the record, so that it can be undone."""
    concept: str
    type: ItemType
    modality: Modality
    bloom: Bloom
    share: float
    rating: Rating
    hints_used: int
    answer_shown: bool
    seconds: float
    due: datetime | None
    mastered: bool


@dataclass(frozen=True, slots=True)
class StudyChecks:
    """How the questions after lessons went."""

    right: int
    asked: int


@dataclass(frozen=True, slots=True)
class StudyCount:
    """How often an error came up."""

    type: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StudySummary:
    """What a session came to. `share` is of everything that was measured."""

    session: str
    course: str
    kind: SessionKind
    minutes: float
    planned_minutes: int
    exercises: tuple[StudyDone, ...]
    share: float | None
    unaided: int
    checks: StudyChecks
    mastered: tuple[str, ...]
    skipped: tuple[str, ...]
    dropped: tuple[str, ...]
    modalities: Mapping[str, int]
    errors: tuple[StudyCount, ...]
    next: StudyPreview | None
    says: tuple[str, ...]


def summarise(
    state: SessionState, course: Course, progress: Mapping[str, Progress], now: datetime
) -> StudySummary:
    """What a session came to."""
    measured = [each for each in state.done if each.gradable]
    share = sum(each.share for each in measured) / len(measured) if measured else None
    ahead = preview(course, progress, now)
    errors = Counter(kind for each in state.done for kind in each.errors)
    mastered = tuple(each.concept_id for each in state.done if each.mastered)
    return StudySummary(
        session=state.session,
        course=state.course,
        kind=state.kind,
        minutes=round(state.spent / 60, 1),
        planned_minutes=state.minutes,
        exercises=tuple(map(_done, state.done)),
        share=None if share is None else round(share, 4),
        unaided=sum(not each.hints_used and not each.answer_shown for each in measured),
        checks=StudyChecks(sum(each.correct for each in state.checks), len(state.checks)),
        mastered=mastered,
        skipped=state.skipped,
        dropped=state.dropped,
        modalities=Counter(each.modality for each in state.done),
        errors=tuple(StudyCount(*each) for each in errors.most_common(3)),
        next=ahead,
        says=_lines(state, course, share, mastered, ahead),
    )


def preview_lines(preview: StudyPreview, course: Course, now: datetime) -> tuple[str, ...]:
    """What comes next, as people read it."""
    lines: list[str] = []
    if preview.due_tomorrow:
        lines.append(f"Due by tomorrow: {preview.due_tomorrow}.")
    elif preview.next_due is not None:
        days = max((preview.next_due - now).days, 1)
        lines.append(f"Nothing is due before {preview.next_due:%A, %d %B} ({_days(days)}).")
    titles = [course.concept(name).title for name in preview.next_new]
    if titles:
        lines.append(f"New next time: {', '.join(titles)}.")
    return tuple(lines)


def _lines(
    state: SessionState,
    course: Course,
    share: float | None,
    mastered: tuple[str, ...],
    ahead: StudyPreview,
) -> tuple[str, ...]:
    lines: list[str] = []
    count = len(state.done)
    if share is not None:
        what = "exercise" if count == 1 else "exercises"
        lines.append(f"{count} {what} in {state.spent / 60:.0f} minutes, {share:.0%} right.")
    else:
        lines.append("Nothing was done this time; nothing is lost.")
    for name in mastered:
        lines.append(f"Mastered: {_title(course, name)}.")
    again = list(dict.fromkeys(each.concept_id for each in state.done if each.rating == 1))
    if again:
        titles = ", ".join(_title(course, name) for name in again)
        lines.append(f"Worth another look: {titles}.")
    if state.dropped:
        titles = ", ".join(_title(course, name) for name in dict.fromkeys(state.dropped))
        lines.append(f"No time was left for {titles}; that is for next time.")
    return (*lines, *preview_lines(ahead, course, state.moved))


def _title(course: Course, name: str) -> str:
    """The title of a concept, which may have been taken out of the course meanwhile."""
    concept = course.concepts.get(name)
    return concept.title if concept else name


def _days(days: int) -> str:
    return "in a day" if days == 1 else f"in {days} days"


def _done(done: FinishedExercise) -> StudyDone:
    return StudyDone(
        exercise_id=done.exercise_id,
        change_id=done.change_id,
        concept=done.concept_id,
        type=done.type,
        modality=done.modality,
        bloom=done.bloom,
        share=round(done.share, 4),
        rating=done.rating,
        hints_used=done.hints_used,
        answer_shown=done.answer_shown,
        seconds=round(done.seconds, 1),
        due=done.due,
        mastered=done.mastered,
    )
