"""Which kinds of errors a piece of code shows, by how its tests went and by how it is written."""

import re
import warnings
from collections.abc import Sequence
from typing import NamedTuple

from paige.base import python_source
from paige.exercise.taxonomy.misconceptions import find_misconceptions
from paige.exercise.taxonomy.signs import signs
from paige.exercise.values import TestOutcome

_COMPARED = re.compile(r"(?<![\w.])(-?\d+)\s*(?:==|!=)\s*(-?\d+)(?![\w.])")


class CodeError(NamedTuple):
    """A name of the taxonomy, a sentence, and the line of the code where there is one."""

    error_type: str
    note: str
    line: int | None = None


def detect_code(
    code: str,
    tests: Sequence[TestOutcome] = (),
    *,
    timed_out: bool = False,
    language: str = "python",
) -> tuple[CodeError, ...]:
    """The kinds of errors, the surest first. Code whose tests all passed shows none."""
    wrong = [test for test in tests if test.status in ("failed", "error", "timeout")]
    if tests and not wrong and not timed_out:
        return ()
    found: list[CodeError] = []
    if language == "python":
        if broken := _syntax(code):
            return (broken,)
        found.extend(
            CodeError(each.error_type, each.note, each.line) for each in find_misconceptions(code)
        )
    if timed_out or any(test.status == "timeout" for test in wrong):
        note = "It did not finish in time: too many steps, or a loop that never ends."
        return (CodeError("complexity_error", note), *found)
    if wrong:
        found.extend(_from_tests(tests, wrong, sure=bool(found)))
    return tuple(found)


def is_edge(test: TestOutcome) -> bool:
    """Whether a test is about unusual input: it says so, or its name does."""
    if test.edge:
        return True
    name = test.name.rsplit("::", 1)[-1].lower()
    return any(re.search(rf"(?:^|_){re.escape(word)}", name) for word in signs("tests")["edge"])


def _syntax(code: str) -> CodeError | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of doubtful code, such as `1 is 1`
            python_source.parse(code)
    except SyntaxError as error:
        said = f"Line {error.lineno}: {error.msg}." if error.lineno else f"{error.msg}."
        return CodeError("syntax_error", said, error.lineno)
    except (ValueError, RecursionError, MemoryError):
        return CodeError("syntax_error", "This cannot be read as Python.")
    return None


def _from_tests(
    tests: Sequence[TestOutcome], wrong: list[TestOutcome], *, sure: bool
) -> list[CodeError]:
    passed = [test for test in tests if test.status == "passed"]
    if passed and all(is_edge(test) for test in wrong):
        names = ", ".join(test.name.rsplit("::", 1)[-1] for test in wrong[:3])
        return [CodeError("missing_edge_case", f"Only unusual input goes wrong: {names}.")]
    pairs = [_COMPARED.search(test.message) for test in wrong]
    if wrong and all(pair and abs(int(pair[1]) - int(pair[2])) == 1 for pair in pairs):
        return [CodeError("off_by_one", "Every wrong result is off by one.")]
    if sure or not any(test.status == "failed" for test in wrong):
        return []
    return [CodeError("logic_error", "It runs, but the results are not the wanted ones.")]
