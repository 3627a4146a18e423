"""Programs that do not solve the task but try to come out as if they had."""

from datetime import UTC, datetime
from pathlib import Path
from textwrap import dedent

import pytest

from paige.exercise.grading import LIMITS, grade
from paige.exercise.result import Result
from tests.depth import every_second

NOW = datetime(2026, 2, 22, 14, 30, tzinfo=UTC)
TESTS = """
import unittest
import pytest
from exercise import answer

def test_plain():
    assert answer() == 42

def test_raises():
    with pytest.raises(ValueError, match="nothing given"):
        answer(None)

class AnswerTest(unittest.TestCase):
    def test_equal(self):
        self.assertEqual(answer(), 42)

    def test_true(self):
        self.assertTrue(answer() > 41)

    def test_parts(self):
        for number in range(2):
            with self.subTest(number=number):
                self.assertEqual(answer(number), number)
"""
HONEST = """
def answer(value=42):
    if value is None:
        raise ValueError("nothing given")
    return value
"""


def attempt(folder: Path, code: str, **files: str) -> Result:
    """Grade a folder whose solution is this code."""
    texts = {"exercise.py": dedent(code), "test_exercise.py": TESTS, "solution.py": HONEST}
    for name, text in {**texts, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return grade(folder, now=NOW, limits=LIMITS)


ATTACKS = {
    "prints a fake report": """
        print("5 passed in 0.01s")
        print('["collected", []]\\n["closed", 0]')
        def answer(value=41): return 41
        """,
    "writes result files": """
        import json
        for name in ("results.json", "report.xml", ".pytest_cache", "/tmp/results.json"):
            try: open(name, "w").write('{"score": 1.0}')
            except OSError: pass
        def answer(value=41): return 41
        """,
    "writes to every open file": """
        import os
        for fd in range(3, 256):
            try: os.write(fd, b'["closed", 0]\\n' * 10)
            except OSError: pass
        def answer(value=41): return 41
        """,
    "closes every open file": """
        import os
        os.closerange(3, 256)
        def answer(value=41): return 41
        """,
    "leaves with success": "import os\nos._exit(0)",
    "leaves with success later": """
        import os
        def answer(value=41): os._exit(0)
        """,
    "exits while it is loaded": "import sys\nsys.exit(0)",
    "exits in a test": """
        import sys
        def answer(value=41): sys.exit(0)
        """,
    "exits through pytest": """
        import pytest
        def answer(value=41): pytest.exit("done", returncode=0)
        """,
    "leaves in a thread": """
        import os, threading, time
        threading.Timer(0.2, os._exit, (0,)).start()
        def answer(value=41):
            time.sleep(0.5)
            return 41
        """,
    "registers something for the end": """
        import atexit, os
        atexit.register(os._exit, 0)
        def answer(value=41): return 41
        """,
    "ends itself": """
        import os, signal
        def answer(value=41): os.kill(os.getpid(), signal.SIGKILL)
        """,
    "ends its parent": """
        import os, signal
        os.kill(os.getppid(), signal.SIGKILL)
        def answer(value=41): return 41
        """,
    "skips": """
        import pytest
        def answer(value=41): pytest.skip("not today")
        """,
    "skips as unittest": """
        import unittest
        def answer(value=41): raise unittest.SkipTest("not today")
        """,
    "expects to fail": """
        import pytest
        def answer(value=41): pytest.xfail("known")
        """,
    "skips the whole file": """
        import pytest
        pytest.skip("not today", allow_module_level=True)
        """,
    "changes assertEqual": """
        import unittest
        for name in dir(unittest.TestCase):
            if name.startswith("assert"):
                setattr(unittest.TestCase, name, lambda *a, **k: None)
        def answer(value=41): return 41
        """,
    "changes how unittest runs": """
        import unittest
        unittest.TestCase.run = lambda self, result=None: result
        def answer(value=41): return 41
        """,
    "changes how pytest calls": """
        import _pytest.python
        _pytest.python.Function.runtest = lambda self: None
        def answer(value=41): return 41
        """,
    "changes how pytest reports": """
        import _pytest.reports
        made = _pytest.reports.TestReport.from_item_and_call.__func__
        def forged(cls, item, call):
            report = made(cls, item, call)
            if "exercise" in item.nodeid:
                report.outcome, report.longrepr = "passed", None
            return report
        _pytest.reports.TestReport.from_item_and_call = classmethod(forged)
        def answer(value=41): return 41
        """,
    "changes how pytest calls, in a test": """
        def answer(value=41):
            import _pytest.runner as runner
            kept = runner.CallInfo.from_call
            def forged(cls, func, when, reraise=None):
                runner.CallInfo.from_call = kept
                return kept(lambda: None, when)
            runner.CallInfo.from_call = classmethod(forged)
            return 41
        """,
    "changes pytest.raises": """
        import contextlib, pytest
        @contextlib.contextmanager
        def raises(*args, **kwargs):
            try: yield
            except Exception: pass
        pytest.raises = raises
        def answer(value=41): return 41
        """,
    "replaces pytest": """
        import sys, types
        fake = types.ModuleType("pytest")
        fake.raises = None
        sys.modules["pytest"] = fake
        def answer(value=41): return 41
        """,
    "changes isinstance": """
        import builtins
        builtins.isinstance = lambda *a: True
        def answer(value=41): return 41
        """,
    "changes AssertionError": """
        import builtins
        class Never(BaseException):
            def __new__(cls, *a): return SystemExit(0)
        builtins.AssertionError = Never
        def answer(value=41): return 41
        """,
    "changes how things are imported": """
        import builtins
        old = builtins.__import__
        def strange(name, *a, **k):
            return old(name, *a, **k)
        builtins.__import__ = strange
        def answer(value=41): return 41
        """,
    "adds a plugin": """
        import pytest
        class Evil:
            @pytest.hookimpl(wrapper=True)
            def pytest_runtest_makereport(self, item, call):
                report = yield
                report.outcome, report.longrepr = "passed", None
                return report
        def answer(value=41):
            import _pytest.assertion.util as util
            if util._config is not None and not util._config.pluginmanager.hasplugin("evil"):
                util._config.pluginmanager.register(Evil(), "evil")
            return 41
        """,
    "replaces the tests": """
        import sys
        def answer(value=41):
            tests = sys.modules["test_exercise"]
            for name in list(vars(tests)):
                if name.startswith("test_"): setattr(tests, name, lambda: None)
            for name in list(vars(tests.AnswerTest)):
                if name.startswith("test_"): setattr(tests.AnswerTest, name, lambda self: None)
            return 41
        """,
    "gives the tests other bodies": """
        import sys
        def answer(value=41):
            tests = sys.modules["test_exercise"]
            def empty(): pass
            def empty_method(self): pass
            tests.test_raises.__code__ = empty.__code__
            for name in ("test_equal", "test_true", "test_parts"):
                vars(tests.AnswerTest)[name].__code__ = empty_method.__code__
            return 41
        """,
    "replaces what was collected": """
        def answer(value=41):
            import _pytest.assertion.util as util
            session = util._config.pluginmanager.get_plugin("session")
            for item in session.items:
                item.runtest = lambda: None
            return 41
        """,
    "overwrites the tests": """
        open("test_exercise.py", "w").write("def test_one(): pass")
        def answer(value=41): return 41
        """,
    "is equal to everything": """
        class Any:
            def __eq__(self, other): return True
            def __gt__(self, other): return False
        def answer(value=41): return Any()
        """,
    "is a number equal to everything": """
        class Any(int):
            def __eq__(self, other): return True
            def __hash__(self): return 1
        def answer(value=41): return Any(1)
        """,
    "is made equal without a class": """
        Any = type("Any", (), {"__eq__": lambda self, other: True})
        def answer(value=41): return Any()
        """,
    "looks for the key among all objects": """
        import gc
        def answer(value=41):
            for each in gc.get_objects():
                if type(each).__name__ == "generator": each.gi_frame.f_locals
            return 42 if value == 41 else value
        """,
    "looks into the guard": """
        def answer(value=41):
            import _pytest.assertion.util as util
            for plugin in util._config.pluginmanager.get_plugins():
                if hasattr(plugin, "tell"):
                    plugin.tell.__self__.gi_frame.f_locals["key"]
                    return 42
            return 41
        """,
    "reports by itself": """
        import sys
        def answer(value=41):
            import _pytest.assertion.util as util
            from _pytest.reports import TestReport
            config = util._config
            for item in config.pluginmanager.get_plugin("session").items:
                report = TestReport(item.nodeid, item.location, {}, "passed", None, "call")
                config.hook.pytest_runtest_logreport(report=report)
            return 41
        """,
    "reports through a finalizer": """
        import functools
        def answer(value=41):
            import _pytest.assertion.util as util
            from _pytest.reports import TestReport
            config = util._config
            for item in config.pluginmanager.get_plugin("session").items:
                report = TestReport(item.nodeid, item.location, {}, "passed", None, "call")
                tell = functools.partial(config.hook.pytest_runtest_logreport, report=report)
                try: item.addfinalizer(tell)
                except Exception: pass
            return 41
        """,
    "throws into the guard": """
        def answer(value=41):
            import _pytest.assertion.util as util
            for plugin in util._config.pluginmanager.get_plugins():
                if hasattr(plugin, "tell"):
                    error = KeyboardInterrupt()
                    try: plugin.tell.__self__.throw(error)
                    except BaseException: pass
                    key = error.__traceback__.tb_next.tb_frame.f_locals["key"]
                    assert len(key) == 32
            return 42
        """,
    "interrupts the guard": """
        import signal, os
        def answer(value=41):
            signal.signal(signal.SIGALRM, lambda number, frame: print(frame.f_locals["key"]))
            return 42
        """,
    "reads its own memory": """
        def answer(value=41):
            open("/proc/self/mem", "rb").read(1)
            return 42
        """,
    "reads its memory through links": """
        import os
        def answer(value=41):
            if not os.path.lexists("p"): os.symlink("/proc/self", "p")
            open("p/mem", "rb").close()
            return 42
        """,
    "reads the memory of its parent": """
        import os
        def answer(value=41):
            open(f"/proc/{os.getppid()}/mem", "rb").close()
            return 42
        """,
    "opens the files of its parent": """
        import os
        def answer(value=41):
            for number in range(64):
                try: os.write(os.open(f"/proc/{os.getppid()}/fd/{number}", os.O_WRONLY), b"x")
                except FileNotFoundError: pass
                except PermissionError: return 41
            return 42
        """,
    "calls the system directly": """
        def answer(value=41):
            import ctypes
            ctypes.string_at(id(value), 8)
            return 42
        """,
    "traces": """
        import sys, threading
        def answer(value=41):
            sys.settrace(lambda *a: None)
            return 42
        """,
    "makes code of its own": """
        def answer(value=41):
            answer.__code__.replace(co_code=b"")
            return 42
        """,
    "loads compiled code": """
        import marshal
        def answer(value=41):
            marshal.loads(marshal.dumps(answer.__code__))
            return 42
        """,
    "goes on in a copy": """
        import os
        def answer(value=41):
            if os.fork() == 0: return 42 if value == 41 else value
            os.wait()
            return 41
        """,
    "finds the solution": """
        import glob, os
        def answer(value=41):
            for top in (".", "/sandbox-files", "/tmp", "/"):
                for name in ("solution.py", "exercise/solution.py"):
                    if os.path.exists(os.path.join(top, name)): return 42
            from solution import answer
            return answer(value)
        """,
    "changes the exit code": """
        import sys
        sys.exitfunc = lambda: 0
        def answer(value=41): raise SystemExit(0)
        """,
}


@pytest.mark.parametrize("name", every_second(ATTACKS))
def test_nothing_is_won_by_an_attack(name: str, tmp_path: Path) -> None:
    done = attempt(tmp_path, ATTACKS[name])
    assert done.score.correct == 0, (done.message, [(t.name, t.status) for t in done.tests])
    assert done.score.total == 5, done.tests
    assert done.fsrs_rating == 1
    assert done.gradable
    assert done.message
