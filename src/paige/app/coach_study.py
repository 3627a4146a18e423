"""Where Coach and Study meet: gaps become concepts of the course `coach`, katas its exercises.

A gap that a session showed is written down as a concept with an exercise, and as a result: it was
tried in real work and did not go well. From there Study's own schedule says when it comes back. The
first review of a new gap is due at once, because it was missing before it was noticed; every
attempt at the kata moves the next one. The way back is `study_coach`.

A gap as people see it has both: the session that showed it, its stage, its next review in Study.
"""

import ast
import logging
import re
import threading
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from anyio.to_thread import run_sync
from sqlalchemy import Connection

from paige.app.application import App
from paige.app.person_apps import settings_for
from paige.app.places import teaching_documents
from paige.app.study_deps import COACH_COURSE as COURSE
from paige.base.actor import Actor
from paige.base.clock import Clock
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.base.wire import wire
from paige.coach.inquiry.services import PracticeResult, Reviews, ToPractise
from paige.coach.queries import find_sessions
from paige.coach.records import Ids, Moment, random_ids
from paige.exercise.code_exercise import CodeExercise, CodeTest, render_code_exercise
from paige.exercise.result import Result
from paige.exercise.values import AGAIN, EASY, GOOD, MODALITIES, Modality, Rating, score_of
from paige.learner.files import LearnerFiles
from paige.learner.gaps import Severity
from paige.learner.progress import ExerciseDone, Progress
from paige.learner.queries import GapRow, KataRow, gaps, katas, stage_for
from paige.learner.schedule import LESSONS
from paige.learner.stages import Stage
from paige.store.documents import DirectoryDocuments, Documents
from paige.study.courses.catalogue import load_course
from paige.study.courses.reader import FOLDER
from paige.study.courses.writer import Addition, Record, add_to_course
from paige.study.session.context import LEARNER, read_learner

logger = logging.getLogger(__name__)
EASILY = 9
"""From this level on an attempt was easy."""
SOLVED = 5
"""The level of a review that went well; an easy one is at `EASILY`."""
_SHOWN, _HANDED_IN = "gap-", "kata-"
"""What results of the coach begin with: those of Study have names of their own."""
BEFORE = LESSONS.learning_steps[0]
"""How long before it was noticed a new gap was there: one step, so that it is due at once."""
_CONFIG: Record = {
    "title": "Practice from coaching",
    "description": "What came up while you worked on real issues, each with a kata.",
    "domain_type": "technical",
    "exercise_config": {
        "code_language": "python",
        # The kata itself, with its tests: what is solved here counts as in the coach's window.
        "modality_weights": {**dict.fromkeys(MODALITIES, 0.0), "code": 0.9, "long_form": 0.1},
    },
}


class CoachInStudy:
    """Writes to Study's files; what fails is logged, and the coach goes on."""

    def __init__(self, settings: Settings, now: Clock, ids: Ids = random_ids) -> None:
        """`settings` are those of the installation; everybody has a teaching folder."""
        self._settings = settings
        self._now = now
        self._ids = ids
        self._turn = threading.Lock()  # two sessions may end at the same moment

    async def give(self, actor: Actor, session_id: str, found: Sequence[ToPractise]) -> None:
        """Make concepts of gaps, each with a first review date."""

        def work() -> None:
            # In one go: a course with a concept more and no result would never be due.
            documents = self._documents(actor)
            add_to_course(documents, COURSE, addition_of(found))
            for each in found:
                self._record(documents, _shown(each, self._now()), session_id)

        await self._quietly(work)

    async def note(self, actor: Actor, done: PracticeResult) -> None:
        """Tell of an attempt, which moves the date of the next review."""

        def work() -> None:
            documents = self._documents(actor)
            if not documents.paths(f"{FOLDER}/{COURSE}"):
                return  # a kata from before there was a course
            result = _attempted(done, self._now())
            self._record(documents, result, f"practice-{done.kata_id}")

        await self._quietly(work)

    async def reviews(self, actor: Actor) -> Mapping[str, Reviews]:
        """What became of gaps in Study, by their topics; nothing where that cannot be read."""
        try:
            found = await run_sync(partial(practice_in, self._documents(actor)))
        except (PaigeError, OSError) as error:
            logger.warning("What was practised in Study is not known: %s", error)
            return {}
        return {topic: reviews_of(progress) for topic, progress in found.items()}

    def _documents(self, actor: Actor) -> Documents:
        return DirectoryDocuments(settings_for(self._settings, actor).teaching_dir)

    def _record(self, documents: Documents, result: Result, session: str) -> None:
        now = self._now()
        files_in(documents).record(
            COURSE, result, session=session, change_id=self._ids(now), now=now
        )

    async def _quietly(self, work: Callable[[], None]) -> None:
        def alone() -> None:
            with self._turn:
                work()

        try:
            await run_sync(alone)
        except (PaigeError, OSError) as error:
            logger.warning("Study was not told what to practise: %s", error)


def files_in(documents: Documents) -> LearnerFiles:
    """The files of whoever a teaching folder belongs to."""
    thresholds = read_learner(documents, LEARNER).preferences.thresholds(COURSE)
    return LearnerFiles(documents, thresholds, root=LEARNER)


def practice_in(documents: Documents) -> dict[str, Progress]:
    """What is known of the concepts of the course, by their topics. Raises: PaigeError."""
    if not documents.paths(f"{FOLDER}/{COURSE}"):
        return {}
    concepts = load_course(documents, COURSE).concepts
    known = files_in(documents).read(COURSE).progress
    return {concepts[name].title: each for name, each in known.items() if name in concepts}


def reviews_of(progress: Progress) -> Reviews:
    """How reviews in Study went; what the coach itself told there is known to it already."""
    done = [each for each in progress.exercise_history if not is_told(each.exercise_id)]
    alone = [each for each in done if each.unaided and each.rating >= GOOD]
    levels = tuple(EASILY if each.rating >= EASY else SOLVED for each in alone)
    return Reviews(levels, sum(each.rating == AGAIN for each in done))


def is_told(exercise_id: str) -> bool:
    """Whether it is the coach who told Study of a result."""
    return exercise_id.startswith((_SHOWN, _HANDED_IN))


def closes_gap(progress: Progress) -> bool:
    """Whether the work since a gap last showed closes it: mastery, or code that passed alone."""
    since: list[ExerciseDone] = []
    for each in reversed(progress.exercise_history):
        if each.exercise_id.startswith(_SHOWN):
            break
        since.append(each)
    alone = (each.modality == "code" and each.unaided and each.rating >= GOOD for each in since)
    return progress.status == "mastered" or any(alone)


def concept_id(topic: str) -> str:
    """A name for files that a topic always has."""
    plain = unicodedata.normalize("NFKD", topic).encode("ascii", "ignore").decode()
    name = re.sub(r"[^a-z0-9]+", "-", plain.casefold()).strip("-")[:60].strip("-")
    return name or f"topic-{sum(map(ord, topic))}"


def addition_of(found: Sequence[ToPractise]) -> Addition:
    """What these gaps add to the course."""
    concepts: list[Record] = []
    items: dict[str, tuple[Record, ...]] = {}
    for each in found:
        name = concept_id(each.topic)
        item = item_of(each.kata, each) if each.kata else _to_explain(each)
        concepts.append(
            {
                "id": name,
                "title": each.topic,
                "concept_type": "implementation",
                "bloom": "apply",
                "description": each.kata.description.split("\n")[0] if each.kata else each.topic,
            }
        )
        items[name] = (item,)
    return Addition(config=_CONFIG, concepts=tuple(concepts), items=items)


def item_of(kata: KataRow, given: ToPractise) -> Record:
    """A kata as an item: code with tests where they can be run, else a text that addresses them."""
    about: Record = {"id": f"kata-{kata.id}", "prompt": kata.description or kata.title}
    tests = [test for test in kata.test_cases if _is_python(test)]
    if not tests or len(tests) < len(kata.test_cases) or not _is_python(kata.scaffolding_code):
        return {**about, "kind": "long_form", "points": list(_points(kata))}
    named = {f"case_{number}": test for number, test in enumerate(tests, 1)}
    if given.solution:
        return {
            **about,
            "kind": "code",
            "starter": kata.scaffolding_code,
            "imports": list(given.imports),
            "tests": named,
            "solution": given.solution,
        }
    return {**about, "kind": "code", "files": _files(kata, given.topic, named)}


def _to_explain(given: ToPractise) -> Record:
    """What is asked about a gap that has no kata."""
    return {
        "id": f"gap-{given.gap_id}",
        "kind": "long_form",
        "prompt": f"Explain {given.topic} to a colleague, with an example from your own work.",
        "points": ["what it is", "an example that works", "what goes wrong without it"],
    }


def _files(kata: KataRow, topic: str, tests: dict[str, str]) -> dict[str, str]:
    """The files of a kata whose solution nobody wrote down."""
    exercise = CodeExercise(
        title=kata.title,
        concept_id=concept_id(topic),
        instructions=kata.description.replace('"""', "'''"),
        starter=kata.scaffolding_code,
        solution="",
        tests=tuple(CodeTest(name, body) for name, body in tests.items()),
    )
    made = render_code_exercise(exercise)
    return {name: text for name, text in made.items() if not name.startswith("solution.")}


def _points(kata: KataRow) -> tuple[str, ...]:
    wanted = tuple(test.strip() for test in kata.test_cases if test.strip())
    return wanted if len(wanted) >= 2 else (*wanted, "what the code does", "why it is right")


def _is_python(text: str) -> bool:
    try:
        found = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return False
    # A single word such as `works` is Python too, and checks nothing.
    return any(not _is_plain(node) for node in found.body)


def _is_plain(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Name | ast.Constant)


def _shown(each: ToPractise, now: datetime) -> Result:
    at = now if each.again else now - BEFORE
    return _result(each.topic, f"{_SHOWN}{each.gap_id}", AGAIN, at, each.evidence)


def _attempted(done: PracticeResult, now: datetime) -> Result:
    rating: Rating = AGAIN
    if done.passed:
        rating = EASY if done.level >= EASILY else GOOD
    said = f"The kata was {'passed' if done.passed else 'tried'} at level {done.level} of 10."
    return _result(done.topic, f"{_HANDED_IN}{done.kata_id}", rating, now, said)


def _result(topic: str, exercise: str, rating: Rating, at: datetime, message: str) -> Result:
    modality: Modality = "code"
    return Result(
        exercise_id=exercise,
        concept_id=concept_id(topic),
        course=COURSE,
        modality=modality,
        bloom_level="apply",
        score=score_of(int(rating > AGAIN), 1),
        fsrs_rating=rating,
        completed=at,
        timestamp=at,
        message=message[:1000],
        source="coach",
    )


@wire(kw_only=True)
class CoachGap:
    """A gap: the session that showed it last, the stage of its topic, its next review in Study.

    `concept` is its name in the course of Study, empty while Study has none.
    """

    topic: str
    severity: Severity
    frequency: int
    closed: bool
    stage: Stage
    kata_id: str | None
    session_id: str | None
    session_title: str | None
    session_at: Moment | None
    course: str = COURSE
    concept: str = ""
    next_review: Moment | None = None
    due: bool = False
    reviews: int = 0


async def gaps_seen(app: App) -> tuple[CoachGap, ...]:
    """Every gap of whoever asks, the most urgent first; without dates where Study has none."""
    stored = await app.database.read(_stored, app.actor)
    try:
        known = await run_sync(lambda: practice_in(teaching_documents(app)))
    except (PaigeError, OSError) as error:
        logger.warning("The dates of reviews are not known: %s", error)
        known = {}
    now = app.now()
    return tuple(_in_study(each, known.get(each.topic), now) for each in stored)


def _stored(connection: Connection, actor: Actor) -> list[CoachGap]:
    found = gaps(connection, actor)
    newest = {each.kata.knowledge_gap_id: each.kata.id for each in katas(connection, actor)}
    wanted = {gap.session_id for gap in found if gap.session_id}
    sessions = {each.id: each for each in find_sessions(connection, actor, wanted)}

    def shown(gap: GapRow) -> CoachGap:
        session = sessions.get(gap.session_id or "")
        return CoachGap(
            topic=gap.topic,
            severity=gap.severity,
            frequency=gap.frequency,
            closed=gap.addressed,
            stage=stage_for(connection, actor, gap.topic),
            kata_id=newest.get(gap.id),
            session_id=session.id if session else None,
            session_title=session.issue_title if session else None,
            session_at=session.started_at if session else None,
        )

    return [shown(gap) for gap in found]


def _in_study(gap: CoachGap, progress: Progress | None, now: datetime) -> CoachGap:
    if progress is None:
        return gap
    due = progress.card.due if progress.card else None
    return replace(
        gap,
        concept=concept_id(gap.topic),
        next_review=due,
        due=due is not None and due <= now,
        reviews=len(progress.exercise_history),
    )
