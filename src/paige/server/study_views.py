"""From the Study door's inside values to what the REST API sends."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from paige.server import study_session_wire as steps
from paige.server import study_wire as wire
from paige.server.study_names import StudyProblem

if TYPE_CHECKING:  # these rooms are imported late, see `app/study_lazy.py`
    from paige.app.study_door import Seen, StudyDoor
    from paige.app.study_files import OpenedFile
    from paige.app.study_overview import ConceptSeen, CourseSeen, CourseToday, OpenSession, Today
    from paige.app.study_settings import ProfileSeen, Undone
    from paige.exercise.result import Result
    from paige.learner.json_files import FileProblem
    from paige.study.courses.importing import Taken
    from paige.study.report import Report
    from paige.study.values import Exercise

MOST_LISTED = 200


def problems_of(problems: Iterable["FileProblem"]) -> list[StudyProblem]:
    """Files that need a hand, each once."""
    return [
        StudyProblem(file=each.path, line=each.line, message=each.message, fix=each.fix)
        for each in dict.fromkeys(problems)
    ][:MOST_LISTED]


def today_of(today: "Today", door: "StudyDoor") -> wire.StudyToday:
    """The door at a glance."""
    speech, app = door.around.speech, door.app
    return wire.StudyToday(
        today=today.today,
        courses=[summary_of(each) for each in today.courses],
        due=today.due,
        streak=today.streak,
        days=[wire.StudyDay.model_validate(each) for each in today.days],
        templates=[wire.StudyTemplate.model_validate(each) for each in today.templates],
        provider=app.provider,
        local=door.around.models is None,
        speaks=bool(speech.speaker),
        hears=bool(speech.endpoint),
        folder=str(door.around.documents.root),
        problems=problems_of(today.problems),
    )


def summary_of(course: "CourseToday") -> wire.StudyCourseSummary:
    """A course in numbers."""
    about = course.overview
    return wire.StudyCourseSummary(
        name=about.name,
        title=about.title,
        description=about.description,
        domain=about.domain,
        concepts=about.concepts,
        items=about.items,
        vocabulary=about.vocabulary,
        shipped=about.shipped,
        begun=about.begun,
        due=course.due,
        ready=course.ready,
        mastered=course.mastered,
        minutes=course.minutes,
        exam=course.exam,
        open_session=_open_session(course.open),
        problems=problems_of(course.problems),
    )


def course_of(seen: "CourseSeen") -> wire.StudyCourse:
    """A course in full."""
    course, numbers = seen.course, seen.today
    config = course.config
    units = dict.fromkeys(each.unit for each in course.concepts.values() if each.unit)
    return wire.StudyCourse(
        name=course.name,
        title=course.title,
        description=config.description,
        domain=course.domain,
        shipped=course.is_shipped,
        begun=numbers.overview.begun,
        folder=seen.folder,
        minutes=numbers.minutes,
        source_language=config.languages.source if config.languages else None,
        target_language=config.languages.target if config.languages else None,
        code_language=config.code_language,
        weights={str(name): share for name, share in config.weights.items()},
        units=list(units),
        vocabulary=len(course.vocabulary),
        items=course.item_count,
        due=numbers.due,
        exam=numbers.exam,
        concepts=[_concept(each) for each in seen.concepts],
        open_session=_open_session(numbers.open),
        problems=problems_of(seen.problems),
    )


def imported_of(taken: "Taken", course: "CourseToday") -> wire.StudyImported:
    """What an import did."""
    return wire.StudyImported(
        course=summary_of(course),
        added=taken.added,
        there=taken.there,
        reviewed=taken.reviewed,
        differing=list(taken.differing[:MOST_LISTED]),
        left_out=list(taken.left_out[:MOST_LISTED]),
        remarks=list(taken.remarks[:MOST_LISTED]),
    )


def step_of(seen: "Seen", dumped: Mapping[str, Any]) -> steps.StudyStep:
    """A step; `dumped` is its view as the other doors show it."""
    exercise = dumped["exercise"]
    summary = dumped["summary"]
    fields = {
        **dumped,
        "exercise": None if exercise is None else {**exercise, **_exercise_more(seen)},
        "result": None if dumped["result"] is None else _result(dumped["result"]),
        "summary": None if summary is None else {**summary, "checks": summary["checks"]},
        "concepts": dict(seen.titles),
        "root": str(seen.root),
    }
    return steps.StudyStep.model_validate(fields)


def file_of(opened: "OpenedFile") -> steps.StudyFile:
    """A file with its text."""
    return steps.StudyFile.model_validate(opened)


def run_of(result: "Result") -> steps.StudyRun:
    """What tests say."""
    tests = [steps.StudyTest.model_validate(each) for each in result.tests]
    printed = [each.output.strip() for each in result.tests if each.output.strip()]
    return steps.StudyRun(
        passed=sum(each.status == "passed" for each in tests),
        total=len(tests),
        output="\n\n".join(dict.fromkeys((result.message, *printed, *result.remarks))),
        tests=tests,
    )


def undone_of(undone: "Undone") -> steps.StudyUndone:
    """A result that was taken back."""
    result = undone.change.result
    return steps.StudyUndone(
        change_id=undone.change.id,
        exercise_id=result.exercise_id if result else "",
        concept=result.concept_id if result else "",
        title=undone.taken.title,
        modality=result.modality if result else None,
        recorded=undone.change.at,
    )


def report_of(
    report: "Report", dumped: Mapping[str, Any], problems: Iterable["FileProblem"]
) -> wire.StudyReport:
    """How far somebody is; `dumped` is the report as the other doors show it."""
    days = sorted({*report.calendar, *report.minutes})
    calendar = [
        wire.StudyDay(
            day=day, exercises=report.calendar.get(day, 0), minutes=report.minutes.get(day, 0.0)
        )
        for day in days
    ]
    fields = {
        **dumped,
        "calendar": calendar,
        "errors": [_pattern(*each) for each in report.errors],
        "problems": problems_of(problems),
    }
    return wire.StudyReport.model_validate(fields)


def _pattern(kind: str, count: int) -> wire.StudyErrorPattern:
    from paige.exercise.taxonomy.names import find_kind  # noqa: PLC0415 - a late room

    known = find_kind(kind)
    return wire.StudyErrorPattern(
        type=kind,
        count=count,
        says=known.says if known else None,
        practise=known.practise if known else None,
    )


def profile_of(seen: "ProfileSeen") -> wire.StudyProfile:
    """How somebody likes to study."""
    from paige.study.belonging import class_of  # noqa: PLC0415 - a late room

    profile, preferences, problems = seen.view
    found = profile.auto_detected
    return wire.StudyProfile(
        learner=seen.learner,
        file=seen.file,
        session_minutes=profile.session_duration_minutes,
        explanation_style=profile.explanation_style,
        preferred=list(profile.preferred),
        avoided=list(profile.avoided),
        goes_best=found.highest_performance,
        goes_worst=found.lowest_performance,
        used_most=found.most_engaged,
        retention=preferences.retention,
        easy_days=list(preferences.easy_days),
        balance=preferences.balance,
        zone=preferences.zone,
        class_id=class_of(profile),
        courses=[
            wire.StudyCourseWish(name=name, title=title, exam=preferences.exams.get(name))
            for name, title in seen.titles.items()
        ],
        problems=problems_of(problems),
    )


def _open_session(found: "OpenSession | None") -> wire.StudyOpenSession | None:
    if found is None:
        return None
    state = found.state
    return wire.StudyOpenSession(
        session=state.session,
        kind=state.kind,
        step=state.step,
        stage=state.stage,
        started=state.started,
        moved=state.moved,
        minutes=state.minutes,
        minutes_left=round(state.minutes_left, 2),
        title=found.title,
        modality=found.modality,
        done=state.at,
        of=len(state.plan),
        stale=found.stale,
    )


def _concept(seen: "ConceptSeen") -> wire.StudyConcept:
    known = seen.report
    return wire.StudyConcept(
        id=known.id,
        title=known.title,
        unit=known.unit,
        type=seen.type,
        bloom=seen.bloom,
        reached=known.bloom,
        description=seen.description,
        prerequisites=list(known.prerequisites),
        confused_with=list(seen.confused_with),
        status=known.status,
        mastery=known.mastery,
        recall=known.recall,
        due=known.due,
        ready=known.ready,
        attempts=known.attempts,
        items=seen.items,
        layer=seen.layer,
    )


def _exercise_more(seen: "Seen") -> dict[str, object]:
    """What the page shows of an exercise besides its presentation; no answer is in it."""
    state = seen.state
    assert state is not None
    assert state.sitting is not None
    sitting, exercise = state.sitting, state.sitting.exercise
    return {
        "number": min(sitting.at + 1, max(len(exercise.items), 1)),
        "count": len(exercise.items),
        "language": exercise.language,
        "min_words": exercise.min_words,
        "points": list(exercise.points),
        "rubric": _rubric(exercise),
        "criteria": _criteria(exercise),
        "partner": exercise.partner,
        "attempts": sitting.ladder.attempts,
        "hints_used": sitting.ladder.hints_used,
        "uploads": [steps.StudyUpload.model_validate(each) for each in seen.uploads],
    }


def _rubric(exercise: "Exercise") -> list[steps.StudyDimension]:
    if exercise.rubric is None or exercise.modality != "long_form":
        return []
    return [
        steps.StudyDimension(
            name=each.name, description=each.levels[max(each.levels)], weight=each.weight
        )
        for each in exercise.rubric.dimensions
    ]


def _criteria(exercise: "Exercise") -> list[str]:
    from paige.exercise.values import IMAGE_CRITERIA  # noqa: PLC0415 - imported late, as the rooms

    if exercise.modality != "image_review":
        return []
    return [question for _, question in IMAGE_CRITERIA[exercise.image or "diagram"]]


def _result(dumped: Mapping[str, Any]) -> dict[str, Any]:
    details = dumped["details"]
    return {
        **dumped,
        "strengths": details["strengths"],
        "improvements": details["improvements"],
        "answers": details.get("answers", []),
    }
