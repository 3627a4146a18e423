"""On whose terms code runs: isolated well enough or not at all, and stopped by its owner alone."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

import anyio
import pytest

from paige.base.actor import Actor
from paige.base.errors import Refused
from paige.base.settings import Settings
from paige.coach.inquiry.kata_runs import run_kata
from paige.exercise.grading import grade
from paige.sandbox import checks, isolation
from paige.sandbox import terms as terms_room
from paige.sandbox.runner import run, tree_of
from paige.sandbox.terms import Runs, RunStopped, RunTerms, least_isolation, run_terms
from paige.sandbox.values import Isolation, Job
from paige.study.courses.values import ReplCase
from paige.study.delivery.judge import mark_entry
from paige.study.values import Question
from tests.live import PAIGE, environment

NOW = datetime(2026, 2, 22, 14, 30, tzinfo=UTC)
WAYS: tuple[Isolation, ...] = ("bubblewrap", "namespaces", "limits")
LOOP = "import time\nwhile True: time.sleep(0.01)"
# Who started the tests may have ignored Ctrl-C.
HEEDED = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
ANNA, BEN, ELSEWHERE = ("local", "anna"), ("local", "ben"), ("elm", "anna")


def settings(**given: str) -> Settings:
    return Settings(cwd=Path("/"), environ={}, **given)  # type: ignore[arg-type]


@pytest.fixture
def only_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that has neither bubblewrap nor namespaces."""
    for module in (terms_room, checks):
        monkeypatch.setattr(module, "strongest", lambda: "limits")


def exercise(folder: Path, code: str) -> Path:
    """The folder of an exercise."""
    (folder / "exercise.py").write_text(code)
    (folder / "test_exercise.py").write_text(
        "from exercise import f\n\ndef test_it():\n    assert f() == 1\n"
    )
    return folder


def started(process: int, word: bytes) -> bool:
    """Wait until a process has started one whose command holds a word."""
    until = monotonic() + 20
    while monotonic() < until:
        for pid in tree_of(process, 100):
            try:
                if word in Path(f"/proc/{pid}/cmdline").read_bytes():
                    return True
            except OSError:
                continue
        os.sched_yield()
    return False


# --- How well it is isolated ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "least"),
    [
        ({}, "limits"),
        ({"accounts": "on"}, "bubblewrap"),
        ({"accounts": "on", "sandbox": "limits"}, "limits"),
        ({"accounts": "on", "sandbox": "namespaces"}, "namespaces"),
        ({"sandbox": "bubblewrap"}, "bubblewrap"),
    ],
)
def test_with_accounts_nothing_weaker_than_bubblewrap_will_do_unless_the_operator_says_so(
    given: dict[str, str], least: Isolation
) -> None:
    assert least_isolation(settings(**given)) == least
    assert run_terms(settings(**given), Actor(), Runs()).least == least


@pytest.mark.usefixtures("only_limits")
def test_code_is_refused_where_it_cannot_be_isolated(tmp_path: Path) -> None:
    terms = RunTerms(least="bubblewrap")
    folder = exercise(tmp_path, "def f(): return 1")
    question = Question(id="q", kind="repl", prompt="1", cases=(ReplCase(starter="", prints="1"),))
    runs: list[Callable[[], object]] = [
        lambda: run(Job(argv=("true",)), terms=terms),
        lambda: run(Job(argv=("true",)), isolation="namespaces", terms=terms),
        lambda: grade(folder, now=NOW, terms=terms),
        lambda: mark_entry(question, "1", None, terms),
    ]

    for each in runs:
        with pytest.raises(Refused, match="runs code in bubblewrap only") as refused:
            each()
        assert "PAIGE_SANDBOX" in (refused.value.hint or "")
    assert run_kata("def f(): return 1", ["assert f() == 1"], now=NOW, terms=terms) is None
    assert grade(folder, now=NOW).score.correct == 1  # whoever is alone here decides themselves


@pytest.mark.usefixtures("only_limits")
def test_doctor_says_which_level_there_is_and_whether_it_is_enough() -> None:
    alone, many, told = (
        checks.checks(settings(**given))[0]
        for given in ({}, {"accounts": "on"}, {"accounts": "on", "sandbox": "limits"})
    )

    assert (alone.status, many.status, told.status) == ("warn", "fail", "warn")
    assert "refused" in many.message
    assert "PAIGE_SANDBOX" in (many.fix or "")
    assert "limits alone" in alone.message


def test_isolated_code_reads_neither_the_data_folder_nor_files_of_others(tmp_path: Path) -> None:
    data = tmp_path / "data" / "people" / "local" / "ben"
    data.mkdir(parents=True)
    (data / "secret.md").write_text("the secret")
    code = f"""
import os
for top in ({str(data)!r}, {str(tmp_path)!r}, "/home", "/var", "/srv", "/data"):
    for folder, _, names in os.walk(top):
        for name in names:
            try: print(open(os.path.join(folder, name), errors="replace").read())
            except OSError: pass
"""
    done = run(Job(argv=(sys.executable, "-c", code)), isolation="bubblewrap")

    assert (done.stdout, done.exit_code) == ("", 0), done.stderr


def test_an_isolated_shell_writes_in_its_project_and_sees_nothing_else(tmp_path: Path) -> None:
    project, data = tmp_path / "project", tmp_path / "project" / "data"
    data.mkdir(parents=True)
    (data / "secret.md").write_text("the secret")
    (tmp_path / "other.md").write_text("the secret")
    words = f"echo made > made.txt; cat data/secret.md {tmp_path}/other.md /proc/*/environ; id -u"
    argv = isolation.shell_argv(["/bin/sh", "-c", words], project, {"PATH": "/bin"}, hidden=data)

    done = subprocess.run(argv, capture_output=True, text=True, timeout=20, cwd=project)

    assert (project / "made.txt").read_text() == "made\n", done.stderr
    assert "the secret" not in done.stdout
    assert done.stdout.endswith("65534\n")


# --- How long it runs -----------------------------------------------------------------------------


def test_the_usual_time_is_seconds_and_what_is_said_names_it_and_its_setting(
    tmp_path: Path,
) -> None:
    folder = exercise(tmp_path, f"{LOOP}\n")
    usual = run_terms(settings(), Actor(), Runs())
    short = RunTerms(seconds=1)

    done = grade(folder, now=NOW, terms=short)

    assert usual.seconds == 10
    assert "after 1 seconds" in done.message
    assert "`PAIGE_RUN_SECONDS`" in done.message
    assert done.score.correct == 0


# --- Who stops it ---------------------------------------------------------------------------------


@pytest.mark.parametrize("isolation", WAYS)
def test_only_its_owner_stops_a_run_and_nothing_of_it_is_left(isolation: Isolation) -> None:
    runs = Runs()
    terms = RunTerms(runs=runs, owner=ANNA, seconds=60)
    mark = f"paige-stopped-{os.getpid()}-{isolation}"
    code = (
        f"import os, sys, time\n"
        f"if os.fork() == 0: os.setsid()\n"
        f"os.execv({sys.executable!r}, [{mark!r}, '-c', 'import time; time.sleep(100)'])"
    )
    job = Job(argv=(sys.executable, "-c", code))
    with ThreadPoolExecutor(1) as pool:
        running = pool.submit(run, job, isolation=isolation, terms=terms)
        assert started(os.getpid(), mark.encode())
        assert (runs.stop(BEN), runs.stop(ELSEWHERE)) == (0, 0)
        assert not running.done()
        assert runs.stop(ANNA) == 1
        with pytest.raises(RunStopped, match="You stopped this run"):
            running.result(10)

    assert [pid for pid in tree_of(os.getpid(), 100) if _runs(pid, mark)] == []
    assert runs.stop() == 0


def _runs(pid: int, mark: str) -> bool:
    try:
        return mark.encode() in Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return False


@pytest.mark.anyio
async def test_who_leaves_while_code_runs_stops_it() -> None:
    terms = RunTerms(owner=ANNA, seconds=60)
    begun, ended = threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        try:
            run(Job(argv=(sys.executable, "-c", LOOP)), terms=terms)
        finally:
            ended.set()

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(terms.in_thread, work)
            await anyio.to_thread.run_sync(begun.wait)
            tasks.cancel_scope.cancel()

    assert ended.is_set()


def test_ctrl_c_in_a_terminal_stops_a_run_and_leaves_nothing(tmp_path: Path) -> None:
    folder = exercise(tmp_path, f"def f():\n    {LOOP.replace(chr(10), chr(10) + '    ')}\n")
    with subprocess.Popen(
        [sys.executable, "-c", HEEDED, PAIGE, "study", "grade", str(folder)],
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        assert started(process.pid, b"worker.py")
        tree = tree_of(process.pid, 100)
        os.killpg(process.pid, signal.SIGINT)
        process.wait(10)

    assert process.returncode != 0
    assert [pid for pid in tree if _runs(pid, "worker.py")] == []
