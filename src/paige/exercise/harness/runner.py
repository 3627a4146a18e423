"""Runs the tests of an exercise with pytest; the process in which the learner's code runs.

Before any of that code is loaded everything is made ready: the tools are imported and looked at,
the files are checked, the guard has the key. pytest then runs in a second thread, because signal
handlers run in the first one, and so never while the guard is at work. Beside the tests of the
exercise run a few that must fail: if one of them passes, the code has changed the tools.
"""

import builtins
import ctypes
import importlib.util
import json
import os
import site
import sys
import threading
import unittest
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paige.exercise.harness.hooks import Hooks

HERE = Path(__file__).parent
_PR_SET_DUMPABLE = 4
# Loaded before the learner's code: so that all of it is watched, and so that a file of theirs with
# such a name is not taken for it.
EARLY = (
    *("pytest", "_pytest.assertion.rewrite", "_pytest.assertion.truncate", "_pytest.python_api"),
    *("_pytest.raises", "_pytest.subtests", "_pytest.unittest", "pluggy._tracing"),
    *("unittest.async_case", "asyncio", "dataclasses", "decimal", "difflib"),
    *("enum", "fractions", "logging", "pprint", "random", "re", "time", "typing"),
)

FEW = """
import unittest, pytest
def test_{0}a():
    assert 1 == 2
class T{0}(unittest.TestCase):
    def test_{0}a(self):
        self.assertEqual(1, 2)
"""
MUST_FAIL = """
import unittest, pytest
def test_{0}a():
    assert 1 == 2
def test_{0}b():
    assert [1, 2] == [1, 3]
def test_{0}c():
    assert not isinstance(3, int)
def test_{0}d():
    with pytest.raises(ValueError):
        pass
def test_{0}e():
    assert 1.0 == pytest.approx(2.0)
def test_{0}f():
    raise RuntimeError("expected")
def test_{0}g():
    assert len([1]) == 2 or sorted([2, 1]) == [2, 1] or all([False]) or any([])
class T{0}(unittest.TestCase):
    def test_{0}a(self):
        self.assertEqual(1, 2)
    def test_{0}b(self):
        self.assertTrue(False)
    def test_{0}c(self):
        with self.assertRaises(ValueError):
            pass
    def test_{0}d(self):
        self.assertIn(3, [])
    def test_{0}e(self):
        self.assertAlmostEqual(1.0, 2.0)
    def test_{0}f(self):
        with self.subTest("part"):
            self.assertEqual("a", "b")
    def test_{0}g(self):
        self.assertIsInstance(3, str)
    def test_{0}h(self):
        self.assertListEqual([1], [2])
    def test_{0}i(self):
        self.assertDictEqual({{1: 2}}, {{1: 3}})
    def test_{0}j(self):
        self.assertFalse(True)
    def test_{0}k(self):
        with self.assertRaisesRegex(ValueError, "a"):
            raise ValueError("b")
    def test_{0}l(self):
        self.assertCountEqual([1], [2])
    def test_{0}m(self):
        self.assertIs(1, None)
    def test_{0}n(self):
        raise RuntimeError("expected")
"""


def open_tools(plan: dict) -> None:
    """Import pytest and everything of it that is loaded late."""
    sys.path[:] = [path for path in sys.path if path] + plan["packages"]
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS"):
        os.environ.pop(name, None)
    for name in (*EARLY, *(("unittest.mock",) if plan["mocks"] else ())):
        if importlib.util.find_spec(name):
            importlib.import_module(name)
    assert unittest.IsolatedAsyncioTestCase  # becomes a name of its module when it is first used
    site.setquit()
    site.sethelper()


def load_guard():
    """The guard's functions, in a namespace that nothing leads to."""
    path = HERE / "guard.py"
    space = {"__name__": "guard", "__builtins__": dict(vars(builtins))}
    exec(compile(path.read_text("utf-8"), "<guard>", "exec"), space)
    return space["guard"], space["arm"]


def report_chain() -> list:
    """The functions between the runner's protocol for one test and the hook that reports."""
    from _pytest import runner  # noqa: PLC0415 - found late
    from pluggy import _callers, _hooks, _manager  # noqa: PLC0415 - found late

    return [
        _callers._multicall,
        _manager.PluginManager._hookexec,
        _hooks.HookCaller.__call__,
        runner.call_and_report,
        runner.runtestprotocol,
        runner.pytest_runtest_protocol,
    ]


def prepare(plan: dict) -> "tuple[Hooks, tuple]":
    """Everything up to the moment at which the learner's code may be loaded."""
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    for name in [name for name in sys.modules if name.split(".")[0] in ("ctypes", "_ctypes")]:
        del sys.modules[name]
    open_tools(plan)
    sys.path.insert(0, str(HERE))
    ours = {name: importlib.import_module(name) for name in ("sources", "hooks", "equality")}
    if plan["apart"] is not None:
        apart = {name: importlib.import_module(name) for name in ("plain", "remote")}
        line = apart["remote"].Line(plan, apart["plain"])
        trusted = [path for path in sys.path if path != str(HERE)]
        sys.meta_path.insert(0, apart["remote"].Finder(line, trusted))
        ours |= apart
    sys.path.remove(str(HERE))
    facts = ours["sources"].read_sources(plan)
    plan["must_fail"] = [write_must_fail(FEW), write_must_fail(MUST_FAIL)]
    output = ours["hooks"].KeptOutput(
        sys.stdout.buffer, encoding="utf-8", errors="replace", write_through=True
    )
    plugin = ours["hooks"].Hooks(plan, output, ours["equality"].make_honest)
    guard, arm = load_guard()
    fds = [int(os.environ.pop(name)) for name in ("PAIGE_KEY_FD", "PAIGE_SAY_FD")]
    guarding = guard(*fds, (*plugin.senders(), start, begin), report_chain())
    next(guarding)
    plugin.tell = guarding.send
    for name in ours:
        del sys.modules[name]
    arm((sys.base_prefix, sys.prefix, *plan["packages"]), mocks=plan["mocks"])
    return plugin, facts


def write_must_fail(text: str) -> str:
    """Tests that must fail, in a file whose name nobody knows."""
    mark = os.urandom(6).hex()
    name = f"test_{mark}.py"
    Path(name).write_text(text.format(mark), "utf-8")
    return name


def begin(plugin: "Hooks", facts: tuple) -> bool:
    """Say what is known before the run; whether there is something to run."""
    wrong, remarks, number = facts
    plugin.tell(("sources", [wrong, remarks, number]))
    return not wrong


def start(plugin: "Hooks", plan: dict) -> None:
    """Run pytest to its end and say so."""
    pytest = sys.modules["pytest"]
    sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - for pytest's own report, which nobody reads
    first, last = plan["must_fail"]
    arguments = ["-s", "-p", "no:cacheprovider", "-p", "no:faulthandler",
                 "-p", "no:legacypath", "-p", "no:junitxml", "-p", "no:pastebin", "--noconftest",
                 "-c", os.devnull, "--rootdir", os.getcwd(),
                 "--import-mode=" + ("prepend" if plan["apart"] is None else "importlib"),
                 "--continue-on-collection-errors", "--tb=short", "-q", "--no-header"]  # fmt: skip
    try:
        code = int(pytest.main([*arguments, first, *plan["tests"], last], plugins=[plugin]))
    except BaseException as error:  # noqa: BLE001 - the code may raise anything while it is loaded
        plugin.tell(("stopped", [type(error).__name__, str(error)[:500]]))
        return
    plugin.tell(("closed", code))


def main() -> None:
    """Prepare, run the tests in a second thread, leave without asking anybody."""
    plan = json.loads(sys.argv[1])
    sys.argv[:] = ["tests"]
    plugin, facts = prepare(plan)
    sys.modules["__main__"] = type(sys)("__main__")
    if plan["apart"] is None:
        sys.path.insert(0, os.getcwd())
    done = threading.Lock()
    done.acquire()

    def work() -> None:
        try:
            if begin(plugin, facts):
                start(plugin, plan)
        finally:
            done.release()

    threading.stack_size(64 * 2**20)
    threading.Thread(target=work, daemon=True).start()
    threading.stack_size(2**19)  # so that a thousand threads of the learner find room
    done.acquire()
    try:
        sys.stdout.flush()
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
