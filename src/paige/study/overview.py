"""What there is to study and how far somebody is: all courses at a glance, and one in full."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from paige.base.wire import wire
from paige.exercise.values import Bloom, Domain, Modality
from paige.learner.changes import counting
from paige.learner.files import LearnerFiles
from paige.learner.json_files import StudyProblem
from paige.learner.progress import Progress, Status
from paige.learner.schedule import day_of
from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import course_names, load_course, overview
from paige.study.courses.reader import FOLDER
from paige.study.courses.values import Course
from paige.study.courses.writer import template_names
from paige.study.report import (
    ConceptReport,
    StudyDay,
    course_report,
    days_of,
)
from paige.study.session.context import LearnerView, learner_root, read_learner
from paige.study.session.driver import is_stale, usual_minutes
from paige.study.session.session_store import Sessions
from paige.study.session.state import Stage
from paige.study.session.view import problems_of
from paige.study.session_plan import due_concepts, ready_concepts
from paige.study.values import SessionKind

DAYS = 14
_ABOUT = {
    "language": ("A language", "Words and sentences both ways, with listening and role play."),
    "technical": ("Programming", "Code with tests, entries at a prompt, questions about both."),
    "conceptual": ("Ideas", "Explanations, questions that dig, texts and drawings."),
    "interview": ("An interview", "Questions you will be asked, answers with substance."),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyOpenSession:
    """A session that somebody can go on with."""

    session: str
    kind: SessionKind
    step: int
    stage: Stage
    started: datetime
    moved: datetime
    minutes: int
    minutes_left: float
    title: str
    """Of the concept it is at."""
    modality: Modality | None
    """Of the exercise that is being done."""
    done: int
    """How many things of the plan are behind."""
    of: int
    stale: bool
    """Left so long ago that a new one begins instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyCourseSummary:
    """A course in numbers, and how far the learner is."""

    name: str
    title: str
    description: str
    domain: Domain
    concepts: int
    items: int
    vocabulary: int
    shipped: bool
    begun: bool
    due: int
    ready: int
    """How many concepts could be begun."""
    mastered: int
    minutes: int
    """How long a session is."""
    exam: date | None
    open_session: StudyOpenSession | None
    problems: tuple[StudyProblem, ...]


@dataclass(frozen=True, slots=True)
class StudyTemplate:
    """What a new course may begin as."""

    name: str
    title: str
    description: str


@wire(kw_only=True)
class StudyToday:
    """What the page needs first: courses, what is due, the last two weeks."""

    today: date
    courses: tuple[StudyCourseSummary, ...]
    due: int
    streak: int
    """Days in a row with an exercise, today or yesterday the last."""
    days: tuple[StudyDay, ...]
    """The last fourteen, oldest first."""
    templates: tuple[StudyTemplate, ...]
    provider: str = "local"
    local: bool = True
    """Whether exercises are made and marked by rules."""
    speaks: bool = False
    """Whether prompts can be read out."""
    hears: bool = False
    """Whether recordings can be written down."""
    folder: str
    """Where courses and files of learners are."""
    problems: tuple[StudyProblem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyConcept:
    """A concept of a course, and how well it is known."""

    id: str
    title: str
    unit: str
    type: str
    bloom: Bloom
    """Where the course wants to take it."""
    reached: Bloom
    description: str
    prerequisites: tuple[str, ...]
    confused_with: tuple[str, ...]
    status: Status
    mastery: float
    recall: float | None
    due: datetime | None
    ready: bool
    attempts: int
    items: int
    layer: int
    """How many layers of prerequisites are below it."""


@wire(kw_only=True)
class StudyCourse:
    """A course: what it says about itself, its concepts, and what is wrong in its files."""

    name: str
    title: str
    description: str
    domain: Domain
    shipped: bool
    begun: bool
    folder: str
    minutes: int
    source_language: str | None
    target_language: str | None
    code_language: str
    weights: Mapping[str, float]
    """Of modalities, where the course has some."""
    units: tuple[str, ...]
    vocabulary: int
    items: int
    due: int
    exam: date | None
    concepts: tuple[StudyConcept, ...]
    open_session: StudyOpenSession | None
    problems: tuple[StudyProblem, ...]


def today(documents: DirectoryDocuments, now: datetime, *, learner: str | None) -> StudyToday:
    """Everything a learner sees first. Raises: BadInput for a name that cannot be one."""
    root = learner_root(learner)
    who = read_learner(documents, root)
    files = LearnerFiles(documents, root=root)
    begun = files.courses()
    names = course_names(documents)
    courses = tuple(
        course_today(documents, now, name, who, root=root, begun=begun) for name in names
    )
    days: Counter[date] = Counter()
    minutes: dict[date, float] = defaultdict(float)
    scheduling = who.preferences.scheduling("")
    for name in begun:
        for each in days_of(counting(files.changes(name)), scheduling) if name in names else ():
            days[each.day] += each.exercises
            minutes[each.day] += each.minutes
    here = day_of(now, scheduling.zone)
    last = [here - timedelta(days=back) for back in reversed(range(DAYS))]
    return StudyToday(
        today=here,
        courses=courses,
        due=sum(each.due for each in courses),
        streak=_streak(days, here),
        days=tuple(StudyDay(day, days[day], round(minutes[day], 1)) for day in last),
        templates=templates(),
        folder=str(documents.root),
        problems=problems_of(who.problems),
    )


def course_today(
    documents: DirectoryDocuments,
    now: datetime,
    name: str,
    who: LearnerView,
    *,
    root: str,
    begun: list[str],
) -> StudyCourseSummary:
    """One course in numbers. Raises: NotFound."""
    course = load_course(documents, name)
    scheduling = who.preferences.scheduling(name)
    known: Mapping[str, Progress] = {}
    problems = course.problems
    if name in begun:
        thresholds = who.preferences.thresholds(name)
        state = LearnerFiles(documents, thresholds, root=root).read(name)
        known, problems = state.progress, (*problems, *state.problems)
    found, unreadable = _open_session(documents, course, root, now)
    about = overview(course, begun)
    return StudyCourseSummary(
        name=about.name,
        title=about.title,
        description=about.description,
        domain=about.domain,
        concepts=about.concepts,
        items=about.items,
        vocabulary=about.vocabulary,
        shipped=about.shipped,
        begun=about.begun,
        due=len(due_concepts(course, known, now, scheduling)),
        ready=len(ready_concepts(course, known)),
        mastered=sum(known[each].status == "mastered" for each in course.concepts if each in known),
        minutes=usual_minutes(who.profile, course),
        exam=who.preferences.exams.get(name),
        open_session=found,
        problems=problems_of((*problems, *unreadable)),
    )


def one_course(
    documents: DirectoryDocuments, now: datetime, *, name: str, learner: str | None
) -> StudyCourseSummary:
    """One course in numbers. Raises: NotFound, BadInput."""
    root = learner_root(learner)
    who = read_learner(documents, root)
    begun = LearnerFiles(documents, root=root).courses()
    return course_today(documents, now, name, who, root=root, begun=begun)


def course_in_full(
    documents: DirectoryDocuments, now: datetime, *, name: str, learner: str | None
) -> StudyCourse:
    """A course in full. Raises: NotFound, BadInput."""
    root = learner_root(learner)
    who = read_learner(documents, root)
    begun = LearnerFiles(documents, root=root).courses()
    numbers = course_today(documents, now, name, who, root=root, begun=begun)
    course = load_course(documents, name)
    made = course_report(documents, now, name=name, learner=learner)
    layers = layers_of(course)
    config = course.config
    units = dict.fromkeys(each.unit for each in course.concepts.values() if each.unit)
    return StudyCourse(
        name=course.name,
        title=course.title,
        description=config.description,
        domain=course.domain,
        shipped=course.is_shipped,
        begun=numbers.begun,
        folder=str(documents.root / FOLDER / name) if not course.is_shipped else "",
        minutes=numbers.minutes,
        source_language=config.languages.source if config.languages else None,
        target_language=config.languages.target if config.languages else None,
        code_language=config.code_language,
        weights={str(name): share for name, share in config.weights.items()},
        units=tuple(units),
        vocabulary=len(course.vocabulary),
        items=course.item_count,
        due=numbers.due,
        exam=numbers.exam,
        concepts=tuple(_concept(course, each, layers) for each in made.concepts),
        open_session=numbers.open_session,
        problems=tuple(dict.fromkeys((*problems_of(who.problems), *numbers.problems))),
    )


def layers_of(course: Course) -> dict[str, int]:
    """For each concept how many layers of others are below it; circles count as nothing."""
    layers: dict[str, int] = {}
    for name in (*course.graph.order, *course.concepts):
        if name in course.concepts and name not in layers:
            before = course.concept(name).prerequisites
            layers[name] = max((layers[each] + 1 for each in before if each in layers), default=0)
    return layers


def templates() -> tuple[StudyTemplate, ...]:
    """What a new course may begin as."""
    return tuple(StudyTemplate(name, *_ABOUT.get(name, (name, ""))) for name in template_names())


def _open_session(
    documents: DirectoryDocuments, course: Course, root: str, now: datetime
) -> tuple[StudyOpenSession | None, tuple[StudyProblem, ...]]:
    kept, problems = Sessions(documents, course.name, root=root).open_one()
    if kept is None or kept.state.is_over:
        return None, problems
    state = kept.state
    concept = course.concepts.get(state.item.concept_id) if state.item else None
    modality = state.sitting.exercise.modality if state.sitting else None
    title = concept.title if concept else ""
    shown = StudyOpenSession(
        session=state.session,
        kind=state.kind,
        step=state.step,
        stage=state.stage,
        started=state.started,
        moved=state.moved,
        minutes=state.minutes,
        minutes_left=round(state.minutes_left, 2),
        title=title,
        modality=modality,
        done=state.at,
        of=len(state.plan),
        stale=is_stale(state, now),
    )
    return shown, problems


def _concept(course: Course, known: ConceptReport, layers: Mapping[str, int]) -> StudyConcept:
    concept = course.concept(known.id)
    return StudyConcept(
        id=known.id,
        title=known.title,
        unit=known.unit,
        type=concept.concept_type,
        bloom=concept.bloom,
        reached=known.bloom,
        description=concept.description,
        prerequisites=known.prerequisites,
        confused_with=concept.confused_with,
        status=known.status,
        mastery=known.mastery,
        recall=known.recall,
        due=known.due,
        ready=known.ready,
        attempts=known.attempts,
        items=len(course.items.get(known.id, ())) + len(course.words_of(known.id)),
        layer=layers[known.id],
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
