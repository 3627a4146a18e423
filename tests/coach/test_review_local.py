"""Reviews without a model, constraints by syntax, issues as they are, reading from a list."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import Unavailable
from paige.coach.answers import ReviewAnswer
from paige.coach.inquiry.constraint_checks import Verdict, check_constraint
from paige.coach.inquiry.issue_ranking import CANNOT, listed, summary_of
from paige.coach.inquiry.kata_runs import Failure, KataRun, python_tests, runnable
from paige.coach.inquiry.materials import MaterialInputs, listed_materials, read_resources
from paige.coach.inquiry.review import phase_settled, settled
from paige.coach.inquiry.review_rules import PhaseWork, WorkInputs, review_by_rules
from paige.coach.inquiry.topics import catalogue
from paige.coach.issues import FoundIssues, OpenIssue, gh_failure, open_issue, parse_listed
from paige.coach.message_parts import FollowUp
from paige.learner.gaps import Attempt, Constraint
from paige.learner.queries import GapRow
from tests.conftest import NOON

PASSED = KataRun(3, 3)
FAILED = KataRun(1, 3, (Failure("test_case_2", "assert 2 == 3"),))
LOOP = "def f(xs):\n    for x in xs:\n        print(x)\n    return 1\n"
RECURSIVE = "def f(n):\n    return 1 if n < 2 else n * f(n - 1)\n"
EASY = Constraint("No loops", "Without loops.", 2)
HARD = Constraint("Lazy", "Use a generator.", 7)


@pytest.mark.parametrize(
    ("code", "title", "description", "kept"),
    [
        (LOOP, "No loops", "Solve it without `for` or `while`.", False),
        (RECURSIVE, "No loops", "", True),
        (RECURSIVE, "Recursion", "Solve it recursively.", True),
        (LOOP, "Recursion", "Solve it recursively.", False),
        (RECURSIVE, "No recursion", "Do not use recursion.", False),
        (RECURSIVE, "No `if`", "Solve it without any `if`.", False),
        (LOOP, "No special cases", "Solve both without any `if`.", True),
        ("def f(a: int) -> int:\n    return a\n", "Typed", "Use type hints.", True),
        (LOOP, "Typed", "Use type hints.", False),
        ("def f(a):\n    return sorted(a)\n", "By hand", "Do not use `sorted` or `sort`.", False),
        (LOOP, "By hand", "Do not use `sorted`.", True),
        ("import itertools\ndef f(a): ...\n", "Plain", "Without imports.", False),
        (LOOP, "Fast", "Let it run in linear time.", None),
        ("def f(:", "No loops", "", None),
    ],
)
def test_constraints_are_told_from_the_syntax(
    code: str, title: str, description: str, kept: bool | None
) -> None:
    assert check_constraint(code, title, description).kept is kept


@given(st.text(max_size=200), st.text(max_size=80))
def test_any_code_and_any_constraint_can_be_looked_at(code: str, words: str) -> None:
    assert check_constraint(code, words, words).kept in (True, False, None)


def test_a_solved_kata_opens_the_next_constraint() -> None:
    found = review_by_rules(WorkInputs(code="x", run=PASSED, others=(EASY, HARD)))
    assert (found.passed, found.level, found.dreyfus_signal) == (True, 5, "advancing")
    assert found.follow_up is not None
    assert found.follow_up.constraint == "No loops: Without loops."


def test_constraints_seen_to_be_kept_raise_the_level() -> None:
    verdicts = (Verdict("No loops", True), Verdict("Lazy", None))
    found = review_by_rules(
        WorkInputs(code="x", run=PASSED, active=(EASY, HARD), verdicts=verdicts)
    )
    assert (found.passed, found.level) == (True, 6), "what nobody saw kept raises no level"
    assert "Kept: No loops." in found.feedback
    assert "does not tell: Lazy" in found.feedback
    assert found.follow_up is not None
    assert found.follow_up.type == "completed"


def test_a_failing_attempt_says_where_to_look() -> None:
    before = (Attempt("a", passed=False), Attempt("b", passed=False))
    found = review_by_rules(WorkInputs(code="x", run=FAILED, attempts=before))
    assert (found.passed, found.correct, found.dreyfus_signal) == (False, False, "struggling")
    assert found.level < 4
    assert "1 of 3 tests pass." in found.feedback
    assert "`test_case_2`" in found.feedback
    assert found.follow_up is not None
    assert found.follow_up.type == "retry_hint"


def test_without_tests_nothing_is_called_solved() -> None:
    found = review_by_rules(
        WorkInputs(code="def f(): ...", scaffolding="def f(): ...\ndef g(): ...")
    )
    assert (found.passed, found.level) == (False, 1)
    assert "nobody has checked" in found.feedback
    assert "lacks: g" in found.feedback


@pytest.mark.parametrize(
    ("changed", "tests", "passed", "words"),
    [
        (("a.py",), (3, 0), True, "all of them passed"),
        (("a.py",), (3, 1), False, "Make the failing tests pass"),
        (("a.py",), (0, 0), False, "The last run had 0 tests, so I cannot judge"),
        (("a.py",), (0, 2), False, "2 ran and 2 failed"),
        (("a.py", "b.go"), None, False, "I cannot judge whether it works. Here is what to"),
        (("b.py",), None, False, "also expects a change in `a.py`"),
        ((), None, False, "Nothing has changed yet"),
    ],
)
def test_work_in_a_phase_is_held_against_it(
    changed: tuple[str, ...], tests: tuple[int, int] | None, passed: bool, words: str
) -> None:
    phase = PhaseWork(1, "Sum", "Fix the sum", ("a.py",), changed, tests)
    found = review_by_rules(WorkInputs(code="", phase=phase))
    assert found.passed is passed
    assert words in found.feedback
    assert ("needs a model" in found.feedback) is bool(changed)


TESTED = st.none() | st.tuples(st.integers(0, 3), st.integers(0, 3))
FILES = st.lists(st.sampled_from(["a.py", "notes.md", "main.go"]), max_size=3)


@given(TESTED, st.booleans(), FILES, FILES, st.booleans())
def test_no_reviewer_passes_a_phase_that_no_test_has_shown(
    tests: tuple[int, int] | None, late: bool, expected: list[str], changed: list[str], says: bool
) -> None:
    phase = PhaseWork(1, "Sum", "Fix", tuple(expected), tuple(changed), tests, late)
    proven = tests is not None and tests[0] > 0 and tests[1] == 0 and not late
    local = review_by_rules(WorkInputs(code="", phase=phase))
    model = phase_settled(ANSWER.model_copy(update={"passed": says}), phase)
    assert local.passed <= proven
    assert model.passed is (says and proven)
    if not model.passed and says:
        assert model.follow_up is not None
        assert model.follow_up.reason == phase.unproven


def test_what_was_left_behind_is_named() -> None:
    diff = "+++ b/a.py\n+    print(x)\n+    breakpoint()\n-    print(y)\n"
    phase = PhaseWork(1, "Sum", "Fix", ("a.py",), ("a.py",), (1, 0))
    said = review_by_rules(WorkInputs(code=diff, phase=phase)).feedback
    assert "a line that prints, a breakpoint" in said


ANSWER = ReviewAnswer(
    correct=True,
    feedback="Fine.",
    level=8,
    passed=True,
    follow_up=FollowUp(type="completed", constraint=None, reason=None),
    dreyfus_signal="advancing",
)
RUNS = st.sampled_from([None, PASSED, FAILED, KataRun(0, 2, unreadable="No.")])
VERDICTS = st.lists(
    st.builds(Verdict, st.just("c"), st.sampled_from([True, False, None])), max_size=3
)


@given(st.booleans(), st.booleans(), st.integers(1, 10), RUNS, VERDICTS)
def test_no_model_passes_what_tests_or_syntax_do_not(
    correct: bool, passed: bool, level: int, run: KataRun | None, verdicts: list[Verdict]
) -> None:
    said = ANSWER.model_copy(update={"correct": correct, "passed": passed, "level": level})
    given_ = WorkInputs(code="x", run=run, verdicts=tuple(verdicts), best_level=3)
    found = settled(said, given_, told_by_model=True)
    if run is not None and not run.all_passed:
        assert not found.passed
        assert not found.correct
        assert found.level <= 3
    if any(each.kept is False for each in verdicts):
        assert not found.passed
    if run is not None and run.all_passed and all(each.kept for each in verdicts):
        assert found.passed
    if run is None and not verdicts:
        assert found.passed is (correct and passed)
    assert found.passed <= found.correct
    if not found.passed and found.follow_up is not None:
        assert found.follow_up.type == "retry_hint"


def test_cases_that_are_sentences_are_no_tests() -> None:
    assert runnable(("returns zero for nothing",)) is None
    assert runnable(("returns zero", "assert f() == 0")) == "python"
    assert runnable(("assert.equal(f(), 0)",), "function f() {\n}") == "javascript"
    text = python_tests(("assert f() == 0", "no test", "f(1) == 1", "def test_x():\n    assert 1"))
    assert text.count("def test_") == 3


@pytest.mark.parametrize("topic", catalogue(), ids=lambda topic: topic.id)
def test_constraints_of_shipped_katas_do_not_forbid_their_start(topic: object) -> None:
    kata = topic.kata  # type: ignore[attr-defined]
    assert runnable(kata.tests, kata.scaffolding) == "python"
    for constraint in kata.constraints:
        seen = check_constraint(kata.solution, constraint.title, constraint.description)
        assert seen.kept in (True, False, None)


def issue(number: int, title: str, body: str = "", *labels: str) -> OpenIssue:
    return OpenIssue(number, title, body, labels)


def test_issues_are_listed_unjudged_with_those_for_me_first() -> None:
    many = [issue(n, f"Thing {n}") for n in range(1, 30)]
    mine = OpenIssue(99, "Mine", "Ask @Anna about it")
    found = listed(FoundIssues((*many, mine), ("anna",)))
    assert [each.number for each in found] == [99, *range(1, 30)]
    assert {each.suitability for each in found} == {"unknown"}
    assert {each.suitability_reason for each in found} == {CANNOT}
    assert found[0].priority_factors.user_tagged


def test_a_summary_has_no_markup() -> None:
    said = summary_of(issue(1, "T", "## Steps\n```py\nx = 1\n```\nOpen **it**. See [this](u)."))
    assert said == "Steps Open it . See this."
    assert summary_of(issue(1, "T")) == "It has no description."


@given(st.text(max_size=200))
def test_whatever_gh_prints_is_a_list_or_an_error(text: str) -> None:
    with suppress(Unavailable):
        assert isinstance(parse_listed(text), tuple)
    assert gh_failure(text).message


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda x: st.dictionaries(
            st.sampled_from(
                ["number", "title", "labels", "assignees", "comments", "state", "body"]
            ),
            x,
        ),
    )
)
def test_any_json_is_an_issue_or_none(value: object) -> None:
    found = open_issue(value)
    assert found is None or found.number >= 1


def gap(topic: str, related: tuple[str, ...] = ()) -> GapRow:
    return GapRow("g1", "me", None, topic, "medium", "", related, 1, NOON, False)


def test_every_resource_is_sound_and_found_by_its_topics() -> None:
    resources = read_resources()
    assert len({each.url for each in resources}) == len(resources)
    for each in resources:
        wanted = MaterialInputs(gaps=(gap(each.topics[0]),), languages=each.languages[:1])
        (found,) = listed_materials(wanted).recommendations
        assert found.resources
        assert 0 < each.minutes <= 120


@pytest.mark.parametrize("topic", catalogue(), ids=lambda topic: topic.id)
def test_there_is_something_to_read_for_every_shipped_topic(topic: object) -> None:
    met = gap(topic.name, topic.related)  # type: ignore[attr-defined]
    found = listed_materials(MaterialInputs(gaps=(met,), languages=("python",)))
    assert found.recommendations, topic
