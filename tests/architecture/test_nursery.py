"""The nursery of the tests: what it starts behaves as a process of a fresh interpreter does."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests import nursery
from tests.live import environment

ABOUT = """
import os, random, sys, warnings
print(sorted(os.environ), os.getcwd(), sys.argv, sys.stdin.read(), __name__)
print(os.environ["SPECIAL"], sys.stdout.isatty(), sys.warnoptions, file=sys.stderr)
sys.exit(int(sys.argv[1]))
"""
WAIT = "import sys, signal; print('waits', flush=True); signal.pause()"
PYTHON = [sys.executable, "-c"]


@pytest.mark.parametrize("code", [0, 3])
def test_it_gets_and_gives_what_a_fresh_one_does(tmp_path: Path, code: int) -> None:
    fresh, born = (
        nursery.run(
            [*PYTHON, ABOUT, str(code)],
            fresh=is_fresh,
            env=environment(tmp_path, SPECIAL="ä"),
            cwd=tmp_path,
            input="typed\n",
            text=True,
        )
        for is_fresh in (True, False)
    )

    assert born.returncode == fresh.returncode == code
    # The C library puts one variable of its own into a fresh one.
    assert born.stdout.replace("'LC_CTYPE', ", "") == fresh.stdout.replace("'LC_CTYPE', ", "")
    assert born.stderr == fresh.stderr


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_signal_ends_it_and_is_told(number: signal.Signals) -> None:
    with nursery.start([*PYTHON, WAIT], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "waits\n"
        assert process.poll() is None
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0)
        process.send_signal(number)
        assert process.wait() == -number

    assert process.poll() == -number


def test_ctrl_c_is_an_exception_there_too() -> None:
    # A test run in the background inherits that Ctrl+C is ignored.
    heard = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {WAIT}"
    with nursery.start([*PYTHON, heard], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate()

    assert complaint.endswith(b"KeyboardInterrupt\n")
    assert process.returncode == -signal.SIGINT


def test_what_is_left_open_complains(tmp_path: Path) -> None:
    leaking = "import sys\ndef leak(): held = open(sys.argv[1]); held.itself = held\nleak()"
    path = tmp_path / "file"
    path.touch()
    done = nursery.run([*PYTHON, leaking, str(path)], env=environment(tmp_path), text=True)

    assert "ResourceWarning: unclosed file" in done.stderr


def test_an_error_is_shown_and_exits_1() -> None:
    done = nursery.run([*PYTHON, "1 / 0"], text=True)

    assert done.returncode == 1
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n")


def test_what_an_interpreter_reads_at_its_start_takes_a_fresh_one(tmp_path: Path) -> None:
    env = environment(tmp_path, PYTHONHASHSEED="7")
    hashed = [
        nursery.run([*PYTHON, "print(hash('a'))"], env=env, text=True).stdout for _ in range(2)
    ]

    assert not nursery.fits({"env": env})
    assert hashed[0] == hashed[1]


def test_it_has_only_the_files_it_was_given() -> None:
    listing = "import os; print(sorted(map(int, os.listdir('/proc/self/fd')))[:3], end='')\n"
    count = "print(len(os.listdir('/proc/self/fd')))"
    with nursery.start([*PYTHON, WAIT], stdout=subprocess.PIPE) as other:
        born = nursery.run([*PYTHON, listing + count], text=True)
        other.kill()
    fresh = nursery.run([*PYTHON, listing + count], fresh=True, text=True)

    assert born.stdout == fresh.stdout
    assert not os.path.exists(f"/proc/{other.pid}/fd")
