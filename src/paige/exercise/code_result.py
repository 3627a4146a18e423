"""From the messages of a test run to a result: which tests passed, what to tell the learner.

A test counts as passed only if the guard said so and nothing makes the run void: a test that must
fail but passed, a changed tool, something unsigned on the channel, or an end without the last word.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from paige.exercise.code_folder import Testable
from paige.exercise.ids import exercise_id
from paige.exercise.result import Attempt, Result
from paige.exercise.values import (
    ExerciseError,
    Quality,
    Score,
    TestOutcome,
    TestStatus,
    code_rating,
    score_of,
)
from paige.sandbox.values import MIB, Outcome, explain, explain_isolation

_WHY_VOID = {
    "channel": "something else was written where results are reported",
    "caller": "a result was reported by other code than the test runner",
    "equal": "an object was made that is equal to everything",
    "test file": "the file of the tests was changed while they ran",
    "guard": "the test runner was interrupted",
    "must fail": "tests that must fail came out as passed",
    "must run": "tests that belong to every run did not take place",
}
_SERIOUS = {"bare_except", "swallowed_error", "long_function", "deep_nesting", "mutable_default"}
_COMPARED = (
    re.compile(r"^(?:AssertionError: )?assert (?P<actual>.+?) == (?P<expected>.+?)$"),
    re.compile(r"^AssertionError: (?P<actual>.+?) != (?P<expected>.+?)(?: : .*)?$"),
)
_EDGE = re.compile(r"empty|edge|zero|none|single|negative|invalid|boundary|large|limit", re.I)
_MANY_REMARKS = 5


@dataclass(frozen=True, slots=True)
class CodeRun:
    """How a run ended and what it said."""

    outcome: Outcome
    messages: tuple[tuple[str, object], ...]

    def first(self, kind: str) -> object | None:
        """The value of the first message of a kind."""
        return next((value for name, value in self.messages if name == kind), None)

    def every(self, kind: str) -> list[object]:
        """The values of all messages of a kind."""
        return [value for name, value in self.messages if name == kind]


@dataclass(frozen=True, slots=True)
class _TestNode:
    node: str
    name: str
    about: str
    task: int | None
    left_out: bool
    must_fail: bool


def code_result(given: Testable, run: CodeRun, attempt: Attempt) -> Result:
    """The result of a run."""
    wrong, remarks, counted = _sources(run)
    if wrong:
        return _unreadable(given, attempt, wrong)
    tests = _tests(run, counted)
    void = _void(run)
    if void is not None:
        message = f"Nothing of this run counts: {void}."
        tests = tuple(_failed(test, "error", message) for test in tests)
        return _graded(given, attempt, run, tests, message, [])
    return _graded(given, attempt, run, tests, _message(run, tests), remarks)


def quality_of(remarks: Sequence[Sequence[object]]) -> Quality:
    """How a solution is written, from what was remarked about it."""
    serious = sum(str(each[2]) in _SERIOUS for each in remarks)
    if not remarks:
        return "good"
    if serious <= 1 and len(remarks) <= 3:
        return "acceptable"
    return "needs_improvement"


def _graded(
    given: Testable,
    attempt: Attempt,
    run: CodeRun,
    tests: tuple[TestOutcome, ...],
    message: str,
    remarks: list[list[object]],
) -> Result:
    counting = [test for test in tests if test.status != "skipped"]
    passed = sum(test.status == "passed" for test in counting)
    score = score_of(passed, len(counting))
    quality = quality_of(remarks)
    rating = code_rating(score.percentage, quality)
    improvements = [f"{each[0]}, line {each[1]}: {each[3]}" for each in remarks[:_MANY_REMARKS]]
    return replace(
        _begun(given, attempt),
        gradable=True,
        score=score,
        fsrs_rating=attempt.rated(rating),
        errors=tuple(_error(test) for test in counting if test.status != "passed"),
        strengths=_strengths(score, quality),
        improvements=tuple(improvements),
        message=message,
        remarks=_remarks(given, run),
        tests=tests,
        details_extra={"quality": quality if score.percentage >= 1 else "not judged"},
    )


def _unreadable(given: Testable, attempt: Attempt, wrong: list[list[object]]) -> Result:
    errors: list[ExerciseError] = []
    for name, line, column, text, said in wrong:
        where = f"{name}, line {line}" if line else str(name)
        detail = f"{where}: {said}" + (f": `{str(text).strip()}`" if text else "")
        place = {"line": line, "column": column}
        errors.append(ExerciseError(str(name), "syntax_error", None, None, detail, place))
    first = errors[0].detail
    return replace(
        _begun(given, attempt),
        message=f"The code cannot be read, so nothing was tested and no attempt is used. {first}",
        errors=tuple(errors),
    )


def _begun(given: Testable, attempt: Attempt) -> Result:
    folder, now = given.folder, attempt.now
    concept = folder.concept_ids[0]
    parent = folder.path.resolve().parent
    made = exercise_id(now, concept, "code") if now else f"{concept}-code"
    course = parent.parent.name if parent.name == "exercises" else ""
    return attempt.begin(made, concept, "code", course, folder.bloom_level or "apply")


def _sources(run: CodeRun) -> tuple[list, list, int]:
    found = run.first("sources")
    if not isinstance(found, list):
        return [], [], 0
    wrong, remarks, counted = found
    return wrong, remarks, counted


def _planned(run: CodeRun) -> list[_TestNode]:
    rows = run.first("collected")
    return [_TestNode(*row) for row in rows] if isinstance(rows, list) else []


def _tests(run: CodeRun, counted: int) -> tuple[TestOutcome, ...]:
    """Every test of the exercise with what came of it."""
    said: dict[str, list[list]] = {}
    for row in run.every("report"):
        assert isinstance(row, list)
        said.setdefault(row[0], []).append(row)
    planned = [each for each in _planned(run) if not each.must_fail]
    tests = [_test(each, said.get(each.node, []), run) for each in planned]
    tests += [_uncollected(error) for error in run.every("collect_error")]
    # A file that could not be loaded has as many tests as its text holds.
    unknown = counted - len(tests)
    if unknown > 0 and (run.every("collect_error") or not planned):
        tests += [
            TestOutcome(f"test {number}", "error", "It could not be run.")
            for number in range(len(tests) + 1, len(tests) + unknown + 1)
        ]
    return tuple(tests)


def _test(each: _TestNode, rows: list[list], run: CodeRun) -> TestOutcome:
    test = TestOutcome(
        name=each.name,
        status="error",
        description=each.about,
        task=each.task,
        edge=bool(_EDGE.search(each.name)),
        output=str(rows[-1][5]) if rows else "",
    )
    wrong = next((row for row in rows if row[2] == "failed"), None)
    if wrong is not None:
        return _failed(test, "failed", _said(str(wrong[4]), run))
    if each.left_out:
        return _failed(test, "skipped", "It is left out by its author.")
    if any(row[2] == "skipped" for row in rows):
        return _failed(test, "failed", "The code left this test out instead of passing it.")
    if any(row[1] == "call" and row[2] == "passed" for row in rows):
        return replace(test, status="passed", points=1.0)
    return _not_finished(test, each, run)


def _not_finished(test: TestOutcome, each: _TestNode, run: CodeRun) -> TestOutcome:
    started = run.every("start")
    if started and started[-1] == each.node:
        status: TestStatus = "timeout" if run.outcome.ending in ("wall", "cpu") else "error"
        return _failed(test, status, _why_it_ended(run))
    return _failed(test, "error", "It did not get its turn, because the run was stopped before.")


def _failed(test: TestOutcome, status: TestStatus, message: str) -> TestOutcome:
    return replace(test, status=status, message=message, points=0.0)


def _uncollected(error: object) -> TestOutcome:
    assert isinstance(error, list)
    return TestOutcome(name=str(error[0]), status="error", message=str(error[1]))


def _said(message: str, run: CodeRun) -> str:
    if message.startswith("MemoryError"):
        most = run.outcome.limits.memory_bytes // MIB
        return (
            f"It needed more than {most} MB of memory: look for a list or text that keeps "
            f"growing.\n{message}"
        )
    return message


def _void(run: CodeRun) -> str | None:
    """Why nothing counts, in words; nothing when it counts."""
    said = run.first("void")
    if said is not None:
        return _WHY_VOID.get(str(said), f"the code changed the tools that test it ({said})")
    must_fail = {each.node for each in _planned(run) if each.must_fail}
    rows = [row for row in run.every("report") if isinstance(row, list) and row[0] in must_fail]
    failed = {row[0] for row in rows if row[2] == "failed"}
    if any(row[1] == "call" and row[2] == "passed" and row[0] not in failed for row in rows):
        return _WHY_VOID["must fail"]
    if run.first("closed") is not None and failed != must_fail:
        return _WHY_VOID["must run"]
    return None


def _message(run: CodeRun, tests: tuple[TestOutcome, ...]) -> str:
    counting = [test for test in tests if test.status != "skipped"]
    passed = sum(test.status == "passed" for test in counting)
    if run.first("closed") is None:
        running = next((test.name for test in tests if test.message == _why_it_ended(run)), None)
        where = f" during `{running}`" if running else " before any test began"
        return f"The run was stopped{where}. {_why_it_ended(run)} {passed} of {len(tests)} passed."
    if not counting:
        return "There are no tests here, so nothing could be shown to work."
    loading = run.first("collect_error")
    if isinstance(loading, list):
        reason = str(loading[1]).strip().partition("\n")[0]
        return f"The tests could not load the code: {reason}. {passed} of {len(counting)} passed."
    if passed == len(counting):
        return f"All {passed} tests passed."
    first = next(test for test in counting if test.status != "passed")
    return f"{passed} of {len(counting)} tests passed. The first that did not: `{first.name}`."


def _why_it_ended(run: CodeRun) -> str:
    outcome = run.outcome
    if not outcome.ended_by_itself and outcome.ending != "signal":
        return explain(outcome)
    stopped = run.first("stopped")
    if isinstance(stopped, list):
        return f"The code ended the run itself with {stopped[0]}: {stopped[1]}".strip(": ") + "."
    if outcome.ending == "signal":
        return f"It was ended by signal {_signal(outcome)}."
    return "The code ended the program instead of returning: look for `exit`."


def _signal(outcome: Outcome) -> int:
    code = outcome.exit_code or 0
    return -code if code < 0 else code - 128 if code > 128 else code


def _error(test: TestOutcome) -> ExerciseError:
    first = test.message.strip().partition("\n")[0]
    compared = next((found for each in _COMPARED if (found := each.match(first))), None)
    kind = "complexity_error" if test.status == "timeout" else "logic_error"
    if test.edge and test.status == "failed":
        kind = "missing_edge_case"
    return ExerciseError(
        question=test.name,
        error_type=kind,
        expected=compared["expected"] if compared else None,
        actual=compared["actual"] if compared else None,
        detail=test.message,
    )


def _strengths(score: Score, quality: Quality) -> tuple[str, ...]:
    if score.percentage < 1:
        return ()
    clean = ("The code is easy to read.",) if quality == "good" else ()
    return ("Every test passed.", *clean)


def _remarks(given: Testable, run: CodeRun) -> tuple[str, ...]:
    remarks = [f"`{name}` was left out of the run." for name in given.left_out]
    if run.outcome.isolation != "bubblewrap":
        remarks.append(f"On this machine {explain_isolation(run.outcome.isolation)}.")
    return tuple(remarks)
