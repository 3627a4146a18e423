"""Grades whatever someone hands in: a worksheet, the folder of a code exercise.

A written response is read, and said to need somebody who understands it.

Code is tested in the sandbox; `harness` says how its results are kept from being made up. Here the
messages of such a run become a result: what passed, what failed and why, what stopped it. A file
that Python cannot even read costs no attempt. Tests decide the score; how the code is written
decides only whether perfect work is Easy, Good or Hard.
"""

import ast
import builtins
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path, PurePosixPath

from paige.base import python_source
from paige.base.errors import BadInput, NotFound, Unavailable
from paige.base.settings import RUN_SECONDS
from paige.exercise.code_folder import (
    Testable,
    files_to_test,
    looks_like_code_folder,
    read_code_folder,
    with_given,
)
from paige.exercise.code_result import CodeRun, code_result
from paige.exercise.response import looks_like_response, read_response, response_result
from paige.exercise.result import Attempt, Result
from paige.exercise.worksheet.lines import read_worksheet_text
from paige.exercise.worksheet.mark import mark_worksheet
from paige.exercise.worksheet.parse import looks_like_worksheet, parse_worksheet
from paige.sandbox.runner import run
from paige.sandbox.terms import RunTerms
from paige.sandbox.values import MIB, Isolation, Job, Limits, Outcome

# Modules that keep no state which the code under test would have to share.
_MODULES = frozenset({
    "__future__", "collections", "contextlib", "copy", "datetime", "decimal", "fractions",
    "functools", "io", "itertools", "json", "math", "operator", "os", "pathlib", "pytest", "re",
    "statistics", "string", "sys", "time", "typing", "unittest",
})  # fmt: skip
_PARTS = {
    "os": {"path", "linesep", "sep"},
    "sys": {"path", "exit", "maxsize", "version_info"},
    "unittest": {"TestCase", "main", "skip", "skipIf", "skipUnless", "expectedFailure"},
    "time": {"perf_counter", "monotonic", "time", "sleep"},
}
_NAMES = frozenset({
    "monkeypatch", "capfd", "caplog", "exec", "eval", "compile", "globals", "locals", "vars",
    "setattr", "delattr", "__import__", "input", "id", "warns", "recwarn", "assertLogs",
    "assertNoLogs", "assertWarns", "assertWarnsRegex",
})  # fmt: skip
_DUNDERS = frozenset({"__file__", "__name__", "__doc__", "__main__", "__future__"})


@dataclass(frozen=True, slots=True)
class Tests:
    """What the text of the tests says about how they have to run.

    `apart` is the module under test when they can run apart from it. `named` are the classes of the
    learner that they name: only those may say themselves what they are equal to.
    """

    __test__ = False  # so that pytest does not take it for a class of tests

    apart: str | None = None
    named: frozenset[str] = frozenset()
    with_mocks: bool = True


def read_tests(given: Testable) -> Tests:
    """Look at the tests of an exercise."""
    folder = given.folder
    if folder.language != "python":
        return Tests()
    modules = {PurePosixPath(name).stem for name in (*folder.solution, *folder.editor)}
    nodes: list[ast.AST] = []
    for name in folder.tests:
        try:
            nodes += ast.walk(python_source.parse(given.files[name]))
        except (SyntaxError, ValueError, RecursionError, MemoryError, KeyError):
            return Tests()
    imported = {name for node in nodes for name in _imported(node)}
    module = PurePosixPath(folder.solution[0]).stem
    alone = len(folder.solution) == 1 and "/" not in folder.solution[0] and module in imported
    apart = alone and not any(_needs_one(node, module) for node in nodes)
    return Tests(
        apart=module if apart else None,
        named=frozenset(_named(nodes, modules)),
        with_mocks=any(b"mock" in given.files[name] for name in folder.tests),
    )


def _named(nodes: list[ast.AST], modules: set[str]) -> Iterator[str]:
    """The names that the tests have from the code and that can only be classes."""
    others = {node.name for node in nodes if isinstance(node, ast.ClassDef)}
    for node in nodes:
        match node:
            case ast.ImportFrom(module=str(found), names=names) if found in modules:
                names = [each.name for each in names]
                if "*" in names:
                    used = {each.id for each in nodes if isinstance(each, ast.Name)}
                    names = sorted(used - others - set(dir(builtins)))
            case ast.Attribute(value=ast.Name(id=found), attr=name) if found in modules:
                names = [name]
            case _:
                continue
        yield from (name for name in names if name[:1].isupper())


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (each.name for each in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield "." if node.level else (node.module or "")


def _needs_one(node: ast.AST, module: str) -> bool:
    if any(name not in _MODULES and name != module for name in _imported(node)):
        return True
    match node:
        case ast.ImportFrom(module=found, names=names) if found in _PARTS:
            return any(each.name not in _PARTS[found] for each in names)
        case ast.Attribute(value=ast.Name(id=found), attr=attr) if found in _PARTS:
            return attr not in _PARTS[found]
        case ast.Attribute(value=ast.Name(id=found), ctx=ast.Store() | ast.Del()):
            return found == module
        case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
            return name in _NAMES or (name.startswith("__") and name not in _DUNDERS)
        case ast.AsyncFunctionDef() | ast.Await() | ast.Global():
            return True
        case _:
            return False


HARNESS = Path(__file__).with_name("harness")
LIMITS = Limits(
    wall_seconds=RUN_SECONDS,
    cpu_seconds=int(RUN_SECONDS),
    memory_bytes=1024 * MIB,
    disk_bytes=64 * MIB,
    output_bytes=1_000_000,
)
_CODE = (".py", ".js", ".mjs", ".cjs")
NODE_SECONDS = 30
# How a run ends whose tests hand over what cannot travel between processes.
_TOGETHER = {"status": 87, "closed": False}


def grade(
    path: Path,
    *,
    now: datetime,
    limits: Limits | None = None,
    isolation: Isolation | None = None,
    attempt: Attempt | None = None,
    terms: RunTerms | None = None,
) -> Result:
    """The result of what is at a path.

    Raises: NotFound, BadInput, Unavailable; Refused and RunStopped as the terms of the run say.
    """
    known = replace(attempt or Attempt(), now=now, file_path=str(path))
    if path.is_dir():
        return grade_code(path, known, limits=limits, isolation=isolation, terms=terms)
    if not path.is_file():
        raise NotFound(f"There is nothing at `{path}`")
    if path.suffix in _CODE and looks_like_code_folder(path.parent):
        return grade_code(path.parent, known, limits=limits, isolation=isolation, terms=terms)
    return _grade_text(path, known)


def grade_code(
    path: Path,
    attempt: Attempt,
    *,
    limits: Limits | None = None,
    isolation: Isolation | None = None,
    terms: RunTerms | None = None,
    given: Mapping[str, str] | None = None,
) -> Result:
    """The result of testing the folder of a code exercise.

    `given` are files that count as they were given out: its tests.
    """
    tested = files_to_test(read_code_folder(path))
    if given is not None:
        tested = with_given(tested, given)
    terms = terms or RunTerms()
    limits = limits or terms.limits(LIMITS)
    tests = read_tests(tested)
    outcome = run(_job(tested, limits, tests), isolation=isolation, terms=terms)
    done = read_run(outcome)
    if tests.apart and done.first("ended") == _TOGETHER:
        together = replace(tests, apart=None)
        outcome = run(_job(tested, limits, together), isolation=isolation, terms=terms)
        done = read_run(outcome)
    _refuse_broken_runs(outcome)
    return code_result(tested, done, attempt)


def read_run(outcome: Outcome) -> CodeRun:
    """What a run said over its channel; a line cut off by a limit is left out."""
    messages: list[tuple[str, object]] = []
    for line in outcome.result.split(b"\n")[:-1]:
        try:
            kind, value = json.loads(line)
        except ValueError:
            continue
        messages.append((kind, value))
    return CodeRun(outcome, tuple(messages))


def _grade_text(path: Path, attempt: Attempt) -> Result:
    text = read_worksheet_text(path)
    if looks_like_response(text) and not looks_like_worksheet(text):
        return response_result(read_response(text), None, attempt)
    if looks_like_worksheet(text):
        return mark_worksheet(parse_worksheet(text), None, attempt)
    raise BadInput(
        f"`{path}` is neither a worksheet nor a response",
        hint="Give a worksheet, a response file, or the folder of a code exercise.",
    )


def _job(given: Testable, limits: Limits, how: Tests) -> Job:
    match given.folder.language:
        case "python":
            return _python_job(given, limits, how)
        case "javascript":
            return _javascript_job(given, limits)
        case other:
            raise Unavailable(
                f"Exercises in {other} cannot be tested here",
                hint="Python and JavaScript can; run the tests of others yourself.",
            )


def _python_job(given: Testable, limits: Limits, how: Tests) -> Job:
    packages = _packages()
    python = [sys.executable, "-I", "-S", "-B"]
    tests = {
        "solution": list(given.folder.solution),
        "tests": list(given.folder.tests),
        "hashes": given.hashes,
        "packages": [str(path) for path in packages],
        "apart": how.apart,
        "named": sorted(how.named),
        "mocks": how.with_mocks,
        "worker": [*python, str(HARNESS / "worker.py")],
    }
    command = [*python, str(HARNESS / "runner.py")]
    return _supervised(given, limits, {"command": command, "tests": tests}, packages)


def _javascript_job(given: Testable, limits: Limits) -> Job:
    node = _node()
    if node is None:
        raise Unavailable(
            "This exercise is in JavaScript, and Node is not installed here",
            hint="Install Node 20 or later, then grade it again.",
        )
    folder = given.folder
    harness = str(HARNESS / "runner.mjs")
    flags = ["--no-warnings", "--import", harness, f"--test-reporter={harness}"]
    command = [str(node), *flags, "--test-reporter-destination=stdout", folder.tests[0]]
    tests = {"solution": list(folder.solution), "tests": list(folder.tests), "hashes": given.hashes}
    free = replace(limits, limit_addresses=False)  # Node reserves more than it ever uses
    # Node asks this file whether `import` or `require` is spoken; the learner's own stays out.
    modern = re.search(rb"^[^\S\n]*+import\b", given.files[folder.tests[0]], re.MULTILINE)
    kind = {"package.json": b'{"type": "module"}'} if modern else {}
    whole = replace(given, files={**given.files, **kind})
    return _supervised(whole, free, {"command": command, "tests": tests}, [node.parent])


def _node() -> Path | None:
    found = shutil.which("node")
    return None if found is None else _node_behind(found)


@cache
def _node_behind(name: str) -> Path | None:
    """Node itself: what is called so may be a script that starts it from elsewhere."""
    ask = [name, "-p", "process.execPath"]
    try:
        told = subprocess.run(ask, capture_output=True, text=True, timeout=NODE_SECONDS)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return Path(told.stdout.strip()) if told.returncode == 0 else None


def _supervised(
    given: Testable, limits: Limits, plan: dict[str, object], visible: Sequence[Path]
) -> Job:
    return Job(
        argv=(sys.executable, "-I", "-S", "-B", str(HARNESS / "supervisor.py")),
        files=given.files,
        visible=(HARNESS, *visible),
        stdin=json.dumps(plan).encode(),
        limits=limits,
        result_channel=True,
    )


def _packages() -> list[Path]:
    """Where pytest is."""
    try:
        import pytest  # noqa: PLC0415 - heavy, and only its place is wanted
    except ImportError:
        raise Unavailable(
            "Python exercises are tested with pytest, which is not installed",
            hint="Install it: `pip install pytest`.",
        ) from None
    return [Path(pytest.__file__).parent.parent]


def _refuse_broken_runs(outcome: Outcome) -> None:
    """A sandbox that did not even start says nothing about the learner's code."""
    if not outcome.result and outcome.ended_by_itself and outcome.exit_code:
        last = outcome.stderr.strip().rpartition("\n")[2]
        raise Unavailable(f"The sandbox could not start: {last or outcome.exit_code}")
