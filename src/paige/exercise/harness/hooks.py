"""What pytest calls in a test run. Nothing is decided here: the guard looks at it all."""

import hashlib
import io
import os
import sys
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

MOST_OUTPUT = 2_000
_inside = pytest.hookimpl(wrapper=True, trylast=True)  # right after other code had its turn
_first = pytest.hookimpl(wrapper=True, tryfirst=True)


class KeptOutput(io.TextIOWrapper):
    """Standard output that also remembers the beginning of what one test prints."""

    kept = ""

    def write(self, text: str) -> int:
        """Pass it on, and keep a little."""
        if len(self.kept) < MOST_OUTPUT:
            self.kept += str(text)[: MOST_OUTPUT - len(self.kept)]
        return super().write(text)


class Hooks:
    """The plugin. `tell` is the only way to the guard."""

    def __init__(self, plan: dict, output: KeptOutput, make_honest: Callable) -> None:
        self.tell: Callable[[tuple[str, object]], object] = lambda _: None
        self.plan = plan
        self.output = output
        self.make_honest = make_honest
        self.never_equal: Callable[[], bool] = lambda: False

    def senders(self) -> tuple:
        """The functions that tell the guard something."""
        kind = type(self)
        return (
            kind._watched, kind._unchanged, kind.pytest_collection, kind.pytest_collectreport,
            kind.pytest_collection_finish, kind.pytest_runtest_logstart,
            kind.pytest_runtest_logreport,
        )  # fmt: skip

    def _watched(self) -> Generator:
        try:
            return (yield)
        finally:
            if self.never_equal():
                self.tell(("void", "equal"))
            self.tell(("check", None))

    @_inside
    def pytest_runtest_setup(self) -> Generator:
        return (yield from self._watched())

    @_inside
    def pytest_runtest_call(self) -> Generator:
        return (yield from self._watched())

    @_inside
    def pytest_runtest_teardown(self) -> Generator:
        return (yield from self._watched())

    @_inside
    def pytest_make_collect_report(self, collector) -> Generator:
        self._unchanged(collector)
        try:
            return (yield from self._watched())
        finally:
            self._unchanged(collector)

    def _unchanged(self, collector) -> None:
        wanted = self.plan["hashes"].get(collector.path.name)
        if wanted and hashlib.sha256(collector.path.read_bytes()).hexdigest() != wanted:
            self.tell(("void", "test file"))

    @_first
    def pytest_collection(self, session) -> Generator:
        sys.stdout = self.output
        self.never_equal = self.make_honest(self.plan)  # all of pytest is loaded, nothing else is
        self.tell(("watch", session.config.pluginmanager))
        return (yield)

    def pytest_collectreport(self, report) -> None:
        if report.failed:
            self.tell(("collect_error", [report.nodeid, message_of(report)]))

    def pytest_collection_finish(self, session) -> None:
        rows = [row_of(item, self.plan["must_fail"]) for item in session.items]
        for name in self.plan["must_fail"]:
            Path(name).unlink(missing_ok=True)
        self.tell(("collected", (session.items, rows)))

    def pytest_runtest_logstart(self, nodeid) -> None:
        self.output.kept = ""
        self.tell(("start", nodeid))

    def pytest_runtest_logreport(self, report) -> None:
        text = "" if report.passed else message_of(report)
        self.tell(("report", (report, text, self.output.kept)))


def row_of(item, must_fail: list[str]) -> list:
    """A collected test: its name, what it is about, its task, why it is left out."""
    marks = [mark.name for mark in item.iter_markers()]
    left_out = "skip" in marks or "skipif" in marks or "xfail" in marks
    function = getattr(item, "function", None)
    for each in (function, getattr(item, "cls", None)):
        left_out = left_out or bool(getattr(each, "__unittest_skip__", False))
        left_out = left_out or bool(getattr(each, "__unittest_expecting_failure__", False))
    task = next((mark for mark in item.iter_markers("task")), None)
    number = None
    if task is not None:
        number = task.kwargs.get("taskno", task.args[0] if task.args else None)
    about = (getattr(function, "__doc__", None) or "").strip().partition("\n")[0]
    number = number if isinstance(number, int) else None
    return [item.nodeid, item.name, about, number, left_out, item.path.name in must_fail]


def message_of(report) -> str:
    """What went wrong and where, as short as it can be said."""
    crash = getattr(report.longrepr, "reprcrash", None)
    if crash is None:
        if isinstance(report.longrepr, tuple):
            return str(report.longrepr[2])
        return str(report.longrepr)[-3_000:]
    place = f"\n{os.path.basename(str(crash.path))}, line {crash.lineno}"
    return f"{crash.message[:3_000]}{place}"
