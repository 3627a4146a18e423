"""A program that studies and is struck: killed at a write, out of space, or one of two.

It is started once and forks for every try, because starting takes longer than studying. Each line
it reads is `MODE NUMBER FOLDER`; what a learner was told it prints as they would see it.
"""

import errno
import importlib
import json
import os
import resource
import signal
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from paige.base.errors import Conflict, NotFound, PaigeError
from paige.doors.site.main import paige
from tests.study.answering import right_answer
from tests.study.small_course import MALAY

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
_WARM = (
    "paige.doors.study.cli_session",
    "paige.study.exercise_tools",
    "paige.study.session_plan",
    "paige.study.session.driver",
    "paige.study.session.view",
    "paige.doors.study.operations",
    "paige.study.generation.by_model",
    "paige.exercise.marking.marker",
)
_MOST_STEPS = 120


def tell(*words: object) -> None:
    """Print a line at once."""
    sys.__stdout__.write(" ".join(str(each) for each in words) + "\n")  # type: ignore[union-attr]
    sys.__stdout__.flush()  # type: ignore[union-attr]


def study(root: Path) -> None:
    """One session to its end, telling what was told; a step that was taken already is looked at."""
    runner = CliRunner(
        env={"PAIGE_TEACHING_DIR": str(root), "HOME": str(root), "DATA_DIR": f"{root}/data"}
    )
    now = NOON

    def run(*arguments: str) -> dict[str, Any]:
        at = ("--at", now.isoformat(), "--json", "--course", MALAY)
        done = runner.invoke(paige, ["study", *arguments, *at], standalone_mode=False)
        if done.exception is not None:
            raise done.exception
        return json.loads(done.stdout)

    step = run("start", "--seed", "4")
    for _ in range(_MOST_STEPS):
        done = [each["change_id"] for each in (step["summary"] or {}).get("exercises", ())]
        if step["result"]:
            done.append(f"result:{step['result']['exercise_id']}")
        tell("told", step["step"], *done)
        if step["stage"] == "over":
            return
        now += timedelta(seconds=20)
        try:
            options = right_answer(root, step)
            step = run("next", "--step", str(step["step"]), *options)
        except (Conflict, KeyError, IndexError, TypeError):  # the other one was quicker
            try:
                step = run("next")
            except Conflict:
                continue
        except NotFound:
            return
    raise AssertionError("The session does not end")


def _writes(count: Callable[[], None], root: str) -> None:
    """Call `count` before everything that changes a file below the folder."""

    def hear(event: str, arguments: tuple[Any, ...]) -> None:
        changes = event in ("os.rename", "os.remove", "os.mkdir") or (
            event == "open" and arguments[2] & (os.O_CREAT | os.O_WRONLY | os.O_RDWR)
        )
        if changes and root in str(arguments[0]) and not str(arguments[0]).endswith("lock"):
            count()

    sys.addaudithook(hear)


def _struck(number: int, strike: Callable[[], None]) -> Callable[[], None]:
    left = [number]

    def count() -> None:
        left[0] -= 1
        if left[0] == 0:
            strike()

    return count


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _no_space() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def child(mode: str, number: int, root: Path) -> int:
    """What the forked process does; its exit code."""
    counted = [0]

    def more() -> None:
        counted[0] += 1

    match mode:
        case "count":
            _writes(more, str(root))
        case "kill":
            _writes(_struck(number, _kill), str(root))
        case "full":
            _writes(_struck(number, _no_space), str(root))
        case "torn":  # the kernel stops writing in the middle of a file
            resource.setrlimit(resource.RLIMIT_FSIZE, (number, resource.RLIM_INFINITY))
        case _:
            pass
    try:
        study(root)
    except PaigeError as error:
        tell("complaint", f"{error.message} | {error.hint or ''}".replace("\n", " "))
        return 1
    tell("writes", counted[0])
    return 0


def main() -> None:
    """Answer lines until there are none."""
    for name in _WARM:
        importlib.import_module(name)
    tell("ready")
    for line in sys.stdin:
        mode, number, folder = line.split()
        pids = []
        for _ in range(2 if mode == "two" else 1):
            pid = os.fork()
            if pid == 0:
                os._exit(child(mode, int(number), Path(folder)))
            pids.append(pid)
        codes = [os.waitstatus_to_exitcode(os.waitpid(each, 0)[1]) for each in pids]
        tell("ended", *codes)


if __name__ == "__main__":
    main()
