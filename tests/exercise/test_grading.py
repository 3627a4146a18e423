"""What a learner is told about their code, their worksheet, their text."""

import json
from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent

import pytest

from paige.base.errors import BadInput, NotFound, Unavailable
from paige.exercise.grading import LIMITS, grade
from paige.exercise.harness.sources import style_remarks
from paige.exercise.result import Attempt, Result, dump_result, load_result
from paige.sandbox.values import MIB, Limits

NOW = datetime(2026, 2, 22, 14, 30, tzinfo=UTC)
BOMB = """
import os, time
def double(n):
    if n == 0:
        time.sleep(0.5)  # so that what passed before is told before this machine is full
        for _ in range(8): os.fork()
        time.sleep(20)
    return 2 * n
"""
SMALL = Limits(wall_seconds=30, cpu_seconds=2, memory_bytes=300 * MIB, disk_bytes=16 * MIB)
GOOD = '''
"""
Exercise: Doubling
Concept: doubling
Bloom Level: apply
"""


def double(number):
    """Twice the number."""
    return 2 * number
'''
TESTS = """
from exercise import double

def test_one():
    \"\"\"One becomes two.\"\"\"
    assert double(1) == 2

def test_zero():
    assert double(0) == 0

def test_text():
    print("here")
    assert double("a") == "aa"
"""


def lay_out(folder: Path, code: str, tests: str = TESTS, **others: str) -> Path:
    """A folder of ours."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in {"exercise.py": code, "test_exercise.py": tests, **others}.items():
        (folder / name).write_text(dedent(text), encoding="utf-8")
    return folder


def check(folder: Path, code: str, limits: Limits = SMALL) -> Result:
    return grade(lay_out(folder, code), now=NOW, limits=limits)


def test_clean_code_that_passes_is_easy(tmp_path: Path) -> None:
    done = check(tmp_path / "algebra" / "exercises" / "doubling", GOOD)
    assert (done.score.correct, done.score.total, done.score.percentage) == (3, 3, 1.0)
    assert (done.fsrs_rating, done.modality, done.message) == (4, "code", "All 3 tests passed.")
    assert (done.concept_id, done.course, done.bloom_level) == ("doubling", "algebra", "apply")
    assert [test.status for test in done.tests] == ["passed"] * 3
    assert done.tests[0].description == "One becomes two."
    assert done.tests[2].output == "here\n"
    assert done.exercise_id == "20260222T143000Z-doubling-code"
    assert load_result(json.loads(json.dumps(dump_result(done)))).score.percentage == 1.0


def test_a_failed_test_says_what_was_expected(tmp_path: Path) -> None:
    done = check(tmp_path, "def double(n):\n    return n + n if n else 1")
    assert done.score.percentage == pytest.approx(2 / 3, abs=1e-5)
    assert done.fsrs_rating == 2
    (error,) = done.errors
    assert (error.question, error.expected, error.actual) == ("test_zero", "0", "1")
    assert "`test_zero`" in done.message


def test_untidy_code_that_passes_is_not_easy(tmp_path: Path) -> None:
    code = """
        import os
        def double(n):
            unused = 3
            # return n * 2
            try:
                return n + n
            except:
                pass
        """
    done = check(tmp_path, code)
    assert done.score.percentage == 1.0
    assert done.fsrs_rating == 2
    assert any("`except:`" in each for each in done.improvements)


def test_hinted_work_is_at_most_hard_and_a_shown_answer_is_again(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, GOOD)
    assert grade(folder, now=NOW, attempt=Attempt(hints_used=1)).fsrs_rating == 2
    assert grade(folder, now=NOW, attempt=Attempt(answer_shown=True)).fsrs_rating == 1


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("def double(n):\n    return n +", "line 2"),
        ("def double(n)\n    return n", "line 1"),
        ("  x = 1\ny", "line"),
        ("return 3", "line 1"),
        ("x = '\0'", "exercise.py"),
    ],
)
def test_what_cannot_be_read_costs_no_attempt(tmp_path: Path, code: str, line: str) -> None:
    folder = lay_out(tmp_path, "")
    (folder / "exercise.py").write_text(code, encoding="utf-8")
    done = grade(folder, now=NOW)
    assert not done.gradable
    assert "no attempt is used" in done.message
    assert line in done.message
    assert done.errors[0].error_type == "syntax_error"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def double(n):\n    while n == 0: pass\n    return 2 * n", "loop that never ends"),
        (BOMB, "processes"),
        ("def double(n):\n    while n == 0: print('x' * 999)\n    return 2 * n", "print inside"),
    ],
)
def test_what_is_stopped_is_explained_with_its_test(tmp_path: Path, code: str, said: str) -> None:
    done = check(tmp_path, code)
    assert done.gradable
    assert (done.score.correct, done.score.total) == (1, 3), done.tests
    assert "`test_zero`" in done.message
    assert said in done.message
    assert said in done.tests[1].message


def test_too_much_memory_is_explained_and_the_other_tests_go_on(tmp_path: Path) -> None:
    code = """
        def double(n):
            held = []
            while n == 0: held.append("x" * 10**6)
            return 2 * n
        """
    done = check(tmp_path, code)
    assert done.score.correct == 2, done.tests
    assert "keeps growing" in done.tests[1].message


def test_an_endless_recursion_is_a_failed_test(tmp_path: Path) -> None:
    done = check(tmp_path, "def double(n):\n    return double(n)")
    assert done.score.correct == 0
    assert "RecursionError" in done.tests[0].message


def test_nothing_collected_is_a_score_of_zero(tmp_path: Path) -> None:
    folder = lay_out(tmp_path, GOOD, "from exercise import double\n")
    done = grade(folder, now=NOW)
    assert done.gradable
    assert (done.score.correct, done.score.total, done.score.percentage) == (0, 0, 0.0)
    assert "no tests" in done.message


def test_code_that_cannot_be_loaded_scores_zero_of_all_tests(tmp_path: Path) -> None:
    done = check(tmp_path, "raise RuntimeError('not yet')")
    assert done.gradable
    assert (done.score.correct, done.score.total) == (0, 3)
    assert "not yet" in done.message


def test_files_that_steer_the_tests_are_left_out(tmp_path: Path) -> None:
    others = {
        "conftest.py": "import os; os._exit(0)",
        "pytest.ini": "[pytest]\naddopts = --collect-only",
        "sitecustomize.py": "raise SystemExit",
        "random.py": "raise SystemExit",
        "pytest.py": "raise SystemExit",
    }
    folder = lay_out(tmp_path, GOOD, **others)
    done = grade(folder, now=NOW)
    assert done.score.percentage == 1.0, done.message
    assert sum("left out" in each for each in done.remarks) == 5


def test_a_thousand_threads_are_no_harm(tmp_path: Path) -> None:
    code = """
        import threading
        def double(n):
            gate = threading.Event()
            threads = [threading.Thread(target=gate.wait) for _ in range(1000)]
            for thread in threads: thread.start()
            gate.set()
            for thread in threads: thread.join()
            return 2 * n
        """
    assert check(tmp_path, code, LIMITS).score.percentage == 1.0


@pytest.mark.parametrize("isolation", ["namespaces", "limits"])
def test_weaker_ways_of_shutting_in_grade_the_same_and_say_so(
    tmp_path: Path, isolation: str
) -> None:
    done = grade(lay_out(tmp_path, GOOD), now=NOW, isolation=isolation)  # type: ignore[arg-type]
    assert done.score.percentage == 1.0, done.message
    assert any("On this machine" in each for each in done.remarks)


def test_a_worksheet_is_marked(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.md"
    sheet.write_text(
        "<!-- WORKSHEET -->\n<!-- course: spanish -->\n<!-- concept: greetings -->\n"
        "# Worksheet: Greetings\n\n## Section 1: Translate\n\n1. hello: hola\n\n2. bye: hola\n\n"
        "<!-- ANSWER_KEY\n1.1: hola\n1.2: adiós\n-->\n",
        encoding="utf-8",
    )
    done = grade(sheet, now=NOW)
    assert done.modality == "worksheet"
    assert done.score.total == 2
    assert done.file_path == str(sheet)


def test_a_response_is_read_and_left_to_whoever_understands_it(tmp_path: Path) -> None:
    file = tmp_path / "response.md"
    file.write_text(
        "<!-- RESPONSE -->\n<!-- concept: caching -->\n# Question: Why cache?\n\n"
        "**Your response** (write below this line):\n\n---\n\nBecause reading again is slow.\n",
        encoding="utf-8",
    )
    done = grade(file, now=NOW)
    assert done.modality == "long_form"
    assert done.concept_id == "caching"
    assert not done.gradable
    assert "without a model" in done.message


def test_what_is_no_exercise_is_refused_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="nothing at"):
        grade(tmp_path / "missing", now=NOW)
    with pytest.raises(BadInput):
        grade(tmp_path, now=NOW)
    (tmp_path / "a.md").write_text("Hello", encoding="utf-8")
    with pytest.raises(BadInput, match="neither"):
        grade(tmp_path / "a.md", now=NOW)


def test_remarks_name_the_line_and_spare_clean_code() -> None:
    assert style_remarks(GOOD) == []
    long = "def f():\n" + "    g()\n" * 50
    found = {
        kind for kind, _, _ in style_remarks(long + "def h(x=[]):\n    list = x\n    return list\n")
    }
    assert found == {"long_function", "mutable_default", "shadowed_builtin"}
    assert style_remarks("# The list x = sorted words, for speed.\nx = 1\n") == []


SCRIPT = {
    "exercise.js": "export const double = (n) => 2 * n;",
    "exercise.test.js": """
import test from "node:test";
import assert from "node:assert/strict";
import { double } from "./exercise.js";
test("one", () => assert.equal(double(1), 2));
test("two", () => assert.equal(double(2), 4));
""",
}


def script(folder: Path, code: str) -> Result:
    for name, text in {**SCRIPT, "exercise.js": code}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return grade(folder, now=NOW, limits=SMALL)


@pytest.mark.parametrize(
    ("code", "correct"),
    [
        ("export const double = (n) => 2 * n;", 2),
        ("export const double = (n) => 2;", 1),
        ("process.exit(0)", 0),
        ("console.log('ok 1 - one\\nok 2 - two'); export const double = 0;", 0),
        ("import a from 'node:assert/strict'; a.equal = () => {}; export const double = 0;", 0),
        ("import fs from 'node:fs'; for (let i = 3; i < 60; i++) "
         "try { fs.writeSync(i, '[0,\"closed\",0]') } catch {} ; export const double = 0;", 0),
    ],
)  # fmt: skip
def test_scripts_are_tested_with_node(tmp_path: Path, code: str, correct: int) -> None:
    done = script(tmp_path, code)
    assert (done.score.correct, done.score.total) == (correct, 2), (done.message, done.tests)


def test_a_script_that_cannot_be_read_or_never_ends_is_told(tmp_path: Path) -> None:
    assert not script(tmp_path, "export const double = (;").gradable
    done = script(tmp_path, "export const double = () => { while (true); };")
    assert "loop that never ends" in done.message


def test_without_node_a_script_cannot_be_tested(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Unavailable, match="Node is not installed"):
        script(tmp_path, "")
