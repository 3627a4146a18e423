"""A session from its first step to its summary, driven as a door drives it."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import anyio
import pytest

from paige.base.errors import BadInput, Conflict, NotFound, Unavailable
from paige.doors.frame.cli import dump
from paige.learner.files import LearnerFiles
from paige.learner.session_logs import read_log
from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import load_course
from paige.study.session.context import PracticeOutcome, SessionContext, open_session_context
from paige.study.session.driver import (
    Act,
    Instead,
    Skip,
    Stop,
    Turn,
    act,
    look,
    start,
)
from paige.study.session.view import StudyStep, view
from paige.study.values import (
    Answer,
    Event,
    GaveUp,
    HintWanted,
    OpenExercise,
    SessionRequest,
    StepOutcome,
    StudyQuiz,
)
from tests.conftest import NOON
from tests.study.simple_exercises import RIGHT, WRONG, SimpleExercises, mark
from tests.study.small_course import MALAY, write_malay

MINUTE = timedelta(minutes=1)


class Learner:
    """Somebody at a terminal: every act takes a minute."""

    def __init__(self, root: Path) -> None:
        self.documents = DirectoryDocuments(root)
        self.exercises = SimpleExercises(self.documents)
        self.now = NOON
        self.heard: list[tuple[str, str]] = []
        self.told: list[PracticeOutcome] = []
        self.course = load_course(self.documents, MALAY)

    @property
    def room(self) -> SessionContext:
        async def heard(practised: PracticeOutcome) -> None:
            self.told.append(practised)
            if practised.evidence.mastered:
                self.heard.append((practised.concept_id, practised.title))

        return open_session_context(
            self.documents, self.course, exercises=self.exercises, mark=mark, heard=heard
        )

    def start(self, **wish: object) -> StudyStep:
        return self._seen(lambda room: start(room, SessionRequest(**wish), now=self.now, seed=1))  # type: ignore[arg-type]

    def look(self) -> StudyStep:
        return self._seen(lambda room: look(room, now=self.now))

    def does(self, what: Act, *, minutes: float = 1.0, at_step: int | None = None) -> StudyStep:
        self.now += timedelta(minutes=minutes)
        return self._seen(lambda room: act(room, what, now=self.now, at_step=at_step))

    def says(self, text: str, *, minutes: float = 1.0) -> StudyStep:
        return self.does(Answer(text=text), minutes=minutes)

    def finishes(self, answer: Callable[[StudyStep], str] | str = RIGHT) -> StudyStep:
        """Answer until the session is over."""
        seen = self.look()
        for _ in range(100):
            if seen.stage in ("over", "nothing"):
                return seen
            seen = self.says(answer if isinstance(answer, str) else answer(seen))
        raise AssertionError("The session does not end")

    def _seen(self, do: Callable[[SessionContext], object]) -> StudyStep:
        async def both() -> StudyStep:
            room = self.room
            turn = await do(room)  # type: ignore[misc]
            assert isinstance(turn, Turn)
            return await view(room, turn, now=self.now)

        return anyio.run(both)

    @property
    def files(self) -> LearnerFiles:
        return self.room.files

    def logs(self) -> list[dict]:
        paths = self.documents.paths(f"learner/{MALAY}/sessions")
        return [
            json.loads(self.documents.read(each).text) for each in paths if each.endswith("json")
        ]


@pytest.fixture
def learner(tmp_path: Path) -> Learner:
    write_malay(tmp_path)
    return Learner(tmp_path)


def later(learner: Learner, days: float) -> None:
    learner.now += timedelta(days=days)


def test_a_new_concept_is_taught_then_checked_then_practised(learner: Learner) -> None:
    seen = learner.start(minutes=10)
    assert (seen.stage, seen.expects) == ("teach", "go_on")
    assert seen.item is not None
    assert seen.item.title == "Greetings"
    assert seen.lesson is not None
    assert "Worked example" in seen.lesson[1]  # this learner likes examples first
    seen = learner.says("")
    assert (seen.stage, seen.expects) == ("check", "text")
    assert "in one word" in (seen.question or "")
    seen = learner.says("greetings")
    assert seen.stage == "exercise"
    assert seen.says == ("Right.",)
    assert seen.exercise is not None
    assert seen.exercise.modality == "worksheet"
    assert seen.exercise.pauses
    assert seen.exercise.why
    seen = learner.says(RIGHT, minutes=5)
    assert seen.stage == "over"
    assert any("comes back" in line for line in seen.says)
    assert seen.summary is not None
    assert seen.summary.share == 1.0
    assert seen.summary.checks.right == 1


def test_a_wrong_check_is_explained_and_the_session_goes_on(learner: Learner) -> None:
    learner.start()
    learner.says("")
    seen = learner.says("nonsense")
    assert seen.stage == "exercise"
    assert "Expected greetings" in seen.says[0]


def test_results_stand_in_the_log_with_their_session(learner: Learner) -> None:
    learner.start(minutes=10)
    learner.finishes()
    (log,) = learner.logs()
    assert log["course"] == MALAY
    assert log["ended"] is not None
    (record,) = log["exercises"]
    assert record["concept_id"] == "greetings"
    assert record["change_id"].startswith("20260302T120000Z.")
    known = learner.files.read(MALAY)
    assert known.progress["greetings"].unaided_successes == 1
    assert not known.problems


def test_who_was_quick_begins_another_concept_if_there_is_time(learner: Learner) -> None:
    learner.start()
    seen = learner.finishes()
    assert seen.summary is not None
    assert [each.concept for each in seen.summary.exercises] == ["greetings", "numbers"]
    assert seen.summary.minutes < 25


def test_what_is_not_sure_yet_comes_back_after_something_else(learner: Learner) -> None:
    learner.start()
    learner.finishes()
    later(learner, 3)
    seen = learner.start()
    order: list[str] = []
    while seen.stage != "over":
        assert seen.item is not None
        if seen.stage == "exercise" and seen.item.type == "new" and not order:
            order.append(seen.item.concept)
            learner.says(WRONG)
            seen = learner.does(HintWanted())
        elif seen.stage == "exercise" and order:
            order.append(seen.item.concept)
        seen = learner.says(RIGHT)
    assert order[0] in order[2:]


def test_reviews_may_be_all_cards(learner: Learner) -> None:
    learner.start()
    learner.finishes()
    later(learner, 5)
    seen = learner.start(kind="review", prefer="flashcard")
    while seen.stage != "over":
        assert seen.exercise is not None
        assert seen.exercise.modality == "flashcard"
        seen = learner.says(RIGHT)


def test_the_state_is_no_log(learner: Learner) -> None:
    learner.start()
    learner.finishes()
    paths = learner.documents.paths(f"learner/{MALAY}/sessions")
    assert [each.rpartition(".")[2] for each in paths] == ["json", "state"]
    for each in paths:
        if each.endswith(".json"):
            assert not read_log(each, learner.documents.read(each).text).problems


def test_the_next_session_opens_with_recall(learner: Learner) -> None:
    learner.start()
    learner.finishes()
    later(learner, 3)
    seen = learner.start()
    assert seen.item is not None
    assert (seen.item.type, seen.item.opening, seen.stage) == ("review", True, "exercise")
    assert seen.exercise is not None
    assert seen.exercise.modality == "conversation"
    types = []
    while seen.stage != "over":
        assert seen.item is not None
        types.append((seen.item.type, seen.stage))
        seen = learner.says(RIGHT)
    assert types[0] == ("review", "exercise")
    assert ("new", "teach") in types
    assert seen.next is not None


def test_looking_changes_nothing(learner: Learner) -> None:
    first = learner.start()
    before = learner.documents.read(f"learner/{MALAY}/sessions/{first.session}.state")
    again = learner.look()
    assert (again.step, again.stage, again.resumed) == (first.step, first.stage, True)
    assert learner.documents.read(before.path) == before


def test_start_resumes_what_is_open(learner: Learner) -> None:
    first = learner.start()
    learner.says("")
    seen = learner.start()
    assert (seen.session, seen.stage, seen.resumed) == (first.session, "check", True)
    fresh = learner.start(anew=True)
    assert fresh.session != first.session


def test_a_session_left_for_a_day_ends_and_a_new_one_is_planned(learner: Learner) -> None:
    first = learner.start()
    learner.says("")
    later(learner, 1)
    seen = learner.start()
    assert seen.session != first.session
    assert seen.stage == "teach"


def test_a_worksheet_may_lie_for_days(learner: Learner) -> None:
    first = learner.start()
    learner.says("")
    learner.says("greetings")
    later(learner, 3)
    seen = learner.start()
    assert (seen.session, seen.stage) == (first.session, "exercise")
    assert seen.minutes_left > 5  # days of pause are not days of work


def test_what_went_wrong_comes_once_more_in_the_same_session(learner: Learner) -> None:
    learner.start(minutes=10)
    learner.says("")
    learner.says("greetings")
    learner.says(WRONG)
    seen = learner.says(WRONG)
    assert seen.item is not None
    assert (seen.item.type, seen.item.concept) == ("review", "greetings")
    assert seen.stage == "exercise"
    seen = learner.says(RIGHT)
    assert seen.stage == "over"
    assert [each.rating for each in seen.summary.exercises] == [1, 3]  # type: ignore[union-attr]


def test_who_fails_again_is_taught_again(learner: Learner) -> None:
    learner.start()
    learner.says("")
    learner.says("greetings")
    for _ in range(4):
        seen = learner.says(WRONG)
    assert seen.stage == "teach"
    assert any("once more" in line for line in seen.says)
    seen = learner.finishes(WRONG)
    assert len(seen.summary.exercises) == 3  # type: ignore[union-attr]


def test_a_hint_needs_a_try_and_makes_it_aided(learner: Learner) -> None:
    learner.start()
    learner.says("")
    learner.says("greetings")
    learner.says(WRONG)
    learner.does(HintWanted())
    seen = learner.says(RIGHT)
    assert seen.summary is not None
    assert seen.summary.exercises[0].hints_used == 1
    assert seen.summary.unaided == 0
    assert learner.files.read(MALAY).progress["greetings"].unaided_successes == 0


def test_giving_up_shows_the_answer_and_counts_as_not_known(learner: Learner) -> None:
    learner.start()
    learner.says("")
    learner.says("greetings")
    learner.says(WRONG)
    seen = learner.does(GaveUp())
    assert seen.result is not None
    assert seen.result.answer_shown
    assert learner.files.read(MALAY).progress["greetings"].status == "learning"


def test_an_exercise_may_be_left_out_or_the_session_ended(learner: Learner) -> None:
    learner.start()
    learner.says("")
    seen = learner.does(Skip())
    assert seen.stage == "over"
    assert seen.summary is not None
    assert seen.summary.skipped == ("greetings",)
    assert learner.logs() == []  # nothing was done, so nothing is logged
    learner.start(anew=True)
    seen = learner.does(Stop())
    assert seen.stage == "over"
    with pytest.raises(NotFound, match="No session is open"):
        learner.says(RIGHT)


def test_another_kind_may_be_asked_for_before_the_first_try(learner: Learner) -> None:
    learner.start()
    learner.says("")
    seen = learner.says("greetings")
    assert "flashcard" in seen.exercise.instead  # type: ignore[union-attr]
    seen = learner.does(Instead("flashcard"))
    assert seen.exercise is not None
    assert seen.exercise.modality == "flashcard"
    with pytest.raises(BadInput, match="cannot be done as `code`"):
        learner.does(Instead("code"))
    learner.says(WRONG)
    with pytest.raises(BadInput, match="begun already"):
        learner.does(Instead("conversation"))


def test_an_answer_for_another_step_is_refused(learner: Learner) -> None:
    first = learner.start()
    learner.says("")
    with pytest.raises(Conflict, match=f"not at step {first.step}"):
        learner.does(Answer(text="late"), at_step=first.step)
    seen = learner.look()
    assert seen.stage == "check"


def test_a_file_that_is_not_there_is_told_and_the_exercise_goes_on(learner: Learner) -> None:
    learner.start()
    learner.says("")
    learner.says("greetings")
    with pytest.raises(NotFound, match="nowhere"):
        learner.does(Answer(path="nowhere.md"))
    seen = learner.look()
    assert seen.stage == "exercise"
    seen = learner.says(RIGHT)
    assert len(learner.logs()[0]["exercises"]) == 1


class Away(SimpleExercises):
    """Nobody judges while `away` is set."""

    away = True

    async def take(self, sitting: OpenExercise, event: Event, *, now: datetime) -> StepOutcome:
        if self.away:
            raise Unavailable("The model does not answer")
        return await super().take(sitting, event, now=now)


def test_an_answer_waits_until_somebody_can_judge_it(learner: Learner) -> None:
    learner.exercises = away = Away(learner.documents)
    learner.start(minutes=10)
    learner.says("")
    learner.says("greetings")
    with pytest.raises(Unavailable):
        learner.says(RIGHT)
    with pytest.raises(Unavailable):
        learner.look()
    away.away = False
    seen = learner.look()
    assert seen.stage == "over"
    assert len(learner.logs()[0]["exercises"]) == 1


def test_what_cannot_be_judged_may_be_left_out(learner: Learner) -> None:
    learner.exercises = Away(learner.documents)
    learner.start(minutes=10)
    learner.says("")
    learner.says("greetings")
    with pytest.raises(Unavailable):
        learner.says(RIGHT)
    assert learner.does(Skip()).stage == "over"


def test_no_time_left_means_the_rest_is_for_next_time(learner: Learner) -> None:
    learner.start()
    learner.finishes()
    later(learner, 3)
    learner.start()
    seen = learner.says(RIGHT, minutes=2)
    while seen.stage != "over":
        seen = learner.says(RIGHT, minutes=9)
    assert seen.summary is not None
    assert seen.summary.dropped
    assert any("No time was left" in line for line in seen.summary.says)


def test_when_everything_is_done_it_says_when_to_come_back(learner: Learner) -> None:
    for _ in range(4):
        learner.start()
        learner.finishes()
        learner.now += 15 * MINUTE
    seen = learner.start()
    assert seen.stage == "nothing"
    assert "nothing to do today" in seen.says[0]
    assert any("due" in line for line in seen.says)


def test_who_has_too_few_minutes_is_told_how_many_it_takes(learner: Learner) -> None:
    seen = learner.start(minutes=5)
    assert seen.stage == "nothing"
    assert seen.says[0] == "5 minutes are too short for something new; take 10."
    assert learner.start(minutes=10).stage == "teach"


def test_mastery_is_told_to_whoever_listens(learner: Learner) -> None:
    for _ in range(8):
        learner.start()
        learner.finishes()
        later(learner, 9)
    assert ("greetings", "Greetings") in learner.heard
    assert len({concept for concept, _ in learner.heard}) == len(learner.heard)
    assert {each.course for each in learner.told} == {MALAY}
    assert len(learner.told) > len(learner.heard), "only mastery was told of"


def test_the_profile_learns_what_results_say(learner: Learner) -> None:
    learner.files.update_profile(lambda profile: profile)
    for _ in range(5):
        learner.start()
        learner.finishes()
        later(learner, 4)
    found = learner.files.profile().auto_detected
    assert found.most_engaged is not None
    assert found.highest_performance is not None


def test_a_broken_profile_is_told_and_stops_nothing(learner: Learner) -> None:
    path = learner.documents.write("learner/profile.json", '{\n  "a": 1,\n}\n', base="").path
    seen = learner.start()
    assert [each.file for each in seen.problems] == [path]
    assert seen.problems[0].line == 3
    seen = learner.finishes()
    assert seen.stage == "over"
    assert learner.documents.read(path).text.endswith(",\n}\n")


def test_a_broken_state_is_told_and_a_new_session_begins(learner: Learner) -> None:
    first = learner.start()
    path = f"learner/{MALAY}/sessions/{first.session}.state"
    document = learner.documents.read(path)
    learner.documents.write(
        path, document.text.replace('"plan": [', '"plan": 7, "x": ['), base=document.version
    )
    learner.now += MINUTE
    seen = learner.start()
    assert seen.stage == "teach"
    assert seen.session != first.session
    (problem,) = seen.problems
    assert (problem.file, "plan" in problem.message) == (path, True)
    line = learner.documents.read(path).text.splitlines()[problem.line - 1]
    assert '"plan"' in line
    assert "Delete the file" in problem.fix


def test_a_review_session_leaves_the_open_one_alone(learner: Learner) -> None:
    learner.start()
    learner.finishes()
    later(learner, 3)
    open_one = learner.start()
    learner.now += MINUTE
    review = learner.start(kind="review")
    assert review.kind == "review"
    assert review.session != open_one.session
    assert learner.start().session == open_one.session


def test_a_quiz_asks_without_teaching_and_with_its_own_kinds(learner: Learner) -> None:
    with pytest.raises(NotFound, match="nothing to be quizzed on"):
        learner.start(kind="quiz")
    wish = StudyQuiz(concepts=("greetings", "prefix-ber", "food"))
    seen = learner.start(kind="quiz", quiz=wish)
    kinds = []
    while seen.stage != "over":
        assert seen.exercise is not None
        kinds.append((seen.exercise.modality, seen.item.concept))  # type: ignore[union-attr]
        seen = learner.says(RIGHT)
    assert kinds == [
        ("worksheet", "greetings"),
        ("conversation", "food"),  # a second paper would follow at once
        ("conversation", "prefix-ber"),
    ]


def test_a_step_as_json_never_holds_an_answer(learner: Learner) -> None:
    learner.start()
    learner.says("")
    seen = learner.says("nonsense")
    assert seen.exercise is not None
    shown = json.dumps(dump(seen)["exercise"])
    made = learner.room.sessions.open_one()[0]
    assert made is not None
    assert made.state.sitting is not None
    for answer in made.state.sitting.exercise.items[0].answers:
        assert answer not in shown


def test_a_course_that_never_talks_still_keeps_two_files_apart(tmp_path: Path) -> None:
    write_malay(tmp_path, modality_weights={"conversation": 0.0, "worksheet": 1.0})
    learner = Learner(tmp_path)
    learner.start()
    learner.finishes()
    later(learner, 3)
    learner.start()
    learner.finishes()
    kinds = [each["modality"] for log in learner.logs() for each in log["exercises"]]
    assert "conversation" not in kinds
    assert kinds[0] == "worksheet"
    assert kinds[1] == "flashcard"
