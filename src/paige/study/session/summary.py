"""What a session came to, and what comes next."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from paige.exercise.values import Modality
from paige.learner.cards import dump_moment
from paige.learner.progress import Progress
from paige.study.courses.values import Course
from paige.study.plan_values import Preview
from paige.study.session.state import Done, SessionState


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """A session in numbers and lines. `share` is of everything that was measured."""

    session: str
    course: str
    kind: str
    minutes: float
    planned_minutes: int
    exercises: tuple[Done, ...]
    share: float | None
    unaided: int
    checks_right: int
    checks: int
    mastered: tuple[str, ...]
    skipped: tuple[str, ...]
    dropped: tuple[str, ...]
    modalities: Mapping[Modality, int]
    errors: tuple[tuple[str, int], ...]
    preview: Preview | None
    says: tuple[str, ...]


def summarise(
    state: SessionState, course: Course, progress: Mapping[str, Progress], now: datetime
) -> Summary:
    """What a session came to."""
    # Planning needs NumPy, which no other step of a session needs.
    from paige.study.planning import preview  # noqa: PLC0415

    measured = [each for each in state.done if each.gradable]
    share = sum(each.share for each in measured) / len(measured) if measured else None
    ahead = preview(course, progress, now)
    errors = Counter(kind for each in state.done for kind in each.errors)
    mastered = tuple(each.concept_id for each in state.done if each.mastered)
    return Summary(
        session=state.session,
        course=state.course,
        kind=state.kind,
        minutes=round(state.spent / 60, 1),
        planned_minutes=state.minutes,
        exercises=state.done,
        share=None if share is None else round(share, 4),
        unaided=sum(not each.hints_used and not each.answer_shown for each in measured),
        checks_right=sum(each.correct for each in state.checks),
        checks=len(state.checks),
        mastered=mastered,
        skipped=state.skipped,
        dropped=state.dropped,
        modalities=Counter(each.modality for each in state.done),
        errors=tuple(errors.most_common(3)),
        preview=ahead,
        says=_lines(state, course, share, mastered, ahead),
    )


def dump_summary(summary: Summary) -> dict[str, object]:
    """A summary as JSON values."""
    return {
        "session": summary.session,
        "course": summary.course,
        "kind": summary.kind,
        "minutes": summary.minutes,
        "planned_minutes": summary.planned_minutes,
        "exercises": [dump_done(each) for each in summary.exercises],
        "share": summary.share,
        "unaided": summary.unaided,
        "checks": {"right": summary.checks_right, "asked": summary.checks},
        "mastered": list(summary.mastered),
        "skipped": list(summary.skipped),
        "dropped": list(summary.dropped),
        "modalities": dict(summary.modalities),
        "errors": [{"type": kind, "count": count} for kind, count in summary.errors],
        "next": dump_preview(summary.preview) if summary.preview else None,
        "says": list(summary.says),
    }


def dump_preview(preview: Preview) -> dict[str, object]:
    """What comes next as JSON values."""
    return {
        "next_due": None if preview.next_due is None else dump_moment(preview.next_due),
        "due_tomorrow": preview.due_tomorrow,
        "due_this_week": preview.due_this_week,
        "next_new": list(preview.next_new),
    }


def dump_done(done: Done) -> dict[str, object]:
    """An exercise of a session as JSON values."""
    return {
        "exercise_id": done.exercise_id,
        "change_id": done.change_id,
        "concept": done.concept_id,
        "type": done.type,
        "modality": done.modality,
        "bloom": done.bloom,
        "share": round(done.share, 4),
        "rating": done.rating,
        "hints_used": done.hints_used,
        "answer_shown": done.answer_shown,
        "seconds": round(done.seconds, 1),
        "due": None if done.due is None else dump_moment(done.due),
        "mastered": done.mastered,
    }


def preview_lines(preview: Preview, course: Course, now: datetime) -> tuple[str, ...]:
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
    ahead: Preview,
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
