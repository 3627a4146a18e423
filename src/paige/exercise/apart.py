"""Whether the tests of an exercise can run in another process than the code they test.

They can when they only call what the code offers and look at the values: then nothing that the code
does can reach them. Tests that reach into the code, replace parts of it or share a state with it
need one process, where `harness` guards them as well as it goes.
"""

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from paige.base import python_source
from paige.exercise.testable import Testable

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
