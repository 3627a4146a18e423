import os
import subprocess
import sys
from pathlib import Path

import anyio
import anyio.to_thread
import pytest

from paige.base.platform import locked, process_start
from tests.processes import line, python, tell

HOLD = """
import sys
from pathlib import Path
from paige.base.platform import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    input()
    Path(sys.argv[2]).write_text("let go")
"""


@pytest.mark.anyio
async def test_a_lock_excludes_another_process_until_it_lets_go(tmp_path: Path) -> None:
    let_go = tmp_path / "let-go"
    taken = anyio.Event()

    def take() -> bool:
        with locked(tmp_path / "lock"):
            return let_go.exists()

    async def wait_for_it(answers: list[bool]) -> None:
        answers.append(await anyio.to_thread.run_sync(take))
        taken.set()

    answers: list[bool] = []
    with python(HOLD, tmp_path / "lock", let_go) as other:
        assert line(other) == "held"
        with anyio.fail_after(20):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(wait_for_it, answers)
                with anyio.move_on_after(0.1):
                    await taken.wait()
                assert not taken.is_set()
                tell(other)
                await taken.wait()
    assert answers == [True]


def test_a_killed_holder_loses_its_lock(tmp_path: Path) -> None:
    with python(HOLD, tmp_path / "lock", tmp_path / "let-go") as other:
        assert line(other) == "held"
        other.kill()
        other.wait(10)
        with locked(tmp_path / "lock"):
            assert not (tmp_path / "let-go").exists()


def test_a_lock_can_be_taken_again_and_keeps_the_file(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    for _ in range(2):
        with locked(path):
            assert path.exists()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_process_keeps_its_start_as_long_as_it_runs() -> None:
    mine = process_start(os.getpid())
    assert mine is not None
    assert process_start(os.getpid()) == mine


def test_processes_started_one_after_the_other_are_told_apart() -> None:
    with python("input()") as other:
        theirs = process_start(other.pid)
        assert theirs is not None
        # The clock of the kernel ticks a hundred times a second; this process is far older.
        assert theirs != process_start(os.getpid())


def test_a_dead_process_has_no_start_even_before_it_is_collected() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""], stdout=subprocess.PIPE)
    assert process.stdout is not None
    with process:
        process.stdout.read()  # its end: the process has ended or is about to
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert process_start(process.pid) is None  # a zombie
    assert process_start(process.pid) is None  # collected
