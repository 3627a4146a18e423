"""Runs the tests of a kata over somebody's code, in the sandbox: what passed is no opinion.

A test case is a line such as `assert add(1, 2) == 3`, a few statements, or whole functions called
`test_…`. A case that is a sentence for people cannot be run; a kata with such cases alone has no
tests. Python is tested with pytest, JavaScript with Node's own runner.
"""

import ast
import json
import logging
import re
import tempfile
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from paige.base import python_source
from paige.base.errors import BadInput, Refused, Unavailable
from paige.sandbox.terms import RunTerms

if TYPE_CHECKING:
    from paige.exercise.result import Result

logger = logging.getLogger(__name__)
Language = Literal["python", "javascript"]
MOST_FAILURES = 5
_FUNCTION = re.compile(r"^[^\S\n]*+(?:export\s+)?(?:async\s+)?function\*?\s+(\w+)", re.MULTILINE)
_BOUND = re.compile(r"^(?:export\s+)?(?:const|let|var|class)\s+(\w+)", re.MULTILINE)
_JAVASCRIPT = re.compile(
    r"^[^\S\n]*+(?:export\s+)?(?:async\s+)?(?:function\*?\s+\w+\s*\(|(?:const|let|var)\s+\w+\s*=)"
    r"|=>|[;{][^\S\n]*+$|===",
    re.MULTILINE,
)
_JS_CHECK = re.compile(r"\bassert\b|===|\bexpect\(")
_EXPORT = re.compile(r"^([^\S\n]*+)export\s+(?:default\s+)?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Failure:
    """A test that did not pass, and what it said."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class KataRun:
    """What came of the tests; `unreadable` says why the code could not even be read."""

    passed: int
    total: int
    failures: tuple[Failure, ...] = ()
    unreadable: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def all_passed(self) -> bool:
        """Whether there were tests and every one passed."""
        return self.total > 0 and self.passed == self.total

    def in_words(self) -> str:
        """One sentence about the run."""
        if self.unreadable:
            return self.unreadable
        if self.all_passed:
            return f"All {self.total} tests pass." if self.total > 1 else "The test passes."
        return f"{self.passed} of {self.total} tests pass."


def runnable(test_cases: Sequence[str], scaffolding: str = "") -> Language | None:
    """In which language the cases of a kata can be run; `None` when none can."""
    if any(_python_case(case) for case in test_cases):
        return "python"
    if _JAVASCRIPT.search(scaffolding) and any(_JS_CHECK.search(case) for case in test_cases):
        return "javascript"
    return None


def run_kata(
    code: str,
    test_cases: Sequence[str],
    *,
    now: datetime,
    scaffolding: str = "",
    terms: RunTerms | None = None,
) -> KataRun | None:
    """Test some code; `None` when the kata has no tests, or nothing can be run here.

    Raises: RunStopped by its owner.
    """
    language = runnable(test_cases, scaffolding)
    if language is None:
        return None
    # It brings the whole machinery of exercises along.
    from paige.exercise.grading import grade_code  # noqa: PLC0415
    from paige.exercise.result import Attempt  # noqa: PLC0415

    files = _files(code, test_cases, language, scaffolding)
    with tempfile.TemporaryDirectory(prefix="paige-kata-") as name:
        folder = Path(name) / "kata"
        folder.mkdir()
        for file, text in files.items():
            (folder / file).write_text(text, encoding="utf-8", errors="replace")
        try:
            result = grade_code(folder, Attempt(now=now), terms=terms)
        except (Unavailable, BadInput, Refused) as error:
            logger.warning("A kata could not be tested: %s", error.message)
            return None
    if not result.gradable:
        return KataRun(0, _count(files, language), unreadable=_unreadable(result))
    counting = [test for test in result.tests if test.status != "skipped"]
    failed = [test for test in counting if test.status != "passed"]
    return KataRun(
        passed=len(counting) - len(failed),
        total=len(counting),
        failures=tuple(Failure(t.name, _first_line(t.message)) for t in failed[:MOST_FAILURES]),
        remarks=result.improvements,
    )


def _files(
    code: str, test_cases: Sequence[str], language: Language, scaffolding: str
) -> dict[str, str]:
    if language == "python":
        return {"exercise.py": f"{code}\n", "test_exercise.py": python_tests(test_cases)}
    names = sorted({*_FUNCTION.findall(scaffolding), *_BOUND.findall(scaffolding)})
    # Names that the code lacks must not keep the others from being tested.
    exported = ", ".join(
        f"{name}: typeof {name} === 'undefined' ? undefined : {name}" for name in names
    )
    plain = _EXPORT.sub(r"\1", code)
    return {
        "exercise.js": f"{plain}\n;module.exports = {{ {exported} }};\n",
        "exercise.test.js": _javascript_tests(test_cases, names),
    }


def python_tests(test_cases: Sequence[str]) -> str:
    """The cases as a file of tests; those that are no Python are left out."""
    parts = ["import exercise", "from exercise import *", ""]
    number = 0
    for case in test_cases:
        found = _python_case(case)
        if not found:
            continue
        if re.search(r"^(?:async )?def test_", found, re.MULTILINE):
            parts += [found, ""]
            continue
        number += 1
        parts += [f"def test_case_{number}():", textwrap.indent(found, "    "), ""]
    return "\n".join(parts) + "\n"


def _python_case(case: str) -> str:
    """A case as statements that check something; nothing when it is none."""
    text = textwrap.dedent(case).strip()
    try:
        tree = python_source.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    if len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr):
        return f"assert {text}" if isinstance(tree.body[0].value, ast.Compare) else ""
    checks = (ast.Assert, ast.Raise, ast.With)
    has_check = any(isinstance(node, checks) for node in ast.walk(tree))
    return text if has_check else ""


def _javascript_tests(test_cases: Sequence[str], names: Sequence[str]) -> str:
    parts = [
        'const test = require("node:test");',
        'const assert = require("node:assert/strict");',
        f'const {{ {", ".join(names)} }} = require("./exercise.js");',
    ]
    for number, case in enumerate(test_cases, 1):
        text = case.strip()
        if not _JS_CHECK.search(text):
            continue
        if re.match(r"test\s*\(", text):
            parts.append(text)
            continue
        body = text if "assert" in text or "expect(" in text else f"assert.ok({text.rstrip(';')});"
        title = json.dumps(f"case {number}")
        parts.append(f"test({title}, async () => {{\n{textwrap.indent(body, '  ')}\n}});")
    return "\n".join(parts) + "\n"


def _count(files: dict[str, str], language: Language) -> int:
    if language == "python":
        return len(re.findall(r"^(?:async )?def test_", files["test_exercise.py"], re.MULTILINE))
    return len(re.findall(r"^test\s*\(", files["exercise.test.js"], re.MULTILINE))


def _unreadable(result: "Result") -> str:
    said = result.errors[0].detail if result.errors else result.message
    return f"Your code cannot be read: {_first_line(said).replace('exercise.py, ', '')}"


def _first_line(text: str) -> str:
    return " ".join(text.split())[:300]
