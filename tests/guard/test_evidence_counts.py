"""What the tools say of their tests, each in its own form."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from paige.guard.state.counts import FORMS, RunCounts, counted, ended, failed_end
from paige.guard.state.runners import running_tests

CASES = [
    ("pytest", "===== 3 passed, 1 skipped in 0.10s =====", 3, 0),
    ("pytest", "=== 1 failed, 2 passed, 1 error in 61.02s (0:01:01) ===", 4, 2),
    ("pytest", "5 passed in 0.03s", 5, 0),
    ("pytest", "no tests ran in 0.01s", 0, 0),
    ("pytest", "2 skipped in 0.01s", 0, 0),
    ("pytest", "3 deselected in 0.01s", 0, 0),
    ("pytest", "\x1b[32m\x1b[1m2 passed\x1b[0m\x1b[32m in 0.01s\x1b[0m", 2, 0),
    ("pytest", "2 xfailed, 1 xpassed in 0.01s", 3, 0),
    ("python -m unittest", "Ran 3 tests in 0.001s\n\nOK", 3, 0),
    ("python -m unittest", "Ran 3 tests in 0.001s\n\nOK (skipped=3)", 0, 0),
    ("python -m unittest", "Ran 3 tests in 0.001s\n\nFAILED (failures=1, errors=1)", 3, 2),
    ("python -m unittest", "Ran 0 tests in 0.000s\n\nNO TESTS RAN", 0, 0),
    ("python manage.py test", "Ran 2 tests in 0.1s\n\nOK", 2, 0),
    ("npx jest", "Tests:       1 failed, 2 skipped, 4 passed, 7 total\nTime: 1 s", 5, 1),
    ("npx jest", "No tests found, exiting with code 0", 0, 0),
    ("npx vitest run", " Test Files  1 passed (1)\n      Tests  4 passed (4)", 4, 0),
    ("npx vitest run", "      Tests  1 failed | 4 passed | 2 skipped (7)", 5, 1),
    ("npx mocha", "  5 passing (12ms)\n  1 pending\n  2 failing", 7, 2),
    ("node --test", "# tests 3\n# pass 2\n# fail 1\n# skipped 0", 3, 1),
    ("node --test", "\u2139 tests 3\n\u2139 pass 3\n\u2139 fail 0", 3, 0),
    ("deno test", "ok | 5 passed | 0 failed (3ms)", 5, 0),
    ("bun test", " 5 pass\n 1 fail\nRan 6 tests across 1 files.", 6, 1),
    ("npx playwright test", "  5 passed (3.2s)", 5, 0),
    ("npx tap", "TAP version 13\nok 1 - a\nok 2 - b # SKIP\nnot ok 3 - c\n1..3", 2, 1),
    ("bats test", "1..2\nok 1 a\nok 2 b", 2, 0),
    (
        "go test ./...",
        "ok  \tapp/a\t0.01s\nok  \tapp/b\t(cached)\n?   \tapp/c\t[no test files]",
        2,
        0,
    ),
    ("go test ./...", "ok  \tapp/a\t0.01s [no tests to run]", 0, 0),
    (
        "go test -v ./...",
        "=== RUN A\n--- PASS: A (0.00s)\n--- FAIL: B (0.00s)\nFAIL\tapp\t0.1s",
        2,
        1,
    ),
    ("go test ./...", "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tapp/a\t0.01s", 1, 1),
    (
        "cargo test",
        "test result: ok. 3 passed; 0 failed; 1 ignored;\ntest result: ok. 0 passed; 0 failed; 0",
        3,
        0,
    ),
    ("cargo test", "test result: FAILED. 2 passed; 1 failed; 0 ignored;", 3, 1),
    ("cargo nextest run", "     Summary [   0.1s] 5 tests run: 5 passed, 0 skipped", 5, 0),
    ("bundle exec rspec", "5 examples, 1 failure, 2 pending", 3, 1),
    ("vendor/bin/phpunit", "OK (5 tests, 7 assertions)", 5, 0),
    ("vendor/bin/phpunit", "Tests: 5, Assertions: 7, Failures: 1, Skipped: 1.", 4, 1),
    ("vendor/bin/pest", "  Tests:    1 failed, 5 passed (7 assertions)", 6, 1),
    ("bin/rails test", "5 runs, 7 assertions, 1 failures, 0 errors, 1 skips", 4, 1),
    ("mix test", "3 doctests, 5 tests, 1 failure, 1 skipped", 4, 1),
    ("dotnet test", "Passed!  - Failed:     0, Passed:     5, Skipped:     1, Total:     6", 5, 0),
    ("mvn test", "[INFO] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1", 4, 2),
    ("swift test", "Executed 5 tests, with 1 failure (0 unexpected) in 0.1 seconds", 5, 1),
    ("ctest", "80% tests passed, 1 tests failed out of 5", 5, 1),
    ("flutter test", "00:01 +5 ~1 -1: Some tests failed.", 6, 1),
    ("dart test", "00:01 +5: All tests passed!", 5, 0),
    ("gotestsum", "DONE 12 tests, 1 skipped, 2 failures in 0.1s", 11, 2),
]


@pytest.mark.parametrize(("command", "output", "tests", "failed"), CASES)
def test_the_tests_of_a_tool_are_counted_in_its_own_form(
    command: str, output: str, tests: int, failed: int
) -> None:
    run = running_tests(command)

    assert run is not None
    assert counted(run.form, f"collecting\n{output}\n") == RunCounts(tests, failed)


@pytest.mark.parametrize("form", ["pytest", "jest", "go", "nothing-of-the-kind"])
def test_what_is_not_in_the_form_counts_for_nothing(form: str) -> None:
    assert counted(form, "all 5 tests are fine, believe me") == RunCounts(0, 0)


PYTHON_TEST = """
import unittest


class Sums(unittest.TestCase):
    def test_good(self):
        self.assertEqual(1 + 1, 2)

    def test_bad(self):
        self.assertEqual(1 + 1, 3)

    @unittest.skip("later")
    def test_later(self):
        pass
"""
NODE_TEST = """
const test = require("node:test");
const assert = require("node:assert");
test("good", () => assert.equal(1 + 1, 2));
test("bad", () => assert.equal(1 + 1, 3));
"""


def test_real_tools_are_counted_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "test_sums.py").write_text(PYTHON_TEST, encoding="utf-8")
    (tmp_path / "sums.test.js").write_text(NODE_TEST, encoding="utf-8")
    pytest_run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_sums.py"]
    runs = {
        "pytest": pytest_run,
        "unittest": [sys.executable, "-m", "unittest", "test_sums"],
    }
    node = shutil.which("node")
    if node is not None:
        runs["node"] = [node, "--test", "sums.test.js"]
    for form, argv in runs.items():
        done = subprocess.run(
            argv, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        assert counted(form, done.stdout + done.stderr) == RunCounts(2, 1), form


def test_a_number_of_thousands_of_digits_counts_nothing_and_ends_nothing_well() -> None:
    many = "9" * 5000
    lines = (
        f"{many} passed in 1.0s",
        f"Ran {many} tests in 1s\nOK",
        f"Tests: {many}, Assertions: 1",
    )

    assert {counted(form, line) for form in FORMS for line in lines} == {RunCounts(0, 0)}
    assert failed_end(f"Exit code {many}").exit_code
    assert ended(f"Exit Code: {many}", "gemini").exit_code
    assert ended(f"<exited with exit code {many}>", "copilot").exit_code
