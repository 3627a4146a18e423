"""What there is to study and how far somebody is: all courses at a glance, and one in full."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from paige.app.study_room import Around
from paige.exercise.values import Bloom, Modality
from paige.learner.changes import counting
from paige.learner.files import LearnerFiles
from paige.learner.json_files import FileProblem
from paige.learner.progress import Progress
from paige.learner.scheduling import day_of
from paige.study.courses.loading import course_names, load_course
from paige.study.courses.overview import Overview, overview
from paige.study.courses.reading import FOLDER
from paige.study.courses.values import Course
from paige.study.courses.writing import template_names
from paige.study.planning import due_concepts, ready_concepts
from paige.study.report import ConceptReport, Report, exercises_by_day, minutes_by_day
from paige.study.reporting import course_report
from paige.study.session.keeping import Sessions
from paige.study.session.room import LearnerView, learner_root, read_learner
from paige.study.session.running import is_stale, usual_minutes
from paige.study.session.state import SessionState

DAYS = 14
_ABOUT = {
    "language": ("A language", "Words and sentences both ways, with listening and role play."),
    "technical": ("Programming", "Code with tests, entries at a prompt, questions about both."),
    "conceptual": ("Ideas", "Explanations, questions that dig, texts and drawings."),
    "interview": ("An interview", "Questions you will be asked, answers with substance."),
}


@dataclass(frozen=True, slots=True)
class OpenSession:
    """A session somebody can go on with. `title` is of the concept it is at."""

    state: SessionState
    title: str
    modality: Modality | None
    stale: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseToday:
    """A course in numbers, and how far the learner is in it."""

    overview: Overview
    due: int
    ready: int
    mastered: int
    minutes: int
    exam: date | None
    open: OpenSession | None
    problems: tuple[FileProblem, ...]


@dataclass(frozen=True, slots=True)
class Day:
    """What was done on a day."""

    day: date
    exercises: int
    minutes: float


@dataclass(frozen=True, slots=True)
class Template:
    """What a new course may begin as."""

    name: str
    title: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Today:
    """All courses, the last days, and what needs a hand."""

    today: date
    courses: tuple[CourseToday, ...]
    streak: int
    days: tuple[Day, ...]
    templates: tuple[Template, ...]
    problems: tuple[FileProblem, ...]

    @property
    def due(self) -> int:
        """How much is due in all courses together."""
        return sum(each.due for each in self.courses)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptSeen:
    """A concept with how well it is known. `layer` is how many layers of others are below it."""

    report: ConceptReport
    type: str
    bloom: Bloom
    description: str
    confused_with: tuple[str, ...]
    items: int
    layer: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CourseSeen:
    """A course in full, without what it asks."""

    course: Course
    today: CourseToday
    folder: str
    concepts: tuple[ConceptSeen, ...]
    problems: tuple[FileProblem, ...]


def today(around: Around, now: datetime, *, learner: str | None) -> Today:
    """Everything a learner sees first. Raises: BadInput for a name that cannot be one."""
    documents, root = around.documents, learner_root(learner)
    who = read_learner(documents, root)
    files = LearnerFiles(documents, root=root)
    begun = files.courses()
    names = course_names(documents)
    courses = tuple(course_today(around, now, name, who, root=root, begun=begun) for name in names)
    days: Counter[date] = Counter()
    minutes: Counter[date] = Counter()
    scheduling = who.preferences.scheduling("")
    for name in begun:
        done = counting(files.changes(name)) if name in names else ()
        days.update(exercises_by_day(done, scheduling))
        for day, spent in minutes_by_day(done, scheduling).items():
            minutes[day] += spent  # type: ignore[assignment] - a float
    here = day_of(now, scheduling.zone)
    last = [here - timedelta(days=back) for back in reversed(range(DAYS))]
    return Today(
        today=here,
        courses=courses,
        streak=_streak(days, here),
        days=tuple(Day(day, days[day], round(float(minutes[day]), 1)) for day in last),
        templates=templates(),
        problems=who.problems,
    )


def course_today(
    around: Around,
    now: datetime,
    name: str,
    who: LearnerView,
    *,
    root: str,
    begun: list[str],
) -> CourseToday:
    """One course in numbers. Raises: NotFound."""
    course = load_course(around.documents, name)
    scheduling = who.preferences.scheduling(name)
    known: Mapping[str, Progress] = {}
    problems = course.problems
    if name in begun:
        thresholds = who.preferences.thresholds(name)
        state = LearnerFiles(around.documents, thresholds, root=root).read(name)
        known, problems = state.progress, (*problems, *state.problems)
    found, unreadable = _open_session(around, course, root, now)
    return CourseToday(
        overview=overview(course, begun),
        due=len(due_concepts(course, known, now, scheduling)),
        ready=len(ready_concepts(course, known)),
        mastered=sum(known[each].status == "mastered" for each in course.concepts if each in known),
        minutes=usual_minutes(who.profile, course),
        exam=who.preferences.exams.get(name),
        open=found,
        problems=(*problems, *unreadable),
    )


def one_course(around: Around, now: datetime, *, name: str, learner: str | None) -> CourseToday:
    """One course in numbers. Raises: NotFound, BadInput."""
    root = learner_root(learner)
    who = read_learner(around.documents, root)
    begun = LearnerFiles(around.documents, root=root).courses()
    return course_today(around, now, name, who, root=root, begun=begun)


def course_seen(around: Around, now: datetime, *, name: str, learner: str | None) -> CourseSeen:
    """A course in full. Raises: NotFound, BadInput."""
    documents, root = around.documents, learner_root(learner)
    who = read_learner(documents, root)
    begun = LearnerFiles(documents, root=root).courses()
    numbers = course_today(around, now, name, who, root=root, begun=begun)
    course = load_course(documents, name)
    made = course_report(documents, name, who.preferences, root=root, now=now).report
    layers = layers_of(course)
    return CourseSeen(
        course=course,
        today=numbers,
        folder=str(documents.root / FOLDER / name) if not course.is_shipped else "",
        concepts=tuple(_concept(course, each, layers) for each in made.concepts),
        problems=(*who.problems, *numbers.problems),
    )


def report_of(
    around: Around, now: datetime, *, name: str, learner: str | None
) -> tuple[Report, tuple[FileProblem, ...]]:
    """How far somebody is in a course, and files that need a hand. Raises: NotFound, BadInput."""
    root = learner_root(learner)
    who = read_learner(around.documents, root)
    made = course_report(around.documents, name, who.preferences, root=root, now=now)
    return made.report, (*who.problems, *made.problems)


def layers_of(course: Course) -> dict[str, int]:
    """For each concept how many layers of others are below it; circles count as nothing."""
    layers: dict[str, int] = {}
    for name in (*course.graph.order, *course.concepts):
        if name in course.concepts and name not in layers:
            before = course.concept(name).prerequisites
            layers[name] = max((layers[each] + 1 for each in before if each in layers), default=0)
    return layers


def templates() -> tuple[Template, ...]:
    """What a new course may begin as."""
    return tuple(Template(name, *_ABOUT.get(name, (name, ""))) for name in template_names())


def _open_session(
    around: Around, course: Course, root: str, now: datetime
) -> tuple[OpenSession | None, tuple[FileProblem, ...]]:
    kept, problems = Sessions(around.documents, course.name, root=root).open_one()
    if kept is None or kept.state.is_over:
        return None, problems
    state = kept.state
    concept = course.concepts.get(state.item.concept_id) if state.item else None
    modality = state.sitting.exercise.modality if state.sitting else None
    title = concept.title if concept else ""
    return OpenSession(state, title, modality, is_stale(state, now)), problems


def _concept(course: Course, report: ConceptReport, layers: Mapping[str, int]) -> ConceptSeen:
    concept = course.concept(report.id)
    return ConceptSeen(
        report=report,
        type=concept.concept_type,
        bloom=concept.bloom,
        description=concept.description,
        confused_with=concept.confused_with,
        items=len(course.items.get(report.id, ())) + len(course.words_of(report.id)),
        layer=layers[report.id],
    )


def _streak(days: Mapping[date, int], here: date) -> int:
    """Days in a row with an exercise; who has not begun today has not lost yesterday's row."""
    one = timedelta(days=1)
    day = here if days.get(here) else here - one
    count = 0
    while days.get(day):
        count += 1
        day -= one
    return count
