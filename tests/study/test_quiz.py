"""What a quiz asks, and how."""

from pathlib import Path

import pytest

from paige.base.errors import NotFound
from paige.learner.progress import Progress
from paige.study.courses.values import Course
from paige.study.quiz import plan_quiz
from paige.study.session_plan import capacity
from paige.study.values import StudyQuiz
from tests.study.small_course import malay
from tests.study.test_session_plan import known


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return malay(tmp_path_factory.mktemp("teaching"))


def names(course: Course, progress: dict[str, Progress], minutes: int = 25, **wish: object):
    made = plan_quiz(course, progress, StudyQuiz(**wish), minutes)  # type: ignore[arg-type]
    assert made.planned <= capacity(minutes) + 1e-6
    return [(item.concept_id, item.bloom) for item in made.items]


def test_a_quiz_about_nothing_in_particular_asks_the_weakest_first(course: Course) -> None:
    progress = known(("greetings", 0, 3), ("greetings", 1, 3), ("prefix-ber", 1, 1))
    assert [name for name, _ in names(course, progress)] == ["prefix-ber", "greetings"]


def test_concepts_may_be_named_even_before_they_were_studied(course: Course) -> None:
    asked = names(course, {}, concepts=("food", "prefix-me", "food"))
    assert [name for name, _ in asked] == ["food", "prefix-me"]
    with pytest.raises(NotFound, match="no concept `soup`"):
        names(course, {}, concepts=("soup",))


def test_it_keeps_to_the_time_and_says_what_is_left(course: Course) -> None:
    progress = known(*((name, 0, 3) for name in ("greetings", "food", "numbers", "prefix-ber")))
    made = plan_quiz(course, progress, StudyQuiz(), 10)
    assert len(made.items) == 2
    assert made.reviews_waiting == 2


def test_a_count_limits_it(course: Course) -> None:
    progress = known(*((name, 0, 3) for name in ("greetings", "food", "numbers")))
    assert len(names(course, progress, count=1)) == 1


def test_a_unit_ends_with_a_longer_text(tmp_path: Path) -> None:
    course = malay(tmp_path)
    with pytest.raises(NotFound, match="no unit `letters`"):
        names(course, {}, unit="letters")
    path = tmp_path / "courses" / "melayu" / "concepts.json"
    path.write_text(path.read_text().replace('"id": "letters"', '"id": "letters", "unit": "Two"'))
    path.write_text(path.read_text().replace('"id": "food"', '"id": "food", "unit": "Two"'))
    from paige.store.documents import DirectoryDocuments  # noqa: PLC0415
    from paige.study.courses.catalogue import load_course  # noqa: PLC0415

    course = load_course(DirectoryDocuments(tmp_path), "melayu")
    made = plan_quiz(course, {}, StudyQuiz(unit="Two"), 25)
    assert [item.concept_id for item in made.items] == ["food", "letters", "letters"]
    assert made.items[-1].minutes == 10
