"""A forgetting curve of one's own, from what was remembered in every course."""

import json
from pathlib import Path

import pytest

from paige.base.errors import BadInput
from paige.exercise.result import Result
from paige.exercise.values import score_of
from paige.learner.files import LearnerFiles
from paige.learner.profile import Profile
from paige.learner.schedule import LESSONS, Review
from paige.learner.session_logs import change_of, new_log, with_result
from paige.store.documents import NEW, DirectoryDocuments
from paige.study.preferences import CURVE, KEY, Preferences, preferences_of
from paige.study.settings import fit_learner, forget_curve
from tests.conftest import NOON
from tests.learner.test_curve_fit import memory_of
from tests.live import run_paige

ROOT = "learner"


def remembered(documents: DirectoryDocuments, reviews: list[Review], course: str = "words") -> None:
    """Write reviews down as a session of a course did."""
    log = new_log(course, NOON)
    for number, each in enumerate(sorted(reviews, key=lambda each: each.at)):
        result = Result(
            exercise_id=f"e{number}",
            concept_id=f"c{each.card}",
            course=course,
            modality="worksheet",
            score=score_of(int(each.rating > 1), 1),
            fsrs_rating=each.rating,
            completed=each.at,
            timestamp=each.at,
        )
        log = with_result(log, change_of(result, change_id=f"{course}-{number}", now=each.at))
    path = f"{ROOT}/{course}/sessions/20260302T120000Z.json"
    documents.write(path, json.dumps(log), base=NEW)


def preferences(documents: DirectoryDocuments) -> Preferences:
    return preferences_of(LearnerFiles(documents, root=ROOT).profile())


def test_who_forgets_faster_is_asked_by_a_curve_of_their_own(tmp_path: Path) -> None:
    documents = DirectoryDocuments(tmp_path)
    reviews = memory_of(0.25, cards=240)
    remembered(documents, [each for each in reviews if each.card % 2], "words")
    remembered(documents, [each for each in reviews if not each.card % 2], "verbs")

    done = fit_learner(documents, ROOT)

    assert done.fit.adopted, done.fit.reason
    assert done.fit.reviews == len(reviews)
    assert not done.own_before
    kept = preferences(documents)
    assert kept.parameters == done.fit.parameters != LESSONS.parameters
    assert kept.scheduling("words").parameters == done.fit.parameters
    again = fit_learner(documents, ROOT)
    assert again.own_before
    forget_curve(documents, ROOT)
    assert preferences(documents).parameters == LESSONS.parameters
    profile = LearnerFiles(documents, root=ROOT).profile()
    assert CURVE not in profile.preferences_extra[KEY]  # type: ignore[operator] - an object


def test_few_reviews_change_nothing_and_say_why(tmp_path: Path) -> None:
    documents = DirectoryDocuments(tmp_path / ".claude" / "teaching")
    remembered(documents, memory_of(0.25, cards=10))

    said = run_paige(tmp_path, "study", "fit")
    given = run_paige(tmp_path, "study", "fit", "--json")

    assert said.stdout == "80 reviews are too few; 512 are needed: the usual curve stays.\n"
    assert json.loads(given.stdout)["adopted"] is False
    assert preferences(documents).parameters == LESSONS.parameters
    assert not (documents.root / ROOT / "profile.json").exists()


@pytest.mark.parametrize("given", ["fast", [], [1.0, "x"], [1.0, 2.0]])
def test_a_curve_that_is_none_is_named(given: object) -> None:
    profile = Profile(preferences_extra={KEY: {CURVE: given}})

    with pytest.raises(BadInput, match=r"fsrs_parameters|FSRS parameters cannot be used"):
        preferences_of(profile)
