"""Sessions in real processes: killed without warning, and two at once."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from paige.learner.changes import fold
from paige.learner.progress import Thresholds
from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import load_course
from paige.study.session.context import open_session_context
from tests.processes import line, python
from tests.study.simple_exercises import SimpleExercises, mark
from tests.study.small_course import MALAY, write_malay

STUDY = """
import sys
from datetime import datetime, timedelta, UTC
from pathlib import Path
import anyio
from paige.base.errors import Conflict, NotFound
from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import load_course
from paige.study.session.context import open_session_context
from paige.study.values import SessionRequest
from paige.study.session.driver import act, look, start
from paige.study.values import Answer
from tests.study.simple_exercises import SimpleExercises, mark

root, days, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
documents = DirectoryDocuments(root)
course = load_course(documents, "melayu")

async def main():
    exercises = SimpleExercises(documents)
    count = 0
    for day in range(days):
        now = datetime(2026, 3, 2, 12, tzinfo=UTC) + timedelta(days=2 * day)
        room = open_session_context(documents, course, exercises=exercises, mark=mark)
        turn = await start(room, SessionRequest(), now=now, seed=seed)
        for number in range(60):
            state = turn.state
            if state is None or state.is_over:
                break
            now += timedelta(seconds=20)
            said = "wrong" if (number + day) % 4 == 0 else "right"
            try:
                turn = await act(room, Answer(text=said), now=now, at_step=state.step)
            except (Conflict, NotFound):
                turn = await look(room, now=now)
                continue
            count += 1
            done = [each.change_id for each in turn.state.done]
            print(count, *done, flush=True)
    print("ended", flush=True)

print("ready", flush=True)
input()
anyio.run(main)
"""


def records(root: Path) -> list[dict[str, Any]]:
    folder = root / "learner" / MALAY / "sessions"
    return [
        record
        for path in sorted(folder.glob("*.json"))
        for record in json.loads(path.read_text())["exercises"]
    ]


def assert_whole(root: Path, told: set[str]) -> None:
    """Every result that somebody was told of is in the logs, once, and progress follows them."""
    names = [each["change_id"] for each in records(root)]
    assert len(names) == len(set(names))
    assert told <= set(names)
    documents = DirectoryDocuments(root)
    course = load_course(documents, MALAY)
    room = open_session_context(documents, course, exercises=SimpleExercises(documents), mark=mark)
    known = room.known()
    assert not known.problems
    changes = room.files.changes(MALAY)
    assert known.progress == fold(changes, Thresholds()).progress


@pytest.mark.parametrize(
    "lines", [pytest.param(1, marks=pytest.mark.soak), 3, pytest.param(8, marks=pytest.mark.soak)]
)
def test_kill_9_at_any_moment_loses_at_most_the_answer_being_typed(
    tmp_path: Path, lines: int
) -> None:
    write_malay(tmp_path)
    told: set[str] = set()
    with python(STUDY, tmp_path, 3, 1) as process:
        assert line(process) == "ready"
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
        for _ in range(lines):
            told |= set(line(process).split()[1:])
        process.send_signal(signal.SIGKILL)
        process.wait(30)
    assert_whole(tmp_path, told)
    with python(STUDY, tmp_path, 1, 1) as process:  # and it goes on
        assert line(process) == "ready"
        rest, complaint = process.communicate("go\n", timeout=60)
        assert process.returncode == 0, complaint
        assert rest.splitlines()[-1] == "ended"
        for each in rest.splitlines()[:-1]:
            told |= set(each.split()[1:])
    assert_whole(tmp_path, told)


def test_two_processes_on_one_learner_lose_nothing(tmp_path: Path) -> None:
    write_malay(tmp_path)
    told: set[str] = set()
    with python(STUDY, tmp_path, 3, 1) as one, python(STUDY, tmp_path, 3, 2) as other:
        for each in (one, other):
            assert line(each) == "ready"
        for each in (one, other):
            assert each.stdin is not None
            each.stdin.write("go\n")
            each.stdin.flush()
        for each in (one, other):
            rest, complaint = each.communicate(timeout=100)
            assert each.returncode == 0, complaint
            for words in rest.splitlines()[:-1]:
                told |= set(words.split()[1:])
    assert told
    assert_whole(tmp_path, told)
