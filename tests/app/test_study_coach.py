"""What Study tells the coach: which results close a gap, move a stage, or do not concern it."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

from paige.app.application import App, open_app
from paige.app.coach_study import CoachInStudy, concept_id, files_in, gaps_seen
from paige.app.person_apps import PersonApps
from paige.app.places import teaching_documents
from paige.app.study_coach import tell_coach_in, untell_coach_in
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.coach.inquiry.services import PracticeResult as Attempted
from paige.coach.inquiry.services import Reviews, ToPractise
from paige.exercise.result import Result
from paige.exercise.values import AGAIN, EASY, GOOD, Modality, Rating, score_of
from paige.learner.gaps import Gap
from paige.learner.progress import Progress, Thresholds, apply
from paige.learner.queries import GapRow, assessments, gaps, record_gap
from paige.study.session.context import PracticeOutcome, Retraction
from tests.conftest import NOON

pytestmark = pytest.mark.anyio
TOPIC = "mutable default arguments"
DAYS = tuple(NOON + timedelta(days=day) for day in (0, 1, 4, 9))


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    home = {"HOME": str(tmp_path)}
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data", environ=home)
    with open_app(settings, strict=False, now=lambda: NOON) as opened:
        yield opened


def practised(
    *ratings: Rating,
    course: str = "coach",
    concept: str = concept_id(TOPIC),
    title: str = TOPIC,
    modality: Modality = "code",
    **more: Any,
) -> PracticeOutcome:
    """What is told after the last of some exercises, a few days between them."""
    known, evidence = Progress(concept_id=concept), None
    for at, rating in zip(DAYS, ratings, strict=False):
        known, evidence = apply(known, result(concept, rating, at, modality, **more), at, THREE)
    assert evidence is not None
    return PracticeOutcome(
        course=course,
        concept_id=concept,
        title=title,
        modality=modality,
        progress=known,
        evidence=evidence,
    )


THREE = Thresholds()


def result(concept: str, rating: Rating, at: datetime, modality: Modality, **more: Any) -> Result:
    return Result(
        exercise_id=more.pop("exercise", f"{at:%Y%m%d}-{concept}-{modality}"),
        concept_id=concept,
        modality=modality,
        bloom_level="apply",
        score=score_of(int(rating > AGAIN), 1),
        fsrs_rating=rating,
        completed=at,
        **more,
    )


def lacking(app: App, topic: str = TOPIC, gap_id: str = "g1") -> None:
    """Let the coach have found a gap."""

    async def store() -> None:
        gap = Gap(topic=topic, severity="high", evidence="seen")
        await app.database.write(lambda db: record_gap(db, app.actor, gap, gap_id=gap_id, now=NOON))

    anyio.run(store)


def told(app: App, *what: PracticeOutcome) -> tuple[list[bool], dict[str, str]]:
    """Tell the coach; which gaps are closed then, and the stages."""

    async def work() -> tuple[list[GapRow], list[Any]]:
        for each in what:
            await tell_coach_in(app, each)
        found = await app.database.read(gaps, app.actor)
        return found, await app.database.read(assessments, app.actor)

    found, stages = anyio.run(work)
    return [each.addressed for each in found], {each.skill_area: each.stage for each in stages}


def test_a_kata_solved_alone_closes_the_gap_and_moves_the_stage(app: App) -> None:
    lacking(app)
    assert told(app, practised(GOOD)) == ([True], {TOPIC: "advanced_beginner"})


@pytest.mark.parametrize(
    "what",
    [
        practised(AGAIN),
        practised(GOOD, hints_used=1),
        practised(GOOD, answer_shown=True),
        practised(GOOD, gradable=False),
        practised(GOOD, concept="something-else", title="something else"),
        practised(GOOD, course="python"),
    ],
    ids=["failed", "with a hint", "shown", "not measured", "another concept", "another course"],
)
def test_what_was_not_done_alone_or_is_about_something_else_changes_nothing(
    app: App, what: PracticeOutcome
) -> None:
    lacking(app)
    assert told(app, what) == ([False], {})


def test_a_text_moves_the_stage_and_closes_the_gap_only_when_it_is_mastered(app: App) -> None:
    lacking(app)
    first = practised(GOOD, modality="long_form")
    third = practised(GOOD, GOOD, GOOD, modality="long_form")
    assert told(app, first) == ([False], {TOPIC: "advanced_beginner"})
    assert told(app, third)[0] == [True]


def test_easy_reviews_take_somebody_further_one_step_at_a_time(app: App) -> None:
    lacking(app)
    both = practised(EASY, EASY)
    assert told(app, both)[1] == {TOPIC: "advanced_beginner"}
    assert told(app, both)[1] == {TOPIC: "competent"}
    assert told(app, both)[1] == {TOPIC: "competent"}


def test_what_the_coach_told_study_itself_is_not_counted_twice(app: App) -> None:
    lacking(app)
    handed_in = practised(EASY, EASY, exercise="kata-k1")
    assert told(app, handed_in)[1] == {}


def test_a_concept_that_is_mastered_in_any_course_closes_the_gap_of_that_name(app: App) -> None:
    lacking(app, "loops")
    other = practised(GOOD, GOOD, GOOD, course="python", concept="loops", title="Loops")
    assert told(app, other) == ([True], {"loops": "advanced_beginner"})


def taken_back(had: PracticeOutcome, *left: Rating, at: datetime = NOON, **more: Any) -> Retraction:
    """The last of some exercises is taken back; `left` are the ratings of those before."""
    made = practised(*left, **more) if left else None
    return Retraction(
        course=had.course,
        concept_id=had.concept_id,
        title=had.title,
        exercise_id=had.evidence.exercise_id,
        at=at,
        had=had.progress,
        left=made.progress if made else Progress(concept_id=had.concept_id),
    )


def untold(app: App, taken: Retraction) -> tuple[list[bool], dict[str, str]]:
    """Tell the coach of a result that was taken back; gaps and stages then."""
    anyio.run(untell_coach_in, app, taken)
    return told(app)


def test_mastery_of_another_course_that_is_taken_back_opens_the_gap_again(app: App) -> None:
    lacking(app, "loops")
    there: dict[str, Any] = {"course": "python", "concept": "loops", "title": "Loops"}
    mastered = practised(GOOD, GOOD, GOOD, **there)
    told(app, mastered)
    taken = taken_back(mastered, GOOD, GOOD, **there)
    assert untold(app, taken) == ([False], {"loops": "novice"})


def test_a_stage_that_is_older_than_the_result_is_not_taken_back(app: App) -> None:
    lacking(app)
    had = practised(GOOD)
    told(app, had)
    later = NOON + timedelta(hours=1)
    assert untold(app, taken_back(had, at=later))[1] == {TOPIC: "advanced_beginner"}


def test_what_the_coach_told_study_is_not_studys_to_take_back(app: App) -> None:
    lacking(app)
    told(app, practised(GOOD))
    handed_in = taken_back(practised(GOOD, exercise="kata-k1"))
    assert untold(app, handed_in) == ([True], {TOPIC: "advanced_beginner"})


async def test_somebodys_gap_is_in_their_own_study_and_in_nobody_elses(app: App) -> None:
    anna = PersonApps(app).of(Actor("local", "anna"))
    found = ToPractise(gap_id="g1", topic=TOPIC, evidence="seen")
    coach = CoachInStudy(app.settings, app.now)
    gap = Gap(topic=TOPIC, severity="high", evidence="seen")
    await app.database.write(lambda db: record_gap(db, anna.actor, gap, gap_id="g1", now=NOON))
    await coach.give(anna.actor, "s1", [found])

    [seen] = await gaps_seen(anna)

    assert seen.concept == concept_id(TOPIC)
    assert seen.due
    assert await gaps_seen(app) == ()
    assert not (app.settings.teaching_dir / "courses").exists()
    assert set(await coach.reviews(anna.actor)) == {TOPIC}
    assert await coach.reviews(app.actor) == {}


async def test_the_coach_counts_what_study_saw_and_not_what_it_told_study_itself(app: App) -> None:
    coach = CoachInStudy(app.settings, app.now)
    await coach.give(app.actor, "s1", [ToPractise(gap_id="g1", topic=TOPIC, evidence="seen")])
    done = Attempted(gap_id="g1", kata_id="k1", topic=TOPIC, level=5, passed=True)
    await coach.note(app.actor, done)
    files = files_in(teaching_documents(app))
    for number, rating in enumerate((GOOD, EASY, AGAIN), 1):
        at = NOON + timedelta(days=9 * number)
        made = result(concept_id(TOPIC), rating, at, "code")
        files.record("coach", made, session="s", change_id=f"c{number}", now=at)

    found = await coach.reviews(app.actor)

    assert found == {TOPIC: Reviews(passed=(5, 9), failed=1)}


async def test_a_course_that_cannot_be_read_is_no_reason_to_stop(app: App) -> None:
    coach = CoachInStudy(app.settings, app.now)
    await coach.give(app.actor, "s1", [ToPractise(gap_id="g1", topic=TOPIC, evidence="seen")])
    log = next((app.settings.teaching_dir / "learner" / "coach").rglob("progress.json"))
    log.write_text("{torn")
    assert await coach.reviews(app.actor) in ({}, {TOPIC: Reviews()})
